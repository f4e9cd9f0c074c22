//! Reads that remember their path.

use super::{Field, Lane};
use crate::coord::Coord;
use crate::core::{Path, is_active};
use crate::element::Element;
use crate::layout::Level;

/// Reads a field, remembering the nodes on the path to where it last read: a read nearby starts at the deepest of them
/// that holds the point too, and a read in the same empty region touches no table at all.
///
/// It borrows the grid for reading, so nothing it remembers can become stale. Making one is free.
pub struct Accessor<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
    path: Path<L>,
}

impl<L: Level, T: Element> std::fmt::Debug for Accessor<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accessor").field("field", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<L: Level, T> Clone for Accessor<'_, L, T> {
    fn clone(&self) -> Self {
        Accessor { lane: self.lane, path: self.path.clone() }
    }
}

impl<'a, L: Level, T: Element> Accessor<'a, L, T> {
    #[inline(always)]
    pub(super) fn new(field: Field<'a, L, T>) -> Self {
        Accessor { lane: field.lane, path: Path::new() }
    }

    /// See [`Field::get`].
    #[inline(always)]
    pub fn get(&mut self, p: impl Coord<L::Point>) -> Option<T> {
        let at = self.path.locate(self.lane.core, p.point())?;
        // SAFETY: a located cell's value lies in the field's part and is initialised; this view's borrow keeps every
        // writer of the field away.
        if is_active::<L>(self.lane.core, &at) { Some(unsafe { *self.lane.at(&at) }) } else { None }
    }

    /// See [`Field::value`].
    #[inline(always)]
    pub fn value(&mut self, p: impl Coord<L::Point>) -> T {
        match self.path.locate(self.lane.core, p.point()) {
            // SAFETY: as in `get`.
            Some(at) => unsafe { *self.lane.at(&at) },
            None => self.lane.background(),
        }
    }

    /// See [`Field::is_active`].
    #[inline(always)]
    pub fn is_active(&mut self, p: impl Coord<L::Point>) -> bool {
        self.path.locate(self.lane.core, p.point()).is_some_and(|at| is_active::<L>(self.lane.core, &at))
    }
}
