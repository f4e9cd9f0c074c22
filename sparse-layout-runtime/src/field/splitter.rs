//! Disjoint borrows of a grid's fields.

use super::packed::PackedLane;
use super::{FieldMut, Lane, ListsMut, PackedFieldMut, Packing};
use crate::core::Core;
use crate::layout::{Layout, Level};
use crate::tree::MAX_FIELDS;
use std::marker::PhantomData;

/// Hands out each field of a grid once.
#[doc(hidden)]
pub struct Splitter<'a, G: Layout> {
    core: &'a Core<G>,
    taken: [u64; MAX_FIELDS / 64],
    exclusive: PhantomData<&'a mut Core<G>>,
}

impl<G: Layout> std::fmt::Debug for Splitter<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Splitter").finish_non_exhaustive()
    }
}

impl<'a, G: Layout> Splitter<'a, G> {
    /// Borrows the grid.
    #[inline(always)]
    pub fn new(core: &'a mut Core<G>) -> Self {
        Splitter { core, taken: [0; MAX_FIELDS / 64], exclusive: PhantomData }
    }

    /// A field of the grid.
    ///
    /// # Panics
    /// If it was taken before, or is not one of this level and element type.
    #[inline(always)]
    pub fn take<L: Level<Layout = G>, T>(&mut self, field: usize) -> FieldMut<'a, L, T> {
        self.mark(field);
        // SAFETY: the grid is borrowed exclusively for `'a`, and each field's view is made once.
        unsafe { FieldMut::from_lane(Lane::new(self.core, field)) }
    }

    /// A field of a dynamic level.
    ///
    /// # Panics
    /// As [`take`](Self::take).
    #[inline(always)]
    pub fn take_lists<L: Level<Layout = G>, T>(&mut self, field: usize) -> ListsMut<'a, L, T> {
        self.mark(field);
        // SAFETY: as in `take`.
        unsafe { ListsMut::from_lane(Lane::of_lists(self.core, field)) }
    }

    /// A packed field.
    ///
    /// # Panics
    /// As [`take`](Self::take).
    pub fn take_packed<L: Level<Layout = G>, S: Packing>(&mut self, field: usize) -> PackedFieldMut<'a, L, S> {
        self.mark(field);
        // SAFETY: as in `take`.
        unsafe { PackedFieldMut::from_lane(PackedLane::new(self.core, field)) }
    }

    #[inline(always)]
    fn mark(&mut self, field: usize) {
        let (word, bit) = (field / 64, 1 << (field % 64));
        assert!(self.taken[word] & bit == 0, "a field is lent once");
        self.taken[word] |= bit;
    }
}
