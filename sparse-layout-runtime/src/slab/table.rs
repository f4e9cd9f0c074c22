//! The table of a [`Directory`](super::directory::Directory): one allocation, found through one pointer.

use crate::sync::AtomicU64;
use std::marker::PhantomData;
use std::sync::atomic::{Ordering::Relaxed, Ordering::Release};

/// Slots of the smallest table that has entries.
const LEAST: usize = 16;

/// The table without entries: a mask of 0, and one empty slot.
#[cfg(not(loom))]
static EMPTY: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// A table of entries, 0 where there is none. What `base` points to is the number of slots less one, a power of two less
/// one, and behind it the slots.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    base: *const AtomicU64,
    borrow: PhantomData<&'a AtomicU64>,
}

/// The table without entries, for any number of directories.
#[cfg(not(loom))]
pub(super) fn empty() -> *mut AtomicU64 {
    EMPTY.as_ptr().cast_mut()
}

/// The same for one directory: the atomics of a model do not outlive it.
#[cfg(loom)]
pub(super) fn empty() -> *mut AtomicU64 {
    leak([0, 0].map(AtomicU64::new).into())
}

/// A table of these words: the mask, and the slots.
fn leak(words: Box<[AtomicU64]>) -> *mut AtomicU64 {
    debug_assert!(words[0].load(Relaxed) as usize == words.len() - 2 && (words.len() - 1).is_power_of_two());
    Box::into_raw(words).cast()
}

/// Frees a table.
///
/// # Safety
/// `base` came from this module, was not freed, and nobody uses it any more.
pub(super) unsafe fn free(base: *mut AtomicU64) {
    // SAFETY: a table of this module, in use until now.
    let mask = unsafe { Table::at(base) }.mask();
    if mask > 0 || cfg!(loom) {
        // SAFETY: a table that is not the empty one was leaked with mask + 2 words.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(base, mask + 2)) });
    }
}

impl<'a> Table<'a> {
    /// # Safety
    /// `base` came from this module and is not freed during `'a`.
    #[inline(always)]
    pub(super) unsafe fn at(base: *const AtomicU64) -> Self {
        Table { base, borrow: PhantomData }
    }

    /// The number of slots less one.
    #[inline(always)]
    pub(super) fn mask(self) -> usize {
        // SAFETY: the word that `base` points to lives for `'a`; it is never changed.
        unsafe { (*self.base).load(Relaxed) as usize }
    }

    /// A slot.
    #[inline(always)]
    pub(super) fn slot(self, i: usize) -> &'a AtomicU64 {
        // The mask word was written by this module alone, so an index that is masked with it is in the table.
        debug_assert!(i <= self.mask());
        // SAFETY: slot `i`, at most the mask, stands behind the mask and lives for `'a`.
        unsafe { &*self.base.add(1 + i) }
    }

    /// All slots.
    pub(super) fn slots(self) -> &'a [AtomicU64] {
        // SAFETY: as above; there are mask + 1 of them.
        unsafe { std::slice::from_raw_parts(self.base.add(1), self.mask() + 1) }
    }

    /// Whether it is the one without entries.
    pub(super) fn is_empty(self) -> bool {
        self.mask() == 0
    }

    /// The same table once more.
    pub(super) fn copy(self) -> *mut AtomicU64 {
        if self.is_empty() {
            return empty();
        }
        let words = std::iter::once(self.mask() as u64).chain(self.slots().iter().map(|s| s.load(Relaxed)));
        leak(words.map(AtomicU64::new).collect())
    }

    /// A table of that many slots, a power of two, with the same entries; a few more if that is very few.
    pub(super) fn resized(self, slots: usize) -> *mut AtomicU64 {
        let n = slots.max(LEAST);
        let base = leak(std::iter::once(n as u64 - 1).chain((0..n).map(|_| 0)).map(AtomicU64::new).collect());
        // SAFETY: just made.
        let table = unsafe { Table::at(base) };
        self.slots().iter().map(|s| s.load(Relaxed)).filter(|e| *e != 0).for_each(|e| table.put(e));
        base
    }

    /// Enters an entry, which is not there yet; there is a free slot.
    pub(super) fn put(self, entry: u64) {
        let mask = self.mask();
        let mut i = (entry >> 32) as usize & mask;
        while self.slot(i).load(Relaxed) != 0 {
            i = (i + 1) & mask;
        }
        self.slot(i).store(entry, Release);
    }
}
