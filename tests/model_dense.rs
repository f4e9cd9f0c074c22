//! The model test on layouts without indirection: dense and bitmasked levels in one node.

#![allow(missing_docs, unreachable_pub)]

#[macro_use]
mod model;

use sparse_layout::prelude::*;

model! { line, 1 axes, steps 150;
    levels [l0 d [17];];
    a: u64, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(i), l0: dense(17))]
}
model! { packed, 2 axes, steps 60;
    levels [l0 d [18, 65];];
    a: i32 = 3, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(x, y), l0: dense(18, 65))]
}
model! { image_by_rows, 2 axes, steps 100;
    levels [l0 d [12, 9];];
    a: f32, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(x, y), l0: dense(x = 12, y = 9))]
}
model! { negative_tiles, 2 axes, steps 100, lo [-5, -3], hi [8, 10];
    levels [l0 d [4, 4]; l1 d [4, 4];];
    a: u8, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x = -5..8, y = -3..10), l0: dense(4) > l1: dense(4))]
}
model! { tiles_aosoa, 3 axes, steps 80;
    levels [l0 d [2, 3, 2]; l1 d [4, 2, 2];];
    a: [f32; 3], on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z), l0: dense(2, 3, 2) > l1: dense(4, 2, 2, aosoa))]
}
model! { cube_aos, 3 axes, steps 60;
    levels [l0 d [8, 4, 8];];
    a: [f32; 3], on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(x, y, z), l0: dense(8, 4, 8, aos))]
}
model! { morton_square, 2 axes, steps 80;
    levels [l0 d [16, 8], morton;];
    a: f64, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(x, y), l0: dense(16, 8, morton))]
}
model! { masked_line, 1 axes, steps 300;
    levels [l0 b [100];];
    a: f64, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(i), l0: bitmasked(100))]
}
model! { masked_square_aos, 2 axes, steps 200, lo [-9, 4], hi [-4, 9];
    levels [l0 b [5, 5];];
    a: half::f16, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(x = -9..-4, y = 4..9), l0: bitmasked(5, aos))]
}
model! { nested_masks, 1 axes, steps 250;
    levels [l0 b [5]; l1 b [8]; l2 d [2]; l3 b [4];];
    a: i16, on l3 3; b: u16 = 7, on l3 3; c: u8, on l1 1;
    #[sparse_layout(axes(i), l0: bitmasked(5) > l1: bitmasked(8) { c, l2: dense(2) > l3: bitmasked(4) { a, b } })]
}
model! { spgrid, 3 axes, steps 120;
    levels [l0 b [4, 4, 4], morton; l1 d [8, 4, 4];];
    a: f32 = 5.0, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z), l0: bitmasked(4, morton) > l1: dense(x = 8, y = 4, z = 4, aosoa))]
}
model! { mask_over_odd_tiles, 2 axes, steps 150;
    levels [l0 b [3, 7]; l1 d [5, 3];];
    a: u32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: bitmasked(3, 7) > l1: dense(5, 3), allow(non_power_of_two))]
}
model! { clipped_mask, 2 axes, steps 200, lo [-7, 3], hi [30, 50];
    levels [l0 b [5, 6]; l1 b [8, 8];];
    a: f32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x = -7..30, y = 3..50), l0: bitmasked(_) > l1: bitmasked(8))]
}
model! { crossed_axes, 2 axes, steps 150;
    levels [l0 d [4, 0]; l1 b [0, 8]; l2 d [4, 0]; l3 b [0, 2];];
    a: u32, on l3 3; b: u16 = 7, on l3 3;
    #[sparse_layout(axes(x, y), l0: dense(x = 4) > l1: bitmasked(y = 8) > l2: dense(x = 4) > l3: bitmasked(y = 2))]
}
model! { many_words, 1 axes, steps 25;
    levels [l0 b [270_000];];
    a: u8, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(i), l0: bitmasked(270_000))]
}
