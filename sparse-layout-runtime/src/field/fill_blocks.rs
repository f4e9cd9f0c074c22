//! Building block by block: many threads fill the blocks of one field, values and activity.

use super::{GridFieldMut, Lane};
use crate::coord::{Coord, Point};
use crate::core::{Raw, bit_range, decode, locate, node_base, plan_of};
use crate::element::Element;
use crate::layout::{Layout, Level, Planned};
use crate::plan::Plan;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A block of a level: its node and its number there.
type BlockId = (u32, u64);

impl<L: Level, T: Element> GridFieldMut<'_, L, T> {
    /// Makes the blocks that hold the named cells and hands each to one thread, with the origin of the block, its
    /// values by cell number, and its activity, bit `i` of word `i / 64` for cell `i`. What `fill` leaves in the mask
    /// becomes the block's activity; inactive cells return to the background. A block named twice is filled once.
    ///
    /// Levels without activity bits of their own pass a mask of ones; changes to it mean nothing.
    ///
    /// The same grid results for any number of threads.
    ///
    /// # Panics
    /// If a cell is out of bounds (before anything is filled), if the grid's nodes are exhausted, or if `fill` does: the
    /// grid stays valid.
    pub fn fill_blocks<P: Coord<L::Point>>(
        &mut self,
        cells: impl IntoIterator<Item = P>,
        fill: impl Fn(L::Point, &mut [T], &mut [u64]) + Sync + Send,
    ) {
        self.fill_blocks_init(cells, || (), |(), origin, values, mask| fill(origin, values, mask));
    }

    /// As [`fill_blocks`](Self::fill_blocks), with something that `init` makes, at least once per thread, for `fill` to
    /// work with.
    pub fn fill_blocks_init<P: Coord<L::Point>, S>(
        &mut self,
        cells: impl IntoIterator<Item = P>,
        init: impl Fn() -> S + Sync + Send,
        fill: impl Fn(&mut S, L::Point, &mut [T], &mut [u64]) + Sync + Send,
    ) {
        let blocks = self.make_blocks(cells);
        let (core, field) = (&*self.core, self.field);
        let plan = plan_of::<L>(core);
        let lane = Lane::<L, T>::new(core, field);
        let gone = has_levels_below::<L>().then(Mutex::default);
        let gone = gone.as_ref();
        let filling = AssertUnwindSafe(|| {
            blocks.par_iter().for_each_init(
                || (init(), Vec::new(), Vec::new()),
                |(state, mask, copy), &(node, number)| {
                    let block = Filling { raw: core.raw(), plan, field, node, number, gone };
                    block.read_mask(mask);
                    let old = mask.clone();
                    let origin = decode::<L>(plan, node_base::<L>(core, node), number * plan.block);
                    let values = lane.nth(node, number * plan.block);
                    let len = plan.block as usize;
                    let finish = Finish { block: &block, mask: old };
                    if lane.cell_stride() == size_of::<T>() {
                        // SAFETY: the block's values stand side by side; the grid is held exclusively by the caller, blocks
                        // are disjoint, and each is handed out once (`make_blocks` leaves no block twice).
                        fill(state, origin, unsafe { std::slice::from_raw_parts_mut(values, len) }, mask);
                    } else {
                        let at = |i: usize| values.wrapping_byte_add(i * lane.cell_stride());
                        copy.clear();
                        // SAFETY: as above, one value at a time.
                        copy.extend((0..len).map(|i| unsafe { *at(i) }));
                        fill(state, origin, copy, mask);
                        for (i, v) in copy.iter().enumerate() {
                            // SAFETY: as above.
                            unsafe { *at(i) = *v };
                        }
                    }
                    block.leave_out_missing(mask);
                    finish.with(mask);
                },
            )
        });
        // Whatever the user's code does, what it left is put in order.
        let done = catch_unwind(filling);
        let gone = gone
            .map_or_else(Vec::new, |gone| std::mem::take(&mut *gone.lock().unwrap_or_else(PoisonError::into_inner)));
        let mut raw = self.core.raw_mut();
        for (node, cell) in gone {
            raw.reset_cell(L::LEVEL, node, cell);
        }
        raw.summarise(L::LEVEL, blocks.iter().map(|b| b.0));
        if let Err(panic) = done {
            resume_unwind(panic);
        }
    }

    /// The blocks of the named cells, made where they did not exist; sorted, each once.
    fn make_blocks<P: Coord<L::Point>>(&mut self, cells: impl IntoIterator<Item = P>) -> Vec<BlockId> {
        let plan = *plan_of::<L>(self.core);
        let above = plan.n - usize::from(plan.tail < plan.n);
        self.core.touch();
        let mut blocks = Vec::new();
        for p in cells {
            let p = p.point();
            match locate::<L>(self.core, p) {
                None => panic!(
                    "{}: {}",
                    L::Layout::TREE.name,
                    self.core.out_of_bounds(self.as_field().name(), &plan, p.as_slice())
                ),
                Some(at) => match self.core.raw().activate_steps(&plan, above, p.as_slice()) {
                    Ok(made) => blocks.push((made.handle, at.outer)),
                    Err(e) => panic!("{}: {e}", L::Layout::TREE.name),
                },
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }
}

/// A block that is being filled by one thread.
struct Filling<'a> {
    raw: Raw<'a>,
    plan: &'a Plan,
    /// The field that is lent.
    field: usize,
    node: u32,
    number: u64,
    /// Where cells that were turned off are noted, if levels lie below them: node and cell.
    gone: Option<&'a Mutex<Vec<(u32, u64)>>>,
}

/// Whether something of the grid lies below the cells of a level.
fn has_levels_below<L: Level>() -> bool {
    L::Layout::TREE.levels.iter().any(|l| l.parent == L::LEVEL)
}

impl Filling<'_> {
    /// The part of the mask that holds the block's bits, if cells have bits of their own.
    fn mask_part(&self) -> Option<usize> {
        let step = self.plan.mask_step.checked_sub(1)?;
        (step + 1 == self.plan.n).then(|| self.plan.steps[step].main)
    }

    fn read_mask(&self, mask: &mut Vec<u64>) {
        let cells = self.plan.block;
        mask.clear();
        mask.resize(cells.div_ceil(64) as usize, 0);
        for i in 0..cells {
            if self.is_on(self.number * cells + i) {
                mask[(i / 64) as usize] |= 1 << (i % 64);
            }
        }
    }

    /// Takes the bits of cells out that lie past the bounds.
    fn leave_out_missing(&self, mask: &mut [u64]) {
        if self.plan.clipped {
            let exists = |i: u64| self.raw.exists(self.plan, self.node, self.number * self.plan.block + i);
            (0..self.plan.block).filter(|i| !exists(*i)).for_each(|i| mask[(i / 64) as usize] &= !(1 << (i % 64)));
        }
    }

    fn is_on(&self, cell: u64) -> bool {
        let Some(part) = self.mask_part() else { return true };
        // SAFETY: the mask word of a cell of a live node; other threads change other bits of it, atomically.
        let word = unsafe { AtomicU64::from_ptr(self.raw.word(part, self.node, cell / 64)) };
        word.load(Relaxed) >> (cell % 64) & 1 != 0
    }

    /// Writes the bits, and the background to every cell that is off.
    fn finish(&self, mask: &[u64]) {
        let Some(part) = self.mask_part() else { return };
        let first = self.number * self.plan.block;
        let bits_of = |cell: u64| mask[(cell / 64) as usize] >> (cell % 64);
        for (w, range) in bit_range(first, first + self.plan.block) {
            let low = w * 64;
            // The block's bits at the places they have in this word.
            let mut bits = if low >= first { bits_of(low - first) } else { bits_of(0) << (first - low) };
            let next = (low.max(first) - first) / 64 + 1;
            let shift = low.saturating_sub(first) % 64;
            if shift != 0 && (next as usize) < mask.len() {
                bits |= mask[next as usize] << (64 - shift);
            }
            bits &= range;
            // SAFETY: as in `is_on`.
            let word = unsafe { AtomicU64::from_ptr(self.raw.word(part, self.node, w)) };
            let old = word.load(Relaxed);
            word.fetch_and(bits | !range, Relaxed);
            word.fetch_or(bits, Relaxed);
            let off = old & !bits & range;
            self.reset(w, !bits & range, off);
            if let (Some(gone), true) = (self.gone, off != 0) {
                let cells = (0..64).filter(|i| off >> i & 1 != 0).map(|i| (self.node, low + i));
                gone.lock().unwrap_or_else(PoisonError::into_inner).extend(cells);
            }
        }
    }

    /// Resets cells of word `w`: in the field that was lent those of `lent`, which may have been written to; in every
    /// field those of `off`, which were active before.
    fn reset(&self, w: u64, lent: u64, off: u64) {
        let fields = self.raw.meta.tree.fields;
        for f in (0..fields.len()).filter(|&f| fields[f].level == self.plan.level) {
            let mut left = if f == self.field { lent | off } else { off };
            while left != 0 {
                let from = left.trailing_zeros();
                let len = (left >> from).trailing_ones();
                left &= u64::MAX.checked_shl(from + len).unwrap_or(0);
                let from = w * 64 + u64::from(from);
                self.raw.fill(f, self.node, from, from + u64::from(len));
            }
        }
    }
}

/// Finishes a block with the mask it had, should the user's code panic.
struct Finish<'a> {
    block: &'a Filling<'a>,
    mask: Vec<u64>,
}

impl Finish<'_> {
    fn with(mut self, mask: &[u64]) {
        self.mask.copy_from_slice(mask);
    }
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.block.finish(&self.mask);
    }
}

impl<L: Level, T: Element> GridFieldMut<'_, L, T> {
    /// Whether cells of the level have bits of their own: then [`fill_blocks`](Self::fill_blocks) decides which are on.
    pub fn has_mask(&self) -> bool {
        const { L::PLAN.mask_step != 0 && L::PLAN.mask_step == L::PLAN.n }
    }
}
