//! Payloads in the order of a permutation.

#![forbid(unsafe_code)]

use rayon::prelude::*;

/// The least number of items worth a task.
const GRAIN: usize = 1 << 12;

/// `out[i] = source[order[i]]`, as a new vector.
///
/// # Panics
/// An index is past the end of `source`.
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::gather;
///
/// assert_eq!(gather(&["c", "a", "b"], &[1, 2, 0]), ["a", "b", "c"]);
/// ```
pub fn gather<T: Copy + Send + Sync>(source: &[T], order: &[u32]) -> Vec<T> {
    order.par_iter().with_min_len(GRAIN).map(|&i| source[i as usize]).collect()
}

/// `out[i] = source[order[i]]`. Allocates nothing.
///
/// # Panics
/// `out` and `order` differ in length, or an index is past the end of `source`.
pub fn gather_into<T: Copy + Send + Sync>(source: &[T], order: &[u32], out: &mut [T]) {
    assert_eq!(out.len(), order.len(), "gather_into: one place for each index");
    out.par_chunks_mut(GRAIN).zip(order.par_chunks(GRAIN)).for_each(|(out, order)| {
        for (out, &i) in out.iter_mut().zip(order) {
            *out = source[i as usize];
        }
    });
}
