//! The runtime of `sparse-layout`: what the `#[sparse_layout]` attribute expands to calls this crate.
//!
//! Use the `sparse-layout` crate; its documentation starts there. This crate's README tells how a coordinate becomes
//! an address and where each rule lives.

mod binning;
pub mod bits;
mod builder;
mod bulk;
mod concurrent;
mod convert;
mod coord;
#[cfg(any(feature = "glam", feature = "nalgebra"))]
mod coord_foreign;
mod core;
mod element;
mod error;
mod field;
mod grid;
mod layout;
mod level;
pub mod parallel;
pub mod plan;
mod report;
pub mod semantic;
mod slab;
mod stencil;
mod struct_for;
mod sync;
mod topology;
pub mod tree;

pub use binning::{Accumulate, Bin, BlockBins, Halo};
pub use builder::Builder;
pub use bulk::{Bulk, BulkError, CellBlock, CellSink, CellSource, Record, extend_cells_or_panic, from_cells_or_panic};
#[doc(hidden)]
pub use bulk::{cell, set_cell};
pub use concurrent::{
    Atomic, AtomicBits, AtomicScalar, Concurrent, Frozen, Growing, Mode, Shared, SharedAccessor, SharedLevel,
    SharedLists, SharedPacked, SharedPacking,
};
pub use convert::{coarse_cell, fine_cells};
pub use coord::{Coord, CoordExt, Point, Region};
pub use core::Core;
pub use element::Element;
pub use error::{BuildError, Exhausted, FrozenError, Full, Inactive, OutOfBounds, PushError, WriteError};
pub use field::{
    Accessor, AccessorAround, Bits, Components, Field, FieldMut, GetMany, GridFieldMut, GridListsMut,
    GridPackedFieldMut, LendsReferences, Line, LineRun, List, ListMut, Lists, ListsMut, Ordered, PackedField,
    PackedFieldMut, Packing, Slot, Split, Splittable, Splitter, Summed, ValueMany,
};
pub use field::{Read, Write};
pub use grid::Grid;
pub use layout::{At, HasLevel, Layout, Level, check};
pub use level::{Block, LevelMut, LevelView, NodeBits, Strided};
pub use plan::Digits;
pub use report::{LayoutInfo, Memory};
pub use semantic::FieldInfo;
pub use slab::directory::{CoordHash, default_hash};
pub use slab::{Array, Part, Pool};
pub use stencil::{
    Around, Boundary, Cube, HaloBlock, HaloView, Inputs, Row, RowAround, Shape as StencilShape, Star, Stencils,
    WithBoundary,
};
/// The lock-free protocols, for the model tests.
#[doc(hidden)]
pub mod protocols {
    pub use crate::slab::directory::Directory;
    pub use crate::slab::masks::{is_set, set_bits};
    pub use crate::slab::places::{finish, is_finished, reserve};
    pub use crate::slab::{Handles, Published, Source, publish};
}
pub use struct_for::{BlockLanes, BlockMut, Features, Iter, Lanes, ParIter, View, Zip};
pub use topology::Neighbourhood;
pub use tree::{Axis, Bounds, FieldDecl, Kind, LevelDecl, ROOT, Size, Storage, Tree, write_background};

#[cfg(feature = "glam")]
#[doc(no_inline)]
pub use glam;
#[cfg(feature = "half")]
#[doc(no_inline)]
pub use half;
#[cfg(feature = "nalgebra")]
#[doc(no_inline)]
pub use nalgebra;
#[cfg(feature = "num-complex")]
#[doc(no_inline)]
pub use num_complex;
