use sparse_layout::sparse_layout;

#[sparse_layout(axes(x = 0..20), { dense(5) > dense(4) { density } dense(3) > dense(8) { velocity } })]
struct Smoke { density: f32, velocity: f32 }

fn main() {
}
