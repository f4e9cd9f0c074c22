//! The sort of points by tile.

use super::tiling::Tiling;
use crate::coord::Point;
use crate::core::{Core, plan_of};
use crate::layout::Level;
use crate::parallel::{BinKey, ParallelError, bin_by_key, counting_sort_by_key};
use crate::struct_for::features::{Work, dispatch};
use crate::tree::MAX_AXES;
use rayon::prelude::*;

/// Points that one task codes.
const CHUNK: usize = 1 << 13;

/// The tile of each point, and the box that the tiles span.
pub(super) struct Tiles<P> {
    tiles: Vec<P>,
    range: Range,
}

/// Points by tile.
pub(super) struct Sorted<P> {
    /// The distinct tiles, ascending.
    pub(super) tiles: Vec<P>,
    /// Where the points of each start in the permutation, then the number of points.
    pub(super) offsets: Vec<u32>,
    /// The indices of the points.
    pub(super) permutation: Vec<u32>,
}

/// The least and greatest tile along each coordinate.
#[derive(Clone, Copy)]
struct Range {
    lo: [i32; MAX_AXES],
    hi: [i32; MAX_AXES],
    outside: bool,
}

impl Range {
    const NONE: Range = Range { lo: [i32::MAX; MAX_AXES], hi: [i32::MIN; MAX_AXES], outside: false };

    fn union(self, other: Range) -> Range {
        Range {
            lo: std::array::from_fn(|j| self.lo[j].min(other.lo[j])),
            hi: std::array::from_fn(|j| self.hi[j].max(other.hi[j])),
            outside: self.outside || other.outside,
        }
    }

    /// Number of values along coordinate `j`.
    fn side(&self, j: usize) -> u64 {
        (i64::from(self.hi[j]) - i64::from(self.lo[j]) + 1) as u64
    }
}

/// The tiles of some points. Of the level's type, so that its plan is a constant in the code for each processor.
struct Coding<'a, L: Level, T, C> {
    core: &'a Core<L::Layout>,
    coord: &'a C,
    tiles: &'a mut [L::Point],
    points: &'a [T],
}

impl<L: Level, T, C: Fn(&T) -> L::Point> Work for Coding<'_, L, T, C> {
    type Output = Range;

    #[inline(always)]
    fn run(self) -> Range {
        let Coding { core, coord, tiles, points } = self;
        let (plan, tiling) = (plan_of::<L>(core), Tiling::for_level::<L>(core));
        let mut range = Range::NONE;
        for (tile, point) in tiles.iter_mut().zip(points) {
            let p = coord(point);
            range.outside |= !crate::bulk::is_inside(plan, p);
            *tile = tiling.tile_of(plan, p);
            for j in 0..L::Point::LEN {
                range.lo[j] = range.lo[j].min(tile.at(j));
                range.hi[j] = range.hi[j].max(tile.at(j));
            }
        }
        range
    }
}

impl<P: Point> Tiles<P> {
    /// None if a point is out of bounds.
    pub(super) fn of<L: Level<Point = P>, T: Sync>(
        core: &Core<L::Layout>,
        points: &[T],
        coord: &(impl Fn(&T) -> P + Sync),
    ) -> Option<Self> {
        let mut tiles = vec![P::from_fn(|_| 0); points.len()];
        let code = |(tiles, points): (&mut [P], &[T])| dispatch(Coding::<L, T, _> { core, coord, tiles, points });
        let chunks = tiles.par_chunks_mut(CHUNK).zip(points.par_chunks(CHUNK));
        let range = chunks.map(code).reduce(|| Range::NONE, Range::union);
        (!range.outside).then_some(Tiles { tiles, range })
    }

    /// Sorts the points by tile. Apart from the user's types and the level, so that it exists once per dimension.
    pub(super) fn sort(self) -> Result<Sorted<P>, ParallelError> {
        let Tiles { tiles, range } = self;
        let most = (4 * tiles.len() as u64).clamp(1 << 10, 1 << 30);
        let size = (0..P::LEN).try_fold(1u64, |size, j| size.checked_mul(range.side(j)).filter(|size| *size <= most));
        let (Some(size), false) = (size, tiles.is_empty()) else {
            let (tiles, offsets, permutation) = bin_by_key(&tiles, |tile| TileKey(*tile))?.into_parts();
            return Ok(Sorted { tiles: tiles.into_iter().map(|key| key.0).collect(), offsets, permutation });
        };
        // Row-major in the box: the order of the tiles themselves.
        let code = |tile: &P| {
            (0..P::LEN).fold(0u32, |code, j| code * range.side(j) as u32 + tile.at(j).wrapping_sub(range.lo[j]) as u32)
        };
        let sorted = counting_sort_by_key(&tiles, size as u32, code)?;
        let (mut distinct, mut offsets) = (Vec::new(), Vec::new());
        for pair in sorted.offsets.windows(2).filter(|pair| pair[0] != pair[1]) {
            distinct.push(tiles[sorted.permutation[pair[0] as usize] as usize]);
            offsets.push(pair[0]);
        }
        offsets.push(tiles.len() as u32);
        Ok(Sorted { tiles: distinct, offsets, permutation: sorted.permutation })
    }
}

/// A tile as a key; it has a lane even where there are no coordinates.
#[derive(Clone, Copy)]
struct TileKey<P>(P);

impl<P: Point> BinKey for TileKey<P> {
    const LANES: usize = if P::LEN == 0 { 1 } else { P::LEN };

    #[inline(always)]
    fn lane(&self, i: usize) -> u64 {
        if P::LEN == 0 { 0 } else { self.0.at(i).lane(0) }
    }
}
