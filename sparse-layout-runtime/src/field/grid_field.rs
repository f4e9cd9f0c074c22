//! Writing that may activate.

use super::lane::Base;
use super::{Accessor, Field, FieldMut, Lane};
use crate::concurrent::{Concurrent, Shared};
use crate::coord::{Coord, Point, Region};
use crate::core::{Core, Loc, Path, exists, is_active, locate, mark_active, plan_of};
use crate::element::Element;
use crate::error::{Exhausted, OutOfBounds};
use crate::layout::{Layout, Level};
use crate::struct_for::{Iter, ParIter, Read, Write};
use std::marker::PhantomData;

/// A field together with the whole grid: writing to a cell activates the path to it.
pub struct GridFieldMut<'a, L: Level, T> {
    pub(crate) core: &'a mut Core<L::Layout>,
    /// The field's first value; it does not move while the grid lives.
    base: Base,
    pub(crate) field: usize,
    /// The nodes on the path to the last cell that was set. No method of this view takes a node away.
    path: Path<L>,
    element: PhantomData<T>,
}

impl<L: Level, T: Element> std::fmt::Debug for GridFieldMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GridFieldMut").field("name", &self.as_field().name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T> GridFieldMut<'a, L, T> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a mut Core<L::Layout>, field: usize) -> Self {
        let base = Lane::<L, T>::new(core, field).base;
        GridFieldMut { core, base, field, path: Path::new(), element: PhantomData }
    }
}

impl<'a, L: Level, T: Element> GridFieldMut<'a, L, T> {
    /// The field for reading.
    #[inline(always)]
    pub fn as_field(&self) -> Field<'_, L, T> {
        Field { lane: self.lane() }
    }

    /// The field over a frozen topology, for as long as this view is not used.
    #[inline(always)]
    pub fn as_mut(&mut self) -> FieldMut<'_, L, T> {
        // SAFETY: this view holds the whole grid exclusively.
        unsafe { FieldMut::from_lane(self.lane()) }
    }

    /// The field for many threads, for as long as this view is not used: what `grid.concurrent()` gives for the field.
    #[inline]
    pub fn shared(&mut self) -> Shared<'_, L, T> {
        // Nodes may be made where there were none.
        self.path.forget_near();
        Shared::new(Concurrent::new(self.core), self.field)
    }

    /// Sets a cell, activating the path to it.
    ///
    /// # Panics
    /// If the cell is out of bounds, naming field, coordinates and bounds; if the grid's nodes are exhausted.
    #[inline(always)]
    pub fn set(&mut self, p: impl Coord<L::Point>, value: T) {
        *self.activated(p.point()) = value;
    }

    /// Sets a cell, activating the path to it.
    ///
    /// # Errors
    /// If the cell is out of bounds; nothing is changed.
    ///
    /// # Panics
    /// If the grid's nodes are exhausted.
    #[inline]
    pub fn try_set(&mut self, p: impl Coord<L::Point>, value: T) -> Result<(), OutOfBounds> {
        let cell = self.try_activated(p.point())?;
        *cell = value;
        Ok(())
    }

    /// Calls `f` with the value of a cell, activating the path to it: a cell that was inactive holds the background.
    ///
    /// # Panics
    /// As [`set`](Self::set).
    #[inline(always)]
    pub fn modify<R>(&mut self, p: impl Coord<L::Point>, f: impl FnOnce(&mut T) -> R) -> R {
        f(self.activated(p.point()))
    }

    #[inline(always)]
    fn activated(&mut self, p: L::Point) -> &mut T {
        let at = match self.path.locate_far(self.core, p) {
            Some(at) if exists::<L>(&at) => at,
            Some(_) => {
                self.path.forget_near();
                // A copy, so that the point itself can stay in registers.
                let point = L::Point::from_fn(|j| p.at(j));
                match self.core.activate::<L>(point) {
                    Ok(at) => at,
                    Err(e) => Self::panic_exhausted(self.field, e),
                }
            }
            None => Self::panic_out_of_bounds(self.core, self.field, L::Point::from_fn(|j| p.at(j))),
        };
        self.marked(&at)
    }

    /// The value of a located cell of a node that exists, made active.
    #[inline(always)]
    fn marked(&mut self, at: &Loc) -> &mut T {
        mark_active::<L>(self.core, at);
        // SAFETY: the cell's value is initialised and lies in the field's part; the grid is held exclusively.
        unsafe { &mut *self.lane().at(at) }
    }

    /// Sets a located cell of a node that exists.
    #[inline(always)]
    pub(super) fn put(&mut self, at: &Loc, value: T) {
        *self.marked(at) = value;
    }

    #[inline(always)]
    fn lane(&self) -> Lane<'_, L, T> {
        Lane::again(self.core, self.base, self.field)
    }

    #[inline]
    fn try_activated(&mut self, p: L::Point) -> Result<&mut T, OutOfBounds> {
        if locate::<L>(self.core, p).is_none() {
            return Err(Self::out_of_bounds(self.core, self.field, p));
        }
        Ok(self.activated(p))
    }

    // What follows takes no `self`, so that the path may stay in registers.

    #[cold]
    #[inline(never)]
    fn out_of_bounds(core: &Core<L::Layout>, field: usize, p: L::Point) -> OutOfBounds {
        core.out_of_bounds(L::Layout::TREE.fields[field].name, plan_of::<L>(core), p.as_slice())
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn panic_out_of_bounds(core: &Core<L::Layout>, field: usize, p: L::Point) -> ! {
        panic!("{}: {}", L::Layout::TREE.name, Self::out_of_bounds(core, field, p))
    }

    #[cold]
    #[inline(never)]
    fn panic_exhausted(field: usize, e: Exhausted) -> ! {
        panic!("{}: `{}`: {e}", L::Layout::TREE.name, L::Layout::TREE.fields[field].name)
    }

    /// See [`Field::get`].
    #[inline(always)]
    pub fn get(&self, p: impl Coord<L::Point>) -> Option<T> {
        self.as_field().get(p)
    }

    /// See [`Field::value`].
    #[inline(always)]
    pub fn value(&self, p: impl Coord<L::Point>) -> T {
        self.as_field().value(p)
    }

    /// See [`Field::is_active`].
    #[inline(always)]
    pub fn is_active(&self, p: impl Coord<L::Point>) -> bool {
        self.as_field().is_active(p)
    }

    /// See [`Field::accessor`].
    #[inline]
    pub fn accessor(&self) -> Accessor<'_, L, T> {
        self.as_field().accessor()
    }

    /// See [`Field::iter`].
    pub fn iter(&self) -> Iter<'_, L, Read<'_, L, T>> {
        self.as_field().iter()
    }

    /// See [`Field::par_iter`].
    pub fn par_iter(&self) -> ParIter<'_, L, Read<'_, L, T>> {
        self.as_field().par_iter()
    }

    /// See [`FieldMut::get_mut`].
    #[inline(always)]
    pub fn get_mut(&mut self, p: impl Coord<L::Point>) -> Option<&mut T> {
        let at = locate::<L>(self.core, p.point())?;
        let value = self.lane().at(&at);
        // SAFETY: as in `activated`.
        if is_active::<L>(self.core, &at) { Some(unsafe { &mut *value }) } else { None }
    }

    /// See [`FieldMut::iter_mut`].
    pub fn iter_mut(&mut self) -> Iter<'_, L, Write<'_, L, T>> {
        // SAFETY: this view holds the whole grid exclusively.
        Iter::new(unsafe { Write::from_lane(self.lane()) })
    }

    /// See [`FieldMut::iter_mut_in`].
    pub fn iter_mut_in(&mut self, region: Region<L::Point>) -> impl Iterator<Item = (L::Point, &mut T)> {
        self.iter_mut().within(region)
    }

    /// See [`FieldMut::par_iter_mut`].
    pub fn par_iter_mut(&mut self) -> ParIter<'_, L, Write<'_, L, T>> {
        // SAFETY: as in `iter_mut`.
        ParIter::new(unsafe { Write::from_lane(self.lane()) })
    }

    /// See [`FieldMut::par_for_each`].
    pub fn par_for_each(&mut self, f: impl Fn(L::Point, &mut T) + Sync + Send) {
        self.as_mut().par_for_each(f);
    }

    /// See [`FieldMut::fill`].
    pub fn fill(&mut self, value: T) {
        self.as_mut().fill(value);
    }
}
