//! Filling a box with a value.

use super::{GridFieldMut, GridPackedFieldMut, Packing};
use crate::coord::Region;
use crate::element::Element;
use crate::layout::Level;
use crate::level::LevelMut;
use crate::struct_for::{Write, par_for_each_in};

impl<L: Level, T: Element> GridFieldMut<'_, L, T> {
    /// Sets every cell of a box, in parallel; all of them become active.
    ///
    /// # Panics
    /// If the box reaches out of bounds (before anything is changed); if the grid's nodes are exhausted.
    ///
    /// # Cost
    /// The cells of the box, and a look at each node of the grid.
    pub fn fill_in(&mut self, region: Region<L::Point>, value: T) {
        LevelMut::<L>::new(self.core).activate_box(region);
        par_for_each_in(Write::new(&mut self.as_mut()), region, |_, v| *v = value);
    }
}

impl<L: Level, S: Packing> GridPackedFieldMut<'_, L, S> {
    /// See [`GridFieldMut::fill_in`].
    pub fn fill_in(&mut self, region: Region<L::Point>, value: S::Value) {
        LevelMut::<L>::new(self.core).activate_box(region);
        par_for_each_in(self.as_mut().write(), region, |_, mut v| *v = value);
    }
}
