use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8, aos))]
struct Smoke { #[field(double)] density: f32 }

fn main() {
}
