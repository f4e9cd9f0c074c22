//! Random operations on a grid against sets and maps, for any layout.
//!
//! [`geometry`] works out by plain division which cell of a level holds a point, which cells lie below one, and in which
//! order cells are visited; [`state`] keeps what is active and what was set. Neither knows of nodes, masks or handles.
//! [`subject`] hides the types of a grid, so that [`run`], the test, exists once in a program however many layouts it is
//! run on; [`declare`] is the macro that declares and describes one.

#[macro_use]
mod declare;
mod geometry;
mod run;
mod state;
mod subject;

pub use geometry::{Shape, Spec};
pub use run::{run, sum};
pub use subject::{FieldOps, Full, LevelOps, Sample, Sparse, Subject, blocks};
