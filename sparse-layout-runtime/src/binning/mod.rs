//! Points by the block they fall into, and scattering from them without atomics.
//!
//! * [`tiling`]: how a level's cells are cut into bins: its blocks, large ones cut into tiles;
//! * [`bins`]: for each tile its points, in the order in which they were given;
//! * [`order`]: the sort behind that;
//! * [`halo`]: what one thread adds to for one bin: the tile and a margin around it;
//! * [`scatter`]: bin after bin, plane after plane, so that no two threads meet and sums do not depend on the schedule;
//! * [`sink`]: from a halo to the grid.

mod accumulate;
mod bins;
mod halo;
mod order;
mod scatter;
mod sink;
mod tiling;

pub use accumulate::Accumulate;
pub use bins::{Bin, BlockBins};
pub use halo::Halo;
pub(crate) use scatter::scatter_records;
