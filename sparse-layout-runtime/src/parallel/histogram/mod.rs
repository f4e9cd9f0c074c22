//! Parallel histogram without atomics: private rows, then column sums.
//!
//! 1. The keys are cut into 2^b blocks (b is the *fork depth*). Each block counts into a table row of its own.
//! 2. Each group of buckets sums its columns over the rows. From 2^12 rows up this takes two steps, so that no
//!    lane walks more than about 2^(b/2) rows: first over groups of rows, then over the groups' sums.
//!
//! Integer sums do not depend on their order: every fork depth and every thread count gives the same counts.
//! The scheme is that of Bend's `histogram.bend`; the byte counters of wide rows (see `count.rs`) are ours.

#![forbid(unsafe_code)]

mod buffers;
mod columns;
mod count;
mod plan;

pub use buffers::HistogramBuffers;

use super::error::ParallelError;
use super::keys::BucketKey;
use count::Picker;
use plan::Plan;
use rayon::prelude::*;

/// What becomes of a key at or past the number of buckets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PastEnd {
    /// It counts in the last bucket.
    #[default]
    Clamp,
    /// It counts nowhere.
    Ignore,
    /// The call fails with [`ParallelError::KeyOutOfRange`] and leaves the buffers as they were.
    Error,
}

/// How a histogram is taken. The counts never depend on these options, except on [`PastEnd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistogramOptions {
    fork_depth: Option<u32>,
    past_end: PastEnd,
    two_step_rows: usize,
    table_limit: usize,
}

impl Default for HistogramOptions {
    fn default() -> Self {
        Self { fork_depth: None, past_end: PastEnd::Clamp, two_step_rows: 1 << 12, table_limit: 256 << 20 }
    }
}

impl HistogramOptions {
    /// The defaults: a fork depth that suits the thread count, keys past the end in the last bucket, two-step column
    /// sums from 2^12 rows up, at most 256 MiB of table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cuts the keys into 2^`depth` blocks. Any depth works: it is lowered to log2 of the number of keys, and until
    /// the table respects [`table_limit`](Self::table_limit).
    pub fn fork_depth(mut self, depth: u32) -> Self {
        self.fork_depth = Some(depth);
        self
    }

    /// What becomes of keys past the end.
    pub fn past_end(mut self, rule: PastEnd) -> Self {
        self.past_end = rule;
        self
    }

    /// The number of rows from which column sums are taken in two steps.
    pub fn two_step_rows(mut self, rows: usize) -> Self {
        self.two_step_rows = rows;
        self
    }

    /// The most bytes the table of rows may take; the fork depth is lowered to respect it. With a depth of 0 there
    /// are no rows: the keys are counted straight into the counts, on one thread.
    pub fn table_limit(mut self, bytes: usize) -> Self {
        self.table_limit = bytes;
        self
    }
}

/// Counts how many of `keys` fall in each of `buckets` buckets: entry `c` of the answer is the number of keys equal
/// to `c`. Zero buckets count as one.
///
/// Runs on the current rayon pool. The answer lies in `buffers`, which carry the memory from call to call; a call
/// with fitting buffers allocates nothing.
///
/// # Errors
/// More than `u32::MAX` keys; no memory for the buffers; under [`PastEnd::Error`], a key past the end.
///
/// # Cost
/// One pass over the keys, and `buckets` steps for each block of keys.
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::{HistogramBuffers, HistogramOptions, histogram};
///
/// let mut buffers = HistogramBuffers::new();
/// let options = HistogramOptions::new();
/// assert_eq!(histogram(&[3u32, 1, 3, 2], 4, &options, &mut buffers)?, [0, 1, 1, 2]);
/// assert_eq!(histogram(&[3u32, 1, 3, 2], 3, &options, &mut buffers)?, [0, 1, 3]);
/// assert_eq!(buffers.padded_counts(), [0, 1, 3, 0]);
/// # Ok::<(), sparse_layout_runtime::parallel::ParallelError>(())
/// ```
pub fn histogram<'b, K: BucketKey>(
    keys: &[K],
    buckets: u32,
    options: &HistogramOptions,
    buffers: &'b mut HistogramBuffers,
) -> Result<&'b [u32], ParallelError> {
    histogram_by_key(keys, buckets, options, buffers, |&k| k)
}

/// [`histogram`] of the keys that `key` gives for `items`. `key` is called once for each item, twice under
/// [`PastEnd::Error`].
///
/// # Errors
/// As [`histogram`].
pub fn histogram_by_key<'b, T, K, F>(
    items: &[T],
    buckets: u32,
    options: &HistogramOptions,
    buffers: &'b mut HistogramBuffers,
    key: F,
) -> Result<&'b [u32], ParallelError>
where
    T: Sync,
    K: BucketKey,
    F: Fn(&T) -> K + Sync,
{
    let buckets = buckets.max(1);
    let plan = Plan::new(items.len(), buckets, options)?;
    if options.past_end == PastEnd::Error {
        check_range(items, buckets, &key)?;
    }
    buffers.fit(&plan)?;
    match options.past_end {
        PastEnd::Ignore => run(items, &plan, options, buffers, &Picker::<_, _, true>::new(&key, buckets)),
        PastEnd::Clamp | PastEnd::Error => {
            run(items, &plan, options, buffers, &Picker::<_, _, false>::new(&key, buckets));
        }
    }
    Ok(buffers.counts())
}

/// Fails when a key is at or past the end.
fn check_range<T, K, F>(items: &[T], buckets: u32, key: &F) -> Result<(), ParallelError>
where
    T: Sync,
    K: BucketKey,
    F: Fn(&T) -> K + Sync,
{
    let past = |t: &T| key(t).within(buckets).is_none();
    let count_in = |block: &[T]| block.iter().filter(|t| past(t)).count();
    let count: usize = items.par_chunks(1 << 15).map(count_in).sum();
    if count == 0 {
        return Ok(());
    }
    let first = items.par_iter().position_first(past).unwrap_or(0);
    Err(ParallelError::KeyOutOfRange { first, count, buckets })
}

/// Both passes, into buffers that fit the plan.
fn run<T, K, F, const IGNORE: bool>(
    items: &[T],
    plan: &Plan,
    options: &HistogramOptions,
    buffers: &mut HistogramBuffers,
    picker: &Picker<'_, F, K, IGNORE>,
) where
    T: Sync,
    K: BucketKey,
    F: Fn(&T) -> K + Sync,
{
    let (counts, table) = buffers.parts(plan);
    if plan.rows == 1 {
        return count::block(items, picker, counts, bytemuck::cast_slice_mut(table));
    }
    table.par_chunks_mut(plan.stride()).zip(items.par_chunks(plan.block)).for_each(|(row, items)| {
        let (row, bytes) = row.split_at_mut(plan.row_words);
        let row = &mut row[..plan.buckets];
        row.fill(0);
        count::block(items, picker, row, bytemuck::cast_slice_mut(bytes));
    });
    columns::sum(table, plan, options.two_step_rows, counts);
}
