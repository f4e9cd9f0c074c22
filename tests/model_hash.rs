//! The model test on layouts with hash levels.

#![allow(missing_docs, unreachable_pub)]

#[macro_use]
mod model;

use sparse_layout::CoordHash;
use sparse_layout::prelude::*;

model! { vdb, 3 axes, steps 250;
    levels [l0 h [-1, -1, -1]; l1 p [4, 4, 4]; l2 b [4, 4, 4];];
    a: f32, on l2 2; b: u16 = 7, on l2 2; c: u32 = 9, on l0 0;
    #[sparse_layout(axes(x, y, z), l0: hash() { c, l1: pointer(4) > l2: bitmasked(4) { a, b } })]
}
model! { line, 1 axes, steps 250;
    levels [l0 h [-1]; l1 b [64];];
    a: u64, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(i), l0: hash() > l1: bitmasked(64))]
}
model! { line_of_cells, 1 axes, steps 200;
    levels [l0 h [-1];];
    a: u64, on l0 0; b: u16 = 7, on l0 0;
    #[sparse_layout(axes(i), l0: hash())]
}
model! { odd_dense_blocks, 2 axes, steps 200;
    levels [l0 h [-1, -1]; l1 d [5, 7];];
    a: [u8; 5], on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: hash() > l1: dense(5, 7), allow(non_power_of_two))]
}
model! { odd_masked_blocks, 2 axes, steps 200;
    levels [l0 h [-1, -1]; l1 p [3, 2]; l2 b [5, 7];];
    a: [u8; 5], on l2 2; b: u16 = 7, on l2 2; c: i16, on l1 1;
    #[sparse_layout(axes(x, y), l0: hash() > l1: pointer(3, 2) { c, l2: bitmasked(5, 7) { a, b } }, allow(non_power_of_two))]
}
model! { some_axes, 3 axes, steps 150;
    levels [l0 h [-1, 0, -1]; l1 d [8, 6, 4];];
    a: u8, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z), l0: hash(x, z) > l1: dense(8, 6, 4))]
}
model! { beside_bounds, 3 axes, steps 150, lo [0, -6, 0], hi [0, 10, 0];
    levels [l0 h [-1, 0, -1]; l1 p [2, 2, 2]; l2 b [4, 8, 2];];
    a: f32, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x, y = -6..10, z), l0: hash(x, z) > l1: pointer(2) > l2: bitmasked(4, 8, 2))]
}
model! { partly_keyed, 2 axes, steps 200;
    levels [l0 h [-1, 6]; l1 b [4, 4];];
    a: i16, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: hash(x, y = 6) > l1: bitmasked(4))]
}
model! { below_pointer, 2 axes, steps 250, lo [-16, -16], hi [240, 240];
    levels [l0 p [4, 4]; l1 h [16, 16]; l2 b [4, 4];];
    a: f32, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x = -16..240, y = -16..240), l0: pointer(4) > l1: hash(x = 16, y = 16) > l2: bitmasked(4))]
}
model! { below_mask, 2 axes, steps 250;
    levels [l0 b [3, 2]; l1 d [2, 2]; l2 h [8, 8]; l3 p [2, 2]; l4 d [2, 2];];
    a: f32, on l4 4; b: u16 = 7, on l4 4; c: u8, on l2 2;
    #[sparse_layout(axes(x, y), l0: bitmasked(3, 2) > l1: dense(2) > l2: hash(x = 8, y = 8) { c, l3: pointer(2) > l4: dense(2) { a, b } })]
}
model! { below_hash, 2 axes, steps 200;
    levels [l0 h [-1, -1]; l1 h [4, 4]; l2 b [8, 2];];
    a: u32, on l2 2; b: u16 = 7, on l2 2;
    #[sparse_layout(axes(x, y), l0: hash() > l1: hash(x = 4, y = 4) > l2: bitmasked(8, 2, aosoa))]
}
model! { below_hash_over_mask, 3 axes, steps 150;
    levels [l0 h [-1, -1, -1]; l1 b [2, 2, 2]; l2 h [4, 4, 0]; l3 d [2, 2, 4];];
    a: u32, on l3 3; b: u16 = 7, on l3 3;
    #[sparse_layout(axes(x, y, z), l0: hash() > l1: bitmasked(2) > l2: hash(x = 4, y = 4) > l3: dense(2, 2, 4))]
}
model! { four_axes, 4 axes, steps 150;
    levels [l0 h [-1, -1, -1, -1]; l1 b [4, 2, 4, 2];];
    a: u32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y, z, t), l0: hash() > l1: bitmasked(4, 2, 4, 2))]
}
model! { eight_axes, 8 axes, steps 80;
    levels [l0 h [-1, -1, -1, -1, -1, -1, -1, -1]; l1 b [2, 2, 2, 2, 2, 2, 2, 2];];
    a: u8, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(a0, a1, a2, a3, a4, a5, a6, a7), l0: hash() > l1: bitmasked(2))]
}

/// A poor hash: many cells share one value.
#[derive(Debug)]
pub struct Poor;

impl CoordHash for Poor {
    fn hash(key: &[i32]) -> u64 {
        (key[0] as u64 & 3) << 32
    }
}

model! { poor_hash, 2 axes, steps 200;
    levels [l0 h [-1, -1]; l1 d [2, 4];];
    a: f32, on l1 1; b: u16 = 7, on l1 1;
    #[sparse_layout(axes(x, y), l0: hash(hasher = Poor) > l1: dense(2, 4))]
}
