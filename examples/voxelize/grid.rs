//! The sparse grid that holds the band: the one module that knows how cells are stored.

use indicatif::ProgressBar;
use sparse_layout::Accessor;
use sparse_layout::prelude::*;

use crate::band::{Band, Scratch};
use crate::measure::{jumps_of_cell, smoothed_cell, volume_of_cell};

/// A narrow-band level set on a VDB-like tree: unbounded, 16^3 * 16^3 * 8^3.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > leaf: bitmasked(8))]
#[derive(Debug)]
pub(crate) struct Surface {
    /// Signed distance in units of the mesh.
    pub(crate) distance: f32,
    /// What the current sweep makes of it.
    pub(crate) smoothed: f32,
}

/// Signed distances in units of the mesh, for the cells of a narrow band.
#[derive(Debug)]
pub(crate) struct LevelSet {
    grid: Surface,
    voxel_size: f32,
}

impl LevelSet {
    /// Fills all blocks that the band touches, in parallel.
    pub(crate) fn build(band: &Band<'_>, voxel_size: f64, progress: &ProgressBar) -> Self {
        let background = (band.reach() * voxel_size) as f32;
        let grid = Surface::builder().background("distance", background).build();
        let mut grid = grid.unwrap_or_else(|e| panic!("{e}"));
        grid.distance_mut().fill_blocks_init(band.origins(), Scratch::new, |scratch, origin, values, mask| {
            let mask = mask.try_into().expect("8 words for 512 cells");
            band.fill(origin, values, mask, scratch);
            progress.inc(1);
        });
        Self { grid, voxel_size: voxel_size as f32 }
    }

    pub(crate) fn describe(&self) -> String {
        self.grid.describe()
    }

    pub(crate) fn blocks(&self) -> usize {
        self.origins().len()
    }

    pub(crate) fn cells(&self) -> usize {
        self.grid.count() as usize
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.grid.memory().total() as usize
    }

    /// Smooths every cell of the band once.
    pub(crate) fn smooth(&mut self) {
        let mut f = self.grid.fields_mut();
        (&mut f.smoothed, &f.distance).par_for_each(|p, (s, d)| *s = smoothed_cell(p, d, |q| f.distance.get(q)));
        (&mut f.distance, &f.smoothed).par_for_each(|_, (d, s)| *d = s);
    }

    /// Enclosed volume in units of the mesh.
    pub(crate) fn volume(&self) -> f64 {
        let distance = self.grid.distance();
        let cells: f64 = distance.par_iter().map(|(p, d)| volume_of_cell(p, d, |q| distance.get(q))).sum();
        cells * f64::from(self.voxel_size).powi(3)
    }

    /// Pairs of neighbours between which the sign jumps.
    pub(crate) fn jumps(&self) -> usize {
        let distance = self.grid.distance();
        distance.par_iter().map(|(p, d)| jumps_of_cell(p, d, self.voxel_size, |q| distance.get(q))).sum()
    }

    /// The distance at a cell, None outside of the band.
    #[cfg(test)]
    pub(crate) fn distance(&self, p: [i32; 3]) -> Option<f32> {
        self.grid.distance().get(p)
    }

    /// A reader of distances in cells.
    pub(crate) fn reader(&self) -> impl FnMut([i32; 3]) -> Option<f32> {
        let per_cell = 1.0 / self.voxel_size;
        let mut accessor: Accessor<'_, _, f32> = self.grid.distance().accessor();
        move |p| accessor.get(p).map(|d| d * per_cell)
    }

    /// First cells of the blocks that hold active cells.
    pub(crate) fn origins(&self) -> Vec<[i32; 3]> {
        self.grid.leaf().blocks().filter(|b| b.count() > 0).map(|b| b.origin()).collect()
    }

    #[cfg(test)]
    pub(crate) fn internal_validate(&self) {
        self.grid.internal_validate();
    }
}
