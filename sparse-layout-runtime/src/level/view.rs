//! Reading the topology of a level.

use super::Block;
use crate::coord::Coord;
use crate::core::{Core, is_active, locate, plan_of};
use crate::layout::{Layout, Level};
use crate::struct_for::cells::Cells;
use crate::struct_for::lanes::Nothing;
use rayon::prelude::*;

/// A level, to be read. Coordinates are those of the level's own cells.
pub struct LevelView<'a, L: Level> {
    pub(crate) core: &'a Core<L::Layout>,
}

impl<L: Level> Clone for LevelView<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level> Copy for LevelView<'_, L> {}

impl<L: Level> std::fmt::Debug for LevelView<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelView").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level> LevelView<'a, L> {
    /// What the attribute's level methods call.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a Core<L::Layout>) -> Self {
        LevelView { core }
    }

    pub(super) fn core(&self) -> &'a Core<L::Layout> {
        self.core
    }

    /// The level's name.
    pub fn name(&self) -> &'static str {
        L::Layout::TREE.levels[L::LEVEL].name
    }

    /// Whether a cell exists and is active.
    #[inline]
    pub fn is_active(&self, cell: impl Coord<L::Point>) -> bool {
        locate::<L>(self.core, cell.point()).is_some_and(|at| is_active::<L>(self.core, &at))
    }

    /// The number of active cells. Cost: one pass over the masks, in parallel.
    pub fn len(&self) -> u64 {
        let plan = plan_of::<L>(self.core);
        let nodes = self.core.order(plan.node_kind);
        if plan.node_kind == 0 || nodes.len() < 64 {
            return Cells::<L>::all(self.core).count();
        }
        nodes.par_chunks(256).map(|nodes| Cells::<L>::of_nodes(self.core, nodes).count()).sum()
    }

    /// Whether no cell is active.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The active cells in order.
    pub fn iter(&self) -> impl Iterator<Item = L::Point> + use<'a, L> {
        crate::struct_for::Iter::new(Nothing::<L>(self.core)).map(|(p, ())| p)
    }

    /// The active cells in parallel, in the order of [`iter`](Self::iter).
    pub fn par_iter(&self) -> impl ParallelIterator<Item = L::Point> + use<'a, L> {
        crate::struct_for::ParIter::new(Nothing::<L>(self.core)).map(|(p, ())| p)
    }

    /// The blocks that exist, in order: the cells under one active cell of the level above.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'a, L>> + use<'a, L> {
        super::blocks::all(self.core)
    }

    /// The blocks that exist, in parallel.
    pub fn par_blocks(&self) -> impl ParallelIterator<Item = Block<'a, L>> + use<'a, L> {
        super::blocks::par_all(self.core)
    }

    /// The block that holds a cell of this level, if it exists.
    pub fn block(&self, cell: impl Coord<L::Point>) -> Option<Block<'a, L>> {
        super::blocks::of_cell(self.core, cell.point())
    }
}
