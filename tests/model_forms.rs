//! The model test on what a declaration may say beside kinds and sizes: several levels side by side, `padded`, bounds
//! given at run time, const generics, and every number of axes.

#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::single_range_in_vec_init, reason = "one range per axis that is declared `..`")]

#[macro_use]
mod model;

use sparse_layout::prelude::*;

model! { siblings, 2 axes, steps 300;
    levels [l0 p [4, 4]; l1 b [8, 8]; l2 d [4, 4] => 0; l3 p [2, 2] => 0; l4 b [4, 4];];
    a: f32, on l1 1; b: u16 = 7, on l1 1; c: u32 = 9, on l2 2; d: u8, on l4 4;
    #[sparse_layout(axes(x, y), l0: pointer(4) { l1: bitmasked(8) { a, b } l2: dense(4) { c } l3: pointer(2) > l4: bitmasked(4) { d } })]
}
model! { trees_side_by_side, 3 axes, steps 250;
    levels [l0 h [-1, -1, 0]; l1 b [4, 4, 0]; l2 d [0, 0, 10] => -1; l3 p [8, 0, 0] => -1; l4 d [4, 0, 2];];
    a: f32, on l1 1; b: u16 = 7, on l1 1; c: u32 = 9, on l2 2; d: u8, on l4 4;
    #[sparse_layout(axes(x, y, z), { l0: hash(x, y) > l1: bitmasked(x = 4, y = 4) { a, b }, l2: dense(z = 10) { c }, l3: pointer(x = 8) > l4: dense(x = 4, z = 2) { d } })]
}
model! { siblings_in_one_node, 2 axes, steps 300, lo [-8, -8], hi [8, 8];
    levels [l0 b [4, 4]; l1 b [4, 4]; l2 d [2, 2] => 0; l3 h [2, 2];];
    a: i32, on l1 1; b: u16 = 7, on l1 1; c: u32 = 9, on l3 3; d: u8 = 2, on l0 0;
    #[sparse_layout(axes(x = -8..8, y = -8..8), l0: bitmasked(4) { d, l1: bitmasked(4, aos) { a, b } l2: dense(2) > l3: hash(x = 2, y = 2) { c } })]
}
model! { padded, 2 axes, steps 200, lo [0, 0], hi [15, 70];
    levels [l0 p [4, 9]; l1 d [4, 8];];
    a: f32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: pointer(5, 10) > l1: dense(3, 7), padded)]
}
model! { padded_mask, 1 axes, steps 200, lo [0], hi [210];
    levels [l0 b [7]; l1 p [4]; l2 b [8];];
    a: u8, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(i), l0: bitmasked(10) > l1: pointer(3) > l2: bitmasked(7), padded)]
}
model! { padded_hash, 2 axes, steps 200;
    levels [l0 h [-1, -1]; l1 d [4, 8];];
    a: u8, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: hash() > l1: dense(3, 7), padded)]
}
model! { run_time, 2 axes, steps 200, lo [-20, 5], hi [30, 77],
    make Grid::builder().bounds([-20..30, 5..77]).build().expect("bounds that fit");
    levels [l0 p [7, 9]; l1 d [8, 8];];
    a: f32, on l1 1; b: u16 = 7, on l1 1; c: u8, on l0 0;
    #[sparse_layout(axes(x = .., y = ..), l0: pointer(_) { c, l1: dense(8) { a, b } })]
}
model! { run_time_mask, 3 axes, steps 150, lo [-3, 0, -100], hi [9, 4, -80],
    make Grid::builder().bounds([-100..-80]).build().expect("bounds that fit");
    levels [l0 b [3, 2, 5]; l1 p [4, 2, 1]; l2 b [1, 1, 4];];
    a: [f32; 3], on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x = -3..9, y, z = ..), l0: bitmasked(3, 2, _) > l1: pointer(4, 2, 1) > l2: bitmasked(1, 1, 4, aosoa))]
}
model! { run_time_hash, 2 axes, steps 150, lo [0, -7], hi [0, 8],
    make Grid::builder().bounds([-7..8]).build().expect("bounds that fit");
    levels [l0 h [-1, 0]; l1 p [2, 4]; l2 d [4, 4];];
    a: u64, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x, y = ..), l0: hash(x) > l1: pointer(2, _) > l2: dense(4, aos))]
}
model! { generic, 2 axes, steps 200, with [const N: usize, const M: usize] [4, 3];
    levels [l0 p [3, 5]; l1 b [4, 4];];
    a: f32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: pointer(M, { M + 2 }) > l1: bitmasked(N))]
}
model! { generic_element, 3 axes, steps 150, with [T: Element] [f64];
    levels [l0 h [-1, -1, -1]; l1 d [2, 4, 2];];
    a: T, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z), l0: hash() > l1: dense(2, 4, 2))]
}
model! { five_axes, 5 axes, steps 80, lo [-2, 0, 0, 0, 0], hi [4, 0, 0, 0, 0];
    levels [l0 p [3, 2, 1, 2, 2]; l1 b [2, 2, 3, 1, 2];];
    a: u32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(q = -2..4, r, s, t, u), l0: pointer(3, 2, 1, 2, 2) > l1: bitmasked(2, 2, 3, 1, 2), allow(non_power_of_two))]
}
model! { six_axes, 6 axes, steps 60;
    levels [l0 h [-1, -1, 0, 0, -1, -1]; l1 d [2, 1, 3, 2, 2, 1];];
    a: u8, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(q, r, s, t, u, v), l0: hash(q, r, u, v) > l1: dense(2, 1, 3, 2, 2, 1))]
}
model! { seven_axes, 7 axes, steps 60;
    levels [l0 b [2, 2, 2, 2, 2, 2, 2]; l1 d [2, 1, 1, 2, 1, 1, 1];];
    a: u8, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(q, r, s, t, u, v, w), l0: bitmasked(2) > l1: dense(2, 1, 1, 2, 1, 1, 1, aosoa))]
}
