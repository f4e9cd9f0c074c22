//! What every grid can do.

use crate::binning::{Accumulate, Bin, BlockBins, Halo};
use crate::bulk::{self, BulkError, CellBlock, Record};
use crate::coord::{Coord, Point, Region};
use crate::core::Core;
use crate::error::Exhausted;
use crate::layout::{Layout, Level};
use crate::report::{LayoutInfo, Memory};
use crate::topology::Neighbourhood;
use crate::topology::combine::Change;
use crate::topology::grid as topology;
use crate::topology::target::{ranges_of, region_of};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// The coordinates of a record's cells.
type PointOf<R> = <<R as Record>::Level as Level>::Point;

/// Everything that all grids have in common: a trait, so that a field called `clear` wins, and so that code can be
/// generic over grids.
pub trait Grid: Layout {
    #[doc(hidden)]
    fn core(&self) -> &Core<Self>;
    #[doc(hidden)]
    fn core_mut(&mut self) -> &mut Core<Self>;
    #[doc(hidden)]
    fn from_core(core: Core<Self>) -> Self;

    /// The declaration, for printing and inspection.
    fn layout(&self) -> LayoutInfo<Self> {
        LayoutInfo::new()
    }

    /// Deactivates everything. As `Vec::clear` does, it keeps memory for what comes next (only a root of more than 2 MiB gives
    /// its own back, which is faster than writing zeroes); the time does not depend on how many nodes there were.
    fn clear(&mut self) {
        self.core_mut().clear();
    }

    /// As [`clear`](Self::clear), and gives the memory back to the system, all but a page or two for each kind of node.
    fn clear_and_shrink(&mut self) {
        self.core_mut().clear();
        self.core_mut().shrink();
    }

    /// Gives memory back to the system: that of nodes that are not in use, and pages of the root's that hold only zeroes. Nodes
    /// stay where they are, so what lies between two that share a page is kept; see [`compact`](Self::compact).
    ///
    /// # Cost
    /// Sorting the free handles; a look at every page of the root's that is in memory; one system call for each run of free
    /// nodes in each part. The memory must be asked for again when the grid grows.
    fn shrink(&mut self) {
        self.core_mut().shrink();
    }

    /// Moves nodes so that those that are visited one after the other stand side by side, and gives the memory that is left
    /// over back to the system. Nothing changes but the speed of loops, and what [`memory`](Self::memory) and
    /// [`raw_bytes`](Self::raw_bytes) say. Worth while where a grid was built in random order, or where most of it is gone.
    ///
    /// # Cost
    /// One copy of every node that moves, in parallel over fields and tables; one pass over all handles. Needs memory for one
    /// node and 8 bytes a node.
    fn compact(&mut self) {
        self.core_mut().compact();
    }

    /// Deactivates every cell that leads to nothing: one that holds no field of its own and has, down to the innermost levels,
    /// no active cell and no item of a list below it. No value is lost. Blocks that were emptied cell by cell are freed this
    /// way, with the nodes above that held only them; their memory is kept for what comes next, see
    /// [`shrink`](Self::shrink). How many nodes were freed.
    ///
    /// # Cost
    /// One pass over the masks and occupancy bits of all nodes, in parallel; then what is freed.
    fn prune(&mut self) -> u64 {
        self.core_mut().prune()
    }

    /// Active cells of the deepest levels that can be inactive or hold fields, added up.
    fn count(&self) -> u64 {
        crate::report::count(self.core())
    }

    /// Bytes that the grid uses, by what they are used for; those it keeps for what comes next; and what the system has given.
    ///
    /// # Cost
    /// A look at the page tables of what was ever used: about 0.1 ms for 1 GiB.
    fn memory(&self) -> Memory {
        Memory::of(self.core())
    }

    /// The memory that holds a field's values, node by node, whether the nodes are in use or not: node 0 is full of background
    /// (a layout without `pointer` and `hash` has node 0 only). For `aosoa` and `aos` it holds the other fields of the level too.
    /// [`Field::offset`](crate::Field::offset) says where the value of a cell begins. None: there is no such field.
    fn raw_bytes(&self, field: &str) -> Option<&[u8]> {
        Some(self.core().raw_bytes(Self::TREE.field_named(field)?))
    }

    /// The layout as a table: levels, kinds, sizes, nodes, bytes, fields.
    fn describe(&self) -> String {
        crate::report::describe(self.core())
    }

    /// A grid of these cells, in any order, each given as coordinates and record (`SmokeCell`). A cell that comes twice keeps
    /// the last record. In parallel; the same grid results for any number of threads and any order of distinct cells.
    ///
    /// # Errors
    /// If a cell is out of bounds, naming the first and how many there are; if the grid's nodes are exhausted.
    ///
    /// # Panics
    /// As `new`.
    ///
    /// # Cost
    /// Collecting the cells, unless they come as a `Vec`; then three passes over them.
    fn from_cells<R: Record, P: Coord<PointOf<R>>>(cells: impl IntoIterator<Item = (P, R)>) -> Result<Self, BulkError>
    where
        R::Level: Level<Layout = Self>,
    {
        let mut grid = Self::from_core(Core::new());
        grid.extend_cells(cells)?;
        Ok(grid)
    }

    /// Writes many cells at once, as [`from_cells`](Self::from_cells) does.
    ///
    /// # Errors
    /// If a cell is out of bounds: then nothing is changed. If the grid's nodes are exhausted.
    fn extend_cells<R: Record, P: Coord<PointOf<R>>>(
        &mut self,
        cells: impl IntoIterator<Item = (P, R)>,
    ) -> Result<(), BulkError>
    where
        R::Level: Level<Layout = Self>,
    {
        bulk::extend_replacing(self.core_mut(), &bulk::listed(cells))
    }

    /// As [`extend_cells`](Self::extend_cells), but a record that comes to an active cell (one from before, or one that came
    /// earlier in the list) is combined with the one there: `combine(there, new)`, in the order of the list.
    ///
    /// Cells of levels without activity of their own (dense ones) are active as soon as their node exists: a record that
    /// comes to one is combined with the background.
    ///
    /// # Errors
    /// As [`extend_cells`](Self::extend_cells).
    fn combine_cells<R: Record, P: Coord<PointOf<R>>>(
        &mut self,
        cells: impl IntoIterator<Item = (P, R)>,
        combine: impl Fn(&mut R, R) + Sync,
    ) -> Result<(), BulkError>
    where
        R::Level: Level<Layout = Self>,
    {
        bulk::extend_combining(self.core_mut(), &bulk::listed(cells), combine)
    }

    /// A grid of the records of a box, given row by row, the last coordinate fastest. Records that equal the background in
    /// every field, byte by byte, are left out: their cells are inactive.
    ///
    /// # Errors
    /// If there are not as many records as cells; as [`from_cells`](Self::from_cells) for those that are not left out.
    fn from_dense<R: Record>(region: Region<PointOf<R>>, records: &[R]) -> Result<Self, BulkError>
    where
        R::Level: Level<Layout = Self>,
    {
        let mut grid = Self::from_core(Core::new());
        bulk::extend_dense(grid.core_mut(), region, records)?;
        Ok(grid)
    }

    /// The active cells of a record's level, with their records, in the order of iteration. Cost: what is active, in parallel.
    fn to_cells<R: Record>(&self) -> Vec<(PointOf<R>, R)>
    where
        R::Level: Level<Layout = Self>,
    {
        bulk::to_cells(self.core())
    }

    /// A grid of these blocks. A cell that comes twice keeps the last record.
    ///
    /// # Errors
    /// As [`from_cells`](Self::from_cells).
    ///
    /// # Panics
    /// If a block holds a cell of another block.
    fn from_blocks<R: Record>(blocks: impl IntoParallelIterator<Item = CellBlock<R>>) -> Result<Self, BulkError>
    where
        R::Level: Level<Layout = Self>,
    {
        let mut grid = Self::from_core(Core::new());
        bulk::extend_blocks(grid.core_mut(), blocks)?;
        Ok(grid)
    }

    /// Puts a block in place of what was there: afterwards its cells are active, and no other of that block.
    ///
    /// # Errors
    /// As [`extend_cells`](Self::extend_cells).
    ///
    /// # Panics
    /// If the block holds a cell of another block.
    fn insert_block<R: Record>(&mut self, block: &CellBlock<R>) -> Result<(), BulkError>
    where
        R::Level: Level<Layout = Self>,
    {
        bulk::insert_block(self.core_mut(), block)
    }

    /// Takes the block out that holds the cell `at`; afterwards none of its cells is active (where cells cannot be inactive,
    /// they hold the background). None if there is no such block.
    ///
    /// Where nothing else lies below the cell of the level above, that is deactivated too, and its memory freed.
    fn take_block<R: Record>(&mut self, at: impl Coord<PointOf<R>>) -> Option<CellBlock<R>>
    where
        R::Level: Level<Layout = Self>,
    {
        bulk::take_block(self.core_mut(), at.point())
    }

    /// Hands each bin to one thread, with something to add to, and then calls `merge` for each cell that something was added
    /// to, which becomes active: with its record and the sum. As
    /// [`GridFieldMut::par_for_each_bin`](crate::GridFieldMut::par_for_each_bin), for several fields at once.
    ///
    /// # Errors
    /// If the grid's nodes are exhausted: part of the sums are missing then.
    ///
    /// # Panics
    /// As [`GridFieldMut::par_for_each_bin`](crate::GridFieldMut::par_for_each_bin), or if `merge` does.
    fn par_for_each_bin<R: Record, S: Accumulate>(
        &mut self,
        bins: &BlockBins<R::Level>,
        reach: RangeInclusive<i32>,
        fill: impl Fn(&Bin<'_, PointOf<R>>, &mut Halo<PointOf<R>, S>) + Sync,
        merge: impl Fn(&mut R, S) + Sync,
    ) -> Result<(), Exhausted>
    where
        R::Level: Level<Layout = Self>,
    {
        crate::binning::scatter_records(self.core_mut(), bins, &reach, fill, merge)
    }

    /// Activates every neighbour of an active cell, `rounds` times, in each innermost level: see [`LevelMut::dilate`](crate::LevelMut::dilate).
    fn dilate(&mut self, neighbourhood: Neighbourhood, rounds: u32) {
        topology::dilate(self.core_mut(), neighbourhood, rounds);
    }

    /// Deactivates every cell that has an inactive neighbour, `rounds` times, in each innermost level: see [`LevelMut::erode`](crate::LevelMut::erode).
    /// A level whose cells all exist always is left as it is.
    fn erode(&mut self, neighbourhood: Neighbourhood, rounds: u32) {
        topology::erode(self.core_mut(), neighbourhood, rounds);
    }

    /// Makes every cell that is active in `other` active here, on every level. Those that were inactive here take all their
    /// values, and their lists, from `other`; those that are active in both keep their own.
    ///
    /// # Panics
    /// If bounds given at run time differ; if the grid's nodes are exhausted.
    ///
    /// # Cost
    /// The bits of `other`, a word at a time, and the values that are copied; in parallel.
    fn union(&mut self, other: &Self) {
        topology::unite(self.core_mut(), other.core());
    }

    /// Activates every cell that is active in `other`, in each innermost level; what becomes active holds the background. The other
    /// grid may have other fields, and another layout over the same axes.
    ///
    /// # Panics
    /// If a cell is out of bounds here; if the grid's nodes are exhausted; if the two grids have not the same number of innermost
    /// levels with the same number of coordinates.
    ///
    /// # Cost
    /// As [`LevelMut::union`](crate::LevelMut::union).
    fn union_topology<H: Grid>(&mut self, other: &H) {
        topology::change(self.core_mut(), other.core(), Change::Add);
    }

    /// Deactivates every cell that is not active in `other`, in each innermost level. The other grid may have other fields, and
    /// another layout over the same axes. A level whose cells all exist always is left as it is.
    ///
    /// # Panics
    /// If the two grids have not the same number of innermost levels with the same number of coordinates.
    fn intersection<H: Grid>(&mut self, other: &H) {
        topology::change(self.core_mut(), other.core(), Change::Keep);
    }

    /// Deactivates every cell that is active in `other`, in each innermost level. As [`intersection`](Self::intersection).
    ///
    /// # Panics
    /// As [`intersection`](Self::intersection).
    fn difference<H: Grid>(&mut self, other: &H) {
        topology::change(self.core_mut(), other.core(), Change::Remove);
    }

    /// Whether the same cells are active in each innermost level of two grids, whatever their fields and layouts.
    ///
    /// # Panics
    /// As [`intersection`](Self::intersection).
    fn same_topology<H: Grid>(&self, other: &H) -> bool {
        topology::same(self.core(), other.core())
    }

    /// A grid of the cells that are active in `other`, in each innermost level, full of background. Bounds declared `..` are those
    /// of the other grid along that axis.
    ///
    /// # Panics
    /// As [`union_topology`](Self::union_topology); if the other grid has no bounds along such an axis.
    fn with_topology_of<H: Grid>(other: &H) -> Self {
        let mut core = topology::alike(other.core());
        topology::change(&mut core, other.core(), Change::Add);
        Self::from_core(core)
    }

    /// Deactivates every cell outside of a region, in each innermost level: see [`LevelMut::clip`](crate::LevelMut::clip). Does not compile if one of
    /// them has other coordinates.
    fn clip<P: Point>(&mut self, region: Region<P>) {
        const { assert!(topology::has_coordinates::<Self>(P::LEN), "not all innermost levels have these coordinates") };
        topology::clip(self.core_mut(), &ranges_of(region));
    }

    /// The smallest box that holds every active cell of the innermost levels, if there is one. Its upper corner stops at
    /// `i32::MAX`. Does not compile if one of the levels has other coordinates.
    fn bounding_box<P: Point>(&self) -> Option<Region<P>> {
        const { assert!(topology::has_coordinates::<Self>(P::LEN), "not all innermost levels have these coordinates") };
        topology::bounding_box(self.core()).map(|ranges| region_of(&ranges))
    }

    /// Checks every invariant of the grid, for tests. Slow.
    ///
    /// # Panics
    /// If one is broken.
    fn internal_validate(&self) {
        self.core().internal_validate();
    }
}
