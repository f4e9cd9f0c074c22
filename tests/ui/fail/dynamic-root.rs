use sparse_layout::sparse_layout;

#[sparse_layout(axes(x), dynamic(i, max = 16) { density })]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
