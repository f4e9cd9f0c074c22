//! Views of fields whose values do not stand in memory as such, so that no reference to one can be lent: a `bool` in one
//! bit (`#[field(bits)]`), an array with one array per component (`#[field(split)]`).
//!
//! They offer what [`Field`](super::Field), [`FieldMut`](super::FieldMut) and [`GridFieldMut`](super::GridFieldMut) do, but
//! for references: loops and `modify` copy a value in and out, a zip hands out a [`Slot`] that writes back.

mod lane;
mod packing;
mod view;
mod view_mut;

pub use lane::Slot;
pub(crate) use lane::{PackedLane, ReadPacked, WritePacked};
pub use packing::{Bits, Components, Packing, Split, Splittable};
pub use view::PackedField;
pub use view_mut::{GridPackedFieldMut, LendsReferences, PackedFieldMut};
