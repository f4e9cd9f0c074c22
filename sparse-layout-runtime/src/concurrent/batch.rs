//! Writes in batches: all cells of a batch are found, and their memory asked for, before the first is written, so that
//! misses of the caches overlap.

use super::Shared;
use super::mode::{Lent, Mode, Spot};
use crate::coord::{Coord, Point};
use crate::core::{Path, exists, mask_bit_of, prefetch};
use crate::element::Element;
use crate::field::Lane;
use crate::layout::{Level, Planned};
use crate::slab::masks;
use crate::sync::shared_mask;
use crate::tree::Kind;
use std::mem::MaybeUninit;

/// Cells found ahead: some twenty misses are in flight at once on current processors.
const BATCH: usize = 32;

/// A cell to be written, and what is to be written.
#[derive(Clone, Copy)]
struct Entry<P, T> {
    /// Null: its node does not exist, or it is out of bounds.
    cell: *mut T,
    /// The word and bit of its activity; null: it is active as its node exists.
    word: *mut u64,
    bit: u64,
    point: P,
    value: T,
}

/// Not initialised: a short batch costs what it holds.
struct Batch<P, T>([MaybeUninit<Entry<P, T>>; BATCH]);

impl<P, T> Batch<P, T> {
    #[inline(always)]
    fn new() -> Self {
        Batch([const { MaybeUninit::uninit() }; BATCH])
    }
}

/// Calls `apply` with each cell, made active, and what comes with it.
#[inline(always)]
pub(super) fn apply_all<L: Level, T: Element, M: Mode, P: Coord<L::Point>>(
    shared: Shared<'_, L, T, M>,
    cells: impl IntoIterator<Item = (P, T)>,
    apply: impl Fn(*mut T, T),
) -> Result<(), M::Error> {
    apply_all_from(shared, &mut Path::new(), cells, apply)
}

/// As [`apply_all`], from where a path leads.
#[inline(always)]
pub(super) fn apply_all_from<L: Level, T: Element, M: Mode, P: Coord<L::Point>>(
    shared: Shared<'_, L, T, M>,
    path: &mut Path<L>,
    cells: impl IntoIterator<Item = (P, T)>,
    apply: impl Fn(*mut T, T),
) -> Result<(), M::Error> {
    let lane = shared.lane;
    let mut cells = cells.into_iter();
    let mut batch = Batch::new();
    loop {
        let mut n = 0;
        while n < BATCH {
            let Some((p, value)) = cells.next() else { break };
            batch.0[n].write(find(lane, path, p.point(), value));
            n += 1;
        }
        for entry in &batch.0[..n] {
            // SAFETY: the first `n` entries were just written.
            let entry = unsafe { entry.assume_init_ref() };
            apply(entry.reach::<L, M>(lane)?, entry.value);
        }
        if n < BATCH {
            return Ok(());
        }
    }
}

/// Whether a cell of a node is active as soon as one bit is set: there is one masked level in the node.
const fn has_one_mask<L: Level>() -> bool {
    let mut masks = 0;
    let mut k = L::PLAN.tail;
    while k < L::PLAN.n {
        masks += matches!(L::PLAN.steps[k].kind, Kind::Bitmasked) as usize;
        k += 1;
    }
    masks == 1
}

/// Finds a cell, and asks for its memory.
#[inline(always)]
fn find<L: Level, T: Element>(
    lane: Lane<'_, L, T>,
    path: &mut Path<L>,
    point: L::Point,
    value: T,
) -> Entry<L::Point, T> {
    let (mut cell, mut word, mut bit) = (std::ptr::null_mut(), std::ptr::null_mut(), 0);
    match path.locate_far(lane.core, point) {
        Some(at) if exists::<L>(&at) => {
            cell = lane.at(&at);
            prefetch(cell);
            if const { L::PLAN.mask_step > 0 } {
                (word, bit) = mask_bit_of::<L>(lane.core, &at);
                prefetch(word);
            }
        }
        // Another thread may make the node at any time.
        _ => path.forget_near(),
    }
    Entry { cell, word, bit, point, value }
}

impl<P: Point, T: Element> Entry<P, T> {
    /// The cell, active.
    #[inline(always)]
    fn reach<L: Level<Point = P>, M: Mode>(&self, lane: Lane<'_, L, T>) -> Result<*mut T, M::Error> {
        if self.cell.is_null() {
            return reach::<L, T, M>(lane, self.point);
        }
        if !self.word.is_null() {
            // SAFETY: the mask word of a cell of a node that exists, accessed atomically alone while the grid is shared.
            let mask = unsafe { shared_mask(self.word) };
            if !masks::is_set(mask, self.bit) {
                if const { !M::ACTIVATES || !has_one_mask::<L>() } || !lacks_summary::<L, T>(lane) {
                    return reach::<L, T, M>(lane, self.point);
                }
                masks::set_bits(mask, self.bit);
            }
        }
        Ok(self.cell)
    }
}

#[inline(always)]
fn lacks_summary<L: Level, T: Element>(lane: Lane<'_, L, T>) -> bool {
    let plan = crate::core::plan_of::<L>(lane.core);
    plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }].aux_stride == 0
}

/// The cell of a point that was not found active.
#[inline(never)]
fn reach<L: Level, T: Element, M: Mode>(lane: Lane<'_, L, T>, p: L::Point) -> Result<*mut T, M::Error> {
    let Spot(at) = M::reach::<L>(Lent(lane.core), p, || lane.name())?;
    Ok(lane.at(&at))
}
