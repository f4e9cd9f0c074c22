use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke { #[cfg(unix)] density: f32 }

fn main() {
}
