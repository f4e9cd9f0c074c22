//! A struct has no atomic operations; arrays cannot be exchanged at once.
use sparse_layout::prelude::*;

#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
struct Pair {
    x: f32,
    n: u32,
}

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
struct Heat {
    a: f32,
    wide: [f32; 4],
    pair: Pair,
}

fn main() {
    let mut grid = Heat::new();
    let shared = grid.concurrent();
    shared.pair().store([0, 0], Pair { x: 1.0, n: 2 }).unwrap();
    shared.wide().update([0, 0], |v| v).unwrap();
    shared.a().fetch_or([0, 0], 1.0).unwrap();
}
