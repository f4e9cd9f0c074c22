use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), pointer(8) { density, dense(4) { density, velocity } })]
struct Smoke { density: f32, velocity: f32 }

fn main() {
}
