//! The particles.

use rayon::prelude::*;

/// A point of mass 1 that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Particle {
    /// In cells.
    pub(crate) position: [f32; 3],
    pub(crate) velocity: [f32; 3],
}

impl Particle {
    /// A particle that turns with the others around the z axis, and rises where it is far from it.
    fn turning(position: [f32; 3], size: f32) -> Self {
        let [x, y, _] = position.map(|c| c / size);
        Particle { position, velocity: [-y, x, 0.1 + x * x + y * y] }
    }
}

/// A shell around the origin, `size` cells across, with hills and valleys and of uneven thickness.
pub(crate) fn shell(count: usize, size: u32) -> Vec<Particle> {
    let radius = size as f32 * 0.45;
    (0..count as u64)
        .into_par_iter()
        .map(|i| {
            let mut random = Random::new(i);
            let direction = random.direction();
            let [x, y, z] = direction.map(|c| c * 7.0);
            let hills = 0.06 * ((x + 0.5 * y.sin()).sin() * (y - z.cos()).cos() + 0.5 * (2.3 * z + x).sin());
            let thickness = 0.01 + 0.02 * (3.0 * x * y).sin().abs();
            let distance = radius * (1.0 + hills + thickness * (random.fraction() + random.fraction() - 1.0));
            Particle::turning(direction.map(|c| c * distance), size as f32)
        })
        .collect()
}

/// The vertices, scaled so that the longest side of their box is `size` cells, around the origin.
pub(crate) fn of_vertices(vertices: &[[f32; 3]], size: u32) -> Result<Vec<Particle>, String> {
    if vertices.is_empty() {
        return Err("no vertices".into());
    }
    if let Some(i) = vertices.iter().position(|v| v.iter().any(|c| !c.is_finite())) {
        return Err(format!("vertex {i} (from 0) has a coordinate that is not finite"));
    }
    let (mut lo, mut hi) = (vertices[0], vertices[0]);
    for vertex in vertices {
        for axis in 0..3 {
            lo[axis] = lo[axis].min(vertex[axis]);
            hi[axis] = hi[axis].max(vertex[axis]);
        }
    }
    let longest = [0, 1, 2].map(|axis| f64::from(hi[axis]) - f64::from(lo[axis])).into_iter().fold(0.0, f64::max);
    let scale = if longest > 0.0 { f64::from(size) / longest } else { 1.0 };
    let centre = [0, 1, 2].map(|axis| f64::from(lo[axis]) / 2.0 + f64::from(hi[axis]) / 2.0);
    let particle = |vertex: &[f32; 3]| {
        let position = [0, 1, 2].map(|axis| ((f64::from(vertex[axis]) - centre[axis]) * scale) as f32);
        Particle::turning(position, size as f32)
    };
    Ok(vertices.iter().map(particle).collect())
}

/// Mass and momentum of all.
pub(crate) fn totals(particles: &[Particle]) -> [f64; 4] {
    sum(particles, |x| x)
}

/// The same of their absolute values.
pub(crate) fn sizes(particles: &[Particle]) -> [f64; 4] {
    sum(particles, f64::abs)
}

fn sum(particles: &[Particle], f: impl Fn(f64) -> f64) -> [f64; 4] {
    particles.iter().fold([0.0; 4], |mut sum, particle| {
        sum[0] += 1.0;
        for axis in 0..3 {
            sum[axis + 1] += f(f64::from(particle.velocity[axis]));
        }
        sum
    })
}

/// The generator splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), one for each
/// particle, so that they can be made in any order.
struct Random(u64);

impl Random {
    /// For particle `i`: numbers far apart for neighbours, so that their sequences do not meet.
    fn new(i: u64) -> Self {
        Random(i.wrapping_mul(0xD134_2543_DE82_EF95))
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    fn fraction(&mut self) -> f32 {
        (self.draw() >> 40) as f32 / 16_777_216.0
    }

    /// A point of the unit sphere.
    fn direction(&mut self) -> [f32; 3] {
        loop {
            let p = [self.fraction(), self.fraction(), self.fraction()].map(|c| 2.0 * c - 1.0);
            let square: f32 = p.iter().map(|c| c * c).sum();
            if (0.01..=1.0).contains(&square) {
                return p.map(|c| c / square.sqrt());
            }
        }
    }
}
