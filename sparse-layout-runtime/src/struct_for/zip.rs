//! Loops over several fields of the same cell.

use super::blocks::{BlockLanes, BlockMut, par_blocks_mut, par_for_each_block};
use super::iter::Iter;
use super::lanes::{Lanes, Read, Write};
use super::par_iter::{ParIter, par_for_each};
use crate::core::Core;
use crate::element::Element;
use crate::field::{Field, FieldMut};
use crate::layout::Level;
use crate::level::Block;
use rayon::prelude::*;

/// Nobody else says what a loop is handed: lanes are `Copy`, and a foreign view could hand one out twice.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// A view that a zip can borrow: `&Field`, `&FieldMut` (values, copied) and `&mut FieldMut` (references).
pub trait View: sealed::Sealed {
    /// What it becomes.
    type Lanes: Lanes;
    #[doc(hidden)]
    fn lanes(self) -> Self::Lanes;
}

impl<L: Level, T: Element> sealed::Sealed for &Field<'_, L, T> {}
impl<'a, L: Level, T: Element> View for &'a Field<'_, L, T> {
    type Lanes = Read<'a, L, T>;
    fn lanes(self) -> Read<'a, L, T> {
        Read(self.lane)
    }
}

impl<'a, L: Level, T: Element> sealed::Sealed for Field<'a, L, T> {}
impl<'a, L: Level, T: Element> View for Field<'a, L, T> {
    type Lanes = Read<'a, L, T>;
    fn lanes(self) -> Read<'a, L, T> {
        Read(self.lane)
    }
}

impl<L: Level, T: Element> sealed::Sealed for &FieldMut<'_, L, T> {}
impl<'a, L: Level, T: Element> View for &'a FieldMut<'_, L, T> {
    type Lanes = Read<'a, L, T>;
    fn lanes(self) -> Read<'a, L, T> {
        Read(self.lane)
    }
}

impl<L: Level, T: Element> sealed::Sealed for &mut FieldMut<'_, L, T> {}
impl<'a, L: Level, T: Element> View for &'a mut FieldMut<'_, L, T> {
    type Lanes = Write<'a, L, T>;
    fn lanes(self) -> Write<'a, L, T> {
        Write::new(self)
    }
}

/// Loops over a tuple of 2 to 8 views of one level of one grid: one descent per cell for all of them.
///
/// `(&mut a, &b).par_for_each(|p, (a, b)| ..)`: `a` is `&mut`, `b` a value.
///
/// # Panics
/// Every method does if the views belong to different grids.
pub trait Zip: sealed::Sealed + Sized {
    /// The views' lanes.
    type Lanes: Lanes;

    #[doc(hidden)]
    fn zipped(self) -> Self::Lanes;

    /// The active cells in order.
    fn iter<'a>(self) -> Iter<'a, <Self::Lanes as Lanes>::Level, Self::Lanes>
    where
        Self::Lanes: 'a,
    {
        Iter::new(self.zipped())
    }

    /// The active cells in parallel.
    fn par_iter<'a>(self) -> ParIter<'a, <Self::Lanes as Lanes>::Level, Self::Lanes>
    where
        Self::Lanes: 'a,
    {
        ParIter::new(self.zipped())
    }

    /// The struct-for: calls `f` with each active cell, in parallel.
    fn par_for_each(
        self,
        f: impl Fn(<<Self::Lanes as Lanes>::Level as Level>::Point, <Self::Lanes as Lanes>::Item) + Sync + Send,
    ) {
        par_for_each(self.zipped(), f);
    }

    /// Every block that exists, with the views' values in it as slices, for rayon: `&mut [T]` for `&mut` views, `&[T]` for
    /// others. Values written to inactive cells are lost.
    ///
    /// Blocks of more than a few thousand cells come in pieces, each of whole rows.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`).
    fn par_blocks_mut<'a>(self) -> impl ParallelIterator<Item = BlockMut<'a, Self::Lanes>>
    where
        Self::Lanes: BlockLanes + 'a,
    {
        par_blocks_mut(self.zipped())
    }

    /// Calls `f` with each block and the views' values in it: see [`par_blocks_mut`](Self::par_blocks_mut).
    ///
    /// `(&mut a, &b).par_for_each_block(|block, (a, b)| ..)`: `a` is `&mut [T]`, `b` is `&[U]`.
    ///
    /// # Panics
    /// If the level is stored as records (`aos`), or if `f` does: the grid stays valid.
    fn par_for_each_block<'a>(
        self,
        f: impl Fn(Block<'_, <Self::Lanes as Lanes>::Level>, <Self::Lanes as BlockLanes>::Slices<'_>) + Sync + Send,
    ) where
        Self::Lanes: BlockLanes + 'a,
    {
        par_for_each_block(self.zipped(), f);
    }
}

fn same<G: crate::layout::Layout>(a: &Core<G>, b: &Core<G>) {
    assert!(std::ptr::eq(a, b), "a loop over views of different grids");
}

macro_rules! tuples {
    ($(($first:ident, $($name:ident $i:tt),*))*) => { $(
        impl<$first: View, $($name: View),*> sealed::Sealed for ($first, $($name),*) {}

        impl<$first: View, $($name: View),*> Zip for ($first, $($name),*)
        where
            $($name::Lanes: Lanes<Level = <$first::Lanes as Lanes>::Level>,)*
        {
            type Lanes = ($first::Lanes, $($name::Lanes),*);

            fn zipped(self) -> Self::Lanes {
                #[allow(non_snake_case)]
                let ($first, $($name),*) = self;
                let lanes = ($first.lanes(), $($name.lanes()),*);
                // SAFETY: addresses are compared.
                $( unsafe { same(lanes.0.core(), lanes.$i.core()) }; )*
                lanes
            }
        }
    )* };
}
tuples! {
    (A, B 1)
    (A, B 1, C 2)
    (A, B 1, C 2, D 3)
    (A, B 1, C 2, D 3, E 4)
    (A, B 1, C 2, D 3, E 4, F 5)
    (A, B 1, C 2, D 3, E 4, F 5, G 6)
    (A, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
