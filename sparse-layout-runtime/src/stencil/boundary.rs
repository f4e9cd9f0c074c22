//! What is read beyond the bounds of a grid.

use crate::coord::{Coord, Point};
use crate::core::{Path, locate, plan_of};
use crate::element::Element;
use crate::field::{Field, FieldMut, GridFieldMut, Lane, Read};
use crate::layout::Level;
use crate::plan::Plan;
use crate::tree::MAX_AXES;

/// What is read beyond the bounds of a grid, of a field `a` over bounds `0..4`:
///
/// | rule | at -3 | at -2 | at -1 | at 4 | at 5 |
/// | --- | --- | --- | --- | --- | --- |
/// | `Background` | background | background | background | background | background |
/// | `Constant(v)` | `v` | `v` | `v` | `v` | `v` |
/// | `Clamp` | `a[0]` | `a[0]` | `a[0]` | `a[3]` | `a[3]` |
/// | `Wrap` | `a[1]` | `a[2]` | `a[3]` | `a[0]` | `a[1]` |
/// | `Mirror` | `a[2]` | `a[1]` | `a[0]` | `a[3]` | `a[2]` |
/// | `MirrorInterior` | `a[3]` | `a[2]` | `a[1]` | `a[2]` | `a[1]` |
///
/// Axes go by the rule one by one, so beyond a corner `Clamp` reads the corner. A cell inside the bounds that is inactive
/// reads as the background under every rule, and so does what lies beyond the ends of `i32` on an unbounded axis.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Boundary<T> {
    /// The field's background.
    #[default]
    Background,
    /// This value.
    Constant(T),
    /// The nearest cell inside (zero gradient).
    Clamp,
    /// The cell as far from the other end (periodic).
    Wrap,
    /// The mirror image in the outer face of the last cell, which is thus repeated.
    Mirror,
    /// The mirror image in the centre of the last cell, which is not repeated.
    MirrorInterior,
}

impl<T> Boundary<T> {
    /// The number from the lower bound that is read for `x`, of `n` cells.
    fn fold(&self, x: i64, n: i64) -> i64 {
        match self {
            Boundary::Background | Boundary::Constant(_) => x,
            Boundary::Clamp => x.clamp(0, n - 1),
            Boundary::Wrap => x.rem_euclid(n),
            Boundary::Mirror => {
                let x = x.rem_euclid(2 * n);
                x.min(2 * n - 1 - x)
            }
            Boundary::MirrorInterior => {
                let period = (2 * (n - 1)).max(1);
                let x = x.rem_euclid(period);
                x.min(period - x)
            }
        }
    }

    /// What is to be read for a point, if it is out of bounds.
    fn resolve<P: Point>(&self, plan: &Plan, p: &[i64; MAX_AXES]) -> Resolved<P, T>
    where
        T: Copy,
    {
        let (mut inside, mut lost) = (true, false);
        for j in 0..P::LEN {
            let (lo, hi) = plan.bounds(j);
            let out = !(lo..hi).contains(&p[j]);
            inside &= !out;
            lost |= out && plan.free[j];
        }
        match self {
            _ if inside => Resolved::Cell(P::from_fn(|j| p[j] as i32)),
            Boundary::Background => Resolved::Background,
            _ if lost => Resolved::Background,
            Boundary::Constant(v) => Resolved::Value(*v),
            rule => Resolved::Cell(P::from_fn(|j| {
                let (lo, hi) = plan.bounds(j);
                (lo + rule.fold(p[j] - lo, hi - lo)) as i32
            })),
        }
    }
}

/// What a point that may be out of bounds stands for.
enum Resolved<P, T> {
    Cell(P),
    Value(T),
    Background,
}

/// A field with a rule for what is read beyond the grid's bounds: see [`Field::with_boundary`].
pub struct WithBoundary<'a, L: Level, T> {
    pub(super) lane: Lane<'a, L, T>,
    pub(super) rule: Boundary<T>,
}

impl<L: Level, T: Copy> Clone for WithBoundary<'_, L, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T: Copy> Copy for WithBoundary<'_, L, T> {}

impl<L: Level, T: Element> std::fmt::Debug for WithBoundary<'_, L, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WithBoundary").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T: Element> WithBoundary<'a, L, T> {
    pub(super) fn new(field: Field<'a, L, T>, rule: Boundary<T>) -> Self {
        WithBoundary { lane: field.lane, rule }
    }

    /// The value at a point: that of the cell, the background where it is inactive, and what the rule says beyond the bounds.
    ///
    /// ```
    /// # // The facade's macro is not at hand here; `src/lib.rs` shows this on a declared grid.
    /// use sparse_layout_runtime::{At, Boundary, Field, HasLevel, Layout};
    /// fn left_of_all<G: HasLevel<0, Point = [i32; 1]>>(a: Field<'_, At<G, 0>, f32>) -> f32 {
    ///     a.with_boundary(Boundary::Clamp).value([-1])
    /// }
    /// ```
    #[inline]
    pub fn value(&self, p: impl Coord<L::Point>) -> T {
        let p = p.point();
        match locate::<L>(self.lane.core, p) {
            // SAFETY: as in `read_beyond`.
            Some(at) => unsafe { *self.lane.at(&at) },
            None => {
                let mut wide = [0; MAX_AXES];
                for j in 0..L::Point::LEN {
                    wide[j] = p.at(j).into();
                }
                self.read_beyond(&mut Path::new(), &wide)
            }
        }
    }

    /// The value at a point that need not be an `i32`.
    pub(super) fn read_beyond(&self, path: &mut Path<L>, p: &[i64; MAX_AXES]) -> T {
        match self.rule.resolve::<L::Point>(plan_of::<L>(self.lane.core), p) {
            Resolved::Value(v) => v,
            Resolved::Background => self.lane.background(),
            Resolved::Cell(p) => match path.locate(self.lane.core, p) {
                // SAFETY: a located cell's value lies in the field's part and is initialised; the field is borrowed for
                // reading.
                Some(at) => unsafe { *self.lane.at(&at) },
                None => self.lane.background(),
            },
        }
    }
}

impl<L: Level, T: Element> Read<T> for WithBoundary<'_, L, T> {
    type Point = L::Point;

    /// As [`Field::get`] inside the bounds; beyond them what the rule says, if that is an active cell or a constant.
    fn read(&self, p: L::Point) -> Option<T> {
        let mut wide = [0; MAX_AXES];
        for j in 0..L::Point::LEN {
            wide[j] = p.at(j).into();
        }
        match self.rule.resolve::<L::Point>(plan_of::<L>(self.lane.core), &wide) {
            Resolved::Value(v) => Some(v),
            Resolved::Background => None,
            Resolved::Cell(p) => Field { lane: self.lane }.get(p),
        }
    }

    fn read_or_background(&self, p: L::Point) -> T {
        self.value(p)
    }
}

impl<'a, L: Level, T: Element> Field<'a, L, T> {
    /// The same field with a rule for what is read beyond the grid's bounds, as an input of a stencil or to read through.
    #[inline]
    pub fn with_boundary(&self, rule: Boundary<T>) -> WithBoundary<'a, L, T> {
        WithBoundary::new(*self, rule)
    }
}

impl<L: Level, T: Element> FieldMut<'_, L, T> {
    /// See [`Field::with_boundary`].
    #[inline]
    pub fn with_boundary(&self, rule: Boundary<T>) -> WithBoundary<'_, L, T> {
        WithBoundary::new(self.as_field(), rule)
    }
}

impl<L: Level, T: Element> GridFieldMut<'_, L, T> {
    /// See [`Field::with_boundary`].
    #[inline]
    pub fn with_boundary(&self, rule: Boundary<T>) -> WithBoundary<'_, L, T> {
        WithBoundary::new(self.as_field(), rule)
    }
}
