//! An item that leaves the closure it was handed to.
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
    let mut kept = None;
    let mut view = grid.a_mut();
    view.iter_mut().for_each(|(_, a)| kept = Some(a));
    grid.a_mut().set([5, 5], 1.0);
    println!("{kept:?}");
}
