//! Reductions of a whole field whose result has the same bits for any number of threads.
//!
//! The pieces and the order in which they are combined follow from the topology alone: halves of halves
//! ([`Cells::split`]) down to a fixed size, whoever works on them. Within a piece a value goes to the accumulator of its
//! cell number modulo [`LANES`], so that vector instructions of any width give the same sum.

use super::cells::{Cells, Words};
use super::features::{Work, dispatch};
use super::iter::core_of;
use super::lanes::Lanes;
use crate::core::{Core, plan_of, prefetch};
use crate::element::Element;
use crate::field::Lane;
use crate::layout::{Level, Planned};
use std::ops::ControlFlow;

/// Cells, active or not, below which a piece is not split: some ten microseconds of work.
const PIECE: u64 = 1 << 14;
/// How many nodes ahead values are asked for, word by word: nodes follow each other in memory as they were made.
const AHEAD: usize = 4;
/// Active cells of a word from which on those of the next nodes are expected to be many, too: where there are few, most of what
/// came would be for nothing.
const MANY: u32 = 16;
/// Accumulators of one piece: enough additions in flight for any processor, in two to eight registers.
const LANES: usize = 16;

/// Halves the cells down to pieces and combines what they come to, always in the same order.
fn halved<L: Level, R: Send>(
    cells: Cells<'_, L>,
    piece: &(impl Fn(Cells<'_, L>) -> R + Sync),
    combine: &(impl Fn(R, R) -> R + Sync),
) -> R {
    match cells.split() {
        (all, None) => piece(all),
        (a, Some(b)) => {
            let (a, b) = rayon::join(|| halved(a, piece, combine), || halved(b, piece, combine));
            combine(a, b)
        }
    }
}

/// Folds the items of pieces, and combines the pieces' results.
pub(super) fn fold<L: Level, V: Lanes<Level = L>, R: Send>(
    lanes: V,
    identity: impl Fn() -> R + Sync,
    fold: impl Fn(R, (L::Point, V::Item)) -> R + Sync,
    combine: impl Fn(R, R) -> R + Sync,
) -> R {
    let piece = |cells: Cells<'_, L>| dispatch(Fold { lanes, cells, init: identity(), fold: &fold });
    halved(Cells::<L>::all(core_of(&lanes)).at_least(PIECE), &piece, &combine)
}

struct Fold<'a, 'f, L: Level, V, R, F> {
    lanes: V,
    cells: Cells<'a, L>,
    init: R,
    fold: &'f F,
}

impl<L: Level, V: Lanes<Level = L>, R, F: Fn(R, (L::Point, V::Item)) -> R> Work for Fold<'_, '_, L, V, R, F> {
    type Output = R;

    #[inline(always)]
    fn run(self) -> R {
        let folded = self.cells.try_fold(self.init, |acc, p, node, cell| {
            // SAFETY: an active cell of a live node; pieces are disjoint and each is folded once.
            ControlFlow::Continue((self.fold)(acc, (p, unsafe { self.lanes.item(node, cell) })))
        });
        match folded {
            ControlFlow::Break(acc) | ControlFlow::Continue(acc) => acc,
        }
    }
}

/// How values are taken together. `one` and `merge` are inlined into vector code: keep them to a few operations.
pub(crate) trait Reduction<T>: Copy + Send + Sync {
    type Total: Copy + Send + Sync;
    /// Whether zeroes change nothing, so that inactive cells may be taken in where the background is zero.
    const IGNORES_ZERO: bool;
    fn none(self) -> Self::Total;
    fn one(self, total: Self::Total, value: T) -> Self::Total;
    fn merge(self, a: Self::Total, b: Self::Total) -> Self::Total;
}

/// Reduces the active values of a field.
pub(crate) fn reduce<L: Level, T: Element, K: Reduction<T>>(lane: Lane<'_, L, T>, kernel: K) -> K::Total {
    let core: &Core<L::Layout> = lane.core;
    let whole = K::IGNORES_ZERO && core.backgrounds().is_zero(lane.field);
    let piece = |cells: Cells<'_, L>| dispatch(Reduce { lane, cells, kernel, whole });
    halved(Cells::<L>::all(core).at_least(PIECE), &piece, &|a, b| kernel.merge(a, b))
}

struct Reduce<'a, 'c, L: Level, T, K> {
    lane: Lane<'a, L, T>,
    cells: Cells<'c, L>,
    kernel: K,
    /// Inactive cells of a word that has active ones are taken in.
    whole: bool,
}

impl<L: Level, T: Element, K: Reduction<T>> Work for Reduce<'_, '_, L, T, K> {
    type Output = K::Total;

    #[inline(always)]
    fn run(self) -> K::Total {
        let (kernel, lane) = (self.kernel, self.lane);
        let mut totals = [kernel.none(); LANES];
        let plan = plan_of::<L>(lane.core);
        let dense = plan.grain == 1 && !plan.clipped && plan.per_node.is_multiple_of(64) && lane.is_packed();
        if dense {
            let mut words = Words::new(self.cells);
            while words.next() {
                let (node, from, to, mut bits) = words.span();
                if (self.whole || bits.count_ones() >= MANY)
                    && let Some(ahead) = words.ahead(AHEAD)
                {
                    let first = lane.nth(ahead, from).cast_const().cast::<u8>();
                    (0..64 * size_of::<T>()).step_by(64).for_each(|line| prefetch(first.wrapping_add(line)));
                }
                if bits == u64::MAX || self.whole {
                    let values = lane.nth(node, from).cast_const();
                    let mut chunk = 0;
                    while chunk < to - from {
                        for (i, total) in totals.iter_mut().enumerate() {
                            // SAFETY: cells `from..to` of a live node stand side by side (`is_packed`), initialised and
                            // borrowed for reading; spans are multiples of 64 cells.
                            *total = kernel.one(*total, unsafe { *values.wrapping_add(chunk as usize + i) });
                        }
                        chunk += LANES as u64;
                    }
                } else {
                    while bits != 0 {
                        let i = bits.trailing_zeros();
                        bits &= bits - 1;
                        let total = &mut totals[i as usize % LANES];
                        // SAFETY: an active cell of a live node.
                        *total = kernel.one(*total, unsafe { *lane.nth(node, from + u64::from(i)) });
                    }
                }
            }
        } else {
            let folded = self.cells.try_fold((), |(), _, node, cell| {
                let total = &mut totals[cell as usize % LANES];
                // SAFETY: an active cell of a live node, borrowed for reading.
                *total = kernel.one(*total, unsafe { *lane.nth(node, cell) });
                ControlFlow::Continue(())
            });
            debug_assert!(folded.is_continue());
        }
        let mut left = LANES;
        while left > 1 {
            left /= 2;
            for i in 0..left {
                totals[i] = kernel.merge(totals[i], totals[i + left]);
            }
        }
        totals[0]
    }
}

impl<L: Level> Words<'_, L> {
    /// The current word's node, cells and bits; where cells have no bits, the node's cells and ones.
    #[inline(always)]
    fn span(&mut self) -> (u32, u64, u64, u64) {
        if const { L::PLAN.mask_step == 0 } {
            let (node, from, to) = self.node_cells();
            (node, from, to, u64::MAX)
        } else {
            let (node, word, bits) = self.take_word();
            (node, word * 64, word * 64 + 64, bits)
        }
    }
}
