//! Points by tile.

use super::order::{Sorted, Tiles};
use super::tiling::Tiling;
use crate::bulk::{BulkError, check_bounds};
use crate::coord::Point;
use crate::core::plan_of;
use crate::layout::Level;
use crate::level::LevelView;
use crate::plan::Plan;
use rayon::prelude::*;
use std::ops::Range;

/// Points sorted by the block of a level that they fall into: the touched blocks, and for each the indices of its points,
/// in the order in which they were given, as ranges of one permutation.
///
/// Blocks of more than 4096 cells are cut into tiles, each with a bin of its own. Made by
/// [`LevelView::bin_by_block`]. It holds for every grid of the layout with the same bounds.
pub struct BlockBins<L: Level> {
    pub(super) tiling: Tiling,
    /// The bounds it was made for.
    pub(super) lo: [i32; crate::tree::MAX_AXES],
    pub(super) tiles: Vec<L::Point>,
    origins: Vec<L::Point>,
    offsets: Vec<u32>,
    permutation: Vec<u32>,
}

impl<L: Level> std::fmt::Debug for BlockBins<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockBins").field("bins", &self.len()).field("points", &self.permutation.len()).finish()
    }
}

/// One touched block and its points.
#[derive(Clone, Debug)]
pub struct Bin<'a, P> {
    origin: P,
    items: &'a [u32],
    start: usize,
}

impl<'a, P: Point> Bin<'a, P> {
    /// The first cell of the block (or of the tile, where a block is cut).
    #[inline]
    pub fn origin(&self) -> P {
        self.origin
    }

    /// The indices of its points, ascending.
    #[inline]
    pub fn items(&self) -> &'a [u32] {
        self.items
    }

    /// Where these stand in the permutation: the place of the bin's points in what [`BlockBins::gather`] gives.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.items.len()
    }
}

impl<L: Level> LevelView<'_, L> {
    /// Sorts points by the block that the cell `coord` names for them lies in; the grid's own cells play no part. `coord` is
    /// called once for each point, from many threads (and again if one is out of bounds). The same bins result for any number of threads.
    ///
    /// # Errors
    /// If a cell is out of bounds, naming the first and how many there are; if there are more than `u32::MAX` points.
    ///
    /// # Panics
    /// If `coord` names a cell that is out of bounds, and another one when asked again.
    ///
    /// # Cost
    /// Three passes over the points; 8 bytes a point and its coordinates meanwhile.
    pub fn bin_by_block<T: Sync>(
        &self,
        points: &[T],
        coord: impl Fn(&T) -> L::Point + Sync,
    ) -> Result<BlockBins<L>, BulkError> {
        let plan = plan_of::<L>(self.core);
        let tiling = Tiling::for_level::<L>(self.core);
        let Some(tiles) = Tiles::of::<L, T>(self.core, points, &coord) else {
            let cells: Vec<L::Point> = points.par_iter().map(&coord).collect();
            check_bounds::<L>(self.core, self.name(), &cells[..])?;
            panic!("`coord` names another cell each time it is called");
        };
        let Sorted { tiles, offsets, permutation } = tiles.sort()?;
        let origins = tiles.iter().map(|tile| origin(&tiling, plan, tile)).collect();
        Ok(BlockBins { tiling, lo: plan.lo, tiles, origins, offsets, permutation })
    }
}

/// The first cell of a tile; at the lower end of `i32`, where a tile may stick out, the lowest.
fn origin<P: Point>(tiling: &Tiling, plan: &Plan, tile: &P) -> P {
    P::from_fn(|j| tiling.cells(plan, j, tiling.number(plan, j, tile.at(j))).0.max(i32::MIN.into()) as i32)
}

impl<L: Level> BlockBins<L> {
    /// The number of bins: of blocks with at least one point.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there is no bin, which is to say no point.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Where each bin starts in the permutation, then the number of points.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The indices of all points, bin by bin.
    pub fn permutation(&self) -> &[u32] {
        &self.permutation
    }

    /// Bin `i`.
    ///
    /// # Panics
    /// If there is no such bin.
    #[inline]
    pub fn bin(&self, i: usize) -> Bin<'_, L::Point> {
        let (start, end) = (self.offsets[i] as usize, self.offsets[i + 1] as usize);
        Bin { origin: self.origins[i], items: &self.permutation[start..end], start }
    }

    /// The bins in ascending order of their coordinates.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Bin<'_, L::Point>> {
        (0..self.len()).map(|i| self.bin(i))
    }

    /// The bins in parallel.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = Bin<'_, L::Point>> {
        (0..self.len()).into_par_iter().map(|i| self.bin(i))
    }

    /// The points in the order of the permutation, so that those of a bin ([`Bin::range`]) stand side by side.
    ///
    /// # Panics
    /// If there are fewer points than were binned.
    pub fn gather<T: Copy + Send + Sync>(&self, points: &[T]) -> Vec<T> {
        crate::parallel::gather(points, &self.permutation)
    }
}
