//! A handle that outlives its grid.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
struct Heat {
    a: f32,
}

fn main() {
    let mut grid = Heat::new();
    let shared = Heat::new().concurrent();
    shared.a().fetch_add([0, 0], 1.0).unwrap();
    grid.a_mut().fill(0.0);
}
