//! Descriptions of element types, at compile time and by [`TypeId`].

use super::color::{ColorRgbRec2020, ColorRgbaRec2020, ColorSrgbRec709, ColorSrgbaRec709};
use super::dual::Dual;
use super::kind::Semantic;
use super::matrix::{Mat22, Mat33, Mat34, Mat44};
use super::quaternion::Quaternion;
use super::scalar::{Scalar, ScalarElement};
use crate::element::Element;
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::OnceLock;

/// An element made of equal scalars that stand for something.
///
/// [`LayoutInfo::field`](crate::LayoutInfo::field) knows the types of the [module's table](crate::semantic) by heart: an
/// implementation for another type serves generic code only.
pub trait Described: Element {
    /// The type of a lane.
    type Scalar: ScalarElement;
    /// What the lanes are.
    const SEMANTIC: Semantic;
    /// How many there are: they fill the value.
    const LANES: usize = {
        assert!(size_of::<Self>().is_multiple_of(size_of::<Self::Scalar>()), "lanes do not fill the value");
        size_of::<Self>() / size_of::<Self::Scalar>()
    };
}

impl<T: ScalarElement, const N: usize> Described for [T; N]
where
    [T; N]: Element,
{
    type Scalar = T;
    const SEMANTIC: Semantic = Semantic::of_vector(N);
}

#[cfg(feature = "num-complex")]
impl<T: ScalarElement> Described for num_complex::Complex<T> {
    type Scalar = T;
    const SEMANTIC: Semantic = Semantic::Complex;
}

/// What [`Described`] says, at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Description {
    pub(super) scalar: Scalar,
    pub(super) lanes: usize,
    pub(super) semantic: Semantic,
}

/// The descriptions of the types that are known by heart. A table and not a method of the element: every plain type is
/// one, and Rust has no way to ask such a type whether it is described too.
#[derive(Default)]
pub(super) struct Table(HashMap<TypeId, Description>);

impl Table {
    pub(super) fn add<T: Described>(&mut self) {
        let scalar = <T::Scalar as ScalarElement>::SCALAR;
        self.0.insert(TypeId::of::<T>(), Description { scalar, lanes: T::LANES, semantic: T::SEMANTIC });
    }

    fn add_types_over<T: ScalarElement>(&mut self) {
        self.add::<T>();
        self.add_arrays::<T>();
        self.add::<ColorSrgbRec709<T>>();
        self.add::<ColorSrgbaRec709<T>>();
        self.add::<ColorRgbRec2020<T>>();
        self.add::<ColorRgbaRec2020<T>>();
        self.add::<Mat22<T>>();
        self.add::<Mat33<T>>();
        self.add::<Mat34<T>>();
        self.add::<Mat44<T>>();
        self.add::<Dual<T>>();
        self.add::<Quaternion<T>>();
        #[cfg(feature = "num-complex")]
        self.add::<num_complex::Complex<T>>();
        #[cfg(feature = "nalgebra")]
        super::nalgebra::add_types_over::<T>(self);
    }

    /// Arrays of up to 32, the lengths for which `Default` and older traits are implemented too.
    fn add_arrays<T: ScalarElement>(&mut self) {
        macro_rules! lengths {
            ($($n:literal)+) => {$( self.add::<[T; $n]>(); )+};
        }
        lengths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
    }

    fn new() -> Self {
        let mut table = Table::default();
        table.add_types_over::<i8>();
        table.add_types_over::<i16>();
        table.add_types_over::<i32>();
        table.add_types_over::<i64>();
        table.add_types_over::<u8>();
        table.add_types_over::<u16>();
        table.add_types_over::<u32>();
        table.add_types_over::<u64>();
        table.add_types_over::<f32>();
        table.add_types_over::<f64>();
        #[cfg(feature = "half")]
        table.add_types_over::<half::f16>();
        #[cfg(feature = "glam")]
        super::glam::add_types(&mut table);
        table
    }
}

/// The description of a type, if it is known.
pub(super) fn describe(id: TypeId) -> Option<Description> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::new).0.get(&id).copied()
}
