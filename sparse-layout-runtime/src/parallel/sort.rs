//! Stable counting sort.

#![forbid(unsafe_code)]

use super::error::{ParallelError, check_len};
use super::keys::BucketKey;
use super::slots::{Clamped, Slots};
use rayon::prelude::*;

/// The order that sorts items by their bucket, equal ones in the order they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountingSort {
    /// The indices of the items in sorted order.
    pub permutation: Vec<u32>,
    /// The number of items in each bucket.
    pub counts: Vec<u32>,
    /// Where each bucket starts in the permutation, then the number of items: bucket `c` is
    /// `permutation[offsets[c]..offsets[c + 1]]`.
    pub offsets: Vec<u32>,
}

impl CountingSort {
    /// The indices of the items of a bucket, in the order they came.
    ///
    /// # Panics
    /// There is no such bucket.
    pub fn bucket(&self, bucket: u32) -> &[u32] {
        let b = bucket as usize;
        &self.permutation[self.offsets[b] as usize..self.offsets[b + 1] as usize]
    }
}

/// Sorts integer keys below `buckets` (those past the end count as the last bucket; zero buckets count as one).
///
/// # Errors
/// More than `u32::MAX` keys, or no memory. For keys that are sparse in a huge range use
/// [`bin_by_key`](super::bin_by_key).
///
/// # Cost
/// Two passes over the keys, and three over the buckets for each thread. Memory: 4 bytes a key, and 4 a bucket for the
/// counts, the offsets, and each thread's row (fewer rows where buckets outnumber keys).
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::{counting_sort, gather};
///
/// let keys = [3u32, 1, 3, 2];
/// let sorted = counting_sort(&keys, 4)?;
/// assert_eq!(sorted.permutation, [1, 3, 0, 2]);
/// assert_eq!(sorted.counts, [0, 1, 1, 2]);
/// assert_eq!(sorted.offsets, [0, 0, 1, 2, 4]);
/// assert_eq!(gather(&keys, &sorted.permutation), [1, 2, 3, 3]);
/// # Ok::<(), sparse_layout_runtime::parallel::ParallelError>(())
/// ```
pub fn counting_sort<K: BucketKey>(keys: &[K], buckets: u32) -> Result<CountingSort, ParallelError> {
    let mut slots = Slots::count(keys, buckets.max(1) as usize, Clamped)?;
    let mut permutation = vec![0; keys.len()];
    slots.scatter(&mut permutation, |i, _| i as u32);
    let (counts, offsets) = slots.into_parts();
    Ok(CountingSort { permutation, counts, offsets })
}

/// [`counting_sort`] of items by the key that `key` gives for them; it is called once for each item.
///
/// # Errors
/// As [`counting_sort`].
pub fn counting_sort_by_key<T, K, F>(items: &[T], buckets: u32, key: F) -> Result<CountingSort, ParallelError>
where
    T: Sync,
    K: BucketKey,
    F: Fn(&T) -> K + Sync,
{
    check_len(items.len())?;
    let last = buckets.max(1) - 1;
    // Kept, as both passes of the sort must see the same keys.
    let keys: Vec<u32> = items.par_iter().with_min_len(1 << 10).map(|t| key(t).clamped(last)).collect();
    counting_sort(&keys, buckets)
}
