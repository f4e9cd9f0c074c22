//! Sums and extremes of a field's active values.

use super::Field;
use crate::element::Element;
use crate::layout::Level;
use crate::struct_for::reduce::{Reduction, reduce};

/// Elements that [`Field::sum`] adds up.
pub trait Summed: Element {
    /// What they add up to: floats in `f64`, integers in 64 bits, arrays component by component.
    type Total: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    const ZERO: Self::Total;
    #[doc(hidden)]
    fn add_to(self, total: Self::Total) -> Self::Total;
    #[doc(hidden)]
    fn add(a: Self::Total, b: Self::Total) -> Self::Total;
}

/// Elements with an order, for [`Field::min`] and [`Field::max`].
pub trait Ordered: Element {
    /// The lesser of the two; a NaN only if both are.
    #[doc(hidden)]
    fn lesser(self, other: Self) -> Self;
    /// The greater of the two; a NaN only if both are.
    #[doc(hidden)]
    fn greater(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($($t:ty: $total:ty, $zero:literal, $a:ident + $b:ident = $add:expr, $less:expr, $greater:expr;)*) => { $(
        impl Summed for $t {
            type Total = $total;
            const ZERO: $total = $zero;
            #[inline(always)]
            fn add_to(self, total: $total) -> $total {
                Self::add(total, <$total>::from(self))
            }
            #[inline(always)]
            fn add($a: $total, $b: $total) -> $total {
                $add
            }
        }
        impl Ordered for $t {
            #[inline(always)]
            fn lesser(self, other: $t) -> $t {
                $less(self, other)
            }
            #[inline(always)]
            fn greater(self, other: $t) -> $t {
                $greater(self, other)
            }
        }
    )* };
}
numbers! {
    // A comparison, not `f32::min`: of zeroes of both signs the first stays, on every path.
    f32: f64, 0.0, a + b = a + b, |a: f32, b: f32| if b < a || a.is_nan() { b } else { a }, |a: f32, b: f32| if b > a || a.is_nan() { b } else { a };
    f64: f64, 0.0, a + b = a + b, |a: f64, b: f64| if b < a || a.is_nan() { b } else { a }, |a: f64, b: f64| if b > a || a.is_nan() { b } else { a };
    i8: i64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    i16: i64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    i32: i64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    i64: i64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    u8: u64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    u16: u64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    u32: u64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
    u64: u64, 0, a + b = a.wrapping_add(b), Ord::min, Ord::max;
}

impl<T: Summed, const N: usize> Summed for [T; N]
where
    [T; N]: Element,
{
    type Total = [T::Total; N];
    const ZERO: [T::Total; N] = [T::ZERO; N];

    #[inline(always)]
    fn add_to(self, total: [T::Total; N]) -> [T::Total; N] {
        std::array::from_fn(|i| self[i].add_to(total[i]))
    }

    #[inline(always)]
    fn add(a: [T::Total; N], b: [T::Total; N]) -> [T::Total; N] {
        std::array::from_fn(|i| T::add(a[i], b[i]))
    }
}

#[derive(Clone, Copy)]
struct Sum;

impl<T: Summed> Reduction<T> for Sum {
    type Total = T::Total;
    const IGNORES_ZERO: bool = true;

    #[inline(always)]
    fn none(self) -> T::Total {
        T::ZERO
    }

    #[inline(always)]
    fn one(self, total: T::Total, value: T) -> T::Total {
        value.add_to(total)
    }

    #[inline(always)]
    fn merge(self, a: T::Total, b: T::Total) -> T::Total {
        T::add(a, b)
    }
}

/// Keeps one of two values.
#[derive(Clone, Copy)]
struct Choose<F>(F);

impl<T: Ordered, F: Fn(T, T) -> T + Copy + Send + Sync> Reduction<T> for Choose<F> {
    type Total = Option<T>;
    const IGNORES_ZERO: bool = false;

    #[inline(always)]
    fn none(self) -> Option<T> {
        None
    }

    #[inline(always)]
    fn one(self, total: Option<T>, value: T) -> Option<T> {
        Some(match total {
            Some(total) => self.0(total, value),
            None => value,
        })
    }

    #[inline(always)]
    fn merge(self, a: Option<T>, b: Option<T>) -> Option<T> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.0(a, b)),
            (a, b) => a.or(b),
        }
    }
}

impl<L: Level, T: Element> Field<'_, L, T> {
    /// The sum of the active values, on all threads: floats are added up in `f64`, integers in 64 bits, wrapping.
    /// The result has the same bits for any number of threads and on any processor.
    #[must_use]
    pub fn sum(&self) -> T::Total
    where
        T: Summed,
    {
        reduce(self.lane, Sum)
    }

    /// The least active value, on all threads; `None` if no cell is active. A NaN only if there is nothing else.
    #[must_use]
    pub fn min(&self) -> Option<T>
    where
        T: Ordered,
    {
        reduce(self.lane, Choose(T::lesser))
    }

    /// The greatest active value, on all threads; `None` if no cell is active. A NaN only if there is nothing else.
    #[must_use]
    pub fn max(&self) -> Option<T>
    where
        T: Ordered,
    {
        reduce(self.lane, Choose(T::greater))
    }
}
