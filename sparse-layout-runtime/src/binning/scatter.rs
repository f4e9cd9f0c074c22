//! From halos to the grid.
//!
//! Bins are done plane by plane across the coordinate along which they spread most. A plane writes to itself and to the
//! planes that its margins reach, so planes that far apart are done at the same time, in as many rounds as that takes (two
//! where the margin is on one side: the even planes, then the odd). Within a plane one thread does bin after bin. So what
//! is added to a cell comes in an order that the bins alone decide, and no cell is written by two threads at a time.

use super::accumulate::Accumulate;
use super::bins::{Bin, BlockBins};
use super::halo::Halo;
use super::sink::{Add, By, Merge, Segments, Sink};
use super::tiling::Tiling;
use crate::bulk::{RecordTarget, Target};
use crate::coord::Point;
use crate::core::{Core, plan_of};
use crate::element::Element;
use crate::error::Exhausted;
use crate::field::{GridFieldMut, Lane};
use crate::layout::Level;
use crate::plan::Plan;
use crate::struct_for::features::{Work, dispatch};
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
        scatter(core, Lane::<L, T>::new(core, field), bins, &reach, fill, Add)
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
    scatter(core, RecordTarget::<R>::new(core), bins, reach, fill, By(merge))
}

/// The caller holds the grid exclusively and has dropped what is cached about its topology.
fn scatter<L: Level, X: Target<L>, S: Accumulate>(
    core: &Core<L::Layout>,
    target: X,
    bins: &BlockBins<L>,
    reach: &RangeInclusive<i32>,
    fill: impl Fn(&Bin<'_, L::Point>, &mut Halo<L::Point, S>) + Sync,
    merge: impl Merge<X::Value, S>,
) -> Result<(), Exhausted> {
    let plan = plan_of::<L>(core);
    assert!(bins.lo == plan.lo && bins.tiling == Tiling::for_level::<L>(core), "bins of a grid with other bounds");
    assert!(*reach.start() <= 0 && *reach.end() >= 0, "the reach {reach:?} leaves out the cell itself");
    // SAFETY: the grid is held exclusively, as this function's caller promises, and the planes of one round, each done by one
    // thread, reach no common cell (`rounds`).
    let sink = unsafe { Sink::new(core, bins.tiling, target, merge) };
    for round in rounds(bins, plan, reach) {
        round.par_iter().with_max_len(1).try_for_each_init(
            || (Halo::new(&bins.tiling, reach), Segments::default()),
            |(halo, segments), plane| {
                plane.iter().try_for_each(|&i| {
                    halo.start(plan, &bins.tiling, bins.tiles[i as usize], reach);
                    let frame = halo.frame();
                    dispatch(Filling { fill: &fill, bin: bins.bin(i as usize), halo });
                    assert!(halo.frame() == frame, "a halo was swapped for that of another bin");
                    halo.enter_windows();
                    sink.take(halo, segments)
                })
            },
        )?;
    }
    Ok(())
}

/// The user's code for one bin.
struct Filling<'a, P, S, F> {
    fill: &'a F,
    bin: Bin<'a, P>,
    halo: &'a mut Halo<P, S>,
}

impl<P: Point, S: Accumulate, F: Fn(&Bin<'_, P>, &mut Halo<P, S>)> Work for Filling<'_, P, S, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        (self.fill)(&self.bin, self.halo);
    }
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
