//! Loops over the blocks of a field, for inner loops written by hand.

use super::FieldMut;
use crate::core::Raw;
use crate::element::Element;
use crate::layout::Level;
use crate::level::{Block, LevelView};
use rayon::prelude::*;

/// A block with the values of one field there, lent exclusively. Values written to inactive cells are lost: when this is
/// dropped they return to the background. (If it is forgotten instead, they stay.)
pub struct BlockMut<'a, L: Level, T> {
    values: &'a mut [T],
    reset: Reset<'a, L>,
}

impl<L: Level, T: std::fmt::Debug> std::fmt::Debug for BlockMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockMut").field("block", &self.reset.block).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T> BlockMut<'a, L, T> {
    /// The block: its cells, which of them are active, and other fields there.
    pub fn block(&self) -> Block<'a, L> {
        self.reset.block
    }

    /// The field's values by cell number.
    pub fn values(&self) -> &[T] {
        self.values
    }

    /// The field's values by cell number.
    pub fn values_mut(&mut self) -> &mut [T] {
        self.values
    }
}

impl<L: Level, T: Element> FieldMut<'_, L, T> {
    /// Every block that exists, with the field's values in it, for rayon.
    ///
    /// Blocks of more than a few thousand cells come in pieces, each of whole rows.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`).
    pub fn par_blocks_mut(&mut self) -> impl ParallelIterator<Item = BlockMut<'_, L, T>> {
        let lane = self.lane;
        assert!(
            lane.cell_stride() == size_of::<T>(),
            "`{}`: values of an `aos` level do not stand side by side: use `par_for_each`",
            lane.name()
        );
        LevelView::<L>::new(lane.core).par_blocks().map(move |block| {
            let (node, first, len) = block.range();
            // SAFETY: the block's values stand side by side, initialised; blocks are disjoint, each is visited once, and the
            // field is lent exclusively.
            let values = unsafe { std::slice::from_raw_parts_mut(lane.nth(node, first), len as usize) };
            BlockMut { values, reset: Reset { block, raw: lane.core.raw(), field: lane.field } }
        })
    }

    /// Calls `f` with each block and the field's values in it: see [`par_blocks_mut`](Self::par_blocks_mut).
    ///
    /// # Panics
    /// If the level is stored as records (`aos`), or if `f` does: the grid stays valid.
    pub fn par_for_each_block(&mut self, f: impl Fn(Block<'_, L>, &mut [T]) + Sync + Send) {
        self.par_blocks_mut().for_each(|mut block| f(block.block(), block.values_mut()));
    }
}

/// Returns inactive cells of a block to the background, whatever was written there, even if the user's code panicked.
struct Reset<'a, L: Level> {
    block: Block<'a, L>,
    raw: Raw<'a>,
    field: usize,
}

impl<L: Level> Drop for Reset<'_, L> {
    fn drop(&mut self) {
        let (node, first, len) = self.block.range();
        for w in 0..len.div_ceil(64) {
            let here = u64::MAX >> (64 - (len - w * 64).min(64));
            let mut off = !self.block.mask_word(w as usize) & here;
            while off != 0 {
                let from = off.trailing_zeros();
                let run = (off >> from).trailing_ones();
                off &= u64::MAX.checked_shl(from + run).unwrap_or(0);
                let from = first + w * 64 + u64::from(from);
                self.raw.fill(self.field, node, from, from + u64::from(run));
            }
        }
    }
}
