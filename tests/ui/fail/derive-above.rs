//! A derive above the attribute sees the struct before it becomes a grid.
use sparse_layout::sparse_layout;

#[derive(Clone)]
#[sparse_layout(axes(x), dense(8))]
struct Smoke { density: f32 }

fn main() {}
