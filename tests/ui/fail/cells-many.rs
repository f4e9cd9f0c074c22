use sparse_layout::sparse_layout;

#[sparse_layout(axes(x, y, z), pointer(65536) > dense(32768))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
