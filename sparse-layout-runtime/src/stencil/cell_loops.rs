//! The easy forms: a closure per cell.

use super::input::Inputs;
use super::map::{Map, Target};
use super::row::{self, Stage};
use super::shape::Shape;
use super::sweep::{Kernel, sweep};
use super::tile::{Tile, prefetch_node};
use crate::element::Element;
use crate::field::{FieldMut, Lane};
use crate::layout::Level;

/// Stencil loops: for each active cell something is worked out from the values around it, of other fields of the grid.
///
/// `I` is what is read: a field, or a tuple of fields of the same level. The shape is named in the call, and offsets are checked
/// against it by the compiler.
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
}

impl<L: Level, T: Element, I: Inputs<L>> Stencils<L, T, I> for FieldMut<'_, L, T> {
    fn par_for_each_stencil<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, &mut T, &I::Around<S>) + Sync + Send) {
        sweep::<L, S, I, _>(self.lane.core, inputs, &Strict { out: self.lane, f });
    }

    fn par_map_stencil<S: Shape>(&mut self, inputs: I, f: impl Fn(L::Point, T, &I::Around<S>) -> T + Sync + Send) {
        sweep::<L, S, I, _>(self.lane.core, inputs, &Pure { out: self.lane, f });
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
    fn prefetch(&self, node: u32) {
        prefetch_node(&self.out, node);
    }

    #[inline(always)]
    unsafe fn tile(&self, stage: &mut Stage<T>, tile: &Tile<'_, L>, map: &Map<L, S>, buffers: &I::Buffers, all: bool) {
        let one = |row: &Target<L::Point>, i: usize, old: T| {
            // SAFETY: the buffers are filled, and the cell is one of the tile's.
            let around = unsafe { I::around::<S>(buffers, row.from as usize + i) };
            (self.f)(tile.point(row, i), old, &around)
        };
        // SAFETY: the tile is this call's alone, and the field is lent exclusively.
        unsafe { row::for_each::<L, S, T>(&self.out, tile, map, &raw mut **stage, all, one) };
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
    fn prefetch(&self, node: u32) {
        prefetch_node(&self.out, node);
    }

    #[inline(always)]
    unsafe fn tile(&self, stage: &mut Stage<T>, tile: &Tile<'_, L>, map: &Map<L, S>, buffers: &I::Buffers, all: bool) {
        let _ = all;
        let one = |row: &Target<L::Point>, i: usize, out: &mut T| {
            // SAFETY: the buffers are filled, and the cell is one of the tile's.
            let around = unsafe { I::around::<S>(buffers, row.from as usize + i) };
            (self.f)(tile.point(row, i), out, &around);
        };
        // SAFETY: the tile is this call's alone, and the field is lent exclusively.
        unsafe { row::for_each_active::<L, S, T>(&self.out, tile, map, &raw mut **stage, one) };
    }
}
