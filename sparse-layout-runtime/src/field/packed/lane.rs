//! Where packed values stand, and what a loop is handed of them.

use super::Packing;
use crate::core::{Core, Loc, plan_of};
use crate::layout::{Layout, Level};
use crate::struct_for::Lanes;
use std::marker::PhantomData;

/// A packed field of a borrowed grid. Who may read or write through it is for the view that holds it to know.
pub(crate) struct PackedLane<'a, L: Level, S> {
    pub(crate) core: &'a Core<L::Layout>,
    base: *mut u8,
    stride: usize,
    pub(crate) field: usize,
    packing: PhantomData<S>,
}

impl<L: Level, S> Clone for PackedLane<'_, L, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, S> Copy for PackedLane<'_, L, S> {}

// SAFETY: as `Lane`: an address and a borrow; every access is made by a view whose borrow says that it may.
unsafe impl<L: Level, S> Send for PackedLane<'_, L, S> {}
// SAFETY: as above.
unsafe impl<L: Level, S> Sync for PackedLane<'_, L, S> {}

impl<'a, L: Level, S: Packing> PackedLane<'a, L, S> {
    /// # Panics
    /// If the field is not one of this level and packing.
    pub(crate) fn new(core: &'a Core<L::Layout>, field: usize) -> Self {
        let decl = &L::Layout::TREE.fields[field];
        assert!(decl.level == L::LEVEL && S::is_of(decl.packing, decl.size), "a view of another field");
        let part = core.part(core.meta().fields[field].part);
        PackedLane { core, base: part.base(), stride: part.stride(), field, packing: PhantomData }
    }

    pub(crate) fn node(&self, handle: u32) -> *mut u8 {
        self.base.wrapping_add(handle as usize * self.stride)
    }

    /// # Safety
    /// The cell is one of a node that exists, and nobody writes to it meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn load(&self, node: u32, cell: u64) -> S::Value {
        // SAFETY: the part's stride is that of a node of `per_node` cells packed so (`Tree::part_stride`, `new`).
        unsafe { S::load(self.node(node), plan_of::<L>(self.core).per_node, cell) }
    }

    /// # Safety
    /// As `load`, and nobody reads it meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, node: u32, cell: u64, value: S::Value) {
        // SAFETY: as in `load`.
        unsafe { S::store(self.node(node), plan_of::<L>(self.core).per_node, cell, value) }
    }

    /// The number of a located cell in its node.
    #[inline(always)]
    pub(crate) fn cell(&self, at: &Loc) -> u64 {
        at.outer * plan_of::<L>(self.core).block + at.digit
    }

    pub(crate) fn background(&self) -> S::Value {
        S::background(self.core.raw().background(self.field))
    }

    pub(crate) fn name(&self) -> &'static str {
        L::Layout::TREE.fields[self.field].name
    }
}

/// The value of a packed field, copied.
pub struct ReadPacked<'a, L: Level, S>(pub(crate) PackedLane<'a, L, S>);

/// The value of a packed field that is lent exclusively.
pub struct WritePacked<'a, L: Level, S>(PackedLane<'a, L, S>);

macro_rules! basics {
    ($($name:ident),*) => { $(
        impl<L: Level, S> Clone for $name<'_, L, S> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<L: Level, S> Copy for $name<'_, L, S> {}
        impl<L: Level, S> std::fmt::Debug for $name<'_, L, S> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )* };
}
basics!(ReadPacked, WritePacked);

impl<'a, L: Level, S: Packing> WritePacked<'a, L, S> {
    /// # Safety
    /// For `'a` the field is reached through this alone.
    pub(crate) unsafe fn from_lane(lane: PackedLane<'a, L, S>) -> Self {
        WritePacked(lane)
    }
}

// SAFETY: values are copied.
unsafe impl<L: Level, S: Packing> Lanes for ReadPacked<'_, L, S> {
    type Level = L;
    type Item = S::Value;

    #[inline(always)]
    unsafe fn core(&self) -> &Core<L::Layout> {
        self.0.core
    }

    #[inline(always)]
    unsafe fn item(&self, node: u32, cell: u64) -> S::Value {
        // SAFETY: a cell of an existing node, of a field that is borrowed for reading.
        unsafe { self.0.load(node, cell) }
    }
}

// SAFETY: the field is reached through this alone (`from_lane`), and each cell is asked for once.
unsafe impl<'a, L: Level, S: Packing> Lanes for WritePacked<'a, L, S> {
    type Level = L;
    type Item = Slot<'a, L, S>;

    #[inline(always)]
    unsafe fn core(&self) -> &Core<L::Layout> {
        self.0.core
    }

    #[inline(always)]
    unsafe fn item(&self, node: u32, cell: u64) -> Slot<'a, L, S> {
        // SAFETY: a cell of an existing node, asked for once, of a field that is borrowed exclusively.
        Slot { value: unsafe { self.0.load(node, cell) }, lane: self.0, node, cell, exclusive: PhantomData }
    }
}

/// The value of one cell of a packed field: read and written as `*slot`; what it holds in the end is written back when it
/// is dropped.
pub struct Slot<'a, L: Level, S: Packing> {
    value: S::Value,
    lane: PackedLane<'a, L, S>,
    node: u32,
    cell: u64,
    exclusive: PhantomData<&'a mut ()>,
}

impl<L: Level, S: Packing> std::fmt::Debug for Slot<'_, L, S>
where
    S::Value: std::fmt::Debug,
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl<L: Level, S: Packing> std::ops::Deref for Slot<'_, L, S> {
    type Target = S::Value;

    #[inline(always)]
    fn deref(&self) -> &S::Value {
        &self.value
    }
}

impl<L: Level, S: Packing> std::ops::DerefMut for Slot<'_, L, S> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut S::Value {
        &mut self.value
    }
}

impl<L: Level, S: Packing> Drop for Slot<'_, L, S> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the slot is the only access to its cell for as long as the field is lent.
        unsafe { self.lane.store(self.node, self.cell, self.value) };
    }
}
