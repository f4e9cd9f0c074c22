//! Dilation and erosion, one round, for any layout.
//!
//! The tiles that hold something are listed; those that they reach beyond them are added, their nodes made. Then each tile
//! is read with a border of one cell, grown as a whole, and written when all have been read.

use super::bitbox::BitBox;
use super::cube;
use super::geometry::{Cell, Geometry};
use super::neighbourhood::Neighbourhood;
use super::read::{Bits, Reader, Tile, TileBits};
use super::target::Target;
use super::write::{make_node, pack, tile_at, write};
use crate::core::RawMut;
use crate::error::Exhausted;
use crate::tree::MAX_AXES;
use rayon::prelude::*;

/// What is done in one round.
pub(super) type Round = fn(&mut RawMut<'_>, &Geometry, usize) -> Result<(), Exhausted>;

/// Does as many rounds on a level; nothing, if none of its cells can be inactive.
pub(super) fn rounds(
    raw: &mut RawMut<'_>,
    target: &Target,
    neighbourhood: Neighbourhood,
    rounds: u32,
    round: Round,
) -> Result<(), Exhausted> {
    let Some(g) = &target.geometry else { return Ok(()) };
    (0..rounds).try_for_each(|_| round(raw, g, neighbourhood.most(g.d)))
}

/// Activates the neighbours of every active cell: those that differ by 1 along up to `most` coordinates.
pub(super) fn dilate(raw: &mut RawMut<'_>, g: &Geometry, most: usize) -> Result<(), Exhausted> {
    if cube::fits(g) {
        return cube::dilate(raw, g, most);
    }
    let bits = Bits::new(raw.shared(), g);
    let mut tiles = bits.tiles();
    for cell in reached(bits, &tiles, most) {
        let node = make_node(&raw.shared(), g, &cell)?;
        tiles.push(tile_at(g, node, cell));
    }
    let new = each(Bits::new(raw.shared(), g), &tiles, |reader, tile, space, bits| {
        reader.with_border(tile, most, space);
        space.grow(most);
        pack(g, tile, space, 1, bits);
    });
    write(raw, g, &tiles, &new)
}

/// Deactivates every cell that has an inactive neighbour, or one that does not exist.
pub(super) fn erode(raw: &mut RawMut<'_>, g: &Geometry, most: usize) -> Result<(), Exhausted> {
    if cube::fits(g) {
        return cube::erode(raw, g, most);
    }
    let bits = Bits::new(raw.shared(), g);
    let tiles = bits.tiles();
    let new = each(bits, &tiles, |reader, tile, space, new| {
        reader.with_border(tile, most, space);
        space.invert();
        space.grow(most);
        pack(g, tile, space, 1, new);
        let mut old: TileBits = [0; _];
        bits.load(tile, &mut old);
        new.iter_mut().zip(old).for_each(|(new, old)| *new = old & !*new);
    });
    write(raw, g, &tiles, &new)
}

/// Works out new bits for each tile, in parallel.
pub(super) fn each(
    bits: Bits<'_>,
    tiles: &[Tile],
    work: impl Fn(&mut Reader<'_>, &Tile, &mut BitBox, &mut [u64]) + Sync,
) -> Vec<u64> {
    let words = bits.geometry.tile_words();
    let mut new = vec![0; tiles.len() * words];
    new.par_chunks_mut(words).zip(tiles).with_min_len(16).for_each_init(
        || (Reader::new(bits), BitBox::default()),
        |(reader, space), (new, tile)| work(reader, tile, space, new),
    );
    new
}

/// The first cells of those tiles that nothing is active in, and that neighbours of active cells lie in.
fn reached(bits: Bits<'_>, tiles: &[Tile], most: usize) -> Vec<Cell> {
    let g = bits.geometry;
    let ways = 3usize.pow(g.d as u32);
    let mut cells: Vec<Cell> = tiles
        .par_iter()
        .with_min_len(16)
        .map_init(
            || (Reader::new(bits), BitBox::default(), vec![false; ways]),
            |(reader, space, seen), tile| {
                reader.with_border(tile, 0, space);
                space.grow(most);
                directions(g, space, seen);
                let reached = (0..ways).filter(|way| *way != ways / 2 && seen[*way]);
                let cells: Vec<Cell> = reached.filter_map(|way| next_tile(reader, tile, way)).collect();
                cells
            },
        )
        .flatten_iter()
        .collect();
    cells.par_sort_unstable();
    cells.dedup();
    cells
}

/// Which parts of the border of a grown box hold something, numbered in base 3: along each place below (0), in (1) or past
/// (2) the tile.
fn directions(g: &Geometry, space: &BitBox, seen: &mut [bool]) {
    seen.fill(false);
    let side = |place: usize, x: usize| match x {
        0 => 0,
        x if x + 1 == space.size(place) => 2,
        _ => 1,
    };
    let n = space.size(g.d - 1);
    for row in 0..space.rows() {
        let way = (0..g.d - 1).fold(0, |way, place| way * 3 + side(place, space.place(row, place)));
        seen[way * 3] |= space.get(row, 0, 1) != 0;
        seen[way * 3 + 2] |= space.get(row, n - 1, 1) != 0;
        seen[way * 3 + 1] |= (1..n - 1).step_by(64).any(|at| space.get(row, at, (n - 1 - at).min(64)) != 0);
    }
}

/// The first cell of the tile that lies in a direction, if it exists and nothing is active in it.
fn next_tile(reader: &mut Reader<'_>, tile: &Tile, way: usize) -> Option<Cell> {
    let g = reader.bits.geometry;
    let sides = g.sides(tile.len);
    let (mut cell, mut way) = (tile.cell, way);
    for place in (0..g.d).rev() {
        let j = g.order[place];
        match way % 3 {
            0 if cell[j] <= g.bounds[j].0 => return None,
            0 => cell[j] = g.tile_range(j, cell[j] - 1).0,
            2 if cell[j] + i64::from(sides[j]) >= g.bounds[j].1 => return None,
            2 => cell[j] += i64::from(sides[j]),
            _ => {}
        }
        way /= 3;
    }
    debug_assert!(cell[g.d..] == [0; MAX_AXES][g.d..]);
    match reader.finder.node(&cell) {
        Some(node) if !reader.bits.is_empty(&tile_at(g, node, cell)) => None,
        _ => Some(cell),
    }
}
