//! An accessor is one thread's own.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
struct Heat {
    a: f32,
}

fn main() {
    let mut grid = Heat::new();
    let mut accessor = grid.concurrent().a().accessor();
    rayon::join(|| accessor.store([0, 0], 1.0), || accessor.store([1, 1], 1.0)).0.unwrap();
}
