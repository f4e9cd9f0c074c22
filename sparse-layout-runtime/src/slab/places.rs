//! Places in a list that many threads append to.
//!
//! A thread takes places by raising the length, writes its items there, and then sets their *finished* bits (Release). A
//! reader looks at an item only if its bit is set (Acquire): the length alone says nothing about what stands below it.

use crate::sync::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Takes up to `n` places at the end of a list of at most `max`: the first one and how many; None if the list is full. The
/// length never passes `max`.
///
/// `room` is asked first to make room at a place, for up to that many, and says how many it made room for: at least one.
/// It is asked again if another thread was faster.
///
/// # Errors
/// If `room` fails; no place was taken.
#[inline]
pub fn reserve<E>(
    len: &AtomicU32,
    max: u32,
    n: u32,
    mut room: impl FnMut(u32, u32) -> Result<u32, E>,
) -> Result<Option<(u32, u32)>, E> {
    let mut first = len.load(Relaxed);
    loop {
        let n = n.min(max - first);
        if n == 0 {
            return Ok(None);
        }
        let n = room(first, n)?;
        // What a place holds is announced by its own bit, so the length orders nothing.
        match len.compare_exchange_weak(first, first + n, Relaxed, Relaxed) {
            Ok(_) => return Ok(Some((first, n))),
            Err(now) => first = now,
        }
    }
}

/// Says that the items behind these bits are written.
#[inline]
pub fn finish(word: &AtomicU32, bits: u32) {
    word.fetch_or(bits, Release);
}

/// Whether the item behind this bit is written; if so, this thread sees it.
#[inline]
pub fn is_finished(word: &AtomicU32, bit: u32) -> bool {
    word.load(Acquire) & bit != 0
}
