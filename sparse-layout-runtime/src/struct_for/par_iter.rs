//! The parallel iterator.

use super::cells::Cells;
use super::features::{Work, dispatch};
use super::iter::{Iter, core_of, for_each};
use super::lanes::Lanes;
use super::reduce;
use crate::coord::Region;
use crate::layout::Level;
use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// Active cells in parallel, each with the values of the lanes; `collect` keeps the order of [`Iter`](super::Iter).
pub struct ParIter<'a, L: Level, V> {
    lanes: V,
    least: u64,
    borrow: PhantomData<fn() -> &'a L>,
}

impl<L: Level, V> std::fmt::Debug for ParIter<'_, L, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParIter").finish_non_exhaustive()
    }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> ParIter<'a, L, V> {
    pub(crate) fn new(lanes: V) -> Self {
        ParIter { lanes, least: 0, borrow: PhantomData }
    }

    /// Does not hand out pieces of fewer than about `cells` cells, counting inactive ones of the nodes visited: for
    /// loops that do so little that a block is not worth a task. By default single blocks are.
    #[must_use]
    pub fn with_min_cells(mut self, cells: usize) -> Self {
        self.least = cells as u64;
        self
    }

    /// Folds all items with the same bits for any number of threads: the cells are cut into pieces, and the pieces'
    /// results combined, in an order that follows from the topology alone. (rayon's `fold`, `reduce` and `sum` combine
    /// in an order that varies, which shows in floating-point sums.)
    ///
    /// `fold` takes the items of a piece in order, beginning with `identity()`; `combine` takes results of pieces that
    /// follow each other.
    pub fn fold_reproducibly<R: Send>(
        self,
        identity: impl Fn() -> R + Sync,
        fold: impl Fn(R, (L::Point, V::Item)) -> R + Sync,
        combine: impl Fn(R, R) -> R + Sync,
    ) -> R {
        reduce::fold(self.lanes, identity, fold, combine)
    }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> ParallelIterator for ParIter<'a, L, V>
where
    V::Item: Send,
{
    type Item = (L::Point, V::Item);

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        let cells = Cells::all(core_of(&self.lanes)).at_least(self.least);
        bridge_unindexed(Producer { lanes: self.lanes, cells }, consumer)
    }
}

/// A piece of the cells, with the lanes.
struct Producer<'a, L: Level, V> {
    lanes: V,
    cells: Cells<'a, L>,
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> UnindexedProducer for Producer<'a, L, V>
where
    V::Item: Send,
{
    type Item = (L::Point, V::Item);

    fn split(self) -> (Self, Option<Self>) {
        let lanes = self.lanes;
        let (a, b) = self.cells.split();
        (Producer { lanes, cells: a }, b.map(|cells| Producer { lanes, cells }))
    }

    fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F {
        dispatch(Feed { producer: self, folder })
    }
}

struct Feed<P, F> {
    producer: P,
    folder: F,
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a, F: Folder<(L::Point, V::Item)>> Work for Feed<Producer<'a, L, V>, F>
where
    V::Item: Send,
{
    type Output = F;

    #[inline(always)]
    fn run(self) -> F {
        let lanes = self.producer.lanes;
        let folded = self.producer.cells.try_fold(self.folder, |folder, p, node, cell| {
            // SAFETY: an active cell of a live node; producers are disjoint and each is folded once.
            let folder = folder.consume((p, unsafe { lanes.item(node, cell) }));
            if folder.full() { ControlFlow::Break(folder) } else { ControlFlow::Continue(folder) }
        });
        match folded {
            ControlFlow::Break(folder) | ControlFlow::Continue(folder) => folder,
        }
    }
}

/// The cells, piece by piece.
struct Pieces<'a, L: Level>(Cells<'a, L>);

impl<'a, L: Level> UnindexedProducer for Pieces<'a, L> {
    type Item = Cells<'a, L>;

    fn split(self) -> (Self, Option<Self>) {
        let (a, b) = self.0.split();
        (Pieces(a), b.map(Pieces))
    }

    fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F {
        folder.consume(self.0)
    }
}

impl<'a, L: Level> ParallelIterator for Pieces<'a, L> {
    type Item = Cells<'a, L>;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

/// Calls `f` with each active cell, in parallel.
pub(crate) fn par_for_each<L: Level, V: Lanes<Level = L>>(lanes: V, f: impl Fn(L::Point, V::Item) + Sync + Send) {
    Pieces(Cells::<L>::all(core_of(&lanes))).for_each(|cells| for_each(lanes, cells, &f));
}

/// Calls `f` with each active cell of a box, in parallel.
pub(crate) fn par_for_each_in<L: Level, V: Lanes<Level = L>>(
    lanes: V,
    region: Region<L::Point>,
    f: impl Fn(L::Point, V::Item) + Sync + Send,
) {
    Pieces(Cells::<L>::all(core_of(&lanes)))
        .for_each(|cells| Iter::of_cells(lanes, cells).within(region).for_each(|(p, item)| f(p, item)));
}
