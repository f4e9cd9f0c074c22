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
            || (Halo::new(&bins.tiling, reach), Segments::default()),
            |(halo, segments), plane| {
                plane.iter().try_for_each(|&i| {
                    halo.start(plan, &bins.tiling, bins.tiles[i as usize], reach);
                    fill(&bins.bin(i as usize), halo);
                    halo.enter_windows();
                    sink.take(halo, segments)
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

/// Counts up, the last of `d` digits fastest; whether there was a next number. `len` gives the number of values of a digit.
fn advance(at: &mut [usize; MAX_AXES], d: usize, len: impl Fn(usize) -> usize) -> bool {
    for j in (0..d).rev() {
        at[j] += 1;
        if at[j] < len(j) {
            return true;
        }
        at[j] = 0;
    }
    false
}

/// Where sums go.
struct Sink<'a, L: Level, X, M> {
    core: &'a Core<L::Layout>,
    plan: &'a Plan,
    tiling: Tiling,
    target: X,
    merge: M,
}

/// What a halo covers of the tiles of one number along a coordinate.
#[derive(Clone, Copy)]
struct Segment {
    /// The first cell, and the number of cells.
    first: i32,
    len: usize,
    /// How far the first cell is from the halo's corner.
    place: usize,
}

/// Scratch of [`Sink::take`]: the segments along each coordinate.
type Segments = [Vec<Segment>; MAX_AXES];

impl<L: Level, X: Target<L>, M> Sink<'_, L, X, M> {
    /// Adds a halo's sums to the grid, tile by tile.
    fn take<S: Accumulate>(&self, halo: &Halo<L::Point, S>, segments: &mut Segments) -> Result<(), Exhausted>
    where
        M: Fn(&mut X::Value, S),
    {
        let d = L::Point::LEN;
        if (0..d).any(|j| halo.inside(j).1 == 0) {
            return Ok(());
        }
        let first = self.tiling.tile_of(self.plan, L::Point::from_fn(|j| halo.inside(j).0 as i32));
        for (j, along) in segments.iter_mut().enumerate().take(d) {
            let (lo, len) = halo.inside(j);
            let (mut from, mut number) = (lo, self.tiling.number(self.plan, j, first.at(j)));
            along.clear();
            while from < lo + len {
                let (start, cells) = self.tiling.cells(self.plan, j, number);
                let to = (start + i64::from(cells)).min(lo + len);
                along.push(Segment { first: from as i32, len: (to - from) as usize, place: halo.offset(j, from) });
                (from, number) = (to, number + 1);
            }
        }
        let mut at = [0; MAX_AXES];
        loop {
            let mut part = [Segment { first: 0, len: 1, place: 0 }; MAX_AXES];
            for j in 0..d {
                part[j] = segments[j][at[j]];
            }
            self.take_tile(halo, &part)?;
            if !advance(&mut at, d, |j| segments[j].len()) {
                return Ok(());
            }
        }
    }

    /// Adds what a halo covers of one tile.
    fn take_tile<S: Accumulate>(&self, halo: &Halo<L::Point, S>, part: &[Segment; MAX_AXES]) -> Result<(), Exhausted>
    where
        M: Fn(&mut X::Value, S),
    {
        // Rows along the last coordinate, in planes along the last but one.
        let last = L::Point::LEN.saturating_sub(1);
        let plane = last.saturating_sub(1);
        let is_plane = last > 0;
        let first = L::Point::from_fn(|j| part[j].first);
        let cell = crate::core::cell_in_node::<L>(self.plan, first);
        let weight = if is_plane { self.weight(plane) } else { 0 };
        let mut node = None;
        let mut at = [0; MAX_AXES];
        loop {
            let mut row: usize = (0..plane).map(|j| (part[j].place + at[j]) * halo.rows.step[j]).sum();
            let mut of_row = cell + (0..plane).map(|j| at[j] as u64 * self.weight(j)).sum::<u64>();
            row += if is_plane { part[plane].place * halo.rows.step[plane] } else { 0 };
            for y in 0..if is_plane { part[plane].len } else { 1 } {
                for start in (0..part[last].len).step_by(64) {
                    let (z, len) = (part[last].place + start, (part[last].len - start).min(64));
                    let bits = halo.bits(row, z, len);
                    if bits == 0 {
                        continue;
                    }
                    let node = match node {
                        Some(node) => node,
                        None => *node.insert(self.node(first)?),
                    };
                    let sums = &halo.row(row)[z..z + len];
                    if const { Self::IN_ROWS } {
                        self.take_row(node, of_row + start as u64, bits, sums);
                    } else {
                        let coordinate = |j: usize| match j {
                            j if j == last => start,
                            j if j == plane => y,
                            j => at[j],
                        };
                        let p = L::Point::from_fn(|j| first.at(j).wrapping_add(coordinate(j) as i32));
                        self.take_cells(node, p, bits, sums);
                    }
                }
                of_row += weight;
                row += if is_plane { halo.rows.step[plane] } else { 0 };
            }
            if !advance(&mut at, plane, |j| part[j].len) {
                return Ok(());
            }
        }
    }

    /// How far the numbers of two cells are apart that are neighbours along coordinate `j`, in one block.
    #[inline(always)]
    fn weight(&self, j: usize) -> u64 {
        if const { L::PLAN.tail == L::PLAN.n } {
            0
        } else {
            self.plan.steps[const { L::PLAN.n.saturating_sub(1) }].weight[j]
        }
    }

    /// Whether the cells of a row of a tile follow each other in the node.
    const IN_ROWS: bool = {
        let plan = &L::PLAN;
        plan.d == 0
            || plan.tail == plan.n
            || !plan.steps[plan.n - 1].morton && plan.steps[plan.n - 1].weight[plan.d - 1] <= 1
    };

    /// The node of a cell, made if it does not exist.
    #[inline]
    fn node(&self, p: L::Point) -> Result<u32, Exhausted> {
        let node = match locate::<L>(self.core, p) {
            Some(at) if exists::<L>(&at) => at.handle,
            _ => self.core.raw().activate_steps(self.plan, self.plan.tail, p.as_slice())?.handle,
        };
        Ok(node)
    }

    /// Adds to cells that follow each other from `first` on; `bits` says which.
    #[inline(always)]
    fn take_row<S: Accumulate>(&self, node: u32, first: u64, bits: u64, sums: &[S])
    where
        M: Fn(&mut X::Value, S),
    {
        self.mark_row(node, first, bits);
        if let (0xFF, Some(sums)) = (bits, sums.first_chunk::<8>()) {
            for (k, sum) in sums.iter().enumerate() {
                self.put(node, first + k as u64, *sum);
            }
            return;
        }
        let mut left = bits;
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            self.put(node, first + u64::from(k), sums[k as usize]);
        }
    }

    /// Adds to the cells of a row from `first` on, wherever they stand; `bits` says which.
    fn take_cells<S: Accumulate>(&self, node: u32, first: L::Point, bits: u64, sums: &[S])
    where
        M: Fn(&mut X::Value, S),
    {
        let mut left = bits;
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            let along = |j: usize| if j + 1 == L::Point::LEN { k as i32 } else { 0 };
            let p = L::Point::from_fn(|j| first.at(j).wrapping_add(along(j)));
            let cell = crate::core::cell_in_node::<L>(self.plan, p);
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
        // Levels above in the same node, and bits that stand for more than one cell of this one.
        if const { L::PLAN.mask_step != L::PLAN.n || L::PLAN.tail + 1 != L::PLAN.n } {
            let first_on = first + u64::from(bits.trailing_zeros());
            // SAFETY: a cell of an existing node. The grid is held exclusively by the caller of `scatter`; other threads of
            // this round write mask words through the same two functions, and never those of a node that is one tile.
            unsafe { mark_bits::<L>(self.core, node, first_on, Self::SHARING) };
        }
        if const { L::PLAN.mask_step != L::PLAN.n || L::PLAN.n == 0 } {
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
