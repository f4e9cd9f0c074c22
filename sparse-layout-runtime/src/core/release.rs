//! Deactivation: cells go back to the background, nodes to the pool.

use super::bit_range;
use super::nodes::{DEAD, RawMut};
use crate::plan::Plan;
use crate::slab::arena::HUGE;
use crate::tree::{Kind, MAX_AXES};

/// Bytes from which a root's part is given back to the system rather than zeroed when a grid is cleared.
const DISCARD_FROM: usize = HUGE;

impl RawMut<'_> {
    /// Resets everything at and below cell `slot` of `level` in a node: values, bits, and the nodes below.
    pub(crate) fn reset_cell(&mut self, level: usize, handle: u32, slot: u64) {
        self.reset_cells(level, handle, slot, slot + 1);
    }

    /// As [`reset_cell`](Self::reset_cell), for the cells `first..end`.
    fn reset_cells(&mut self, level: usize, handle: u32, first: u64, end: u64) {
        let kind = self.meta.tree.holder(level);
        let own = self.meta.shape.slots[level];
        let below: Vec<usize> = self.meta.levels_in(kind).filter(|&m| self.meta.is_within(m, level)).collect();
        for &m in &below {
            let ratio = self.meta.shape.slots[m] / own;
            let (from, to) = (first * ratio, end * ratio);
            match self.meta.tree.levels[m].kind {
                Kind::Bitmasked => self.clear_bits(m, handle, from, to),
                Kind::Pointer => self.free_slots(m, handle, from, to),
                Kind::Hash => (first..end).for_each(|slot| self.free_keyed(m, handle, Some((level, slot)))),
                Kind::Dynamic => self.free_lists(m, handle, from, to),
                Kind::Dense => {}
            }
            if !self.meta.tree.levels[m].kind.is_indirect() {
                for f in 0..self.meta.tree.fields.len() {
                    if self.meta.tree.fields[f].level == m {
                        self.shared().fill(f, handle, from, to);
                    }
                }
            }
        }
    }

    /// Resets block `number` of a plan's level in a node. Where the cell of the level above leads to nothing else and holds
    /// no field, that is deactivated, and its node freed.
    pub(crate) fn remove_block(&mut self, plan: &Plan, handle: u32, number: u64) {
        let tree = self.meta.tree;
        let indirect = |k: usize| plan.steps[k].kind.is_indirect();
        // The step whose cell is to go.
        let mut k = plan.n - 1;
        if !indirect(k) {
            let above = tree.levels[plan.level].parent;
            let has_one_child = tree.levels.iter().filter(|l| l.parent == above).count() == 1;
            let holds_fields = tree.fields.iter().any(|f| f.level == above);
            if k == 0 || !has_one_child || holds_fields || plan.steps[k - 1].kind == Kind::Dense {
                let cells = plan.block;
                return self.reset_cells(plan.level, handle, number * cells, (number + 1) * cells);
            }
            k -= 1;
        }
        let step = &plan.steps[k];
        match step.kind {
            Kind::Hash => self.remove_keyed(step.content, handle),
            Kind::Pointer => {
                let origin = self.shared().origin(step.content, handle);
                let parent = self.shared().parent(step.content, handle);
                let slot = Plan::new(&tree, &self.meta.shape, step.level).slot_above(&origin, step.level);
                self.free_slots(step.level, parent, slot, slot + 1);
            }
            _ => self.reset_cell(step.level, handle, number),
        }
    }

    /// Clears the activity bits `from..to`, and the summary bits of words that became empty.
    pub(crate) fn clear_bits(&mut self, level: usize, handle: u32, from: u64, to: u64) {
        let raw = self.shared();
        let (main, aux) = (self.meta.tree.main_part(level), self.meta.tree.aux_part(level));
        for (w, bits) in bit_range(from, to) {
            let word = raw.word(main, handle, w);
            // SAFETY: a mask word of a live node; the grid is held exclusively.
            let left = unsafe {
                *word &= !bits;
                *word
            };
            if left == 0 && raw.has_summary(level) {
                // SAFETY: the summary word of that mask word.
                unsafe { *raw.word(aux, handle, w / 64) &= !(1 << (w % 64)) };
            }
        }
    }

    /// Works out the summary of a level's masks in these nodes anew.
    pub(crate) fn summarise(&mut self, level: usize, nodes: impl Iterator<Item = u32>) {
        if level == crate::tree::ROOT || !self.shared().has_summary(level) {
            return;
        }
        let raw = self.shared();
        let (main, aux) = (self.meta.tree.main_part(level), self.meta.tree.aux_part(level));
        let mut last = None;
        for node in nodes {
            if last.replace(node) == Some(node) {
                continue;
            }
            for w in 0..self.meta.shape.slots[level].div_ceil(64) {
                // SAFETY: a mask word and its summary word in a live node; the grid is held exclusively.
                unsafe {
                    let bit = 1 << (w % 64);
                    let summary = raw.word(aux, node, w / 64);
                    if *raw.word(main, node, w) != 0 {
                        *summary |= bit;
                    } else {
                        *summary &= !bit;
                    }
                }
            }
        }
    }

    /// Frees the nodes behind the slots `from..to` of a pointer level.
    pub(crate) fn free_slots(&mut self, level: usize, handle: u32, from: u64, to: u64) {
        let aux = self.meta.tree.aux_part(level);
        let content = self.meta.tree.content(level);
        for (w, bits) in bit_range(from, to) {
            let occupancy = self.shared().word(aux, handle, w);
            // SAFETY: an occupancy word of a live node; the grid is held exclusively.
            let mut on = unsafe { *occupancy } & bits;
            while on != 0 {
                let slot = w * 64 + u64::from(on.trailing_zeros());
                on &= on - 1;
                // One by one: should a hasher of the user's panic below, bits and handles agree.
                // SAFETY: as above.
                unsafe { *occupancy &= !(1 << (slot % 64)) };
                let entry = self.shared().entry(level, handle, slot);
                // SAFETY: the entry of an occupied slot.
                let child = unsafe { entry.replace(0) };
                self.free_node(content, child);
            }
        }
    }

    /// Frees a node and all below it. What leads to it is the caller's.
    pub(crate) fn free_node(&mut self, kind: usize, handle: u32) {
        let levels: Vec<usize> = self.meta.levels_in(kind).collect();
        for m in levels {
            match self.meta.tree.levels[m].kind {
                Kind::Pointer => self.free_slots(m, handle, 0, self.meta.shape.slots[m]),
                Kind::Hash => self.free_keyed(m, handle, None),
                Kind::Dynamic => self.free_lists(m, handle, 0, self.meta.shape.slots[m]),
                _ => {}
            }
        }
        self.shared().write_header(kind, handle, &[0; MAX_AXES], DEAD);
        self.pools[kind].give(handle);
    }

    /// Frees the nodes that a hash level made for cells in one parent node; if `within` names a cell of a level above,
    /// in that node, only those below it. Cost: the nodes of the level.
    fn free_keyed(&mut self, level: usize, parent: u32, within: Option<(usize, u64)>) {
        let kind = self.meta.tree.content(level);
        let raw = self.shared();
        let path = Plan::new(&self.meta.tree, &self.meta.shape, level);
        let belongs = |&h: &u32| {
            raw.parent(kind, h) == parent
                && within.is_none_or(|(above, slot)| path.slot_above(&raw.origin(kind, h), above) == slot)
        };
        let doomed: Vec<u32> = self.pools[kind].directory.handles().filter(belongs).collect();
        for h in doomed {
            self.remove_keyed(kind, h);
        }
    }

    /// Frees a node that a hash level made.
    pub(crate) fn remove_keyed(&mut self, kind: usize, handle: u32) {
        let raw = self.shared();
        let (key, len) = raw.key(kind, &raw.origin(kind, handle));
        let hash = (self.meta.hash_key)(self.meta.tree.maker(kind), &key[..len]);
        self.pools[kind].directory.remove(hash, handle);
        self.free_node(kind, handle);
    }

    /// Frees every node and resets the root's.
    pub(crate) fn clear(&mut self) {
        let roots: Vec<(usize, usize)> = self.meta.parts_of(0).collect();
        for (part, stride) in roots {
            let base = self.parts[part].base();
            // SAFETY: the root's part; the grid is held exclusively.
            unsafe {
                if stride < DISCARD_FROM {
                    base.write_bytes(0, stride);
                } else {
                    self.arenas[0].zero(base, stride);
                }
            }
        }
        for kind in 1..self.pools.len() {
            self.pools[kind].reset();
        }
        for f in self.meta.fields_in(0).filter(|&f| !self.backgrounds.is_zero(f)) {
            let cells = self.meta.shape.per_node(&self.meta.tree, self.meta.tree.fields[f].level);
            self.shared().fill(f, 0, 0, cells);
        }
    }
}
