//! From the cells of one level to those of another on its path. No grid is needed: bounds are constants.

use crate::coord::{Point, Region};
use crate::layout::{Layout, Level, Planned, Shaped};

/// The cell of the level `C`, above `F`, that holds a cell of `F`. Any coordinates are fine; out of bounds the same division
/// goes on.
pub fn coarse_cell<F: Level, C: Level<Layout = F::Layout>>(p: F::Point) -> C::Point {
    const { assert_path::<F, C>() };
    let (fine, coarse) = const { (&F::PLAN, &C::PLAN) };
    C::Point::from_fn(|j| {
        let Some(k) = (0..fine.d).find(|&k| fine.axis[k] == coarse.axis[j]) else { return 0 };
        let number = (i64::from(p.at(k)) - i64::from(fine.lo[k])).div_euclid(below::<F, C>(k));
        (number + i64::from(coarse.lo[j])) as i32
    })
}

/// The cells of the level `F` below a cell of `C`. Where the box would leave `i32`, it ends there; along an axis that is divided
/// below `C` only, it goes from bound to bound.
pub fn fine_cells<C: Level, F: Level<Layout = C::Layout>>(c: C::Point) -> Region<F::Point> {
    const { assert_path::<F, C>() };
    let (fine, coarse) = const { (&F::PLAN, &C::PLAN) };
    let side = |k: usize| {
        let lo = i64::from(fine.lo[k]);
        let Some(j) = (0..coarse.d).find(|&j| coarse.axis[j] == fine.axis[k]) else {
            return fine.bounds(k);
        };
        let first = lo + (i64::from(c.at(j)) - i64::from(coarse.lo[j])) * below::<F, C>(k);
        (first, first + below::<F, C>(k))
    };
    let clamp = |x: i64| x.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Region::new(F::Point::from_fn(|k| clamp(side(k).0)), F::Point::from_fn(|k| clamp(side(k).1)))
}

/// Cells of `F` along coordinate `k` in one cell of `C`.
fn below<F: Level, C: Level>(k: usize) -> i64 {
    let steps = const { C::PLAN.n };
    i64::from(F::PLAN.steps[steps - 1].div[k])
}

const fn assert_path<F: Level, C: Level>() {
    assert!(!<F::Layout as Shaped>::RUN_TIME, "bounds that are given at run time are not known without the grid");
    let mut level = F::LEVEL;
    while level != C::LEVEL {
        assert!(level != crate::tree::ROOT, "the levels do not lie on one path");
        level = F::Layout::TREE.levels[level].parent;
    }
}
