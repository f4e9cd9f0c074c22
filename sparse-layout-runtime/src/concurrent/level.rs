//! A level that many threads activate.

use super::Concurrent;
use crate::coord::Coord;
use crate::core::{Core, is_active_shared, locate, reach};
use crate::error::WriteError;
use crate::layout::{Layout, Level};

/// A level of a grid that is lent to many threads: `Copy`, `Send` and `Sync`. Coordinates are those of the level's own
/// cells.
pub struct SharedLevel<'a, L: Level> {
    core: &'a Core<L::Layout>,
}

impl<L: Level> Clone for SharedLevel<'_, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level> Copy for SharedLevel<'_, L> {}

impl<L: Level> std::fmt::Debug for SharedLevel<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedLevel").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level> SharedLevel<'a, L> {
    /// What the attribute's handle calls.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(grid: Concurrent<'a, L::Layout>) -> Self {
        SharedLevel { core: grid.core }
    }

    /// The level's name.
    pub fn name(self) -> &'static str {
        L::Layout::TREE.levels[L::LEVEL].name
    }

    /// Activates a cell and the path to it; its values are the background, if it was inactive.
    ///
    /// # Errors
    /// If the cell is out of bounds, or the grid's nodes are exhausted; the cell is not active then.
    #[inline]
    pub fn activate(self, cell: impl Coord<L::Point>) -> Result<(), WriteError> {
        reach::<L>(self.core, cell.point(), || self.name()).map(drop)
    }

    /// Whether a cell exists and is active.
    #[inline]
    pub fn is_active(self, cell: impl Coord<L::Point>) -> bool {
        locate::<L>(self.core, cell.point()).is_some_and(|at| is_active_shared::<L>(self.core, &at))
    }
}
