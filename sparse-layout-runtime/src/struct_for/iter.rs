//! The serial iterator.

use super::cells::{Cells, Run, Runs};
use super::lanes::Lanes;
use crate::coord::Region;
use crate::core::Core;
use crate::layout::Level;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// Active cells in order, each with the values of the lanes.
pub struct Iter<'a, L: Level, V> {
    lanes: V,
    runs: Runs<'a, L>,
    run: Option<Run<'a, L>>,
    borrow: PhantomData<&'a Core<L::Layout>>,
}

impl<L: Level, V> std::fmt::Debug for Iter<'_, L, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Iter").finish_non_exhaustive()
    }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> Iter<'a, L, V> {
    pub(crate) fn new(lanes: V) -> Self {
        Self::of_cells(lanes, Cells::all(core_of(&lanes)))
    }

    /// The caller makes one iterator per cell.
    pub(crate) fn of_cells(lanes: V, cells: Cells<'a, L>) -> Self {
        Iter { lanes, runs: Runs::new(cells), run: None, borrow: PhantomData }
    }

    /// Only the cells of a box.
    pub(crate) fn within(self, region: Region<L::Point>) -> impl Iterator<Item = (L::Point, V::Item)> + use<'a, L, V> {
        self.filter(move |(p, _)| region.contains(*p))
    }
}

/// The grid behind the lanes, for as long as they borrow it.
pub(crate) fn core_of<'a, L: Level, V: Lanes<Level = L> + 'a>(lanes: &V) -> &'a Core<L::Layout> {
    let core: *const Core<L::Layout> = lanes.core();
    // SAFETY: lanes hold a borrow of the grid that outlives `'a` (`V: 'a`); `core` only names it.
    unsafe { &*core }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> Iterator for Iter<'a, L, V> {
    type Item = (L::Point, V::Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(run) = &mut self.run {
                while run.from < run.to {
                    let cell = run.from;
                    run.from += 1;
                    if let Some(p) = run.point(cell) {
                        // SAFETY: an active cell of a live node; the iterator yields each cell once.
                        return Some((p, unsafe { self.lanes.item(run.node, cell) }));
                    }
                }
            }
            self.run = Some(self.runs.next()?);
        }
    }

    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut f: F) -> B {
        let mut acc = init;
        let mut current = self.run.take();
        loop {
            if let Some(run) = &current {
                for cell in run.from..run.to {
                    if let Some(p) = run.point(cell) {
                        // SAFETY: as in `next`.
                        acc = f(acc, (p, unsafe { self.lanes.item(run.node, cell) }));
                    }
                }
            }
            match self.runs.next() {
                Some(run) => current = Some(run),
                None => return acc,
            }
        }
    }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> std::iter::FusedIterator for Iter<'a, L, V> {}

/// Calls `f` with each active cell of a piece.
#[inline(always)]
pub(crate) fn for_each<L: Level, V: Lanes<Level = L>>(lanes: V, cells: Cells<'_, L>, f: &impl Fn(L::Point, V::Item)) {
    let done = cells.try_fold((), |(), p, node, cell| {
        // SAFETY: an active cell of a live node; pieces are disjoint and each is visited once.
        f(p, unsafe { lanes.item(node, cell) });
        ControlFlow::Continue(())
    });
    debug_assert!(done.is_continue());
}
