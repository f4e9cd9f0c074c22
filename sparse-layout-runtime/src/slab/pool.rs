//! The nodes of one kind: their handles, and how clean their memory is.
//!
//! Handle 0 is never handed out: it is a real node full of background, so that descents need no branch.

use super::directory::Directory;
use super::handles::{Handles, Source};
use crate::error::Exhausted;
use std::ops::Range;
use std::sync::atomic::AtomicU32;

/// The handles of one kind of node.
#[derive(Debug)]
pub struct Pool {
    handles: Handles,
    /// Handles below this one were used before: their memory is not zero.
    dirty: u32,
    /// The handle at which the next part passes its first huge page.
    pub(crate) advise_at: AtomicU32,
    /// The nodes by key, if a hash level makes them; otherwise empty.
    pub(crate) directory: Directory,
}

/// A handle just taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) handle: u32,
    pub(crate) memory: Memory,
}

/// What a node that was taken holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Memory {
    /// Zeroes.
    Zero,
    /// Anything: it was used before.
    Used,
    /// The background.
    Background,
}

impl Pool {
    /// A pool of the handles 1 to `last`.
    pub(crate) fn new(last: u32) -> Self {
        Pool {
            handles: Handles::new(last),
            dirty: 1,
            advise_at: AtomicU32::new(u32::MAX),
            directory: Directory::default(),
        }
    }

    /// The handles.
    pub(crate) fn handles(&self) -> &Handles {
        &self.handles
    }

    /// One past the highest handle in use.
    #[inline(always)]
    pub(crate) fn end(&self) -> u32 {
        self.handles.end()
    }

    /// How many nodes are alive.
    pub(crate) fn live(&self) -> u32 {
        self.handles.used()
    }

    /// The highest handle there may be.
    pub(crate) fn last(&self) -> u32 {
        self.handles.last()
    }

    /// Takes a handle. Any number of threads may do so. Once its node is published or kept, [`Handles::landed`] is called.
    pub(crate) fn take(&self) -> Result<Taken, Exhausted> {
        let Some((handle, source)) = self.handles.take() else {
            return Err(Exhausted { nodes: self.last() });
        };
        let memory = match source {
            Source::Spare => Memory::Background,
            Source::Fresh if handle >= self.dirty => Memory::Zero,
            Source::Fresh | Source::Free => Memory::Used,
        };
        Ok(Taken { handle, memory })
    }

    /// Gives a handle back.
    pub(crate) fn give(&mut self, handle: u32) {
        self.handles.give(handle);
    }

    /// Forgets every node, keeping the memory.
    pub(crate) fn reset(&mut self) {
        self.dirty = self.dirty.max(self.end());
        self.handles.reset();
        self.directory.clear();
    }

    /// See [`Handles::settle`].
    pub(crate) fn settle(&mut self, next: impl FnMut(u32) -> u32) {
        self.handles.settle(next);
    }

    /// The state of `other`, for a copy whose nodes keep their handles; `next` as in [`Handles::settle`].
    pub(crate) fn copy_from(&mut self, other: &Pool, next: impl FnMut(u32) -> u32) {
        self.handles.copy_from(&other.handles, next);
        self.dirty = other.end();
        self.directory.clone_from(&other.directory);
    }

    /// One past the highest handle whose node may hold anything.
    pub(crate) fn mark(&self) -> u32 {
        self.dirty.max(self.end())
    }

    /// See [`Handles::trim`].
    pub(crate) fn trim(&mut self) {
        self.dirty = self.mark();
        self.handles.trim();
    }

    /// Notes that the memory past the last handle reads as zero again.
    pub(crate) fn note_clean(&mut self) {
        self.dirty = self.end();
    }

    /// Notes that the nodes have become those of the handles 1 to `live`. The directory is the caller's.
    pub(crate) fn renumber(&mut self, live: u32) {
        self.dirty = self.mark();
        self.handles.renumber(live);
    }

    /// Runs of free handles, once [`trim`](Self::trim) has put them in order.
    pub(crate) fn free_runs(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        debug_assert!(self.free().is_sorted_by(|a, b| a > b));
        self.free().chunk_by(|a, b| *a == *b + 1).map(|run| run[run.len() - 1]..run[0] + 1)
    }

    /// Handles on the free list.
    pub(crate) fn free(&self) -> &[u32] {
        self.handles.free()
    }
}
