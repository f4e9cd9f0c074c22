//! Filling lists in bulk, and moving every item to the list of the cell it belongs to now.

use super::GridListsMut;
use super::view::{List, Lists, list_plan};
use crate::coord::{Coord, Point};
use crate::core::{locate, plan_of};
use crate::element::Element;
use crate::error::{Exhausted, Full};
use crate::field::Lane;
use crate::layout::{Layout, Level};
use crate::parallel::{Bins, bin_by_ord};
use rayon::prelude::*;

/// Items that stand side by side: places in a chunk for binned items from number `first` on.
struct Piece {
    chunk: u32,
    place: u64,
    first: usize,
    len: usize,
}

fn bin<T: Sync, P: Point>(items: &[T], key: impl Fn(&T) -> P + Sync + Send) -> Bins<P> {
    bin_by_ord(items, key).unwrap_or_else(|e| panic!("binning items: {e}"))
}

/// An item on its way: its new cell, and the chunk and place it comes from.
type Moving<P> = (P, (u32, u64));

impl<L: Level, T: Element> GridListsMut<'_, L, T> {
    /// Moves every item, with what the other fields hold beside it, to the list of the cell that `key` names for it. Within
    /// a list items keep the order in which [`Lists::iter`] gave them before, so the result does not depend on the number of
    /// threads. Cells whose lists become empty stay active.
    ///
    /// Cost: one parallel pass to read the keys, a parallel sort of them, one parallel copy.
    ///
    /// # Errors
    /// If some list would get more items than declared; nothing is changed.
    ///
    /// # Panics
    /// If some key is out of bounds (nothing is changed), if the grid's nodes are exhausted, or if there are 2^32 items or more.
    pub fn rebin<C: Coord<L::Point>>(&mut self, key: impl Fn(&T) -> C + Sync + Send) -> Result<(), Full> {
        let items = self.moving(key);
        let bins = bin(&items, |item: &Moving<L::Point>| item.0);
        self.check_room(&bins, |_| 0)?;
        self.check_chunks(&bins, true);
        let saved = self.save(&items, bins.permutation());
        self.empty_all();
        let pieces = self.make_room(&bins);
        self.restore(&saved, &pieces);
        Ok(())
    }

    /// Appends many items, each to the list of the cell that `key` names for it, in their order; the other fields of the level
    /// hold the background beside them. The result does not depend on the number of threads.
    ///
    /// Cost: one parallel pass to read the keys, a parallel sort of them, one parallel copy.
    ///
    /// # Errors
    /// If some list would get more items than declared; nothing is changed.
    ///
    /// # Panics
    /// As [`rebin`](Self::rebin).
    pub fn extend_by<C: Coord<L::Point>>(
        &mut self,
        items: &[T],
        key: impl Fn(&T) -> C + Sync + Send,
    ) -> Result<(), Full> {
        let bins = bin(items, |item| key(item).point());
        self.check_room(&bins, |p| self.len(p))?;
        self.check_chunks(&bins, false);
        let pieces = self.make_room(&bins);
        let lane = Lane::<L, T>::of_lists(self.core, self.field);
        pieces.par_iter().with_min_len(64).for_each(|piece| {
            for i in 0..piece.len {
                let item = items[bins.permutation()[piece.first + i] as usize];
                // SAFETY: an item of a chunk that only this piece names; the grid is held exclusively.
                unsafe { *lane.nth(piece.chunk, piece.place + i as u64) = item };
            }
        });
        Ok(())
    }

    /// Whether every key is in bounds and every list has room, `held` items being in it.
    fn check_room(&self, bins: &Bins<L::Point>, held: impl Fn(L::Point) -> usize) -> Result<(), Full> {
        let plan = list_plan::<L>(self.core);
        if let Some(p) = bins.keys().iter().find(|p| locate::<L>(self.core, **p).is_none()) {
            let name = self.as_lists().name();
            let error = self.core.out_of_bounds(name, plan_of::<L>(self.core), p.as_slice());
            panic!("{}: {error}", L::Layout::TREE.name);
        }
        if bins.iter().any(|(p, list)| (held(*p) + list.len()) as u64 > plan.max) {
            return Err(Full { name: self.as_lists().name(), max: plan.max as u32 });
        }
        Ok(())
    }

    /// Activates the cells of all bins, and makes sure of the chunks they will need, so that nothing fails once items move.
    /// `anew`: all lists will be emptied first.
    ///
    /// # Panics
    /// If the grid's nodes would be exhausted; no item has moved.
    fn check_chunks(&mut self, bins: &Bins<L::Point>, anew: bool) {
        let plan = list_plan::<L>(self.core);
        let mut needed = 0;
        for (p, list) in bins.iter() {
            self.activated(*p);
            let held = if anew { 0 } else { self.len(*p) as u64 };
            needed += (held + list.len() as u64).div_ceil(plan.chunk) - held.div_ceil(plan.chunk);
        }
        let pool = self.core.pool(plan.content);
        let free = u64::from(pool.last()) - if anew { 0 } else { u64::from(pool.live()) };
        let name = self.as_lists().name();
        assert!(needed <= free, "{}: `{name}`: {}", L::Layout::TREE.name, Exhausted { nodes: pool.last() });
    }

    /// Lengthens each list by its bin's items, and says where these go.
    fn make_room(&mut self, bins: &Bins<L::Point>) -> Vec<Piece> {
        let plan = list_plan::<L>(self.core);
        let mut pieces = Vec::new();
        let mut first = 0;
        for (p, list) in bins.iter() {
            let (node, slot) = self.activated(*p);
            let mut raw = self.core.raw_mut();
            let entry = raw.shared().list_len(&plan, node, slot);
            // SAFETY: the length of a list of a live node; the grid is held exclusively.
            let mut at = u64::from(unsafe { *entry });
            let end = at + list.len() as u64;
            while at < end {
                let chunk = raw.chunk_for(&plan, node, slot, at);
                let chunk = chunk.unwrap_or_else(|e| panic!("{}: {e}", L::Layout::TREE.name));
                let place = at % plan.chunk;
                let len = (end - at).min(plan.chunk - place) as usize;
                pieces.push(Piece { chunk, place, first, len });
                first += len;
                at += len as u64;
                raw.shared().mark_places(plan.content, chunk, place, place + len as u64, true);
                // SAFETY: as above. Items up to here have their chunk, and hold the background.
                unsafe { *entry = at as u32 };
            }
        }
        pieces
    }

    fn moving<C: Coord<L::Point>>(&self, key: impl Fn(&T) -> C + Sync + Send) -> Vec<Moving<L::Point>> {
        let lists: Lists<'_, L, T> = self.as_lists();
        let plan = list_plan::<L>(self.core);
        let raw = self.core.raw();
        let of_list = |(_, (node, slot)): (L::Point, (u32, u64))| {
            let list = List::new(lists.lane, node, slot);
            let (plan, raw, key) = (&plan, &raw, &key);
            (0..).zip(list.iter()).map(move |(i, v)| {
                // SAFETY: the chunk entry of an item that exists, borrowed for reading.
                let chunk = unsafe { *raw.list_chunk(plan, node, slot, i / plan.chunk) };
                (key(&v).point(), (chunk, i % plan.chunk))
            })
        };
        lists.slots().flat_map_iter(of_list).collect()
    }

    /// The values of every field of the level, in the new order.
    fn save(&self, items: &[Moving<L::Point>], order: &[u32]) -> Vec<(usize, Vec<u8>)> {
        let raw = self.core.raw();
        let fields = raw.meta.fields_in(list_plan::<L>(self.core).content);
        let save = |f: usize| {
            let size = raw.meta.tree.fields[f].size;
            let mut bytes = vec![0; size * order.len()];
            if size > 0 {
                bytes.par_chunks_exact_mut(size).zip(order).with_min_len(1024).for_each(|(to, i)| {
                    let (chunk, place) = items[*i as usize].1;
                    to.copy_from_slice(raw.value(f, chunk, place));
                });
            }
            (f, bytes)
        };
        fields.map(save).collect()
    }

    fn empty_all(&mut self) {
        let holder = L::Layout::TREE.holder(L::LEVEL);
        let nodes: Vec<u32> = if holder == 0 { vec![0] } else { self.core.raw().live(holder).collect() };
        let mut raw = self.core.raw_mut();
        let slots = raw.meta.shape.slots[L::LEVEL];
        for node in nodes {
            raw.free_lists(L::LEVEL, node, 0, slots);
        }
    }

    /// Writes saved values to their places.
    fn restore(&mut self, saved: &[(usize, Vec<u8>)], pieces: &[Piece]) {
        let raw = self.core.raw();
        for (f, bytes) in saved {
            let size = raw.meta.tree.fields[*f].size;
            pieces.par_iter().with_min_len(64).for_each(|piece| {
                for i in 0..piece.len {
                    let value = &bytes[(piece.first + i) * size..][..size];
                    let target = raw.value_ptr(*f, piece.chunk, piece.place + i as u64);
                    // SAFETY: an item of a chunk that only this piece names; the grid is held exclusively.
                    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), target, size) };
                }
            });
        }
    }
}
