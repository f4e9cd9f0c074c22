//! Uses grids through another crate's macro.
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub)]

reexport::image! {
    /// Rows of colours.
    pub struct Image: [u8; 4] = [0, 0, 0, 255], 2 * 960, 1080
}

/// A pixel.
pub fn first() -> [u8; 4] {
    Image::new().pixel().value([0, 0])
}
