//! Views of a field of a `dynamic` level: a list for each cell of the level above.
//!
//! | view | made by | may |
//! | --- | --- | --- |
//! | [`Lists`] | `grid.particles()` | read |
//! | [`ListsMut`] | `grid.fields_mut()` | change items; lengths are frozen |
//! | [`GridListsMut`] | `grid.particles_mut()` | all of that, and push, remove, move: it holds the whole grid |
//!
//! The fields of one dynamic level share their lengths: what is pushed through one stands beside the background of the
//! others.

mod bulk;
mod grid_lists;
mod lists_mut;
mod view;

pub use grid_lists::GridListsMut;
pub use lists_mut::{ListMut, ListsMut};
pub use view::{List, Lists};
pub(crate) use view::{list_plan, slot_of};
