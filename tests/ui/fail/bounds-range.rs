use sparse_layout::sparse_layout;

#[sparse_layout(axes(x = 0..4294967296), hash(x = 65536) > dense(65536))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
