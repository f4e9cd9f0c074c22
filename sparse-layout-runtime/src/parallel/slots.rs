//! Stable distribution of items to buckets from many threads: the one place of the parallel primitives with `unsafe`.
//!
//! As in the histogram each block of items counts into a row of its own. Running sums down the columns then turn a
//! row's count into the first place of that block in the bucket, so each block knows its places and the order is kept.

use super::error::{ParallelError, check_len, zeroed};
use super::keys::BucketKey;
use super::packed::Packed;
use super::scan::exclusive_scan;
use rayon::prelude::*;
use std::marker::PhantomData;

/// A rule that gives each key a bucket.
///
/// # Safety
/// `bucket` must be a function of its arguments alone: the same key and number of buckets give the same bucket, below
/// that number, each time.
pub(super) unsafe trait Rule<K>: Sync {
    fn bucket(&self, key: &K, buckets: usize) -> usize;
}

/// The key is the bucket; keys past the end are in the last.
pub(super) struct Clamped;

// SAFETY: `BucketKey` is sealed; `clamped` of each implementor is a minimum.
unsafe impl<K: BucketKey> Rule<K> for Clamped {
    #[inline]
    fn bucket(&self, key: &K, buckets: usize) -> usize {
        key.clamped((buckets - 1) as u32) as usize
    }
}

/// The digit of a packed code.
pub(super) struct Digit<P> {
    /// The least code that occurs.
    pub(super) low: P,
    /// How many bits of the codes' distances lie below the digit.
    pub(super) shift: u32,
}

// SAFETY: arithmetic on its arguments (the implementors of `Packed`, which is private, are integers),
// clamped below the number of buckets.
unsafe impl<P: Packed> Rule<P> for Digit<P> {
    #[inline]
    fn bucket(&self, key: &P, buckets: usize) -> usize {
        key.digit(self.low, self.shift).min(buckets - 1)
    }
}

/// The places of items that are to be distributed.
pub(super) struct Slots<'k, K, R> {
    keys: &'k [K],
    rule: R,
    /// Number of items of each bucket.
    pub(super) counts: Box<[u32]>,
    /// The first place of each bucket, then the number of items.
    pub(super) offsets: Box<[u32]>,
    /// One row for each block of keys: the next place of the block in each bucket.
    table: Box<[u32]>,
    block: usize,
}

/// Fewer items than this are distributed by one thread.
const PARALLEL_FROM: usize = 1 << 14;

impl<'k, K: Send + Sync, R: Rule<K>> Slots<'k, K, R> {
    /// Counts the keys of each of `buckets` buckets (at least 1, at most `u32::MAX`).
    pub(super) fn count(keys: &'k [K], buckets: usize, rule: R) -> Result<Self, ParallelError> {
        check_len(keys.len())?;
        debug_assert!(buckets >= 1 && u32::try_from(buckets).is_ok());
        let rows = rows(keys.len(), buckets);
        let block = keys.len().div_ceil(rows).max(1);
        let mut table = zeroed(rows * buckets)?;
        table.par_chunks_mut(buckets).zip(keys.par_chunks(block)).for_each(|(row, keys)| {
            for key in keys {
                row[rule.bucket(key, buckets)] += 1;
            }
        });
        let mut counts = zeroed(buckets)?;
        let mut offsets = zeroed(buckets + 1)?;
        running_sums(&mut table, &mut counts);
        offsets[..buckets].copy_from_slice(&counts);
        offsets[buckets] = exclusive_scan(&mut offsets[..buckets]);
        table.par_chunks_mut(buckets).for_each(|row| {
            for (place, first) in row.iter_mut().zip(&offsets) {
                *place += first;
            }
        });
        Ok(Self { keys, rule, counts, offsets, table, block })
    }

    /// Writes `value(i, &keys[i])` to the place of item i: buckets ascending, within a bucket in the order of items.
    ///
    /// # Panics
    /// `out` is not as long as the keys.
    pub(super) fn scatter<V: Copy + Send>(&mut self, out: &mut [V], value: impl Fn(usize, &K) -> V + Sync) {
        assert_eq!(out.len(), self.keys.len());
        let (buckets, block, rule) = (self.counts.len(), self.block, &self.rule);
        let out = Shared::new(out);
        self.table.par_chunks_mut(buckets).zip(self.keys.par_chunks(block)).enumerate().for_each(|(b, (row, keys))| {
            for (i, key) in keys.iter().enumerate() {
                let place = &mut row[rule.bucket(key, buckets)];
                // SAFETY: the row holds, for each bucket, the first of as many places as this block has keys there
                // (`count` saw the same keys under the same rule, which `Rule` promises to repeat), and places of
                // different blocks and buckets are disjoint by the running sums. Each place is used up here.
                unsafe { out.write(*place as usize, value(b * block + i, key)) };
                *place += 1;
            }
        });
    }

    /// The counts and the offsets.
    pub(super) fn into_parts(self) -> (Vec<u32>, Vec<u32>) {
        (self.counts.into_vec(), self.offsets.into_vec())
    }
}

/// One block a thread, as long as the rows stay small beside the items.
fn rows(items: usize, buckets: usize) -> usize {
    let threads = rayon::current_num_threads();
    if items < PARALLEL_FROM { 1 } else { threads.min(items * 2 / buckets).max(1) }
}

/// Replaces each entry of the table by the sum of those above it in its column; the columns' sums into `counts`.
fn running_sums(table: &mut [u32], counts: &mut [u32]) {
    let buckets = counts.len();
    let width = buckets.div_ceil(rayon::current_num_threads() * 4).max(1 << 10);
    let mut strips: Vec<Vec<&mut [u32]>> = counts.chunks(width).map(|_| Vec::new()).collect();
    for row in table.chunks_mut(buckets) {
        for (strip, part) in strips.iter_mut().zip(row.chunks_mut(width)) {
            strip.push(part);
        }
    }
    strips.par_iter_mut().zip(counts.par_chunks_mut(width)).for_each(|(strip, sums)| {
        for row in strip {
            for (entry, sum) in row.iter_mut().zip(sums.iter_mut()) {
                (*entry, *sum) = (*sum, *sum + *entry);
            }
        }
    });
}

/// A slice that many threads write, no place twice.
struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: the pointer is used by `write` only, whose caller promises that no place is written twice, and the exclusive
// borrow keeps everyone else away. Values written by one thread are owned by another later, hence `T: Send`.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T: Copy> Shared<'a, T> {
    fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    /// # Safety
    /// No place is written twice while this borrow lasts.
    #[inline]
    unsafe fn write(&self, place: usize, value: T) {
        assert!(place < self.len);
        // SAFETY: in bounds by the assertion, and exclusively ours by the caller's promise.
        unsafe { self.start.add(place).write(value) }
    }
}
