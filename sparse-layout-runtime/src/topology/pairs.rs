//! Nodes of two grids that stand for the same cell of levels declared alike.
//!
//! Cells have the same numbers in both, so no coordinates are needed: the children of a pair are found through the occupancy
//! bits of the one and the handles of the other, side by side.

use crate::core::{DEAD, Raw};
use crate::error::Exhausted;
use crate::plan::Plan;
use crate::tree::{Kind, ROOT};

/// A node, and its counterpart in the other grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub(super) from: u32,
    /// 0 where there is none (but the root's is 0 too).
    pub(super) to: u32,
    /// Whether the counterpart was made now.
    pub(super) made: bool,
}

/// The roots.
pub(super) const ROOTS: Pair = Pair { from: 0, to: 0, made: false };

/// Two grids, and what is to be done where the second one has no counterpart.
#[derive(Clone, Copy)]
pub(super) struct Grids<'a> {
    pub(super) from: Raw<'a>,
    pub(super) to: Raw<'a>,
    /// Makes the counterparts that are missing. The second grid is held exclusively.
    pub(super) make: bool,
}

/// The parts and kinds of node of a level of indirection in both grids.
struct Step {
    twin: usize,
    /// Occupancy bits and handles in the first grid.
    bits: usize,
    handles: usize,
    /// The same in the second.
    occupancy: usize,
    entries: usize,
    /// The kind of node in the second grid, and in the first.
    own: usize,
    theirs: usize,
    /// Whether levels without nodes of their own lie between its cells and the node.
    is_fused: bool,
}

impl Step {
    fn new(grids: &Grids<'_>, maker: usize, twin: usize) -> Self {
        let (from, to) = (&grids.from.meta.tree, &grids.to.meta.tree);
        let above = to.levels[twin].parent;
        Step {
            twin,
            bits: from.aux_part(maker),
            handles: from.main_part(maker),
            occupancy: to.aux_part(twin),
            entries: to.main_part(twin),
            own: to.content(twin),
            theirs: from.content(maker),
            is_fused: above != ROOT && !to.levels[above].kind.is_indirect(),
        }
    }
}

impl Grids<'_> {
    /// The nodes that a level of indirection makes, `maker` in the first grid and `twin` in the second, below the pairs of nodes
    /// that hold its cells. Every live node of the first grid comes once.
    pub(super) fn below(&self, maker: usize, twin: usize, parents: &[Pair]) -> Result<Vec<Pair>, Exhausted> {
        let tree = &self.from.meta.tree;
        let live = u64::from(self.from.pools[tree.content(maker)].live());
        let words = self.from.meta.shape.slots[maker].div_ceil(64);
        let mut pairs = Vec::with_capacity(live as usize);
        let step = &Step::new(self, maker, twin);
        match tree.levels[maker].kind {
            Kind::Hash => self.by_key(maker, twin, parents, &mut pairs)?,
            // As for the order of iteration: tables that are nearly empty are not read.
            _ if words.saturating_mul(parents.len() as u64) <= 64 + 8 * live => {
                self.by_occupancy(step, parents, words, &mut pairs)?;
            }
            _ => self.by_slot(maker, step, parents, &mut pairs)?,
        }
        Ok(pairs)
    }

    fn by_occupancy(&self, step: &Step, parents: &[Pair], words: u64, pairs: &mut Vec<Pair>) -> Result<(), Exhausted> {
        for parent in parents {
            let handles = self.from.parts[step.handles].node(parent.from).cast::<u32>();
            let entries = self.to.parts[step.entries].node(parent.to).cast::<u32>();
            for w in 0..words {
                // SAFETY: an occupancy word of a live node of a grid that is borrowed.
                let mut on = unsafe { *self.from.word(step.bits, parent.from, w) };
                while on != 0 {
                    let slot = w * 64 + u64::from(on.trailing_zeros());
                    on &= on - 1;
                    // SAFETY: the entry of an occupied slot, as above; and that of the same cell in the root's, a live or the
                    // background node of the other grid, whose entries are 0.
                    let (child, to) = unsafe { (*handles.add(slot as usize), *entries.add(slot as usize)) };
                    pairs.push(match to {
                        0 if self.make => self.at_slot(step, child, parent.to, slot)?,
                        _ => Pair { from: child, to, made: false },
                    });
                }
            }
        }
        Ok(())
    }

    fn by_slot(&self, maker: usize, step: &Step, parents: &[Pair], pairs: &mut Vec<Pair>) -> Result<(), Exhausted> {
        let kind = self.from.meta.tree.content(maker);
        let plan = Plan::new(&self.from.meta.tree, &self.from.meta.shape, maker);
        let twins = twins(parents);
        for child in self.from.live(kind) {
            let slot = plan.slot_above(&self.from.origin(kind, child), maker);
            let parent = twins[self.from.parent(kind, child) as usize];
            pairs.push(self.at_slot(step, child, parent, slot)?);
        }
        Ok(())
    }

    /// The counterpart of `child` behind a slot of `parent`.
    fn at_slot(&self, step: &Step, child: u32, parent: u32, slot: u64) -> Result<Pair, Exhausted> {
        let entry = self.to.parts[step.entries].node(parent).cast::<u32>().wrapping_add(slot as usize);
        // SAFETY: the entry of a cell of the level in the root's, a live or the background node, whose entries are 0.
        let found = unsafe { *entry };
        if found != 0 || !self.make {
            return Ok(Pair { from: child, to: found, made: false });
        }
        let to = self.to.allocate(step.own, &self.from.origin(step.theirs, child), parent)?;
        // SAFETY: as above; every parent has a counterpart where those that are missing are made, and this grid is held
        // exclusively.
        unsafe {
            *entry = to;
            *self.to.word(step.occupancy, parent, slot / 64) |= 1 << (slot % 64);
        }
        if step.is_fused {
            self.mark_above(step.twin, parent, slot);
        }
        Ok(Pair { from: child, to, made: true })
    }

    fn by_key(&self, maker: usize, twin: usize, parents: &[Pair], pairs: &mut Vec<Pair>) -> Result<(), Exhausted> {
        let kind = self.from.meta.tree.content(maker);
        let own = self.to.meta.tree.content(twin);
        let plan = Plan::new(&self.to.meta.tree, &self.to.meta.shape, twin);
        let above = self.to.meta.tree.levels[twin].parent;
        let twins = twins(parents);
        for child in self.from.live(kind) {
            let origin = self.from.origin(kind, child);
            let (key, len) = self.to.key(own, &origin);
            let hash = (self.to.meta.hash_key)(twin, &key[..len]);
            let directory = &self.to.pools[own].directory;
            let is = |h| self.to.key(own, &self.to.origin(own, h)).0 == key;
            let mut made = false;
            let to = if self.make {
                let parent = twins[self.from.parent(kind, child) as usize];
                let make = || {
                    made = true;
                    self.to.allocate(own, &origin, parent)
                };
                let to = directory.find_or_insert(hash, is, make)?;
                if made && above != ROOT && !self.to.meta.tree.levels[above].kind.is_indirect() {
                    self.mark_from(above, parent, plan.slot_above(&origin, above));
                }
                to
            } else {
                directory.find(hash, is)
            };
            pairs.push(Pair { from: child, to, made });
        }
        Ok(())
    }

    /// Turns on the bits of the masked levels above a cell of `level`, in its node of the second grid.
    fn mark_above(&self, level: usize, node: u32, slot: u64) {
        let tree = &self.to.meta.tree;
        let above = tree.levels[level].parent;
        if above != ROOT && !tree.levels[above].kind.is_indirect() {
            self.mark_from(above, node, slot / self.to.meta.shape.cells[level]);
        }
    }

    /// As [`mark_above`](Self::mark_above), beginning with `level` itself.
    fn mark_from(&self, mut level: usize, node: u32, mut slot: u64) {
        let tree = &self.to.meta.tree;
        while level != ROOT && !tree.levels[level].kind.is_indirect() {
            if tree.levels[level].kind == Kind::Bitmasked {
                self.to.set_bit(level, node, slot);
            }
            slot /= self.to.meta.shape.cells[level];
            level = tree.levels[level].parent;
        }
    }

    /// The pairs of nodes that hold the cells of a level, `level` in the first grid and `twin` in the second, from the roots down.
    pub(super) fn holders(&self, level: usize, twin: usize) -> Result<Vec<Pair>, Exhausted> {
        let makers = |raw: &Raw<'_>, mut level: usize| {
            let mut makers = Vec::new();
            level = raw.meta.tree.levels[level].parent;
            while level != ROOT {
                if raw.meta.tree.levels[level].kind.is_indirect() {
                    makers.push(level);
                }
                level = raw.meta.tree.levels[level].parent;
            }
            makers.reverse();
            makers
        };
        let mut pairs = vec![ROOTS];
        for (maker, twin) in makers(&self.from, level).into_iter().zip(makers(&self.to, twin)) {
            pairs = self.below(maker, twin, &pairs)?;
        }
        Ok(pairs)
    }
}

/// The counterparts by handle.
fn twins(pairs: &[Pair]) -> Vec<u32> {
    let mut twins = vec![0; pairs.iter().map(|p| p.from as usize + 1).max().unwrap_or(0)];
    pairs.iter().for_each(|p| twins[p.from as usize] = p.to);
    debug_assert!(pairs.iter().all(|p| p.from != DEAD));
    twins
}
