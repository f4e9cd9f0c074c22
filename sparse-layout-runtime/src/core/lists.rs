//! Lists of a `dynamic` level: lengths, chunk tables, chunks.

use super::nodes::{Raw, RawMut};
use crate::error::Exhausted;
use crate::plan::ListPlan;
use crate::tree::{Kind, MAX_AXES};

impl Raw<'_> {
    /// The dynamic levels whose lists belong to nodes of this kind, with their plans.
    pub(crate) fn lists_in(&self, kind: usize) -> impl Iterator<Item = (usize, ListPlan)> + '_ {
        let tree = &self.meta.tree;
        let dynamic = move |l: &usize| tree.levels[*l].kind == Kind::Dynamic;
        self.meta.levels_in(kind).filter(dynamic).map(|l| (l, tree.list_plan(&self.meta.shape, l)))
    }

    /// The length of list `slot` of a node.
    #[inline(always)]
    pub(crate) fn list_len(&self, plan: &ListPlan, node: u32, slot: u64) -> *mut u32 {
        debug_assert!((slot + 1) * 4 <= plan.lengths_stride);
        self.parts[plan.lengths].node(node).cast::<u32>().wrapping_add(slot as usize)
    }

    /// Entry `i` of the chunk table of list `slot` of a node.
    #[inline(always)]
    pub(crate) fn list_chunk(&self, plan: &ListPlan, node: u32, slot: u64, i: u64) -> *mut u32 {
        debug_assert!(i < plan.chunks && ((slot + 1) * plan.chunks) * 4 <= plan.tables_stride);
        self.parts[plan.tables].node(node).cast::<u32>().wrapping_add((slot * plan.chunks + i) as usize)
    }

    /// The byte of a chunk's header that says whether item `i` of the chunk is finished. Of items below the length it is 0 only
    /// while another thread appends them, past the length it is 0.
    #[inline(always)]
    pub(crate) fn place(&self, kind: usize, chunk: u32, i: u64) -> *mut u8 {
        debug_assert!(self.meta.is_chunk(kind) && i < self.meta.tree.chunk_of(self.meta.tree.maker(kind)));
        self.header(kind, chunk).wrapping_add(self.meta.tree.axes.len() + 1).cast::<u8>().wrapping_add(i as usize)
    }

    /// Says of the items `from..to` of a chunk that they are finished, or gone. The grid is held exclusively, or the chunk
    /// is this thread's alone.
    pub(crate) fn mark_places(&self, kind: usize, chunk: u32, from: u64, to: u64, finished: bool) {
        if from < to {
            // SAFETY: bytes of the header of a chunk, one per item, which nobody else accesses.
            unsafe { self.place(kind, chunk, from).write_bytes(finished.into(), (to - from) as usize) };
        }
    }

    /// Says of all items of a chunk that was just taken that they are not finished.
    pub(crate) fn unmark_places(&self, kind: usize, chunk: u32) {
        self.mark_places(kind, chunk, 0, self.meta.tree.chunk_of(self.meta.tree.maker(kind)), false);
    }

    /// Checks the lists of a node.
    pub(crate) fn validate_lists(&self, kind: usize, node: u32) {
        for (level, plan) in self.lists_in(kind) {
            for slot in 0..self.meta.shape.slots[level] {
                // SAFETY: the length and the chunk entries of a list of a node that exists, borrowed for reading.
                let len = u64::from(unsafe { *self.list_len(&plan, node, slot) });
                assert!(len <= plan.max, "a list is longer than its most");
                for i in 0..plan.chunks {
                    // SAFETY: as above.
                    let chunk = unsafe { *self.list_chunk(&plan, node, slot, i) };
                    assert!(i * plan.chunk >= len || chunk != 0, "a chunk of a list is missing");
                    assert!(chunk == 0 || self.parent(plan.content, chunk) == node, "a chunk belongs to another node");
                    if chunk == 0 {
                        continue;
                    }
                    let used = len.saturating_sub(i * plan.chunk).min(plan.chunk);
                    for c in 0..plan.chunk {
                        // SAFETY: as above, a byte of the chunk's header.
                        let finished = unsafe { *self.place(plan.content, chunk, c) } != 0;
                        assert_eq!(finished, c < used, "items of a list and finished items differ");
                    }
                    for f in self.meta.fields_in(plan.content) {
                        for c in used..plan.chunk {
                            assert!(self.value(f, chunk, c) == self.background(f), "an item past the end of a list");
                        }
                    }
                }
            }
        }
    }

    /// Whether two lists hold the same items.
    pub(crate) fn same_lists(&self, other: &Raw<'_>, kind: usize, l: u32, r: u32) -> bool {
        self.lists_in(kind).all(|(level, plan)| {
            (0..self.meta.shape.slots[level]).all(|slot| {
                // SAFETY: lengths of lists of nodes that exist, borrowed for reading.
                let (a, b) = unsafe { (*self.list_len(&plan, l, slot), *other.list_len(&plan, r, slot)) };
                let same_item = |i: u64| {
                    // SAFETY: as above: entries of the chunk tables.
                    let (x, y) = unsafe {
                        let at = i / plan.chunk;
                        (*self.list_chunk(&plan, l, slot, at), *other.list_chunk(&plan, r, slot, at))
                    };
                    let c = i % plan.chunk;
                    self.meta.fields_in(plan.content).all(|f| self.value(f, x, c) == other.value(f, y, c))
                };
                a == b && (0..u64::from(a)).all(same_item)
            })
        })
    }
}

impl RawMut<'_> {
    /// The chunk for item `i` of a list, made if it is not there.
    pub(crate) fn chunk_for(&mut self, plan: &ListPlan, node: u32, slot: u64, i: u64) -> Result<u32, Exhausted> {
        let raw = self.shared();
        let entry = raw.list_chunk(plan, node, slot, i / plan.chunk);
        // SAFETY: an entry of the chunk table of a list of a live node; the grid is held exclusively.
        unsafe {
            if *entry == 0 {
                *entry = raw.allocate(plan.content, &[0; MAX_AXES], node)?;
                raw.pools[plan.content].handles().landed();
            }
            Ok(*entry)
        }
    }

    /// Empties the lists `from..to` of a node; their chunks go back to the pool.
    pub(crate) fn free_lists(&mut self, level: usize, node: u32, from: u64, to: u64) {
        let plan = self.meta.tree.list_plan(&self.meta.shape, level);
        for slot in from..to {
            let raw = self.shared();
            // SAFETY: the length of a list of a live node; the grid is held exclusively.
            if unsafe { raw.list_len(&plan, node, slot).replace(0) } > 0 {
                self.free_chunks(&plan, node, slot, 0);
            }
        }
    }

    /// Gives the chunks of a list from number `first` on back to the pool.
    pub(crate) fn free_chunks(&mut self, plan: &ListPlan, node: u32, slot: u64, first: u64) {
        for i in first..plan.chunks {
            let entry = self.shared().list_chunk(plan, node, slot, i);
            // SAFETY: as in `chunk_for`.
            let chunk = unsafe { entry.replace(0) };
            if chunk != 0 {
                self.free_node(plan.content, chunk);
            }
        }
    }
}
