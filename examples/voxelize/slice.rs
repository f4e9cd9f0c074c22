//! A slice through the middle of a level set, square to z: the band in steps of one cell, the surface as a line.

use std::collections::VecDeque;

use crate::picture::{Colour, PANEL, bytes, mix};

const LINE: Colour = [0.05, 0.05, 0.08];
const FAR_OUTSIDE: Colour = [0.97, 0.97, 0.96];
const OUTSIDE: [Colour; 2] = [[0.22, 0.48, 0.76], [0.80, 0.89, 0.96]];
const FAR_INSIDE: Colour = [0.99, 0.93, 0.82];
const INSIDE: [Colour; 2] = [[0.87, 0.40, 0.16], [0.98, 0.82, 0.62]];

/// The cells of a slice in cell units of distance; cells outside of the band know only their side.
struct Slice {
    side: usize,
    distance: Vec<Option<f32>>,
    inside: Vec<bool>,
}

/// Draws the slice half way up the box from cell 0 to `size`. `get` is the distance in cells, `reach` half the width of the band.
pub(crate) fn draw(size: [i32; 3], reach: f32, get: impl FnMut([i32; 3]) -> Option<f32>) -> Vec<[u8; 3]> {
    let slice = Slice::read(size, reach, get);
    let scale = slice.side as f32 / PANEL as f32;
    let mut pixels = Vec::with_capacity(PANEL * PANEL);
    for row in 0..PANEL {
        for column in 0..PANEL {
            let x = (column as f32 + 0.5) * scale - 0.5;
            let y = ((PANEL - 1 - row) as f32 + 0.5) * scale - 0.5;
            pixels.push(bytes(slice.colour(x, y, scale, reach)));
        }
    }
    pixels
}

impl Slice {
    fn read(size: [i32; 3], reach: f32, mut get: impl FnMut([i32; 3]) -> Option<f32>) -> Self {
        let (side, corner) = frame(size, reach);
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| [corner[0] + x, corner[1] + y, size[2] / 2]));
        let distance: Vec<_> = cells.map(&mut get).collect();
        let side = side as usize;
        Self { side, inside: sides(side, &distance), distance }
    }

    fn colour(&self, x: f32, y: f32, scale: f32, reach: f32) -> Colour {
        let last = self.side as f32 - 1.0;
        let nearest = |c: f32| c.round().clamp(0.0, last) as usize;
        let cell = nearest(y) * self.side + nearest(x);
        let inside = self.inside[cell];
        let Some(d) = self.distance[cell] else { return if inside { FAR_INSIDE } else { FAR_OUTSIDE } };
        let [near, far] = if inside { INSIDE } else { OUTSIDE };
        let fill = mix(near, far, (d.abs().floor() / (reach - 1.0).max(1.0)).min(1.0));
        // The line is two pixels wide, however large a cell is.
        let between = self.between(x, y).unwrap_or(d);
        mix(LINE, fill, (between.abs() / scale - 0.6).clamp(0.0, 1.0))
    }

    /// Linear between the four cells around a point, if all are in the band and no sign jumps.
    fn between(&self, x: f32, y: f32) -> Option<f32> {
        if x < 0.0 || y < 0.0 {
            return None;
        }
        let (column, row) = (x as usize, y as usize);
        if column + 1 >= self.side || row + 1 >= self.side {
            return None;
        }
        let at = |dx: usize, dy: usize| self.distance[(row + dy) * self.side + column + dx];
        let corners = [at(0, 0)?, at(1, 0)?, at(0, 1)?, at(1, 1)?];
        let spread = corners.iter().fold(f32::MIN, |a, &b| a.max(b)) - corners.iter().fold(f32::MAX, |a, &b| a.min(b));
        if spread > 1.5 {
            return None;
        }
        let (u, v) = (x - column as f32, y - row as f32);
        let [a, b, c, d] = corners;
        Some((a + (b - a) * u) * (1.0 - v) + (c + (d - c) * u) * v)
    }
}

/// Side of the square of cells to draw, and its lower left cell.
fn frame(size: [i32; 3], reach: f32) -> (i32, [i32; 2]) {
    let margin = reach.ceil() as i32 + 2 + size[0].max(size[1]) / 20;
    let side = size[0].max(size[1]) + 1 + 2 * margin;
    (side, [0, 1].map(|axis| (size[axis] - side) / 2))
}

/// The side of each cell of a square: its own sign in the band, elsewhere that of the nearest cell of the band by steps.
fn sides(side: usize, distance: &[Option<f32>]) -> Vec<bool> {
    let mut inside: Vec<Option<bool>> = distance.iter().map(|d| d.map(|d| d < 0.0)).collect();
    let mut queue: VecDeque<usize> = (0..inside.len()).filter(|&i| inside[i].is_some()).collect();
    while let Some(cell) = queue.pop_front() {
        let (x, y) = (cell % side, cell / side);
        let neighbours = [
            (x > 0).then(|| cell - 1),
            (x + 1 < side).then_some(cell + 1),
            (y > 0).then(|| cell - side),
            (y + 1 < side).then_some(cell + side),
        ];
        for next in neighbours.into_iter().flatten() {
            if inside[next].is_none() {
                inside[next] = inside[cell];
                queue.push_back(next);
            }
        }
    }
    inside.into_iter().map(|side| side.unwrap_or(false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around (50, 41, 50).
    fn ball(p: [i32; 3]) -> Option<f32> {
        let [x, y, z] = p.map(|c| c as f32 - 50.0);
        let d = (x * x + (y + 9.0) * (y + 9.0) + z * z).sqrt() - 40.0;
        (d.abs() < 3.0).then_some(d)
    }

    #[test]
    fn sides_are_known_everywhere() {
        let slice = Slice::read([100, 100, 100], 3.0, ball);
        let (_, corner) = frame([100, 100, 100], 3.0);
        for (cell, &inside) in slice.inside.iter().enumerate() {
            let p = [0, 1].map(|a| corner[a] + [cell % slice.side, cell / slice.side][a] as i32);
            let r = ((p[0] - 50).pow(2) + (p[1] - 41).pow(2)) as f32;
            assert_eq!(inside, r < 1600.0, "{p:?}");
        }
    }

    #[test]
    fn a_ball_is_drawn_where_it_is() {
        let pixels = draw([100, 100, 100], 3.0, ball);
        let (side, corner) = frame([100, 100, 100], 3.0);
        // Pixel at cell (x, 41).
        let at = |x: f32| {
            let per_cell = PANEL as f32 / side as f32;
            let column = ((x - corner[0] as f32 + 0.5) * per_cell) as usize;
            let row = PANEL - 1 - ((41.0 - corner[1] as f32 + 0.5) * per_cell) as usize;
            pixels[row * PANEL + column]
        };
        assert_eq!(at(50.0), bytes(FAR_INSIDE));
        assert_eq!(at(3.0), bytes(FAR_OUTSIDE));
        assert_eq!(at(8.5), bytes(mix(OUTSIDE[0], OUTSIDE[1], 0.5)));
        assert_eq!(at(91.5), bytes(mix(OUTSIDE[0], OUTSIDE[1], 0.5)));
        assert_eq!(at(87.6), bytes(mix(INSIDE[0], INSIDE[1], 1.0)));
        assert_eq!(at(90.0), bytes(LINE));
    }
}
