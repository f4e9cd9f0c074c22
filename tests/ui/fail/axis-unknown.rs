use sparse_layout::sparse_layout;

#[sparse_layout(axes(x, y), dense(x = 8, y = 8) > dense(z = 4))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
