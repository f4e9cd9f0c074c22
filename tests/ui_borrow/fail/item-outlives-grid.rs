//! A value that outlives its grid.
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
    let value = {
        let grid = Heat::new();
        grid.a().get_ref([0, 0])
    };
    println!("{value:?}");
    grid.clear();
}
