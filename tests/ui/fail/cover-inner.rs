use sparse_layout::sparse_layout;

#[sparse_layout(axes(x = 0..100), pointer(8) > dense(_))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
