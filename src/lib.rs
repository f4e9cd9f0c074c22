//! Sparse spatial data: declare the layout, write the loop.

pub use sparse_layout_macros::sparse_layout;
pub use sparse_layout_runtime::{
    Accessor, Accumulate, At, Bin, Block, BlockBins, BuildError, Builder, Bulk, BulkError, CellBlock, Coord, CoordExt, CoordHash, Element, Exhausted, Field, FieldMut, Grid,
    GridFieldMut, Halo, Iter, Lanes, LayoutInfo, Level, LevelMut, LevelView, Memory, OutOfBounds, ParIter, Point, Record, Region, Strided,
    View, WriteError, Zip,
};

/// What most programs need: `use sparse_layout::prelude::*;`.
pub mod prelude {
    pub use crate::{Bulk, CoordExt, Element, Grid, Region, Zip, sparse_layout};
    pub use rayon::iter::ParallelIterator;
}

/// What the attribute's expansion names. Not for use by hand.
#[doc(hidden)]
pub mod __rt {
    pub use sparse_layout_runtime::*;
}
