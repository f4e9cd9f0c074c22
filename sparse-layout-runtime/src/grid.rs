//! What every grid can do.

use crate::core::Core;
use crate::layout::Layout;
use crate::report::{LayoutInfo, Memory};

/// Everything that all grids have in common: a trait, so that a field called `clear` wins, and so that code can be
/// generic over grids.
pub trait Grid: Layout {
    #[doc(hidden)]
    fn core(&self) -> &Core<Self>;
    #[doc(hidden)]
    fn core_mut(&mut self) -> &mut Core<Self>;
    #[doc(hidden)]
    fn from_core(core: Core<Self>) -> Self;

    /// The declaration, for printing and inspection.
    fn layout(&self) -> LayoutInfo<Self> {
        LayoutInfo::new()
    }

    /// Deactivates everything. Memory is kept for what comes next; the time does not depend on how much was active.
    fn clear(&mut self) {
        self.core_mut().clear();
    }

    /// Active cells of the deepest levels that can be inactive or hold fields, added up.
    fn count(&self) -> u64 {
        crate::report::count(self.core())
    }

    /// Bytes that the grid uses, by what they are used for.
    fn memory(&self) -> Memory {
        Memory::of(self.core())
    }

    /// The layout as a table: levels, kinds, sizes, nodes, bytes, fields.
    fn describe(&self) -> String {
        crate::report::describe(self.core())
    }

    /// Checks every invariant of the grid, for tests. Slow.
    ///
    /// # Panics
    /// If one is broken.
    fn internal_validate(&self) {
        self.core().internal_validate();
    }
}
