//! Blocks as values of their own: taken out of a grid, carried around, put into one.

use super::record::Record;
use super::target::{RecordTarget, Target};
use crate::coord::{Coord, Point};
use crate::core::{Core, plan_of};
use crate::layout::Level;
use crate::level::Block;
use crate::plan::{FREE, Plan};

type PointOf<R> = <<R as Record>::Level as Level>::Point;

/// The active cells of one block, with their records.
///
/// A block is what lies under one cell of the level above; any of its cells names it.
#[derive(Clone)]
pub struct CellBlock<R: Record> {
    at: PointOf<R>,
    cells: Vec<(PointOf<R>, R)>,
}

impl<R: Record> std::fmt::Debug for CellBlock<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CellBlock").field("at", &self.at).field("cells", &self.cells.len()).finish()
    }
}

impl<R: Record> CellBlock<R> {
    /// The block that holds the cell `at`, with no active cell yet.
    pub fn new(at: impl Coord<PointOf<R>>) -> Self {
        CellBlock { at: at.point(), cells: Vec::new() }
    }

    /// Adds an active cell. One that comes twice keeps the last record.
    pub fn push(&mut self, p: impl Coord<PointOf<R>>, record: R) {
        self.cells.push((p.point(), record));
    }

    /// The cell that names the block.
    pub fn at(&self) -> PointOf<R> {
        self.at
    }

    /// The active cells.
    pub fn cells(&self) -> &[(PointOf<R>, R)] {
        &self.cells
    }

    /// As a list of cells.
    pub fn into_cells(self) -> Vec<(PointOf<R>, R)> {
        self.cells
    }

    /// # Panics
    /// If a cell lies in another block.
    pub(super) fn check(&self, core: &Core<<R::Level as Level>::Layout>) {
        let plan = plan_of::<R::Level>(core);
        let own = block_key(plan, self.at);
        for (p, _) in &self.cells {
            assert!(block_key(plan, *p) == own, "the cell {p:?} does not lie in the block of {:?}", self.at);
        }
    }
}

/// What the points of one block have in common.
fn block_key<P: Point>(plan: &Plan, p: P) -> [i64; crate::tree::MAX_AXES] {
    let mut key = [0; crate::tree::MAX_AXES];
    let last = plan.n.checked_sub(1).filter(|&k| k >= plan.tail).map(|k| &plan.steps[k]);
    for (j, key) in key.iter_mut().enumerate().take(P::LEN) {
        let side = last.map_or(1, |step| step.size[j]).max(1);
        debug_assert!(side != FREE, "levels inside a node are bounded");
        *key = plan.counted(j, p.at(j)).div_euclid(side.into());
    }
    key
}

/// The active cells of a block.
pub(super) fn copy_block<R: Record>(
    core: &Core<<R::Level as Level>::Layout>,
    block: &Block<'_, R::Level>,
) -> CellBlock<R> {
    let target = RecordTarget::<R>::new(core);
    let mut copy = CellBlock::new(block.origin());
    let plan = plan_of::<R::Level>(core);
    let (node, first) = block.place();
    for w in 0..block.cells().div_ceil(64) {
        let mut bits = block.mask_word(w);
        while bits != 0 {
            let cell = w * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let p = block.point(cell);
            if super::error::is_inside(plan, p) {
                // SAFETY: a cell of a live node; the grid is borrowed for reading.
                copy.cells.push((p, unsafe { target.read(node, first + cell as u64) }));
            }
        }
    }
    copy
}
