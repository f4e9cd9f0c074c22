use sparse_layout::sparse_layout;

#[sparse_layout(axes(x, y), axes(z), dense(8))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
