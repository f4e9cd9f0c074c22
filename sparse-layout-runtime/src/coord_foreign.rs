//! Integer vectors of other crates as coordinates.

use crate::coord::Coord;

/// `Coord` by the type's own conversion to an array, for values and references.
#[cfg(feature = "glam")]
macro_rules! glam_coord {
    ($($name:ident: $d:literal),+) => {$(
        impl Coord<[i32; $d]> for glam::$name {
            #[inline(always)]
            fn point(self) -> [i32; $d] {
                self.to_array()
            }
        }

        impl Coord<[i32; $d]> for &glam::$name {
            #[inline(always)]
            fn point(self) -> [i32; $d] {
                self.to_array()
            }
        }
    )+};
}

#[cfg(feature = "glam")]
glam_coord!(IVec2: 2, IVec3: 3, IVec4: 4);

#[cfg(feature = "nalgebra")]
impl<const D: usize> Coord<[i32; D]> for nalgebra::SVector<i32, D>
where
    nalgebra::SVector<i32, D>: Copy,
{
    #[inline(always)]
    fn point(self) -> [i32; D] {
        self.data.0[0]
    }
}

#[cfg(feature = "nalgebra")]
impl<const D: usize> Coord<[i32; D]> for &nalgebra::SVector<i32, D> {
    #[inline(always)]
    fn point(self) -> [i32; D] {
        self.data.0[0]
    }
}

#[cfg(feature = "nalgebra")]
impl<const D: usize> Coord<[i32; D]> for nalgebra::Point<i32, D>
where
    nalgebra::Point<i32, D>: Copy,
{
    #[inline(always)]
    fn point(self) -> [i32; D] {
        self.coords.data.0[0]
    }
}

#[cfg(feature = "nalgebra")]
impl<const D: usize> Coord<[i32; D]> for &nalgebra::Point<i32, D> {
    #[inline(always)]
    fn point(self) -> [i32; D] {
        self.coords.data.0[0]
    }
}
