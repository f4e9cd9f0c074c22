//! Where the values of a field stand in the grid's raw bytes.

use super::Field;
use crate::coord::Coord;
use crate::core::{exists, locate};
use crate::element::Element;
use crate::layout::{Layout, Level};

impl<L: Level, T: Element> Field<'_, L, T> {
    /// The byte at which the value of a cell begins in [`Grid::raw_bytes`](crate::Grid::raw_bytes) of the field; None: out of
    /// bounds, or no memory has been allocated for the cell. A cell that is inactive may have memory: it holds the background.
    ///
    /// Valid until cells are activated or deactivated.
    #[inline]
    pub fn offset(&self, p: impl Coord<L::Point>) -> Option<usize> {
        let at = locate::<L>(self.lane.core, p.point())?;
        let part = self.lane.core.part(L::Layout::TREE.value_part(self.lane.field));
        exists::<L>(&at).then(|| self.lane.at(&at).addr() - part.base().addr())
    }
}
