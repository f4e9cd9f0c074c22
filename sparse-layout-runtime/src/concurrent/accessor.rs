//! The operations of one thread that remember their path.

use super::Shared;
use super::batch::apply_all_from;
use super::element::{Atomic, AtomicBits, AtomicScalar};
use super::field::writes;
use super::mode::{Lent, Mode, Spot};
use crate::coord::Coord;
use crate::core::{Loc, Path, exists, is_active_shared};
use crate::element::Element;
use crate::error::OutOfBounds;
use crate::layout::Level;

/// A [`Shared`] field that remembers the nodes on the path to where it last was: an operation nearby starts at the deepest
/// of them that holds the point too. One thread's own; making one is free.
///
/// Nodes are not taken away while the grid is shared, so what it remembers stays right. That there was none is not remembered:
/// another thread may make one.
pub struct SharedAccessor<'a, L: Level, T, M> {
    shared: Shared<'a, L, T, M>,
    path: Path<L>,
}

impl<L: Level, T: Element, M: Mode> std::fmt::Debug for SharedAccessor<'_, L, T, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedAccessor").field("field", &self.shared.name()).finish_non_exhaustive()
    }
}

impl<L: Level, T, M> Clone for SharedAccessor<'_, L, T, M> {
    fn clone(&self) -> Self {
        SharedAccessor { shared: self.shared, path: self.path.clone() }
    }
}

impl<'a, L: Level, T: Element, M: Mode> SharedAccessor<'a, L, T, M> {
    #[inline(always)]
    pub(super) fn new(shared: Shared<'a, L, T, M>) -> Self {
        SharedAccessor { shared, path: Path::new() }
    }

    #[inline(always)]
    fn locate(&mut self, p: L::Point) -> Option<Loc> {
        let at = self.path.locate(self.shared.lane.core, p)?;
        if !exists::<L>(&at) {
            self.path.forget_near();
        }
        Some(at)
    }

    #[inline(always)]
    fn cell(&mut self, p: L::Point) -> Result<*mut T, M::Error> {
        let at = self.locate(p).map(Spot);
        let lane = self.shared.lane;
        let Spot(at) = M::claim::<L>(Lent(lane.core), at, p, || lane.name())?;
        Ok(lane.at(&at))
    }

    writes!(self: &mut self);

    /// See [`Shared::load`].
    ///
    /// # Errors
    /// If the cell is out of bounds.
    #[inline(always)]
    pub fn load(&mut self, p: impl Coord<L::Point>) -> Result<T, OutOfBounds>
    where
        T: Atomic,
    {
        let p = p.point();
        let at = self.locate(p);
        let lane = self.shared.lane;
        match at {
            // SAFETY: as in `Shared::load`.
            Some(at) => Ok(unsafe { T::load(lane.at(&at)) }),
            None => Err(lane.core.out_of_bounds_of::<L>(lane.name(), p)),
        }
    }

    /// See [`Shared::get`].
    #[inline(always)]
    pub fn get(&mut self, p: impl Coord<L::Point>) -> Option<T>
    where
        T: Atomic,
    {
        let at = self.locate(p.point())?;
        let lane = self.shared.lane;
        // SAFETY: as in `Shared::load`.
        is_active_shared::<L>(lane.core, &at).then(|| unsafe { T::load(lane.at(&at)) })
    }

    /// See [`Shared::is_active`].
    #[inline(always)]
    pub fn is_active(&mut self, p: impl Coord<L::Point>) -> bool {
        self.locate(p.point()).is_some_and(|at| is_active_shared::<L>(self.shared.lane.core, &at))
    }

    /// See [`Shared::extend`].
    ///
    /// # Errors
    /// At the first cell that cannot be written; those before it are.
    #[inline]
    pub fn extend<P: Coord<L::Point>>(&mut self, cells: impl IntoIterator<Item = (P, T)>) -> Result<(), M::Error>
    where
        T: Atomic,
    {
        // SAFETY: as in `store`.
        apply_all_from(self.shared, &mut self.path, cells, |cell, value| unsafe { T::store(cell, value) })
    }

    /// See [`Shared::add_all`].
    ///
    /// # Errors
    /// As [`extend`](Self::extend).
    #[inline]
    pub fn add_all<P: Coord<L::Point>>(&mut self, cells: impl IntoIterator<Item = (P, T)>) -> Result<(), M::Error>
    where
        T: Atomic,
    {
        apply_all_from(self.shared, &mut self.path, cells, |cell, value| {
            // SAFETY: as in `store`.
            unsafe { T::add(cell, value) };
        })
    }
}
