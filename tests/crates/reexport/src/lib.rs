//! Grids for other crates, which do not depend on sparse-layout themselves.
#![deny(warnings, missing_docs)]

#[doc(hidden)]
pub mod private {
    pub use sparse_layout;
}

/// Declares an image of that pixel type.
#[macro_export]
macro_rules! image {
    ($(#[$meta:meta])* $v:vis struct $name:ident: $pixel:ty = $background:expr, $width:expr, $height:literal) => {
        $(#[$meta])*
        #[$crate::private::sparse_layout::sparse_layout(
            axes(x, y),
            dense(y = $height, x = $width),
            crate = $crate::private::sparse_layout
        )]
        $v struct $name {
            /// The pixels.
            #[field(background = $background)]
            $v pixel: $pixel,
        }
    };
}
