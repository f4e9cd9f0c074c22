//! Lists that grow and shrink.

use super::lists_mut::ListsMut;
use super::view::{List, Lists, list_plan, slot_of};
use crate::coord::{Coord, Point};
use crate::core::{Core, exists, locate, mark_active, plan_of};
use crate::element::Element;
use crate::error::Full;
use crate::field::Lane;
use crate::layout::{Layout, Level};
use std::marker::PhantomData;

/// A field of a dynamic level together with the whole grid.
pub struct GridListsMut<'a, L: Level, T> {
    pub(super) core: &'a mut Core<L::Layout>,
    pub(super) field: usize,
    element: PhantomData<T>,
}

impl<L: Level, T: Element> std::fmt::Debug for GridListsMut<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GridListsMut").field("name", &self.as_lists().name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T> GridListsMut<'a, L, T> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a mut Core<L::Layout>, field: usize) -> Self {
        let _ = Lane::<L, T>::of_lists(core, field);
        GridListsMut { core, field, element: PhantomData }
    }
}

impl<'a, L: Level, T: Element> GridListsMut<'a, L, T> {
    /// The field for reading.
    pub fn as_lists(&self) -> Lists<'_, L, T> {
        Lists::new(self.core, self.field)
    }

    /// The field with frozen lengths, for as long as this view is not used.
    pub fn as_mut(&mut self) -> ListsMut<'_, L, T> {
        // SAFETY: this view holds the whole grid exclusively.
        unsafe { ListsMut::from_lane(Lane::of_lists(self.core, self.field)) }
    }

    /// Appends an item to the list of a cell, activating the path to the cell. Its number in the list.
    ///
    /// # Errors
    /// If the list has as many items as declared; nothing is changed.
    ///
    /// # Panics
    /// If the cell is out of bounds, naming field, coordinates and bounds; if the grid's nodes are exhausted.
    pub fn push(&mut self, key: impl Coord<L::Point>, value: T) -> Result<u32, Full> {
        let (node, slot) = self.activated(key.point());
        let plan = list_plan::<L>(self.core);
        let raw = self.core.raw_mut();
        let entry = raw.shared().list_len(&plan, node, slot);
        // SAFETY: the length of a list of a live node; the grid is held exclusively.
        let len = unsafe { *entry };
        if u64::from(len) >= plan.max {
            return Err(Full { name: self.as_lists().name(), max: plan.max as u32 });
        }
        let mut raw = raw;
        let chunk =
            raw.chunk_for(&plan, node, slot, len.into()).unwrap_or_else(|e| panic!("{}: {e}", L::Layout::TREE.name));
        // SAFETY: as above.
        unsafe { *entry = len + 1 };
        let place = u64::from(len) % plan.chunk;
        raw.shared().mark_places(plan.content, chunk, place, place + 1, true);
        let item = Lane::<L, T>::of_lists(self.core, self.field).nth(chunk, u64::from(len) % plan.chunk);
        // SAFETY: an item of a chunk of a live node; the grid is held exclusively.
        unsafe { *item = value };
        Ok(len)
    }

    /// Node and list number of a cell that is now active.
    pub(super) fn activated(&mut self, p: L::Point) -> (u32, u64) {
        let plan = *plan_of::<L>(self.core);
        let at = match locate::<L>(self.core, p) {
            Some(at) if exists::<L>(&at) => {
                mark_active::<L>(self.core, &at);
                at
            }
            Some(_) => match self.core.activate::<L>(p) {
                Ok(at) => at,
                Err(e) => panic!("{}: `{}`: {e}", L::Layout::TREE.name, self.as_lists().name()),
            },
            None => {
                let name = self.as_lists().name();
                panic!("{}: {}", L::Layout::TREE.name, self.core.out_of_bounds(name, &plan, p.as_slice()))
            }
        };
        (at.handle, slot_of::<L>(self.core, &at))
    }

    /// Empties the list of a cell; the cell stays active.
    pub fn clear(&mut self, key: impl Coord<L::Point>) {
        if let Some((node, slot)) = self.existing(key.point()) {
            self.core.raw_mut().free_lists(L::LEVEL, node, slot, slot + 1);
        }
    }

    /// Takes an item out; the last one of the list moves to its place.
    pub fn swap_remove(&mut self, key: impl Coord<L::Point>, i: usize) -> Option<T> {
        let (node, slot) = self.existing(key.point())?;
        let list = List::new(Lane::<L, T>::of_lists(self.core, self.field), node, slot);
        let out = list.get(i)?;
        self.drop_last(node, slot, Some(i as u64));
        Some(out)
    }

    /// Takes the items for which `keep` says no out of every list; the others keep their order.
    pub fn retain(&mut self, mut keep: impl FnMut(L::Point, &T) -> bool) {
        let lane = Lane::<L, T>::of_lists(self.core, self.field);
        let mut kept: Vec<(u32, u64, Vec<u64>, u64)> = Vec::new();
        for (p, (node, slot)) in crate::struct_for::Iter::new(crate::struct_for::lanes::Slots::<L>(self.core)) {
            let list = List::new(lane, node, slot);
            let stay: Vec<u64> = (0..).zip(list.iter()).filter(|(_, v)| keep(p, v)).map(|(i, _)| i).collect();
            if stay.len() < list.len() {
                kept.push((node, slot, stay, list.len() as u64));
            }
        }
        for (node, slot, stay, len) in kept {
            for (to, from) in (0..).zip(&stay) {
                self.move_item(node, slot, *from, to);
            }
            for _ in stay.len() as u64..len {
                self.drop_last(node, slot, None);
            }
        }
    }

    /// The list of a cell that is active.
    fn existing(&self, p: L::Point) -> Option<(u32, u64)> {
        let at = locate::<L>(self.core, p)?;
        exists::<L>(&at).then(|| (at.handle, slot_of::<L>(self.core, &at)))
    }

    /// Copies every field of item `from` of a list to item `to`.
    fn move_item(&mut self, node: u32, slot: u64, from: u64, to: u64) {
        if from == to {
            return;
        }
        let plan = list_plan::<L>(self.core);
        let raw = self.core.raw();
        // SAFETY: chunk entries of items that exist; the grid is held exclusively.
        let (source, target) = unsafe {
            (*raw.list_chunk(&plan, node, slot, from / plan.chunk), *raw.list_chunk(&plan, node, slot, to / plan.chunk))
        };
        for f in raw.meta.fields_in(plan.content) {
            raw.copy_value(f, (source, from % plan.chunk), (target, to % plan.chunk));
        }
    }

    /// Shortens a list by its last item, which first takes the place of item `hole`, if one is given.
    fn drop_last(&mut self, node: u32, slot: u64, hole: Option<u64>) {
        let plan = list_plan::<L>(self.core);
        let entry = self.core.raw().list_len(&plan, node, slot);
        // SAFETY: the length of a list of a live node; the grid is held exclusively.
        let last = u64::from(unsafe { *entry }) - 1;
        if let Some(hole) = hole {
            self.move_item(node, slot, last, hole);
        }
        let mut raw = self.core.raw_mut();
        // SAFETY: as above, and the chunk entry of the last item.
        let chunk = unsafe {
            *entry = last as u32;
            *raw.shared().list_chunk(&plan, node, slot, last / plan.chunk)
        };
        if last.is_multiple_of(plan.chunk) {
            raw.free_chunks(&plan, node, slot, last / plan.chunk);
        } else {
            let shared = raw.shared();
            shared.mark_places(plan.content, chunk, last % plan.chunk, last % plan.chunk + 1, false);
            for f in shared.meta.fields_in(plan.content) {
                shared.fill(f, chunk, last % plan.chunk, last % plan.chunk + 1);
            }
        }
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

    /// See [`ListsMut::par_for_each`].
    pub fn par_for_each(&mut self, f: impl Fn(L::Point, u32, &mut T) + Sync + Send) {
        self.as_mut().par_for_each(f);
    }
}
