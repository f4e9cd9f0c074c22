//! The active cells of a list of nodes.
//!
//! Work is found by mask words, node after node; no table is walked. A piece is a slice of the ordered node list, or,
//! when that is down to one node, a range of its cells.

use super::features::{Work, dispatch};
use crate::coord::{Point, Region};
use crate::core::{Core, bit_range, cell_in_node, decode, is_inside, node_base, plan_of};
use crate::layout::{Level, Planned, Shaped};
use crate::plan::Plan;
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
    /// Cells below which a piece is not split.
    least: u64,
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
        Cells { core, nodes: core.order(plan.node_kind), from: 0, to: plan.per_node, least: 0 }
    }

    /// Those of some of the nodes.
    pub(crate) fn of_nodes(core: &'a Core<L::Layout>, nodes: &'a [u32]) -> Self {
        Cells { core, nodes, from: 0, to: plan_of::<L>(core).per_node, least: 0 }
    }

    /// The same cells, not split into pieces of fewer than about `least` cells, active or not.
    pub(crate) fn at_least(self, least: u64) -> Self {
        Cells { least, ..self }
    }

    /// The cells of the piece, active or not.
    pub(crate) fn size(&self) -> u64 {
        self.nodes.len() as u64 * (self.to - self.from)
    }

    /// Two halves, unless it is small. Where it is split depends on the piece alone.
    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.size() / 2 < self.least {
            return (self, None);
        }
        if self.nodes.len() > 1 {
            let (a, b) = self.nodes.split_at(self.nodes.len() / 2);
            return (Cells { nodes: a, ..self.clone() }, Some(Cells { nodes: b, ..self }));
        }
        // Pieces share no mask word.
        let unit = 64 * plan_of::<L>(self.core).grain;
        let middle = (self.from + (self.to - self.from) / 2).next_multiple_of(unit);
        if self.nodes.is_empty() || self.to - self.from < LEAST || middle >= self.to || self.is_known_empty() {
            return (self, None);
        }
        (Cells { to: middle, ..self.clone() }, Some(Cells { from: middle, ..self }))
    }

    /// Whether the summary says that no cell of the piece, which is of one node, is active.
    fn is_known_empty(&self) -> bool {
        if const { L::PLAN.mask_step == 0 } {
            return false;
        }
        let plan = plan_of::<L>(self.core);
        let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        if step.aux_stride == 0 {
            return false;
        }
        // Words of the mask are bits of the summary, word-aligned pieces ranges of those.
        let word_cells = 64 * plan.grain;
        let summary = self.core.part(step.aux).base().wrapping_add(self.nodes[0] as usize * step.aux_stride as usize);
        bit_range(self.from / word_cells, self.to.div_ceil(word_cells)).all(|(w, bits)| {
            // SAFETY: a summary word of a live node; nobody writes masks while the grid is lent.
            bits & unsafe { *summary.cast::<u64>().wrapping_add(w as usize) } == 0
        })
    }

    /// Calls `f` with point, node and cell of each active cell, until it breaks.
    #[inline(always)]
    pub(crate) fn try_fold<B>(
        self,
        init: B,
        f: impl FnMut(B, L::Point, u32, u64) -> ControlFlow<B, B>,
    ) -> ControlFlow<B, B> {
        Words::new(self).try_fold(init, f)
    }

    /// How many active cells there are.
    pub(crate) fn count(self) -> u64 {
        let plan = plan_of::<L>(self.core);
        if plan.clipped {
            let one = |n, _, _, _| ControlFlow::Continue(n + 1);
            return match self.try_fold(0, one) {
                ControlFlow::Break(n) | ControlFlow::Continue(n) => n,
            };
        }
        if const { L::PLAN.mask_step == 0 } {
            return self.size();
        }
        dispatch(Count(self))
    }
}

struct Count<'a, L: Level>(Cells<'a, L>);

impl<L: Level> Work for Count<'_, L> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let grain = plan_of::<L>(self.0.core).grain;
        let mut words = Words::new(self.0);
        let mut n = 0;
        while words.next() {
            n += u64::from(words.bits.count_ones()) * grain;
        }
        n
    }
}

/// What is known of a level's cells at compile time.
struct Rows<L>(std::marker::PhantomData<L>);

impl<L: Level> Rows<L> {
    /// The coordinate along which cells of the level are numbered one after the other, if there is one.
    const LAST: Option<usize> = {
        let plan = &L::PLAN;
        if plan.tail < plan.n && !plan.steps[plan.n - 1].morton && plan.steps[plan.n - 1].divided > 0 {
            Some(plan.steps[plan.n - 1].order[plan.steps[plan.n - 1].divided - 1] as usize)
        } else {
            None
        }
    };
    /// Cells of a row, where rows have constant length and fill mask words evenly; otherwise 0.
    const ALIGNED: u64 = match Self::LAST {
        Some(j) if !<L::Layout as Shaped>::RUN_TIME => {
            let n = L::PLAN.steps[L::PLAN.n - 1].size[j] as u64;
            if n <= 64 && n.is_power_of_two() && L::PLAN.per_node.is_multiple_of(n) && L::PLAN.grain == 1 {
                n
            } else {
                0
            }
        }
        _ => 0,
    };

    /// Cells of a row; 1 where cells that follow each other are not neighbours.
    #[inline(always)]
    fn len(plan: &Plan) -> u64 {
        match Self::LAST {
            Some(j) => plan.steps[const { L::PLAN.n.saturating_sub(1) }].size[j].into(),
            None => 1,
        }
    }

    /// The cell `by` further in its row.
    #[inline(always)]
    fn along(p: L::Point, by: u64) -> L::Point {
        L::Point::from_fn(|j| if Some(j) == Self::LAST { p.at(j).wrapping_add(by as i32) } else { p.at(j) })
    }
}

/// The mask words of a piece that have a bit on, one after the other; where cells have no bits, the nodes.
pub(crate) struct Words<'a, L: Level> {
    cells: Cells<'a, L>,
    /// Nodes that do not reach into this box are left out.
    region: Option<Region<L::Point>>,
    node: u32,
    base: L::Point,
    /// The mask word that was read last, what is left of it, and one past the node's last.
    word: u64,
    bits: u64,
    end: u64,
    /// The cells of the current node that belong to the piece; of the current bit, when cells are taken one by one.
    from: u64,
    to: u64,
}

impl<L: Level> Clone for Words<'_, L> {
    fn clone(&self) -> Self {
        Words { cells: self.cells.clone(), ..*self }
    }
}

impl<'a, L: Level> Words<'a, L> {
    #[inline(always)]
    pub(crate) fn new(cells: Cells<'a, L>) -> Self {
        let base = L::Point::from_fn(|_| 0);
        Words { cells, region: None, node: 0, base, word: 0, bits: 0, end: 0, from: 0, to: 0 }
    }

    /// Leaves out nodes, and stretches of cells of one node, that do not reach into a box.
    pub(crate) fn within(self, region: Region<L::Point>) -> Self {
        Words { region: Some(region), ..self }
    }

    /// A node further on in the piece.
    #[inline(always)]
    pub(super) fn ahead(&self, by: usize) -> Option<u32> {
        self.cells.nodes.get(by - 1).copied()
    }

    /// Takes one cell: its point, node and number.
    #[inline(always)]
    pub(crate) fn next_cell(&mut self) -> Option<(L::Point, u32, u64)> {
        let plan = plan_of::<L>(self.cells.core);
        loop {
            while self.from < self.to {
                let cell = self.from;
                self.from += 1;
                let p = decode::<L>(plan, self.base, cell);
                if is_inside::<L>(plan, self.base, p) {
                    return Some((p, self.node, cell));
                }
            }
            if const { L::PLAN.mask_step == 0 } {
                if !self.next() {
                    return None;
                }
            } else {
                if self.bits == 0 && !self.next() {
                    return None;
                }
                self.from = (self.word * 64 + u64::from(self.bits.trailing_zeros())) * plan.grain;
                self.to = self.from + plan.grain;
                self.bits &= self.bits - 1;
            }
        }
    }

    /// Calls `f` with point, node and cell of each active cell that is left, until it breaks.
    #[inline(always)]
    pub(crate) fn try_fold<B>(
        mut self,
        init: B,
        mut f: impl FnMut(B, L::Point, u32, u64) -> ControlFlow<B, B>,
    ) -> ControlFlow<B, B> {
        let plan = plan_of::<L>(self.cells.core);
        let mut acc = init;
        // `f` is inlined in two places only: over rows of cells, and over single cells.
        if const { L::PLAN.mask_step == 0 && Rows::<L>::ALIGNED > 0 } {
            // The rest of a row of which cells were taken one by one.
            let end = self.from.next_multiple_of(const { Rows::<L>::ALIGNED }).min(self.to);
            if self.from < end {
                let bits = u64::MAX << (self.from % 64) & u64::MAX >> (63 - (end - 1) % 64);
                acc = self.single(self.from / 64 * 64, bits, acc, &mut f)?;
                self.from = end;
            }
        }
        loop {
            let (from, to) = (std::mem::replace(&mut self.from, self.to), self.to);
            if from < to {
                acc = self.rows(from, to, acc, &mut f)?;
            }
            if const { L::PLAN.mask_step == 0 } {
                if !self.next() {
                    return ControlFlow::Continue(acc);
                }
                continue;
            }
            if self.bits == 0 && !self.next() {
                return ControlFlow::Continue(acc);
            }
            let first = self.word * 64;
            if const { Rows::<L>::ALIGNED > 0 } && self.bits != u64::MAX {
                let bits = std::mem::take(&mut self.bits);
                acc = self.single(first, bits, acc, &mut f)?;
            } else {
                let from = self.bits.trailing_zeros();
                let len = (self.bits >> from).trailing_ones();
                self.bits &= u64::MAX.checked_shl(from + len).unwrap_or(0);
                let from = first + u64::from(from);
                (self.from, self.to) = (from * plan.grain, (from + u64::from(len)) * plan.grain);
            }
        }
    }

    /// Calls `f` with the cells whose bits are on, counted from `first`.
    #[inline(always)]
    fn single<B>(
        &self,
        first: u64,
        mut bits: u64,
        init: B,
        f: &mut impl FnMut(B, L::Point, u32, u64) -> ControlFlow<B, B>,
    ) -> ControlFlow<B, B> {
        let plan = plan_of::<L>(self.cells.core);
        let mut acc = init;
        while bits != 0 {
            let cell = first + u64::from(bits.trailing_zeros());
            bits &= bits - 1;
            let p = decode::<L>(plan, self.base, cell);
            if is_inside::<L>(plan, self.base, p) {
                acc = f(acc, p, self.node, cell)?;
            }
        }
        ControlFlow::Continue(acc)
    }

    /// Calls `f` with cells `from..to` of the node: coordinates are worked out once a row.
    #[inline(always)]
    fn rows<B>(
        &self,
        from: u64,
        to: u64,
        init: B,
        f: &mut impl FnMut(B, L::Point, u32, u64) -> ControlFlow<B, B>,
    ) -> ControlFlow<B, B> {
        let plan = plan_of::<L>(self.cells.core);
        let mut acc = init;
        let mut cell = from;
        while cell < to {
            let start = decode::<L>(plan, self.base, cell);
            // A constant where it can be, so that the loop over a row is unrolled.
            let len = if const { Rows::<L>::ALIGNED > 0 } {
                let row = const { Rows::<L>::ALIGNED };
                debug_assert!(cell.is_multiple_of(row) && to - cell >= row, "a piece cuts through a row");
                row
            } else {
                let row = Rows::<L>::len(plan);
                (row - cell % row).min(to - cell)
            };
            for i in 0..len {
                let p = Rows::<L>::along(start, i);
                if is_inside::<L>(plan, self.base, p) {
                    acc = f(acc, p, self.node, cell + i)?;
                }
            }
            cell += len;
        }
        ControlFlow::Continue(acc)
    }

    /// The node that [`next`](Self::next) went to, and its cells, where cells have no bits.
    #[inline(always)]
    pub(super) fn node_cells(&mut self) -> (u32, u64, u64) {
        let from = std::mem::replace(&mut self.from, self.to);
        (self.node, from, self.to)
    }

    /// The word that [`next`](Self::next) went to: node, number, and its bits, which are then taken.
    #[inline(always)]
    pub(crate) fn take_word(&mut self) -> (u32, u64, u64) {
        (self.node, self.word, std::mem::take(&mut self.bits))
    }

    /// Goes to the next word with a bit on, or the next node where cells have no bits; false at the end.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> bool {
        if const { L::PLAN.mask_step == 0 } {
            return self.next_node();
        }
        loop {
            self.word += 1;
            if self.word >= self.end {
                if !self.next_node() {
                    return false;
                }
                let grain = plan_of::<L>(self.cells.core).grain;
                self.word = self.from / grain / 64;
                self.end = self.to.div_ceil(grain).div_ceil(64);
                self.from = self.to;
            }
            self.skip_empty();
            if self.word < self.end {
                self.bits = self.masked();
                if self.bits != 0 {
                    return true;
                }
            }
        }
    }

    #[inline(always)]
    fn next_node(&mut self) -> bool {
        loop {
            let Some((first, rest)) = self.cells.nodes.split_first() else {
                self.from = self.to;
                return false;
            };
            self.cells.nodes = rest;
            self.node = *first;
            self.base = node_base::<L>(self.cells.core, self.node);
            (self.from, self.to) = (self.cells.from, self.cells.to);
            if self.region.is_none() || self.narrow() {
                return true;
            }
        }
    }

    /// Leaves only the cells from the first to the last that the box and the node have in common; false: none.
    fn narrow(&mut self) -> bool {
        let Some(region) = self.region else { return true };
        let plan = plan_of::<L>(self.cells.core);
        // A node's cells, or those that exist of it: the last one along each axis.
        let side = |j: usize| -> (i64, i64) {
            let first = self.first(j);
            let size = if plan.node_kind == 0 { plan.extent[j] as i64 } else { i64::from(plan.scale[j]) };
            let bound =
                if plan.free[j] { i64::from(i32::MAX) } else { i64::from(plan.lo[j]) + plan.extent[j] as i64 - 1 };
            (first.max(region.lo.at(j).into()), (first + size - 1).min(bound).min(i64::from(region.hi.at(j)) - 1))
        };
        if (0..L::Point::LEN).any(|j| side(j).0 > side(j).1) {
            return false;
        }
        // Numbers grow with each coordinate, so the box's corners have the least and the greatest.
        let from = cell_in_node::<L>(plan, L::Point::from_fn(|j| side(j).0 as i32));
        let to = cell_in_node::<L>(plan, L::Point::from_fn(|j| side(j).1 as i32)) + 1;
        // Whole rows and words: what lies outside of the box is left out cell by cell.
        let unit = 64 * plan.grain;
        self.from = self.from.max(from / unit * unit);
        self.to = self.to.min(to.next_multiple_of(unit));
        self.from < self.to
    }

    /// The first coordinate of the node along an axis. On an unbounded axis whose nodes do not divide 2^32 evenly, the
    /// first node begins before the first `i32`, and its base came round at the other end.
    fn first(&self, j: usize) -> i64 {
        let plan = plan_of::<L>(self.cells.core);
        let (x, size) = (i64::from(self.base.at(j)), i64::from(plan.scale[j]));
        if plan.free[j] && x % size != 0 { x - (1 << 32) } else { x }
    }

    /// The bits of the current word that belong to the piece.
    #[inline(always)]
    fn masked(&self) -> u64 {
        let plan = plan_of::<L>(self.cells.core);
        let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        let mask = self.cells.core.part(step.main).base().wrapping_add(self.node as usize * step.main_stride as usize);
        // SAFETY: `word` is below the words of the mask of a live node; nobody writes masks while the grid is lent.
        // Pieces begin and end with whole words (`split`, `narrow`), and bits past a node's last cell are off.
        unsafe { *mask.cast::<u64>().wrapping_add(self.word as usize) }
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
