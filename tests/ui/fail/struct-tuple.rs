use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke(f32, [f32; 3]);

fn main() {
}
