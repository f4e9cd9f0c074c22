use sparse_layout::sparse_layout;

#[sparse_layout(axes(i), dense(i = 32) > dense(i = 10), deny(non_power_of_two))]
struct Smoke { density: f32 }

fn main() {
    let mut smoke = Smoke::new();
    smoke.density_mut();
    let _ = smoke.density();
}
