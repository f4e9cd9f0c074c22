//! Loops over the blocks of one field or several, for inner loops written by hand.

use super::features::{Work, dispatch};
use super::iter::core_of;
use super::lanes::{Lanes, Read, Write};
use crate::core::{EIGHT, blend};
use crate::element::Element;
use crate::layout::Level;
use crate::level::{Block, LevelView};
use rayon::prelude::*;

/// Lanes whose values in a block stand side by side.
///
/// # Safety
/// As for [`Lanes`]: what `slices` hands out of a block is lent once, for as long as the lanes are borrowed.
pub unsafe trait BlockLanes: Lanes {
    /// The values in a block: `&[T]` or `&mut [T]`, or a tuple of them.
    type Slices<'s>;

    /// # Panics
    /// If values do not stand side by side.
    #[doc(hidden)]
    fn assert_side_by_side(&self);

    /// # Safety
    /// The cells are `len` of one block of a live node, lent to nobody else, and `assert_side_by_side` has returned.
    #[doc(hidden)]
    unsafe fn slices<'s>(&self, node: u32, first: u64, len: u64) -> Self::Slices<'s>;

    /// Returns those of the `len` cells from `first` on whose bit is off to the background, where values may have been written.
    /// There are at most 64.
    ///
    /// # Safety
    /// The cells are of one block of a live node and lent to nobody, and `assert_side_by_side` has returned.
    #[doc(hidden)]
    unsafe fn reset(&self, node: u32, first: u64, len: usize, on: u64);
}

// SAFETY: shared slices of a field that is borrowed for reading.
unsafe impl<L: Level, T: Element> BlockLanes for Read<'_, L, T> {
    type Slices<'s> = &'s [T];

    fn assert_side_by_side(&self) {
        self.0.assert_side_by_side();
    }

    #[inline(always)]
    unsafe fn slices<'s>(&self, node: u32, first: u64, len: u64) -> &'s [T] {
        // SAFETY: the block's values stand side by side, initialised and borrowed for reading.
        unsafe { std::slice::from_raw_parts(self.0.nth(node, first), len as usize) }
    }

    unsafe fn reset(&self, _node: u32, _first: u64, _len: usize, _on: u64) {}
}

// SAFETY: the field is reached through this alone (`from_lane`), blocks are disjoint, and each is lent once.
unsafe impl<L: Level, T: Element> BlockLanes for Write<'_, L, T> {
    type Slices<'s> = &'s mut [T];

    fn assert_side_by_side(&self) {
        self.lane().assert_side_by_side();
    }

    #[inline(always)]
    unsafe fn slices<'s>(&self, node: u32, first: u64, len: u64) -> &'s mut [T] {
        // SAFETY: the block's values stand side by side, initialised and lent to the caller alone.
        unsafe { std::slice::from_raw_parts_mut(self.lane().nth(node, first), len as usize) }
    }

    #[inline]
    unsafe fn reset(&self, node: u32, first: u64, len: usize, on: u64) {
        let values = self.lane().nth(node, first);
        let background = [self.lane().background(); EIGHT];
        for i in (0..len).step_by(EIGHT) {
            let off = !(on >> i);
            let n = EIGHT.min(len - i);
            if n == EIGHT {
                // SAFETY: eight of the cells, whose values stand side by side; elements have no padding.
                unsafe { blend(background.as_ptr(), values.add(i), off) };
            } else {
                for k in (0..n).filter(|k| off >> k & 1 != 0) {
                    // SAFETY: one of the cells.
                    unsafe { *values.add(i + k) = background[0] };
                }
            }
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $i:tt),*))*) => { $(
        // SAFETY: each part keeps the contract for its own field; that two parts are not the same field follows from
        // their borrows.
        unsafe impl<A: BlockLanes, $($name: BlockLanes<Level = A::Level>),*> BlockLanes for (A, $($name),*) {
            type Slices<'s>
                = (A::Slices<'s>, $($name::Slices<'s>),*);

            fn assert_side_by_side(&self) {
                self.0.assert_side_by_side();
                $(self.$i.assert_side_by_side();)*
            }

            #[inline(always)]
            unsafe fn slices<'s>(&self, node: u32, first: u64, len: u64) -> Self::Slices<'s> {
                // SAFETY: passed on.
                unsafe { (self.0.slices(node, first, len), $(self.$i.slices(node, first, len)),*) }
            }

            #[inline]
            unsafe fn reset(&self, node: u32, first: u64, len: usize, on: u64) {
                // SAFETY: passed on.
                unsafe { self.0.reset(node, first, len, on) };
                // SAFETY: passed on.
                $( unsafe { self.$i.reset(node, first, len, on) }; )*
            }
        }
    )* };
}
tuples! {
    (B 1)
    (B 1, C 2)
    (B 1, C 2, D 3)
    (B 1, C 2, D 3, E 4)
    (B 1, C 2, D 3, E 4, F 5)
    (B 1, C 2, D 3, E 4, F 5, G 6)
    (B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// A block with the values of one field or several there, lent as the loop's views say. Values written to inactive cells
/// are lost: when this is dropped, even by a panic, they return to the background. (If it is forgotten instead, they stay.)
pub struct BlockMut<'a, V: BlockLanes> {
    block: Block<'a, V::Level>,
    lanes: V,
}

impl<V: BlockLanes> std::fmt::Debug for BlockMut<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockMut").field("block", &self.block).finish_non_exhaustive()
    }
}

impl<'a, V: BlockLanes> BlockMut<'a, V> {
    /// The block: its cells, which of them are active, and other fields there.
    pub fn block(&self) -> Block<'a, V::Level> {
        self.block
    }

    /// The values by cell number: a slice for a view, a tuple of slices for a tuple of views.
    #[inline]
    pub fn values_mut(&mut self) -> V::Slices<'_> {
        let (node, first, len) = self.block.range();
        // SAFETY: the block exists, is handed out once (`par_blocks_mut`), and this is borrowed exclusively;
        // `par_blocks_mut` has asked whether values stand side by side.
        unsafe { self.lanes.slices(node, first, len) }
    }
}

impl<V: BlockLanes> Drop for BlockMut<'_, V> {
    #[inline]
    fn drop(&mut self) {
        let (node, first, len) = self.block.range();
        for w in 0..len.div_ceil(64) {
            let here = (len - w * 64).min(64);
            let on = self.block.mask_word(w as usize);
            if on != u64::MAX >> (64 - here) {
                // SAFETY: cells of this block, which nobody else has; the slices are gone, and `par_blocks_mut` has asked whether
                // values stand side by side.
                unsafe { self.lanes.reset(node, first + w * 64, here as usize, on) };
            }
        }
    }
}

/// Every block that exists, with the lanes' values in it.
///
/// # Panics
/// If values of the level do not stand side by side.
pub(crate) fn par_blocks_mut<'a, V: BlockLanes + 'a>(lanes: V) -> impl ParallelIterator<Item = BlockMut<'a, V>> {
    lanes.assert_side_by_side();
    LevelView::<'a, V::Level>::new(core_of(&lanes)).par_blocks().map(move |block| BlockMut { block, lanes })
}

/// Calls `f` with each block and the lanes' values in it.
pub(crate) fn par_for_each_block<V: BlockLanes>(
    lanes: V,
    f: impl Fn(Block<'_, V::Level>, V::Slices<'_>) + Sync + Send,
) {
    par_blocks_mut(lanes).for_each(|block| dispatch(Lend { block, f: &f }));
}

/// The user's code for one block.
struct Lend<'a, 'f, V: BlockLanes, F> {
    block: BlockMut<'a, V>,
    f: &'f F,
}

impl<V: BlockLanes, F: Fn(Block<'_, V::Level>, V::Slices<'_>)> Work for Lend<'_, '_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        (self.f)(self.block.block(), self.block.values_mut());
    }
}
