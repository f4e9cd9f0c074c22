//! Operations on topology against sets of cells, over layouts of every kind, in one to eight dimensions.

#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::single_range_in_vec_init, reason = "one range per axis that is declared `..`")]

mod laws;
mod merge;
mod run;
#[macro_use]
mod subject;

use run::run;
use sparse_layout::Neighbourhood;
use sparse_layout::prelude::*;
use std::collections::BTreeMap;
use subject::{Binary, Box2, Cell, FREE, Subject, apply, cell, point, within};

// What others are combined with: of other block sizes and origins.

#[sparse_layout(axes(x), hash() > leaf: bitmasked(128))]
struct Other1 {}
#[sparse_layout(axes(x, y), hash() > pointer(4) > leaf: bitmasked(y = 4, x = 16))]
struct Other2 {}
#[sparse_layout(axes(x, y, z), hash() > leaf: bitmasked(5, 4, 16), allow(non_power_of_two))]
struct Other3 {}
#[sparse_layout(axes(x, y, z, t), hash() > leaf: bitmasked(4, 2, 8, 2))]
struct Other4 {}
#[sparse_layout(axes(a0, a1, a2, a3, a4, a5, a6, a7), hash() > leaf: bitmasked(1, 2, 2, 1, 2, 2, 1, 2))]
struct Other8 {}
/// Without bits of its own.
#[sparse_layout(axes(x, y), leaf: hash())]
struct Cells2 {
    v: u8,
}

subject! { vdb, 3, [FREE, FREE, FREE], Other3;
#[sparse_layout(axes(x, y, z), hash() > pointer(4) > pointer(4) > leaf: bitmasked(8))] }
subject! { cubes, 3, [FREE, FREE, FREE], Other3;
#[sparse_layout(axes(x, y, z), hash() > leaf: bitmasked(z = 8, x = 8, y = 8))] }
subject! { bounded_cubes, 3, [within(-40, 88), within(0, 64), within(-8, 56)], Other3;
#[sparse_layout(axes(x = -40..88, y, z = -8..56), pointer(_, 8, 8) > leaf: bitmasked(8))] }
subject! { small_cubes, 3, [FREE, FREE, FREE], Other3;
#[sparse_layout(axes(x, y, z), hash() > pointer(8) > leaf: bitmasked(4))] }
subject! { large_cubes, 3, [within(0, 128), within(0, 128), within(0, 128)], Other3;
#[sparse_layout(axes(x, y, z), pointer(4) > leaf: bitmasked(32))] }
subject! { odd_blocks, 2, [FREE, FREE], Other2;
#[sparse_layout(axes(x, y), hash() > leaf: bitmasked(5, 7), allow(non_power_of_two))] }
subject! { odd_blocks_in_bounds, 2, [within(-3, 40), within(5, 60)], Other2;
#[sparse_layout(axes(x = -3..40, y = 5..60), pointer(_) > leaf: bitmasked(6, 11), allow(non_power_of_two))] }
subject! { morton, 3, [FREE, FREE, FREE], Other3;
#[sparse_layout(axes(x, y, z), hash() > leaf: bitmasked(8, 4, 16, morton))] }
subject! { morton_root, 2, [within(0, 128), within(0, 256)], Other2;
#[sparse_layout(axes(x, y), leaf: bitmasked(128, 256, morton))] }
subject! { line, 1, [FREE], Other1;
#[sparse_layout(axes(x), hash() > leaf: bitmasked(32))] }
subject! { long_rows, 1, [within(0, 20_000)], Other1;
#[sparse_layout(axes(x), leaf: bitmasked(20_000))] }
subject! { hashed_cells, 2, [FREE, FREE], Other2;
#[sparse_layout(axes(x, y), leaf: hash())] }
subject! { pointer_cells, 2, [within(0, 30), within(-10, 54)], Cells2;
#[sparse_layout(axes(x, y = -10..54), pointer(3, 4) > leaf: pointer(10, 16), allow(non_power_of_two))] }
subject! { pointer_below_mask, 2, [FREE, FREE], Other2;
#[sparse_layout(axes(x, y), hash() > bitmasked(2, 4) > leaf: pointer(4, 4))] }
subject! { hash_below_mask, 2, [within(0, 24), within(0, 16)], Other2;
#[sparse_layout(axes(x, y), bitmasked(3, 2) > leaf: hash(x = 8, y = 8))] }
subject! { fused, 3, [within(0, 32), within(0, 32), within(-16, 48)], Other3;
#[sparse_layout(axes(x, y, z = -16..48), bitmasked(4, 2, 8) > dense(2, 4, 1) > leaf: bitmasked(4, 4, 8))] }
subject! { fused_below_hash, 2, [FREE, FREE], Other2;
#[sparse_layout(axes(x, y), hash() > bitmasked(4, morton) > leaf: bitmasked(3, 5, aos), allow(non_power_of_two))] }
subject! { root_with_summary, 3, [within(0, 128), within(0, 32), within(0, 64)], Other3;
#[sparse_layout(axes(x, y, z), leaf: bitmasked(128, 32, 64))] }
subject! { fused_root_with_summary, 2, [within(0, 512), within(0, 512)], Other2;
#[sparse_layout(axes(x, y), bitmasked(64) > leaf: bitmasked(8))] }
subject! { run_time, 2, [within(-20, 30), within(5, 77)], Other2,
make Tested::builder().bounds([-20..30, 5..77]).build().expect("bounds that fit");
#[sparse_layout(axes(x = .., y = ..), pointer(_) > leaf: bitmasked(8))] }
subject! { dense_blocks, 2, [FREE.by(4), FREE.by(8)], Other2;
#[sparse_layout(axes(x, y), hash() > pointer(4) > leaf: dense(4, 8))] }
subject! { dense_below_mask, 2, [within(-6, 70).by(2), within(0, 99).by(3)], Other2;
#[sparse_layout(axes(x = -6..70, y = 0..99), pointer(_) > bitmasked(8) > leaf: dense(2, 3), allow(non_power_of_two))] }
subject! { dense_columns, 3, [FREE.by(1), FREE.by(1), within(0, 6).by(0)], Other3;
#[sparse_layout(axes(x, y, z), hash(x, y) > bitmasked(x = 4, y = 4) > leaf: dense(z = 6))] }
subject! { four_axes, 4, [FREE, FREE, FREE, FREE], Other4;
#[sparse_layout(axes(x, y, z, t), hash() > leaf: bitmasked(4, 2, 4, 2))] }
subject! { eight_axes, 8, [FREE, FREE, FREE, FREE, FREE, FREE, FREE, FREE], Other8;
#[sparse_layout(axes(a0, a1, a2, a3, a4, a5, a6, a7), hash() > leaf: bitmasked(2))] }
