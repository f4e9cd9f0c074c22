//! Quaternions.

use super::plain::over_array;
use num_traits::{NumOps, Zero};
use std::ops::{Add, Mul, Neg, Sub};

over_array! {
    /// `x i + y j + z k + w`, in the order **x, y, z, w**: the real part last, as in `glam` and `nalgebra`.
    ///
    /// ```
    /// use sparse_layout_runtime::semantic::Quaternion;
    /// let half = std::f64::consts::FRAC_1_SQRT_2;
    /// let quarter_turn_about_z = Quaternion([0.0, 0.0, half, half]);
    /// let [x, y, z] = quarter_turn_about_z.rotate([1.0, 0.0, 0.0]);
    /// assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && z == 0.0);
    /// ```
    Quaternion[4]
}

impl<T: Copy + NumOps> Quaternion<T> {
    /// The sum of the squares.
    #[inline]
    pub fn norm_squared(self) -> T {
        let [x, y, z, w] = self.0;
        x * x + y * y + z * z + w * w
    }
}

impl<T: Copy + NumOps + Neg<Output = T>> Quaternion<T> {
    /// With the imaginary part negated: the inverse of a unit quaternion.
    #[inline]
    #[must_use]
    pub fn conjugate(self) -> Self {
        let [x, y, z, w] = self.0;
        Quaternion([-x, -y, -z, w])
    }

    /// One over it, so that the product of both is 1. Of zero: what the scalar's division by zero gives.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Self {
        let norm = self.norm_squared();
        Quaternion(self.conjugate().0.map(|v| v / norm))
    }

    /// `q v q*`: the vector turned by a unit quaternion (any other one also scales it, by its squared norm).
    #[inline]
    #[must_use]
    pub fn rotate(self, [x, y, z]: [T; 3]) -> [T; 3]
    where
        T: Zero,
    {
        let [x, y, z, _] = (self * Quaternion([x, y, z, T::zero()]) * self.conjugate()).0;
        [x, y, z]
    }
}

impl<T: Copy + NumOps> Mul for Quaternion<T> {
    type Output = Self;

    /// Hamilton's product: `i j = k`, `j k = i`, `k i = j`, `i² = j² = k² = -1`. The turn of `other` comes first.
    #[inline]
    fn mul(self, other: Self) -> Self {
        let ([x, y, z, w], [a, b, c, d]) = (self.0, other.0);
        Quaternion([
            w * a + x * d + y * c - z * b,
            w * b + y * d + z * a - x * c,
            w * c + z * d + x * b - y * a,
            w * d - x * a - y * b - z * c,
        ])
    }
}

impl<T: Copy + NumOps> Add for Quaternion<T> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Quaternion(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<T: Copy + NumOps> Sub for Quaternion<T> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Quaternion(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<T: Copy + Neg<Output = T>> Neg for Quaternion<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Quaternion(self.0.map(T::neg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hamiltons_rules() {
        let [i, j, k, one] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]].map(Quaternion);
        assert_eq!((i * j, j * k, k * i), (k, i, j));
        assert_eq!((j * i, k * j, i * k), (-k, -i, -j));
        assert_eq!((i * i, j * j, k * k, i * j * k), (-one, -one, -one, -one));
        for q in [i, j, k, one] {
            assert_eq!((q * one, one * q, q * q.conjugate()), (q, q, one));
        }
        assert_eq!(i + j - k, Quaternion([1, 1, -1, 0]));
    }

    #[test]
    fn norms_multiply() {
        let (p, q) = (Quaternion([1, -2, 3, 4]), Quaternion([5, 6, -7, 8]));
        assert_eq!((p.norm_squared(), q.norm_squared()), (30, 174));
        assert_eq!((p * q).norm_squared(), 30 * 174);
        let r = Quaternion([1.0, -1.0, 1.0, 1.0]);
        assert_eq!(r.inverse() * r, Quaternion([0.0, 0.0, 0.0, 1.0]));
        // Not a unit: turned by 120 degrees about (1, -1, 1), and scaled by 4.
        assert_eq!(r.rotate([1.0, 0.0, 0.0]), [0.0, 0.0, 4.0]);
    }
}
