//! Blocks: the cells under one cell of the level above, which stand side by side.

use crate::coord::Point;
use crate::core::{Core, Raw, decode, exists, is_inside, locate, node_base, ones, plan_of};
use crate::element::Element;
use crate::field::Field;
use crate::layout::{Level, Planned};
use rayon::iter::Either;
use rayon::prelude::*;

/// Cells of a block from which it is handed out in pieces, each of whole rows: what a dense image, or the root of a fused
/// tree, would otherwise put on one thread.
const LARGEST: u64 = 4096;

/// One block of a level: its cells, active or not. A block of more than a few thousand cells comes in pieces, each of whole
/// rows.
pub struct Block<'a, L: Level> {
    core: &'a Core<L::Layout>,
    node: u32,
    /// Its number in the node.
    number: u64,
    /// The cells of the block that belong to this piece.
    from: u64,
    to: u64,
}

impl<L: Level> Clone for Block<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level> Copy for Block<'_, L> {}

impl<L: Level> std::fmt::Debug for Block<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Block").field("origin", &self.origin()).field("active", &self.count()).finish()
    }
}

/// Values that stand a fixed number of bytes apart.
#[derive(Clone, Copy)]
pub struct Strided<'a, T> {
    first: *const T,
    len: usize,
    stride: usize,
    borrow: std::marker::PhantomData<&'a [T]>,
}

// SAFETY: a shared borrow of plain values.
unsafe impl<T: Sync> Send for Strided<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Strided<'_, T> {}

impl<T> std::fmt::Debug for Strided<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Strided").field("len", &self.len).field("stride", &self.stride).finish()
    }
}

impl<'a, T: Element> Strided<'a, T> {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Value `i`.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline]
    pub fn get(&self, i: usize) -> T {
        assert!(i < self.len, "value {i} of a block of {}", self.len);
        // SAFETY: the block has `len` values, `stride` bytes apart, aligned and borrowed for reading.
        unsafe { *self.first.wrapping_byte_add(i * self.stride) }
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<'a, T> {
        let all = *self;
        (0..self.len).map(move |i| all.get(i))
    }
}

impl<'a, L: Level> Block<'a, L> {
    /// Node, first cell there, and how many cells, for the code that lends values of blocks.
    pub(crate) fn range(&self) -> (u32, u64, u64) {
        (self.node, self.first(), self.to - self.from)
    }

    /// The block of which a large block's piece is a part.
    pub(crate) fn whole(self) -> Self {
        Block { from: 0, to: plan_of::<L>(self.core).block, ..self }
    }

    /// The coordinates of its cell 0.
    pub fn origin(&self) -> L::Point {
        let plan = plan_of::<L>(self.core);
        decode::<L>(plan, node_base::<L>(self.core, self.node), self.number * plan.block + self.from)
    }

    /// Its node, and the number of its first cell there.
    pub(crate) fn place(&self) -> (u32, u64) {
        (self.node, self.first())
    }

    /// How many cells it has, active or not.
    pub fn cells(&self) -> usize {
        (self.to - self.from) as usize
    }

    /// The number of its first cell in the node.
    fn first(&self) -> u64 {
        self.number * plan_of::<L>(self.core).block + self.from
    }

    /// The block `offset` blocks away along each axis, if it exists. Along an axis that the level does not divide a block is one
    /// cell wide.
    pub fn neighbour(&self, offset: L::Point) -> Option<Block<'a, L>> {
        let plan = plan_of::<L>(self.core);
        let side = |j: usize| match plan.steps[..plan.n].last() {
            Some(step) if !step.kind.is_indirect() && step.size[j] != 0 => step.size[j] as i32,
            _ => 1,
        };
        let origin = decode::<L>(plan, node_base::<L>(self.core, self.node), self.number * plan.block);
        let at = |j: usize| origin.at(j).checked_add(offset.at(j).checked_mul(side(j))?);
        (0..L::Point::LEN)
            .all(|j| at(j).is_some())
            .then(|| L::Point::from_fn(|j| at(j).unwrap_or(0)))
            .and_then(|p| of_cell(self.core, p))
    }

    /// The value of a field of a level above, at the cell that holds the block.
    ///
    /// # Panics
    /// If the field is of another grid.
    pub fn coarse<C: Level<Layout = L::Layout>, T: Element>(&self, field: Field<'a, C, T>) -> T {
        assert!(std::ptr::eq(self.core, field.lane.core), "a field of another grid");
        field.value(crate::convert::coarse_cell::<L, C>(self.origin()))
    }

    /// How many of them are active.
    pub fn count(&self) -> u64 {
        (0..self.cells().div_ceil(64)).map(|w| u64::from(self.mask_word(w).count_ones())).sum()
    }

    /// The coordinates of a cell.
    #[inline]
    pub fn point(&self, cell: usize) -> L::Point {
        let plan = plan_of::<L>(self.core);
        decode::<L>(plan, node_base::<L>(self.core, self.node), self.first() + cell as u64)
    }

    /// Activity of cells `64 * word` up to `64 * word + 63`, bit `i` for the `i`-th; 0 past the block's last cell.
    pub fn mask_word(&self, word: usize) -> u64 {
        let plan = plan_of::<L>(self.core);
        let first = word as u64 * 64;
        let left = (self.to - self.from).saturating_sub(first).min(64);
        if left == 0 {
            return 0;
        }
        let mut low = u64::MAX >> (64 - left);
        if plan.clipped {
            let base = node_base::<L>(self.core, self.node);
            let exists = |i: &u64| is_inside::<L>(plan, base, decode::<L>(plan, base, self.first() + first + i));
            low = (0..left).filter(exists).fold(0, |bits, i| bits | 1 << i);
        }
        if const { L::PLAN.mask_step == 0 } {
            return low;
        }
        let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        let mask = self.core.part(step.main).base().wrapping_add(self.node as usize * step.main_stride as usize);
        let word = |i: u64| {
            // SAFETY: a mask word of a live node; nobody writes masks while the grid is borrowed for reading.
            unsafe { *crate::core::word_at(mask, i) }
        };
        let bit = self.first() + first;
        if plan.grain > 1 {
            // One bit for more than one cell: a block lies below one cell of the masked level.
            let on = word(bit / plan.grain) >> (bit / plan.grain % 64) & 1 != 0;
            return if on { low } else { 0 };
        }
        let bits = word(bit) >> (bit % 64);
        let from_next = if bit % 64 + left > 64 { word(bit + 64) << (64 - bit % 64) } else { 0 };
        (bits | from_next) & low
    }

    /// The values of a field of the block's level, by cell number; inactive cells hold the background.
    ///
    /// # Panics
    /// If the field is of another grid, or is stored as records (`aos`): see [`strided`](Self::strided).
    #[inline]
    pub fn values<T: Element>(&self, field: Field<'a, L, T>) -> &'a [T] {
        let strided = self.strided(field);
        assert!(strided.stride == size_of::<T>(), "values of an `aos` level do not stand side by side: use `strided`");
        // SAFETY: the block's values stand side by side, initialised and borrowed for reading.
        unsafe { std::slice::from_raw_parts(strided.first, strided.len) }
    }

    /// The values of a field of the block's level, whatever the storage.
    ///
    /// # Panics
    /// If the field is of another grid.
    #[inline]
    pub fn strided<T: Element>(&self, field: Field<'a, L, T>) -> Strided<'a, T> {
        assert!(std::ptr::eq(self.core, field.lane.core), "a field of another grid");
        Strided {
            first: field.lane.nth(self.node, self.first()),
            len: self.cells(),
            stride: field.lane.cell_stride(),
            borrow: std::marker::PhantomData,
        }
    }
}

/// The bits that say which blocks of a node exist: those of the nearest masked level above.
#[derive(Clone, Copy)]
struct Above {
    level: usize,
    part: usize,
    /// Mask words of a node.
    words: u64,
    /// Blocks under one cell of that level.
    ratio: u64,
}

impl Above {
    /// None: all blocks exist.
    fn of<L: Level>(core: &Core<L::Layout>) -> Option<Above> {
        let plan = plan_of::<L>(core);
        let mut ratio = 1;
        for k in (plan.tail..plan.n.saturating_sub(1)).rev() {
            let step = &plan.steps[k];
            if step.kind == crate::tree::Kind::Bitmasked {
                let words = (plan.per_node / plan.block / ratio).div_ceil(64);
                return Some(Above { level: step.level, part: step.main, words, ratio });
            }
            ratio *= step.cells;
        }
        None
    }

    /// The blocks under the active cells of mask word `w` of a node.
    fn of_word(self, raw: Raw<'_>, node: u32, w: u64) -> impl Iterator<Item = u64> + use<> {
        debug_assert!(w < self.words);
        // SAFETY: a mask word of a live node; nobody writes masks while the grid is borrowed for reading.
        let cells = ones(unsafe { *raw.word(self.part, node, w) }).map(move |i| w * 64 + i);
        cells.flat_map(move |cell| cell * self.ratio..(cell + 1) * self.ratio)
    }
}

/// The blocks of one node that exist, those under an active cell of the level above, in pieces.
fn of_node<L: Level>(core: &Core<L::Layout>, node: u32) -> impl Iterator<Item = Block<'_, L>> {
    let plan = plan_of::<L>(core);
    let above = Above::of::<L>(core);
    let all = above.is_none().then_some(0..plan.per_node / plan.block);
    let raw = core.raw();
    let some = above.map(|above| raw.mask_words(above.level, node).flat_map(move |w| above.of_word(raw, node, w)));
    all.into_iter().flatten().chain(some.into_iter().flatten()).flat_map(move |number| pieces(core, node, number))
}

fn pieces<L: Level>(core: &Core<L::Layout>, node: u32, number: u64) -> impl Iterator<Item = Block<'_, L>> {
    let plan = plan_of::<L>(core);
    let step = piece::<L>(core);
    let starts = (0..plan.block).step_by(step as usize);
    starts.map(move |from| Block { core, node, number, from, to: (from + step).min(plan.block) })
}

/// Cells of a piece of a block: all, or whole rows of the fastest axis.
fn piece<L: Level>(core: &Core<L::Layout>) -> u64 {
    let plan = plan_of::<L>(core);
    if plan.block <= LARGEST {
        return plan.block;
    }
    let Some(step) = plan.steps[..plan.n].last() else { return plan.block };
    if step.morton {
        return LARGEST;
    }
    let row = u64::from(step.size[step.order[step.divided - 1] as usize]);
    if row >= LARGEST { row } else { LARGEST / row * row }
}

/// Whether the cell of the level above a block is active, within the node.
fn above_is_active<L: Level>(core: &Core<L::Layout>, node: u32, number: u64) -> bool {
    let plan = plan_of::<L>(core);
    let mut cell = number;
    for k in (plan.tail..plan.n.saturating_sub(1)).rev() {
        let step = &plan.steps[k];
        if step.kind == crate::tree::Kind::Bitmasked {
            let mask = core.part(step.main).base().wrapping_add(node as usize * step.main_stride as usize);
            // SAFETY: the mask word of a cell of a live node, read while nobody writes.
            return unsafe { *crate::core::word_at(mask, cell) >> (cell % 64) & 1 != 0 };
        }
        cell /= step.cells;
    }
    true
}

pub(super) fn all<'a, L: Level>(core: &'a Core<L::Layout>) -> impl Iterator<Item = Block<'a, L>> + use<'a, L> {
    core.order(plan_of::<L>(core).node_kind).iter().flat_map(move |node| of_node::<L>(core, *node))
}

pub(super) fn par_all<'a, L: Level>(
    core: &'a Core<L::Layout>,
) -> impl ParallelIterator<Item = Block<'a, L>> + use<'a, L> {
    let plan = plan_of::<L>(core);
    let above = Above::of::<L>(core);
    let raw = core.raw();
    core.order(plan.node_kind).par_iter().flat_map(move |&node| {
        let numbers = match above {
            None => Either::Left((0..plan.per_node / plan.block).into_par_iter()),
            Some(above) => {
                let words = (0..above.words).into_par_iter();
                Either::Right(words.flat_map_iter(move |w| above.of_word(raw, node, w)))
            }
        };
        numbers.flat_map(move |number| {
            let step = piece::<L>(core);
            let count = plan.block.div_ceil(step);
            (0..count).into_par_iter().map(move |i| Block {
                core,
                node,
                number,
                from: i * step,
                to: ((i + 1) * step).min(plan.block),
            })
        })
    })
}

pub(super) fn of_cell<'a, L: Level>(core: &'a Core<L::Layout>, p: L::Point) -> Option<Block<'a, L>> {
    let at = locate::<L>(core, p)?;
    let found = exists::<L>(&at) && above_is_active::<L>(core, at.handle, at.outer);
    let step = piece::<L>(core);
    let from = at.digit / step * step;
    let to = (from + step).min(plan_of::<L>(core).block);
    found.then_some(Block { core, node: at.handle, number: at.outer, from, to })
}
