//! Activation inside a loop: the topology is frozen.
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
    f.a.iter_mut().for_each(|([x, y], _)| grid.tile_mut().activate([x + 1, y]));
    f.b.fill(0.0);
}
