//! Reading lists.

use crate::coord::Coord;
use crate::core::{Core, locate};
use crate::element::Element;
use crate::field::Lane;
use crate::layout::{Layout, Level, Planned, Shaped};
use crate::plan::ListPlan;
use crate::struct_for::lanes::Slots;
use crate::struct_for::{Iter, ParIter};
use rayon::prelude::*;

/// A field of a dynamic level, to be read. `Copy`; any number of threads may hold one.
pub struct Lists<'a, L: Level, T> {
    pub(super) lane: Lane<'a, L, T>,
}

impl<L: Level, T> Clone for Lists<'_, L, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T> Copy for Lists<'_, L, T> {}

impl<L: Level, T: Element> std::fmt::Debug for Lists<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lists").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

/// The plan of the dynamic level.
#[inline(always)]
pub(crate) fn list_plan<L: Level>(core: &Core<L::Layout>) -> ListPlan {
    if const { <L::Layout as Shaped>::RUN_TIME } {
        L::Layout::TREE.list_plan(&core.meta().shape, L::LEVEL)
    } else {
        const { L::LIST_PLAN }
    }
}

/// One list: its items stand in chunks.
pub struct List<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
    plan: ListPlan,
    node: u32,
    slot: u64,
    len: usize,
}

impl<L: Level, T> Clone for List<'_, L, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T> Copy for List<'_, L, T> {}

impl<L: Level, T: Element + std::fmt::Debug> std::fmt::Debug for List<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, L: Level, T: Element> List<'a, L, T> {
    /// The list of a cell of a live node, or of the background node.
    pub(super) fn new(lane: Lane<'a, L, T>, node: u32, slot: u64) -> Self {
        let plan = list_plan::<L>(lane.core);
        // SAFETY: the length of a list of a node that exists; nobody changes lengths while the grid is lent.
        let len = unsafe { *lane.core.raw().list_len(&plan, node, slot) } as usize;
        List { lane, plan, node, slot, len }
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Item `i`.
    #[inline]
    pub fn get(&self, i: usize) -> Option<T> {
        // SAFETY: an item below the length is initialised and borrowed for reading.
        (i < self.len).then(|| unsafe { *self.item(i) })
    }

    /// Where item `i`, below the length, stands.
    pub(super) fn item(&self, i: usize) -> *mut T {
        debug_assert!(i < self.len);
        let i = i as u64;
        let entry = self.lane.core.raw().list_chunk(&self.plan, self.node, self.slot, i / self.plan.chunk);
        // SAFETY: the chunk entry of an item that exists.
        self.lane.nth(unsafe { *entry }, i % self.plan.chunk)
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<'a, L, T> {
        let list = *self;
        (0..self.len).map(move |i| {
            // SAFETY: as in `get`.
            unsafe { *list.item(i) }
        })
    }

    /// The items in order, as slices.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`): items of one field then do not stand side by side.
    pub fn chunks(&self) -> impl Iterator<Item = &'a [T]> + use<'a, L, T> {
        let list = *self;
        list.assert_side_by_side();
        (0..self.len).step_by(self.plan.chunk as usize).map(move |first| {
            let len = (list.len - first).min(list.plan.chunk as usize);
            // SAFETY: the items of one chunk stand side by side, initialised, borrowed for reading.
            unsafe { std::slice::from_raw_parts(list.item(first), len) }
        })
    }

    pub(super) fn assert_side_by_side(&self) {
        assert!(
            self.lane.cell_stride() == size_of::<T>(),
            "`{}`: items of an `aos` level do not stand side by side: use `iter`",
            self.lane.name()
        );
    }

    pub(super) fn chunk_len(&self) -> usize {
        self.plan.chunk as usize
    }
}

impl<'a, L: Level, T> Lists<'a, L, T> {
    /// The field of that number: what the attribute's accessors call.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a Core<L::Layout>, field: usize) -> Self {
        Lists { lane: Lane::of_lists(core, field) }
    }
}

impl<'a, L: Level, T: Element> Lists<'a, L, T> {
    /// The name it was declared with.
    pub fn name(&self) -> &'static str {
        self.lane.name()
    }

    /// The list of a cell; empty where inactive or out of bounds.
    pub fn list(&self, key: impl Coord<L::Point>) -> List<'a, L, T> {
        match locate::<L>(self.lane.core, key.point()) {
            Some(at) => List::new(self.lane, at.handle, slot_of::<L>(self.lane.core, &at)),
            None => List { lane: self.lane, plan: list_plan::<L>(self.lane.core), node: 0, slot: 0, len: 0 },
        }
    }

    /// How many items the list of a cell has.
    pub fn len(&self, key: impl Coord<L::Point>) -> usize {
        self.list(key).len()
    }

    /// Whether the list of a cell has no items.
    pub fn is_empty(&self, key: impl Coord<L::Point>) -> bool {
        self.list(key).is_empty()
    }

    /// Item `i` of the list of a cell.
    pub fn get(&self, key: impl Coord<L::Point>, i: usize) -> Option<T> {
        self.list(key).get(i)
    }

    /// How many items all lists have together.
    pub fn total(&self) -> u64 {
        let lane = self.lane;
        self.slots().map(|(_, (node, slot))| List::new(lane, node, slot).len() as u64).sum()
    }

    /// Every item: cell, number in its list, value. In the order of cells.
    pub fn iter(&self) -> impl Iterator<Item = (L::Point, u32, T)> + use<'a, L, T> {
        let lane = self.lane;
        Iter::new(Slots::<L>(lane.core)).flat_map(move |(p, (node, slot))| numbered(lane, p, node, slot))
    }

    /// Every item, in parallel, in the order of [`iter`](Self::iter).
    pub fn par_iter(&self) -> impl ParallelIterator<Item = (L::Point, u32, T)> + use<'a, L, T> {
        let lane = self.lane;
        self.slots().flat_map_iter(move |(p, (node, slot))| numbered(lane, p, node, slot))
    }

    pub(super) fn slots(&self) -> ParIter<'a, L, Slots<'a, L>> {
        ParIter::new(Slots::<L>(self.lane.core))
    }
}

fn numbered<'a, L: Level, T: Element>(
    lane: Lane<'a, L, T>,
    p: L::Point,
    node: u32,
    slot: u64,
) -> impl Iterator<Item = (L::Point, u32, T)> + use<'a, L, T> {
    (0..).zip(List::new(lane, node, slot).iter()).map(move |(i, v)| (p, i, v))
}

/// The number of the list of a located cell in its node.
#[inline(always)]
pub(crate) fn slot_of<L: Level>(core: &Core<L::Layout>, at: &crate::core::Loc) -> u64 {
    at.outer * crate::core::plan_of::<L>(core).block + at.digit
}
