//! Loops over a whole grid, copies, and what a grid weighs.

use crate::input::{Coord, UNION_SHIFT};
use crate::layouts::{Far, Vdb};
use crate::runner::Runner;
use rayon::prelude::*;
use sparse_layout::Neighbourhood;
use sparse_layout::prelude::*;

/// The rows of sums, copies and counts.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    if !runner.wants_ways_of(&["sum", "clone", "clear", "count"]) {
        return;
    }
    let mut grid = Vdb::new();
    grid.extend_all(scan);
    let field = grid.value();
    runner.parallel("sum", || (), |()| field.sum(), |sum| sum);
    runner.parallel("sum.closure", || (), |()| field.par_iter().map(|(_, v)| f64::from(v)).sum::<f64>(), |sum| sum);
    runner.serial("sum.iter", || (), |()| field.iter().map(|(_, v)| f64::from(v)).sum::<f64>(), |sum| sum);
    runner.parallel("clone", || (), |()| grid.clone(), |copy| copy.sum_and_count());
    runner.serial(
        "clear",
        || grid.clone(),
        |mut copy| {
            copy.clear();
            copy
        },
        |copy| copy.count(),
    );
    runner.parallel("count", || (), |()| grid.count(), |n| n);
}

/// The rows of operations on topology.
pub(crate) fn grow(runner: &mut Runner, scan: &[Coord]) {
    if !runner.wants_ways_of(&["dilate", "union"]) {
        return;
    }
    let mut grid = Vdb::new();
    grid.extend_all(scan);
    let copy = || grid.clone();
    let dilated = |mut copy: Vdb| {
        copy.leaf_mut().dilate(Neighbourhood::Faces, 1);
        copy
    };
    runner.parallel("dilate", copy, dilated, |copy| copy.count());
    let [x, y, z] = UNION_SHIFT;
    let moved: Vec<Coord> = scan.iter().map(|p| [p[0] + x, p[1] + y, p[2] + z]).collect();
    let mut shifted = Vdb::new();
    shifted.extend_all(&moved);
    // As OpenVDB's `topologyUnion`; then with the values of what becomes active.
    let united = |mut copy: Vdb| {
        copy.leaf_mut().union(shifted.leaf());
        copy
    };
    runner.parallel("union", copy, united, |copy| copy.count());
    let united = |mut copy: Vdb| {
        copy.union(&shifted);
        copy
    };
    runner.parallel("union.values", copy, united, |copy| copy.count());
}

/// What grids weigh: before anything else has touched memory that could be taken up again.
pub(crate) fn weigh(runner: &mut Runner, scan: &[Coord]) {
    let build = |set: &[Coord]| {
        let mut grid = Vdb::new();
        grid.set_all(set);
        grid
    };
    runner.figure("bytes", || grown(|| build(scan)) / scan.len() as f64);
    runner.figure("bytes.one_voxel", || grown(|| build(&scan[..1])));
    // Far apart: no two in one cell of any level but the root.
    let far: Vec<Coord> = (0..1000).map(|i| [i % 10, i / 10 % 10, i / 100].map(|c| c * 100_000 - 500_000)).collect();
    runner.figure("bytes.far_1000", || {
        grown(|| {
            let mut grid = Far::new();
            far.iter().for_each(|&p| grid.value_mut().set(p, 1.0));
            grid
        })
    });
}

/// Bytes by which the program's resident memory grows.
fn grown<G>(make: impl FnOnce() -> G) -> f64 {
    let before = resident();
    let grid = make();
    let after = resident();
    drop(grid);
    after.saturating_sub(before) as f64
}

/// Bytes of the program that are in memory; 0 where the system does not say.
fn resident() -> u64 {
    // Pages that were freed count until the system looks; `smaps_rollup` looks.
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Rss:"));
    line.and_then(|line| line.trim().strip_suffix("kB"))
        .and_then(|kib| kib.trim().parse().ok())
        .map_or(0, |kib: u64| kib * 1024)
}
