//! Prefix sums in place.
//!
//! With T threads the data is cut into a head and T spans. While one thread scans the head, the others sum the spans
//! between head and last; then all spans are scanned, each from the sum before it. The head is as much shorter as
//! summing is cheaper than scanning, so that both steps keep every thread busy, and the last span is read only once.

#![forbid(unsafe_code)]

use num_traits::{WrappingAdd, Zero};
use rayon::prelude::*;

/// An integer that can be scanned: any `Copy` type of `num_traits`' wrapping addition. Implemented for all of them.
pub trait ScanElement: WrappingAdd + Zero + Copy + Send + Sync {}

impl<T: WrappingAdd + Zero + Copy + Send + Sync> ScanElement for T {}

/// Replaces each element by the sum of those before it; gives the sum of all. Sums wrap.
///
/// # Cost
/// Less than two passes over the data (one on a single thread), no allocation beyond a few words per thread.
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::exclusive_scan;
///
/// let mut v = [3u32, 1, 3, 2];
/// assert_eq!(exclusive_scan(&mut v), 9);
/// assert_eq!(v, [0, 3, 4, 7]);
/// assert_eq!(exclusive_scan(&mut [u32::MAX, 1]), 0);
/// ```
pub fn exclusive_scan<T: ScanElement>(data: &mut [T]) -> T {
    scan::<T, true>(data)
}

/// Replaces each element by the sum of those up to and including it; gives the sum of all. Sums wrap.
///
/// # Cost
/// As [`exclusive_scan`].
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::inclusive_scan;
///
/// let mut v = [3u32, 1, 3, 2];
/// assert_eq!(inclusive_scan(&mut v), 9);
/// assert_eq!(v, [3, 4, 7, 9]);
/// ```
pub fn inclusive_scan<T: ScanElement>(data: &mut [T]) -> T {
    scan::<T, false>(data)
}

/// Shorter data is scanned on one thread.
const PARALLEL_FROM: usize = 1 << 16;
/// A span is scanned in pieces, so that an idle thread can take some over.
const PIECES: usize = 4;

fn scan<T: ScanElement, const EXCLUSIVE: bool>(data: &mut [T]) -> T {
    let threads = rayon::current_num_threads();
    if threads == 1 || data.len() < PARALLEL_FROM {
        return serial::<T, EXCLUSIVE>(data, T::zero());
    }
    // Summing costs about 3/8 of scanning (measured where the data fits the last cache): the head is 3/8 of a span.
    let piece = (data.len() / (threads * 8 + 3) * 8).div_ceil(PIECES).max(1);
    let head_len = data.len().saturating_sub(piece * PIECES * threads);
    let (head, spans) = data.split_at_mut(head_len);
    let (middle, last) = spans.split_at_mut(piece * PIECES * (threads - 1));

    let (head_sum, mut starts) = rayon::join(
        || serial::<T, EXCLUSIVE>(head, T::zero()),
        || middle.par_chunks(piece).with_max_len(1).map(sum).collect::<Vec<T>>(),
    );
    let last_start = serial::<T, true>(&mut starts, head_sum);
    let (total, ()) = rayon::join(
        || serial::<T, EXCLUSIVE>(last, last_start),
        || {
            middle.par_chunks_mut(piece).zip(&starts).with_max_len(1).for_each(|(piece, &start)| {
                serial::<T, EXCLUSIVE>(piece, start);
            });
        },
    );
    total
}

fn sum<T: ScanElement>(data: &[T]) -> T {
    data.iter().fold(T::zero(), |sum, x| sum.wrapping_add(x))
}

/// Scans on this thread, starting from `carry`; gives the carry after the last element.
///
/// Within a group the sums form a short tree; only one addition a group waits for the group before.
fn serial<T: ScanElement, const EXCLUSIVE: bool>(data: &mut [T], mut carry: T) -> T {
    let (groups, rest) = data.as_chunks_mut::<4>();
    for group in groups {
        let [a, b, c, d] = *group;
        let ab = a.wrapping_add(&b);
        let abc = ab.wrapping_add(&c);
        let abcd = ab.wrapping_add(&c.wrapping_add(&d));
        let next = carry.wrapping_add(&abcd);
        let inner = [carry.wrapping_add(&a), carry.wrapping_add(&ab), carry.wrapping_add(&abc)];
        *group = if EXCLUSIVE { [carry, inner[0], inner[1], inner[2]] } else { [inner[0], inner[1], inner[2], next] };
        carry = next;
    }
    for x in rest {
        let next = carry.wrapping_add(x);
        *x = if EXCLUSIVE { carry } else { next };
        carry = next;
    }
    carry
}
