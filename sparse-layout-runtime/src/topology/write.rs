//! Writing bits, and what follows from it: ancestors of what is turned on, values and nodes of what is turned off.

use super::bitbox::BitBox;
use super::geometry::{Cell, Digits, Geometry, Store};
use super::read::{Bits, Tile};
use crate::core::{Raw, RawMut};
use crate::error::Exhausted;
use crate::tree::{Kind, MAX_AXES};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Makes sure of the node that holds the bits of a cell, and of all above.
pub(super) fn make_node(raw: &Raw<'_>, g: &Geometry, cell: &Cell) -> Result<u32, Exhausted> {
    let steps = if g.store == Store::Keyed { g.plan.n } else { g.plan.n - g.inner.len() };
    // A node may begin before the first cell that exists.
    let inside: Cell = std::array::from_fn(|j| cell[j].max(g.bounds[j].0));
    Ok(raw.activate_steps(&g.plan, steps, &g.point(&inside))?.handle)
}

/// The tile that begins at `cell`, in a node that exists.
pub(super) fn tile_at(g: &Geometry, node: u32, cell: Cell) -> Tile {
    let (first, len) = g.tile_at(g.slot(&cell));
    Tile { cell, node, first, len }
}

/// Writes the cells of a box, past a border of so many cells, as the bits of a tile. Cells that do not exist stay off.
pub(super) fn pack(g: &Geometry, tile: &Tile, from: &BitBox, border: usize, bits: &mut [u64]) {
    bits.fill(0);
    let sides = g.sides(tile.len);
    // The cells that exist, counted from the tile's first.
    let mut exist = [(0, 1); MAX_AXES];
    for j in 0..g.d {
        let last = (g.bounds[j].1 - tile.cell[j]).min(sides[j].into());
        exist[j] = ((g.bounds[j].0 - tile.cell[j]).max(0), last);
    }
    let fast = g.order[g.d - 1];
    let n = sides[fast] as usize;
    let mut x = [0i64; MAX_AXES];
    let mut done = 0;
    loop {
        let row: usize = (0..g.d - 1).map(|p| (x[g.order[p]] as usize + border) * from.stride(p)).sum();
        let exists = (0..g.d).all(|j| j == fast || (exist[j].0..exist[j].1).contains(&x[j]));
        if exists {
            let (first, end) = (exist[fast].0.max(0) as usize, exist[fast].1.max(0) as usize);
            for at in (first..end).step_by(64) {
                let some = from.get(row, border + at, (end - at).min(64));
                put(g, tile, &x, fast, at, done, some, bits);
            }
        }
        done += n;
        if !g.advance(&mut x, g.d - 1, |j| (0, i64::from(sides[j])), |_| 1) {
            return;
        }
    }
}

/// Puts up to 64 bits of a row, from `at` on, where their cells are numbered; the row's cells begin at number `row`.
#[allow(clippy::too_many_arguments, reason = "a step of `pack` alone")]
#[inline]
fn put(g: &Geometry, tile: &Tile, x: &Cell, fast: usize, at: usize, row: usize, mut some: u64, bits: &mut [u64]) {
    if g.has_rows() || g.store == Store::Keyed {
        let (w, shift) = ((row + at) / 64, (row + at) % 64);
        bits[w] |= some << shift;
        if shift > 0 && some >> (64 - shift) != 0 {
            bits[w + 1] |= some >> (64 - shift);
        }
        return;
    }
    while some != 0 {
        let mut cell: Cell = std::array::from_fn(|j| tile.cell[j] + x[j]);
        cell[fast] = tile.cell[fast] + at as i64 + i64::from(some.trailing_zeros());
        some &= some - 1;
        let i = (g.slot(&cell) - tile.first) as usize;
        bits[i / 64] |= 1 << (i % 64);
    }
}

/// Turns the bits on of the masked levels above a cell in its node; `steps` lead to it.
pub(super) fn mark_above(raw: &Raw<'_>, steps: &[Digits], node: u32, slot: u64) {
    let Some((last, above)) = steps.split_last() else { return };
    let mut slot = slot / last.cells;
    for step in above.iter().rev() {
        if step.kind == Kind::Bitmasked {
            raw.set_bit(step.level, node, slot);
        }
        slot /= step.cells;
    }
}

/// What lies at and below the cells of a masked level.
pub(super) struct Below {
    /// Fields in the same node, and how many of their cells one bit stands for.
    fields: Vec<(usize, u64)>,
    /// Whether there is more than fields and dense levels.
    deep: bool,
    level: usize,
    has_summary: bool,
}

impl Below {
    pub(super) fn new(raw: &Raw<'_>, level: usize) -> Self {
        let (tree, shape) = (&raw.meta.tree, &raw.meta.shape);
        let within: Vec<usize> = (0..tree.levels.len()).filter(|&m| raw.meta.is_within(m, level)).collect();
        let deep = within.iter().any(|&m| m != level && tree.levels[m].kind != Kind::Dense);
        let ratio = |m: usize| shape.slots[m] / shape.slots[level];
        let fields = (0..tree.fields.len())
            .filter(|&f| within.contains(&tree.fields[f].level))
            .filter(|_| !deep)
            .map(|f| (f, ratio(tree.fields[f].level)))
            .collect();
        Below { fields, deep, level, has_summary: raw.has_summary(level) }
    }

    /// Whether more than fields and dense levels lies below: then cells are reset one by one, with
    /// [`reset_cell`](RawMut::reset_cell).
    pub(super) fn is_deep(&self) -> bool {
        self.deep
    }

    /// Turns bits of a word off and resets what they stand for. None of it has a node of its own (`deep`).
    pub(super) fn turn_off(&self, raw: &Raw<'_>, part: usize, node: u32, w: u64, bits: u64) {
        debug_assert!(!self.deep);
        // SAFETY: a mask word of the root's or a live node; the grid is held exclusively, and those who share the word at this
        // time change other bits of it.
        unsafe { AtomicU64::from_ptr(raw.word(part, node, w)) }.fetch_and(!bits, Relaxed);
        let mut left = bits;
        while left != 0 && !self.fields.is_empty() {
            let from = left.trailing_zeros();
            let len = (left >> from).trailing_ones();
            left &= u64::MAX.checked_shl(from + len).unwrap_or(0);
            let from = w * 64 + u64::from(from);
            for &(field, ratio) in &self.fields {
                raw.fill(field, node, from * ratio, (from + u64::from(len)) * ratio);
            }
        }
    }

    /// Turns the summary bit of a word off if the word is zero. Nobody turns bits on at this time.
    pub(super) fn settle(&self, raw: &Raw<'_>, part: usize, node: u32, w: u64) {
        if !self.has_summary {
            return;
        }
        // SAFETY: as in `turn_off`; the summary word of that mask word.
        let (word, summary) = unsafe {
            let aux = raw.meta.tree.aux_part(self.level);
            (AtomicU64::from_ptr(raw.word(part, node, w)), AtomicU64::from_ptr(raw.word(aux, node, w / 64)))
        };
        if word.load(Relaxed) == 0 {
            summary.fetch_and(!(1 << (w % 64)), Relaxed);
        }
    }
}

/// Bits of one word that are to change.
#[derive(Clone, Copy)]
struct Change {
    node: u32,
    w: u64,
    off: u64,
}

/// Makes `new` the bits of the tiles, as many words each as the largest tile has. No tile comes twice.
pub(super) fn write(raw: &mut RawMut<'_>, g: &Geometry, tiles: &[Tile], new: &[u64]) -> Result<(), Exhausted> {
    debug_assert_eq!(new.len(), tiles.len() * g.tile_words());
    match g.store {
        Store::Mask(part) => write_masks(raw, g, part, tiles, new),
        _ => return write_nodes(raw, g, tiles, new),
    }
    Ok(())
}

fn write_masks(raw: &mut RawMut<'_>, g: &Geometry, part: usize, tiles: &[Tile], new: &[u64]) {
    let shared = raw.shared();
    let below = Below::new(&shared, g.level);
    let bits = Bits::new(shared, g);
    let write_tile = |(tile, new): (&Tile, &[u64])| {
        let mut off = Vec::new();
        let mut any_on = false;
        for (i, new) in new.iter().enumerate().take(tile.len.div_ceil(64) as usize) {
            let at = i as u64 * 64;
            let slot = tile.first + at;
            let old = bits.get(tile.node, slot, (tile.len - at).min(64));
            any_on |= new & !old != 0;
            for (w, on, gone) in halves(slot, new & !old, old & !new) {
                if on != 0 {
                    turn_on(&shared, g.level, part, below.has_summary, tile.node, w, on);
                }
                if gone != 0 && !below.deep {
                    below.turn_off(&shared, part, tile.node, w, gone);
                }
                if gone != 0 && (below.deep || below.has_summary) {
                    off.push(Change { node: tile.node, w, off: gone });
                }
            }
        }
        if any_on {
            mark_above(&shared, &g.inner, tile.node, tile.first);
        }
        off
    };
    let off: Vec<Change> =
        tiles.par_iter().zip(new.par_chunks_exact(g.tile_words())).with_min_len(64).flat_map_iter(write_tile).collect();
    if below.deep {
        for change in off {
            let mut left = change.off;
            while left != 0 {
                raw.reset_cell(g.level, change.node, change.w * 64 + u64::from(left.trailing_zeros()));
                left &= left - 1;
            }
        }
    } else {
        off.par_iter().for_each(|change| below.settle(&shared, part, change.node, change.w));
    }
}

/// The words that 64 bits from `slot` on fall into, each with its share.
#[inline]
fn halves(slot: u64, on: u64, off: u64) -> impl Iterator<Item = (u64, u64, u64)> {
    let (w, shift) = (slot / 64, slot % 64);
    let upper = |bits: u64| if shift == 0 { 0 } else { bits >> (64 - shift) };
    [(w, on << shift, off << shift), (w + 1, upper(on), upper(off))].into_iter().filter(|(_, on, off)| on | off != 0)
}

/// Turns bits of a mask word on, and its summary bit.
pub(super) fn turn_on(raw: &Raw<'_>, level: usize, part: usize, has_summary: bool, node: u32, w: u64, bits: u64) {
    // SAFETY: a mask word of the root's or a live node; the grid is held exclusively, and those who share the word at this time
    // change other bits of it.
    unsafe { AtomicU64::from_ptr(raw.word(part, node, w)) }.fetch_or(bits, Relaxed);
    if has_summary {
        let aux = raw.meta.tree.aux_part(level);
        // SAFETY: as above; the summary word of that mask word.
        unsafe { AtomicU64::from_ptr(raw.word(aux, node, w / 64)) }.fetch_or(1 << (w % 64), Relaxed);
    }
}

/// As [`write`], where a bit is a node.
fn write_nodes(raw: &mut RawMut<'_>, g: &Geometry, tiles: &[Tile], new: &[u64]) -> Result<(), Exhausted> {
    for (tile, new) in tiles.iter().zip(new.chunks_exact(g.tile_words())) {
        for (i, new) in new.iter().enumerate().take(tile.len.div_ceil(64) as usize) {
            let at = i as u64 * 64;
            let bits = Bits::new(raw.shared(), g);
            // The node of a keyed cell that is to become active was made with its tile.
            let old = bits.get(tile.node, tile.first + at, (tile.len - at).min(64));
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let slot = tile.first + at + u64::from(bit);
                if new >> bit & 1 != 0 {
                    let origin = if g.kind == 0 { [0; MAX_AXES] } else { raw.shared().origin(g.kind, tile.node) };
                    let cell = g.cell(&g.base(&origin), slot);
                    raw.shared().activate_steps(&g.plan, g.plan.n, &g.point(&cell))?;
                } else if g.store == Store::Keyed {
                    raw.remove_keyed(g.kind, tile.node);
                } else {
                    raw.free_slots(g.level, tile.node, slot, slot + 1);
                }
            }
        }
    }
    Ok(())
}
