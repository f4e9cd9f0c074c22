//! The cure of every mistake on the page of the errors.
#![allow(dead_code)]

mod axes_missing_1 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), dense(8))]
    struct Smoke { density: f32 }
}

mod axes_missing_2 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), dense(64))]
    struct Smoke { density: f32 }
}

mod axes_syntax_3 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(8))]
    struct Smoke { density: f32 }
}

mod axes_syntax_4 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { density: f32 }
}

mod axes_many_5 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(a, b, c, d, e, f, g, h), dense(2))]
    struct Smoke { density: f32 }
}

mod axis_syntax_6 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = -8..8), dense(16))]
    struct Smoke { density: f32 }
}

mod axis_reserved_7 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, order), dense(8))]
    struct Smoke { density: f32 }
}

mod axis_reserved_8 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, index), dense(8))]
    struct Smoke { density: f32 }
}

mod axis_unused_9 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), dense(x = 8, y = 8, z = 8))]
    struct Smoke { density: f32 }
}

mod axis_unknown_10 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(x = 8, y = 8) > dense(y = 4))]
    struct Smoke { density: f32 }
}

mod axis_unknown_11 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(row, column), dense(row = 8, column = 8))]
    struct Smoke { density: f32 }
}

mod axis_unknown_12 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), hash(x, y))]
    struct Smoke { density: f32 }
}

mod bounds_syntax_13 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = 0..8), dense(8))]
    struct Smoke { density: f32 }
}

mod bounds_syntax_14 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = -4..4), dense(8))]
    struct Smoke { density: f32 }
}

mod bounds_empty_15 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = 8..9), dense(1))]
    struct Smoke { density: f32 }
}

mod bounds_range_16 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = 0..2147483648), hash(x = 32768) > dense(65536))]
    struct Smoke { density: f32 }
}

mod bounds_short_17 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = -50..50), dense(13) > dense(8))]
    struct Smoke { density: f32 }
}

mod bounds_long_18 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = -50..50), dense(_) > dense(8))]
    struct Smoke { density: f32 }
}

mod bounds_run_time_19 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = ..), pointer(_) > dense(8))]
    struct Smoke { density: f32 }
}

mod bounds_unbounded_20 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = 0..64), hash(x = _) > dense(8))]
    struct Smoke { density: f32 }
}

mod tree_missing_21 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), { dense(8) })]
    struct Smoke { density: f32 }
}

mod tree_missing_22 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8), padded)]
    struct Smoke { density: f32 }
}

mod tree_twice_23 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), pointer(16) > dense(8))]
    struct Smoke { density: f32 }
}

mod separator_24 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), hash() > pointer(16) > bitmasked(8))]
    struct Smoke { density: f32 }
}

mod separator_25 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), hash() > bitmasked(8))]
    struct Smoke { density: f32 }
}

mod greater_before_braces_26 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8) { density })]
    struct Smoke { density: f32 }
}

mod after_braces_27 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), pointer(8) > dense(4) { density })]
    struct Smoke { density: f32 }
}

mod item_comma_28 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8) { density, velocity })]
    struct Smoke { density: f32, velocity: f32 }
}

mod option_syntax_29 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8), allow(non_power_of_two))]
    struct Smoke { density: f32 }
}

mod option_syntax_30 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8), crate = ::sparse_layout)]
    struct Smoke { density: f32 }
}

mod option_twice_31 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8), deny(non_power_of_two))]
    struct Smoke { density: f32 }
}

mod kind_foreign_32 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), hash() > dense(8))]
    struct Smoke { density: f32 }
}

mod kind_foreign_33 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), pointer(8) > dense(8))]
    struct Smoke { density: f32 }
}

mod name_equals_34 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), tile: dense(8))]
    struct Smoke { density: f32 }
}

mod flag_as_level_35 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(8, morton))]
    struct Smoke { density: f32 }
}

mod flag_as_level_36 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(8, soa))]
    struct Smoke { density: f32 }
}

mod size_colon_37 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(x = 8, y = 8))]
    struct Smoke { density: f32 }
}

mod size_tuple_38 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(8, 4))]
    struct Smoke { density: f32 }
}

mod size_zero_39 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(8, 1))]
    struct Smoke { density: f32 }
}

mod size_float_40 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(1000))]
    struct Smoke { density: f32 }
}

mod size_expr_41 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense({ 2 * 4 }))]
    struct Smoke { density: f32 }
}

mod size_expr_42 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense({ size_of::<u64>() }))]
    struct Smoke { density: f32 }
}

mod size_other_43 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(x = 8))]
    struct Smoke { density: f32 }
}

mod size_count_44 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), dense(8, 8, 1))]
    struct Smoke { density: f32 }
}

mod size_mixed_45 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(x = 8, y = 4))]
    struct Smoke { density: f32 }
}

mod cover_inner_46 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = 0..100), pointer(_) > dense(8))]
    struct Smoke { density: f32 }
}

mod flag_unknown_47 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), hash(x = 64, y = 64))]
    struct Smoke { density: f32 }
}

mod flag_misfit_48 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), pointer(8) > dense(8, aos))]
    struct Smoke { density: f32 }
}

mod flag_misfit_49 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), hash() > dense(8, morton))]
    struct Smoke { density: f32 }
}

mod flag_misfit_50 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), pointer(8, aos))]
    struct Smoke { density: f32 }
}

mod flag_conflict_51 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(8, aos))]
    struct Smoke { density: f32 }
}

mod flag_value_52 {
    use sparse_layout::prelude::*;
    struct Mine;
    impl sparse_layout::CoordHash for Mine {
        fn hash(key: &[i32]) -> u64 {
            key.len() as u64
        }
    }

    #[sparse_layout(axes(x, y), hash(hasher = Mine) > dense(8))]
    struct Smoke { density: f32 }
}

mod morton_size_53 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(16, 16, morton))]
    struct Smoke { density: f32 }
}

mod field_twice_54 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), pointer(8) { density, dense(4) { velocity } })]
    struct Smoke { density: f32, velocity: f32 }
}

mod level_empty_55 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), { dense(8) { density } })]
    struct Smoke { density: f32 }
}

mod level_empty_56 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), { density, bitmasked(8) })]
    struct Smoke { density: f32 }
}

mod level_name_twice_57 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), tile: pointer(8) > cell: dense(8))]
    struct Smoke { density: f32 }
}

mod level_name_field_58 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), cells: dense(8))]
    struct Smoke { density: f32 }
}

mod hash_inner_59 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), hash() > pointer(8) > dense(8))]
    struct Smoke { density: f32 }
}

mod hash_inner_60 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), hash(y) > pointer(x = 8) > dense(8))]
    struct Smoke { density: f32 }
}

mod hash_buckets_61 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), hash(x = 64, y = 64) > dense(8))]
    struct Smoke { density: f32 }
}

mod hash_buckets_62 {
    use sparse_layout::prelude::*;
    const N: usize = 8;

    #[sparse_layout(axes(x, y), hash(x = N, y = N) > dense(8))]
    struct Smoke { density: f32 }
}

mod dynamic_inner_63 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), hash() > dense(8) > dynamic(i, max = 16))]
    struct Smoke { density: f32 }
}

mod dynamic_axis_64 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), dense(x = 8, y = 8) > dynamic(i, max = 16))]
    struct Smoke { density: f32 }
}

mod dynamic_axes_65 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8) > dynamic(i, max = 16))]
    struct Smoke { density: f32 }
}

mod dynamic_max_66 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8) > dynamic(i, max = 64))]
    struct Smoke { density: f32 }
}

mod dynamic_root_67 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), hash() > dynamic(i, max = 16) { density })]
    struct Smoke { density: f32 }
}

mod rest_ambiguous_68 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), { dense(8) { density } bitmasked(16) })]
    struct Smoke { density: f32 }
}

mod rest_ambiguous_69 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), hash() { tile: dense(8) { density } bitmasked(16) })]
    struct Smoke { density: f32 }
}

mod extents_differ_70 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x = 0..24), { dense(6) > dense(4) { density } dense(3) > dense(8) { velocity } })]
    struct Smoke { density: f32, velocity: f32 }
}

mod extent_large_71 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), pointer(32768) > dense(65536))]
    struct Smoke { density: f32 }
}

mod cells_many_72 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), pointer(4096) > dense(512))]
    struct Smoke { density: f32 }
}

mod node_large_73 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y, z), pointer(256) > dense(256))]
    struct Smoke { density: f32 }
}

mod node_large_74 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x, y), pointer(4096) > pointer(4096) > dense(4))]
    struct Smoke { density: f32 }
}

mod too_many_75 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8) > dense(16))]
    struct Smoke { density: f32 }
}

mod power_of_two_76 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(i), dense(i = 32) > dense(i = 16), deny(non_power_of_two))]
    struct Smoke { density: f32 }
}

mod power_of_two_77 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(i, j), dense(i = 3) > dense(j = 5) > dense(i = 8) > dense(j = 8), deny(non_power_of_two))]
    struct Smoke { density: f32 }
}

mod power_of_two_78 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(i, j), hash() > dense(10), allow(non_power_of_two))]
    struct Smoke { density: f32 }
}

mod struct_tuple_79 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { density: f32, velocity: [f32; 3] }
}

mod struct_empty_80 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), bitmasked(8))]
    struct Smoke;
}

mod generic_element_81 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke<T: Element> { density: T }
}

mod name_taken_82 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { density: f32, density_change: f32 }
}

mod name_taken_83 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), tile: dense(8))]
    struct Smoke { density: f32 }
}

mod name_reserved_84 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { density: f32, new_: f32 }
}

mod name_reserved_85 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { field: f32 }
}

mod field_cfg_86 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    #[cfg(unix)] struct Smoke { density: f32 }
}

mod field_option_87 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { #[field(background = 1.0)] density: f32 }
}

mod field_option_88 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8, soa))]
    struct Smoke { density: f32 }
}

mod field_option_twice_89 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { #[field(background = 2.0)] density: f32 }
}

mod bits_missing_90 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { solid: u8 }
}

mod option_storage_91 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8))]
    struct Smoke { #[field(double)] density: f32 }
}

mod option_storage_92 {
    use sparse_layout::prelude::*;

    #[sparse_layout(axes(x), dense(8, aosoa))]
    struct Smoke { density: [f32; 2] }
}

fn main() {}
