//! How a call cuts its keys and how large its buffers are.

use super::super::error::{ParallelError, check_len};
use super::HistogramOptions;

/// Above this many buckets a block counts in bytes first: see `count.rs`.
pub(super) const NARROW: usize = 2048;

/// The shape of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Number of buckets, at least 1.
    pub(super) buckets: usize,
    /// 2^ceil(log2 buckets).
    pub(super) padded: usize,
    /// Number of blocks of keys. One row means: no table, count into the counts.
    pub(super) rows: usize,
    /// Keys in a block (fewer in the last).
    pub(super) block: usize,
    /// Words of a row that hold its counts.
    pub(super) row_words: usize,
    /// Words of a row that hold its byte counters.
    pub(super) byte_words: usize,
}

impl Plan {
    pub(super) fn new(n: usize, buckets: u32, options: &HistogramOptions) -> Result<Self, ParallelError> {
        check_len(n)?;
        let buckets = buckets.max(1) as usize;
        let padded = buckets.checked_next_power_of_two().unwrap_or(buckets);
        let deepest = n.checked_ilog2().unwrap_or(0);
        let mut depth = options.fork_depth.unwrap_or_else(|| default_depth(n, buckets)).min(deepest);
        loop {
            let plan = Self::at_depth(n, buckets, padded, depth);
            if depth == 0 || plan.table_len().saturating_mul(4) <= options.table_limit {
                return Ok(plan);
            }
            depth -= 1;
        }
    }

    fn at_depth(n: usize, buckets: usize, padded: usize, depth: u32) -> Self {
        let block = n.div_ceil(1 << depth).max(1);
        let rows = n.div_ceil(block).max(1);
        // Rows start on cache lines of their own, so that two blocks hardly share one.
        let lines = |words: usize| words.next_multiple_of(16);
        let byte_words = if buckets > NARROW && block / 2 >= buckets { lines(buckets.div_ceil(4)) } else { 0 };
        Self { buckets, padded, rows, block, row_words: lines(buckets), byte_words }
    }

    /// Words from one row of the table to the next.
    pub(super) fn stride(&self) -> usize {
        self.row_words + self.byte_words
    }

    /// Words of table that the call needs. A single row needs byte counters at most.
    pub(super) fn table_len(&self) -> usize {
        if self.rows == 1 { self.byte_words } else { self.rows.saturating_mul(self.stride()) }
    }
}

/// Enough blocks for every thread, several where rows are small so that a slow thread does not hold up the rest; and
/// no more blocks than are worth zeroing and summing a row for.
fn default_depth(n: usize, buckets: usize) -> u32 {
    let threads = rayon::current_num_threads();
    if threads == 1 {
        return 0;
    }
    let wanted = if buckets <= 1 << 14 { threads * 4 } else { threads };
    let worth = n / buckets.max(1 << 13);
    match worth.checked_ilog2() {
        Some(most) => wanted.next_power_of_two().ilog2().min(most),
        None => 0,
    }
}
