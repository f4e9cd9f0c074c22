//! Giving memory back to the system.
//!
//! A page that holds nothing but free nodes is given back, and reads as zero afterwards; so is a page of the root's that
//! holds nothing but zeroes, which changes nothing for anyone.

use super::nodes::RawMut;
use crate::slab::arena::HUGE;
use crate::slab::pages;
use crate::tree::Kind;

impl RawMut<'_> {
    /// Gives the memory of free nodes back.
    pub(crate) fn shrink(&mut self) {
        self.shrink_root();
        for kind in 1..self.pools.len() {
            self.shrink_pool(kind);
        }
    }

    /// Gives the memory past the last node of a kind back, and that of free nodes between others.
    fn shrink_pool(&mut self, kind: usize) {
        let pool = &mut self.pools[kind];
        pool.trim();
        let (end, mark) = (pool.end() as usize, pool.mark() as usize);
        let header = self.meta.tree.header_part(kind);
        for (part, stride) in self.meta.parts_of(kind) {
            let base = self.parts[part].base();
            // SAFETY: the memory of nodes past the last one; the grid is held exclusively.
            unsafe { self.arenas[kind].zero(base.wrapping_add(end * stride), (mark - end) * stride) };
            // Headers say that a node is free: they stay.
            if part == header {
                continue;
            }
            for run in self.pools[kind].free_runs() {
                let (from, len) = (base.wrapping_add(run.start as usize * stride), run.len() * stride);
                let whole = pages::whole_pages(from, len);
                // SAFETY: pages of free nodes, which are cleared when they are taken; the grid is held exclusively.
                unsafe { self.arenas[kind].discard(from.wrapping_add(whole.start), whole.len()) };
            }
        }
        let pool = &mut self.pools[kind];
        pool.note_clean();
        pool.directory.shrink();
    }

    /// Gives pages of the root's back that hold zeroes only.
    fn shrink_root(&mut self) {
        // A dense root is in huge pages, which should stay whole.
        let dense = self.meta.tree.levels.iter().all(|l| l.kind == Kind::Dense);
        let unit = if dense { HUGE } else { pages::page_size() };
        for (part, stride) in self.meta.parts_of(0) {
            let base = self.parts[part].base();
            let whole = pages::whole_pages(base, stride);
            let first = base.wrapping_add(whole.start);
            let mut zeroes = Vec::new();
            pages::for_each_resident(first, whole.len(), |run| {
                for at in run.step_by(unit) {
                    let len = unit.min(whole.len() - at);
                    // SAFETY: a range of the root's part, initialised memory; the grid is held exclusively.
                    let bytes = unsafe { std::slice::from_raw_parts(first.wrapping_add(at), len) };
                    if bytes.iter().all(|b| *b == 0) {
                        zeroes.push(at..at + len);
                    }
                }
            });
            zeroes.dedup_by(|next, last| {
                let joins = last.end == next.start;
                if joins {
                    last.end = next.end;
                }
                joins
            });
            for run in zeroes {
                // SAFETY: pages that hold zeroes; the grid is held exclusively.
                unsafe { self.arenas[0].discard(first.wrapping_add(run.start), run.len()) };
            }
        }
    }
}
