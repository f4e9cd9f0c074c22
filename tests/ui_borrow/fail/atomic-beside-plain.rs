//! A field that is lent to many threads cannot be written plainly meanwhile.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
struct Heat {
    a: f32,
}

fn main() {
    let mut grid = Heat::new();
    let mut f = grid.fields_mut();
    let shared = f.a.atomic();
    f.a.fill(1.0);
    shared.fetch_add([0, 0], 1.0).unwrap();
}
