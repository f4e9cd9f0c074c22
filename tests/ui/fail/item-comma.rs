use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8) { density velocity })]
struct Smoke { density: f32, velocity: f32 }

fn main() {
}
