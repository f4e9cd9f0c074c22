//! A concurrent handle while a plain view lives: the grid is held exclusively.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
struct Heat {
    a: f32,
}

fn main() {
    let mut grid = Heat::new();
    let plain = grid.a();
    let shared = grid.concurrent();
    shared.a().fetch_add([0, 0], 1.0).unwrap();
    println!("{:?}", plain.get([0, 0]));
}
