//! Activity bits that many threads set. Nobody turns one off while others set some.

use crate::sync::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// Sets bits of a word. Where all are set it is only read, so that it stays in every cache.
#[inline(always)]
pub fn set_bits(word: &AtomicU64, bits: u64) {
    if word.load(Acquire) & bits != bits {
        word.fetch_or(bits, AcqRel);
    }
}

/// Whether a bit is set; if so, what the thread that set it did before is seen.
#[inline(always)]
pub fn is_set(word: &AtomicU64, bit: u64) -> bool {
    word.load(Acquire) & bit != 0
}
