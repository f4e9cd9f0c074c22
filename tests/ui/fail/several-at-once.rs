//! All errors of a declaration in one compile.
use sparse_layout::prelude::*;

#[sparse_layout(axes(x, y in 0..8), dense[8] . tile: pionter(8.0) > dense(q = 4, y = 0) { densty }, paded)]
pub struct Smoke {
    #[field(backgroud = 1.0)]
    pub density: f32,
    pub new: f32,
}

fn main() {
    let mut smoke = Smoke::builder().build().unwrap();
    smoke.density_mut().set([1, 2], 3.0);
    for (p, density) in smoke.density().iter() {
        println!("{p:?} {density}");
    }
    smoke.tile_mut().activate([1, 1]);
    smoke.fields_mut().density.par_for_each(|_, density| *density += 1.0);
}
