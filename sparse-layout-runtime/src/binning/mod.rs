//! Points by the block they fall into, and scattering from them without atomics.
//!
//! * [`tiling`]: how a level's cells are cut into bins: its blocks, large ones cut into tiles;
//! * [`bins`]: for each tile its points, in the order in which they were given;
//! * [`halo`]: what one thread adds to for one bin: the tile and a margin around it;
//! * [`scatter`]: from halos to the grid, plane after plane, so that no two threads meet and sums do not depend on the
//!   schedule.

mod accumulate;
mod bins;
mod halo;
mod scatter;
mod tiling;

pub use accumulate::Accumulate;
pub use bins::{Bin, BlockBins};
pub use halo::Halo;
pub(crate) use scatter::scatter_records;
