//! Two exclusive iterators over one view.
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
    let mut f = grid.fields_mut();
    let one = f.a.iter_mut();
    let two = f.a.iter_mut();
    one.zip(two).for_each(drop);
}
