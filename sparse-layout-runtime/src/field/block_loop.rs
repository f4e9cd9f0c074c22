//! Loops over the blocks of a field.

use super::FieldMut;
use crate::element::Element;
use crate::layout::Level;
use crate::level::Block;
use crate::struct_for::{BlockMut, Write, par_blocks_mut, par_for_each_block};
use rayon::prelude::*;

impl<L: Level, T: Element> FieldMut<'_, L, T> {
    /// Every block that exists, with the field's values in it, for rayon. Tuples of views have it too: see
    /// [`Zip::par_blocks_mut`](crate::Zip::par_blocks_mut).
    ///
    /// Blocks of more than a few thousand cells come in pieces, each of whole rows.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`).
    pub fn par_blocks_mut<'a>(&'a mut self) -> impl ParallelIterator<Item = BlockMut<'a, Write<'a, L, T>>> {
        par_blocks_mut(Write::new(self))
    }

    /// Calls `f` with each block and the field's values in it: see [`par_blocks_mut`](Self::par_blocks_mut).
    ///
    /// # Panics
    /// If the level is stored as records (`aos`), or if `f` does: the grid stays valid.
    pub fn par_for_each_block(&mut self, f: impl Fn(Block<'_, L>, &mut [T]) + Sync + Send) {
        par_for_each_block(Write::new(self), f);
    }
}
