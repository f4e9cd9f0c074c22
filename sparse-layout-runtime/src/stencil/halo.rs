//! The form for inner loops written by hand: a block of cells and what is around it, in one small array.

use super::geometry::{Buffer, Tiles};
use super::input::Inputs;
use super::map::Map;
use super::row::{self, LANES};
use super::shape::Shape;
use super::sweep::Kernel;
use super::tile::{Tile, prefetch_row};
use crate::coord::{Coord, Point};
use crate::element::Element;
use crate::field::Lane;
use crate::layout::Level;
use crate::tree::MAX_AXES;
use std::marker::PhantomData;
use std::ops::Range;

/// The values of a field in a block of cells and around it, as far as the shape reaches: what the closure of
/// [`Stencils::par_for_each_halo`](super::Stencils::par_for_each_halo) is handed.
///
/// Cells are named by their distance from the block's first one; along an axis of `n` cells and for a shape of radius `R`, from `-R`
/// up to `n + R`. For a star only the cells that it reaches are there.
pub struct HaloView<L: Level, S, T> {
    values: *const T,
    len: [usize; MAX_AXES],
    of: PhantomData<(L, S)>,
}

impl<L: Level, S: Shape, T: Element> std::fmt::Debug for HaloView<L, S, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HaloView").field("len", &&self.len[..L::Point::LEN]).finish_non_exhaustive()
    }
}

impl<L: Level, S: Shape, T: Element> HaloView<L, S, T> {
    /// # Safety
    /// `values` are those of a filled buffer for a tile of these sizes, for as long as this lives.
    #[inline(always)]
    pub(super) unsafe fn new(values: *const T, len: [usize; MAX_AXES]) -> Self {
        HaloView { values, len, of: PhantomData }
    }

    /// Values of [`values`](Self::values) from one cell to the next along an axis: a constant.
    #[inline(always)]
    pub fn stride(&self, axis: usize) -> usize {
        let strides = const { Buffer::<L, S>::STRIDE };
        strides[axis]
    }

    /// The place of the block's first cell in [`values`](Self::values): a constant.
    #[inline(always)]
    pub fn first(&self) -> usize {
        const { Buffer::<L, S>::FIRST }
    }

    /// All values. Between those of cells there are others that mean nothing.
    #[inline(always)]
    pub fn values(&self) -> &[T] {
        // SAFETY: the buffer has `LEN` values, all initialised.
        unsafe { std::slice::from_raw_parts(self.values, const { Buffer::<L, S>::LEN }) }
    }

    /// The place of a cell in [`values`](Self::values).
    ///
    /// # Panics
    /// If it is not one of the block or around it.
    #[inline(always)]
    pub fn place(&self, at: impl Coord<L::Point>) -> usize {
        let at = at.point();
        let r = S::RADIUS as i32;
        let (mut place, mut inside, mut outside) = (self.first() as isize, true, 0);
        for j in 0..L::Point::LEN {
            let (x, n) = (at.at(j), self.len[j] as i32);
            inside &= -r <= x && x < n + r;
            outside += usize::from(x < 0 || x >= n);
            place += x as isize * self.stride(j) as isize;
        }
        assert!(inside && (!S::STAR || outside <= 1), "a cell that is neither in the block nor around it");
        place as usize
    }

    /// The value of a cell.
    ///
    /// # Panics
    /// As [`place`](Self::place).
    #[inline(always)]
    pub fn at(&self, at: impl Coord<L::Point>) -> T {
        self.values()[self.place(at)]
    }

    /// `len` values from a cell on, along the axis along which cells stand side by side.
    ///
    /// # Panics
    /// If the first or the last is not one of the block or around it.
    #[inline(always)]
    pub fn row(&self, at: impl Coord<L::Point>, len: usize) -> &[T] {
        let at = at.point();
        let first = self.place(at);
        if len > 1 {
            let fast = const { Tiles::<L>::FAST };
            self.place(L::Point::from_fn(|j| if j == fast { at.at(j) + len as i32 - 1 } else { at.at(j) }));
        }
        &self.values()[first..][..len]
    }
}

/// The cells of a block whose values a closure of [`Stencils::par_for_each_halo`](super::Stencils::par_for_each_halo) writes: a box
/// of cells, row by row. Blocks of more than a few thousand cells come in parts.
pub struct HaloBlock<L: Level> {
    origin: L::Point,
    len: [usize; MAX_AXES],
    stride: [usize; MAX_AXES],
}

impl<L: Level> std::fmt::Debug for HaloBlock<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let len = &self.len[..L::Point::LEN];
        f.debug_struct("HaloBlock").field("origin", &self.origin).field("len", &len).finish()
    }
}

impl<L: Level> HaloBlock<L> {
    fn new<S: Shape>(tile: &Tile<'_, L>, map: &Map<L, S>) -> Self {
        let len = if const { Tiles::<L>::FIXED } { const { Tiles::<L>::SIDE } } else { map.len };
        let fast = const { Tiles::<L>::FAST };
        let (mut stride, mut cells) = ([0; MAX_AXES], len[fast]);
        stride[fast] = 1;
        for j in (0..L::Point::LEN).rev() {
            if j != fast {
                stride[j] = cells;
                cells *= len[j];
            }
        }
        HaloBlock { origin: tile.first, len, stride }
    }

    /// The coordinates of its first cell.
    #[inline(always)]
    pub fn origin(&self) -> L::Point {
        self.origin
    }

    /// Cells along an axis.
    #[inline(always)]
    pub fn len(&self, axis: usize) -> usize {
        self.len[axis]
    }

    /// The axis along which cells stand side by side.
    #[inline(always)]
    pub fn row_axis(&self) -> usize {
        const { Tiles::<L>::FAST }
    }

    /// Cells of the output from one cell to the next along an axis.
    #[inline(always)]
    pub fn stride(&self, axis: usize) -> usize {
        self.stride[axis]
    }

    /// The place of a cell in the output, by its distance from the block's first one.
    #[inline(always)]
    pub fn place(&self, at: impl Coord<L::Point>) -> usize {
        let at = at.point();
        (0..L::Point::LEN).map(|j| at.at(j) as usize * self.stride[j]).sum()
    }

    /// The rows: the distance of each one's first cell from the block's, and its place in the output.
    #[inline(always)]
    pub fn rows(&self) -> impl Iterator<Item = (L::Point, Range<usize>)> + use<L> {
        let fast = const { Tiles::<L>::FAST };
        let (len, row) = (self.len, self.len[fast]);
        let rows: usize = (0..L::Point::LEN).filter(|&j| j != fast).map(|j| len[j]).product();
        let mut at = [0; MAX_AXES];
        (0..rows).map(move |i| {
            let p = L::Point::from_fn(|j| at[j]);
            for j in (0..L::Point::LEN).rev() {
                if j != fast {
                    at[j] += 1;
                    if at[j] < len[j] as i32 {
                        break;
                    }
                    at[j] = 0;
                }
            }
            (p, i * row..(i + 1) * row)
        })
    }
}

/// A block at a time.
pub(super) struct Blocks<'a, L: Level, T, F> {
    pub(super) out: Lane<'a, L, T>,
    pub(super) f: F,
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Kernel<L, S, I> for Blocks<'_, L, T, F>
where
    F: Fn(&HaloBlock<L>, &mut [T], &I::Halo<S>) + Sync,
{
    type State = Vec<T>;

    fn state(&self) -> Vec<T> {
        let side = &const { Tiles::<L>::SIDE }[..L::Point::LEN];
        // Room for the lanes past the last cell.
        vec![self.out.background(); side.iter().product::<usize>() + LANES]
    }

    #[inline(always)]
    fn prefetch(&self, node: u32, cell: u64, k: usize) {
        prefetch_row(&self.out, node, cell, k);
    }

    #[inline(always)]
    unsafe fn tile(&self, values: &mut Vec<T>, tile: &Tile<'_, L>, map: &Map<L, S>, buffers: &I::Buffers, all: bool) {
        let block = HaloBlock::new(tile, map);
        let cells: usize = block.len[..L::Point::LEN].iter().product();
        // SAFETY: the buffers are filled for this tile.
        let halo = unsafe { I::halo::<S>(buffers, map.len) };
        // The closure writes to a copy: what it leaves for inactive cells, or when it panics, goes nowhere.
        // SAFETY: the tile is this call's alone, and the field is lent exclusively.
        unsafe {
            row::read::<L, S, T>(&self.out, tile, map, values.as_mut_ptr(), |at| block.place(at));
            (self.f)(&block, &mut values[..cells], &halo);
            row::write::<L, S, T>(&self.out, tile, map, values.as_ptr(), |at| block.place(at), all);
        }
    }
}
