//! The form for whole rows: the closure sees eight cells at a time.

use super::geometry::Buffer;
use super::input::Inputs;
use super::map::Map;
use super::row::{self, At, Body, Cell, LANES, Stage};
use super::shape::{Cube, Shape};
use super::sweep::Kernel;
use super::tile::{Tile, prefetch_row};
use crate::coord::{Coord, Point};
use crate::core::load_eight;
use crate::element::Element;
use crate::field::Lane;
use crate::layout::Level;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The values of eight cells in a row.
///
/// ```
/// use sparse_layout_runtime::Row;
/// let row = Row([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0_f32]);
/// assert_eq!((row + row * 0.5).0[6], 9.0);
/// assert_eq!(row.zip(Row::splat(3.5), f32::max).0[2], 3.5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(32))]
pub struct Row<T>(pub [T; LANES]);

impl<T: Copy> Row<T> {
    /// The same value eight times.
    #[inline(always)]
    pub fn splat(value: T) -> Self {
        Row([value; LANES])
    }

    /// Applies a function to each.
    #[inline(always)]
    pub fn map<U: Copy>(self, f: impl Fn(T) -> U) -> Row<U> {
        let mut out = [f(self.0[0]); LANES];
        for i in 1..LANES {
            out[i] = f(self.0[i]);
        }
        Row(out)
    }

    /// Combines the values of two rows.
    #[inline(always)]
    pub fn zip<U: Copy, V: Copy>(self, other: Row<U>, f: impl Fn(T, U) -> V) -> Row<V> {
        let mut out = [f(self.0[0], other.0[0]); LANES];
        for i in 1..LANES {
            out[i] = f(self.0[i], other.0[i]);
        }
        Row(out)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => { $(
        impl<T: Copy + $trait<Output = T>> $trait for Row<T> {
            type Output = Row<T>;
            #[inline(always)]
            fn $method(self, other: Row<T>) -> Row<T> {
                self.zip(other, $trait::$method)
            }
        }

        impl<T: Copy + $trait<Output = T>> $trait<T> for Row<T> {
            type Output = Row<T>;
            #[inline(always)]
            fn $method(self, other: T) -> Row<T> {
                self.map(|v| v.$method(other))
            }
        }
    )* };
}
operators!(Add add Sub sub Mul mul Div div);

impl<T: Copy + Neg<Output = T>> Neg for Row<T> {
    type Output = Row<T>;
    #[inline(always)]
    fn neg(self) -> Row<T> {
        self.map(|v| -v)
    }
}

/// A field's values around eight cells in a row: what the closure of
/// [`Stencils::par_map_rows`](super::Stencils::par_map_rows) is handed.
pub struct RowAround<L, S, T> {
    first: *const T,
    of: PhantomData<(L, S)>,
}

impl<L: Level, S: Shape, T: Element> std::fmt::Debug for RowAround<L, S, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowAround").finish_non_exhaustive()
    }
}

impl<L: Level, S: Shape, T: Element> RowAround<L, S, T> {
    /// # Safety
    /// `first` is a value of a filled buffer of this level and shape, for a cell of its tile, for as long as this lives.
    #[inline(always)]
    pub(super) unsafe fn new(first: *const T) -> Self {
        RowAround { first, of: PhantomData }
    }

    /// The values of the cells that far away along each axis. See [`Around::at`](super::Around::at).
    ///
    /// # Panics
    /// If the offset is not one of the shape's.
    #[inline(always)]
    pub fn at(&self, offset: impl Coord<L::Point>) -> Row<T> {
        let distance = Buffer::<L, S>::distance(offset.point());
        // SAFETY: the cells are those of the shape around cells of a row; past the row's end the buffer goes on for a row of lanes
        // (`Buffer::LEN`).
        Row(unsafe { load_eight(self.first.offset(distance)) })
    }

    /// The values of the cells themselves.
    #[inline(always)]
    pub fn here(&self) -> Row<T> {
        self.at(L::Point::from_fn(|_| 0))
    }

    /// Folds the values of the cells next to these along the axes: see [`Around::fold_star`](super::Around::fold_star).
    #[inline(always)]
    pub fn fold_star<A>(&self, init: A, f: impl FnMut(A, Row<T>) -> A) -> A {
        super::around::star::<L::Point, S, _, _>(init, |offset| self.at(offset), f)
    }
}

impl<L: Level, const R: usize, T: Element> RowAround<L, Cube<R>, T> {
    /// Folds the values of all cells of the box: see [`Around::fold_box`](super::Around::fold_box).
    #[inline(always)]
    pub fn fold_box<A>(&self, init: A, f: impl FnMut(A, Row<T>) -> A) -> A {
        super::around::cube::<L::Point, R, _, _>(init, |offset| self.at(offset), f)
    }
}

/// Eight cells at a time.
pub(super) struct Rows<'a, L: Level, T, F> {
    pub(super) out: Lane<'a, L, T>,
    pub(super) f: F,
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Kernel<L, S, I> for Rows<'_, L, T, F>
where
    F: Fn(L::Point, Row<T>, &I::Rows<S>) -> Row<T> + Sync,
{
    type State = Stage<T>;

    fn state(&self) -> Stage<T> {
        row::stage()
    }

    #[inline(always)]
    fn prefetch(&self, node: u32, cell: u64, k: usize) {
        prefetch_row(&self.out, node, cell, k);
    }

    #[inline(always)]
    unsafe fn tile(&self, stage: &mut Stage<T>, tile: &Tile<'_, L>, map: &Map<L, S>, buffers: &I::Buffers, all: bool) {
        let body = At::<L, S, I, Self> { kernel: self, tile, buffers, shape: PhantomData };
        // SAFETY: the tile is this call's alone, and the field is lent exclusively.
        unsafe { row::for_each_lanes::<L, S, T>(&self.out, tile, map, &raw mut **stage, all, &body) };
    }
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Body<L, [T; LANES]> for At<'_, L, S, I, Rows<'_, L, T, F>>
where
    F: Fn(L::Point, Row<T>, &I::Rows<S>) -> Row<T>,
{
    #[inline(always)]
    fn call(&self, cell: &Cell<'_, L::Point>, values: &mut [T; LANES]) {
        // SAFETY: the buffers are filled, and the cell is one of the tile's.
        let around = unsafe { I::rows::<S>(self.buffers, cell.place) };
        *values = (self.kernel.f)(cell.point(self.tile), Row(*values), &around).0;
    }
}
