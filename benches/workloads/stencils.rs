//! Stencils over the set, spelling by spelling.

use sparse_layout::Around;
use sparse_layout::prelude::*;

use crate::input::{self, Coord};
use crate::layouts::Pair;
use crate::runner::Runner;

/// The rows over the set: `a` holds the values, `b` gets the results.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    if !runner.wants_ways_of(&["laplacian", "box27", "upwind", "sqrt_clamp", "neighbour_table"]) {
        return;
    }
    let mut grid = Pair::new();
    grid.a_mut().extend(scan.iter().map(|&p| (p, input::value(p))));
    let sum = |grid: &mut Pair| grid.b().iter().map(|(_, v)| f64::from(v)).sum::<f64>();
    runner.parallel_in_place(
        "laplacian",
        &mut grid,
        |grid| {
            let mut f = grid.fields_mut();
            f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| laplacian(s));
        },
        sum,
    );
    runner.parallel_in_place(
        "laplacian.strict",
        &mut grid,
        |grid| {
            let mut f = grid.fields_mut();
            f.b.par_for_each_stencil::<Star<1>>(&f.a, |_, b, s| *b = laplacian(s));
        },
        sum,
    );
    runner.parallel_in_place(
        "box27",
        &mut grid,
        |grid| {
            let mut f = grid.fields_mut();
            f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| s.fold_box(0.0, |sum, v| sum + v) * (1.0 / 27.0));
        },
        sum,
    );
    runner.parallel_in_place(
        "box27.strict",
        &mut grid,
        |grid| {
            let mut f = grid.fields_mut();
            f.b.par_for_each_stencil::<Cube<1>>(&f.a, |_, b, s| *b = s.fold_box(0.0, |sum, v| sum + v) * (1.0 / 27.0));
        },
        sum,
    );
}

#[inline(always)]
fn laplacian<L: sparse_layout::Level<Point = Coord>>(s: &Around<L, Star<1>, f32>) -> f32 {
    s.at([1, 0, 0]) + s.at([-1, 0, 0]) + s.at([0, 1, 0]) + s.at([0, -1, 0]) + s.at([0, 0, 1]) + s.at([0, 0, -1])
        - 6.0 * s.at([0, 0, 0])
}
