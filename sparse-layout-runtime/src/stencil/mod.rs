//! Stencils: loops over cells that read the cells around them.

mod around;
mod boundary;
mod cell_loops;
mod geometry;
mod halo;
mod input;
mod lanes;
mod map;
pub(crate) mod neighbours;
mod row;
mod shape;
mod sweep;
mod tile;

pub use around::Around;
pub use boundary::{Boundary, WithBoundary};
pub use cell_loops::Stencils;
pub use halo::{HaloBlock, HaloView};
pub use input::Inputs;
pub use lanes::{Row, RowAround};
pub use shape::{Cube, Shape, Star};
