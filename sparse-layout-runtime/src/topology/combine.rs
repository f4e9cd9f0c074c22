//! A level's cells and those of a source that may be laid out in any other way, tile by tile.

use super::bitbox::BitBox;
use super::geometry::{Cell, Geometry};
use super::read::{Bits, Tile, TileBits};
use super::source::{Source, SourceReader};
use super::target::{Ranges, Target};
use super::write::{make_node, pack, tile_at, write};
use crate::core::RawMut;
use crate::error::Exhausted;
use rayon::prelude::*;

/// What becomes of a level's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Those of the source are active too.
    Add,
    /// Only those of the source stay.
    Keep,
    /// Those of the source go.
    Remove,
}

/// Changes the activity of a level by that of a source. Cells that are active only together become so if one of them is in
/// the source, and stay if one of them stays.
pub(super) fn combine(
    raw: &mut RawMut<'_>,
    target: &Target,
    source: Source<'_>,
    change: Change,
) -> Result<(), Exhausted> {
    let Some(g) = &target.geometry else { return Ok(()) };
    let tiles = match change {
        Change::Add => added(raw, target, g, source)?,
        _ => Bits::new(raw.shared(), g).tiles(),
    };
    let bits = Bits::new(raw.shared(), g);
    let words = g.tile_words();
    let mut new = vec![0; tiles.len() * words];
    new.par_chunks_mut(words).zip(&tiles).with_min_len(16).for_each_init(
        || (SourceReader::new(source), BitBox::default()),
        |(reader, space), (new, tile)| {
            reader.read(target, g, tile, change == Change::Remove, space);
            pack(g, tile, space, 0, new);
            let mut old: TileBits = [0; _];
            bits.load(tile, &mut old);
            for (new, old) in new.iter_mut().zip(old) {
                *new = match change {
                    Change::Add => old | *new,
                    Change::Keep => old & *new,
                    Change::Remove => old & !*new,
                };
            }
        },
    );
    write(raw, g, &tiles, &new)
}

/// The tiles that hold cells of the source, their nodes made.
fn added(raw: &RawMut<'_>, target: &Target, g: &Geometry, source: Source<'_>) -> Result<Vec<Tile>, Exhausted> {
    let cells = match source {
        Source::Region(ranges) => tiles_in(target, g, &ranges),
        Source::Level(other, of) => {
            let mut cells: Vec<Cell> = other
                .tiles()
                .par_iter()
                .flat_map_iter(|tile| tiles_in(target, g, &of.ranges(&tile.cell, &other.geometry.sides(tile.len))))
                .collect();
            cells.par_sort_unstable();
            cells.dedup();
            holding(target, g, source, cells)
        }
    };
    let make = |cell: Cell| Ok(tile_at(g, make_node(&raw.shared(), g, &cell)?, cell));
    cells.into_iter().map(make).collect()
}

/// Those of the tiles that begin at these cells of which some cell is in the source.
fn holding(target: &Target, g: &Geometry, source: Source<'_>, cells: Vec<Cell>) -> Vec<Cell> {
    cells
        .into_par_iter()
        .with_min_len(16)
        .map_init(
            || (SourceReader::new(source), BitBox::default()),
            |(reader, space), cell| {
                reader.read(target, g, &tile_at(g, 0, cell), false, space);
                space.any().then_some(cell)
            },
        )
        .flatten_iter()
        .collect()
}

/// The first cells of all tiles that hold cells of a box.
fn tiles_in(target: &Target, g: &Geometry, ranges: &Ranges) -> Vec<Cell> {
    let Some((from, to)) = target.bits_of(ranges, false) else { return Vec::new() };
    let mut cells = vec![[0; _]];
    for j in 0..g.d {
        let mut starts = Vec::new();
        let mut x = from[j];
        while x < to[j] {
            let (start, end) = g.tile_range(j, x);
            starts.push(start);
            x = end;
        }
        let with = |cell: Cell| {
            starts.iter().map(move |&x| {
                let mut cell = cell;
                cell[j] = x;
                cell
            })
        };
        cells = cells.into_iter().flat_map(with).collect();
    }
    cells
}
