//! Reads that remember their path.

use super::{Field, Lane};
use crate::coord::{Coord, CoordExt, Point};
use crate::core::{Beside, Path, is_active};
use crate::element::Element;
use crate::layout::Level;
use crate::tree::MAX_AXES;

/// Reads a field, remembering the nodes on the path to where it last read: a read nearby starts at the deepest of them
/// that holds the point too, and a read in the same empty region touches no table at all.
///
/// It borrows the grid for reading, so nothing it remembers can become stale. Making one is free.
pub struct Accessor<'a, L: Level, T> {
    lane: Lane<'a, L, T>,
    path: Path<L>,
}

impl<L: Level, T: Element> std::fmt::Debug for Accessor<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accessor").field("field", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<L: Level, T> Clone for Accessor<'_, L, T> {
    fn clone(&self) -> Self {
        Accessor { lane: self.lane, path: self.path.clone() }
    }
}

impl<'a, L: Level, T: Element> Accessor<'a, L, T> {
    #[inline(always)]
    pub(super) fn new(field: Field<'a, L, T>) -> Self {
        Accessor { lane: field.lane, path: Path::new() }
    }

    /// See [`Field::get`].
    #[inline(always)]
    pub fn get(&mut self, p: impl Coord<L::Point>) -> Option<T> {
        let at = self.path.locate(self.lane.core, p.point())?;
        // SAFETY: a located cell's value lies in the field's part and is initialised; this view's borrow keeps every
        // writer of the field away.
        if is_active::<L>(self.lane.core, &at) { Some(unsafe { *self.lane.at(&at) }) } else { None }
    }

    /// See [`Field::value`].
    #[inline(always)]
    pub fn value(&mut self, p: impl Coord<L::Point>) -> T {
        match self.path.locate(self.lane.core, p.point()) {
            // SAFETY: as in `get`.
            Some(at) => unsafe { *self.lane.at(&at) },
            None => self.lane.background(),
        }
    }

    /// See [`Field::is_active`].
    #[inline(always)]
    pub fn is_active(&mut self, p: impl Coord<L::Point>) -> bool {
        self.path.locate(self.lane.core, p.point()).is_some_and(|at| is_active::<L>(self.lane.core, &at))
    }
}

impl<'a, L: Level, T: Element> Accessor<'a, L, T> {
    /// Goes to a cell, to read it and the cells around it.
    ///
    /// ```
    /// use sparse_layout_runtime::{Accessor, Level};
    /// fn sum<L: Level<Point = [i32; 3]>>(a: &mut Accessor<'_, L, f32>, cells: &[[i32; 3]]) -> f32 {
    ///     let mut around = a.around();
    ///     cells.iter().map(|p| {
    ///         around.move_to(p);
    ///         around.offset([-1, 0, 0]) + around.offset([1, 0, 0]) - 2.0 * around.offset([0, 0, 0])
    ///     }).sum()
    /// }
    /// ```
    #[inline]
    pub fn around(&mut self) -> AccessorAround<'_, 'a, L, T> {
        AccessorAround { accessor: self, point: L::Point::from_fn(|_| 0), beside: [Beside::none(); 2 * MAX_AXES] }
    }
}

/// Reads cells around one: see [`Accessor::around`].
///
/// The node of the cell itself stays remembered while cells of other nodes are read, and so does one node for each of the two
/// directions of each axis: a walk that reads the cells on all sides finds each node once per border that it crosses.
pub struct AccessorAround<'b, 'a, L: Level, T> {
    accessor: &'b mut Accessor<'a, L, T>,
    point: L::Point,
    beside: [Beside<L>; 2 * MAX_AXES],
}

impl<L: Level, T: Element> std::fmt::Debug for AccessorAround<'_, '_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccessorAround").field("at", &self.point).finish_non_exhaustive()
    }
}

impl<L: Level, T: Element> AccessorAround<'_, '_, L, T> {
    /// Goes to a cell; any coordinates are fine.
    #[inline(always)]
    pub fn move_to(&mut self, p: impl Coord<L::Point>) {
        self.point = p.point();
        // Out of bounds no node is remembered, and the cells around are found one by one.
        let _ = self.accessor.path.locate(self.accessor.lane.core, self.point);
    }

    /// The value of the cell that far away along each axis; the background where inactive or out of bounds.
    #[inline(always)]
    pub fn offset(&mut self, by: impl Coord<L::Point>) -> T {
        let by = by.point();
        let lane = self.accessor.lane;
        let inside = (0..L::Point::LEN).all(|j| self.point.at(j).checked_add(by.at(j)).is_some());
        // One of the directions it goes in: a constant, where the offset is.
        let side = (0..L::Point::LEN).find(|&j| by.at(j) != 0).map_or(0, |j| 2 * j + usize::from(by.at(j) > 0));
        let p = self.point.offset(by);
        match self.accessor.path.locate_beside(lane.core, p, &mut self.beside[side]) {
            // SAFETY: a located cell's value lies in the field's part and is initialised; the accessor's borrow keeps every
            // writer of the field away.
            Some(at) if inside => unsafe { *lane.at(&at) },
            _ => lane.background(),
        }
    }
}
