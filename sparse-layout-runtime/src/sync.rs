//! The atomics of the lock-free protocols: the standard ones, or those of `loom` in model tests.
//!
//! The protocols ([`Handles`](crate::slab::Handles), [`publish`](crate::slab::publish()), the directory, the places of
//! lists) take what is shared as references to these types, so that the models run the very code that grids run.

#[cfg(loom)]
pub(crate) use loom::{
    sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize},
    sync::{Mutex, MutexGuard},
    thread::yield_now,
};
#[cfg(not(loom))]
pub(crate) use std::{
    sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize},
    sync::{Mutex, MutexGuard},
    thread::yield_now,
};

/// A word of a grid, shared.
///
/// # Safety
/// `word` is aligned, lives for `'a`, and is accessed atomically alone meanwhile.
#[cfg(not(loom))]
#[inline(always)]
pub(crate) unsafe fn shared_word<'a>(word: *mut u32) -> &'a AtomicU32 {
    // SAFETY: as promised.
    unsafe { AtomicU32::from_ptr(word) }
}

/// As [`shared_word`].
///
/// # Safety
/// As there.
#[cfg(not(loom))]
#[inline(always)]
pub(crate) unsafe fn shared_byte<'a>(byte: *mut u8) -> &'a AtomicU8 {
    // SAFETY: as promised.
    unsafe { AtomicU8::from_ptr(byte) }
}

/// As [`shared_word`].
///
/// # Safety
/// As there.
#[cfg(loom)]
pub(crate) unsafe fn shared_byte<'a>(_byte: *mut u8) -> &'a AtomicU8 {
    unreachable!("models build no grids")
}

/// As [`shared_word`].
///
/// # Safety
/// As there.
#[cfg(not(loom))]
#[inline(always)]
pub(crate) unsafe fn shared_mask<'a>(word: *mut u64) -> &'a AtomicU64 {
    // SAFETY: as promised.
    unsafe { AtomicU64::from_ptr(word) }
}

/// Models share words of their own: they build no grids.
///
/// # Safety
/// As above.
#[cfg(loom)]
pub(crate) unsafe fn shared_word<'a>(_word: *mut u32) -> &'a AtomicU32 {
    unreachable!("models build no grids")
}

/// As [`shared_word`].
///
/// # Safety
/// As there.
#[cfg(loom)]
pub(crate) unsafe fn shared_mask<'a>(_word: *mut u64) -> &'a AtomicU64 {
    unreachable!("models build no grids")
}
