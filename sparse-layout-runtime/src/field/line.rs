//! Cells in a row along one axis, run by run.

use super::{Field, Lane};
use crate::coord::{Coord, Point};
use crate::core::{Path, is_active, plan_of};
use crate::element::Element;
use crate::layout::{Level, Planned};

/// The cells from one on upwards along an axis, as runs: see [`Field::line`].
pub struct Line<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
    path: Path<L>,
    point: L::Point,
    axis: usize,
    /// Cells still to come.
    left: u64,
}

impl<L: Level, T: Element> std::fmt::Debug for Line<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut s = f.debug_struct("Line");
        s.field("field", &self.lane.name()).field("at", &self.point).field("axis", &self.axis).finish_non_exhaustive()
    }
}

/// Cells that follow each other along an axis: those of one block, or a stretch where nothing is active.
pub struct LineRun<'a, L: Level, T> {
    /// The first cell.
    pub start: L::Point,
    axis: usize,
    len: u32,
    /// The node's cells, or none where no node exists.
    cells: Option<Cells<'a, L, T>>,
    background: T,
}

struct Cells<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
    at: crate::core::Loc,
    /// Cell numbers from one cell to the next, and bytes.
    step: u64,
    stride: usize,
}

impl<L: Level, T: Element> std::fmt::Debug for LineRun<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut s = f.debug_struct("LineRun");
        s.field("start", &self.start).field("len", &self.len).field("axis", &self.axis).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T: Element> Line<'a, L, T> {
    /// Only the first `n` of the cells.
    #[inline]
    #[must_use]
    pub fn first(mut self, n: u32) -> Self {
        self.left = self.left.min(n.into());
        self
    }

    /// How many cells the runs still to come have.
    pub fn cells(&self) -> u64 {
        self.left
    }
}

impl<'a, L: Level, T: Element> Iterator for Line<'a, L, T> {
    type Item = LineRun<'a, L, T>;

    #[inline]
    fn next(&mut self) -> Option<LineRun<'a, L, T>> {
        if self.left == 0 {
            return None;
        }
        let start = self.point;
        let core = self.lane.core;
        let at = self.path.locate(core, start)?;
        let found = (const { L::PLAN.node_kind == 0 }) || at.handle != 0;
        // Where no node exists the path remembers how large the empty region is.
        let room = match found {
            true => in_block::<L>(plan_of::<L>(core), start, self.axis),
            false => self.path.room(start, self.axis),
        };
        let len = room.min(self.left).min(u32::MAX.into());
        self.left -= len;
        self.point = L::Point::from_fn(|j| match j == self.axis {
            true => start.at(j).wrapping_add(len as i32),
            false => start.at(j),
        });
        let background = self.lane.background();
        let cells = found.then(|| {
            let step = step_of(plan_of::<L>(core), self.axis);
            Cells { lane: self.lane, at, step, stride: step as usize * self.lane.cell_stride() }
        });
        Some(LineRun { start, axis: self.axis, len: len as u32, cells, background })
    }
}

impl<L: Level, T: Element> std::iter::FusedIterator for Line<'_, L, T> {}

impl<'a, L: Level, T: Element> LineRun<'a, L, T> {
    /// How many cells.
    #[inline]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Never: a run has a cell.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether no node exists here: every cell is inactive.
    #[inline]
    pub fn is_background(&self) -> bool {
        self.cells.is_none()
    }

    /// Cell `i`.
    #[inline]
    pub fn point(&self, i: u32) -> L::Point {
        L::Point::from_fn(|j| match j == self.axis {
            true => self.start.at(j).wrapping_add(i as i32),
            false => self.start.at(j),
        })
    }

    /// The value of cell `i`, the background where inactive.
    ///
    /// # Panics
    /// If there are not that many cells.
    #[inline]
    pub fn value(&self, i: u32) -> T {
        assert!(i < self.len, "cell {i} of a run of {}", self.len);
        match &self.cells {
            // SAFETY: the cell is one of the block's, as `i` is below the run's length; its value is initialised and
            // borrowed for reading.
            Some(cells) => unsafe { *cells.lane.at(&cells.at).wrapping_byte_add(i as usize * cells.stride) },
            None => self.background,
        }
    }

    /// The value of cell `i` if it is active.
    ///
    /// # Panics
    /// If there are not that many cells.
    #[inline]
    pub fn get(&self, i: u32) -> Option<T> {
        let value = self.value(i);
        let cells = self.cells.as_ref()?;
        let at = crate::core::Loc { digit: cells.at.digit + u64::from(i) * cells.step, ..cells.at };
        is_active::<L>(cells.lane.core, &at).then_some(value)
    }

    /// The values, the background where inactive.
    #[inline]
    pub fn values(&self) -> impl ExactSizeIterator<Item = T> + use<'a, L, T> {
        let (first, stride) = match &self.cells {
            Some(cells) => (Ok(cells.lane.at(&cells.at).cast_const()), cells.stride),
            None => (Err(self.background), 0),
        };
        (0..self.len).map(move |i| match first {
            // SAFETY: as in `value`.
            Ok(first) => unsafe { *first.wrapping_byte_add(i as usize * stride) },
            Err(background) => background,
        })
    }
}

impl<'a, L: Level, T: Element> Field<'a, L, T> {
    /// The cells from `p` upwards along an axis, to its end, run by run: those of one block together, and what is empty
    /// in as large steps as the tree allows. `axis` counts the coordinates of the field's index space.
    ///
    /// Nothing comes if `p` is out of bounds. An unbounded axis ends at the last `i32`: see [`Line::first`].
    ///
    /// # Panics
    /// If there is no such axis.
    #[inline]
    pub fn line(&self, p: impl Coord<L::Point>, axis: usize) -> Line<'a, L, T> {
        assert!(axis < L::Point::LEN, "axis {axis} of {}", L::Point::LEN);
        let (plan, point) = (plan_of::<L>(self.lane.core), p.point());
        let x = i64::from(point.at(axis));
        let end = if plan.free[axis] { 1 << 31 } else { i64::from(plan.lo[axis]) + plan.extent[axis] as i64 };
        Line { lane: self.lane, path: Path::new(), point, axis, left: (end - x).max(0) as u64 }
    }
}

/// Cells from `p` to the end of its block along an axis. One, where a block's cells are not evenly spaced along it.
#[inline(always)]
fn in_block<L: Level>(plan: &crate::plan::Plan, p: L::Point, axis: usize) -> u64 {
    let Some(last) = plan.n.checked_sub(1) else { return 1 };
    let step = &plan.steps[last];
    if plan.tail >= plan.n || step.morton || step.size[axis] == 0 {
        return 1;
    }
    // The innermost level divides its axes down to single cells.
    let size = u64::from(step.size[axis]);
    let from = if plan.free[axis] {
        i64::from(p.at(axis)).rem_euclid(size as i64) as u64
    } else {
        u64::from(p.at(axis).wrapping_sub(plan.lo[axis]) as u32) % size
    };
    size - from
}

/// Cell numbers from one cell of a block to the next along an axis; 0 where [`in_block`] gives single cells.
#[inline(always)]
fn step_of(plan: &crate::plan::Plan, axis: usize) -> u64 {
    let Some(last) = plan.n.checked_sub(1) else { return 0 };
    let step = &plan.steps[last];
    if plan.tail >= plan.n || step.morton || step.size[axis] == 0 { 0 } else { step.weight[axis] }
}
