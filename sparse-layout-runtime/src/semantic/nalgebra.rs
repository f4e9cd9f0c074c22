//! Types of `nalgebra`.

use super::describe::{Described, Table};
use super::kind::Semantic;
use super::scalar::ScalarElement;
use crate::element::Element;
use crate::field::Components;
use ::nalgebra::{Point, Quaternion, SMatrix, SVector, UnitQuaternion};

impl<T: ScalarElement, const R: usize, const C: usize> Described for SMatrix<T, R, C>
where
    SMatrix<T, R, C>: Element,
{
    type Scalar = T;
    const SEMANTIC: Semantic = if C == 1 { Semantic::of_vector(R) } else { Semantic::of_matrix(R, C) };
}

impl<T: ScalarElement, const N: usize> Described for Point<T, N>
where
    Point<T, N>: Element,
{
    type Scalar = T;
    const SEMANTIC: Semantic = Semantic::of_vector(N);
}

impl<T: ScalarElement> Described for Quaternion<T> {
    type Scalar = T;
    const SEMANTIC: Semantic = Semantic::Quaternion;
}

impl<T: ScalarElement> Described for UnitQuaternion<T> {
    type Scalar = T;
    const SEMANTIC: Semantic = Semantic::Quaternion;
}

impl<T: ScalarElement, const N: usize> Components for SVector<T, N>
where
    SVector<T, N>: Element,
{
    type Component = T;
    const COUNT: usize = N;
}

impl<T: ScalarElement, const N: usize> Components for Point<T, N>
where
    Point<T, N>: Element,
{
    type Component = T;
    const COUNT: usize = N;
}

pub(super) fn add_types_over<T: ScalarElement>(table: &mut Table) {
    macro_rules! matrices {
        ($($r:literal x $c:literal)+) => {$( table.add::<SMatrix<T, $r, $c>>(); )+};
    }
    matrices!(1 x 1 2 x 1 3 x 1 4 x 1 1 x 2 2 x 2 3 x 2 4 x 2 1 x 3 2 x 3 3 x 3 4 x 3 1 x 4 2 x 4 3 x 4 4 x 4);
    table.add::<Point<T, 1>>();
    table.add::<Point<T, 2>>();
    table.add::<Point<T, 3>>();
    table.add::<Point<T, 4>>();
    table.add::<Quaternion<T>>();
    table.add::<UnitQuaternion<T>>();
}
