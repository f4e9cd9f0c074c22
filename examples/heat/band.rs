//! The grid, and what a step does to it.

use sparse_layout::Neighbourhood;
use sparse_layout::prelude::*;

/// Temperature. What is not active is at 0.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > leaf: bitmasked(8))]
struct Heat {
    #[field(double)]
    pub t: f32,
}

/// Part of the difference that flows to each neighbour in a step; more than a sixth would swing.
const FLOW: f32 = 0.15;
/// Radius of the torch in cells.
const TORCH: i32 = 4;
/// Cells that the torch moves in a step.
const SPEED: f32 = 1.5;
/// Steps after which what is cold is taken out.
const SWEEP: u32 = 4;

pub(crate) struct Band {
    heat: Heat,
    step: u32,
    radius: f32,
    cooling: f32,
    limit: f32,
}

impl Band {
    pub(crate) fn new(radius: u32, cooling: f32, limit: f32) -> Self {
        Self { heat: Heat::new(), step: 0, radius: radius as f32, cooling, limit }
    }

    /// Lights the cells at the torch, lets the heat flow, and leaves out what is cold.
    pub(crate) fn step(&mut self) {
        let centre = self.torch();
        let mut t = self.heat.t_mut();
        for p in Region::new([-TORCH; 3], [TORCH + 1; 3]).iter() {
            if p.iter().map(|x| x * x).sum::<i32>() <= TORCH * TORCH {
                t.set(centre.offset(p), 1.0);
            }
        }
        self.flow();
        self.step += 1;
        if self.step.is_multiple_of(SWEEP) {
            self.sweep();
        }
    }

    /// One step of explicit diffusion, into cells that were not there before too.
    fn flow(&mut self) {
        self.heat.dilate(Neighbourhood::Faces, 1);
        let keep = 1.0 - self.cooling;
        let mut f = self.heat.fields_mut();
        f.t_next.par_map_stencil::<Star<1>>(&f.t, |_, _, s| {
            let around = s.at([1, 0, 0])
                + s.at([-1, 0, 0])
                + s.at([0, 1, 0])
                + s.at([0, -1, 0])
                + s.at([0, 0, 1])
                + s.at([0, 0, -1]);
            keep * (s.here() + FLOW * (around - 6.0 * s.here()))
        });
        self.heat.swap_t();
    }

    /// Deactivates what is colder than the limit, and frees the blocks that this empties.
    fn sweep(&mut self) {
        let limit = self.limit;
        let cold: Vec<[i32; 3]> = self.heat.t().par_iter().filter(|(_, t)| *t < limit).map(|(p, _)| p).collect();
        let mut leaf = self.heat.leaf_mut();
        for p in cold {
            leaf.deactivate(p);
        }
        self.heat.prune();
    }

    /// Where the torch is: on a circle in a plane that is tilted a little.
    fn torch(&self) -> [i32; 3] {
        let angle = self.step as f32 * SPEED / self.radius;
        let (sin, cos) = angle.sin_cos();
        [cos, sin, 0.4 * sin].map(|x| (self.radius * x).round() as i32)
    }

    /// Cells from the middle of the picture to its edges.
    pub(crate) fn reach(&self) -> i32 {
        self.radius as i32 * 5 / 4 + 16
    }

    pub(crate) fn cells(&self) -> u64 {
        self.heat.leaf().len()
    }

    pub(crate) fn blocks(&self) -> usize {
        self.heat.leaf().blocks().count()
    }

    /// The sum of all temperatures.
    pub(crate) fn heat(&self) -> f64 {
        self.heat.t().sum()
    }

    /// Calls `f` with each active cell.
    pub(crate) fn for_each(&self, mut f: impl FnMut([i32; 3], f32)) {
        self.heat.t().iter().for_each(|(p, t)| f(p, t));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Side of the dense box.
    const N: usize = 40;

    fn lit(limit: f32) -> Band {
        let mut band = Band::new(16, 0.0, limit);
        band.heat.t_mut().set([0, 0, 0], 1.0);
        band.heat.t_mut().set([7, 8, -9], 0.5);
        band
    }

    /// The same over a dense box with plain loops.
    fn dense(steps: usize) -> Vec<f64> {
        let at = |p: [usize; 3]| (p[0] * N + p[1]) * N + p[2];
        let mut t = vec![0.0; N * N * N];
        t[at([20, 20, 20])] = 1.0;
        t[at([27, 28, 11])] = 0.5;
        for _ in 0..steps {
            let old = t.clone();
            for x in 1..N - 1 {
                for y in 1..N - 1 {
                    for z in 1..N - 1 {
                        let here = old[at([x, y, z])];
                        let around =
                            [[x + 1, y, z], [x - 1, y, z], [x, y + 1, z], [x, y - 1, z], [x, y, z + 1], [x, y, z - 1]];
                        t[at([x, y, z])] =
                            here + f64::from(FLOW) * around.iter().map(|&p| old[at(p)] - here).sum::<f64>();
                    }
                }
            }
        }
        t
    }

    #[test]
    fn agrees_with_a_dense_box() {
        let mut band = lit(0.0);
        (0..8).for_each(|_| band.flow());
        let dense = dense(8);
        let mut cells = 0;
        band.for_each(|p, t| {
            let [x, y, z] = p.map(|c| (c + 20) as usize);
            assert!((f64::from(t) - dense[(x * N + y) * N + z]).abs() < 1e-6, "{p:?}");
            cells += 1;
        });
        // Nothing flows where no cell is active.
        assert!(dense.iter().filter(|t| **t > 0.0).count() <= cells);
        assert!((band.heat() - 1.5).abs() < 1e-5);
    }

    #[test]
    fn what_is_cold_goes() {
        let mut band = lit(1e-3);
        (0..20).for_each(|_| band.flow());
        let (cells, blocks) = (band.cells(), band.blocks());
        band.sweep();
        assert!(band.cells() < cells && band.blocks() < blocks);
        band.for_each(|p, t| assert!(t >= 1e-3, "{p:?} at {t}"));
        band.heat.internal_validate();
    }
}
