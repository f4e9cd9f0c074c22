//! Pruning: whatever leads to nothing is deactivated.
//!
//! From the innermost kind of node up, so that each cell is looked at once: what lies below it is pruned already.

use super::bit_range;
use super::nodes::{Meta, Raw, RawMut};
use crate::plan::Plan;
use crate::tree::{Kind, ROOT};
use rayon::prelude::*;

/// The cells above a hash level that lead somewhere: node and cell there, sorted. Empty for other levels.
type Keyed = Vec<Vec<(u32, u64)>>;

impl RawMut<'_> {
    /// Deactivates every cell that has no field of its own and, down to the innermost levels, no active cell and no item of
    /// a list below it. How many nodes were freed.
    pub(crate) fn prune(&mut self) -> u64 {
        let live = |raw: &Self| raw.pools.iter().skip(1).map(|p| u64::from(p.live())).sum::<u64>();
        let before = live(self);
        let mut keyed: Keyed = vec![Vec::new(); self.meta.tree.levels.len()];
        for kind in (0..self.pools.len()).rev().filter(|&kind| !self.meta.is_chunk(kind)) {
            self.prune_bits(kind, &keyed);
            if kind == 0 {
                break;
            }
            let maker = self.meta.tree.maker(kind);
            if !self.meta.keeps(maker) {
                self.free_empty(kind, &keyed);
            }
            if self.meta.is_keyed(kind) {
                keyed[maker] = self.shared().keyed(kind);
            }
        }
        before - live(self)
    }

    /// Frees the nodes of a kind with nothing in them.
    fn free_empty(&mut self, kind: usize, keyed: &Keyed) {
        let maker = self.meta.tree.maker(kind);
        let raw = self.shared();
        let is_empty = |h: &u32| raw.parent(kind, *h) != super::DEAD && !raw.leads_on(maker, *h, 0, 1, keyed);
        let empty: Vec<u32> = (1..raw.pools[kind].end()).into_par_iter().with_min_len(256).filter(is_empty).collect();
        let plan = Plan::new(&self.meta.tree, &self.meta.shape, maker);
        for h in empty {
            if self.meta.is_keyed(kind) {
                self.remove_keyed(kind, h);
            } else {
                let slot = plan.slot_above(&self.shared().origin(kind, h), maker);
                let parent = self.shared().parent(kind, h);
                self.free_slots(maker, parent, slot, slot + 1);
            }
        }
    }

    /// Clears the bits of cells that lead nowhere in the nodes of a kind.
    fn prune_bits(&mut self, kind: usize, keyed: &Keyed) {
        let masked = |l: &usize| self.meta.tree.levels[*l].kind == Kind::Bitmasked && !self.meta.keeps(*l);
        // Levels are listed parents first: from the innermost up.
        let levels: Vec<usize> = self.meta.levels_in(kind).filter(masked).collect();
        if levels.is_empty() {
            return;
        }
        let nodes: Vec<u32> = if kind == 0 { vec![0] } else { self.shared().live(kind).collect() };
        for h in nodes {
            for &l in levels.iter().rev() {
                let words: Vec<u64> = self.shared().mask_words(l, h).collect();
                for w in words {
                    // SAFETY: a mask word of a live node; the grid is held exclusively.
                    let mut on = unsafe { *self.shared().word(self.meta.tree.main_part(l), h, w) };
                    while on != 0 {
                        let cell = w * 64 + u64::from(on.trailing_zeros());
                        on &= on - 1;
                        if !self.shared().leads_on(l, h, cell, cell + 1, keyed) {
                            self.clear_bits(l, h, cell, cell + 1);
                        }
                    }
                }
            }
        }
    }
}

impl Meta {
    /// Whether an active cell of the level is something by itself: it holds values, or nothing lies below it.
    fn keeps(&self, level: usize) -> bool {
        self.tree.fields.iter().any(|f| f.level == level) || self.children(level).next().is_none()
    }

    fn children(&self, level: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.tree.levels.len()).filter(move |&l| self.tree.levels[l].parent == level)
    }
}

impl Raw<'_> {
    /// Whether anything below the cells `from..to` of a level is active or an item. `handle` is the node that holds what lies
    /// below, and `from` its cell 0 where the level made that node.
    fn leads_on(&self, level: usize, handle: u32, from: u64, to: u64, keyed: &Keyed) -> bool {
        let own = if self.meta.tree.levels[level].kind.is_indirect() { 1 } else { self.meta.shape.slots[level] };
        self.meta.children(level).any(|l| {
            let ratio = self.meta.shape.slots[l] / own;
            let (first, end) = (from * ratio, to * ratio);
            let any_bit = |part| {
                // SAFETY: a word of a live node; the grid is held exclusively by the caller, who only reads now.
                bit_range(first, end).any(|(w, bits)| unsafe { *self.word(part, handle, w) } & bits != 0)
            };
            match self.meta.tree.levels[l].kind {
                Kind::Bitmasked => any_bit(self.meta.tree.main_part(l)),
                Kind::Pointer => any_bit(self.meta.tree.aux_part(l)),
                Kind::Dense => self.meta.keeps(l) || self.leads_on(l, handle, first, end, keyed),
                Kind::Hash => {
                    let next = keyed[l].partition_point(|place| *place < (handle, from));
                    keyed[l].get(next).is_some_and(|place| *place < (handle, to))
                }
                Kind::Dynamic => {
                    let plan = self.meta.tree.list_plan(&self.meta.shape, l);
                    // SAFETY: the length of a list of a live node, as above.
                    (first..end).any(|slot| unsafe { *self.list_len(&plan, handle, slot) } != 0)
                }
            }
        })
    }

    /// The cells above the nodes that a hash level made: node and cell there, sorted.
    fn keyed(&self, kind: usize) -> Vec<(u32, u64)> {
        let maker = self.meta.tree.maker(kind);
        let above = self.meta.tree.levels[maker].parent;
        let plan = Plan::new(&self.meta.tree, &self.meta.shape, maker);
        let slot = |h: u32| {
            if above == ROOT || self.meta.tree.levels[above].kind.is_indirect() {
                0
            } else {
                plan.slot_above(&self.origin(kind, h), above)
            }
        };
        let mut places: Vec<(u32, u64)> = self.live(kind).map(|h| (self.parent(kind, h), slot(h))).collect();
        places.sort_unstable();
        places
    }
}
