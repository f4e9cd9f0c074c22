//! A level together with the bits that say which of its cells are active.

use super::geometry::{Cell, Geometry};
use crate::coord::{Point, Region};
use crate::plan::{Plan, Shape};
use crate::tree::{MAX_AXES, Tree};

/// A box of a level's cells: along each coordinate the first, and one past the last.
pub(crate) type Ranges = [(i64, i64); MAX_AXES];

/// A level, and the level at or above it whose cells can be inactive.
#[derive(Debug)]
pub(crate) struct Target {
    plan: Box<Plan>,
    /// None: every cell within the bounds is active, always.
    pub(super) geometry: Option<Geometry>,
    /// The coordinate of the bits behind each one of the level, and how many of its cells one bit stands for.
    to: [Option<(usize, i64)>; MAX_AXES],
}

impl Target {
    pub(crate) fn new(tree: &Tree, shape: &Shape, level: usize) -> Target {
        let plan = Box::new(Plan::new(tree, shape, level));
        let geometry = Geometry::new(tree, shape, level);
        let mut to = [None; MAX_AXES];
        if let Some(g) = &geometry {
            let step = plan.steps[..plan.n].iter().find(|step| step.level == g.level);
            for (j, to) in to.iter_mut().enumerate().take(plan.d) {
                let own = (0..g.d).find(|&k| g.plan.axis[k] == plan.axis[j]);
                *to = own.zip(step.map(|step| step.div[j].into()));
            }
        }
        Target { plan, geometry, to }
    }

    /// Coordinates of the level.
    pub(super) fn d(&self) -> usize {
        self.plan.d
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether each cell has a bit of its own.
    pub(super) fn is_fine(&self) -> bool {
        self.geometry.as_ref().is_some_and(|g| g.level == self.plan.level)
    }

    /// All cells of the level.
    pub(super) fn bounds(&self) -> Ranges {
        std::array::from_fn(|j| if j < self.d() { self.plan.bounds(j) } else { (0, 1) })
    }

    fn lo(&self, j: usize) -> i64 {
        if self.plan.free[j] { 0 } else { self.plan.lo[j].into() }
    }

    /// The cells of the level that the bits of a box of cells, `sides` from `cell` on, stand for.
    pub(super) fn ranges(&self, cell: &Cell, sides: &[u32; MAX_AXES]) -> Ranges {
        let mut ranges = self.bounds();
        for (j, range) in ranges.iter_mut().enumerate() {
            if let Some((k, scale)) = self.to[j] {
                let from = self.lo(j) + cell[k] * scale;
                *range = (from.max(range.0), (from + i64::from(sides[k]) * scale).min(range.1));
            }
        }
        ranges
    }

    /// The box of bits that stand for a cell of `ranges`; where `all`, for such cells only (among those that exist).
    /// None: there is no such bit.
    pub(super) fn bits_of(&self, ranges: &Ranges, all: bool) -> Option<(Cell, Cell)> {
        let (mut from, mut to) = ([0; MAX_AXES], [1; MAX_AXES]);
        for j in 0..self.d() {
            let (lowest, end) = self.plan.bounds(j);
            let (lo, hi) = (ranges[j].0.max(lowest), ranges[j].1.min(end));
            if lo >= hi {
                return None;
            }
            match self.to[j] {
                Some((k, scale)) => {
                    let (lo, hi) = (lo - self.lo(j), hi - self.lo(j));
                    from[k] = lo.div_euclid(scale);
                    to[k] = (hi + scale - 1).div_euclid(scale);
                    if all && lo > (from[k] * scale).max(lowest - self.lo(j)) {
                        from[k] += 1;
                    }
                    if all && hi < (to[k] * scale).min(end - self.lo(j)) {
                        to[k] -= 1;
                    }
                    if from[k] >= to[k] {
                        return None;
                    }
                }
                None if all && (lo, hi) != (lowest, end) => return None,
                None => {}
            }
        }
        Some((from, to))
    }

    /// Whether cells of both levels are numbered alike, from the root down.
    pub(super) fn same_path(&self, other: &Target) -> bool {
        let same_steps = |k: usize| {
            let (x, y) = (&self.plan.steps[k], &other.plan.steps[k]);
            x.kind == y.kind && x.size == y.size && x.order == y.order && x.morton == y.morton
        };
        (self.plan.n, self.plan.d, self.plan.free) == (other.plan.n, other.plan.d, other.plan.free)
            && (0..self.d()).all(|j| self.plan.lo[j] == other.plan.lo[j] && self.plan.extent[j] == other.plan.extent[j])
            && (0..self.plan.n).all(same_steps)
            && matches!((&self.geometry, &other.geometry), (Some(a), Some(b)) if a.same_path(b))
    }
}

/// A region as ranges.
pub(crate) fn ranges_of<P: Point>(region: Region<P>) -> Ranges {
    std::array::from_fn(|j| if j < P::LEN { (region.lo.at(j).into(), region.hi.at(j).into()) } else { (0, 1) })
}

/// Ranges as a region, whose upper corner stops at `i32::MAX`.
pub(crate) fn region_of<P: Point>(ranges: &Ranges) -> Region<P> {
    let hi = |j: usize| ranges[j].1.min(i32::MAX.into()) as i32;
    Region::new(P::from_fn(|j| ranges[j].0 as i32), P::from_fn(hi))
}
