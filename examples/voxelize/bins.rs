//! Which triangles come near which blocks.

use std::ops::Range;

use rayon::prelude::*;

use crate::distance::Frame;
use crate::mesh::dot;

/// Edge of a block in cells.
const EDGE: i32 = 8;

/// The blocks that triangles come near, ascending by x, then y, then z, each with its triangles.
#[derive(Debug)]
pub(crate) struct Bins {
    /// First cell of each block.
    pub(crate) origins: Vec<[i32; 3]>,
    starts: Vec<usize>,
    triangles: Vec<u32>,
}

impl Bins {
    /// Lists for each block every triangle with a place less than `reach` cells from one of its cells, and few others.
    ///
    /// Cost: time and memory go with the number of (block, triangle) pairs, plus a sort of them.
    ///
    /// # Panics
    /// If the box around the triangles has 2^32 blocks or more.
    pub(crate) fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]], reach: f64) -> Self {
        let frame = |corners: &[u32; 3]| Frame::new(corners.map(|i| vertices[i as usize]));
        let all = triangles.par_iter().map(|corners| block_range(corners.map(|i| vertices[i as usize]), reach)).reduce(
            || [(i32::MAX, i32::MIN); 3],
            |a, b| [0, 1, 2].map(|axis| (a[axis].0.min(b[axis].0), a[axis].1.max(b[axis].1))),
        );
        let size = all.map(|(first, last)| i64::from(last) - i64::from(first) + 1);
        assert!(size.iter().product::<i64>() < 1 << 32, "blocks are numbered with 32 bits");

        // A pair is one number: the block's in the box, then the triangle's. Sorted, they are the lists.
        let mut pairs: Vec<u64> = triangles
            .par_iter()
            .enumerate()
            .fold(Vec::new, |mut pairs, (id, corners)| {
                for_each_block(&frame(corners), reach, |block| {
                    let at = [0, 1, 2].map(|axis| i64::from(block[axis]) - i64::from(all[axis].0));
                    let number = ((at[0] * size[1] + at[1]) * size[2] + at[2]) as u64;
                    pairs.push(number << 32 | id as u64);
                });
                pairs
            })
            .reduce(Vec::new, |mut a, mut b| {
                a.append(&mut b);
                a
            });
        pairs.par_sort_unstable();

        let mut origins = Vec::new();
        let mut starts = Vec::new();
        let mut start = 0;
        for block in pairs.chunk_by(|a, b| a >> 32 == b >> 32) {
            let number = (block[0] >> 32) as i64;
            let at = [number / (size[1] * size[2]), number / size[2] % size[1], number % size[2]];
            origins.push([0, 1, 2].map(|axis| (all[axis].0 + at[axis] as i32) * EDGE));
            starts.push(start);
            start += block.len();
        }
        starts.push(start);
        Self { origins, starts, triangles: pairs.par_iter().map(|&pair| pair as u32).collect() }
    }

    /// The triangles near block number `block`.
    pub(crate) fn triangles(&self, block: usize) -> &[u32] {
        &self.triangles[self.starts[block]..self.starts[block + 1]]
    }
}

/// First and last block along each axis that the box around a triangle, grown by `reach`, touches.
fn block_range(corners: [[f64; 3]; 3], reach: f64) -> [(i32, i32); 3] {
    [0, 1, 2].map(|axis| {
        let [a, b, c] = corners.map(|p| p[axis]);
        let first = (a.min(b).min(c) - reach).ceil() as i32;
        let last = (a.max(b).max(c) + reach).floor() as i32;
        (first.div_euclid(EDGE), last.div_euclid(EDGE))
    })
}

/// A half space in which a block must have a cell: `direction.(cell) <= limit`.
struct HalfSpace {
    direction: [f64; 3],
    /// Compared at the first cell of a block, so it has the largest gain within a block taken in.
    limit: f64,
}

/// Calls `visit` with the place (in blocks) of each block that has cells within `reach` of the triangle's plane, of the outer sides of
/// its edges and of its box. The blocks of a row along z come from five linear inequalities, so even a triangle that crosses
/// the whole grid costs no more than the face of its box.
fn for_each_block(frame: &Frame, reach: f64, mut visit: impl FnMut([i32; 3])) {
    let half_space = |direction: [f64; 3], from: [f64; 3]| {
        let gain: f64 = direction.iter().map(|&c| f64::from(EDGE - 1) * c.min(0.0)).sum();
        // The slack covers rounding: a block too many costs little, one too few leaves a hole.
        HalfSpace { direction, limit: reach + dot(direction, from) - gain + 1e-6 }
    };
    let [corner, ..] = frame.corners;
    let limits = [
        half_space(frame.normal, corner),
        half_space(frame.normal.map(|c| -c), corner),
        half_space(frame.outward[0], frame.corners[0]),
        half_space(frame.outward[1], frame.corners[1]),
        half_space(frame.outward[2], frame.corners[2]),
    ];
    let [xs, ys, zs] = block_range(frame.corners, reach);
    for x in xs.0..=xs.1 {
        for y in ys.0..=ys.1 {
            for z in row(&limits, f64::from(x * EDGE), f64::from(y * EDGE), zs) {
                visit([x, y, z]);
            }
        }
    }
}

/// The blocks of one row that lie in all half spaces.
fn row(limits: &[HalfSpace; 5], x: f64, y: f64, (first, last): (i32, i32)) -> Range<i32> {
    let (mut lo, mut hi) = (f64::from(first), f64::from(last));
    for half in limits {
        let left = half.limit - half.direction[0] * x - half.direction[1] * y;
        let slope = half.direction[2] * f64::from(EDGE);
        if slope.abs() > 1e-9 {
            let bound = left / slope;
            if slope > 0.0 {
                hi = hi.min(bound.floor());
            } else {
                lo = lo.max(bound.ceil());
            }
        } else if left < -1e-3 {
            return 0..0;
        }
    }
    lo as i32..hi as i32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::tests::{Random, reference};
    use crate::mesh::add;
    use std::collections::HashSet;

    /// The blocks that hold a cell within reach of the triangle, by looking at each cell of a box.
    fn by_looking(corners: [[f64; 3]; 3], reach: f64) -> HashSet<[i32; 3]> {
        let [xs, ys, zs] = block_range(corners, reach).map(|(a, b)| a * EDGE..(b + 1) * EDGE);
        let mut blocks = HashSet::new();
        for x in xs {
            for y in ys.clone() {
                for z in zs.clone() {
                    if reference(corners, [x, y, z].map(f64::from)) < reach * reach {
                        blocks.insert([x, y, z].map(|c| c.div_euclid(EDGE)));
                    }
                }
            }
        }
        blocks
    }

    #[test]
    fn no_block_is_missed_and_few_are_too_many() {
        let mut random = Random(2);
        let (mut listed, mut needed) = (0, 0);
        for round in 0..60 {
            let size = [0.5, 5.0, 25.0][round % 3];
            let shift = random.point(20.0);
            let mut corners = [0; 3].map(|_| add(random.point(size), shift));
            match round % 4 {
                0 => corners.iter_mut().for_each(|c| c[round % 3] = 4.0),
                1 => corners[1] = corners[0],
                _ => {}
            }
            let mut blocks = Vec::new();
            for_each_block(&Frame::new(corners), 3.0, |b| blocks.push(b));
            let set: HashSet<_> = blocks.iter().copied().collect();
            assert_eq!(set.len(), blocks.len());
            let expected = by_looking(corners, 3.0);
            assert!(set.is_superset(&expected), "{corners:?}");
            listed += set.len();
            needed += expected.len();
        }
        assert!(listed < needed * 3 / 2, "{listed} blocks for {needed}");
    }

    #[test]
    fn lists_ascend_and_hold_the_pairs() {
        let vertices = [[-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 40.0]];
        let triangles = [[0, 1, 2], [1, 2, 3], [0, 2, 3]];
        let bins = Bins::new(&vertices, &triangles, 2.0);
        assert!(bins.origins.is_sorted());
        let mut found = HashSet::new();
        for (block, origin) in bins.origins.iter().enumerate() {
            assert!(!bins.triangles(block).is_empty());
            assert!(bins.triangles(block).is_sorted());
            for &id in bins.triangles(block) {
                assert!(found.insert((origin.map(|c| c / EDGE), id)), "a pair twice");
            }
        }
        let mut expected = HashSet::new();
        for (id, corners) in (0..).zip(&triangles) {
            for_each_block(&Frame::new(corners.map(|i: u32| vertices[i as usize])), 2.0, |b| {
                expected.insert((b, id));
            });
        }
        assert_eq!(found, expected);
    }
}
