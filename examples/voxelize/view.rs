//! A shaded view of the surface in a level set: parallel rays, blocks without cells skipped, steps as long as the distance allows.

use rayon::prelude::*;

use crate::measure::unit_gradient;
use crate::mesh::{add, cross, dot, norm, scale};
use crate::occupancy::Occupancy;
use crate::picture::{Colour, PANEL, bytes, mix};

const EDGE: f64 = 8.0;
const SURFACE: Colour = [0.93, 0.86, 0.76];
const SKY: [Colour; 2] = [[0.83, 0.88, 0.93], [0.97, 0.97, 0.97]];
/// Rays per pixel along each direction.
const SAMPLES: usize = 2;

/// The level set as a viewer sees it: the box from cell 0 to `size`, the half width of the band in cells, and how to read it.
pub(crate) struct Scene<M> {
    pub(crate) size: [i32; 3],
    pub(crate) reach: f32,
    /// Makes a reader of distances in cells; each thread has its own, so it may remember where it was.
    pub(crate) reader: M,
    pub(crate) blocks: Occupancy,
}

/// Draws the view; `row_done` is called once for each of the [`PANEL`] rows.
pub(crate) fn draw<M, G>(scene: &Scene<M>, row_done: impl Fn() + Sync) -> Vec<[u8; 3]>
where
    M: Fn() -> G + Sync,
    G: FnMut([i32; 3]) -> Option<f32>,
{
    let camera = Camera::facing(scene.size);
    let mut pixels = vec![[0; 3]; PANEL * PANEL];
    pixels.par_chunks_mut(PANEL).enumerate().for_each(|(row, line)| {
        let mut get = (scene.reader)();
        for (column, pixel) in line.iter_mut().enumerate() {
            let mut sum = [0.0; 3];
            for sample in 0..SAMPLES * SAMPLES {
                let at = |pixel: usize, part: usize| {
                    (pixel as f64 + (part as f64 + 0.5) / SAMPLES as f64) / PANEL as f64 * 2.0 - 1.0
                };
                let (u, v) = (at(column, sample % SAMPLES), -at(row, sample / SAMPLES));
                let colour = match scene.hit(&mut get, camera.start(u, v), camera.forward) {
                    Some(point) => scene.shade(&mut get, point, &camera),
                    None => mix(SKY[1], SKY[0], (v as f32 + 1.0) / 2.0),
                };
                sum = [0, 1, 2].map(|i| sum[i] + colour[i]);
            }
            *pixel = bytes(sum.map(|c| c / (SAMPLES * SAMPLES) as f32));
        }
        row_done();
    });
    pixels
}

/// Looks a little down and from the side onto the box, y up.
struct Camera {
    centre: [f64; 3],
    right: [f64; 3],
    up: [f64; 3],
    forward: [f64; 3],
    radius: f64,
}

impl Camera {
    fn facing(size: [i32; 3]) -> Self {
        // No component of the direction is 0, so rays cross every plane of the box.
        let (yaw, pitch) = (0.5_f64, 0.3_f64);
        let forward = [-yaw.sin() * pitch.cos(), -pitch.sin(), -yaw.cos() * pitch.cos()];
        let right = cross(forward, [0.0, 1.0, 0.0]);
        let right = scale(right, 1.0 / norm(right));
        let radius = norm(size.map(f64::from)) / 2.0;
        let centre = size.map(|s| f64::from(s) / 2.0);
        Self { centre, right, up: cross(right, forward), forward, radius }
    }

    /// Where the ray through a point of the picture begins; the picture goes from -1 to 1.
    fn start(&self, u: f64, v: f64) -> [f64; 3] {
        let across = add(scale(self.right, u * self.radius), scale(self.up, v * self.radius));
        add(add(self.centre, across), scale(self.forward, -self.radius - 2.0 * EDGE))
    }
}

impl<M> Scene<M> {
    /// The first place on a ray where the distance falls to 0.
    fn hit(
        &self,
        get: &mut impl FnMut([i32; 3]) -> Option<f32>,
        start: [f64; 3],
        forward: [f64; 3],
    ) -> Option<[f64; 3]> {
        let (mut t, end) = self.through_box(start, forward);
        // The last place outside with its distance, to find the zero between it and the first one inside.
        let mut outside = (0.0, f64::INFINITY);
        while t < end {
            let p = add(start, scale(forward, t));
            let cell = p.map(|c| floor(c + 0.5));
            if !self.blocks.has_block(cell) {
                t += to_block_end(p, forward);
                continue;
            }
            // A cell's centre is at most 0.87 from the point; far from the surface that is all one needs to know.
            let coarse = get(cell).map_or(f64::from(self.reach), f64::from);
            if coarse > 1.5 {
                t += coarse - 0.9;
                continue;
            }
            let d = self.linear(get, p);
            if d <= 0.0 {
                let back = if outside.1.is_finite() { (t - outside.0) * d / (d - outside.1) } else { 0.0 };
                return Some(add(p, scale(forward, -back)));
            }
            outside = (t, d);
            t += (0.8 * d).max(0.1);
        }
        None
    }

    /// The part of a ray that passes through the box of all blocks; empty if the end is not past the start.
    fn through_box(&self, start: [f64; 3], forward: [f64; 3]) -> (f64, f64) {
        let (lo, hi) = self.blocks.bounds();
        let mut part = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            // Blocks begin and end half way between cells.
            let to = |bound: i32| (f64::from(bound) - 0.5 - start[axis]) / forward[axis];
            let (a, b) = (to(lo[axis]), to(hi[axis]));
            part = (part.0.max(a.min(b)), part.1.min(a.max(b)));
        }
        part
    }

    /// The distance between cells; beyond the band it is the band's, outside.
    fn linear(&self, get: &mut impl FnMut([i32; 3]) -> Option<f32>, p: [f64; 3]) -> f64 {
        let low = p.map(floor);
        let part = [0, 1, 2].map(|a| p[a] - f64::from(low[a]));
        let mut sum = 0.0;
        for corner in 0..8 {
            let bit = [corner >> 2, corner >> 1 & 1, corner & 1];
            let weight: f64 = (0..3).map(|a| if bit[a] == 1 { part[a] } else { 1.0 - part[a] }).product();
            let cell = [0, 1, 2].map(|a| low[a] + bit[a]);
            sum += weight * get(cell).map_or(f64::from(self.reach), f64::from);
        }
        sum
    }

    fn shade(&self, get: &mut impl FnMut([i32; 3]) -> Option<f32>, point: [f64; 3], camera: &Camera) -> Colour {
        let back = scale(camera.forward, -1.0);
        let normal = unit_gradient(point, back, |p| self.linear(get, p));
        let light = add(add(scale(camera.right, -0.45), scale(camera.up, 0.65)), scale(back, 0.62));
        let key = dot(normal, light).max(0.0);
        let sky = 0.5 + 0.5 * dot(normal, camera.up);
        let half = add(light, back);
        let gloss = (dot(normal, half) / norm(half)).max(0.0).powi(40);
        let lit = (0.18 + 0.18 * sky + 0.66 * key) as f32;
        SURFACE.map(|c| c * lit + 0.12 * gloss as f32)
    }
}

/// Without the library's `floor`, which is a call on processors taken as old.
fn floor(c: f64) -> i32 {
    let towards_zero = c as i32;
    towards_zero - i32::from(f64::from(towards_zero) > c)
}

/// How far along a ray the block around a point ends, and a little more.
fn to_block_end(p: [f64; 3], forward: [f64; 3]) -> f64 {
    let mut least = f64::INFINITY;
    for axis in 0..3 {
        // A cell's number is the nearest whole one, so blocks end half way between cells.
        let at = p[axis] + 0.5;
        let inside = at - f64::from(floor(at) & !7);
        let left = if forward[axis] > 0.0 { EDGE - inside } else { inside };
        if forward[axis] != 0.0 {
            least = least.min(left / forward[axis].abs());
        }
    }
    least + 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::sub;

    #[test]
    fn rays_meet_a_ball_where_it_is() {
        let centre = [50.0, 40.0, 45.0];
        let exact = |p: [i32; 3]| norm(sub(p.map(f64::from), centre)) - 30.0;
        let read = |p: [i32; 3]| (exact(p).abs() < 3.0).then_some(exact(p) as f32);
        let origins: Vec<_> = (0..17 * 17 * 17)
            .map(|i| [i / 289, i / 17 % 17, i % 17].map(|c| c * 8 - 8))
            .filter(|&o| (norm(sub(o.map(|c| f64::from(c) + 3.5), centre)) - 30.0).abs() < 10.0)
            .collect();
        let scene = Scene { size: [100, 80, 90], reach: 3.0, reader: || read, blocks: Occupancy::new(&origins) };
        let camera = Camera::facing(scene.size);
        let mut hits = 0;
        for i in 0..400 {
            let (u, v) = (f64::from(i % 20) / 10.0 - 0.95, f64::from(i / 20) / 10.0 - 0.95);
            let start = camera.start(u, v);
            let to_centre = sub(centre, start);
            let along = dot(to_centre, camera.forward);
            let miss = (dot(to_centre, to_centre) - along * along).sqrt();
            let found = scene.hit(&mut (scene.reader)(), start, camera.forward);
            if miss < 25.0 {
                let expected = add(start, scale(camera.forward, along - (900.0 - miss * miss).sqrt()));
                let found = found.expect("the ray meets the ball");
                assert!(norm(sub(found, expected)) < 0.05, "{found:?} {expected:?}");
                hits += 1;
            } else if miss > 30.5 {
                assert!(found.is_none());
            }
        }
        assert!(hits > 20);
    }
}
