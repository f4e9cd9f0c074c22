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

/// What numbers of cells and bytes stop at: more than any address space. `Tree::shape_problem` refuses it, and nothing that is
/// computed from it on the way wraps.
pub(crate) const TOO_LARGE: u64 = 1 << 62;

/// `a * b`, or [`TOO_LARGE`].
pub(crate) const fn times(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    if product < TOO_LARGE as u128 { product as u64 } else { TOO_LARGE }
}

/// `x / a` rounded up, times `a`, or [`TOO_LARGE`]. `x` is at most that.
pub(crate) const fn round_up(x: u64, a: u64) -> u64 {
    times(x.div_ceil(a), a)
}
