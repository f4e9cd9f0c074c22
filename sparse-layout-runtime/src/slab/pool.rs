//! Handles of one kind of node.
//!
//! Handle 0 is never handed out: it is a real node full of background, so that descents need no branch. Fresh handles
//! come from a counter; those given back are on a list. In the shared phase the list is only popped from, its
//! length counting down, so no handle can come back in between (no ABA).

use super::directory::Directory;
use crate::error::Exhausted;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// The handles of one kind of node.
#[derive(Debug)]
pub struct Pool {
    next: AtomicU32,
    free: Vec<u32>,
    free_len: AtomicUsize,
    /// Handles below this one were used before: their memory is not zero.
    dirty: u32,
    last: u32,
    /// The handle at which the next part passes its first huge page.
    pub(crate) advise_at: AtomicU32,
    /// The nodes by key, if a hash level makes them; otherwise empty.
    pub(crate) directory: Directory,
}

/// A handle just taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) handle: u32,
    /// Whether the node was used before and must be cleared.
    pub(crate) dirty: bool,
}

impl Pool {
    /// A pool of the handles 1 to `last`.
    pub(crate) fn new(last: u32) -> Self {
        Pool {
            next: AtomicU32::new(1),
            free: Vec::new(),
            free_len: AtomicUsize::new(0),
            dirty: 1,
            last,
            advise_at: AtomicU32::new(u32::MAX),
            directory: Directory::default(),
        }
    }

    /// One past the highest handle in use.
    #[inline(always)]
    pub(crate) fn end(&self) -> u32 {
        self.next.load(Relaxed)
    }

    /// How many nodes are alive.
    pub(crate) fn live(&self) -> u32 {
        self.end() - 1 - self.free_len.load(Relaxed) as u32
    }

    /// The highest handle there may be.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// Takes a handle. Any number of threads may do so.
    pub(crate) fn take(&self) -> Result<Taken, Exhausted> {
        if let Ok(n) = self.free_len.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)) {
            return Ok(Taken { handle: self.free[n - 1], dirty: true });
        }
        let fresh = self.next.fetch_update(Relaxed, Relaxed, |n| (n <= self.last).then(|| n + 1));
        match fresh {
            Ok(handle) => Ok(Taken { handle, dirty: handle < self.dirty }),
            Err(_) => Err(Exhausted { nodes: self.last }),
        }
    }

    /// Gives a handle back.
    pub(crate) fn give(&mut self, handle: u32) {
        debug_assert!(handle != 0 && handle < self.end());
        self.settle();
        self.free.push(handle);
        *self.free_len.get_mut() += 1;
    }

    /// Forgets every node, keeping the memory.
    pub(crate) fn reset(&mut self) {
        self.dirty = self.dirty.max(self.end());
        self.free.clear();
        *self.free_len.get_mut() = 0;
        *self.next.get_mut() = 1;
        self.directory.clear();
    }

    /// The state of `other`, for a copy whose nodes keep their handles.
    pub(crate) fn copy_from(&mut self, other: &Pool) {
        let n = other.free_len.load(Relaxed);
        self.free = other.free[..n].to_vec();
        *self.free_len.get_mut() = n;
        *self.next.get_mut() = other.end();
        self.dirty = other.end();
        self.directory.clone_from(&other.directory);
    }

    /// One past the highest handle whose node may hold anything.
    pub(crate) fn mark(&self) -> u32 {
        self.dirty.max(self.end())
    }

    /// Takes free handles at the end out of use. Of the others the lowest is taken next, so that the end stays low.
    pub(crate) fn trim(&mut self) {
        self.settle();
        self.dirty = self.mark();
        self.free.sort_unstable();
        let next = self.next.get_mut();
        while self.free.last().is_some_and(|last| *last + 1 == *next) {
            self.free.pop();
            *next -= 1;
        }
        self.free.reverse();
        self.free.shrink_to_fit();
        *self.free_len.get_mut() = self.free.len();
    }

    /// Notes that the memory past the last handle reads as zero again.
    pub(crate) fn note_clean(&mut self) {
        self.dirty = self.end();
    }

    /// Notes that the nodes have become those of the handles 1 to `live`. The directory is the caller's.
    pub(crate) fn renumber(&mut self, live: u32) {
        self.dirty = self.mark();
        self.free.clear();
        *self.free_len.get_mut() = 0;
        *self.next.get_mut() = live + 1;
    }

    /// Runs of free handles, once [`trim`](Self::trim) has put them in order.
    pub(crate) fn free_runs(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        debug_assert!(self.free().is_sorted_by(|a, b| a > b));
        self.free().chunk_by(|a, b| *a == *b + 1).map(|run| run[run.len() - 1]..run[0] + 1)
    }

    /// Handles on the free list.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free[..self.free_len.load(Relaxed)]
    }

    /// Drops what the last shared phase took from the list.
    fn settle(&mut self) {
        let n = *self.free_len.get_mut();
        self.free.truncate(n);
    }
}
