//! Activity of many cells at once.

use super::error::BulkError;
use super::fill::{Replace, write_many};
use crate::coord::Coord;
use crate::core::Core;
use crate::layout::{Layout, Level};
use crate::level::{LevelMut, LevelView};
use rayon::prelude::*;

impl<L: Level> LevelMut<'_, L> {
    /// Activates many cells and the paths to them, in parallel.
    ///
    /// # Panics
    /// If a cell is out of bounds, naming the first and how many there are: then nothing is changed. If the grid's nodes are
    /// exhausted. See [`try_activate_all`](Self::try_activate_all) for an error instead.
    pub fn activate_all<P: Coord<L::Point>>(&mut self, cells: impl IntoIterator<Item = P>) {
        let cells: Vec<L::Point> = cells.into_iter().map(Coord::point).collect();
        if let Err(e) = self.try_activate_all(&cells) {
            panic!("{}: {e}", L::Layout::TREE.name);
        }
    }

    /// As [`activate_all`](Self::activate_all), from a slice.
    ///
    /// # Errors
    /// If a cell is out of bounds: then nothing is changed. If the grid's nodes are exhausted.
    pub fn try_activate_all(&mut self, cells: &[L::Point]) -> Result<(), BulkError> {
        activate_many::<L>(self.core, cells)
    }
}

/// Activates many cells.
pub(super) fn activate_many<L: Level>(core: &mut Core<L::Layout>, cells: &[L::Point]) -> Result<(), BulkError> {
    let name = LevelView::<L>::new(core).name();
    write_many::<L, ()>(core, name, cells, |_| (), |_| (), &Replace)
}

impl<L: Level> LevelView<'_, L> {
    /// The active cells as a list, in the order of [`iter`](Self::iter). Cost: what is active, in parallel.
    pub fn to_coords(&self) -> Vec<L::Point> {
        self.par_iter().collect()
    }
}
