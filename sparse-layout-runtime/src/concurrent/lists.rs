//! Lists that many threads append to.

use super::Concurrent;
use crate::coord::Coord;
use crate::core::{Loc, Raw, exists, locate, reach};
use crate::element::Element;
use crate::error::{Exhausted, Full, PushError};
use crate::field::Lane;
use crate::field::lists::{list_plan, slot_of};
use crate::layout::Level;
use crate::plan::ListPlan;
use crate::slab::places::{finish, is_finished, reserve};
use crate::slab::publish;
use crate::sync::{AtomicU8, AtomicU32, shared_byte, shared_word};
use crate::tree::MAX_AXES;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// A field of a dynamic level, lent to many threads: `Copy`, `Send` and `Sync`.
///
/// Items are appended, and read once they are finished; they are changed when the phase is over. The fields of one dynamic
/// level share their lengths: an item pushed through one has the background in the others.
pub struct SharedLists<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
}

impl<L: Level, T> Clone for SharedLists<'_, L, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T> Copy for SharedLists<'_, L, T> {}

impl<L: Level, T: Element> std::fmt::Debug for SharedLists<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedLists").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// One list of a node.
struct Place<'a> {
    raw: Raw<'a>,
    plan: ListPlan,
    node: u32,
    slot: u64,
}

impl<'a, L: Level, T> SharedLists<'a, L, T> {
    /// The field of that number: what the attribute's handle calls.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(grid: Concurrent<'a, L::Layout>, field: usize) -> Self {
        SharedLists { lane: Lane::of_lists(grid.core, field) }
    }
}

impl<'a, L: Level, T: Element> SharedLists<'a, L, T> {
    /// The name it was declared with.
    pub fn name(self) -> &'static str {
        self.lane.name()
    }

    #[inline(always)]
    fn place(self, at: &Loc) -> Place<'a> {
        let core = self.lane.core;
        Place { raw: core.raw(), plan: list_plan::<L>(core), node: at.handle, slot: slot_of::<L>(core, at) }
    }

    /// The list of a cell that exists.
    fn existing(self, key: L::Point) -> Option<Place<'a>> {
        let at = locate::<L>(self.lane.core, key)?;
        exists::<L>(&at).then(|| self.place(&at))
    }

    /// Appends an item to the list of a cell, activating the path to the cell. Its number in the list.
    ///
    /// Costs one exchange of the list's length; threads that append to one
    /// list at the same time wait for each other's caches: [`extend`](Self::extend) does so once for many items.
    ///
    /// # Errors
    /// If the list has as many items as it may, the cell is out of bounds, or the grid's nodes are exhausted; nothing is
    /// appended.
    #[inline]
    pub fn push(self, key: impl Coord<L::Point>, value: T) -> Result<u32, PushError> {
        let at = reach::<L>(self.lane.core, key.point(), || self.name())?;
        let place = self.place(&at);
        let Some((first, _, chunk)) = place.reserve(1)? else { return Err(self.full(&place).into()) };
        self.write(&place, chunk, first, &[value]);
        Ok(first)
    }

    /// Appends items to the list of a cell, activating the path to the cell. Items are taken up to 64 at a time; those of
    /// one such batch that fit in a chunk of the list stand side by side.
    ///
    /// # Errors
    /// As [`push`](Self::push); the items before the one that has no room are appended, and up to 63 after it are lost.
    pub fn extend(self, key: impl Coord<L::Point>, items: impl IntoIterator<Item = T>) -> Result<(), PushError> {
        let at = reach::<L>(self.lane.core, key.point(), || self.name())?;
        let place = self.place(&at);
        let mut items = items.into_iter();
        let mut batch = [<T as bytemuck::Zeroable>::zeroed(); 64];
        loop {
            let mut n = 0;
            for (to, item) in batch.iter_mut().zip(&mut items) {
                *to = item;
                n += 1;
            }
            let mut rest = &batch[..n];
            while !rest.is_empty() {
                let Some((first, taken, chunk)) = place.reserve(rest.len() as u32)? else {
                    return Err(self.full(&place).into());
                };
                let (now, later) = rest.split_at(taken as usize);
                self.write(&place, chunk, first, now);
                rest = later;
            }
            if n < batch.len() {
                return Ok(());
            }
        }
    }

    #[cold]
    fn full(self, place: &Place<'_>) -> Full {
        Full { name: self.name(), max: place.plan.max as u32 }
    }

    /// Writes the items from number `first`, whose places in a chunk this thread took.
    #[inline(always)]
    fn write(self, place: &Place<'_>, chunk: u32, first: u32, items: &[T]) {
        let first = u64::from(first) % place.plan.chunk;
        for (c, item) in (first..).zip(items) {
            // SAFETY: an item of a chunk whose place only this thread took; nobody reads it before it is finished.
            unsafe { *self.lane.nth(chunk, c) = *item };
        }
        for c in first..first + items.len() as u64 {
            finish(place.finished(chunk, c));
        }
    }

    /// How many items the list of a cell has, those included that other threads are about to finish.
    pub fn len(self, key: impl Coord<L::Point>) -> usize {
        self.existing(key.point()).map_or(0, |place| place.len() as usize)
    }

    /// Whether the list of a cell has no items.
    pub fn is_empty(self, key: impl Coord<L::Point>) -> bool {
        self.len(key) == 0
    }

    /// Item `i` of the list of a cell; `None` if there is none, or the thread that appends it has not finished it.
    pub fn get(self, key: impl Coord<L::Point>, i: usize) -> Option<T> {
        self.item(&self.existing(key.point())?, i as u64)
    }

    /// The items of the list of a cell that are finished, with their numbers.
    pub fn finished<C: Coord<L::Point>>(self, key: C) -> impl Iterator<Item = (usize, T)> + use<'a, L, T, C> {
        let place = self.existing(key.point());
        let len = place.as_ref().map_or(0, |place| place.len() as usize);
        (0..len).filter_map(move |i| Some((i, self.item(place.as_ref()?, i as u64)?)))
    }

    fn item(self, place: &Place<'_>, i: u64) -> Option<T> {
        let chunk = place.chunk(i)?;
        let c = i % place.plan.chunk;
        // SAFETY: an item that was seen to be finished is initialised, and not written while the grid is shared.
        is_finished(place.finished(chunk, c)).then(|| unsafe { *self.lane.nth(chunk, c) })
    }
}

impl Place<'_> {
    fn len(&self) -> u32 {
        self.len_word().load(Relaxed)
    }

    #[inline(always)]
    fn len_word(&self) -> &AtomicU32 {
        // SAFETY: the length of a list of a node that exists; while the grid is shared it is accessed atomically alone.
        unsafe { shared_word(self.raw.list_len(&self.plan, self.node, self.slot)) }
    }

    /// The byte of a chunk that says whether its item `c` is finished.
    #[inline(always)]
    fn finished(&self, chunk: u32, c: u64) -> &AtomicU8 {
        // SAFETY: a byte of the header of a chunk that exists; as above.
        unsafe { shared_byte(self.raw.place(self.plan.content, chunk, c)) }
    }

    #[inline(always)]
    fn entry(&self, i: u64) -> &AtomicU32 {
        // SAFETY: an entry of the chunk table of the list; as above.
        unsafe { shared_word(self.raw.list_chunk(&self.plan, self.node, self.slot, i / self.plan.chunk)) }
    }

    /// The chunk of item `i`, if there is one.
    fn chunk(&self, i: u64) -> Option<u32> {
        let chunk = if i < self.plan.max { self.entry(i).load(Acquire) } else { 0 };
        (chunk != 0).then_some(chunk)
    }

    /// Takes up to `n` places that lie in one chunk: the first, how many, and the chunk. None if the list is full.
    #[inline(always)]
    fn reserve(&self, n: u32) -> Result<Option<(u32, u32, u32)>, Exhausted> {
        let mut chunk = 0;
        let room = |first: u32, n: u32| {
            let first = u64::from(first);
            chunk = self.make_chunk(first)?;
            Ok(n.min((self.plan.chunk - first % self.plan.chunk) as u32))
        };
        let taken = reserve(self.len_word(), self.plan.max as u32, n, room)?;
        Ok(taken.map(|(first, n)| (first, n, chunk)))
    }

    /// The chunk of item `i`, made if it is not there: before the place is taken, so that no place is without one.
    #[inline(always)]
    fn make_chunk(&self, i: u64) -> Result<u32, Exhausted> {
        match self.entry(i).load(Acquire) {
            0 => self.publish_chunk(i),
            there => Ok(there),
        }
    }

    #[cold]
    #[inline(never)]
    fn publish_chunk(&self, i: u64) -> Result<u32, Exhausted> {
        let content = self.plan.content;
        let make = || self.raw.allocate(content, &[0; MAX_AXES], self.node);
        let lose = |spare| self.raw.lose(content, spare);
        publish(self.entry(i), self.raw.pools[content].handles(), make, lose).map(|published| published.handle())
    }
}
