//! The memory of a histogram, carried from call to call.

use super::super::error::{ParallelError, zeroed};
use super::HistogramOptions;
use super::plan::Plan;

/// The counts of the latest [`histogram`](super::histogram) and the scratch table of its blocks.
///
/// A call keeps each buffer that is large enough and replaces it otherwise. The table holds nothing of use after a
/// call and is not shown.
#[derive(Clone, Default)]
pub struct HistogramBuffers {
    /// At least `padded` words; those from `dirty` on are zero.
    counts: Box<[u32]>,
    dirty: usize,
    table: Box<[u32]>,
    buckets: usize,
    padded: usize,
}

impl HistogramBuffers {
    /// Empty buffers: the first call allocates what it needs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Buffers, allocated now, for `keys` keys in `buckets` buckets with these options on the current rayon pool.
    ///
    /// # Errors
    /// More than `u32::MAX` keys, or no memory.
    pub fn sized(keys: usize, buckets: u32, options: &HistogramOptions) -> Result<Self, ParallelError> {
        let mut buffers = Self::new();
        buffers.fit(&Plan::new(keys, buckets, options)?)?;
        buffers.buckets = 0;
        buffers.padded = 0;
        Ok(buffers)
    }

    /// The counts of the latest call: one for each bucket. Empty before the first call.
    pub fn counts(&self) -> &[u32] {
        &self.counts[..self.buckets]
    }

    /// The counts, then zeros up to the next power of two.
    pub fn padded_counts(&self) -> &[u32] {
        &self.counts[..self.padded]
    }

    /// The bytes held.
    pub fn memory(&self) -> usize {
        (self.counts.len() + self.table.len()) * size_of::<u32>()
    }

    /// Makes the buffers large enough and the padding zero.
    pub(super) fn fit(&mut self, plan: &Plan) -> Result<(), ParallelError> {
        if self.counts.len() < plan.padded {
            // Given back first: the old and the new need never exist together.
            (self.counts, self.dirty, self.buckets, self.padded) = Default::default();
            self.counts = zeroed(plan.padded)?;
        }
        if self.table.len() < plan.table_len() {
            self.table = Box::default();
            self.table = zeroed(plan.table_len())?;
        }
        // Words that were never written are not touched: a huge fresh buffer stays unmapped.
        let dirty = self.dirty.min(plan.padded);
        if plan.rows == 1 {
            self.counts[..dirty].fill(0);
        } else if dirty > plan.buckets {
            self.counts[plan.buckets..dirty].fill(0);
        }
        self.dirty = self.dirty.max(plan.buckets);
        self.buckets = plan.buckets;
        self.padded = plan.padded;
        Ok(())
    }

    /// The counts of the buckets (zero if the plan has a single row, else to be overwritten) and the table.
    pub(super) fn parts(&mut self, plan: &Plan) -> (&mut [u32], &mut [u32]) {
        (&mut self.counts[..plan.buckets], &mut self.table[..plan.table_len()])
    }
}

impl std::fmt::Debug for HistogramBuffers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HistogramBuffers").field("buckets", &self.buckets).field("bytes", &self.memory()).finish()
    }
}
