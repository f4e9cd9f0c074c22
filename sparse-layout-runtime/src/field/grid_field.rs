//! Writing that may activate.

use super::{Accessor, Field, FieldMut, Lane};
use crate::coord::{Coord, Point, Region};
use crate::core::{Core, exists, is_active, locate, mark_active, plan_of};
use crate::element::Element;
use crate::error::{Exhausted, OutOfBounds};
use crate::layout::{Layout, Level};
use crate::struct_for::{Iter, ParIter, Read, Write};
use std::marker::PhantomData;

/// A field together with the whole grid: writing to a cell activates the path to it.
pub struct GridFieldMut<'a, L: Level, T> {
    pub(crate) core: &'a mut Core<L::Layout>,
    pub(crate) field: usize,
    element: PhantomData<T>,
}

impl<L: Level, T: Element> std::fmt::Debug for GridFieldMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GridFieldMut").field("name", &self.as_field().name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T: Element> GridFieldMut<'a, L, T> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a mut Core<L::Layout>, field: usize) -> Self {
        let _ = Lane::<L, T>::new(core, field);
        GridFieldMut { core, field, element: PhantomData }
    }

    /// The field for reading.
    #[inline(always)]
    pub fn as_field(&self) -> Field<'_, L, T> {
        Field::new(self.core, self.field)
    }

    /// The field over a frozen topology, for as long as this view is not used.
    #[inline(always)]
    pub fn as_mut(&mut self) -> FieldMut<'_, L, T> {
        // SAFETY: this view holds the whole grid exclusively.
        unsafe { FieldMut::from_lane(Lane::new(self.core, self.field)) }
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

    /// Sets many cells, activating the paths to them. A cell that comes twice keeps the last value.
    ///
    /// # Panics
    /// As [`set`](Self::set), at the first cell that is out of bounds.
    pub fn extend<P: Coord<L::Point>>(&mut self, cells: impl IntoIterator<Item = (P, T)>) {
        for (p, value) in cells {
            self.set(p, value);
        }
    }

    #[inline(always)]
    fn activated(&mut self, p: L::Point) -> &mut T {
        match locate::<L>(self.core, p) {
            Some(at) if exists::<L>(&at) => {
                mark_active::<L>(self.core, &at);
                // SAFETY: the cell's value is initialised and lies in the field's part; the grid is held exclusively.
                unsafe { &mut *Lane::<L, T>::new(self.core, self.field).at(&at) }
            }
            Some(_) => self.activated_cold(p),
            None => self.panic_out_of_bounds(p),
        }
    }

    #[inline]
    fn try_activated(&mut self, p: L::Point) -> Result<&mut T, OutOfBounds> {
        if locate::<L>(self.core, p).is_none() {
            return Err(self.out_of_bounds(p));
        }
        Ok(self.activated(p))
    }

    #[cold]
    #[inline(never)]
    fn activated_cold(&mut self, p: L::Point) -> &mut T {
        let plan = *plan_of::<L>(self.core);
        let at = match self.core.activate(&plan, p.as_slice()) {
            Ok(at) => at,
            Err(e) => self.panic_exhausted(e),
        };
        // SAFETY: as in `activated`.
        unsafe { &mut *Lane::<L, T>::new(self.core, self.field).at(&at) }
    }

    #[cold]
    #[inline(never)]
    fn out_of_bounds(&self, p: L::Point) -> OutOfBounds {
        self.core.out_of_bounds(self.as_field().name(), plan_of::<L>(self.core), p.as_slice())
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn panic_out_of_bounds(&self, p: L::Point) -> ! {
        panic!("{}: {}", L::Layout::TREE.name, self.out_of_bounds(p))
    }

    #[cold]
    #[inline(never)]
    fn panic_exhausted(&self, e: Exhausted) -> ! {
        panic!("{}: `{}`: {e}", L::Layout::TREE.name, self.as_field().name())
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
        let value = Lane::<L, T>::new(self.core, self.field).at(&at);
        // SAFETY: as in `activated`.
        if is_active::<L>(self.core, &at) { Some(unsafe { &mut *value }) } else { None }
    }

    /// See [`FieldMut::iter_mut`].
    pub fn iter_mut(&mut self) -> Iter<'_, L, Write<'_, L, T>> {
        // SAFETY: this view holds the whole grid exclusively.
        Iter::new(unsafe { Write::from_lane(Lane::new(self.core, self.field)) })
    }

    /// See [`FieldMut::iter_mut_in`].
    pub fn iter_mut_in(&mut self, region: Region<L::Point>) -> impl Iterator<Item = (L::Point, &mut T)> {
        self.iter_mut().within(region)
    }

    /// See [`FieldMut::par_iter_mut`].
    pub fn par_iter_mut(&mut self) -> ParIter<'_, L, Write<'_, L, T>> {
        // SAFETY: as in `iter_mut`.
        ParIter::new(unsafe { Write::from_lane(Lane::new(self.core, self.field)) })
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
