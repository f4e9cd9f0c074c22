//! Writes in batches: all cells of a batch are found, made where they do not exist, and their memory asked for, before the
//! first is written, so that misses of the caches overlap.

use super::Shared;
use super::mode::{Lent, Mode, Spot};
use crate::coord::{Coord, Point};
use crate::core::{Path, exists, mask_word, prefetch};
use crate::element::Element;
use crate::layout::Level;

/// Cells found ahead: some twenty misses are in flight at once on current processors.
const BATCH: usize = 32;

/// Calls `apply` with each cell, made active, and what comes with it.
#[inline(always)]
pub(super) fn apply_all<L: Level, T: Element, M: Mode, P: Coord<L::Point>>(
    shared: Shared<'_, L, T, M>,
    cells: impl IntoIterator<Item = (P, T)>,
    apply: impl Fn(*mut T, T),
) -> Result<(), M::Error> {
    apply_all_from(shared, &mut Path::new(), cells, apply)
}

/// As [`apply_all`], from where a path leads.
#[inline(always)]
pub(super) fn apply_all_from<L: Level, T: Element, M: Mode, P: Coord<L::Point>>(
    shared: Shared<'_, L, T, M>,
    path: &mut Path<L>,
    cells: impl IntoIterator<Item = (P, T)>,
    apply: impl Fn(*mut T, T),
) -> Result<(), M::Error> {
    let lane = shared.lane;
    let mut cells = cells.into_iter();
    let mut points = [L::Point::from_fn(|_| 0); BATCH];
    let mut values = [<T as bytemuck::Zeroable>::zeroed(); BATCH];
    let mut found: [Option<Spot>; BATCH] = [None; BATCH];
    loop {
        let mut n = 0;
        while n < BATCH {
            let Some((p, value)) = cells.next() else { break };
            let p = p.point();
            let at = path.locate_far(lane.core, p);
            if let Some(at) = at {
                if exists::<L>(&at) {
                    prefetch(mask_word::<L>(lane.core, &at));
                    prefetch(lane.at(&at));
                } else {
                    path.forget_near();
                }
            }
            (points[n], values[n], found[n]) = (p, value, at.map(Spot));
            n += 1;
        }
        for i in 0..n {
            let Spot(at) = M::claim::<L>(Lent(lane.core), found[i], points[i], || lane.name())?;
            apply(lane.at(&at), values[i]);
        }
        if n < BATCH {
            return Ok(());
        }
    }
}
