//! How cells are cut into bins.

use crate::coord::Point;
use crate::core::{Core, plan_of};
use crate::layout::{Level, Planned, Shaped};
use crate::plan::Plan;
use crate::tree::MAX_AXES;

/// Cells of the largest tile: a scratch copy of it, with its margin, fits the first or second cache.
pub(super) const LARGEST: u64 = 4096;

/// The tiles of a level: its blocks, those of many cells cut evenly. Tiles are counted along each coordinate from the
/// lower bound, or from zero where it is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    /// Cells of a block along each coordinate.
    pub(super) block: [u32; MAX_AXES],
    /// Cells of a tile along each coordinate; the last tile of a block may have fewer.
    pub(super) tile: [u32; MAX_AXES],
    /// Tiles of a block along each coordinate.
    pub(super) count: [u32; MAX_AXES],
}

impl Tiling {
    const fn of(plan: &Plan) -> Tiling {
        let mut tiling = Tiling { block: [1; MAX_AXES], tile: [1; MAX_AXES], count: [1; MAX_AXES] };
        if plan.n == 0 || plan.tail == plan.n {
            return tiling;
        }
        let step = &plan.steps[plan.n - 1];
        let mut j = 0;
        while j < plan.d {
            if step.size[j] != 0 {
                tiling.block[j] = step.size[j];
            }
            j += 1;
        }
        tiling.tile = tiling.block;
        loop {
            let (mut cells, mut longest, mut j) = (1, 0, 0);
            while j < plan.d {
                cells *= tiling.tile[j] as u64;
                if tiling.tile[j] > tiling.tile[longest] {
                    longest = j;
                }
                j += 1;
            }
            if cells <= LARGEST {
                break;
            }
            // Halves of powers of two stay powers of two, which Z-order needs: cell numbers must add up.
            tiling.tile[longest] = tiling.tile[longest].div_ceil(2);
        }
        let mut j = 0;
        while j < plan.d {
            tiling.count[j] = tiling.block[j].div_ceil(tiling.tile[j]);
            j += 1;
        }
        tiling
    }

    /// The tiling of a level: a constant where bounds are.
    #[inline(always)]
    pub(super) fn for_level<L: Level>(core: &Core<L::Layout>) -> Tiling {
        if const { <L::Layout as Shaped>::RUN_TIME } {
            Tiling::of(plan_of::<L>(core))
        } else {
            const { Tiling::of(&L::PLAN) }
        }
    }

    /// The tile of a point that is inside the bounds.
    #[inline(always)]
    pub(super) fn tile_of<P: Point>(&self, plan: &Plan, p: P) -> P {
        P::from_fn(|j| {
            let (block, tile, count) = (self.block[j], self.tile[j], self.count[j]);
            let (of_block, within) = if plan.free[j] {
                let x = p.at(j);
                if block.is_power_of_two() {
                    ((x >> block.trailing_zeros()) as u32, x as u32 & (block - 1))
                } else {
                    let (x, block) = (i64::from(x), i64::from(block));
                    (x.div_euclid(block) as u32, x.rem_euclid(block) as u32)
                }
            } else {
                let x = p.at(j).wrapping_sub(plan.lo[j]) as u32;
                (x / block, x % block)
            };
            of_block.wrapping_mul(count).wrapping_add(within / tile) as i32
        })
    }

    /// A tile's number along coordinate `j`, in full.
    pub(super) fn number(&self, plan: &Plan, j: usize, tile: i32) -> i64 {
        if plan.free[j] { tile.into() } else { i64::from(tile as u32) }
    }

    /// The first cell along coordinate `j` of the tile of that number, as a coordinate, and the tile's length.
    pub(super) fn cells(&self, plan: &Plan, j: usize, number: i64) -> (i64, u32) {
        let lo = if plan.free[j] { 0 } else { i64::from(plan.lo[j]) };
        if self.count[j] == 1 {
            return (lo + number * i64::from(self.block[j]), self.block[j]);
        }
        let count = i64::from(self.count[j]);
        let within = number.rem_euclid(count) as u32 * self.tile[j];
        let first = number.div_euclid(count) * i64::from(self.block[j]) + i64::from(within);
        (lo + first, self.tile[j].min(self.block[j] - within))
    }

    /// The length of the shortest tile along coordinate `j`.
    pub(super) fn shortest(&self, j: usize) -> u32 {
        self.block[j] - (self.count[j] - 1) * self.tile[j]
    }

    /// The bounds of a level along coordinate `j`.
    pub(super) fn bounds(plan: &Plan, j: usize) -> (i64, i64) {
        plan.bounds(j)
    }
}
