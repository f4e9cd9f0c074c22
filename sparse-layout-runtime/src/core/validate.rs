//! The invariants of a grid, checked one by one. Slow; for tests and fuzzers.

use super::nodes::{DEAD, Raw};
use crate::plan::Plan;
use crate::tree::{Kind, ROOT};

impl Raw<'_> {
    pub(crate) fn validate(&self) {
        for kind in 0..self.pools.len() {
            if kind == 0 {
                self.validate_node(0, 0);
                continue;
            }
            self.validate_pool(kind);
            self.validate_background_node(kind);
            for h in self.live(kind) {
                if self.meta.is_chunk(kind) {
                    continue;
                }
                self.validate_link(kind, h);
                self.validate_node(kind, h);
            }
        }
    }

    fn validate_pool(&self, kind: usize) {
        let pool = &self.pools[kind];
        let mut dead = vec![false; pool.end() as usize];
        for &h in pool.free() {
            assert!(h > 0 && h < pool.end(), "handle {h} on the free list was never handed out");
            assert!(!std::mem::replace(&mut dead[h as usize], true), "handle {h} is on the free list twice");
            assert_eq!(self.parent(kind, h), DEAD, "handle {h} is free and alive");
        }
        let alive = self.live(kind).count();
        assert_eq!(alive, pool.live() as usize, "nodes that were taken and nodes that are alive differ");
        let mut handles: Vec<u32> = pool.directory.handles().collect();
        handles.sort_unstable();
        let keyed: Vec<u32> = if self.meta.is_keyed(kind) { self.live(kind).collect() } else { Vec::new() };
        assert_eq!(handles, keyed, "the directory and the live nodes differ");
        assert_eq!(pool.directory.entries(), keyed.len());
    }

    fn validate_background_node(&self, kind: usize) {
        for (part, stride) in self.meta.parts_of(kind) {
            if part == self.meta.tree.header_part(kind)
                || part >= self.meta.tree.node_kinds() + 2 * self.meta.tree.levels.len()
            {
                continue;
            }
            // SAFETY: the background node's own bytes, borrowed for reading.
            let bytes = unsafe { std::slice::from_raw_parts(self.parts[part].node(0), stride) };
            assert!(bytes.iter().all(|b| *b == 0), "the background node leads somewhere");
        }
        for f in self.meta.fields_in(kind) {
            for c in 0..self.meta.shape.per_node(&self.meta.tree, self.meta.tree.fields[f].level) {
                assert!(self.holds_background(f, 0, c), "the background node was written to");
            }
        }
    }

    /// That the parent's slot leads here.
    fn validate_link(&self, kind: usize, h: u32) {
        let maker = self.meta.tree.maker(kind);
        let parent = self.parent(kind, h);
        let holder = self.meta.tree.holder(maker);
        assert!(
            if holder == 0 { parent == 0 } else { parent > 0 && self.parent(holder, parent) != DEAD },
            "the parent of a live node is not alive"
        );
        let plan = Plan::new(&self.meta.tree, &self.meta.shape, maker);
        let origin = self.origin(kind, h);
        if self.meta.tree.levels[maker].kind == Kind::Pointer {
            let slot = plan.slot_above(&origin, maker);
            // SAFETY: the entry of a cell of the level in a live node, borrowed for reading.
            assert_eq!(unsafe { *self.entry(maker, parent, slot) }, h, "the slot of a node leads elsewhere");
        }
        // Every bitmasked cell on the way is on.
        let mut l = self.meta.tree.levels[maker].parent;
        while l != ROOT && !self.meta.tree.levels[l].kind.is_indirect() {
            if self.meta.tree.levels[l].kind == Kind::Bitmasked {
                let slot = plan.slot_above(&origin, l);
                assert!(self.bit(self.meta.tree.main_part(l), parent, slot), "a node lies below an inactive cell");
            }
            l = self.meta.tree.levels[l].parent;
        }
    }

    fn bit(&self, part: usize, h: u32, i: u64) -> bool {
        // SAFETY: a word of a node that exists, borrowed for reading.
        unsafe { *self.word(part, h, i / 64) >> (i % 64) & 1 != 0 }
    }

    fn validate_node(&self, kind: usize, h: u32) {
        for l in self.meta.levels_in(kind) {
            let (main, aux) = (self.meta.tree.main_part(l), self.meta.tree.aux_part(l));
            let slots = self.meta.shape.slots[l];
            let words = slots.div_ceil(64);
            let word = |part, w| {
                // SAFETY: a word of a node that exists, borrowed for reading.
                unsafe { *self.word(part, h, w) }
            };
            match self.meta.tree.levels[l].kind {
                Kind::Bitmasked => {
                    assert!(
                        slots.is_multiple_of(64) || word(main, words - 1) >> (slots % 64) == 0,
                        "bits past the last cell"
                    );
                    if self.has_summary(l) {
                        for w in 0..words {
                            assert_eq!(word(main, w) != 0, self.bit(aux, h, w), "the summary is wrong");
                        }
                    }
                }
                Kind::Pointer => {
                    for slot in 0..slots {
                        // SAFETY: as above.
                        let child = unsafe { *self.entry(l, h, slot) };
                        assert_eq!(child != 0, self.bit(aux, h, slot), "occupancy and handles differ");
                        let content = self.meta.tree.content(l);
                        assert!(child == 0 || self.parent(content, child) == h, "a handle leads to another's node");
                    }
                }
                _ => {}
            }
        }
        for f in self.meta.fields_in(kind) {
            let level = self.meta.tree.fields[f].level;
            for c in 0..self.meta.shape.per_node(&self.meta.tree, level) {
                if !self.on_in_node(level, h, c) {
                    let name = self.meta.tree.fields[f].name;
                    assert!(self.holds_background(f, h, c), "`{name}`: an inactive cell does not hold the background");
                }
            }
        }
        self.validate_nested_bits(kind, h);
        self.validate_lists(kind, h);
    }

    /// An active cell has active ancestors.
    fn validate_nested_bits(&self, kind: usize, h: u32) {
        for l in self.meta.levels_in(kind).filter(|&l| self.meta.tree.levels[l].kind == Kind::Bitmasked) {
            let parent = self.meta.tree.levels[l].parent;
            for c in 0..self.meta.shape.slots[l] {
                if self.bit(self.meta.tree.main_part(l), h, c) {
                    assert!(
                        self.on_in_node(parent, h, c / self.meta.shape.cells[l]),
                        "an active cell below an inactive one"
                    );
                }
            }
        }
    }

    /// Whether the bitmasked levels from `level` up to the node's first are on.
    fn on_in_node(&self, mut level: usize, h: u32, mut c: u64) -> bool {
        while level != ROOT && !self.meta.tree.levels[level].kind.is_indirect() {
            if self.meta.tree.levels[level].kind == Kind::Bitmasked && !self.bit(self.meta.tree.main_part(level), h, c)
            {
                return false;
            }
            c /= self.meta.shape.cells[level];
            level = self.meta.tree.levels[level].parent;
        }
        true
    }
}
