//! Loops over active cells.
//!
//! * [`cells`]: which cells, as pieces that can be split anywhere;
//! * [`lanes`]: what a loop is handed at each cell: values, or references to them, of one field or several;
//! * [`iter`], [`par_iter`]: the iterators made of the two;
//! * [`features`]: each loop compiled for more than one processor, chosen at run time;
//! * [`reduce`]: sums and the like with the same bits for any number of threads;
//! * [`blocks`]: whole blocks with the lanes' values in them, as slices;
//! * [`zip`]: tuples of views of one level.

mod blocks;
pub(crate) mod cells;
pub(crate) mod features;
pub(crate) mod iter;
pub(crate) mod lanes;
pub(crate) mod par_iter;
pub(crate) mod reduce;
pub(crate) mod zip;
mod zip_nested;
mod zip_packed;

pub use blocks::{BlockLanes, BlockMut};
pub(crate) use blocks::{par_blocks_mut, par_for_each_block};
pub use features::Features;
pub use iter::Iter;
pub use lanes::Lanes;
pub(crate) use lanes::{Read, Write};
pub use par_iter::ParIter;
pub(crate) use par_iter::{par_for_each, par_for_each_in};
pub use zip::{View, Zip};

#[cfg(test)]
mod tests;
