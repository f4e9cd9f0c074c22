use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dense(8))]
struct Smoke { density: f32, density_mut: f32 }

fn main() {
}
