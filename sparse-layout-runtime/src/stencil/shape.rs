//! Which cells around a cell a stencil reads.

use crate::coord::Point;

mod sealed {
    pub trait Sealed {}
    impl<const R: usize> Sealed for super::Star<R> {}
    impl<const R: usize> Sealed for super::Cube<R> {}
}

/// The cells around a cell that a stencil may read, as a type: [`Star`] or [`Cube`].
pub trait Shape: sealed::Sealed + Copy + Send + Sync + 'static {
    /// How far it reaches along each axis, in cells.
    const RADIUS: usize;
    /// Whether it reaches along one axis at a time only.
    const STAR: bool;

    /// Whether the cell that far away along each axis belongs to it.
    #[inline(always)]
    fn contains<P: Point>(offset: P) -> bool {
        let (mut inside, mut axes) = (true, 0);
        for j in 0..P::LEN {
            inside &= offset.at(j).unsigned_abs() as usize <= Self::RADIUS;
            axes += usize::from(offset.at(j) != 0);
        }
        inside && (!Self::STAR || axes <= 1)
    }
}

/// The cell and up to `R` cells along each axis, both ways: `2 * D * R + 1` cells in `D` dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Star<const R: usize>;

/// The box of `2 * R + 1` cells along each axis around the cell: 27 of them for `Cube<1>` in three dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Cube<const R: usize>;

impl<const R: usize> Shape for Star<R> {
    const RADIUS: usize = R;
    const STAR: bool = true;
}

impl<const R: usize> Shape for Cube<R> {
    const RADIUS: usize = R;
    const STAR: bool = false;
}
