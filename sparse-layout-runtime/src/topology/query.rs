//! What a level's bits tell as a whole.

use super::bitbox::BitBox;
use super::geometry::{Cell, Geometry};
use super::read::{Bits, Reader, Tile, TileBits};
use super::source::{Source, SourceReader};
use super::target::{Ranges, Target};
use super::write::pack;
use crate::core::Raw;
use crate::tree::MAX_AXES;
use rayon::prelude::*;

/// The smallest box that holds every active cell of a level. Cost: one pass over its bits, in parallel.
pub(crate) fn bounding_box(raw: &Raw<'_>, target: &Target) -> Option<Ranges> {
    let Some(g) = &target.geometry else {
        let all = target.bounds();
        return (0..target.d()).all(|j| all[j].0 < all[j].1).then_some(all);
    };
    let bits = Bits::new(*raw, g);
    let of_tile = |(reader, space): &mut (Reader<'_>, BitBox), tile: &Tile| {
        reader.cells(&tile.cell, &g.sides(tile.len), &g.order, space);
        let (mut from, mut to) = ([i64::MAX; MAX_AXES], [i64::MIN; MAX_AXES]);
        let mut add = |j: usize, first: i64, end: i64| {
            from[j] = from[j].min(tile.cell[j] + first);
            to[j] = to[j].max(tile.cell[j] + end);
        };
        let n = space.size(g.d - 1);
        for row in 0..space.rows() {
            for at in (0..n).step_by(64) {
                let some = space.get(row, at, (n - at).min(64));
                if some == 0 {
                    continue;
                }
                let first = at as i64 + i64::from(some.trailing_zeros());
                add(g.order[g.d - 1], first, at as i64 + 64 - i64::from(some.leading_zeros()));
                for p in 0..g.d - 1 {
                    let x = space.place(row, p) as i64;
                    add(g.order[p], x, x + 1);
                }
            }
        }
        (from, to)
    };
    let hull = |a: (Cell, Cell), b: (Cell, Cell)| {
        (std::array::from_fn(|j| a.0[j].min(b.0[j])), std::array::from_fn(|j| a.1[j].max(b.1[j])))
    };
    let (from, to) = bits
        .tiles()
        .par_iter()
        .with_min_len(16)
        .map_init(|| (Reader::new(bits), BitBox::default()), of_tile)
        .reduce_with(hull)?;
    let corner = |x: Cell| target.ranges(&std::array::from_fn(|j| if j < g.d { x[j] } else { 0 }), &[1; MAX_AXES]);
    let (lowest, highest) = (corner(from), corner(to.map(|x| x.wrapping_sub(1))));
    Some(std::array::from_fn(|j| (lowest[j].0, highest[j].1)))
}

/// Whether the same cells of two levels are active.
pub(crate) fn same(a: &Raw<'_>, of_a: &Target, b: &Raw<'_>, of_b: &Target) -> bool {
    match (&of_a.geometry, &of_b.geometry) {
        (Some(g), Some(h)) => is_within(a, of_a, g, b, of_b) && is_within(b, of_b, h, a, of_a),
        (None, None) => of_a.bounds() == of_b.bounds(),
        (Some(g), None) => is_full(a, of_a, g, &of_b.bounds()),
        (None, Some(g)) => is_full(b, of_b, g, &of_a.bounds()),
    }
}

/// Whether the active cells of a level are those of a box.
fn is_full(raw: &Raw<'_>, target: &Target, g: &Geometry, ranges: &Ranges) -> bool {
    let volume = |ranges: &Ranges| ranges.iter().map(|(from, to)| (to - from) as u64).product::<u64>();
    let bits = Bits::new(*raw, g);
    let of_tile = |tile: &Tile| {
        let mut own: TileBits = [0; _];
        bits.load(tile, &mut own);
        let base = g.base(&if g.kind == 0 { [0; MAX_AXES] } else { raw.origin(g.kind, tile.node) });
        let on = (0..tile.len).filter(|i| own[(i / 64) as usize] >> (i % 64) & 1 != 0);
        on.map(|i| volume(&target.ranges(&g.cell(&base, tile.first + i), &[1; MAX_AXES]))).sum::<u64>()
    };
    bounding_box(raw, target).as_ref() == Some(ranges)
        && bits.tiles().par_iter().with_min_len(16).map(of_tile).sum::<u64>() == volume(ranges)
}

/// Whether every active cell of one level is active in another.
fn is_within(raw: &Raw<'_>, target: &Target, g: &Geometry, other: &Raw<'_>, of: &Target) -> bool {
    let source = Source::level(*other, of);
    let bits = Bits::new(*raw, g);
    let covers = |(reader, space): &mut (SourceReader<'_>, BitBox), tile: &Tile| {
        reader.read(target, g, tile, true, space);
        let (mut covered, mut own): (TileBits, TileBits) = ([0; _], [0; _]);
        pack(g, tile, space, 0, &mut covered[..g.tile_words()]);
        bits.load(tile, &mut own);
        own.iter().zip(covered).all(|(own, covered)| own & !covered == 0)
    };
    let tiles = bits.tiles();
    let init = || (SourceReader::new(source), BitBox::default());
    tiles.par_iter().with_min_len(16).map_init(init, covers).all(|within| within)
}
