//! What a layout declares, as constant data.
//!
//! The `#[sparse_layout]` attribute prints one [`Tree`] per grid and nothing more about its shape: every size,
//! stride and offset is derived from it by the constant functions of [`crate::plan`]. Nothing here is trusted:
//! [`Tree::check`] runs in a constant, so a wrong tree does not compile.

use crate::element::Element;
use crate::field::Splittable;
use std::any::TypeId;

/// Most axes a grid may have.
pub const MAX_AXES: usize = 8;
/// Most levels a tree may have, siblings included.
pub const MAX_LEVELS: usize = 64;
/// Most levels on one path from the root.
pub const MAX_DEPTH: usize = 16;
/// Most fields of a grid.
pub const MAX_FIELDS: usize = 256;
/// The parent of the outermost levels, and the level of a field that is one value per grid.
pub const ROOT: usize = usize::MAX;

/// The five kinds of level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Every cell of an existing parent exists.
    Dense,
    /// Stored as dense, with one activity bit a cell.
    Bitmasked,
    /// A cell is a handle to a node that is allocated on activation.
    Pointer,
    /// As pointer, but the cells that exist are found by their key.
    Hash,
    /// A list per parent cell.
    Dynamic,
}

impl Kind {
    /// Whether the cells of such a level live in nodes of their own.
    pub const fn is_indirect(self) -> bool {
        matches!(self, Kind::Pointer | Kind::Hash | Kind::Dynamic)
    }

    /// The word a declaration uses.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Dense => "dense",
            Kind::Bitmasked => "bitmasked",
            Kind::Pointer => "pointer",
            Kind::Hash => "hash",
            Kind::Dynamic => "dynamic",
        }
    }
}

/// Where the values of a level's fields stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Each field in memory of its own.
    Soa,
    /// The arrays of one block side by side.
    Aosoa,
    /// One record per cell.
    Aos,
}

/// How a level divides one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// It does not.
    None,
    /// Into that many cells.
    Cells(i128),
    /// `_`: into what is needed to cover the bounds.
    Cover,
    /// Without bound (an unbounded hash).
    Unbounded,
}

/// The bounds of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// From 0 to the product of the sizes, or every `i32` under an unbounded hash.
    Sizes,
    /// `LO..HI`, half-open.
    Fixed(i128, i128),
    /// `..`: given when the grid is built.
    RunTime,
}

/// One axis of the declaration.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Its name.
    pub name: &'static str,
    /// Its bounds.
    pub bounds: Bounds,
}

/// One level of the declaration.
#[derive(Clone, Copy, Debug)]
pub struct LevelDecl {
    /// Its name, or `level0`, `level1`, … in declaration order.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Index of the level above, or [`ROOT`].
    pub parent: usize,
    /// One entry per declared axis.
    pub sizes: &'static [Size],
    /// The axes it divides, in the order in which cells are numbered (the last one fastest).
    pub order: &'static [usize],
    /// Cells in Z-order.
    pub morton: bool,
    /// How its fields are stored.
    pub storage: Storage,
    /// `dynamic` only: most items of one list.
    pub max: i128,
    /// `dynamic` only: items per chunk; 0: chosen by the library.
    pub chunk: i128,
}

impl LevelDecl {
    /// A level with the usual options.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        parent: usize,
        sizes: &'static [Size],
        order: &'static [usize],
    ) -> Self {
        LevelDecl { name, kind, parent, sizes, order, morton: false, storage: Storage::Soa, max: 0, chunk: 0 }
    }

    /// With cells in Z-order.
    pub const fn morton(mut self) -> Self {
        self.morton = true;
        self
    }

    /// With that storage of its fields.
    pub const fn storage(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    /// A list of at most `max` items, in chunks of `chunk` (0: chosen by the library).
    pub const fn list(mut self, max: i128, chunk: i128) -> Self {
        self.max = max;
        self.chunk = chunk;
        self
    }
}

/// One field of the declaration.
#[derive(Clone, Copy, Debug)]
pub struct FieldDecl {
    /// Its name.
    pub name: &'static str,
    /// The level that holds it, or [`ROOT`].
    pub level: usize,
    /// Bytes of a value.
    pub size: usize,
    /// Alignment of a value.
    pub align: usize,
    /// The element type, as written.
    pub type_name: &'static str,
    /// The element type.
    pub type_id: fn() -> TypeId,
    /// Writes the background value.
    pub background: Option<fn(&mut [u8])>,
    /// How values are kept.
    pub packing: Packing,
}

/// How the values of a field are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// As they are.
    Plain,
    /// A `bool` in one bit.
    Bits,
    /// One array for each of that many components.
    Split(usize),
}

impl FieldDecl {
    /// A field of element type `T` whose background is zero.
    pub const fn of<T: Element>(name: &'static str, type_name: &'static str, level: usize) -> Self {
        FieldDecl {
            name,
            level,
            size: size_of::<T>(),
            align: align_of::<T>(),
            type_name,
            type_id: TypeId::of::<T>,
            background: None,
            packing: Packing::Plain,
        }
    }

    /// A `bool` in one bit a cell. Its background is a byte.
    pub const fn bits(name: &'static str, level: usize) -> Self {
        FieldDecl { packing: Packing::Bits, type_id: TypeId::of::<bool>, ..FieldDecl::of::<u8>(name, "bool", level) }
    }

    /// A field with one array per component.
    pub const fn split<T: Splittable>(name: &'static str, type_name: &'static str, level: usize) -> Self {
        FieldDecl { packing: Packing::Split(T::COUNT), ..FieldDecl::of::<T>(name, type_name, level) }
    }

    /// Whether each value stands in memory as such.
    pub const fn is_plain(&self) -> bool {
        matches!(self.packing, Packing::Plain)
    }

    /// With a background other than zero: `write` fills a value's bytes (see [`write_background`]).
    pub const fn with_background(mut self, write: fn(&mut [u8])) -> Self {
        self.background = Some(write);
        self
    }
}

/// Writes `value` into the bytes that [`FieldDecl::background`] is given.
pub fn write_background<T: Element>(bytes: &mut [u8], value: T) {
    bytes.copy_from_slice(bytemuck::bytes_of(&value));
}

/// A whole declaration.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// The grid's name.
    pub name: &'static str,
    /// The axes, as declared.
    pub axes: &'static [Axis],
    /// The levels, parents before children.
    pub levels: &'static [LevelDecl],
    /// The fields, as declared.
    pub fields: &'static [FieldDecl],
    /// Sizes that divide an axis a second or later time are rounded up to powers of two.
    pub padded: bool,
}
