//! Where the values of bulk operations go: one field, the fields of a record, or none.

use super::record::{CellSink, CellSource, Record};
use crate::core::Core;
use crate::element::Element;
use crate::field::packed::PackedLane;
use crate::field::{Lane, Packing};
use crate::layout::Level;
use std::marker::PhantomData;

/// Values of the cells of a level.
///
/// # Safety
/// Implementations access the values of the named cell only, in the fields they stand for.
pub(crate) unsafe trait Target<L: Level>: Copy + Send + Sync {
    /// What a cell holds.
    type Value: Copy + Send + Sync;

    /// # Safety
    /// The cell is one of an existing node; nobody writes its values meanwhile.
    unsafe fn read(&self, node: u32, cell: u64) -> Self::Value;

    /// # Safety
    /// The cell is one of an existing node; nobody else accesses its values meanwhile.
    unsafe fn write(&self, node: u32, cell: u64, value: Self::Value);
}

// SAFETY: `nth` is the address of the cell's value.
unsafe impl<L: Level, T: Element> Target<L> for Lane<'_, L, T> {
    type Value = T;

    #[inline(always)]
    unsafe fn read(&self, node: u32, cell: u64) -> T {
        // SAFETY: as promised by the caller; values are initialised memory.
        unsafe { *self.nth(node, cell) }
    }

    #[inline(always)]
    unsafe fn write(&self, node: u32, cell: u64, value: T) {
        // SAFETY: as promised by the caller.
        unsafe { *self.nth(node, cell) = value }
    }
}

/// Activity alone.
// SAFETY: no value is accessed.
unsafe impl<L: Level> Target<L> for () {
    type Value = ();

    #[inline(always)]
    unsafe fn read(&self, _node: u32, _cell: u64) {}

    #[inline(always)]
    unsafe fn write(&self, _node: u32, _cell: u64, (): ()) {}
}

/// The fields of a record.
pub(crate) struct RecordTarget<'a, R: Record> {
    pub(crate) core: &'a Core<<R::Level as Level>::Layout>,
    record: PhantomData<fn() -> R>,
}

impl<'a, R: Record> RecordTarget<'a, R> {
    pub(crate) fn new(core: &'a Core<<R::Level as Level>::Layout>) -> Self {
        RecordTarget { core, record: PhantomData }
    }

    /// Whether the record holds the background in every field.
    pub(crate) fn is_background(&self, record: &R) -> bool {
        struct Compare<'a, L: Level> {
            core: &'a Core<L::Layout>,
            same: bool,
        }
        impl<L: Level> CellSink for Compare<'_, L> {
            fn set<T: Element>(&mut self, field: usize, value: T) {
                let background = Lane::<L, T>::new(self.core, field).background();
                self.same &= bytemuck::bytes_of(&value) == bytemuck::bytes_of(&background);
            }

            fn set_packed<S: Packing>(&mut self, field: usize, value: S::Value) {
                let background = PackedLane::<L, S>::new(self.core, field).background();
                self.same &= S::to_bytes(value) == S::to_bytes(background);
            }
        }
        let mut compare = Compare::<R::Level> { core: self.core, same: true };
        record.put(&mut compare);
        compare.same
    }
}

impl<R: Record> Clone for RecordTarget<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record> Copy for RecordTarget<'_, R> {}

/// One cell, through which a record is written or read.
struct Cell<'a, L: Level> {
    core: &'a Core<L::Layout>,
    node: u32,
    cell: u64,
}

impl<L: Level> CellSink for Cell<'_, L> {
    #[inline(always)]
    fn set<T: Element>(&mut self, field: usize, value: T) {
        // SAFETY: `Lane::new` checks that the field is one of this level and type; a `Cell` for writing is made by
        // `RecordTarget::write` alone, whose caller promises that the cell is nobody else's.
        unsafe { *Lane::<L, T>::new(self.core, field).nth(self.node, self.cell) = value };
    }

    #[inline]
    fn set_packed<S: Packing>(&mut self, field: usize, value: S::Value) {
        // SAFETY: as above.
        unsafe { PackedLane::<L, S>::new(self.core, field).store(self.node, self.cell, value) };
    }
}

impl<L: Level> CellSource for Cell<'_, L> {
    #[inline(always)]
    fn value<T: Element>(&self, field: usize) -> T {
        // SAFETY: as above; made by `RecordTarget::read` for reading.
        unsafe { *Lane::<L, T>::new(self.core, field).nth(self.node, self.cell) }
    }

    #[inline]
    fn packed<S: Packing>(&self, field: usize) -> S::Value {
        // SAFETY: as above.
        unsafe { PackedLane::<L, S>::new(self.core, field).load(self.node, self.cell) }
    }
}

// SAFETY: a `Cell` accesses the values of the named cell only.
unsafe impl<R: Record> Target<R::Level> for RecordTarget<'_, R> {
    type Value = R;

    #[inline(always)]
    unsafe fn read(&self, node: u32, cell: u64) -> R {
        R::get(&Cell::<R::Level> { core: self.core, node, cell })
    }

    #[inline(always)]
    unsafe fn write(&self, node: u32, cell: u64, value: R) {
        value.put(&mut Cell::<R::Level> { core: self.core, node, cell });
    }
}
