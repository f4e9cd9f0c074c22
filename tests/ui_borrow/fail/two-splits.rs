//! Every field lent twice.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y), hash() > tile: bitmasked(8) { a, b, flag, dynamic(i, max = 9) { item } })]
struct Heat {
    a: f32,
    b: f32,
    #[field(bits)]
    flag: bool,
    item: u32,
}

fn main() {
    let mut grid = Heat::new();
    let one = grid.fields_mut();
    let two = grid.fields_mut();
    drop((one, two));
}
