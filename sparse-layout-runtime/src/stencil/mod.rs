//! Stencils: loops over cells that read the cells around them.

mod around;
mod boundary;
mod cell_loops;
mod geometry;
mod input;
mod map;
pub(crate) mod neighbours;
mod row;
mod shape;
mod sweep;
mod tile;

pub use around::Around;
pub use boundary::{Boundary, WithBoundary};
pub use cell_loops::Stencils;
pub use input::Inputs;
pub use shape::{Cube, Shape, Star};
