//! `bits` and `split` fields that many threads read and write.

use super::Concurrent;
use super::element::Atomic;
use super::mode::{Frozen, Growing, Lent, Mode, Spot};
use crate::coord::Coord;
use crate::core::{is_active_shared, locate, word_at};
use crate::error::OutOfBounds;
use crate::field::packed::PackedLane;
use crate::field::{Bits, PackedFieldMut, Packing, Read, Split, Splittable};
use crate::layout::Level;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A `bits` or `split` field of a grid that is lent to many threads; otherwise as [`Shared`](super::Shared).
///
/// A bit is changed by one operation on its word, and others of the word stay. A value with one array per component is
/// changed component by component, as arrays are ([`Atomic`]).
pub struct SharedPacked<'a, L: Level, S, M = Growing> {
    lane: PackedLane<'a, L, S>,
    mode: PhantomData<fn() -> M>,
}

impl<L: Level, S, M> Clone for SharedPacked<'_, L, S, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, S, M> Copy for SharedPacked<'_, L, S, M> {}

impl<L: Level, S: Packing, M> std::fmt::Debug for SharedPacked<'_, L, S, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedPacked").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, S: Packing> SharedPacked<'a, L, S> {
    /// The field of that number: what the attribute's handle calls.
    ///
    /// # Panics
    /// If the field is not one of this level and packing.
    #[doc(hidden)]
    pub fn new(grid: Concurrent<'a, L::Layout>, field: usize) -> Self {
        SharedPacked { lane: PackedLane::new(grid.core, field), mode: PhantomData }
    }
}

impl<L: Level, S: Packing> PackedFieldMut<'_, L, S> {
    /// See [`FieldMut::atomic`](crate::FieldMut::atomic).
    pub fn atomic(&mut self) -> SharedPacked<'_, L, S, Frozen> {
        SharedPacked { lane: self.lane, mode: PhantomData }
    }
}

/// Packings whose values many threads may change at once: bits, and components that have atomics.
///
/// # Safety
/// `load_shared` and `store_shared` access what belongs to the cell, atomically, component by component.
pub unsafe trait SharedPacking: Packing {
    /// # Safety
    /// As [`Packing::load`], but others may access the cell atomically.
    #[doc(hidden)]
    unsafe fn load_shared(node: *mut u8, cells: u64, cell: u64) -> Self::Value;
    /// # Safety
    /// As `load_shared`. The value before.
    #[doc(hidden)]
    unsafe fn swap_shared(node: *mut u8, cells: u64, cell: u64, value: Self::Value) -> Self::Value;
}

/// The word of a bit, and the bit in it.
///
/// # Safety
/// `node` is the memory of a node's bits, `cell` one of its cells; they are accessed atomically alone for `'a`.
#[inline(always)]
unsafe fn bit_of<'a>(node: *mut u8, cell: u64) -> (&'a AtomicU64, u64) {
    // SAFETY: as promised; words of bits are aligned.
    (unsafe { AtomicU64::from_ptr(word_at(node, cell)) }, 1 << (cell & 63))
}

// SAFETY: one operation on the word that holds the bit.
unsafe impl SharedPacking for Bits {
    #[inline(always)]
    unsafe fn load_shared(node: *mut u8, _cells: u64, cell: u64) -> bool {
        // SAFETY: as promised.
        let (word, bit) = unsafe { bit_of(node, cell) };
        word.load(Relaxed) & bit != 0
    }

    #[inline(always)]
    unsafe fn swap_shared(node: *mut u8, _cells: u64, cell: u64, value: bool) -> bool {
        // SAFETY: as promised.
        let (word, bit) = unsafe { bit_of(node, cell) };
        let old = if value { word.fetch_or(bit, Relaxed) } else { word.fetch_and(!bit, Relaxed) };
        old & bit != 0
    }
}

/// Component `i` of a cell.
#[inline(always)]
fn component<T: Splittable>(node: *mut u8, cells: u64, cell: u64, i: usize) -> *mut T::Component {
    node.cast::<T::Component>().wrapping_add(i * cells as usize + cell as usize)
}

/// What `f` gives for each component of a value, which it is told with its number.
#[inline(always)]
fn by_component<T: Splittable>(mut value: T, mut f: impl FnMut(usize, T::Component) -> T::Component) -> T {
    let components: &mut [T::Component] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut value));
    for (i, c) in components.iter_mut().enumerate() {
        *c = f(i, *c);
    }
    value
}

// SAFETY: each component is accessed by the atomics of its type, where `Split` puts it.
unsafe impl<T: Splittable<Component: Atomic>> SharedPacking for Split<T> {
    #[inline(always)]
    unsafe fn load_shared(node: *mut u8, cells: u64, cell: u64) -> T {
        by_component(<T as bytemuck::Zeroable>::zeroed(), |i, _| {
            // SAFETY: component `i` of the cell, as promised.
            unsafe { Atomic::load(component::<T>(node, cells, cell, i)) }
        })
    }

    #[inline(always)]
    unsafe fn swap_shared(node: *mut u8, cells: u64, cell: u64, value: T) -> T {
        // SAFETY: as above.
        by_component(value, |i, c| unsafe { Atomic::swap(component::<T>(node, cells, cell, i), c) })
    }
}

impl<L: Level, S: Packing, M: Mode> SharedPacked<'_, L, S, M> {
    /// The name it was declared with.
    pub fn name(self) -> &'static str {
        self.lane.name()
    }

    /// The memory of the node of a cell that is active now, and the cell's number there.
    #[inline]
    fn cell(self, p: L::Point) -> Result<(*mut u8, u64), M::Error> {
        let Spot(at) = M::reach::<L>(Lent(self.lane.core), p, || self.lane.name())?;
        Ok((self.lane.node(at.handle), self.lane.cell(&at)))
    }

    fn cells(self) -> u64 {
        crate::core::plan_of::<L>(self.lane.core).per_node
    }

    /// Whether a cell is active.
    #[inline]
    pub fn is_active(self, p: impl Coord<L::Point>) -> bool {
        locate::<L>(self.lane.core, p.point()).is_some_and(|at| is_active_shared::<L>(self.lane.core, &at))
    }
}

impl<L: Level, S: SharedPacking, M: Mode> SharedPacked<'_, L, S, M> {
    /// Sets a cell. The value before.
    ///
    /// # Errors
    /// If the cell is out of bounds, or cannot be active (no node left, or frozen); nothing is written.
    #[inline]
    pub fn swap(self, p: impl Coord<L::Point>, value: S::Value) -> Result<S::Value, M::Error> {
        let (node, cell) = self.cell(p.point())?;
        // SAFETY: a cell of a node that exists; while the grid, or the field, is lent to many threads its values are accessed
        // atomically alone. So for all that follow.
        Ok(unsafe { S::swap_shared(node, self.cells(), cell, value) })
    }

    /// Sets a cell.
    ///
    /// # Errors
    /// As [`swap`](Self::swap).
    #[inline]
    pub fn store(self, p: impl Coord<L::Point>, value: S::Value) -> Result<(), M::Error> {
        self.swap(p, value).map(drop)
    }

    /// The value of a cell; the background where it is inactive.
    ///
    /// # Errors
    /// If the cell is out of bounds.
    #[inline]
    pub fn load(self, p: impl Coord<L::Point>) -> Result<S::Value, OutOfBounds> {
        let p = p.point();
        match locate::<L>(self.lane.core, p) {
            // SAFETY: as in `swap`; where no node exists, it is the background node's, which nobody writes.
            Some(at) => Ok(unsafe { S::load_shared(self.lane.node(at.handle), self.cells(), self.lane.cell(&at)) }),
            None => Err(self.lane.core.out_of_bounds_of::<L>(self.lane.name(), p)),
        }
    }

    /// The value of an active cell; `None` where inactive or out of bounds.
    #[inline]
    pub fn get(self, p: impl Coord<L::Point>) -> Option<S::Value> {
        let p = p.point();
        if self.is_active(p) { self.load(p).ok() } else { None }
    }
}

macro_rules! bits {
    ($($name:ident $doc:literal |$word:ident, $bit:ident, $value:ident| $op:expr;)*) => {
        impl<L: Level, M: Mode> SharedPacked<'_, L, Bits, M> { $(
            #[doc = concat!($doc, " The value before.\n\n# Errors\nAs [`swap`](Self::swap).")]
            #[inline]
            pub fn $name(self, p: impl Coord<L::Point>, $value: bool) -> Result<bool, M::Error> {
                let (node, cell) = self.cell(p.point())?;
                // SAFETY: as in `swap`.
                let ($word, $bit) = unsafe { bit_of(node, cell) };
                Ok($op & $bit != 0)
            }
        )* }
    };
}
bits! {
    fetch_or "Sets a cell if `value` is set." |word, bit, value| if value { word.fetch_or(bit, Relaxed) } else { word.load(Relaxed) };
    fetch_and "Turns a cell off unless `value` is set." |word, bit, value| if value { word.load(Relaxed) } else { word.fetch_and(!bit, Relaxed) };
    fetch_xor "Inverts a cell if `value` is set." |word, bit, value| if value { word.fetch_xor(bit, Relaxed) } else { word.load(Relaxed) };
}

macro_rules! split {
    ($($name:ident $doc:literal $op:ident;)*) => {
        impl<L: Level, T: Splittable<Component: Atomic>, M: Mode> SharedPacked<'_, L, Split<T>, M> { $(
            #[doc = concat!($doc, ", component by component. The value before.\n\n# Errors\nAs [`swap`](Self::swap).")]
            #[inline]
            pub fn $name(self, p: impl Coord<L::Point>, value: T) -> Result<T, M::Error> {
                let (node, cell) = self.cell(p.point())?;
                let cells = self.cells();
                // SAFETY: component `i` of the cell; as in `swap`.
                Ok(by_component(value, |i, c| unsafe { Atomic::$op(component::<T>(node, cells, cell, i), c) }))
            }
        )* }
    };
}
split! {
    fetch_add "Adds to a cell" add;
    fetch_sub "Subtracts from a cell" sub;
    fetch_min "Lowers a cell" min;
    fetch_max "Raises a cell" max;
}

impl<L: Level, S: SharedPacking, M: Mode> Read<S::Value> for SharedPacked<'_, L, S, M> {
    type Point = L::Point;

    #[inline]
    fn read(&self, p: L::Point) -> Option<S::Value> {
        self.get(p)
    }

    #[inline]
    fn read_or_background(&self, p: L::Point) -> S::Value {
        self.load(p).unwrap_or_else(|_| self.lane.background())
    }
}
