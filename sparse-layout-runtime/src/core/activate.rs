//! Activation: the path to a cell, node by node.
//!
//! One function for all layouts, reading the plan at run time. It works through atomics, so that any number of
//! threads may run it on the same nodes: a node is made, filled with background, and published with one
//! compare-exchange (Release); whoever reads a handle (Acquire) sees the background behind it ([`publish`]).

use super::Loc;
use super::nodes::Raw;
use crate::error::Exhausted;
use crate::plan::{Plan, Step};
use crate::slab::{Published, masks, publish};
use crate::sync::{shared_mask, shared_word};
use crate::tree::{Kind, MAX_AXES};

impl Raw<'_> {
    /// Activates every level on the way to `point`, which must be inside the plan's bounds.
    pub(crate) fn activate(&self, plan: &Plan, point: &[i32]) -> Result<Loc, Exhausted> {
        self.activate_steps(plan, plan.n, point)
    }

    /// Activates the first `n` levels on the way to `point`.
    pub(crate) fn activate_steps(&self, plan: &Plan, n: usize, point: &[i32]) -> Result<Loc, Exhausted> {
        self.activate_with(plan, n, point, |kind, origin, parent| self.allocate(kind, origin, parent))
    }

    /// As [`activate_steps`](Self::activate_steps), with nodes from `make`, which is given the kind of node, its origin
    /// and its parent.
    pub(crate) fn activate_with(
        &self,
        plan: &Plan,
        n: usize,
        point: &[i32],
        mut make: impl FnMut(usize, &[i32; MAX_AXES], u32) -> Result<u32, Exhausted>,
    ) -> Result<Loc, Exhausted> {
        let mut at = Loc { handle: 0, outer: 0, digit: 0 };
        let mut cells = 1;
        for step in &plan.steps[..n] {
            let slot = (at.outer * cells + at.digit) * step.cells + plan.digit_of(step, |j| plan.counted(j, point[j]));
            let mut origin = [0; MAX_AXES];
            for j in 0..plan.d {
                origin[plan.axis[j]] = (plan.counted(j, point[j]).div_euclid(i64::from(step.div[j]))) as i32;
            }
            match step.kind {
                Kind::Dense | Kind::Bitmasked => {
                    at = Loc { handle: at.handle, outer: slot / step.cells, digit: slot % step.cells };
                    cells = step.cells;
                    if step.kind == Kind::Bitmasked {
                        self.set_bit(step.level, at.handle, slot);
                    }
                    continue;
                }
                Kind::Pointer => {
                    let child = self.publish_child(step, at.handle, slot, || make(step.content, &origin, at.handle))?;
                    at = Loc { handle: child, outer: 0, digit: 0 };
                }
                Kind::Hash => {
                    let (key, len) = self.key(step.content, &origin);
                    let hash = (self.meta.hash_key)(step.level, &key[..len]);
                    let directory = &self.pools[step.content].directory;
                    let is = |h| self.key(step.content, &self.origin(step.content, h)).0 == key;
                    let parent = at.handle;
                    let mut made = false;
                    let child = directory.find_or_insert(hash, is, || {
                        let child = make(step.content, &origin, parent)?;
                        made = true;
                        Ok(child)
                    })?;
                    if made {
                        self.pools[step.content].handles().landed();
                    }
                    at = Loc { handle: child, outer: 0, digit: 0 };
                }
                Kind::Dynamic => unreachable!("lists have no cells"),
            }
            cells = 1;
        }
        Ok(at)
    }

    /// The node behind a slot of a pointer level, made if it is not there.
    fn publish_child(
        &self,
        step: &Step,
        node: u32,
        slot: u64,
        make: impl FnMut() -> Result<u32, Exhausted>,
    ) -> Result<u32, Exhausted> {
        // SAFETY: `slot` is a cell of the level in a live node; entries are only accessed atomically while more than one
        // thread may be here.
        let entry = unsafe { shared_word(self.entry(step.level, node, slot)) };
        let handles = self.pools[step.content].handles();
        let published = publish(entry, handles, make, |spare| self.lose(step.content, spare))?;
        if let Published::Made(_) = published {
            let word = self.word(self.meta.tree.aux_part(step.level), node, slot / 64);
            // SAFETY: the occupancy word of the slot. It is set once the node stands; until then nobody relies on it.
            masks::set_bits(unsafe { shared_mask(word) }, 1 << (slot % 64));
        }
        Ok(published.handle())
    }

    /// The part of an origin that a hash level's key consists of, and its length.
    pub(crate) fn key(&self, kind: usize, origin: &[i32; MAX_AXES]) -> ([i32; MAX_AXES], usize) {
        let maker = self.meta.tree.maker(kind);
        let (mut key, mut n) = ([0; MAX_AXES], 0);
        for (a, o) in origin.iter().enumerate().take(self.meta.tree.axes.len()) {
            let shape = &self.meta.shape;
            if shape.sizes[maker][a] != 0 || !shape.is_first(&self.meta.tree, maker, a) {
                key[n] = *o;
                n += 1;
            }
        }
        (key, n)
    }

    /// Sets an activity bit, and its summary bit.
    pub(crate) fn set_bit(&self, level: usize, handle: u32, slot: u64) {
        let word = self.word(self.meta.tree.main_part(level), handle, slot / 64);
        // SAFETY: the mask word of a slot of a live node, accessed atomically while more than one thread may be here.
        masks::set_bits(unsafe { shared_mask(word) }, 1 << (slot % 64));
        if self.has_summary(level) {
            let summary = self.word(self.meta.tree.aux_part(level), handle, slot / 64 / 64);
            // SAFETY: as above.
            masks::set_bits(unsafe { shared_mask(summary) }, 1 << (slot / 64 % 64));
        }
    }

    /// A node that another thread was faster to publish: kept for the next time.
    pub(crate) fn lose(&self, kind: usize, handle: u32) {
        self.write_header(kind, handle, &[0; MAX_AXES], super::DEAD);
        self.pools[kind].handles().keep(handle, |next| {
            // SAFETY: the first word of the header of a node that is this thread's alone.
            unsafe { self.header(kind, handle).cast::<u32>().write(next) };
        });
    }
}
