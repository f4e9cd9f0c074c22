//! The narrow band: signed distances of all cells near the surface, block by block.

use rayon::prelude::*;

use crate::bins::Bins;
use crate::conflicts::settle;
use crate::distance::{BlockKernel, CELLS, Frame, NONE};
use crate::edges::Seams;
use crate::mesh::Mesh;
use crate::sides::Sides;

/// A mesh made ready to fill blocks with distances: cell (0, 0, 0) lies at the lowest corner of its bounding box.
#[derive(Debug)]
pub(crate) struct Band<'a> {
    triangles: &'a [[u32; 3]],
    /// In cells.
    vertices: Vec<[f64; 3]>,
    sides: Sides,
    bins: Bins,
    voxel_size: f64,
    /// Half the width of the band, in cells.
    reach: f64,
}

/// What [`Band::fill`] needs beside its result; make one per thread and use it again.
#[derive(Debug)]
pub(crate) struct Scratch {
    frames: Vec<Frame>,
    squared: [f32; CELLS],
    nearest: [u32; CELLS],
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { frames: Vec::new(), squared: [0.0; CELLS], nearest: [NONE; CELLS] }
    }
}

impl<'a> Band<'a> {
    /// Finds out which blocks the band touches and which triangles each of them needs. `reach` is in cells.
    pub(crate) fn new(mesh: &'a Mesh, voxel_size: f64, reach: f64) -> Self {
        let origin = mesh.bounds().0.map(f64::from);
        let to_cells = |v: &[f32; 3]| [0, 1, 2].map(|a| (f64::from(v[a]) - origin[a]) / voxel_size);
        let vertices: Vec<_> = mesh.vertices().par_iter().map(to_cells).collect();
        let triangles = mesh.triangles();
        let (sides, bins) = rayon::join(|| Sides::new(&vertices, triangles), || Bins::new(&vertices, triangles, reach));
        Self { triangles, vertices, sides, bins, voxel_size, reach }
    }

    /// First cells of the blocks that the band touches, ascending by x, then y, then z. A few of them may turn out empty.
    pub(crate) fn origins(&self) -> &[[i32; 3]] {
        &self.bins.origins
    }

    /// Half the width of the band, in cells.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    pub(crate) fn seams(&self) -> Seams {
        self.sides.seams()
    }

    /// Writes the signed distances, in units of the mesh and negative inside, of all cells in the block at `origin` that are less than
    /// `reach` from the surface, and sets their bits in `mask`; returns how many there are. Cell number: `x << 6 | y << 3 | z`
    /// within the block. Other values stay as they are, other bits are cleared.
    ///
    /// The distance is that to the nearest of all triangles of the mesh, within a ten-thousandth of a cell.
    ///
    /// # Panics
    /// If `values` does not hold one block.
    pub(crate) fn fill(
        &self,
        origin: [i32; 3],
        values: &mut [f32],
        mask: &mut [u64; 8],
        scratch: &mut Scratch,
    ) -> usize {
        assert_eq!(values.len(), CELLS, "one value for each cell of a block");
        *mask = [0; 8];
        let Ok(block) = self.bins.origins.binary_search(&origin) else { return 0 };
        let list = self.bins.triangles(block);
        let first = origin.map(f64::from);
        let Scratch { frames, squared, nearest } = scratch;
        frames.clear();
        squared.fill((self.reach * self.reach) as f32);
        nearest.fill(NONE);
        for (id, &triangle) in (0..).zip(list) {
            let frame = Frame::new(self.triangles[triangle as usize].map(|i| self.vertices[i as usize]));
            let [a, b, c] = [0, 1, 2].map(|i| frame.corners[i][0] - first[0]);
            let lo = (a.min(b).min(c) - self.reach).max(0.0) as usize;
            let hi = (a.max(b).max(c) + self.reach).min(7.0) as usize;
            BlockKernel::new(&frame, first).lower(lo..=hi, self.reach as f32, id, squared, nearest);
            frames.push(frame);
        }
        let point = |cell: usize| {
            let place = [cell >> 6, cell >> 3 & 7, cell & 7];
            [0, 1, 2].map(|axis| first[axis] + place[axis] as f64)
        };
        let mut count = 0;
        for (x, word) in mask.iter_mut().enumerate() {
            for low in 0..64 {
                let cell = x << 6 | low;
                let id = nearest[cell];
                if id == NONE {
                    continue;
                }
                // The triangle is known; its exact place gives the value in double precision and the side.
                let point = point(cell);
                let (frame, face) = (&frames[id as usize], list[id as usize] as usize);
                let near = frame.nearest(point);
                let distance = near.squared.sqrt() * self.voxel_size;
                let inside = self.sides.is_inside(point, face, self.triangles[face], frame, &near);
                values[cell] = if inside { -distance } else { distance } as f32;
                *word |= 1 << low;
                count += 1;
            }
        }
        if self.sides.can_settle() {
            settle(values, mask, self.voxel_size as f32, |cell| self.sides.winds_around(point(cell)));
        }
        count
    }
}
