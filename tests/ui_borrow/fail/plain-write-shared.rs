//! A plain write from two threads: only one of them can hold the field.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
struct Heat {
    a: f32,
}

fn main() {
    let mut grid = Heat::new();
    let mut f = grid.fields_mut();
    rayon::join(|| f.a.fill(1.0), || f.a.fill(2.0));
}
