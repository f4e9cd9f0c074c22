//! The model test on layouts with pointer levels.

#![allow(missing_docs, unreachable_pub)]

#[macro_use]
mod model;

use sparse_layout::prelude::*;

model! { issue_7112, 2 axes, steps 200;
    levels [l0 p [3, 3]; l1 d [8, 8];];
    a: [f32; 3], on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: pointer(3) > l1: dense(8))]
}
model! { line, 1 axes, steps 250;
    levels [l0 p [7]; l1 p [4]; l2 b [64];];
    a: u64, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(i), l0: pointer(7) > l1: pointer(4) > l2: bitmasked(64))]
}
model! { line_of_cells, 1 axes, steps 200, lo [-30], hi [20];
    levels [l0 p [50];];
    a: u32, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(i = -30..20), l0: pointer(50))]
}
model! { records, 2 axes, steps 250;
    levels [l0 p [5, 7]; l1 p [4, 4]; l2 b [8, 8];];
    a: [f32; 3], on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x, y), l0: pointer(5, 7) > l1: pointer(4) > l2: bitmasked(8, aos))]
}
model! { quadtree, 2 axes, steps 250;
    levels [l0 b [4, 4]; l1 p [1, 1]; l2 b [4, 4]; l3 p [1, 1]; l4 d [4, 4];];
    a: f32, on l4 4; b: u16 = 7, on l4 4;
    #[sparse_layout(axes(x, y), l0: bitmasked(4) > l1: pointer(1) > l2: bitmasked(4) > l3: pointer(1) > l4: dense(4, aosoa))]
}
model! { mask_over_pointer, 2 axes, steps 250;
    levels [l0 b [6, 6]; l1 p [4, 4]; l2 d [2, 2]; l3 b [4, 4];];
    a: u32, on l3 3; b: u16 = 7, on l3 3; c: f64 = 9.0, on l1 1;
    #[sparse_layout(axes(x, y), l0: bitmasked(6) > l1: pointer(4) { c, l2: dense(2) > l3: bitmasked(4) { a, b } })]
}
model! { axes_apart, 3 axes, steps 150;
    levels [l0 p [8, 8, 0]; l1 d [0, 0, 6]; l2 b [2, 2, 4];];
    a: f32, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x, y, z), l0: pointer(x = 8, y = 8) > l1: dense(z = 6) > l2: bitmasked(2, 2, 4))]
}
model! { covered, 2 axes, steps 150, lo [-7, 3], hi [30, 50];
    levels [l0 p [5, 6]; l1 d [8, 8];];
    a: f32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x = -7..30, y = 3..50), l0: pointer(_) > l1: dense(8))]
}
model! { covered_deep, 3 axes, steps 150, lo [-1, -33, 100], hi [40, 2, 117];
    levels [l0 p [6, 5, 3]; l1 p [2, 4, 2]; l2 b [4, 2, 4];];
    a: half::f16 = half::f16::ONE, on l2 2; b: u16 = 7, on l2 2; c: u8, on l1 1;
    #[sparse_layout(axes(x = -1..40, y = -33..2, z = 100..117), l0: pointer(_) > l1: pointer(2, 4, 2) { c, l2: bitmasked(4, 2, 4) { a, b } })]
}
model! { odd_everywhere, 2 axes, steps 150;
    levels [l0 p [3, 5]; l1 d [7, 3]; l2 p [3, 3]; l3 b [5, 3];];
    a: u8, on l3 3; b: u16 = 7, on l3 3;
    #[sparse_layout(axes(x, y), l0: pointer(3, 5) > l1: dense(7, 3) > l2: pointer(3) > l3: bitmasked(5, 3), allow(non_power_of_two))]
}
model! { ends_in_pointer, 3 axes, steps 200;
    levels [l0 p [4, 4, 4]; l1 p [2, 2, 4];];
    a: [u8; 5], on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z), l0: pointer(4) > l1: pointer(2, 2, 4, aos))]
}
model! { morton_pointer, 3 axes, steps 150;
    levels [l0 p [4, 8, 2], morton; l1 b [4, 4, 4], morton;];
    a: i32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z), l0: pointer(4, 8, 2, morton) > l1: bitmasked(4, morton))]
}
model! { negative_4d_records, 4 axes, steps 120, lo [-4, 0, -2, 0], hi [4, 6, 6, 4];
    levels [l0 p [2, 3, 2, 2]; l1 b [4, 2, 4, 2];];
    a: f64, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x = -4..4, y = 0..6, z = -2..6, t = 0..4), l0: pointer(2, 3, 2, 2) > l1: bitmasked(4, 2, 4, 2, aos))]
}
model! { eight_axes, 8 axes, steps 50;
    levels [l0 p [2, 2, 3, 1, 2, 2, 1, 2]; l1 d [2, 1, 2, 2, 1, 2, 2, 1];];
    a: u32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(a0, a1, a2, a3, a4, a5, a6, a7), l0: pointer(2, 2, 3, 1, 2, 2, 1, 2) > l1: dense(2, 1, 2, 2, 1, 2, 2, 1))]
}
