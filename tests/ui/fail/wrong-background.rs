//! A background of another type than the field.
use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke {
    #[field(background = "thin")]
    density: f32,
}

fn main() {}
