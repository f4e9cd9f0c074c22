//! A reference to a value kept while its cell is deactivated.
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
    let value = grid.a().get_ref([0, 0]);
    grid.tile_mut().deactivate([0, 0]);
    println!("{value:?}");
}
