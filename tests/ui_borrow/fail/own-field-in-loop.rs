//! A loop that reads the field it changes.
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
    f.a.par_for_each(|[x, y], a| *a += f.a.value([x + 1, y]));
}
