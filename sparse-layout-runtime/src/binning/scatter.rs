//! From halos to the grid.
//!
//! Bins are done plane by plane across the coordinate along which they spread most. A plane writes to itself and to the
//! planes that its margins reach, so planes that far apart are done at the same time, in as many rounds as that takes (two
//! where the margin is on one side: the even planes, then the odd). Within a plane one thread does bin after bin. So what
//! is added to a cell comes in an order that the bins alone decide, and no cell is written by two threads at a time.

use super::accumulate::Accumulate;
use super::bins::{Bin, BlockBins};
use super::halo::Halo;
use super::tiling::{LARGEST, Tiling};
use crate::bulk::{RecordTarget, Target};
use crate::coord::Point;
use crate::core::{Core, Sharing, exists, locate, mark_bits, plan_of, set_bits};
use crate::element::Element;
use crate::error::Exhausted;
use crate::field::{GridFieldMut, Lane};
use crate::layout::{Level, Planned, Shaped};
use crate::plan::Plan;
use crate::tree::MAX_AXES;
use rayon::prelude::*;
use std::ops::RangeInclusive;

impl<L: Level, T: Element + Accumulate> GridFieldMut<'_, L, T> {
    /// Hands each bin to one thread, with something to add to: the bin's block and a margin around it, `reach` cells on each
    /// side along each coordinate (`0..=2`: a point adds to its own cell and two beyond; `-1..=1`: one on each side). What
    /// is added there is added to the field; cells that something is added to become active.
    ///
    /// No atomics are needed, and the same values result, bit for bit, for any number of threads.
    ///
    /// # Errors
    /// If the grid's nodes are exhausted: part of the sums are missing then.
    ///
    /// # Panics
    /// If `fill` does, also by adding to a cell out of reach; if the bins were made for other bounds; if `reach` does not
    /// include 0. The grid stays valid.
    ///
    /// # Cost
    /// Per bin a block's worth of sums is zeroed, and added to the grid as far as touched.
    pub fn par_for_each_bin(
        &mut self,
        bins: &BlockBins<L>,
        reach: RangeInclusive<i32>,
        fill: impl Fn(&Bin<'_, L::Point>, &mut Halo<L::Point, T>) + Sync,
    ) -> Result<(), Exhausted> {
        let field = self.field;
        self.core.touch();
        let core = &*self.core;
        scatter(core, Lane::<L, T>::new(core, field), bins, &reach, fill, |value: &mut T, sum: T| value.accumulate(sum))
    }
}

/// As [`GridFieldMut::par_for_each_bin`], for records; `merge` adds a sum to a cell.
pub(crate) fn scatter_records<R: crate::bulk::Record, S: Accumulate>(
    core: &mut Core<<R::Level as Level>::Layout>,
    bins: &BlockBins<R::Level>,
    reach: &RangeInclusive<i32>,
    fill: impl Fn(&Bin<'_, <R::Level as Level>::Point>, &mut Halo<<R::Level as Level>::Point, S>) + Sync,
    merge: impl Fn(&mut R, S) + Sync,
) -> Result<(), Exhausted> {
    core.touch();
    let core = &*core;
    scatter(core, RecordTarget::<R>::new(core), bins, reach, fill, merge)
}

/// The caller holds the grid exclusively and has dropped what is cached about its topology.
fn scatter<L: Level, X: Target<L>, S: Accumulate>(
    core: &Core<L::Layout>,
    target: X,
    bins: &BlockBins<L>,
    reach: &RangeInclusive<i32>,
    fill: impl Fn(&Bin<'_, L::Point>, &mut Halo<L::Point, S>) + Sync,
    merge: impl Fn(&mut X::Value, S) + Sync,
) -> Result<(), Exhausted> {
    let plan = plan_of::<L>(core);
    assert!(bins.lo == plan.lo && bins.tiling == Tiling::for_level::<L>(core), "bins of a grid with other bounds");
    assert!(*reach.start() <= 0 && *reach.end() >= 0, "the reach {reach:?} leaves out the cell itself");
    let sink = Sink { core, plan, tiling: bins.tiling, target, merge };
    for round in rounds(bins, plan, reach) {
        round.par_iter().with_max_len(1).try_for_each_init(
            || Halo::new(&bins.tiling, reach),
            |halo, plane| {
                plane.iter().try_for_each(|&i| {
                    halo.start(plan, &bins.tiling, bins.tiles[i as usize], reach);
                    fill(&bins.bin(i as usize), halo);
                    halo.enter_windows();
                    sink.take(halo)
                })
            },
        )?;
    }
    Ok(())
}

/// The bins as rounds of planes: those of one round reach no common cell.
fn rounds<L: Level>(bins: &BlockBins<L>, plan: &Plan, reach: &RangeInclusive<i32>) -> Vec<Vec<Vec<u32>>> {
    let number = |i: u32, j: usize| bins.tiling.number(plan, j, bins.tiles[i as usize].at(j));
    let all = || 0..bins.tiles.len() as u32;
    let planes_along = |j: usize| {
        let mut numbers: Vec<i64> = all().map(|i| number(i, j)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    };
    let Some(axis) = (0..L::Point::LEN).rev().max_by_key(|&j| planes_along(j)) else {
        return vec![vec![all().collect()]];
    };
    let shortest = bins.tiling.shortest(axis);
    let apart = 1 + reach.start().unsigned_abs().div_ceil(shortest) + reach.end().unsigned_abs().div_ceil(shortest);
    let mut order: Vec<u32> = all().collect();
    // Stable: within a plane the order of bins stays.
    order.sort_by_key(|&i| number(i, axis));
    let mut rounds = vec![Vec::new(); apart as usize];
    for plane in order.chunk_by(|&a, &b| number(a, axis) == number(b, axis)) {
        rounds[number(plane[0], axis).rem_euclid(apart.into()) as usize].push(plane.to_vec());
    }
    rounds
}

/// Where sums go.
struct Sink<'a, L: Level, X, M> {
    core: &'a Core<L::Layout>,
    plan: &'a Plan,
    tiling: Tiling,
    target: X,
    merge: M,
}

/// The cells of one tile that a halo covers: along each coordinate the first one and their number.
struct Part<P> {
    first: P,
    len: [usize; MAX_AXES],
    /// The offset of the first cell from the halo's corner.
    place: [usize; MAX_AXES],
}

impl<L: Level, X: Target<L>, M> Sink<'_, L, X, M> {
    /// Adds a halo's sums to the grid, tile by tile.
    fn take<S: Accumulate>(&self, halo: &Halo<L::Point, S>) -> Result<(), Exhausted>
    where
        M: Fn(&mut X::Value, S),
    {
        let d = L::Point::LEN;
        let (mut from, mut tile, mut to) = ([0; MAX_AXES], [0; MAX_AXES], [0; MAX_AXES]);
        for j in 0..d {
            let (lo, len) = halo.inside(j);
            if len == 0 {
                return Ok(());
            }
            let end = |x: i64| {
                let corner = L::Point::from_fn(|k| if k == j { x as i32 } else { halo.inside(k).0 as i32 });
                self.tiling.number(self.plan, j, self.tiling.tile_of(self.plan, corner).at(j))
            };
            (from[j], to[j]) = (end(lo), end(lo + len - 1));
            tile[j] = from[j];
        }
        loop {
            self.take_tile(halo, &self.part(halo, &tile))?;
            // The next tile, the last coordinate fastest.
            let mut j = d;
            loop {
                if j == 0 {
                    return Ok(());
                }
                j -= 1;
                if tile[j] < to[j] {
                    tile[j] += 1;
                    break;
                }
                tile[j] = from[j];
            }
        }
    }

    /// What a halo covers of a tile.
    fn part<S: Accumulate>(&self, halo: &Halo<L::Point, S>, tile: &[i64; MAX_AXES]) -> Part<L::Point> {
        let (mut first, mut len, mut place) = ([0; MAX_AXES], [1; MAX_AXES], [0; MAX_AXES]);
        for j in 0..L::Point::LEN {
            let (start, cells) = self.tiling.cells(self.plan, j, tile[j]);
            let (lo, n) = halo.inside(j);
            let (from, to) = (start.max(lo), (start + i64::from(cells)).min(lo + n));
            first[j] = from as i32;
            len[j] = (to - from) as usize;
            place[j] = halo.offset(j, from);
        }
        Part { first: L::Point::from_fn(|j| first[j]), len, place }
    }

    fn take_tile<S: Accumulate>(&self, halo: &Halo<L::Point, S>, part: &Part<L::Point>) -> Result<(), Exhausted>
    where
        M: Fn(&mut X::Value, S),
    {
        let d = L::Point::LEN;
        let last = d.saturating_sub(1);
        let (length, z) = if d == 0 { (1, 0) } else { (part.len[last], part.place[last]) };
        let mut node = None;
        // Rows along the last coordinate.
        let mut at = [0; MAX_AXES];
        loop {
            let row: usize = (0..last).map(|j| (part.place[j] + at[j]) * halo.rows.step[j]).sum();
            for start in (0..length).step_by(64) {
                let bits = halo.bits(row, z + start, (length - start).min(64));
                if bits != 0 {
                    let node = match node {
                        Some(node) => node,
                        None => *node.insert(self.node(part.first)?),
                    };
                    let p = L::Point::from_fn(|j| {
                        part.first.at(j).wrapping_add(if j == last { start as i32 } else { at[j] as i32 })
                    });
                    self.take_row(node, p, bits, &halo.row(row)[z + start..]);
                }
            }
            let mut j = last;
            loop {
                if j == 0 {
                    return Ok(());
                }
                j -= 1;
                at[j] += 1;
                if at[j] < part.len[j] {
                    break;
                }
                at[j] = 0;
            }
        }
    }

    /// The node of a cell, made if it does not exist.
    fn node(&self, p: L::Point) -> Result<u32, Exhausted> {
        match locate::<L>(self.core, p) {
            Some(at) if exists::<L>(&at) => Ok(at.handle),
            _ => Ok(self.core.raw().activate_steps(self.plan, self.plan.tail, p.as_slice())?.handle),
        }
    }

    /// Adds to cells of one row of a tile: `p` is the first, `bits` says which.
    #[inline(always)]
    fn take_row<S: Accumulate>(&self, node: u32, p: L::Point, bits: u64, sums: &[S])
    where
        M: Fn(&mut X::Value, S),
    {
        let first = crate::core::cell_in_node::<L>(self.plan, p);
        let last = self.plan.n.saturating_sub(1);
        let side_by_side = match self.plan.steps[last] {
            _ if L::Point::LEN == 0 || self.plan.tail == self.plan.n => true,
            step => !step.morton && step.weight[L::Point::LEN - 1] <= 1,
        };
        if side_by_side {
            let mut left = bits;
            self.mark_row(node, first, bits);
            while left != 0 {
                let from = left.trailing_zeros();
                let len = (left >> from).trailing_ones();
                left &= u64::MAX.checked_shl(from + len).unwrap_or(0);
                let sums = &sums[from as usize..(from + len) as usize];
                for (cell, sum) in (first + u64::from(from)..).zip(sums) {
                    self.put(node, cell, *sum);
                }
            }
            return;
        }
        let mut left = bits;
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            let q = L::Point::from_fn(|j| p.at(j).wrapping_add(if j + 1 == L::Point::LEN { k as i32 } else { 0 }));
            let cell = crate::core::cell_in_node::<L>(self.plan, q);
            // SAFETY: as in `mark_row`.
            unsafe { mark_bits::<L>(self.core, node, cell, Self::SHARING) };
            self.put(node, cell, sums[k as usize]);
        }
    }

    /// Mask words are a thread's own only where a node is no more than one tile.
    const SHARING: Sharing = {
        let is_one_tile = L::PLAN.tail + 1 == L::PLAN.n && L::PLAN.node_kind != 0 && L::PLAN.per_node <= LARGEST;
        if is_one_tile && !<L::Layout as Shaped>::RUN_TIME { Sharing::None } else { Sharing::All }
    };

    /// Makes the cells active that `bits` names from `first` on.
    #[inline(always)]
    fn mark_row(&self, node: u32, first: u64, bits: u64) {
        let first_on = first + u64::from(bits.trailing_zeros());
        // SAFETY: a cell of an existing node. The grid is held exclusively by the caller of `scatter`; other threads of this
        // round write mask words through the same two functions, and never those of a node that is one tile.
        unsafe { mark_bits::<L>(self.core, node, first_on, Self::SHARING) };
        if const { L::PLAN.mask_step != L::PLAN.n } {
            return;
        }
        let step = &self.plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        let (word, shift) = (first / 64, first % 64);
        let shared = Self::SHARING != Sharing::None;
        let (low, high) = (bits << shift, if shift == 0 { 0 } else { bits >> (64 - shift) });
        // SAFETY: as above; the bits are those of cells of a row of one tile.
        unsafe {
            if low != 0 {
                set_bits(self.core, step, node, word, low, shared);
            }
            if high != 0 {
                set_bits(self.core, step, node, word + 1, high, shared);
            }
        }
    }

    #[inline(always)]
    fn put<S>(&self, node: u32, cell: u64, sum: S)
    where
        M: Fn(&mut X::Value, S),
    {
        // SAFETY: the cell is one of an existing node; the grid is held exclusively, and the planes of one round have no
        // cell in common (`rounds`).
        unsafe {
            let mut value = self.target.read(node, cell);
            (self.merge)(&mut value, sum);
            self.target.write(node, cell, value);
        }
    }
}
