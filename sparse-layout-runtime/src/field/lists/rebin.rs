//! Moving every item to the list of the cell it belongs to now.

use super::GridListsMut;
use super::view::{List, Lists, list_plan};
use crate::coord::{Coord, Point};
use crate::core::{locate, plan_of};
use crate::element::Element;
use crate::error::Full;
use crate::layout::{Layout, Level};
use crate::parallel::bin_by_ord;
use rayon::prelude::*;

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
        let bins = bin_by_ord(&items, |item: &Moving<L::Point>| item.0).unwrap_or_else(|e| panic!("rebin: {e}"));
        let plan = list_plan::<L>(self.core);
        if let Some(p) = bins.keys().iter().find(|p| locate::<L>(self.core, **p).is_none()) {
            let name = self.as_lists().name();
            let error = self.core.out_of_bounds(name, plan_of::<L>(self.core), p.as_slice());
            panic!("{}: {error}", L::Layout::TREE.name);
        }
        if bins.iter().any(|(_, list)| list.len() as u64 > plan.max) {
            return Err(Full { name: self.as_lists().name(), max: plan.max as u32 });
        }
        let saved = self.save(&items, bins.permutation());
        self.empty_all();
        let mut pieces = Vec::new();
        let mut first = 0;
        for (p, list) in bins.iter() {
            let (node, slot) = self.activated(*p);
            let mut raw = self.core.raw_mut();
            for at in (0..list.len()).step_by(plan.chunk as usize) {
                let chunk = raw.chunk_for(&plan, node, slot, at as u64);
                let chunk = chunk.unwrap_or_else(|e| panic!("{}: {e}", L::Layout::TREE.name));
                pieces.push((chunk, first + at, (list.len() - at).min(plan.chunk as usize)));
            }
            // SAFETY: the length of a list of a live node; the grid is held exclusively.
            unsafe { *raw.shared().list_len(&plan, node, slot) = list.len() as u32 };
            first += list.len();
        }
        self.restore(&saved, &pieces);
        Ok(())
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
                let chunk = unsafe { *raw.list_chunk(&plan, node, slot, i / plan.chunk) };
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

    /// Writes saved values into chunks: chunk, first item, how many.
    fn restore(&mut self, saved: &[(usize, Vec<u8>)], pieces: &[(u32, usize, usize)]) {
        let raw = self.core.raw();
        for (f, bytes) in saved {
            let size = raw.meta.tree.fields[*f].size;
            pieces.par_iter().with_min_len(64).for_each(|&(chunk, first, len)| {
                for i in 0..len {
                    let value = &bytes[(first + i) * size..][..size];
                    // SAFETY: an item of a chunk that only this piece names; the grid is held exclusively.
                    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), raw.value_ptr(*f, chunk, i as u64), size) };
                }
            });
        }
    }
}
