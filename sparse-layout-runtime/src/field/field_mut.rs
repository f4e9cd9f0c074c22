//! Writing over a frozen topology.

use super::{Accessor, Field, Lane};
use crate::coord::{Coord, Region};
use crate::core::{is_active, locate};
use crate::element::Element;
use crate::layout::Level;
use crate::struct_for::{Iter, ParIter, Read, Write, par_for_each};
use std::marker::PhantomData;

/// A field, lent exclusively; the other fields of the grid may be lent at the same time, and nobody can activate or
/// deactivate.
pub struct FieldMut<'a, L: Level, T> {
    pub(crate) lane: Lane<'a, L, T>,
    exclusive: PhantomData<&'a mut T>,
}

impl<L: Level, T: Element> std::fmt::Debug for FieldMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FieldMut").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T> FieldMut<'a, L, T> {
    /// # Safety
    /// For `'a` no other view of the field exists.
    #[inline(always)]
    pub(crate) unsafe fn from_lane(lane: Lane<'a, L, T>) -> Self {
        FieldMut { lane, exclusive: PhantomData }
    }
}

impl<'a, L: Level, T: Element> FieldMut<'a, L, T> {
    /// The field for reading.
    #[inline(always)]
    pub fn as_field(&self) -> Field<'_, L, T> {
        Field { lane: self.lane }
    }

    /// A view of the same field for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> FieldMut<'_, L, T> {
        FieldMut { lane: self.lane, exclusive: PhantomData }
    }

    /// The name it was declared with.
    pub fn name(&self) -> &'static str {
        self.lane.name()
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
        Iter::new(Read(self.lane))
    }

    /// See [`Field::par_iter`].
    pub fn par_iter(&self) -> ParIter<'_, L, Read<'_, L, T>> {
        ParIter::new(Read(self.lane))
    }

    /// The value of an active cell; `None` where inactive or out of bounds.
    #[inline(always)]
    pub fn get_mut(&mut self, p: impl Coord<L::Point>) -> Option<&mut T> {
        let at = locate::<L>(self.lane.core, p.point())?;
        // SAFETY: the cell's value is initialised and lies in the field's part; this view is the only one of the field,
        // and `&mut self` makes this the only reference got from it.
        if is_active::<L>(self.lane.core, &at) { Some(unsafe { &mut *self.lane.at(&at) }) } else { None }
    }

    /// The active cells in order, to be changed.
    pub fn iter_mut(&mut self) -> Iter<'_, L, Write<'_, L, T>> {
        Iter::new(Write::new(self))
    }

    /// The active cells of a box, to be changed.
    pub fn iter_mut_in(&mut self, region: Region<L::Point>) -> impl Iterator<Item = (L::Point, &mut T)> {
        self.iter_mut().within(region)
    }

    /// The active cells in parallel, to be changed: each is handed to one thread.
    pub fn par_iter_mut(&mut self) -> ParIter<'_, L, Write<'_, L, T>> {
        ParIter::new(Write::new(self))
    }

    /// The struct-for: calls `f` with each active cell, in parallel. Each cell is handed to one thread, so loops cannot
    /// race; other fields may be read anywhere.
    ///
    /// # Panics
    /// If `f` does; the grid stays valid.
    pub fn par_for_each(&mut self, f: impl Fn(L::Point, &mut T) + Sync + Send) {
        par_for_each(Write::new(self), f);
    }

    /// Sets every active cell.
    pub fn fill(&mut self, value: T) {
        self.par_for_each(|_, v| *v = value);
    }
}

impl<'a, L: Level, T: Element> Write<'a, L, T> {
    #[inline(always)]
    pub(crate) fn new(field: &'a mut FieldMut<'_, L, T>) -> Self {
        // SAFETY: the view is exclusive and borrowed for as long as the lane.
        unsafe { Write::from_lane(field.lane) }
    }
}
