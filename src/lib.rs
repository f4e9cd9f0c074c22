//! Sparse spatial data: declare the layout, write the loop.

pub use sparse_layout_macros::sparse_layout;
pub use sparse_layout_runtime::{
    Accessor, At, Block, BuildError, Builder, Coord, CoordExt, CoordHash, Element, Exhausted, Features, Field,
    FieldMut, GetMany, Grid, GridFieldMut, Iter, Lanes, LayoutInfo, Level, LevelMut, LevelView, Line, LineRun, Memory,
    Ordered, OutOfBounds, ParIter, Point, Region, Strided, Summed, ValueMany, View, WriteError, Zip,
};

/// What most programs need: `use sparse_layout::prelude::*;`.
pub mod prelude {
    pub use crate::{CoordExt, Element, Grid, Region, Zip, sparse_layout};
    pub use rayon::iter::ParallelIterator;
}

/// What the attribute's expansion names. Not for use by hand.
#[doc(hidden)]
pub mod __rt {
    pub use sparse_layout_runtime::*;
}
