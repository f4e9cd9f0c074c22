use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke { #[field(background = 1.0, background = 2.0)] density: f32 }

fn main() {
}
