//! Changing items while lengths are frozen.

use super::view::{List, Lists};
use crate::coord::Coord;
use crate::element::Element;
use crate::field::Lane;
use crate::layout::Level;
use rayon::prelude::*;
use std::marker::PhantomData;

/// A field of a dynamic level, lent exclusively; other fields may be lent at the same time, and nobody can push.
pub struct ListsMut<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
    exclusive: PhantomData<&'a mut T>,
}

impl<L: Level, T: Element> std::fmt::Debug for ListsMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListsMut").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

/// The items of one list, to be changed.
pub struct ListMut<'a, L: Level, T> {
    list: List<'a, L, T>,
    exclusive: PhantomData<&'a mut T>,
}

impl<L: Level, T: Element + std::fmt::Debug> std::fmt::Debug for ListMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.list.fmt(f)
    }
}

impl<'a, L: Level, T: Element> ListMut<'a, L, T> {
    /// How many items it has.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Item `i`.
    pub fn get_mut(&mut self, i: usize) -> Option<&mut T> {
        // SAFETY: an item below the length is initialised; the field is lent exclusively, through `&mut self`.
        (i < self.list.len()).then(|| unsafe { &mut *self.list.item(i) })
    }

    /// The items in order.
    pub fn into_items(self) -> impl Iterator<Item = &'a mut T> + use<'a, L, T> {
        let list = self.list;
        (0..list.len()).map(move |i| {
            // SAFETY: as in `get_mut`; each item is yielded once.
            unsafe { &mut *list.item(i) }
        })
    }

    /// The items in order, as slices.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`).
    pub fn into_chunks(self) -> impl Iterator<Item = &'a mut [T]> + use<'a, L, T> {
        let list = self.list;
        list.assert_side_by_side();
        (0..list.len()).step_by(list.chunk_len()).map(move |first| {
            let len = (list.len() - first).min(list.chunk_len());
            // SAFETY: the items of one chunk stand side by side; as in `into_items`.
            unsafe { std::slice::from_raw_parts_mut(list.item(first), len) }
        })
    }
}

impl<'a, L: Level, T> ListsMut<'a, L, T> {
    /// # Safety
    /// For `'a` no other view of the field exists.
    pub(crate) unsafe fn from_lane(lane: Lane<'a, L, T>) -> Self {
        ListsMut { lane, exclusive: PhantomData }
    }
}

impl<'a, L: Level, T: Element> ListsMut<'a, L, T> {
    /// The field for reading.
    pub fn as_lists(&self) -> Lists<'_, L, T> {
        Lists { lane: self.lane }
    }

    /// See [`Lists::len`].
    pub fn len(&self, key: impl Coord<L::Point>) -> usize {
        self.as_lists().len(key)
    }

    /// See [`Lists::is_empty`].
    pub fn is_empty(&self, key: impl Coord<L::Point>) -> bool {
        self.as_lists().is_empty(key)
    }

    /// See [`Lists::list`].
    pub fn list(&self, key: impl Coord<L::Point>) -> List<'_, L, T> {
        self.as_lists().list(key)
    }

    /// The list of a cell, to be changed.
    pub fn list_mut(&mut self, key: impl Coord<L::Point>) -> ListMut<'_, L, T> {
        ListMut { list: Lists { lane: self.lane }.list(key), exclusive: PhantomData }
    }

    /// Calls `f` with each item: cell, number in its list, value. In parallel over cells.
    ///
    /// # Panics
    /// If `f` does; the grid stays valid.
    pub fn par_for_each(&mut self, f: impl Fn(L::Point, u32, &mut T) + Sync + Send) {
        let lane = self.lane;
        Lists { lane }.slots().for_each(|(p, (node, slot))| {
            let list = ListMut { list: List::new(lane, node, slot), exclusive: PhantomData };
            (0..).zip(list.into_items()).for_each(|(i, v)| f(p, i, v));
        });
    }
}
