//! The handles of one kind of node, and who has them.
//!
//! Fresh handles come from a counter; those given back are on a list that is only popped from while the grid is shared,
//! its length counting down, so that no handle can come back in between (no ABA). Beside them are the spares.
//!
//! A handle that was taken *flies* until it is published, or kept as a spare, and reported as [`landed`](Handles::landed).
//! So who finds no handle left knows whether that is final: what another thread has in its hands may become the very node
//! that was looked for, or a spare.

use super::spares::Spares;
use crate::sync::{AtomicU64, AtomicUsize};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// One handle that flies, in the upper half of the state.
const FLYING: u64 = 1 << 32;

/// Where a handle comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It was never given back.
    Fresh,
    /// It was given back: its node is as it was left.
    Free,
    /// It was not used: its node holds the background.
    Spare,
}

/// The handles of one kind of node, from 1.
#[derive(Debug)]
pub struct Handles {
    /// Lower half: the next fresh handle. Upper half: how many fly.
    state: AtomicU64,
    free: Vec<u32>,
    free_len: AtomicUsize,
    spares: Spares,
    last: u32,
}

impl Handles {
    /// The handles 1 to `last`.
    pub fn new(last: u32) -> Self {
        debug_assert!(last < u32::MAX);
        Handles {
            state: AtomicU64::new(1),
            free: Vec::new(),
            free_len: AtomicUsize::new(0),
            spares: Spares::new(),
            last,
        }
    }

    /// One past the highest handle that was taken.
    #[inline(always)]
    pub fn end(&self) -> u32 {
        self.state.load(Relaxed) as u32
    }

    /// The highest handle there may be.
    pub fn last(&self) -> u32 {
        self.last
    }

    /// How many handles are in use.
    pub fn used(&self) -> u32 {
        self.end() - 1 - self.free_len.load(Relaxed) as u32 - self.spares.len()
    }

    /// Takes a handle, which flies. Any number of threads may do so.
    pub fn take(&self) -> Option<(u32, Source)> {
        let fresh = |flying: u64| {
            let next = |s: u64| (s as u32 <= self.last).then_some(s + flying + 1);
            self.state.fetch_update(Relaxed, Relaxed, next).ok().map(|s| (s as u32, Source::Fresh))
        };
        if self.free_len.load(Relaxed) == 0 && self.spares.slots_are_empty() {
            return fresh(FLYING);
        }
        // Announced before it is taken: see `is_spent`.
        self.state.fetch_add(FLYING, Relaxed);
        if let Some(handle) = self.spares.take() {
            return Some((handle, Source::Spare));
        }
        if let Ok(n) = self.free_len.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)) {
            return Some((self.free[n - 1], Source::Free));
        }
        let taken = fresh(0);
        if taken.is_none() {
            self.landed();
        }
        taken
    }

    /// A handle that was taken is where it belongs.
    #[inline]
    pub fn landed(&self) {
        let before = self.state.fetch_sub(FLYING, Release);
        debug_assert!(before >= FLYING);
    }

    /// Keeps a handle that was taken for nothing; its node holds the background. `link` is told which handle comes
    /// after it on the list, if it comes there. To be called before it is said to have landed.
    pub fn keep(&self, handle: u32, link: impl FnMut(u32)) {
        self.spares.keep(handle, link);
    }

    fn is_flying(&self) -> bool {
        self.state.load(Acquire) >= FLYING
    }

    /// After [`take`](Self::take) gave nothing: whether that is final. If it is, whatever flew before is where it belongs
    /// and seen by this thread; if not, the caller looks again.
    pub fn is_spent(&self) -> bool {
        // Who takes the spare that flew at the first look flies at the second, or has landed.
        !self.is_flying() && self.spares.slots_are_empty() && !self.is_flying()
    }

    /// Gives a handle back.
    pub fn give(&mut self, handle: u32) {
        debug_assert!(handle != 0 && handle < self.end());
        self.drop_taken();
        self.free.push(handle);
        self.free_len.store(self.free.len(), Relaxed);
    }

    /// Takes every handle back.
    pub fn reset(&mut self) {
        self.free.clear();
        self.free_len.store(0, Relaxed);
        self.spares.reset();
        self.state.store(1, Relaxed);
    }

    /// Takes free handles at the end out of use. Of the others the lowest is taken next, so that the end stays low. Spares
    /// must have been put away.
    pub(crate) fn trim(&mut self) {
        debug_assert!(self.spares.len() == 0);
        self.drop_taken();
        self.free.sort_unstable();
        let mut end = self.end();
        while self.free.last().is_some_and(|last| *last + 1 == end) {
            self.free.pop();
            end -= 1;
        }
        self.free.reverse();
        self.free.shrink_to_fit();
        self.free_len.store(self.free.len(), Relaxed);
        self.state.store(end.into(), Relaxed);
    }

    /// The handles 1 to `live` are in use, and no others.
    pub(crate) fn renumber(&mut self, live: u32) {
        self.reset();
        self.state.store(u64::from(live) + 1, Relaxed);
    }

    /// Puts the spares of the last shared phase with the handles that were given back; `next` says which handle comes
    /// after another on the list of spares.
    pub fn settle(&mut self, next: impl FnMut(u32) -> u32) {
        let end = self.end();
        self.state.store(end.into(), Relaxed);
        if self.spares.len() == 0 {
            return;
        }
        let spares = self.spares.all(next);
        self.spares.reset();
        for handle in spares {
            self.give(handle);
        }
    }

    /// The state of `other`, for a copy whose nodes keep their handles. `next` as in [`settle`](Self::settle).
    pub(crate) fn copy_from(&mut self, other: &Handles, next: impl FnMut(u32) -> u32) {
        self.free = other.free().to_vec();
        self.free.extend(other.spares.all(next));
        self.free_len.store(self.free.len(), Relaxed);
        self.spares.reset();
        self.state.store(other.end().into(), Relaxed);
    }

    /// Handles that were given back.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free[..self.free_len.load(Relaxed)]
    }

    /// Drops what the last shared phase took from the list.
    fn drop_taken(&mut self) {
        self.free.truncate(self.free_len.load(Relaxed));
    }
}
