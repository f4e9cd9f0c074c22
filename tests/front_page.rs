//! The front page's example.
use sparse_layout::prelude::*;

/// Smoke on a VDB-like tree.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8))]
pub struct Smoke {
    pub density: f32,
    pub velocity: [f32; 3],
}

#[test]
fn front_page() {
    let mut smoke = Smoke::new();
    smoke.density_mut().set([-3, 7, 40], 0.5);
    assert_eq!(smoke.density().get([-3, 7, 40]), Some(0.5));
    assert_eq!(smoke.density().get([0, 0, 0]), None);
    assert_eq!(smoke.density().value([0, 0, 0]), 0.0);
    let mut f = smoke.fields_mut();
    f.density.par_for_each(|p, d| *d *= 1.0 - f.velocity.value(p)[1].abs());
    (&mut f.velocity, &f.density).par_for_each(|_p, (v, d)| v[1] += 0.1 * d);
    assert_eq!(smoke.velocity().get([-3, 7, 40]), Some([0.0, 0.05, 0.0]));
    println!("{}", smoke.describe());
    smoke.internal_validate();
}
