//! Views of one field.
//!
//! | view | made by | may |
//! | --- | --- | --- |
//! | [`Field`] | `grid.density()` | read |
//! | [`FieldMut`] | `grid.fields_mut()` | read and write active cells; the topology is frozen, other fields are lent too |
//! | [`GridFieldMut`] | `grid.density_mut()` | all of that, and activate: it holds the whole grid |
//! | [`Accessor`] | `view.accessor()` | read, remembering the path to where it last was |
//!
//! A view is an address and a borrow: making one costs nothing. It is typed by level and element, not by field, so a
//! function takes any field of that level and type, and its code exists once.

mod access;
mod accessor;
mod block_loop;
mod field_mut;
mod fill_blocks;
mod fill_region;
mod grid_field;
mod lane;
mod line;
pub(crate) mod lists;
mod many;
mod offset;
pub(crate) mod packed;
mod reduce;
mod splitter;
mod view;

pub use access::{Read, Write};
pub use accessor::{Accessor, AccessorAround};
pub use field_mut::FieldMut;
pub use grid_field::GridFieldMut;
pub(crate) use lane::Lane;
pub use line::{Line, LineRun};
pub use lists::{GridListsMut, List, ListMut, Lists, ListsMut};
pub use many::{GetMany, ValueMany};
pub use packed::{
    Bits, Components, GridPackedFieldMut, LendsReferences, PackedField, PackedFieldMut, Packing, Slot, Split,
    Splittable,
};
pub use reduce::{Ordered, Summed};
pub use splitter::Splitter;
pub use view::Field;
