//! Some bits of one atomic storage word: what every shared bit and word operation acts on.

use core::marker::PhantomData;
use core::sync::atomic::Ordering;

use super::MemoryOrder;

#[cfg(loom)]
pub(super) use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
pub(super) use std::sync::atomic::AtomicU64;

/// The bits `mask << shift` of `cell`; bits outside never change. Values have their bit 0 at `shift`.
pub(super) struct Slot<'a, O> {
    cell: &'a AtomicU64,
    shift: u32,
    mask: u64,
    order: PhantomData<O>,
}

impl<'a, O: MemoryOrder> Slot<'a, O> {
    #[inline]
    pub(super) fn new(cell: &'a AtomicU64, shift: u32, mask: u64) -> Self {
        debug_assert!(mask != 0 && mask << shift >> shift == mask);
        Self { cell, shift, mask, order: PhantomData }
    }

    /// Value of the slot in a storage word.
    #[inline]
    fn of(&self, word: u64) -> u64 {
        word >> self.shift & self.mask
    }

    /// A storage word with `value` in the slot, and zeros elsewhere.
    #[inline]
    fn place(&self, value: u64) -> u64 {
        (value & self.mask) << self.shift
    }

    #[inline]
    pub(super) fn load(&self) -> u64 {
        self.of(self.cell.load(O::LOAD))
    }

    #[inline]
    pub(super) fn store(&self, value: u64) {
        if self.mask == u64::MAX {
            self.cell.store(value, O::STORE);
        } else {
            self.exchange(value, O::STORE);
        }
    }

    #[inline]
    pub(super) fn swap(&self, value: u64) -> u64 {
        self.exchange(value, O::MODIFY)
    }

    #[inline]
    fn exchange(&self, value: u64, order: Ordering) -> u64 {
        if self.mask == u64::MAX {
            return self.cell.swap(value, order);
        }
        // One bit, or all bits alike: one instruction that cannot fail.
        match value & self.mask {
            0 => return self.of(self.cell.fetch_and(!self.place(self.mask), order)),
            all if all == self.mask => return self.of(self.cell.fetch_or(self.place(self.mask), order)),
            _ => {}
        }
        let mut seen = self.cell.load(Ordering::Relaxed);
        loop {
            let new = seen & !self.place(self.mask) | self.place(value);
            match self.cell.compare_exchange_weak(seen, new, order, Ordering::Relaxed) {
                Ok(_) => return self.of(seen),
                Err(now) => seen = now,
            }
        }
    }

    #[inline]
    pub(super) fn fetch_and(&self, value: u64) -> u64 {
        self.of(self.cell.fetch_and(self.place(value) | !self.place(self.mask), O::MODIFY))
    }

    #[inline]
    pub(super) fn fetch_or(&self, value: u64) -> u64 {
        self.of(self.cell.fetch_or(self.place(value), O::MODIFY))
    }

    #[inline]
    pub(super) fn fetch_xor(&self, value: u64) -> u64 {
        self.of(self.cell.fetch_xor(self.place(value), O::MODIFY))
    }

    #[inline]
    pub(super) fn fetch_not(&self) -> u64 {
        self.fetch_xor(self.mask)
    }

    /// `Ok` with the old value if it was `current`, else `Err` with it. Never fails because of bits outside the slot.
    #[inline]
    pub(super) fn compare_exchange(&self, current: u64, new: u64) -> Result<u64, u64> {
        let mut seen = self.cell.load(O::FAIL);
        loop {
            if self.of(seen) != current {
                return Err(self.of(seen));
            }
            let word = seen & !self.place(self.mask) | self.place(new);
            match self.cell.compare_exchange_weak(seen, word, O::MODIFY, O::FAIL) {
                Ok(_) => return Ok(current),
                Err(now) => seen = now,
            }
        }
    }
}
