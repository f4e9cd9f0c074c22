//! Records: the values of one cell together.

use crate::element::Element;
use crate::field::Packing;
use crate::layout::Level;

/// The values of one cell of a level that holds fields, such as `SmokeCell`. The attribute implements it for the records
/// that it declares.
pub trait Record: Copy + Send + Sync + 'static {
    /// The level.
    type Level: Level;

    /// Hands each value to `to`, by the number of its field.
    #[doc(hidden)]
    fn put(&self, to: &mut impl CellSink);

    /// Takes each value from `from`.
    #[doc(hidden)]
    fn get(from: &impl CellSource) -> Self;
}

/// What takes the values of a cell, field by field.
#[doc(hidden)]
pub trait CellSink {
    /// The value of a field.
    fn set<T: Element>(&mut self, field: usize, value: T);
    /// The value of a packed field.
    fn set_packed<S: Packing>(&mut self, field: usize, value: S::Value);
}

/// What gives the values of a cell, field by field.
#[doc(hidden)]
pub trait CellSource {
    /// The value of a field.
    fn value<T: Element>(&self, field: usize) -> T;
    /// The value of a packed field.
    fn packed<S: Packing>(&self, field: usize) -> S::Value;
}
