//! Reading packed fields.

use super::{PackedLane, Packing, ReadPacked};
use crate::coord::Coord;
use crate::core::{Core, is_active, locate};
use crate::layout::Level;
use crate::struct_for::{Iter, ParIter};

/// A packed field, to be read. `Copy`; any number of threads may hold one.
pub struct PackedField<'a, L: Level, S> {
    pub(crate) lane: PackedLane<'a, L, S>,
}

impl<L: Level, S> Clone for PackedField<'_, L, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, S> Copy for PackedField<'_, L, S> {}

impl<L: Level, S: Packing> std::fmt::Debug for PackedField<'_, L, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackedField").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, S: Packing> PackedField<'a, L, S> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and packing.
    #[doc(hidden)]
    pub fn new(core: &'a Core<L::Layout>, field: usize) -> Self {
        PackedField { lane: PackedLane::new(core, field) }
    }

    /// The name it was declared with.
    pub fn name(&self) -> &'static str {
        self.lane.name()
    }

    /// What inactive cells read as.
    pub fn background(&self) -> S::Value {
        self.lane.background()
    }

    /// The value of an active cell; `None` where inactive or out of bounds. Any coordinates are fine.
    #[inline]
    pub fn get(&self, p: impl Coord<L::Point>) -> Option<S::Value> {
        let at = locate::<L>(self.lane.core, p.point())?;
        if !is_active::<L>(self.lane.core, &at) {
            return None;
        }
        // SAFETY: a located cell; this view's borrow keeps every writer of the field away.
        Some(unsafe { self.lane.load(at.handle, self.lane.cell(&at)) })
    }

    /// The value of an active cell; the background where inactive or out of bounds. Any coordinates are fine.
    #[inline]
    pub fn value(&self, p: impl Coord<L::Point>) -> S::Value {
        match locate::<L>(self.lane.core, p.point()) {
            // SAFETY: as in `get`; inactive cells hold the background.
            Some(at) => unsafe { self.lane.load(at.handle, self.lane.cell(&at)) },
            None => self.lane.background(),
        }
    }

    /// Whether the cell exists and is active.
    #[inline]
    pub fn is_active(&self, p: impl Coord<L::Point>) -> bool {
        locate::<L>(self.lane.core, p.point()).is_some_and(|at| is_active::<L>(self.lane.core, &at))
    }

    /// The active cells in order.
    pub fn iter(&self) -> Iter<'a, L, ReadPacked<'a, L, S>> {
        Iter::new(ReadPacked(self.lane))
    }

    /// The active cells in parallel; `collect` keeps the order of [`iter`](Self::iter).
    pub fn par_iter(&self) -> ParIter<'a, L, ReadPacked<'a, L, S>> {
        ParIter::new(ReadPacked(self.lane))
    }
}
