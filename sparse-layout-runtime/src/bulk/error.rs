//! Why cells could not be built in bulk.

use super::grouping::Points;
use crate::coord::Point;
use crate::core::{Core, plan_of};
use crate::error::{Exhausted, OutOfBounds};
use crate::layout::Level;
use crate::parallel::ParallelError;
use crate::plan::Plan;
use rayon::prelude::*;
use std::fmt;

/// Why many cells could not be written at once.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BulkError {
    /// Some are out of bounds. Nothing was changed.
    OutOfBounds {
        /// The first of them, in the order in which they were given.
        first: OutOfBounds,
        /// Its place among all cells.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no room for their nodes. The nodes that there was room for exist.
    Exhausted(Exhausted),
    /// More than `u32::MAX` cells, or no memory to sort them. Nothing was changed.
    Sort(ParallelError),
    /// An array has another number of values than its region has cells. Nothing was changed.
    Length {
        /// The values.
        values: usize,
        /// The cells.
        cells: u64,
    },
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BulkError::OutOfBounds { first, index, count: 1 } => write!(f, "{first} (cell {index} of the list)"),
            BulkError::OutOfBounds { first, index, count } => {
                write!(f, "{first} (cell {index} of the list, and {} more)", count - 1)
            }
            BulkError::Exhausted(e) => e.fmt(f),
            BulkError::Sort(e) => e.fmt(f),
            BulkError::Length { values, cells } => write!(f, "{values} values for a region of {cells} cells"),
        }
    }
}

impl std::error::Error for BulkError {}

impl From<Exhausted> for BulkError {
    fn from(e: Exhausted) -> Self {
        BulkError::Exhausted(e)
    }
}

impl From<ParallelError> for BulkError {
    fn from(e: ParallelError) -> Self {
        BulkError::Sort(e)
    }
}

/// Whether a point is inside the bounds of a level.
#[inline(always)]
pub(crate) fn is_inside<P: Point>(plan: &Plan, p: P) -> bool {
    (0..P::LEN).all(|j| plan.holds(j, p.at(j)))
}

/// The error for points that are out of bounds, if there are any.
pub(crate) fn check_bounds<L: Level>(
    core: &Core<L::Layout>,
    name: &'static str,
    points: &(impl Points<L::Point> + ?Sized),
) -> Result<(), BulkError> {
    let plan = plan_of::<L>(core);
    let outside = |i: &usize| !is_inside(plan, points.point(*i));
    let (first, count) = (0..points.len())
        .into_par_iter()
        .with_min_len(1 << 12)
        .filter(outside)
        .map(|i| (i, 1))
        .reduce(|| (usize::MAX, 0), |a, b| (a.0.min(b.0), a.1 + b.1));
    if count == 0 {
        return Ok(());
    }
    let first_error = core.out_of_bounds(name, plan, points.point(first).as_slice());
    Err(BulkError::OutOfBounds { first: first_error, index: first, count })
}
