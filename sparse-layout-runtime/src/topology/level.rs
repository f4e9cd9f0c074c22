//! The operations, as methods of a level.

use super::combine::{Change, combine};
use super::grow;
use super::neighbourhood::Neighbourhood;
use super::query;
use super::source::Source;
use super::target::{Ranges, Target, ranges_of, region_of};
use super::twins;
use crate::coord::{Point, Region};
use crate::core::Core;
use crate::error::{Exhausted, OutOfBounds};
use crate::layout::{Layout, Level, Planned};
use crate::level::{LevelMut, LevelView};
use crate::tree::{Kind, ROOT};

impl<L: Level> LevelMut<'_, L> {
    /// Activates every neighbour of an active cell, and its neighbours, and so on, `rounds` times. Nothing grows past the
    /// bounds.
    ///
    /// What becomes active holds the background. Cells that are active only together (those of a dense level below one cell of
    /// the level above) count as one: blocks grow by blocks.
    ///
    /// # Panics
    /// If the grid's nodes are exhausted.
    ///
    /// # Cost
    /// Per round one pass over the bits of the blocks that hold something, and of those they reach, whole words at a time and
    /// in parallel.
    pub fn dilate(&mut self, neighbourhood: Neighbourhood, rounds: u32) {
        let target = target::<L>(self.core);
        made::<L>(grow::rounds(&mut self.core.raw_mut(), &target, neighbourhood, rounds, grow::dilate));
    }

    /// Deactivates every cell that has an inactive neighbour, `rounds` times. Past the bounds everything is inactive.
    ///
    /// What becomes inactive returns to the background, with everything below it. Nodes that end up empty stay, as with
    /// [`deactivate`](Self::deactivate). Cells that are active only together count as one, as in [`dilate`](Self::dilate).
    ///
    /// Naming this method on a level whose cells all exist always does not compile.
    pub fn erode(&mut self, neighbourhood: Neighbourhood, rounds: u32) {
        const { can_be_inactive::<L>() };
        let target = target::<L>(self.core);
        made::<L>(grow::rounds(&mut self.core.raw_mut(), &target, neighbourhood, rounds, grow::erode));
    }

    /// Activates every cell that is active in `other`, a level of any grid with the same coordinates. What becomes active holds
    /// the background: [`Grid::union`](crate::Grid::union) copies values.
    ///
    /// # Panics
    /// If a cell of `other` is out of bounds here (before anything is changed); if the grid's nodes are exhausted.
    ///
    /// # Cost
    /// Where both levels are declared alike, from the root down, one pass over the bits of `other`, a word at a time;
    /// otherwise its blocks are read as those here need them.
    pub fn union<M: Level<Point = L::Point>>(&mut self, other: LevelView<'_, M>) {
        self.change::<M>(other, Change::Add);
    }

    /// Deactivates every cell that is not active in `other`, a level of any grid with the same coordinates. Cells that are
    /// active only together stay if one of them does.
    ///
    /// Naming this method on a level whose cells all exist always does not compile. Cost: as [`union`](Self::union).
    pub fn intersection<M: Level<Point = L::Point>>(&mut self, other: LevelView<'_, M>) {
        const { can_be_inactive::<L>() };
        self.change::<M>(other, Change::Keep);
    }

    /// Deactivates every cell that is active in `other`, a level of any grid with the same coordinates. Cells that are active
    /// only together stay if one of them does.
    ///
    /// Naming this method on a level whose cells all exist always does not compile. Cost: as [`union`](Self::union).
    pub fn difference<M: Level<Point = L::Point>>(&mut self, other: LevelView<'_, M>) {
        const { can_be_inactive::<L>() };
        self.change::<M>(other, Change::Remove);
    }

    fn change<M: Level<Point = L::Point>>(&mut self, other: LevelView<'_, M>, change: Change) {
        let (own, of) = (target::<L>(self.core), target::<M>(other.core));
        let theirs = other.core.raw();
        if change == Change::Add
            && !own.same_path(&of)
            && let Some(ranges) = query::bounding_box(&theirs, &of)
        {
            self.check::<M>(&own, &ranges, Some(other));
        }
        let done = twins::change(&mut self.core.raw_mut(), &own, &theirs, &of, change);
        made::<L>(done);
    }

    /// Deactivates every cell outside of a region. Cells that are active only together stay if one of them lies in it.
    ///
    /// Naming this method on a level whose cells all exist always does not compile.
    pub fn clip(&mut self, region: Region<L::Point>) {
        const { can_be_inactive::<L>() };
        let own = target::<L>(self.core);
        let done = combine(&mut self.core.raw_mut(), &own, Source::Region(ranges_of(region)), Change::Keep);
        made::<L>(done);
    }

    /// Activates every cell of a region; what becomes active holds the background.
    ///
    /// # Panics
    /// If the region reaches out of bounds (before anything is changed); if the grid's nodes are exhausted.
    pub fn activate_box(&mut self, region: Region<L::Point>) {
        if region.is_empty() {
            return;
        }
        let (own, ranges) = (target::<L>(self.core), ranges_of(region));
        self.check::<L>(&own, &ranges, None);
        let done = combine(&mut self.core.raw_mut(), &own, Source::Region(ranges), Change::Add);
        made::<L>(done);
    }

    /// Panics if a box is not within the bounds, naming its first cell that is not; where cells are given, the first of those.
    fn check<M: Level<Point = L::Point>>(&self, own: &Target, ranges: &Ranges, cells: Option<LevelView<'_, M>>) {
        let bounds = own.bounds();
        if (0..own.d()).all(|j| ranges[j].0 >= bounds[j].0 && ranges[j].1 <= bounds[j].1) {
            return;
        }
        let outside = |p: &L::Point| (0..own.d()).any(|j| !(bounds[j].0..bounds[j].1).contains(&i64::from(p.at(j))));
        let corner = || {
            let past = |j: usize| if ranges[j].0 < bounds[j].0 { ranges[j].0 } else { ranges[j].1 - 1 };
            L::Point::from_fn(|j| past(j) as i32)
        };
        let point = cells.and_then(|cells| cells.iter().find(outside)).unwrap_or_else(corner);
        let name = L::Layout::TREE.levels[L::LEVEL].name;
        let error: OutOfBounds = self.core.out_of_bounds(name, own.plan(), point.as_slice());
        panic!("{}: {error}", L::Layout::TREE.name);
    }
}

impl<L: Level> LevelView<'_, L> {
    /// Whether the same cells are active in `other`, a level of any grid with the same coordinates.
    pub fn same_topology<M: Level<Point = L::Point>>(&self, other: LevelView<'_, M>) -> bool {
        query::same(&self.core.raw(), &target::<L>(self.core), &other.core.raw(), &target::<M>(other.core))
    }

    /// The number of active cells in each block, in the order of [`blocks`](Self::blocks).
    pub fn block_counts(&self) -> Vec<u64> {
        use rayon::prelude::*;
        self.par_blocks().map(|block| block.count()).collect()
    }

    /// The smallest box that holds every active cell, if there is one. Its upper corner stops at `i32::MAX`. Cost: one pass over
    /// the bits, whole words at a time and in parallel.
    pub fn bounding_box(&self) -> Option<Region<L::Point>> {
        query::bounding_box(&self.core.raw(), &target::<L>(self.core)).map(|ranges| region_of(&ranges))
    }
}

fn target<L: Level>(core: &Core<L::Layout>) -> Target {
    let raw = core.raw();
    Target::new(&raw.meta.tree, &raw.meta.shape, L::LEVEL)
}

/// Fails to compile where every cell of a level exists always.
const fn can_be_inactive<L: Level>() {
    assert!(!L::LISTS, "lists have no topology: name the level that has them");
    let mut k = 0;
    let mut sparse = false;
    while k < L::PLAN.n {
        sparse |= L::LEVEL != ROOT && !matches!(L::PLAN.steps[k].kind, Kind::Dense);
        k += 1;
    }
    assert!(sparse, "every cell of this level exists always: none can be deactivated");
}

fn made<L: Level>(done: Result<(), Exhausted>) {
    if let Err(e) = done {
        panic!("{}: `{}`: {e}", L::Layout::TREE.name, L::Layout::TREE.levels[L::LEVEL].name);
    }
}
