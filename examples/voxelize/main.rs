//! Builds a narrow-band level set of a closed mesh.
#![allow(dead_code)]
mod band;
mod bins;
mod distance;
mod mesh;
mod pseudo_normals;
mod read;
mod read_obj;
mod read_ply;
mod torus_knot;
use rayon::prelude::*;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let res: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let threads: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let mesh = read::read_mesh(path.as_ref()).unwrap();
    let vs = mesh.voxel_size(res);
    for _ in 0..5 {
        let t = Instant::now();
        let band = band::Band::new(&mesh, vs, 3.0);
        let t1 = t.elapsed();
        let n = band.origins().len();
        let mut values = vec![0f32; n * 512];
        let mut masks = vec![[0u64; 8]; n];
        let t2 = t.elapsed();
        let c: Vec<usize> = (band.origins(), &mut masks, values.par_chunks_mut(512))
            .into_par_iter()
            .map_init(band::Scratch::new, |s, (o, m, v)| band.fill(*o, v, m, s))
            .collect();
        let t3 = t.elapsed();
        println!(
            "{:?} bins {t1:?} alloc {:?} fill {:?} total {t3:?} blocks {n} empty {} cells {} pairs {}",
            band.seams(), t2 - t1, t3 - t2,
            c.iter().filter(|&&c| c == 0).count(),
            c.iter().sum::<usize>(),
            band.pairs()
        );
    }
}
