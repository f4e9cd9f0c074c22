//! What a loop is handed at each cell.

use crate::core::Core;
use crate::element::Element;
use crate::field::Lane;
use crate::layout::Level;

/// The values of one field or several at a cell.
///
/// # Safety
/// `item` may be called from several threads at once, but only once per cell for as long as the lanes are borrowed:
/// implementations may then hand out `&mut`.
pub unsafe trait Lanes: Copy + Send + Sync {
    /// The level they belong to.
    type Level: Level;
    /// What a loop gets.
    type Item;

    /// # Safety
    /// No view is made of it: the grid's fields may be lent.
    #[doc(hidden)]
    unsafe fn core(&self) -> &Core<<Self::Level as Level>::Layout>;

    /// # Safety
    /// The cell is one of an existing node, and was not asked for before.
    #[doc(hidden)]
    unsafe fn item(&self, node: u32, cell: u64) -> Self::Item;
}

/// The value of a field, copied.
pub struct Read<'a, L: Level, T>(pub(crate) Lane<'a, L, T>);

/// A reference to the value of a field that is lent exclusively.
pub struct Write<'a, L: Level, T>(Lane<'a, L, T>);

macro_rules! basics {
    ($($name:ident),*) => { $(
        impl<L: Level, T> Clone for $name<'_, L, T> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<L: Level, T> Copy for $name<'_, L, T> {}
        impl<L: Level, T> std::fmt::Debug for $name<'_, L, T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )* };
}
basics!(Read, Write);

impl<'a, L: Level, T: Element> Write<'a, L, T> {
    /// # Safety
    /// For `'a` the field is reached through this alone.
    #[inline(always)]
    pub(crate) unsafe fn from_lane(lane: Lane<'a, L, T>) -> Self {
        Write(lane)
    }

    #[inline(always)]
    pub(super) fn lane(&self) -> &Lane<'a, L, T> {
        &self.0
    }
}

// SAFETY: values are copied.
unsafe impl<L: Level, T: Element> Lanes for Read<'_, L, T> {
    type Level = L;
    type Item = T;

    #[inline(always)]
    unsafe fn core(&self) -> &Core<L::Layout> {
        self.0.core
    }

    #[inline(always)]
    unsafe fn item(&self, node: u32, cell: u64) -> T {
        // SAFETY: a cell of an existing node, of a field that is borrowed for reading.
        unsafe { *self.0.nth(node, cell) }
    }
}

// SAFETY: the field is reached through this alone (`from_lane`), and each cell is asked for once.
unsafe impl<'a, L: Level, T: Element> Lanes for Write<'a, L, T> {
    type Level = L;
    type Item = &'a mut T;

    #[inline(always)]
    unsafe fn core(&self) -> &Core<L::Layout> {
        self.0.core
    }

    #[inline(always)]
    unsafe fn item(&self, node: u32, cell: u64) -> &'a mut T {
        // SAFETY: a cell of an existing node, asked for once, of a field that is borrowed exclusively.
        unsafe { &mut *self.0.nth(node, cell) }
    }
}

macro_rules! tuples {
    ($(($($name:ident $i:tt),*))*) => { $(
        // SAFETY: each part keeps the contract for its own field; that two parts are not the same field follows from
        // their borrows.
        unsafe impl<A: Lanes, $($name: Lanes<Level = A::Level>),*> Lanes for (A, $($name),*) {
            type Level = A::Level;
            type Item = (A::Item, $($name::Item),*);

            #[inline(always)]
            unsafe fn core(&self) -> &Core<<A::Level as Level>::Layout> {
                // SAFETY: passed on.
                unsafe { self.0.core() }
            }

            #[inline(always)]
            unsafe fn item(&self, node: u32, cell: u64) -> Self::Item {
                // SAFETY: passed on.
                unsafe { (self.0.item(node, cell), $(self.$i.item(node, cell)),*) }
            }
        }
    )* };
}
tuples! {
    (B 1)
    (B 1, C 2)
    (B 1, C 2, D 3)
    (B 1, C 2, D 3, E 4)
    (B 1, C 2, D 3, E 4, F 5)
    (B 1, C 2, D 3, E 4, F 5, G 6)
    (B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// No values: loops over cells alone.
pub(crate) struct Nothing<'a, L: Level>(pub(crate) &'a Core<L::Layout>);

impl<L: Level> Clone for Nothing<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level> Copy for Nothing<'_, L> {}

// SAFETY: no value is touched.
unsafe impl<L: Level> Lanes for Nothing<'_, L> {
    type Level = L;
    type Item = ();

    #[inline(always)]
    unsafe fn core(&self) -> &Core<L::Layout> {
        self.0
    }

    #[inline(always)]
    unsafe fn item(&self, _node: u32, _cell: u64) {}
}

/// Where each cell stands: its node and its number there.
pub(crate) struct Slots<'a, L: Level>(pub(crate) &'a Core<L::Layout>);

impl<L: Level> Clone for Slots<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level> Copy for Slots<'_, L> {}

// SAFETY: no value is touched.
unsafe impl<L: Level> Lanes for Slots<'_, L> {
    type Level = L;
    type Item = (u32, u64);

    #[inline(always)]
    unsafe fn core(&self) -> &Core<L::Layout> {
        self.0
    }

    #[inline(always)]
    unsafe fn item(&self, node: u32, cell: u64) -> (u32, u64) {
        (node, cell)
    }
}
