//! Loops over the blocks of a field, for inner loops written by hand.

use super::FieldMut;
use crate::core::Raw;
use crate::element::Element;
use crate::layout::Level;
use crate::level::{Block, LevelView};
use rayon::prelude::*;

impl<L: Level, T: Element> FieldMut<'_, L, T> {
    /// Calls `f` with each block that exists and the field's values in it, by cell number, in parallel. Values written to
    /// inactive cells are lost: those return to the background.
    ///
    /// Blocks of more than a few thousand cells come in pieces, each of whole rows.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`), or if `f` does: the grid stays valid.
    pub fn par_for_each_block(&mut self, f: impl Fn(Block<'_, L>, &mut [T]) + Sync + Send) {
        let lane = self.lane;
        assert!(
            lane.cell_stride() == size_of::<T>(),
            "`{}`: values of an `aos` level do not stand side by side: use `par_for_each`",
            lane.name()
        );
        LevelView::<L>::new(lane.core).par_blocks().for_each(|block| {
            let (node, first, len) = block.range();
            let _reset = Reset { block, raw: lane.core.raw(), field: lane.field };
            // SAFETY: the block's values stand side by side, initialised; blocks are disjoint, each is visited once, and the
            // field is lent exclusively.
            f(block, unsafe { std::slice::from_raw_parts_mut(lane.nth(node, first), len as usize) });
        });
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
