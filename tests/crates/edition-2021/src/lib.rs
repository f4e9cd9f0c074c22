//! Generated code in a crate of edition 2021 under strict lints.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations, unreachable_pub, unused, warnings, rust_2018_idioms)]

use sparse_layout::prelude::*;

const ROWS: usize = 6;

/// A keyword of other editions as a field, a field of the name of an axis, and every kind of level.
#[sparse_layout(axes(x, y = -8..8), hash(x = 64) > tile: pointer(4, _) { age, dense(x = 2, y = ROWS) { r#async, x } list: dynamic(i, max = 4) }, allow(non_power_of_two))]
#[derive(PartialEq)]
pub struct Old {
    /// Of each tile.
    pub age: u32,
    /// Of each cell.
    #[field(background = [0.5; 2])]
    pub r#async: [f32; 2],
    /// Of each cell.
    pub x: u8,
    pub(crate) points: [f32; 3],
}

/// A topology in a function.
pub fn inner() -> u64 {
    #[sparse_layout(axes(x), hash() > bitmasked(64))]
    struct Mask;
    let mut mask = Mask::new();
    mask.leaf_mut().activate([-1]);
    mask.leaf().len()
}
