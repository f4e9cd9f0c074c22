//! Raw bytes kept over a `set`.
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
    let bytes = grid.raw_bytes("a").unwrap();
    grid.a_mut().set([1, 1], 2.0);
    println!("{}", bytes.len());
}
