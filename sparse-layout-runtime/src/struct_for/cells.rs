//! The active cells of a list of nodes.
//!
//! Work is found by mask words, node after node; no table is walked. A piece is a slice of the ordered node list, or,
//! when that is down to one node, a range of its cells.

use crate::coord::Point;
use crate::core::{Core, decode, node_base, plan_of};
use crate::layout::{Level, Planned};
use std::ops::ControlFlow;

/// Cells of one node below which it is not split.
const LEAST: u64 = 4096;

/// Active cells in order.
pub(crate) struct Cells<'a, L: Level> {
    pub(crate) core: &'a Core<L::Layout>,
    nodes: &'a [u32],
    /// The cells of the node, if there is one only.
    from: u64,
    to: u64,
}

impl<L: Level> Clone for Cells<'_, L> {
    fn clone(&self) -> Self {
        Cells { ..*self }
    }
}

impl<'a, L: Level> Cells<'a, L> {
    /// All of a grid.
    pub(crate) fn all(core: &'a Core<L::Layout>) -> Self {
        let plan = plan_of::<L>(core);
        Cells { core, nodes: core.order(plan.node_kind), from: 0, to: plan.per_node }
    }

    /// Those of one node from cell `from` up to `to`.
    pub(crate) fn of_node(core: &'a Core<L::Layout>, node: &'a u32, from: u64, to: u64) -> Self {
        Cells { core, nodes: std::slice::from_ref(node), from, to }
    }

    /// Two halves, unless it is small.
    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.nodes.len() > 1 {
            let (a, b) = self.nodes.split_at(self.nodes.len() / 2);
            return (Cells { nodes: a, ..self.clone() }, Some(Cells { nodes: b, ..self }));
        }
        // Pieces share no mask word.
        let unit = 64 * plan_of::<L>(self.core).grain;
        let middle = (self.from + (self.to - self.from) / 2).next_multiple_of(unit);
        if self.nodes.is_empty() || self.to - self.from < LEAST || middle >= self.to {
            return (self, None);
        }
        (Cells { to: middle, ..self.clone() }, Some(Cells { from: middle, ..self }))
    }

    /// Calls `f` with point, node and cell of each active cell, until it breaks.
    #[inline(always)]
    pub(crate) fn try_fold<B>(
        self,
        init: B,
        mut f: impl FnMut(B, L::Point, u32, u64) -> ControlFlow<B, B>,
    ) -> ControlFlow<B, B> {
        let mut acc = init;
        let mut runs = Runs::new(self);
        while let Some(run) = runs.next() {
            for cell in run.from..run.to {
                if let Some(p) = run.point(cell) {
                    acc = f(acc, p, run.node, cell)?;
                }
            }
        }
        ControlFlow::Continue(acc)
    }

    /// How many active cells there are.
    pub(crate) fn count(self) -> u64 {
        let plan = plan_of::<L>(self.core);
        let mut runs = Runs::new(self);
        let mut n = 0;
        while let Some(run) = runs.next() {
            n += if plan.clipped {
                (run.from..run.to).filter(|c| run.point(*c).is_some()).count() as u64
            } else {
                run.to - run.from
            };
        }
        n
    }
}

/// Active cells of one node that follow each other.
pub(crate) struct Run<'a, L: Level> {
    core: &'a Core<L::Layout>,
    base: L::Point,
    pub(crate) node: u32,
    pub(crate) from: u64,
    pub(crate) to: u64,
}

impl<L: Level> Run<'_, L> {
    /// The coordinates of a cell; None: it lies past the bounds, where sizes overshoot them.
    #[inline(always)]
    pub(crate) fn point(&self, cell: u64) -> Option<L::Point> {
        let plan = plan_of::<L>(self.core);
        let p = decode::<L>(plan, self.base, cell);
        if plan.clipped {
            let inside = |j: usize| plan.free[j] || u64::from(p.at(j).wrapping_sub(plan.lo[j]) as u32) < plan.extent[j];
            if !(0..L::Point::LEN).all(inside) {
                return None;
            }
        }
        Some(p)
    }
}

/// The runs of a piece.
pub(crate) struct Runs<'a, L: Level> {
    cells: Cells<'a, L>,
    node: u32,
    base: L::Point,
    /// The mask word that is being read, what is left of it, and one past the last.
    word: u64,
    bits: u64,
    end: u64,
}

impl<L: Level> Clone for Runs<'_, L> {
    fn clone(&self) -> Self {
        Runs { cells: self.cells.clone(), ..*self }
    }
}

impl<'a, L: Level> Runs<'a, L> {
    pub(crate) fn new(cells: Cells<'a, L>) -> Self {
        Runs { cells, node: 0, base: L::Point::from_fn(|_| 0), word: 0, bits: 0, end: 0 }
    }

    fn run(&self, from: u64, to: u64) -> Run<'a, L> {
        Run { core: self.cells.core, base: self.base, node: self.node, from, to }
    }

    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Run<'a, L>> {
        let plan = plan_of::<L>(self.cells.core);
        if const { L::PLAN.mask_step == 0 } {
            self.next_node()?;
            return Some(self.run(self.cells.from, self.cells.to));
        }
        loop {
            if self.bits != 0 {
                let first = self.bits.trailing_zeros();
                let len = (self.bits >> first).trailing_ones();
                self.bits &= u64::MAX.checked_shl(first + len).unwrap_or(0);
                let from = self.word * 64 + u64::from(first);
                return Some(self.run(from * plan.grain, (from + u64::from(len)) * plan.grain));
            }
            self.word += 1;
            if self.word >= self.end {
                self.next_node()?;
                self.word = self.cells.from / plan.grain / 64;
                self.end = (self.cells.to / plan.grain).div_ceil(64);
            }
            self.skip_empty();
            if self.word < self.end {
                self.bits = self.masked();
            }
        }
    }

    #[inline(always)]
    fn next_node(&mut self) -> Option<()> {
        let (first, rest) = self.cells.nodes.split_first()?;
        self.cells.nodes = rest;
        self.node = *first;
        self.base = node_base::<L>(self.cells.core, self.node);
        Some(())
    }

    /// The bits of the current word that belong to the piece.
    #[inline(always)]
    fn masked(&self) -> u64 {
        let plan = plan_of::<L>(self.cells.core);
        let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        let mask = self.cells.core.part(step.main).base().wrapping_add(self.node as usize * step.main_stride as usize);
        // SAFETY: `word` is below the words of the mask of a live node; nobody writes masks while the grid is lent.
        let bits = unsafe { *mask.cast::<u64>().wrapping_add(self.word as usize) };
        let low = (self.cells.from / plan.grain).saturating_sub(self.word * 64);
        let high = (self.cells.to / plan.grain).saturating_sub(self.word * 64).min(64);
        if low >= high {
            return 0;
        }
        bits & u64::MAX << low & u64::MAX >> (64 - high)
    }

    /// Moves on to a word whose summary bit is set, where there is a summary.
    #[inline(always)]
    fn skip_empty(&mut self) {
        let plan = plan_of::<L>(self.cells.core);
        let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        if step.aux_stride == 0 {
            return;
        }
        let summary = self.cells.core.part(step.aux).base().wrapping_add(self.node as usize * step.aux_stride as usize);
        while self.word < self.end {
            // SAFETY: the summary word of a mask word of a live node, as in `masked`.
            let on = unsafe { *summary.cast::<u64>().wrapping_add((self.word / 64) as usize) } >> (self.word % 64);
            if on != 0 {
                self.word += u64::from(on.trailing_zeros());
                return;
            }
            self.word = (self.word / 64 + 1) * 64;
        }
    }
}
