//! What a shared handle may do to the topology.

use crate::coord::Point;
use crate::core::{Core, Loc, exists, is_active_shared, locate, mark_shared, reach};
use crate::error::{FrozenError, Inactive, WriteError};
use crate::layout::{Layout, Level};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Growing {}
    impl Sealed for super::Frozen {}
}

/// Whether writing activates: [`Growing`] or [`Frozen`].
pub trait Mode: sealed::Sealed + 'static {
    /// Why a cell could not be written.
    type Error;
    /// Whether writing activates.
    const ACTIVATES: bool;

    /// The cell that holds `p`, active.
    #[doc(hidden)]
    fn reach<L: Level>(
        grid: Lent<'_, L::Layout>,
        p: L::Point,
        name: impl FnOnce() -> &'static str,
    ) -> Cell<Self::Error>;

    /// As `reach`, of a cell that was located before, or not found.
    #[doc(hidden)]
    fn claim<L: Level>(
        grid: Lent<'_, L::Layout>,
        at: Option<Spot>,
        p: L::Point,
        name: impl FnOnce() -> &'static str,
    ) -> Cell<Self::Error>;
}

/// A located cell.
#[derive(Clone, Copy, Debug)]
pub struct Spot(pub(super) Loc);

/// A grid that is lent to many threads. Only this module makes one: who has it may activate through a shared borrow.
#[derive(Debug)]
pub struct Lent<'a, G: Layout>(pub(super) &'a Core<G>);

/// A located cell that may be written, or why not.
type Cell<E> = Result<Spot, E>;

/// Writing activates the path to the cell: `grid.concurrent()`.
#[derive(Clone, Copy, Debug)]
pub struct Growing;

/// The cells that are active stay the same, and no others can be written: `fields_mut().density.atomic()`.
#[derive(Clone, Copy, Debug)]
pub struct Frozen;

impl Mode for Growing {
    type Error = WriteError;
    const ACTIVATES: bool = true;

    #[inline(always)]
    fn reach<L: Level>(
        grid: Lent<'_, L::Layout>,
        p: L::Point,
        name: impl FnOnce() -> &'static str,
    ) -> Cell<WriteError> {
        reach::<L>(grid.0, p, name).map(Spot)
    }

    #[inline(always)]
    fn claim<L: Level>(
        grid: Lent<'_, L::Layout>,
        at: Option<Spot>,
        p: L::Point,
        name: impl FnOnce() -> &'static str,
    ) -> Cell<WriteError> {
        match at {
            Some(Spot(at)) if exists::<L>(&at) => {
                mark_shared::<L>(grid.0, &at);
                Ok(Spot(at))
            }
            // A copy of the point, so that it can stay in registers.
            Some(_) => Ok(Spot(grid.0.activate_shared::<L>(L::Point::from_fn(|j| p.at(j)))?)),
            None => Err(grid.0.out_of_bounds_of::<L>(name(), L::Point::from_fn(|j| p.at(j))).into()),
        }
    }
}

impl Mode for Frozen {
    type Error = FrozenError;
    const ACTIVATES: bool = false;

    #[inline(always)]
    fn reach<L: Level>(
        grid: Lent<'_, L::Layout>,
        p: L::Point,
        name: impl FnOnce() -> &'static str,
    ) -> Cell<FrozenError> {
        let at = locate::<L>(grid.0, p).map(Spot);
        Self::claim::<L>(grid, at, p, name)
    }

    #[inline(always)]
    fn claim<L: Level>(
        grid: Lent<'_, L::Layout>,
        at: Option<Spot>,
        p: L::Point,
        name: impl FnOnce() -> &'static str,
    ) -> Cell<FrozenError> {
        match at {
            Some(Spot(at)) if is_active_shared::<L>(grid.0, &at) => Ok(Spot(at)),
            Some(_) => Err(inactive(name(), p.as_slice()).into()),
            None => Err(grid.0.out_of_bounds_of::<L>(name(), p).into()),
        }
    }
}

#[cold]
#[inline(never)]
fn inactive(name: &'static str, point: &[i32]) -> Inactive {
    Inactive { name, point: point.to_vec() }
}
