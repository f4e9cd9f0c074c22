//! Stencils: loops over cells that read the cells around them. The README beside this file tells how.
//!
//! * [`shape`], [`boundary`], [`input`]: what is read;
//! * [`neighbours`]: the nodes around each node;
//! * [`geometry`], [`map`], [`tile`]: tiles of nodes, and filling the buffer of one with what is around it;
//! * [`sweep`]: all tiles, in parallel;
//! * [`cell_loops`], [`lanes`], [`halo`]: the forms of loops, by cell, by row, by block; [`row`]: rows as vectors;
//! * [`around`]: what a closure reads through.

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
