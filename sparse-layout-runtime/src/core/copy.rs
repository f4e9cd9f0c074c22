//! Deep copies and comparison.

use super::Core;
use super::nodes::Meta;
use crate::layout::Layout;
use crate::slab::{Arena, Array, Part, Pool, pages};
use rayon::prelude::*;

/// Bytes copied as one piece of parallel work.
const PIECE: usize = 1 << 20;

impl<G: Layout> Clone for Core<G> {
    /// Copies the nodes in parallel; they keep their handles.
    ///
    /// # Panics
    /// If the system does not grant the address space.
    fn clone(&self) -> Self {
        let kinds = G::TREE.node_kinds();
        let mut parts = G::Parts::from_fn(|_| Part::UNUSED);
        let mut arenas = Vec::with_capacity(kinds);
        for kind in 0..kinds {
            let strides: Vec<u64> = self.meta.strides_of(kind).collect();
            let nodes = if kind == 0 { 1 } else { self.arenas[kind].last.saturating_add(1) };
            // Room for the nodes there are, and for one.
            let least = self.pools.as_slice()[kind].end().max(2);
            let (arena, own) =
                Arena::reserve(&strides, nodes, least).unwrap_or_else(|e| panic!("{}: {e}", G::TREE.name));
            for (id, part) in own.into_iter().enumerate().filter(|(id, _)| G::TREE.part_owner(*id) == kind) {
                parts.as_mut_slice()[id] = part;
            }
            arenas.push(arena);
        }
        let pools = G::Pools::from_fn(|kind| {
            let mut pool = Pool::new(arenas[kind].last);
            let header = self.part(G::TREE.header_part(kind));
            // SAFETY: the first word of a spare's header; nobody makes nodes while the grid is borrowed for reading.
            pool.copy_from(&self.pools.as_slice()[kind], |h| unsafe { header.node(h).cast::<u32>().read() });
            pool
        });
        let orders = self.orders.clone();
        let meta: Meta = self.meta.clone();
        let copy = Core {
            parts,
            pools,
            arenas,
            meta,
            backgrounds: self.backgrounds.clone(),
            plans: self.plans.clone(),
            orders,
            neighbours: self.neighbours.clone(),
            shared: false,
        };
        copy.raw().advise_all();
        copy.copy_nodes(self);
        copy
    }
}

impl<G: Layout> Core<G> {
    fn copy_nodes(&self, from: &Self) {
        let mut pieces = Vec::new();
        for kind in 0..G::TREE.node_kinds() {
            let nodes = if kind == 0 { 1 } else { from.pools.as_slice()[kind].end() as usize };
            for (part, stride) in self.meta.parts_of(kind) {
                let bytes = nodes * stride;
                // A large root is mostly untouched.
                let sparse = kind == 0 && bytes > PIECE;
                let piece = if sparse { (bytes >> 10).next_multiple_of(PIECE) } else { PIECE };
                pieces.extend((0..bytes).step_by(piece).map(|at| (part, at, piece.min(bytes - at), sparse)));
            }
        }
        pieces.into_par_iter().for_each(|(part, at, len, sparse)| {
            let source = from.part(part).base().wrapping_add(at);
            let target = self.part(part).base().wrapping_add(at);
            if sparse {
                copy_touched(source, target, len);
            } else {
                // SAFETY: both ranges lie in the part of their grid, the target's memory is this fresh grid's own, and
                // no two pieces overlap; the source is borrowed for reading.
                unsafe { std::ptr::copy_nonoverlapping(source, target, len) };
            }
        });
    }
}

/// Copies pages that are in memory, leaving out those that hold only zeroes: the target's read as zero already.
fn copy_touched(source: *const u8, target: *mut u8, len: usize) {
    let page = pages::page_size();
    pages::for_each_resident(source, len, |run| {
        for at in run.clone().step_by(page) {
            let n = page.min(run.end - at);
            // SAFETY: a range of a part that is borrowed for reading; parts are initialised memory.
            let bytes = unsafe { std::slice::from_raw_parts(source.wrapping_add(at), n) };
            if bytes.iter().any(|b| *b != 0) {
                // SAFETY: as in `copy_nodes`.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.wrapping_add(at), n) };
            }
        }
    });
}
