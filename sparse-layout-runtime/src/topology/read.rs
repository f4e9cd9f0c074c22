//! Reading bits: words of a node, tiles, and boxes across tiles.

use super::bitbox::BitBox;
use super::find::Finder;
use super::geometry::{Cell, Geometry, Store, TILE_WORDS};
use crate::core::Raw;
use crate::tree::MAX_AXES;
use rayon::prelude::*;

/// Bits of one node that are looked through as one piece of parallel work.
const PIECE: u64 = 1 << 18;

/// The bits of one tile, in the order of cell numbers.
pub(super) type TileBits = [u64; TILE_WORDS];

/// A box of cells of one node whose bits follow each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Tile {
    /// Its first cell.
    pub(super) cell: Cell,
    pub(super) node: u32,
    /// Its bits in the node.
    pub(super) first: u64,
    pub(super) len: u64,
}

/// The bits of a level.
#[derive(Clone, Copy)]
pub(crate) struct Bits<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) geometry: &'a Geometry,
}

impl<'a> Bits<'a> {
    pub(super) fn new(raw: Raw<'a>, geometry: &'a Geometry) -> Self {
        Bits { raw, geometry }
    }

    /// Word `w` of a node's bits. Keyed: the node exists.
    #[inline(always)]
    pub(super) fn word(&self, node: u32, w: u64) -> u64 {
        match self.geometry.store {
            // SAFETY: a word of the bits of the root's or a live node; bits are changed only between passes that read them, or
            // by the one thread that owns their tile.
            Store::Mask(part) | Store::Occupancy(part) => unsafe { *self.raw.word(part, node, w) },
            Store::Keyed => 1,
        }
    }

    /// The `n` bits, 1 to 64, from `slot` of a node.
    #[inline(always)]
    pub(super) fn get(&self, node: u32, slot: u64, n: u64) -> u64 {
        let (w, shift) = (slot / 64, slot % 64);
        let mut bits = self.word(node, w) >> shift;
        if shift + n > 64 {
            bits |= self.word(node, w + 1) << (64 - shift);
        }
        bits & u64::MAX >> (64 - n)
    }

    /// The first of the bits `from..to` of a node that is on.
    fn next_on(&self, node: u32, from: u64, to: u64) -> Option<u64> {
        let mut w = from / 64;
        let mut bits = if from < to { self.word(node, w) & u64::MAX << (from % 64) } else { 0 };
        while bits == 0 {
            w += 1;
            if let Some(next) = self.summary_from(node, w) {
                w = next;
            }
            if w * 64 >= to {
                return None;
            }
            bits = self.word(node, w);
        }
        let slot = w * 64 + u64::from(bits.trailing_zeros());
        (slot < to).then_some(slot)
    }

    /// Where there is a summary: the first word from `w` on that is not zero.
    fn summary_from(&self, node: u32, w: u64) -> Option<u64> {
        if !matches!(self.geometry.store, Store::Mask(_)) || !self.raw.has_summary(self.geometry.level) {
            return None;
        }
        let part = self.raw.meta.tree.aux_part(self.geometry.level);
        let words = self.geometry.slots.div_ceil(64);
        let mut s = w / 64;
        let mut skip = u64::MAX << (w % 64);
        while s * 64 < words {
            // SAFETY: a summary word of the node, as in `word`.
            let on = unsafe { *self.raw.word(part, node, s) } & skip;
            if on != 0 {
                return Some(s * 64 + u64::from(on.trailing_zeros()));
            }
            (s, skip) = (s + 1, u64::MAX);
        }
        Some(words)
    }

    /// Whether no cell of a tile is active.
    pub(super) fn is_empty(&self, tile: &Tile) -> bool {
        self.next_on(tile.node, tile.first, tile.first + tile.len).is_none()
    }

    /// The tile of a bit in a node.
    pub(super) fn tile(&self, node: u32, slot: u64) -> Tile {
        let g = self.geometry;
        let (first, len) = g.tile_at(slot);
        let origin = if g.kind == 0 { [0; MAX_AXES] } else { self.raw.origin(g.kind, node) };
        Tile { cell: g.cell(&g.base(&origin), first), node, first, len }
    }

    /// The nodes that hold bits.
    pub(super) fn nodes(&self) -> Vec<u32> {
        if self.geometry.kind == 0 { vec![0] } else { self.raw.live(self.geometry.kind).collect() }
    }

    /// The tiles of which some cell is active, in parallel; by node and number.
    pub(super) fn tiles(&self) -> Vec<Tile> {
        let nodes = self.nodes();
        let slots = self.geometry.slots;
        if slots <= PIECE {
            let of_nodes = |nodes: &[u32]| {
                let mut tiles = Vec::with_capacity(nodes.len());
                nodes.iter().for_each(|node| self.tiles_of(*node, 0, slots, &mut tiles));
                tiles
            };
            return nodes.par_chunks(512).flat_map_iter(of_nodes).collect();
        }
        let pieces = slots.div_ceil(PIECE);
        let of_piece = |piece: u64| {
            let mut tiles = Vec::new();
            for &node in &nodes {
                // Those tiles that begin in the piece.
                let starts = |slot: u64| {
                    let (first, len) = self.geometry.tile_at(slot);
                    if first < slot { first + len } else { first }
                };
                let end = (piece + 1) * PIECE;
                let to = if end < slots { starts(end) } else { slots };
                self.tiles_of(node, starts(piece * PIECE), to, &mut tiles);
            }
            tiles
        };
        (0..pieces).into_par_iter().flat_map_iter(of_piece).collect()
    }

    /// Those of the bits `from..to` of one node; both lie between tiles.
    fn tiles_of(&self, node: u32, from: u64, to: u64, tiles: &mut Vec<Tile>) {
        let mut at = from;
        while let Some(slot) = self.next_on(node, at, to) {
            let tile = self.tile(node, slot);
            at = tile.first + tile.len;
            tiles.push(tile);
        }
    }

    /// The bits of a tile.
    pub(super) fn load(&self, tile: &Tile, bits: &mut TileBits) {
        for (i, word) in bits.iter_mut().enumerate().take(tile.len.div_ceil(64) as usize) {
            let at = i as u64 * 64;
            *word = self.get(tile.node, tile.first + at, (tile.len - at).min(64));
        }
    }
}

/// Part of a box along one coordinate that lies within one tile.
#[derive(Clone, Copy)]
struct Segment {
    from: i64,
    to: i64,
    /// Whether it belongs to the border.
    border: bool,
}

/// Reads boxes across tiles.
pub(super) struct Reader<'a> {
    pub(super) bits: Bits<'a>,
    pub(super) finder: Finder<'a>,
    segments: [Vec<Segment>; MAX_AXES],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bits: Bits<'a>) -> Self {
        Reader { bits, finder: Finder::new(bits.raw, bits.geometry), segments: [const { Vec::new() }; MAX_AXES] }
    }

    /// Reads a tile and its neighbours' cells along up to `most` coordinates; the other cells of the border come out off.
    pub(super) fn with_border(&mut self, tile: &Tile, most: usize, out: &mut BitBox) {
        let sides = self.bits.geometry.sides(tile.len);
        for j in 0..self.bits.geometry.d {
            let (from, to) = (tile.cell[j], tile.cell[j] + i64::from(sides[j]));
            let own = &mut self.segments[j];
            own.clear();
            own.extend([
                Segment { from: from - 1, to: from, border: true },
                Segment { from, to, border: false },
                Segment { from: to, to: to + 1, border: true },
            ]);
        }
        self.collect(most, &self.bits.geometry.order, out);
    }

    /// Reads the box of `size` cells from `lo` on. `order` are the coordinates behind the places of `out`.
    pub(super) fn cells(&mut self, lo: &Cell, size: &[u32; MAX_AXES], order: &[usize; MAX_AXES], out: &mut BitBox) {
        for j in 0..self.bits.geometry.d {
            let end = lo[j] + i64::from(size[j]);
            let mut from = lo[j];
            self.segments[j].clear();
            while from < end {
                let to = self.bits.geometry.tile_range(j, from).1.min(end);
                self.segments[j].push(Segment { from, to, border: false });
                from = to;
            }
        }
        self.collect(MAX_AXES, order, out);
    }

    /// Reads every combination of segments with no more than `most` of the border.
    fn collect(&mut self, most: usize, order: &[usize; MAX_AXES], out: &mut BitBox) {
        let g = self.bits.geometry;
        let all = std::mem::take(&mut self.segments);
        let first = |j: usize| all[j].first().map_or(0, |s| s.from);
        let lo: Cell = std::array::from_fn(|j| if j < g.d { first(j) } else { 0 });
        let end = |j: usize| all[j].last().map_or(0, |s| s.to);
        out.reset(g.d, std::array::from_fn(|p| if p < g.d { (end(order[p]) - lo[order[p]]) as usize } else { 1 }));
        let mut at = [0; MAX_AXES];
        'combinations: loop {
            let chosen: [Segment; MAX_AXES] = std::array::from_fn(|j| match all[j].get(at[j]) {
                Some(segment) => *segment,
                None => Segment { from: 0, to: 1, border: false },
            });
            if chosen.iter().filter(|s| s.border).count() <= most {
                self.copy(&chosen, &lo, order, out);
            }
            for j in (0..g.d).rev() {
                at[j] += 1;
                if at[j] < all[j].len() {
                    continue 'combinations;
                }
                at[j] = 0;
            }
            break;
        }
        self.segments = all;
    }

    /// Copies the cells of one tile that lie in the segments.
    fn copy(&mut self, segments: &[Segment; MAX_AXES], lo: &Cell, order: &[usize; MAX_AXES], out: &mut BitBox) {
        let g = self.bits.geometry;
        if (0..g.d).any(|j| segments[j].to <= g.bounds[j].0 || segments[j].from >= g.bounds[j].1) {
            return;
        }
        let mut cell: Cell = std::array::from_fn(|j| segments[j].from);
        let Some(node) = self.finder.node(&cell) else { return };
        let fast = g.order[g.d - 1];
        let along = order[g.d - 1];
        let row = if g.has_rows() { (segments[fast].to - segments[fast].from) as usize } else { 1 };
        loop {
            let slot = g.slot(&cell);
            let place = (0..g.d - 1).map(|p| (cell[order[p]] - lo[order[p]]) as usize * out.stride(p)).sum::<usize>();
            let at = (cell[along] - lo[along]) as usize;
            for done in (0..row).step_by(64) {
                let n = (row - done).min(64);
                let mut bits = self.bits.get(node, slot + done as u64, n as u64);
                if fast == along {
                    out.or(place, at + done, bits);
                    continue;
                }
                let p = (0..g.d).find(|&p| order[p] == fast).unwrap_or(0);
                while bits != 0 {
                    let i = done + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    out.or(place + i * out.stride(p), at, 1);
                }
            }
            // The next row, or the next cell.
            let step = |j: usize| if j == fast { row as i64 } else { 1 };
            if !g.advance(&mut cell, g.d, |j| (segments[j].from, segments[j].to), step) {
                return;
            }
        }
    }
}
