//! What the cells of a level are held against: those of another level, or a region.

use super::bitbox::BitBox;
use super::geometry::{Cell, Geometry};
use super::read::{Bits, Reader, Tile};
use super::target::{Ranges, Target};
use crate::core::Raw;
use crate::tree::MAX_AXES;

/// A set of cells.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Region(Ranges),
    Level(Bits<'a>, &'a Target),
}

impl<'a> Source<'a> {
    /// The active cells of a level.
    pub(super) fn level(raw: Raw<'a>, target: &'a Target) -> Self {
        match &target.geometry {
            Some(g) => Source::Level(Bits::new(raw, g), target),
            None => Source::Region(target.bounds()),
        }
    }
}

/// Reads a source for tiles of another level.
pub(super) struct SourceReader<'a> {
    source: Source<'a>,
    reader: Option<Reader<'a>>,
    space: BitBox,
}

impl<'a> SourceReader<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        let reader = match source {
            Source::Level(bits, _) => Some(Reader::new(bits)),
            Source::Region(_) => None,
        };
        SourceReader { source, reader, space: BitBox::default() }
    }

    /// Turns on in `out`, a box of the tile's own, each bit of which some of its cells are in the source, or `all` of them.
    pub(super) fn read(&mut self, own: &Target, g: &Geometry, tile: &Tile, all: bool, out: &mut BitBox) {
        let sides = g.sides(tile.len);
        match self.source {
            Source::Region(ranges) => {
                out.reset(g.d, std::array::from_fn(|p| if p < g.d { sides[g.order[p]] as usize } else { 1 }));
                if let Some(range) = own.bits_of(&ranges, all) {
                    fill(g, tile, &sides, range, out);
                }
            }
            Source::Level(bits, other) => {
                let Some(reader) = &mut self.reader else { return };
                if own.is_fine() && other.is_fine() {
                    let shifted = std::array::from_fn(|j| {
                        if j < g.d { tile.cell[j] + g.offset(j) - bits.geometry.offset(j) } else { 0 }
                    });
                    reader.cells(&shifted, &sides, &g.order, out);
                    return;
                }
                out.reset(g.d, std::array::from_fn(|p| if p < g.d { sides[g.order[p]] as usize } else { 1 }));
                let space = &mut self.space;
                for_each_cell(g, &sides, |x| {
                    let cell = std::array::from_fn(|j| tile.cell[j] + x[j]);
                    if is_in(own, &cell, reader, other, all, space) {
                        let row = (0..g.d - 1).map(|p| x[g.order[p]] as usize * out.stride(p)).sum();
                        out.or(row, x[g.order[g.d - 1]] as usize, 1);
                    }
                });
            }
        }
    }
}

/// Calls `f` with the place of each cell of a box.
fn for_each_cell(g: &Geometry, sides: &[u32; MAX_AXES], mut f: impl FnMut(&Cell)) {
    let mut x = [0i64; MAX_AXES];
    loop {
        f(&x);
        if !g.advance(&mut x, g.d, |j| (0, i64::from(sides[j])), |_| 1) {
            return;
        }
    }
}

/// Whether cells that one bit stands for are active in another level: some, or all of them.
fn is_in(own: &Target, cell: &Cell, reader: &mut Reader<'_>, other: &Target, all: bool, space: &mut BitBox) -> bool {
    let ranges = own.ranges(cell, &[1; MAX_AXES]);
    let outside = |j: usize| ranges[j].0 < other.bounds()[j].0 || ranges[j].1 > other.bounds()[j].1;
    if all && (0..own.d()).any(outside) {
        return false;
    }
    let Some((from, to)) = other.bits_of(&ranges, false) else { return false };
    let g = reader.bits.geometry;
    let size = std::array::from_fn(|j| (to[j] - from[j]) as u32);
    reader.cells(&from, &size, &g.order, space);
    if all {
        space.invert();
    }
    space.any() != all
}

/// Turns on the bits from `range.0` up to `range.1` that lie in the tile.
fn fill(g: &Geometry, tile: &Tile, sides: &[u32; MAX_AXES], range: (Cell, Cell), out: &mut BitBox) {
    let mut inside = [(0usize, 1usize); MAX_AXES];
    for j in 0..g.d {
        let within = |x: i64| (x - tile.cell[j]).clamp(0, sides[j].into()) as usize;
        inside[j] = (within(range.0[j]), within(range.1[j]));
        if inside[j].0 >= inside[j].1 {
            return;
        }
    }
    let (first, end) = inside[g.order[g.d - 1]];
    for row in 0..out.rows() {
        if (0..g.d - 1).all(|p| (inside[g.order[p]].0..inside[g.order[p]].1).contains(&out.place(row, p))) {
            for at in (first..end).step_by(64) {
                out.or(row, at, u64::MAX >> (64 - (end - at).min(64)));
            }
        }
    }
}
