//! Renumbering: nodes move so that handles ascend in the order of iteration.
//!
//! Nodes that are visited one after the other then stand side by side, without gaps, and all memory behind them is free.
//! They move in place: a node at a time is set aside, whatever the size of the grid.

use super::nodes::{Raw, RawMut};
use super::{Core, bit_range};
use crate::layout::Layout;
use crate::slab::Part;
use crate::tree::Kind;
use rayon::prelude::*;

/// What happens to the nodes of one kind.
struct Move {
    /// The live nodes in their new order: the one that becomes node `i + 1` is `order[i]`.
    order: Vec<u32>,
    /// The new handle of each node; 0 where it is free, and of node 0.
    place: Vec<u32>,
}

impl Move {
    fn new(order: Vec<u32>, end: u32) -> Self {
        let mut place = vec![0; end as usize];
        for (i, &h) in (1..).zip(&order) {
            place[h as usize] = i;
        }
        Move { order, place }
    }

    /// Whether every node stays where it is.
    fn is_idle(&self) -> bool {
        (1..).zip(&self.order).all(|(i, h)| i == *h)
    }

    /// Moves the nodes of one part.
    fn apply(&self, part: &Part) {
        let stride = part.stride();
        let copy = |from: u32, to: u32| {
            // SAFETY: two different nodes of the part; the grid is held exclusively, and no two threads move one part.
            unsafe { std::ptr::copy_nonoverlapping(part.node(from), part.node(to), stride) };
        };
        let last = self.order.len();
        let source = |to: u32| self.order[to as usize - 1];
        let mut done = vec![false; last + 1];
        // A free place is taken by the node that belongs there, which leaves its own free, and so on.
        for free in (1..=last as u32).filter(|&to| self.place[to as usize] == 0) {
            let mut to = free;
            loop {
                let from = source(to);
                copy(from, to);
                done[to as usize] = true;
                if from as usize > last {
                    break;
                }
                to = from;
            }
        }
        // What is left moves in circles.
        let mut aside = vec![0u8; stride];
        for first in 1..=last as u32 {
            if done[first as usize] || source(first) == first {
                continue;
            }
            // SAFETY: a node of the part, and a buffer of as many bytes.
            unsafe { std::ptr::copy_nonoverlapping(part.node(first), aside.as_mut_ptr(), stride) };
            let mut to = first;
            while source(to) != first {
                copy(source(to), to);
                done[to as usize] = true;
                to = source(to);
            }
            // SAFETY: as above.
            unsafe { std::ptr::copy_nonoverlapping(aside.as_ptr(), part.node(to), stride) };
            done[to as usize] = true;
        }
    }
}

impl<G: Layout> Core<G> {
    /// Renumbers the nodes in the order of iteration, and gives the memory behind them back.
    pub(crate) fn compact(&mut self) {
        let end = |kind| if kind == 0 { 1 } else { self.pool(kind).end() };
        let moves: Vec<Move> = (0..G::TREE.node_kinds())
            .map(|kind| {
                let order = match kind {
                    0 => Vec::new(),
                    _ if self.meta.is_chunk(kind) => self.chunks_in_order(kind),
                    _ => self.order(kind).to_vec(),
                };
                Move::new(order, end(kind))
            })
            .collect();
        let mut raw = self.raw_mut();
        raw.renumber(&moves);
        raw.shrink();
    }

    /// The chunks of lists, list by list in the order of iteration.
    fn chunks_in_order(&self, kind: usize) -> Vec<u32> {
        let raw = self.raw();
        let level = G::TREE.maker(kind);
        let plan = G::TREE.list_plan(&raw.meta.shape, level);
        let mut chunks = Vec::with_capacity(self.pool(kind).live() as usize);
        for &node in self.order(G::TREE.holder(level)) {
            for slot in 0..raw.meta.shape.slots[level] {
                for i in 0..plan.chunks {
                    // SAFETY: an entry of the chunk table of a list of a live node; the grid is held exclusively.
                    chunks.push(unsafe { *raw.list_chunk(&plan, node, slot, i) });
                }
            }
        }
        chunks.retain(|chunk| *chunk != 0);
        chunks
    }
}

impl RawMut<'_> {
    fn renumber(&mut self, moves: &[Move]) {
        let moving = |kind: &usize| !moves[*kind].is_idle();
        let parts: Vec<(usize, usize)> = (1..self.pools.len())
            .filter(moving)
            .flat_map(|kind| self.meta.parts_of(kind).map(move |(part, _)| (kind, part)))
            .collect();
        parts.par_iter().with_max_len(1).for_each(|&(kind, part)| moves[kind].apply(&self.parts[part]));
        for level in 0..self.meta.tree.levels.len() {
            let (kind, holder) = (self.meta.tree.content(level), self.meta.tree.holder(level));
            if !self.meta.tree.levels[level].kind.is_indirect() {
                continue;
            }
            let raw = self.shared();
            if holder != 0 {
                (1..moves[kind].order.len() as u32 + 1).into_par_iter().with_min_len(1024).for_each(|h| {
                    raw.set_parent(kind, h, moves[holder].place[raw.parent(kind, h) as usize]);
                });
            }
            let nodes = if holder == 0 { 0..1 } else { 1..moves[holder].order.len() as u32 + 1 };
            let place = &moves[kind].place;
            nodes.into_par_iter().with_min_len(16).for_each(|node| raw.replace_handles(level, node, place));
        }
        for (kind, moved) in moves.iter().enumerate().skip(1) {
            self.pools[kind].renumber(moved.order.len() as u32);
            self.pools[kind].directory.renumber(|h| moved.place[h as usize]);
        }
    }
}

impl Raw<'_> {
    fn set_parent(&self, kind: usize, handle: u32, parent: u32) {
        self.write_header(kind, handle, &self.origin(kind, handle), parent);
    }

    /// Replaces every handle that a level keeps in a node; nobody else accesses them meanwhile.
    fn replace_handles(&self, level: usize, node: u32, place: &[u32]) {
        let slots = self.meta.shape.slots[level];
        let replace = |entry: *mut u32| {
            // SAFETY: an entry of a table of a live node, which is this thread's alone.
            unsafe { *entry = place[*entry as usize] };
        };
        match self.meta.tree.levels[level].kind {
            Kind::Pointer => {
                for (w, bits) in bit_range(0, slots) {
                    // SAFETY: an occupancy word of a live node.
                    let mut on = unsafe { *self.word(self.meta.tree.aux_part(level), node, w) } & bits;
                    while on != 0 {
                        replace(self.entry(level, node, w * 64 + u64::from(on.trailing_zeros())));
                        on &= on - 1;
                    }
                }
            }
            Kind::Dynamic => {
                let plan = self.meta.tree.list_plan(&self.meta.shape, level);
                for slot in 0..slots {
                    (0..plan.chunks).for_each(|i| replace(self.list_chunk(&plan, node, slot, i)));
                }
            }
            _ => {}
        }
    }
}
