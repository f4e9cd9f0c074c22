//! The serial iterator.

use super::cells::{Cells, Words};
use super::features::{Work, dispatch};
use super::lanes::Lanes;
use crate::coord::Region;
use crate::core::Core;
use crate::layout::Level;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// Active cells in order, each with the values of the lanes.
pub struct Iter<'a, L: Level, V> {
    lanes: V,
    words: Words<'a, L>,
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
        Iter { lanes, words: Words::new(cells), borrow: PhantomData }
    }

    /// Only the cells of a box: nodes that do not reach into it are passed over.
    pub(crate) fn within(self, region: Region<L::Point>) -> impl Iterator<Item = (L::Point, V::Item)> + use<'a, L, V> {
        Iter { words: self.words.within(region), ..self }.filter(move |(p, _)| region.contains(*p))
    }
}

/// The grid behind the lanes, for as long as they borrow it.
pub(crate) fn core_of<'a, L: Level, V: Lanes<Level = L> + 'a>(lanes: &V) -> &'a Core<L::Layout> {
    // SAFETY: loops read the topology of the grid, never a field.
    let core: *const Core<L::Layout> = unsafe { lanes.core() };
    // SAFETY: lanes hold a borrow of the grid that outlives `'a` (`V: 'a`); `core` only names it.
    unsafe { &*core }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> Iterator for Iter<'a, L, V> {
    type Item = (L::Point, V::Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (p, node, cell) = self.words.next_cell()?;
        // SAFETY: an active cell of a live node; the iterator yields each cell once.
        Some((p, unsafe { self.lanes.item(node, cell) }))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B {
        dispatch(Fold { iter: self, init, f })
    }
}

struct Fold<I, B, F> {
    iter: I,
    init: B,
    f: F,
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a, B, F: FnMut(B, (L::Point, V::Item)) -> B> Work
    for Fold<Iter<'a, L, V>, B, F>
{
    type Output = B;

    #[inline(always)]
    fn run(mut self) -> B {
        let lanes = self.iter.lanes;
        let folded = self.iter.words.try_fold(self.init, |acc, p, node, cell| {
            // SAFETY: as in `next`.
            ControlFlow::Continue((self.f)(acc, (p, unsafe { lanes.item(node, cell) })))
        });
        match folded {
            ControlFlow::Break(acc) | ControlFlow::Continue(acc) => acc,
        }
    }
}

impl<'a, L: Level, V: Lanes<Level = L> + 'a> std::iter::FusedIterator for Iter<'a, L, V> {}

/// Calls `f` with each active cell of a piece.
pub(crate) fn for_each<L: Level, V: Lanes<Level = L>>(lanes: V, cells: Cells<'_, L>, f: &impl Fn(L::Point, V::Item)) {
    dispatch(ForEach { lanes, cells, f });
}

struct ForEach<'a, 'f, L: Level, V, F> {
    lanes: V,
    cells: Cells<'a, L>,
    f: &'f F,
}

impl<L: Level, V: Lanes<Level = L>, F: Fn(L::Point, V::Item)> Work for ForEach<'_, '_, L, V, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let done = self.cells.try_fold((), |(), p, node, cell| {
            // SAFETY: an active cell of a live node; pieces are disjoint and each is visited once.
            (self.f)(p, unsafe { self.lanes.item(node, cell) });
            ControlFlow::Continue(())
        });
        debug_assert!(done.is_continue());
    }
}
