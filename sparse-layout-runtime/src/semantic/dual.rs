//! Dual numbers.

use super::plain::over_array;
use num_traits::{NumOps, One, Zero};
use std::ops::{Add, Div, Mul, Neg, Sub};

over_array! {
    /// `a + b ε` with `ε² = 0`: a value `a` and its derivative `b`, in this order. Arithmetic differentiates.
    ///
    /// ```
    /// use sparse_layout_runtime::semantic::Dual;
    /// let x = Dual::variable(3.0);
    /// let y = x * x * x - x / Dual::constant(2.0);
    /// assert_eq!((y.value(), y.derivative()), (25.5, 26.5));
    /// let root = Dual::variable(4.0f64).apply(f64::sqrt, |v| 0.5 / v.sqrt());
    /// assert_eq!((root.value(), root.derivative()), (2.0, 0.25));
    /// ```
    Dual[2]
}

impl<T: Copy> Dual<T> {
    /// The number itself.
    #[inline]
    pub fn value(self) -> T {
        self.0[0]
    }

    /// What stands at `ε`.
    #[inline]
    pub fn derivative(self) -> T {
        self.0[1]
    }
}

impl<T: Zero> Dual<T> {
    /// A number that does not vary.
    #[inline]
    pub fn constant(value: T) -> Self {
        Dual([value, T::zero()])
    }
}

impl<T: One> Dual<T> {
    /// What is differentiated by.
    #[inline]
    pub fn variable(value: T) -> Self {
        Dual([value, T::one()])
    }
}

impl<T: Copy + NumOps> Dual<T> {
    /// `f` of it, given `f` and its derivative (the chain rule).
    #[inline]
    #[must_use]
    pub fn apply(self, f: impl FnOnce(T) -> T, derivative: impl FnOnce(T) -> T) -> Self {
        let [a, b] = self.0;
        Dual([f(a), derivative(a) * b])
    }
}

impl<T: Copy + NumOps> Add for Dual<T> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Dual([a + c, b + d])
    }
}

impl<T: Copy + NumOps> Sub for Dual<T> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Dual([a - c, b - d])
    }
}

impl<T: Copy + NumOps> Mul for Dual<T> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Dual([a * c, a * d + b * c])
    }
}

impl<T: Copy + NumOps> Div for Dual<T> {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Dual([a / c, (b * c - a * d) / (c * c)])
    }
}

impl<T: Copy + Neg<Output = T>> Neg for Dual<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Dual(self.0.map(T::neg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_differentiation() {
        let epsilon = Dual([0, 1]);
        assert_eq!(epsilon * epsilon, Dual([0, 0]));
        // (fg)' = f g' + f' g: of x² and 3x + 1 at 2, with derivatives 4 and 3.
        let (f, g) = (Dual([4.0, 4.0]), Dual([7.0, 3.0]));
        assert_eq!(f * g, Dual([28.0, 40.0]));
        assert_eq!(f + g, Dual([11.0, 7.0]));
        assert_eq!(f - g, Dual([-3.0, 1.0]));
        // (f/g)' = (f' g - f g') / g²
        assert_eq!(g / f, Dual([1.75, (3.0 * 4.0 - 7.0 * 4.0) / 16.0]));
        assert_eq!(-f, Dual([-4.0, -4.0]));
        assert_eq!(Dual::constant(2) * Dual::variable(5), Dual([10, 2]));
    }
}
