//! Parallel primitives: histogram, scan, counting sort, gather, and binning by key.
//!
//! All run on the current rayon pool and give the same answer, bit for bit, for any number of threads. How they work, and
//! which rest on `unsafe` code, is said in the README beside this file.

mod bins;
mod error;
mod gather;
mod histogram;
#[cfg(feature = "sort")]
mod integer_sort;
mod keys;
mod packed;
mod scan;
mod slots;
mod sort;

pub use bins::{BinKey, Bins, bin_by_key, bin_by_ord};
pub use error::ParallelError;
pub use gather::{gather, gather_into};
pub use histogram::{HistogramBuffers, HistogramOptions, PastEnd, histogram, histogram_by_key};
#[cfg(feature = "sort")]
pub use integer_sort::{SortInteger, sort_integers};
pub use keys::BucketKey;
pub use scan::{ScanElement, exclusive_scan, inclusive_scan};
pub use sort::{CountingSort, counting_sort, counting_sort_by_key};
