//! The sparse grid that holds the band: the one module that knows how cells are stored.

use std::collections::HashMap;

use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::band::{Band, Scratch};
use crate::distance::CELLS;
use crate::measure::{jumps_of_cell, smoothed_cell, volume_of_cell};

/// Signed distances in units of the mesh, for the cells of a narrow band.
#[derive(Debug)]
pub(crate) struct LevelSet {
    blocks: Vec<Block>,
    index: HashMap<[i32; 3], u32>,
    voxel_size: f32,
}

#[derive(Debug)]
struct Block {
    origin: [i32; 3],
    mask: [u64; 8],
    values: Box<[f32; CELLS]>,
}

impl Block {
    fn get(&self, p: [i32; 3]) -> Option<f32> {
        let [x, y, z] = p.map(|c| (c & 7) as usize);
        let cell = x << 6 | y << 3 | z;
        (self.mask[x] >> (cell & 63) & 1 == 1).then(|| self.values[cell])
    }

    fn cells(&self) -> impl Iterator<Item = (usize, [i32; 3])> {
        (0..CELLS).filter(|i| self.mask[i >> 6] >> (i & 63) & 1 == 1).map(|i| {
            let [x, y, z] = self.origin;
            (i, [x + (i >> 6) as i32, y + (i >> 3 & 7) as i32, z + (i & 7) as i32])
        })
    }
}

impl LevelSet {
    /// Fills all blocks that the band touches, in parallel.
    pub(crate) fn build(band: &Band<'_>, voxel_size: f64, progress: &ProgressBar) -> Self {
        let background = (band.reach() * voxel_size) as f32;
        let blocks: Vec<Block> = band
            .origins()
            .par_chunks(64)
            .flat_map_iter(|origins| {
                let mut scratch = Scratch::new();
                let fill = |&origin: &[i32; 3]| {
                    let mut block = Block { origin, mask: [0; 8], values: Box::new([background; CELLS]) };
                    band.fill(origin, &mut block.values[..], &mut block.mask, &mut scratch);
                    block
                };
                let blocks: Vec<_> = origins.iter().map(fill).collect();
                progress.inc(origins.len() as u64);
                blocks
            })
            .filter(|block| block.mask != [0; 8])
            .collect();
        let index = (0..).zip(&blocks).map(|(i, block)| (block.origin, i)).collect();
        Self { blocks, index, voxel_size: voxel_size as f32 }
    }

    pub(crate) fn describe(&self) -> String {
        String::from("hash map of 8 x 8 x 8 blocks, one f32")
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn cells(&self) -> usize {
        self.blocks.par_iter().map(|b| b.mask.iter().map(|w| w.count_ones() as usize).sum::<usize>()).sum()
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.blocks.len() * (size_of::<Block>() + size_of::<[f32; CELLS]>())
            + self.index.capacity() * (size_of::<([i32; 3], u32)>() + 1)
    }

    /// Smooths every cell of the band once.
    pub(crate) fn smooth(&mut self) {
        let smoothed: Vec<_> = self
            .blocks
            .par_iter()
            .map(|block| {
                let mut values = block.values.clone();
                for (i, p) in block.cells() {
                    values[i] = smoothed_cell(p, block.values[i], |q| self.distance(q));
                }
                values
            })
            .collect();
        for (block, values) in self.blocks.iter_mut().zip(smoothed) {
            block.values = values;
        }
    }

    /// Enclosed volume in units of the mesh.
    pub(crate) fn volume(&self) -> f64 {
        let cells: f64 = self
            .blocks
            .par_iter()
            .map(|b| b.cells().map(|(i, p)| volume_of_cell(p, b.values[i], |q| self.distance(q))).sum::<f64>())
            .sum();
        cells * f64::from(self.voxel_size).powi(3)
    }

    /// Pairs of neighbours between which the sign jumps.
    pub(crate) fn jumps(&self) -> usize {
        self.blocks
            .par_iter()
            .map(|b| {
                b.cells()
                    .map(|(i, p)| jumps_of_cell(p, b.values[i], self.voxel_size, |q| self.distance(q)))
                    .sum::<usize>()
            })
            .sum()
    }

    /// The distance at a cell, None outside of the band.
    pub(crate) fn distance(&self, p: [i32; 3]) -> Option<f32> {
        self.blocks[*self.index.get(&p.map(|c| c & !7))? as usize].get(p)
    }

    /// A reader of distances in cells.
    pub(crate) fn reader(&self) -> impl FnMut([i32; 3]) -> Option<f32> {
        let per_cell = 1.0 / self.voxel_size;
        let mut last: Option<&Block> = None;
        move |p| {
            let origin = p.map(|c| c & !7);
            if last.is_none_or(|block| block.origin != origin) {
                last = Some(&self.blocks[*self.index.get(&origin)? as usize]);
            }
            last?.get(p).map(|d| d * per_cell)
        }
    }

    /// First cells of the blocks.
    pub(crate) fn origins(&self) -> Vec<[i32; 3]> {
        self.blocks.iter().map(|block| block.origin).collect()
    }
}
