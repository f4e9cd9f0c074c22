//! The easy forms: a closure per cell.

#[cfg(doc)]
use super::around::Around;
use super::halo::{Blocks, HaloBlock};
use super::input::Inputs;
use super::lanes::{Row, Rows};
use super::map::Map;
use super::row::{self, At, Body, Cell, Stage};
use super::shape::Shape;
use super::sweep::{Kernel, sweep};
use super::tile::{Tile, prefetch_row};
use crate::element::Element;
use crate::field::{FieldMut, Lane};
use crate::layout::Level;
use std::marker::PhantomData;

/// Stencil loops: for each active cell something is worked out from the values around it, of other fields of the grid.
///
/// `I` is what is read: a field, or a tuple of fields of the same level. The shape is named in the call, and offsets that are
/// constants are checked against it when the program is compiled.
///
/// | method | the closure is given | and is called for |
/// | --- | --- | --- |
/// | [`par_map_stencil`](Self::par_map_stencil) | a cell | active cells, and others next to them |
/// | [`par_for_each_stencil`](Self::par_for_each_stencil) | a cell | active cells, once each |
/// | [`par_map_rows`](Self::par_map_rows) | eight cells in a row | rows with an active cell |
/// | [`par_for_each_halo`](Self::par_for_each_halo) | a block, and what is around it in one array | blocks with an active cell |
///
/// # Cost
/// One pass over the blocks: values of a block and of its margin are copied to a small buffer through a table of the nodes around
/// each node, which is built at the first loop after the topology changed and kept until it changes again.
///
/// # What is fast
/// Offsets that the compiler knows: `s.at([1, 0, 0])`, [`fold_star`](Around::fold_star), [`fold_box`](Around::fold_box), and loops
/// over half-open ranges (`for x in -1..2`) all cost the same. `for x in -1..=1` is two to three times slower, and loops over
/// arrays or iterators of offsets are slower still: their offsets are no constants. A branch is free if the values are read
/// before it: `let (l, r) = (s.at([-1]), s.at([1])); if c > 0.0 { c - l } else { r - c }`; reading within it costs about twice as much.
pub trait Stencils<L: Level, T: Element, I: Inputs<L>> {
    /// Calls `f` with each active cell, its value, and the values around it, in parallel.
    ///
    /// The strict form: `f` is called for active cells only, once each. Where it may be called for others too, or reads nothing
    /// but its arguments, [`par_map_stencil`](Self::par_map_stencil) is faster.
    ///
    /// # Panics
    /// If an input is of another grid; if an offset does not belong to the shape; if `f` does: the grid stays valid.
    fn par_for_each_stencil<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, &mut T, &I::Around<S>) + Sync + Send);

    /// Gives each active cell the value that `f` returns for its coordinates, its old value, and the values around it, in
    /// parallel.
    ///
    /// The pure form: `f` may also be called for inactive cells next to active ones, with the background for the old value, and
    /// what it returns for them is dropped. So rows of cells are worked out at once.
    ///
    /// # Panics
    /// As [`par_for_each_stencil`](Self::par_for_each_stencil).
    fn par_map_stencil<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, T, &I::Around<S>) -> T + Sync + Send);

    /// As [`par_map_stencil`](Self::par_map_stencil), eight cells in a row at a time: `f` is given the coordinates of the first, and
    /// returns a value for each. At the end of a row there may be fewer: what it returns for the others is dropped.
    ///
    /// # Panics
    /// As [`par_for_each_stencil`](Self::par_for_each_stencil).
    fn par_map_rows<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, Row<T>, &I::Rows<S>) -> Row<T> + Sync + Send);

    /// Calls `f` with each block that has an active cell, its values, and the values in and around it, in parallel: for inner loops
    /// written by hand. What is written for inactive cells is dropped.
    ///
    /// # Panics
    /// As [`par_for_each_stencil`](Self::par_for_each_stencil).
    fn par_for_each_halo<S: Shape>(
        &mut self,
        inputs: I,
        f: impl Fn(&HaloBlock<L>, &mut [T], &I::Halo<S>) + Sync + Send,
    );
}

impl<L: Level, T: Element, I: Inputs<L>> Stencils<L, T, I> for FieldMut<'_, L, T> {
    fn par_for_each_stencil<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, &mut T, &I::Around<S>) + Sync + Send) {
        sweep::<L, S, I, _>(self.lane.core, inputs, &Strict { out: self.lane, f });
    }

    fn par_map_stencil<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, T, &I::Around<S>) -> T + Sync + Send) {
        sweep::<L, S, I, _>(self.lane.core, inputs, &Pure { out: self.lane, f });
    }

    fn par_map_rows<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, Row<T>, &I::Rows<S>) -> Row<T> + Sync + Send) {
        sweep::<L, S, I, _>(self.lane.core, inputs, &Rows { out: self.lane, f });
    }

    fn par_for_each_halo<S: Shape>(
        &mut self,
        inputs: I,
        f: impl Fn(&HaloBlock<L>, &mut [T], &I::Halo<S>) + Sync + Send,
    ) {
        sweep::<L, S, I, _>(self.lane.core, inputs, &Blocks { out: self.lane, f });
    }
}

/// Every cell is evaluated where a row has an active one.
struct Pure<'a, L: Level, T, F> {
    out: Lane<'a, L, T>,
    f: F,
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Kernel<L, S, I> for Pure<'_, L, T, F>
where
    F: Fn(L::Point, T, &I::Around<S>) -> T + Sync,
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
        unsafe { row::for_each::<L, S, T>(&self.out, tile, map, &raw mut **stage, all, &body) };
    }
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Body<L, T> for At<'_, L, S, I, Pure<'_, L, T, F>>
where
    F: Fn(L::Point, T, &I::Around<S>) -> T,
{
    #[inline(always)]
    fn call(&self, cell: &Cell<'_, L::Point>, value: &mut T) {
        // SAFETY: the buffers are filled, and the cell is one of the tile's.
        let around = unsafe { I::around::<S>(self.buffers, cell.place) };
        *value = (self.kernel.f)(cell.point(self.tile), *value, &around);
    }
}

/// Only active cells are evaluated.
struct Strict<'a, L: Level, T, F> {
    out: Lane<'a, L, T>,
    f: F,
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Kernel<L, S, I> for Strict<'_, L, T, F>
where
    F: Fn(L::Point, &mut T, &I::Around<S>) + Sync,
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
        let _ = all;
        let body = At::<L, S, I, Self> { kernel: self, tile, buffers, shape: PhantomData };
        // SAFETY: the tile is this call's alone, and the field is lent exclusively.
        unsafe { row::for_each_active::<L, S, T>(&self.out, tile, map, &raw mut **stage, &body) };
    }
}

impl<L: Level, S: Shape, T: Element, I: Inputs<L>, F> Body<L, T> for At<'_, L, S, I, Strict<'_, L, T, F>>
where
    F: Fn(L::Point, &mut T, &I::Around<S>),
{
    #[inline(always)]
    fn call(&self, cell: &Cell<'_, L::Point>, value: &mut T) {
        // SAFETY: the buffers are filled, and the cell is one of the tile's.
        let around = unsafe { I::around::<S>(self.buffers, cell.place) };
        (self.kernel.f)(cell.point(self.tile), value, &around);
    }
}
