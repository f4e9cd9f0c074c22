//! Whole cells and whole grids in bulk.

use super::block::{CellBlock, copy_block};
use super::error::BulkError;
use super::field::foreground;
use super::fill::{Combine, Merge, Replace, write_many};
use super::level::activate_many;
use super::record::Record;
use super::target::{RecordTarget, Target};
use crate::coord::{Coord, Region};
use crate::core::{Core, plan_of};
use crate::grid::Grid;
use crate::layout::{Layout, Level};
use crate::level::LevelView;
use rayon::prelude::*;

pub(crate) type PointOf<R> = <<R as Record>::Level as Level>::Point;

/// A grid whose tree has one innermost level: lists of coordinates can only mean that one.
pub trait Bulk: Grid {
    /// The innermost level.
    type Innermost: Level<Layout = Self>;

    /// A grid in which these cells of the innermost level are active, in any order, with background values.
    ///
    /// # Errors
    /// If a cell is out of bounds, naming the first and how many there are; if the grid's nodes are exhausted.
    ///
    /// # Panics
    /// As `new`.
    ///
    /// # Cost
    /// As [`GridFieldMut::set_many`](crate::GridFieldMut::set_many).
    fn from_coords(coords: impl AsRef<[<Self::Innermost as Level>::Point]>) -> Result<Self, BulkError> {
        let mut grid = Self::from_core(Core::new());
        grid.extend_coords(coords)?;
        Ok(grid)
    }

    /// Activates these cells of the innermost level, in parallel.
    ///
    /// # Errors
    /// If a cell is out of bounds: then nothing is changed. If the grid's nodes are exhausted.
    fn extend_coords(&mut self, coords: impl AsRef<[<Self::Innermost as Level>::Point]>) -> Result<(), BulkError> {
        activate_many::<Self::Innermost>(self.core_mut(), coords.as_ref())
    }
}

/// Writes records.
pub(crate) fn extend<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    cells: &[(PointOf<R>, R)],
    merge: &impl Merge<R>,
) -> Result<(), BulkError> {
    let name = LevelView::<R::Level>::new(core).name();
    write_many::<R::Level, RecordTarget<'_, R>>(
        core,
        name,
        cells,
        |i| cells[i].1,
        |core| RecordTarget::new(core),
        merge,
    )
}

/// Cells as a list, coordinates as arrays.
pub(crate) fn listed<R: Record, P: Coord<PointOf<R>>>(cells: impl IntoIterator<Item = (P, R)>) -> Vec<(PointOf<R>, R)> {
    cells.into_iter().map(|(p, record)| (p.point(), record)).collect()
}

/// Writes records; the last of a cell wins.
pub(crate) fn extend_replacing<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    cells: &[(PointOf<R>, R)],
) -> Result<(), BulkError> {
    extend(core, cells, &Replace)
}

/// Writes records; those that come to an active cell are combined with what is there.
pub(crate) fn extend_combining<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    cells: &[(PointOf<R>, R)],
    combine: impl Fn(&mut R, R) + Sync,
) -> Result<(), BulkError> {
    extend(core, cells, &Combine(combine))
}

/// Writes the records of an array that are not background.
pub(crate) fn extend_dense<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    region: Region<PointOf<R>>,
    records: &[R],
) -> Result<(), BulkError> {
    let background = RecordTarget::<R>::new(core);
    let (coords, places) = foreground(region, records, |record| !background.is_background(record))?;
    let name = LevelView::<R::Level>::new(core).name();
    let value = |i: usize| records[places[i] as usize];
    let target = |core| RecordTarget::new(core);
    write_many::<R::Level, RecordTarget<'_, R>>(core, name, &coords[..], value, target, &Replace)
}

/// The active cells with their records.
pub(crate) fn to_cells<R: Record>(core: &Core<<R::Level as Level>::Layout>) -> Vec<(PointOf<R>, R)> {
    let target = RecordTarget::<R>::new(core);
    let places = crate::struct_for::ParIter::new(crate::struct_for::lanes::Slots::<R::Level>(core));
    // SAFETY: an active cell of a live node; the grid is borrowed for reading.
    places.map(|(p, (node, cell))| (p, unsafe { target.read(node, cell) })).collect()
}

/// Writes the cells of blocks.
pub(crate) fn extend_blocks<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    blocks: impl IntoParallelIterator<Item = CellBlock<R>>,
) -> Result<(), BulkError> {
    let shared = &*core;
    let lists: Vec<Vec<(PointOf<R>, R)>> = (blocks.into_par_iter())
        .map(|block| {
            block.check(shared);
            block.into_cells()
        })
        .collect();
    let cells: Vec<(PointOf<R>, R)> = lists.par_iter().flat_map_iter(|list| list.iter().copied()).collect();
    extend(core, &cells, &Replace)
}

/// Puts a block in place of what was there.
pub(crate) fn insert_block<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    block: &CellBlock<R>,
) -> Result<(), BulkError> {
    block.check(core);
    let name = LevelView::<R::Level>::new(core).name();
    super::error::check_bounds::<R::Level>(core, name, block.cells())?;
    remove_block::<R>(core, block.at());
    extend(core, block.cells(), &Replace)
}

/// Takes the block out that holds a cell.
pub(crate) fn take_block<R: Record>(
    core: &mut Core<<R::Level as Level>::Layout>,
    at: PointOf<R>,
) -> Option<CellBlock<R>> {
    let block = LevelView::<R::Level>::new(core).block(at)?;
    let copy = copy_block::<R>(core, &block);
    remove_block::<R>(core, at);
    Some(copy)
}

fn remove_block<R: Record>(core: &mut Core<<R::Level as Level>::Layout>, at: PointOf<R>) {
    let Some(block) = LevelView::<R::Level>::new(core).block(at) else { return };
    let (node, first) = block.place();
    let plan = *plan_of::<R::Level>(core);
    core.raw_mut().remove_block(&plan, node, first / plan.block);
}

/// What the attribute's `FromIterator` calls.
///
/// # Panics
/// If a cell is out of bounds, or nodes are exhausted.
#[doc(hidden)]
pub fn from_cells_or_panic<G: Grid, R: Record>(cells: impl IntoIterator<Item = (PointOf<R>, R)>) -> G
where
    R::Level: Level<Layout = G>,
{
    let mut grid = G::from_core(Core::new());
    extend_cells_or_panic(&mut grid, cells);
    grid
}

/// What the attribute's `Extend` calls.
///
/// # Panics
/// If a cell is out of bounds, or nodes are exhausted.
#[doc(hidden)]
pub fn extend_cells_or_panic<G: Grid, R: Record>(grid: &mut G, cells: impl IntoIterator<Item = (PointOf<R>, R)>)
where
    R::Level: Level<Layout = G>,
{
    if let Err(e) = grid.extend_cells(cells) {
        panic!("{}: {e}", <G as Layout>::TREE.name);
    }
}
