//! Coordinates and boxes of them.

use std::fmt::Debug;
use std::hash::Hash;

mod sealed {
    pub trait Sealed {}
    impl<const D: usize> Sealed for [i32; D] {}
}

/// The coordinates of one cell: `[i32; D]`.
pub trait Point: sealed::Sealed + Coord<Self> + Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The number of coordinates.
    const LEN: usize;
    /// The coordinates as a slice.
    fn as_slice(&self) -> &[i32];
    /// The point whose coordinate `j` is `f(j)`.
    fn from_fn(f: impl FnMut(usize) -> i32) -> Self;
    /// Coordinate `j`.
    fn at(&self, j: usize) -> i32;
}

impl<const D: usize> Point for [i32; D] {
    const LEN: usize = D;

    #[inline(always)]
    fn as_slice(&self) -> &[i32] {
        self
    }

    #[inline(always)]
    fn from_fn(f: impl FnMut(usize) -> i32) -> Self {
        std::array::from_fn(f)
    }

    #[inline(always)]
    fn at(&self, j: usize) -> i32 {
        self[j]
    }
}

/// What names a cell: an array of coordinates or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a cell of this index space",
    note = "a cell is named by one `i32` per axis that the levels above it divide: `{P}`"
)]
pub trait Coord<P: Point>: Copy {
    /// The coordinates.
    fn point(self) -> P;
}

impl<const D: usize> Coord<[i32; D]> for [i32; D] {
    #[inline(always)]
    fn point(self) -> [i32; D] {
        self
    }
}

impl<const D: usize> Coord<[i32; D]> for &[i32; D] {
    #[inline(always)]
    fn point(self) -> [i32; D] {
        *self
    }
}

/// Arithmetic on coordinates.
///
/// ```
/// use sparse_layout_runtime::CoordExt;
/// assert_eq!([1, -1].offset([0, -1]), [1, -2]);
/// assert_eq!([7, -1].div_floor(8), [0, -1]);
/// ```
pub trait CoordExt: Point {
    /// The cell `by` away. Wraps at the ends of `i32`.
    #[inline]
    #[must_use]
    fn offset(self, by: Self) -> Self {
        Self::from_fn(|j| self.at(j).wrapping_add(by.at(j)))
    }

    /// The cell of size `n` that holds this one: each coordinate divided by `n`, rounded down.
    ///
    /// # Panics
    /// If `n` is 0 or negative.
    #[inline]
    #[must_use]
    fn div_floor(self, n: i32) -> Self {
        assert!(n > 0, "div_floor: cells of size {n}");
        Self::from_fn(|j| self.at(j).div_euclid(n))
    }
}

impl<P: Point> CoordExt for P {}

/// A box of cells, half-open: every `p` with `lo[j] <= p[j] < hi[j]`.
///
/// ```
/// use sparse_layout_runtime::Region;
/// let r = Region::new([-1, 0], [1, 3]);
/// assert_eq!(r.len(), 6);
/// assert!(r.contains([0, 2]) && !r.contains([1, 0]));
/// assert_eq!(r.iter().next(), Some([-1, 0]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Region<P> {
    /// The lowest cell.
    pub lo: P,
    /// One past the highest, along each axis.
    pub hi: P,
}

impl<P: Point> Region<P> {
    /// The cells from `lo` up to `hi`, which does not belong to it; empty where `hi <= lo`.
    pub fn new(lo: P, hi: P) -> Self {
        Region { lo, hi }
    }

    /// Whether no cell is in it.
    pub fn is_empty(&self) -> bool {
        (0..P::LEN).any(|j| self.hi.at(j) <= self.lo.at(j))
    }

    /// The number of cells, `u64::MAX` if there are more.
    pub fn len(&self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let side = |j| (i64::from(self.hi.at(j)) - i64::from(self.lo.at(j))) as u64;
        (0..P::LEN).fold(1, |n: u64, j| n.saturating_mul(side(j)))
    }

    /// Whether the cell is in it.
    #[inline]
    pub fn contains(&self, p: P) -> bool {
        (0..P::LEN).all(|j| self.lo.at(j) <= p.at(j) && p.at(j) < self.hi.at(j))
    }

    /// The smallest box that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Region {
            lo: P::from_fn(|j| self.lo.at(j).min(other.lo.at(j))),
            hi: P::from_fn(|j| self.hi.at(j).max(other.hi.at(j))),
        }
    }

    /// The cells, row by row, the last coordinate fastest.
    pub fn iter(&self) -> impl Iterator<Item = P> + use<P> {
        let region = *self;
        let mut next = (!region.is_empty()).then_some(region.lo);
        std::iter::from_fn(move || {
            let p = next?;
            let mut carry = P::LEN;
            while carry > 0 && p.at(carry - 1) + 1 == region.hi.at(carry - 1) {
                carry -= 1;
            }
            next = (carry > 0).then(|| {
                P::from_fn(|j| match (j + 1).cmp(&carry) {
                    std::cmp::Ordering::Less => p.at(j),
                    std::cmp::Ordering::Equal => p.at(j) + 1,
                    std::cmp::Ordering::Greater => region.lo.at(j),
                })
            });
            Some(p)
        })
    }
}
