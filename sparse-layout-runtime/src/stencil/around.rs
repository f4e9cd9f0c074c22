//! What a stencil's closure reads through, one cell at a time.

use super::geometry::Buffer;
use super::shape::{Cube, Shape, Star};
use crate::coord::{Coord, Point};
use crate::element::Element;
use crate::layout::Level;
use std::marker::PhantomData;

/// A field's values around one cell: what the closure of [`Stencils`](super::Stencils) is handed.
///
/// The cell itself is at offset zero. Inactive cells read as the background, cells beyond the bounds as the field's
/// [`Boundary`](super::Boundary) says.
pub struct Around<L, S, T> {
    centre: *const T,
    of: PhantomData<(L, S)>,
}

impl<L: Level, S: Shape, T: Element> std::fmt::Debug for Around<L, S, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Around").finish_non_exhaustive()
    }
}

/// Loops over a box of offsets, one for each of 8 axes; those past `$d` do not move. The bounds are constants, so that the loops
/// are unrolled one by one from the innermost: that is what makes offsets constants.
macro_rules! nested {
    ($d:expr, $r:expr, $at:ident => $body:block) => {
        nested!(@ $d, $r, $at, $body, [] 0 1 2 3 4 5 6 7)
    };
    (@ $d:expr, $r:expr, $at:ident, $body:block, [$($done:ident)*]) => {{
        let $at = [$($done),*];
        $body
    }};
    (@ $d:expr, $r:expr, $at:ident, $body:block, [$($done:ident)*] $j:literal $($rest:literal)*) => {{
        let r = if const { $j < $d } { $r } else { 0 };
        for x in -r..r + 1 {
            nested!(@ $d, $r, $at, $body, [$($done)* x] $($rest)*)
        }
    }};
}

/// Keeps a load where it is written: a value used once would be loaded in the branch that uses it, and so the branch would stay one
/// where a selection would do, which can be vectorised. `#[cold]` delays inlining until that choice is made; nothing is left then.
#[cold]
#[inline]
fn use_here<T>(_: T) {}

impl<L: Level, S: Shape, T: Element> Around<L, S, T> {
    /// # Safety
    /// `centre` is a value of a filled [`Buffer`] of this level and shape, for a cell of its tile, for as long as this lives.
    #[inline(always)]
    pub(super) unsafe fn new(centre: *const T) -> Self {
        Around { centre, of: PhantomData }
    }

    /// The value so far from the cell's own.
    ///
    /// # Safety
    /// The distance is that of one of the shape's cells.
    #[inline(always)]
    unsafe fn read(&self, distance: isize) -> T {
        // SAFETY: the shape's cells around a cell of the tile have values in the buffer.
        let value = unsafe { *self.centre.offset(distance) };
        use_here(value);
        value
    }

    /// The value of the cell that far away along each axis.
    ///
    /// The offset should be a constant, or the variable of a loop over a half-open range (`-1..2`): it is then folded into the
    /// address, and so is the check that it belongs to the shape.
    ///
    /// # Panics
    /// If the cell is not one of the shape's.
    #[inline(always)]
    pub fn at(&self, offset: impl Coord<L::Point>) -> T {
        let distance = Buffer::<L, S>::distance(offset.point());
        // SAFETY: the distance of a cell of the shape.
        unsafe { self.read(distance) }
    }

    /// The value of the cell itself.
    #[inline(always)]
    pub fn here(&self) -> T {
        // SAFETY: every shape has the cell itself.
        unsafe { self.read(0) }
    }

    /// Folds the values of the cells next to this one along the axes, `2 * D * R` of them, the cell itself left out: axis by
    /// axis, the nearest first, the lower one before the upper one.
    ///
    /// ```
    /// use sparse_layout_runtime::{Around, Level, Star};
    /// fn laplacian<L: Level<Point = [i32; 3]>>(s: &Around<L, Star<1>, f32>) -> f32 {
    ///     s.fold_star(0.0, |sum, v| sum + v) - 6.0 * s.here()
    /// }
    /// ```
    #[inline(always)]
    pub fn fold_star<A>(&self, init: A, f: impl FnMut(A, T) -> A) -> A {
        star::<L::Point, S, _, _>(init, |offset| self.at(offset), f)
    }
}

impl<L: Level, const R: usize, T: Element> Around<L, Cube<R>, T> {
    /// Folds the values of all cells of the box, this one too, row by row, the last axis fastest.
    ///
    /// ```
    /// use sparse_layout_runtime::{Around, Cube, Level};
    /// fn mean<L: Level<Point = [i32; 3]>>(s: &Around<L, Cube<1>, f32>) -> f32 {
    ///     s.fold_box(0.0, |sum, v| sum + v) / 27.0
    /// }
    /// ```
    #[inline(always)]
    pub fn fold_box<A>(&self, init: A, f: impl FnMut(A, T) -> A) -> A {
        cube::<L::Point, R, _, _>(init, |offset| self.at(offset), f)
    }
}

impl<L: Level, const R: usize, T: Element> Around<L, Star<R>, T> {
    /// The sum of the second differences along the axes, each of the two nearest neighbours: the laplacian for cells of size 1.
    ///
    /// Cost: as written by hand. The neighbours are added up axis by axis, then the cell's own value is taken off.
    #[inline(always)]
    pub fn laplacian(&self) -> T
    where
        T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T> + From<u8>,
    {
        const { assert!(R > 0, "a star of radius 0 has no neighbours") };
        let one = |j: usize, x: i32| self.at(L::Point::from_fn(|k| if k == j { x } else { 0 }));
        let mut sum = one(0, -1) + one(0, 1);
        for j in 1..L::Point::LEN {
            sum = sum + one(j, -1) + one(j, 1);
        }
        sum - T::from(2 * L::Point::LEN as u8) * self.here()
    }
}

/// Folds what `at` gives for the offsets of a star but the middle: axis by axis, the nearest first, the lower one before the upper.
#[inline(always)]
pub(super) fn star<P: Point, S: Shape, V, A>(init: A, at: impl Fn(P) -> V, mut f: impl FnMut(A, V) -> A) -> A {
    let mut folded = init;
    for j in 0..P::LEN {
        for r in 1..S::RADIUS as i32 + 1 {
            folded = f(folded, at(P::from_fn(|k| if k == j { -r } else { 0 })));
            folded = f(folded, at(P::from_fn(|k| if k == j { r } else { 0 })));
        }
    }
    folded
}

/// Folds what `at` gives for the offsets of a box, row by row, the last axis fastest.
#[inline(always)]
pub(super) fn cube<P: Point, const R: usize, V, A>(init: A, at: impl Fn(P) -> V, mut f: impl FnMut(A, V) -> A) -> A {
    let mut folded = init;
    nested!(P::LEN, R as i32, offset => {
        folded = f(folded, at(P::from_fn(|j| offset[j])));
    });
    folded
}
