//! Building in bulk: many cells at once, from a list in any order.
//!
//! The cells are distributed to *groups* of nodes that lie near each other (one stable counting sort, [`grouping`],
//! [`partition`]); the nodes that the groups need are made in their order ([`nodes`]); then each group is filled by one
//! thread, whose nodes stay in its cache meanwhile ([`fill`]). Since the sort is stable and no two threads share a cell, the
//! same grid results for any number of threads; since nodes are made in the order of groups, so do the same handles.
//!
//! * [`record`]: the values of one cell together;
//! * [`field`], [`level`], [`grid`]: what users call, for one field, for activity alone, for records;
//! * [`block`]: one block taken out of a grid or put into it;
//! * [`cell`]: one record, cell by cell;
//! * [`out`]: back to lists and arrays.

mod block;
mod cell;
mod error;
mod field;
mod fill;
mod grid;
mod grouping;
mod level;
mod nodes;
mod out;
mod partition;
mod record;
mod scratch;
mod target;

pub use block::CellBlock;
pub use cell::{cell, set_cell};
pub use error::BulkError;
pub(crate) use error::{check_bounds, is_inside};
pub use grid::{Bulk, extend_cells_or_panic, from_cells_or_panic};
pub(crate) use grid::{
    extend_blocks, extend_combining, extend_dense, extend_replacing, insert_block, listed, take_block, to_cells,
};
pub use record::{CellSink, CellSource, Record};
pub(crate) use target::{RecordTarget, Target};
