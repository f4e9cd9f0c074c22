//! The dependency has another name here.
#![deny(warnings, missing_docs)]

use layouts::sparse_layout;

/// A line.
#[sparse_layout(axes(x), dense(8), crate = ::layouts)]
pub struct Line {
    /// Metres.
    pub height: f32,
}
