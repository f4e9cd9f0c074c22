//! Writing packed fields.

use super::{PackedField, PackedLane, Packing, ReadPacked, WritePacked};
use crate::coord::{Coord, Point};
use crate::core::{Core, Loc, exists, is_active, locate, mark_active, plan_of};
use crate::error::OutOfBounds;
use crate::layout::{Layout, Level};
use crate::struct_for::{Iter, ParIter, par_for_each};
use std::marker::PhantomData;

/// What no packed field can do.
#[diagnostic::on_unimplemented(
    message = "a `split` or `bits` field cannot lend `&mut` to its values: they do not stand in memory as such",
    note = "use `par_for_each`, `modify`, or a zip: these copy the value in and out"
)]
pub trait LendsReferences {}

/// A packed field, lent exclusively; the other fields of the grid may be lent at the same time, and nobody can activate or
/// deactivate.
pub struct PackedFieldMut<'a, L: Level, S> {
    pub(crate) lane: PackedLane<'a, L, S>,
    exclusive: PhantomData<&'a mut ()>,
}

impl<L: Level, S: Packing> std::fmt::Debug for PackedFieldMut<'_, L, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackedFieldMut").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, S: Packing> PackedFieldMut<'a, L, S> {
    /// # Safety
    /// For `'a` no other view of the field exists.
    pub(crate) unsafe fn from_lane(lane: PackedLane<'a, L, S>) -> Self {
        PackedFieldMut { lane, exclusive: PhantomData }
    }

    pub(crate) fn write(&mut self) -> WritePacked<'_, L, S> {
        // SAFETY: the view is exclusive and borrowed for as long as the lane.
        unsafe { WritePacked::from_lane(self.lane) }
    }

    /// The field for reading.
    pub fn as_field(&self) -> PackedField<'_, L, S> {
        PackedField { lane: self.lane }
    }

    /// See [`PackedField::get`].
    #[inline]
    pub fn get(&self, p: impl Coord<L::Point>) -> Option<S::Value> {
        self.as_field().get(p)
    }

    /// See [`PackedField::value`].
    #[inline]
    pub fn value(&self, p: impl Coord<L::Point>) -> S::Value {
        self.as_field().value(p)
    }

    /// See [`PackedField::is_active`].
    #[inline]
    pub fn is_active(&self, p: impl Coord<L::Point>) -> bool {
        self.as_field().is_active(p)
    }

    /// See [`PackedField::iter`].
    pub fn iter(&self) -> Iter<'_, L, ReadPacked<'_, L, S>> {
        Iter::new(ReadPacked(self.lane))
    }

    /// See [`PackedField::par_iter`].
    pub fn par_iter(&self) -> ParIter<'_, L, ReadPacked<'_, L, S>> {
        ParIter::new(ReadPacked(self.lane))
    }

    /// Not to be had: see the compiler's message.
    pub fn iter_mut(&mut self)
    where
        S: LendsReferences,
    {
    }

    /// Calls `f` with the value of an active cell and writes back what it leaves; `None` where inactive or out of bounds.
    #[inline]
    pub fn modify<R>(&mut self, p: impl Coord<L::Point>, f: impl FnOnce(&mut S::Value) -> R) -> Option<R> {
        let at = locate::<L>(self.lane.core, p.point())?;
        is_active::<L>(self.lane.core, &at).then(|| modify(self.lane, &at, f))
    }

    /// The struct-for: calls `f` with a copy of the value of each active cell, in parallel, and writes back what it leaves.
    ///
    /// # Panics
    /// If `f` does; the grid stays valid.
    pub fn par_for_each(&mut self, f: impl Fn(L::Point, &mut S::Value) + Sync + Send) {
        par_for_each(self.write(), |p, mut slot| f(p, &mut *slot));
    }

    /// Sets every active cell.
    pub fn fill(&mut self, value: S::Value) {
        self.par_for_each(|_, v| *v = value);
    }
}

fn modify<L: Level, S: Packing, R>(lane: PackedLane<'_, L, S>, at: &Loc, f: impl FnOnce(&mut S::Value) -> R) -> R {
    let cell = lane.cell(at);
    // SAFETY: a located cell of a node that exists; the callers hold the field exclusively.
    let mut value = unsafe { lane.load(at.handle, cell) };
    let result = f(&mut value);
    // SAFETY: as above.
    unsafe { lane.store(at.handle, cell, value) };
    result
}

/// A packed field together with the whole grid: writing to a cell activates the path to it.
pub struct GridPackedFieldMut<'a, L: Level, S> {
    pub(in crate::field) core: &'a mut Core<L::Layout>,
    field: usize,
    packing: PhantomData<S>,
}

impl<L: Level, S: Packing> std::fmt::Debug for GridPackedFieldMut<'_, L, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GridPackedFieldMut").field("name", &self.as_field().name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, S: Packing> GridPackedFieldMut<'a, L, S> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and packing.
    #[doc(hidden)]
    pub fn new(core: &'a mut Core<L::Layout>, field: usize) -> Self {
        let _ = PackedLane::<L, S>::new(core, field);
        GridPackedFieldMut { core, field, packing: PhantomData }
    }

    /// The field for reading.
    pub fn as_field(&self) -> PackedField<'_, L, S> {
        PackedField::new(self.core, self.field)
    }

    /// The field over a frozen topology, for as long as this view is not used.
    pub fn as_mut(&mut self) -> PackedFieldMut<'_, L, S> {
        // SAFETY: this view holds the whole grid exclusively.
        unsafe { PackedFieldMut::from_lane(PackedLane::new(self.core, self.field)) }
    }

    /// Sets a cell, activating the path to it.
    ///
    /// # Panics
    /// If the cell is out of bounds, naming field, coordinates and bounds; if the grid's nodes are exhausted.
    #[inline]
    pub fn set(&mut self, p: impl Coord<L::Point>, value: S::Value) {
        self.modify(p, |v| *v = value);
    }

    /// Sets a cell, activating the path to it.
    ///
    /// # Errors
    /// If the cell is out of bounds; nothing is changed.
    ///
    /// # Panics
    /// If the grid's nodes are exhausted.
    pub fn try_set(&mut self, p: impl Coord<L::Point>, value: S::Value) -> Result<(), OutOfBounds> {
        let at = self.activated(p.point())?;
        modify(PackedLane::<L, S>::new(self.core, self.field), &at, |v| *v = value);
        Ok(())
    }

    /// Calls `f` with the value of a cell, activating the path to it, and writes back what it leaves.
    ///
    /// # Panics
    /// As [`set`](Self::set).
    #[inline]
    pub fn modify<R>(&mut self, p: impl Coord<L::Point>, f: impl FnOnce(&mut S::Value) -> R) -> R {
        let at = self.activated(p.point()).unwrap_or_else(|e| panic!("{}: {e}", L::Layout::TREE.name));
        modify(PackedLane::<L, S>::new(self.core, self.field), &at, f)
    }

    fn activated(&mut self, p: L::Point) -> Result<Loc, OutOfBounds> {
        let plan = *plan_of::<L>(self.core);
        match locate::<L>(self.core, p) {
            Some(at) if exists::<L>(&at) => {
                mark_active::<L>(self.core, &at);
                Ok(at)
            }
            Some(_) => match self.core.activate::<L>(p) {
                Ok(at) => Ok(at),
                Err(e) => panic!("{}: `{}`: {e}", L::Layout::TREE.name, self.as_field().name()),
            },
            None => Err(self.core.out_of_bounds(self.as_field().name(), &plan, p.as_slice())),
        }
    }

    /// See [`PackedField::get`].
    #[inline]
    pub fn get(&self, p: impl Coord<L::Point>) -> Option<S::Value> {
        self.as_field().get(p)
    }

    /// See [`PackedField::value`].
    #[inline]
    pub fn value(&self, p: impl Coord<L::Point>) -> S::Value {
        self.as_field().value(p)
    }

    /// See [`PackedField::is_active`].
    #[inline]
    pub fn is_active(&self, p: impl Coord<L::Point>) -> bool {
        self.as_field().is_active(p)
    }

    /// See [`PackedField::iter`].
    pub fn iter(&self) -> Iter<'_, L, ReadPacked<'_, L, S>> {
        self.as_field().iter()
    }

    /// See [`PackedField::par_iter`].
    pub fn par_iter(&self) -> ParIter<'_, L, ReadPacked<'_, L, S>> {
        self.as_field().par_iter()
    }

    /// Not to be had: see the compiler's message.
    pub fn iter_mut(&mut self)
    where
        S: LendsReferences,
    {
    }

    /// See [`PackedFieldMut::par_for_each`].
    pub fn par_for_each(&mut self, f: impl Fn(L::Point, &mut S::Value) + Sync + Send) {
        self.as_mut().par_for_each(f);
    }

    /// See [`PackedFieldMut::fill`].
    pub fn fill(&mut self, value: S::Value) {
        self.as_mut().fill(value);
    }
}
