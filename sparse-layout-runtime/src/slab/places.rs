//! Places in a list that many threads append to.
//!
//! A thread takes places by raising the length, writes its items there, and then says of each that it is *finished*, in a byte
//! of its own (Release): a bit would need an exchange of a word that other threads write too. A reader looks at an
//! item only if it is finished (Acquire): the length alone says nothing about what stands below it.

use crate::sync::{AtomicU8, AtomicU32};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Takes up to `n` places at the end of a list of at most `max`: the first one and how many; None if the list is full. The
/// length never passes `max`.
///
/// `room` is asked first to make room at a place, for up to that many, and says how many it made room for: at least one.
/// It is asked again if another thread was faster.
///
/// # Errors
/// If `room` fails; no place was taken.
#[inline(always)]
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
        // What a place holds is announced by its own byte, so the length orders nothing.
        match len.compare_exchange_weak(first, first + n, Relaxed, Relaxed) {
            Ok(_) => return Ok(Some((first, n))),
            Err(now) => first = now,
        }
    }
}

/// Says that the item of this byte is written.
#[inline(always)]
pub fn finish(place: &AtomicU8) {
    place.store(1, Release);
}

/// Whether the item of this byte is written; if so, this thread sees it.
#[inline(always)]
pub fn is_finished(place: &AtomicU8) -> bool {
    place.load(Acquire) != 0
}
