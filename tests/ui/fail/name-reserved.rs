use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke { density: f32, new: f32 }

fn main() {
}
