//! What a stencil reads: one field, or several of the same level.

use super::around::Around;
use super::boundary::{Boundary, WithBoundary};
use super::geometry::Buffer;
use super::halo::HaloView;
use super::lanes::RowAround;
use super::map::Map;
use super::shape::Shape;
use super::tile::{Tile, gather, prefetch_around};
use crate::core::Core;
use crate::element::Element;
use crate::field::{Field, FieldMut};
use crate::layout::Level;
use crate::tree::MAX_AXES;

mod sealed {
    /// Nobody else says what a stencil reads: buffers are filled and read without checks.
    pub trait Sealed {}
}

/// A cache line, so that buffers are aligned to one.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// The values of a tile and its margin.
#[derive(Debug)]
pub struct Values<T> {
    lines: Box<[Line]>,
    of: std::marker::PhantomData<T>,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Element> Values<T> {
    fn new(len: usize) -> Self {
        const { assert!(align_of::<T>() <= align_of::<Line>(), "an element that is aligned to more than 64 bytes") };
        // All bytes are some value, so that what no cell was copied to may be read and dropped.
        let lines = vec![Line([0; 64]); (len * size_of::<T>()).div_ceil(64)];
        Values { lines: lines.into(), of: std::marker::PhantomData }
    }

    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const T {
        self.lines.as_ptr().cast()
    }

    #[inline(always)]
    fn as_mut_ptr(&mut self) -> *mut T {
        self.lines.as_mut_ptr().cast()
    }
}

/// What a stencil over cells of a level reads: `&Field`, `&FieldMut`, [`WithBoundary`], or a tuple of up to eight of them, all of
/// that level and of the grid that the loop writes to.
pub trait Inputs<L: Level>: sealed::Sealed + Copy + Send + Sync {
    /// What the closure is handed: an [`Around`], or a tuple of them.
    type Around<S: Shape>;
    /// What the closure over rows is handed: a [`RowAround`], or a tuple of them.
    type Rows<S: Shape>;
    /// What the closure over blocks is handed: a [`HaloView`], or a tuple of them.
    type Halo<S: Shape>;
    #[doc(hidden)]
    type Buffers;

    #[doc(hidden)]
    fn buffers<S: Shape>(&self) -> Self::Buffers;

    /// # Panics
    /// If a field is of another grid.
    #[doc(hidden)]
    fn assert_of(&self, core: &Core<L::Layout>);

    /// Asks for the values around a node.
    #[doc(hidden)]
    fn prefetch_around<S: Shape>(&self, handles: &[u32], map: &Map<L, S>);

    /// Fills the buffers. `ahead` is called with the first cell of each row and its number in a run, to ask for what will be written
    /// there in the node ahead.
    ///
    /// # Safety
    /// The map is that of the tile, and `buffers` were made for the shape.
    #[doc(hidden)]
    unsafe fn gather<S: Shape>(
        &self,
        buffers: &mut Self::Buffers,
        tile: &Tile<'_, L>,
        map: &Map<L, S>,
        far: bool,
        ahead: impl Fn(u64, usize),
    );

    /// # Safety
    /// The buffers were filled, and `at` is the place of a cell of the tile; they live as long as what is made here.
    #[doc(hidden)]
    unsafe fn around<S: Shape>(buffers: &Self::Buffers, at: usize) -> Self::Around<S>;

    /// # Safety
    /// As [`around`](Self::around).
    #[doc(hidden)]
    unsafe fn rows<S: Shape>(buffers: &Self::Buffers, at: usize) -> Self::Rows<S>;

    /// # Safety
    /// The buffers were filled for a tile of these sizes, and live as long as what is made here.
    #[doc(hidden)]
    unsafe fn halo<S: Shape>(buffers: &Self::Buffers, len: [usize; MAX_AXES]) -> Self::Halo<S>;
}

/// One field.
trait One<'a, L: Level, T> {
    fn input(self) -> WithBoundary<'a, L, T>;
}

impl<'a, L: Level, T: Element> One<'a, L, T> for &Field<'a, L, T> {
    #[inline(always)]
    fn input(self) -> WithBoundary<'a, L, T> {
        self.with_boundary(Boundary::Background)
    }
}

impl<'a, L: Level, T: Element> One<'a, L, T> for Field<'a, L, T> {
    #[inline(always)]
    fn input(self) -> WithBoundary<'a, L, T> {
        self.with_boundary(Boundary::Background)
    }
}

impl<'a, L: Level, T: Element> One<'a, L, T> for &'a FieldMut<'_, L, T> {
    #[inline(always)]
    fn input(self) -> WithBoundary<'a, L, T> {
        self.with_boundary(Boundary::Background)
    }
}

impl<'a, L: Level, T: Element> One<'a, L, T> for WithBoundary<'a, L, T> {
    #[inline(always)]
    fn input(self) -> WithBoundary<'a, L, T> {
        self
    }
}

impl<'a, L: Level, T: Element> One<'a, L, T> for &WithBoundary<'a, L, T> {
    #[inline(always)]
    fn input(self) -> WithBoundary<'a, L, T> {
        *self
    }
}

macro_rules! one {
    ($($view:ty),*) => { $(
        impl<L: Level, T: Element> sealed::Sealed for $view {}

        impl<L: Level, T: Element> Inputs<L> for $view {
            type Around<S: Shape> = Around<L, S, T>;
            type Rows<S: Shape> = RowAround<L, S, T>;
            type Halo<S: Shape> = HaloView<L, S, T>;
            type Buffers = Values<T>;

            fn buffers<S: Shape>(&self) -> Values<T> {
                Values::new(Buffer::<L, S>::LEN)
            }

            fn assert_of(&self, core: &Core<L::Layout>) {
                assert!(std::ptr::eq((*self).input().lane.core, core), "a stencil over fields of different grids");
            }

            #[inline(always)]
            fn prefetch_around<S: Shape>(&self, handles: &[u32], map: &Map<L, S>) {
                prefetch_around(&(*self).input().lane, handles, map);
            }

            #[inline(always)]
            unsafe fn gather<S: Shape>(
                &self,
                values: &mut Values<T>,
                tile: &Tile<'_, L>,
                map: &Map<L, S>,
                far: bool,
                ahead: impl Fn(u64, usize),
            ) {
                // SAFETY: passed on; this view borrows the field for reading.
                unsafe { gather(&(*self).input(), tile, map, values.as_mut_ptr(), far, ahead) };
            }

            #[inline(always)]
            unsafe fn around<S: Shape>(values: &Values<T>, at: usize) -> Around<L, S, T> {
                // SAFETY: passed on.
                unsafe { Around::new(values.as_ptr().add(at)) }
            }

            #[inline(always)]
            unsafe fn rows<S: Shape>(values: &Values<T>, at: usize) -> RowAround<L, S, T> {
                // SAFETY: passed on.
                unsafe { RowAround::new(values.as_ptr().add(at)) }
            }

            #[inline(always)]
            unsafe fn halo<S: Shape>(values: &Values<T>, len: [usize; MAX_AXES]) -> HaloView<L, S, T> {
                // SAFETY: passed on.
                unsafe { HaloView::new(values.as_ptr(), len) }
            }
        }
    )* };
}
one!(&Field<'_, L, T>, Field<'_, L, T>, &FieldMut<'_, L, T>, WithBoundary<'_, L, T>, &WithBoundary<'_, L, T>);

macro_rules! several {
    ($(($($name:ident $i:tt),*))*) => { $(
        impl<$($name: sealed::Sealed),*> sealed::Sealed for ($($name,)*) {}

        impl<L: Level, $($name: Inputs<L>),*> Inputs<L> for ($($name,)*) {
            type Around<Sh: Shape> = ($($name::Around<Sh>,)*);
            type Rows<Sh: Shape> = ($($name::Rows<Sh>,)*);
            type Halo<Sh: Shape> = ($($name::Halo<Sh>,)*);
            type Buffers = ($($name::Buffers,)*);

            fn buffers<Sh: Shape>(&self) -> Self::Buffers {
                ($(self.$i.buffers::<Sh>(),)*)
            }

            fn assert_of(&self, core: &Core<L::Layout>) {
                $(self.$i.assert_of(core);)*
            }

            #[inline(always)]
            fn prefetch_around<Sh: Shape>(&self, handles: &[u32], map: &Map<L, Sh>) {
                $(self.$i.prefetch_around(handles, map);)*
            }

            #[inline(always)]
            unsafe fn gather<Sh: Shape>(
                &self,
                buffers: &mut Self::Buffers,
                tile: &Tile<'_, L>,
                map: &Map<L, Sh>,
                far: bool,
                ahead: impl Fn(u64, usize),
            ) {
                // What will be written is asked for once.
                let ahead = |i: usize, cell: u64, k: usize| if i == 0 { ahead(cell, k) };
                // SAFETY: passed on.
                unsafe { $(self.$i.gather::<Sh>(&mut buffers.$i, tile, map, far, |cell, k| ahead($i, cell, k));)* }
            }

            #[inline(always)]
            unsafe fn around<Sh: Shape>(buffers: &Self::Buffers, at: usize) -> Self::Around<Sh> {
                // SAFETY: passed on.
                unsafe { ($($name::around::<Sh>(&buffers.$i, at),)*) }
            }

            #[inline(always)]
            unsafe fn rows<Sh: Shape>(buffers: &Self::Buffers, at: usize) -> Self::Rows<Sh> {
                // SAFETY: passed on.
                unsafe { ($($name::rows::<Sh>(&buffers.$i, at),)*) }
            }

            #[inline(always)]
            unsafe fn halo<Sh: Shape>(buffers: &Self::Buffers, len: [usize; MAX_AXES]) -> Self::Halo<Sh> {
                // SAFETY: passed on.
                unsafe { ($($name::halo::<Sh>(&buffers.$i, len),)*) }
            }
        }
    )* };
}
several! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
