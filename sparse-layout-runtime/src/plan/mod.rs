//! From a declaration to addresses, in constant functions.
//!
//! * [`shape`]: the sizes and bounds of every level, with `_` and `padded` worked out;
//! * [`level`]: the path to one level as a list of [`Step`]s, a [`Plan`];
//! * [`list`]: the lists of a `dynamic` level;
//! * [`storage`]: how many bytes a node needs in each part, and where a field's value stands;
//! * [`offset`]: digits and offsets of cells as constant functions, for programs that read raw bytes;
//! * [`check`]: what a tree must keep for all of this to be right.
//!
//! For layouts without run-time bounds all of it is evaluated by the compiler.

pub mod check;
pub mod level;
pub mod list;
mod number;
pub mod offset;
pub mod shape;
pub mod storage;

pub use level::{Plan, Step};
pub use list::ListPlan;
pub use offset::Digits;
pub use shape::{FREE, Shape};
pub use storage::{FieldPlan, PartId};

/// `x / a` rounded up, times `a`.
pub(crate) const fn round_up(x: u64, a: u64) -> u64 {
    x.div_ceil(a) * a
}
