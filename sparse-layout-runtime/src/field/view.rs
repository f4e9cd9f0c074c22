//! Reading.

use super::{Accessor, Lane};
use crate::coord::{Coord, Region};
use crate::core::{Core, is_active, locate};
use crate::element::Element;
use crate::layout::Level;
use crate::struct_for::{Iter, ParIter, Read};

/// A field, to be read. `Copy`; any number of threads may hold one.
pub struct Field<'a, L: Level, T> {
    pub(crate) lane: Lane<'a, L, T>,
}

impl<L: Level, T> Clone for Field<'_, L, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T> Copy for Field<'_, L, T> {}

impl<L: Level, T: Element> std::fmt::Debug for Field<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T> Field<'a, L, T> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a Core<L::Layout>, field: usize) -> Self {
        Field { lane: Lane::new(core, field) }
    }
}

impl<'a, L: Level, T: Element> Field<'a, L, T> {
    /// The name it was declared with.
    pub fn name(&self) -> &'static str {
        self.lane.name()
    }

    /// What inactive cells read as.
    #[inline]
    pub fn background(&self) -> T {
        self.lane.background()
    }

    /// The value of an active cell; `None` where inactive or out of bounds. Any coordinates are fine.
    #[inline(always)]
    pub fn get(&self, p: impl Coord<L::Point>) -> Option<T> {
        let at = locate::<L>(self.lane.core, p.point())?;
        // SAFETY: as in `value`. (Not through `get_ref`: whether its reference is null would be tested once more.)
        if is_active::<L>(self.lane.core, &at) { Some(unsafe { *self.lane.at(&at) }) } else { None }
    }

    /// The value of an active cell; the background where inactive or out of bounds. Any coordinates are fine.
    ///
    /// Cheaper than [`get`](Self::get): inactive cells hold the background, so nothing is tested.
    #[inline(always)]
    pub fn value(&self, p: impl Coord<L::Point>) -> T {
        match locate::<L>(self.lane.core, p.point()) {
            // SAFETY: a located cell's value lies in the field's part and is initialised; this view's borrow keeps
            // every writer of the field away.
            Some(at) => unsafe { *self.lane.at(&at) },
            None => self.lane.background(),
        }
    }

    /// The value of an active cell, by reference.
    #[inline(always)]
    pub fn get_ref(&self, p: impl Coord<L::Point>) -> Option<&'a T> {
        let at = locate::<L>(self.lane.core, p.point())?;
        // SAFETY: as in `value`; the reference lives as long as the borrow of the grid.
        if is_active::<L>(self.lane.core, &at) { Some(unsafe { &*self.lane.at(&at) }) } else { None }
    }

    /// Whether the cell exists and is active.
    #[inline(always)]
    pub fn is_active(&self, p: impl Coord<L::Point>) -> bool {
        locate::<L>(self.lane.core, p.point()).is_some_and(|at| is_active::<L>(self.lane.core, &at))
    }

    /// Remembers the path to where it last read: for reads near each other.
    #[inline]
    pub fn accessor(&self) -> Accessor<'a, L, T> {
        Accessor::new(*self)
    }

    /// The active cells in order: by cell number level by level, below a hash level by key.
    pub fn iter(&self) -> Iter<'a, L, Read<'a, L, T>> {
        Iter::new(Read(self.lane))
    }

    /// The active cells in parallel; `collect` keeps the order of [`iter`](Self::iter).
    pub fn par_iter(&self) -> ParIter<'a, L, Read<'a, L, T>> {
        ParIter::new(Read(self.lane))
    }

    /// The active cells of a box, in the order of [`iter`](Self::iter).
    pub fn iter_in(&self, region: Region<L::Point>) -> impl Iterator<Item = (L::Point, T)> + use<'a, L, T> {
        self.iter().within(region)
    }

    /// The values of every cell in the order of cell numbers, if the path to the field is dense from the root, cells
    /// are evenly spaced and none of them is out of bounds.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let plan = crate::core::plan_of::<L>(self.lane.core);
        let dense = plan.node_kind == 0 && plan.mask_step == 0 && !plan.clipped;
        if !dense || self.lane.cell_stride() != size_of::<T>() || plan.per_node != plan.block.max(1) && !self.is_even()
        {
            return None;
        }
        // SAFETY: the root's node holds `per_node` values side by side, initialised, and borrowed for reading.
        Some(unsafe { std::slice::from_raw_parts(self.lane.nth(0, 0), plan.per_node as usize) })
    }

    fn is_even(&self) -> bool {
        crate::layout::Stride::<L, T>::EVEN
    }
}
