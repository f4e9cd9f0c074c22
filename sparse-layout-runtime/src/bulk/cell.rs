//! One cell's record: what the attribute's `cell` and `set_cell` call.

use super::grid::PointOf;
use super::record::Record;
use super::target::{RecordTarget, Target};
use crate::coord::{Coord, Point};
use crate::core::{Core, Loc, exists, is_active, locate, mark_active, plan_of};
use crate::layout::{Layout, Level};
use crate::level::LevelView;

type LayoutOf<R> = <<R as Record>::Level as Level>::Layout;

/// The number of a located cell in its node.
#[inline(always)]
fn number<R: Record>(core: &Core<LayoutOf<R>>, at: &Loc) -> u64 {
    at.outer * plan_of::<R::Level>(core).block + at.digit
}

/// The record of an active cell.
#[doc(hidden)]
#[inline]
pub fn cell<R: Record>(core: &Core<LayoutOf<R>>, p: impl Coord<PointOf<R>>) -> Option<R> {
    let at = locate::<R::Level>(core, p.point())?;
    // SAFETY: an active cell is one of an existing node; the grid is borrowed for reading.
    is_active::<R::Level>(core, &at).then(|| unsafe { RecordTarget::new(core).read(at.handle, number::<R>(core, &at)) })
}

/// Writes the record of a cell, which becomes active.
///
/// # Panics
/// If the cell is out of bounds, naming level, coordinates and bounds; if the grid's nodes are exhausted.
#[doc(hidden)]
#[inline]
pub fn set_cell<R: Record>(core: &mut Core<LayoutOf<R>>, p: impl Coord<PointOf<R>>, record: R) {
    let p = p.point();
    let at = match locate::<R::Level>(core, p) {
        Some(at) if exists::<R::Level>(&at) => at,
        Some(_) => match core.activate::<R::Level>(p) {
            Ok(at) => at,
            Err(e) => panic_for::<R>(&e),
        },
        None => {
            let name = LevelView::<R::Level>::new(core).name();
            panic_for::<R>(&core.out_of_bounds(name, plan_of::<R::Level>(core), p.as_slice()))
        }
    };
    mark_active::<R::Level>(core, &at);
    let core = &*core;
    // SAFETY: a cell of an existing node; the grid is held exclusively.
    unsafe { RecordTarget::new(core).write(at.handle, number::<R>(core, &at), record) };
}

#[cold]
#[inline(never)]
fn panic_for<R: Record>(error: &dyn std::fmt::Display) -> ! {
    panic!("{}: {error}", LayoutOf::<R>::TREE.name)
}
