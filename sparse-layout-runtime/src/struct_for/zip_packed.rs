//! Packed fields in loops over several fields.

use super::zip::View;
use super::zip::sealed::Sealed;
use crate::field::packed::{ReadPacked, WritePacked};
use crate::field::{PackedField, PackedFieldMut, Packing};
use crate::layout::Level;

impl<L: Level, S: Packing> Sealed for &PackedField<'_, L, S> {}
impl<'a, L: Level, S: Packing> View for &'a PackedField<'_, L, S> {
    type Lanes = ReadPacked<'a, L, S>;
    fn lanes(self) -> ReadPacked<'a, L, S> {
        ReadPacked(self.lane)
    }
}

impl<'a, L: Level, S: Packing> Sealed for PackedField<'a, L, S> {}
impl<'a, L: Level, S: Packing> View for PackedField<'a, L, S> {
    type Lanes = ReadPacked<'a, L, S>;
    fn lanes(self) -> ReadPacked<'a, L, S> {
        ReadPacked(self.lane)
    }
}

impl<L: Level, S: Packing> Sealed for &PackedFieldMut<'_, L, S> {}
impl<'a, L: Level, S: Packing> View for &'a PackedFieldMut<'_, L, S> {
    type Lanes = ReadPacked<'a, L, S>;
    fn lanes(self) -> ReadPacked<'a, L, S> {
        ReadPacked(self.lane)
    }
}

/// Hands out a slot that writes back: take it as `mut slot` and change `*slot`.
impl<L: Level, S: Packing> Sealed for &mut PackedFieldMut<'_, L, S> {}
impl<'a, L: Level, S: Packing> View for &'a mut PackedFieldMut<'_, L, S> {
    type Lanes = WritePacked<'a, L, S>;
    fn lanes(self) -> WritePacked<'a, L, S> {
        self.write()
    }
}
