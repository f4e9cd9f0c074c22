//! Many threads write one grid: see this folder's README.

mod accessor;
mod batch;
mod element;
mod field;
mod level;
mod lists;
mod mode;
mod packed;

pub use accessor::SharedAccessor;
pub use element::{Atomic, AtomicBits, AtomicScalar};
pub use field::Shared;
pub use level::SharedLevel;
pub use lists::SharedLists;
pub use mode::{Frozen, Growing, Mode};
pub use packed::{SharedPacked, SharedPacking};

use crate::core::Core;
use crate::layout::Layout;

/// A grid that is lent to many threads: what the handle that `concurrent()` gives is made of.
#[doc(hidden)]
pub struct Concurrent<'a, G: Layout> {
    core: &'a Core<G>,
}

impl<G: Layout> Clone for Concurrent<'_, G> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Layout> Copy for Concurrent<'_, G> {}

impl<G: Layout> std::fmt::Debug for Concurrent<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Concurrent").field("grid", &G::TREE.name).finish_non_exhaustive()
    }
}

impl<'a, G: Layout> Concurrent<'a, G> {
    /// Borrows the grid exclusively, and drops what is cached about its topology.
    #[inline]
    pub fn new(core: &'a mut Core<G>) -> Self {
        Concurrent { core: core.share() }
    }
}
