//! What can go wrong in the parallel primitives.

use std::fmt;

/// Why a histogram, a sort or a binning could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParallelError {
    /// More items than a `u32` count or index can hold.
    TooManyItems {
        /// The number of items.
        items: usize,
    },
    /// The system refused the memory for a buffer.
    OutOfMemory {
        /// The size of the refused buffer, in bytes.
        bytes: u64,
    },
    /// Under [`PastEnd::Error`](super::PastEnd::Error): keys at or past the number of buckets.
    KeyOutOfRange {
        /// The index of the first such key.
        first: usize,
        /// How many there are.
        count: usize,
        /// The number of buckets.
        buckets: u32,
    },
}

impl fmt::Display for ParallelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooManyItems { items } => write!(f, "{items} items: at most {} can be counted", u32::MAX),
            Self::OutOfMemory { bytes } => write!(f, "no memory for a buffer of {bytes} bytes"),
            Self::KeyOutOfRange { first, count, buckets } => {
                write!(f, "{count} keys are at or past the {buckets} buckets, the first at index {first}")
            }
        }
    }
}

impl std::error::Error for ParallelError {}

/// Fails when `items` cannot be counted in `u32`.
pub(super) fn check_len(items: usize) -> Result<(), ParallelError> {
    if items > u32::MAX as usize { Err(ParallelError::TooManyItems { items }) } else { Ok(()) }
}

/// Zeroed words straight from the system (untouched pages cost nothing), or an error where it has none.
pub(super) fn zeroed(words: usize) -> Result<Box<[u32]>, ParallelError> {
    bytemuck::allocation::try_zeroed_slice_box(words)
        .map_err(|()| ParallelError::OutOfMemory { bytes: words as u64 * 4 })
}
