//! Handles that were taken for a place where another thread was faster.
//!
//! Their nodes are whole: full of background, never seen by anybody. A spare waits in one of a few slots for the next thread
//! that needs a node; taking one is an exchange of the slot's word, so no two threads get the same. Where all slots
//! are full, spares are put on a list that is only pushed to while the grid is shared, and emptied when it is next held
//! exclusively: a list that is pushed to and popped from at once could hand one node out twice.

use crate::sync::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// As many threads may lose at once before the list is needed.
#[cfg(not(loom))]
const SLOTS: usize = 8;
/// Few enough that a model gets to the list.
#[cfg(loom)]
const SLOTS: usize = 1;

/// Unused nodes by handle; 0: none.
#[derive(Debug)]
pub(super) struct Spares {
    slots: [AtomicU32; SLOTS],
    /// The handle on top of the list.
    rest: AtomicU32,
    rest_len: AtomicU32,
}

impl Spares {
    pub(super) fn new() -> Self {
        Spares {
            slots: std::array::from_fn(|_| AtomicU32::new(0)),
            rest: AtomicU32::new(0),
            rest_len: AtomicU32::new(0),
        }
    }

    /// Keeps a spare; `link` is told which handle comes after it, if it is put on the list.
    pub(super) fn keep(&self, handle: u32, mut link: impl FnMut(u32)) {
        let free = |slot: &AtomicU32| slot.compare_exchange(0, handle, Release, Relaxed).is_ok();
        if self.slots.iter().any(free) {
            return;
        }
        let mut head = self.rest.load(Relaxed);
        loop {
            link(head);
            match self.rest.compare_exchange_weak(head, handle, Release, Relaxed) {
                Ok(_) => break,
                Err(now) => head = now,
            }
        }
        self.rest_len.fetch_add(1, Relaxed);
    }

    /// Takes a spare out of the slots.
    pub(super) fn take(&self) -> Option<u32> {
        self.slots.iter().find_map(|slot| {
            // Looked at first, so that an empty slot stays in every cache.
            let there = slot.load(Relaxed) != 0;
            there.then(|| slot.swap(0, AcqRel)).filter(|handle| *handle != 0)
        })
    }

    /// Whether no spare waits in a slot.
    #[inline]
    pub(super) fn slots_are_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.load(Acquire) == 0)
    }

    /// How many spares there are; exact while nobody keeps or takes one.
    pub(super) fn len(&self) -> u32 {
        self.slots.iter().filter(|slot| slot.load(Relaxed) != 0).count() as u32 + self.rest_len.load(Relaxed)
    }

    /// Every spare; `next` says which one comes after another on the list.
    pub(super) fn all(&self, mut next: impl FnMut(u32) -> u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.slots.iter().map(|slot| slot.load(Relaxed)).filter(|h| *h != 0).collect();
        let mut handle = self.rest.load(Acquire);
        while handle != 0 {
            all.push(handle);
            handle = next(handle);
        }
        all
    }

    /// Forgets every spare.
    pub(super) fn reset(&mut self) {
        *self = Spares::new();
    }
}
