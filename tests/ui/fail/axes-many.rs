use sparse_layout::sparse_layout;

#[sparse_layout(axes(a, b, c, d, e, f, g, h, i), dense(2))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
