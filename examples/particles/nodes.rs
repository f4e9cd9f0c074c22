//! The grid, what particles do to it, and a picture of it.

use sparse_layout::prelude::*;
use sparse_layout::{At, Bin, BlockBins, Halo};

use crate::cloud::Particle;
use crate::picture::{PANEL, bytes, mix};

/// Masses and momenta at the nodes.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8))]
pub(crate) struct Nodes {
    pub(crate) mass: f32,
    pub(crate) momentum: [f32; 3],
}

/// Points by block of the leaves.
pub(crate) type Bins = BlockBins<At<Nodes, 3>>;

/// The first of the three nodes that a particle reaches along one axis, and the weight of each: the quadratic B-spline
/// around the nearest node.
#[inline(always)]
fn spline(x: f32) -> (i32, [f32; 3]) {
    let nearest = floor(x + 0.5);
    let d = x - nearest as f32;
    let weights = [0.5 * (0.5 - d) * (0.5 - d), 0.75 - d * d, 0.5 * (0.5 + d) * (0.5 + d)];
    (nearest - 1, weights)
}

/// `f32::floor` is a call into the C library on processors of the baseline; this is a few instructions.
#[inline(always)]
fn floor(x: f32) -> i32 {
    let truncated = x as i32;
    truncated - i32::from(x < truncated as f32)
}

/// Sorts particles by the block of the first node that they reach.
pub(crate) fn bin(grid: &Nodes, particles: &[Particle]) -> Bins {
    let first = |particle: &Particle| particle.position.map(|x| spline(x).0);
    grid.leaf().bin_by_block(particles, first).expect("an unbounded grid")
}

/// Adds the particles' masses and momenta to the grid.
pub(crate) fn scatter(grid: &mut Nodes, bins: &Bins, particles: &[Particle]) {
    // Those of a block side by side: reading them in the order they came would miss the cache each time.
    let sorted = bins.gather(particles);
    let fill = |bin: &Bin<'_, [i32; 3]>, halo: &mut Halo<[i32; 3], [f32; 4]>| {
        for particle in &sorted[bin.range()] {
            let [(x, u), (y, v), (z, w)] = particle.position.map(spline);
            let [a, b, c] = particle.velocity;
            halo.add_window::<3>([x, y, z], |[i, j, k]| {
                let weight = u[i as usize] * v[j as usize] * w[k as usize];
                [weight, weight * a, weight * b, weight * c]
            });
        }
    };
    let merge = |cell: &mut NodesCell, [mass, a, b, c]: [f32; 4]| {
        cell.mass += mass;
        for (sum, x) in cell.momentum.iter_mut().zip([a, b, c]) {
            *sum += x;
        }
    };
    grid.par_for_each_bin(bins, 0..=2, fill, merge).expect("room for the nodes");
}

/// Mass and momentum of all nodes.
pub(crate) fn totals(grid: &Nodes) -> [f64; 4] {
    let mass = grid.mass().iter().map(|(_, m)| f64::from(m)).sum();
    grid.momentum().iter().fold([mass, 0.0, 0.0, 0.0], |mut sum, (_, momentum)| {
        for axis in 0..3 {
            sum[axis + 1] += f64::from(momentum[axis]);
        }
        sum
    })
}

/// The mass along each line of sight, seen along z.
pub(crate) fn draw(grid: &Nodes) -> Vec<[u8; 3]> {
    let Some(bounds) = grid.leaf().bounding_box() else { return vec![[0; 3]; PANEL * PANEL] };
    let [width, height] = [0, 1].map(|axis| (bounds.hi[axis] - bounds.lo[axis]) as usize);
    let mut columns = vec![0f32; width * height];
    for ([x, y, _], mass) in grid.mass().iter() {
        columns[(y - bounds.lo[1]) as usize * width + (x - bounds.lo[0]) as usize] += mass;
    }
    let most = columns.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let scale = width.max(height) as f32 / (0.94 * PANEL as f32);
    let pixel = |i: usize| {
        // The middle of the picture is the middle of the box, y upwards.
        let [px, py] = [i % PANEL, PANEL - 1 - i / PANEL].map(|p| (p as f32 + 0.5 - PANEL as f32 / 2.0) * scale);
        let (x, y) = (px + width as f32 / 2.0 - 0.5, py + height as f32 / 2.0 - 0.5);
        colour(smooth(&columns, width, height, x, y) / most)
    };
    (0..PANEL * PANEL).map(pixel).collect()
}

/// The value between four columns.
fn smooth(columns: &[f32], width: usize, height: usize, x: f32, y: f32) -> f32 {
    let at = |x: i64, y: i64| {
        let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
        if inside { columns[y as usize * width + x as usize] } else { 0.0 }
    };
    let (i, j) = (x.floor() as i64, y.floor() as i64);
    let (s, t) = (x - x.floor(), y - y.floor());
    let row = |j| at(i, j) * (1.0 - s) + at(i + 1, j) * s;
    row(j) * (1.0 - t) + row(j + 1) * t
}

/// Dark blue to white by way of orange; the square root shows thin parts too.
fn colour(density: f32) -> [u8; 3] {
    let stops = [[0.02, 0.03, 0.08], [0.10, 0.16, 0.42], [0.86, 0.42, 0.20], [1.0, 0.97, 0.88]];
    let t = density.clamp(0.0, 1.0).sqrt() * 3.0;
    let i = (t as usize).min(2);
    bytes(mix(stops[i], stops[i + 1], t - i as f32))
}
