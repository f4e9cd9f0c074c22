//! Matrices, column by column.

use super::describe::Described;
use super::kind::Semantic;
use super::scalar::ScalarElement;
use num_traits::{NumOps, One, Zero};
use std::ops::{Add, Mul, Sub};

/// A matrix of `R` rows and `C` columns, **column-major**: lane `c * R + r` is the entry in row `r` and column `c`.
///
/// ```
/// use sparse_layout_runtime::semantic::Mat34;
/// let m = Mat34::from_rows([[1, 0, 0, 10], [0, 1, 0, 20], [0, 0, 1, 30]]);
/// assert_eq!(bytemuck::cast::<_, [i32; 12]>(m), [1, 0, 0, 0, 1, 0, 0, 0, 1, 10, 20, 30]);
/// assert_eq!(m * [1, 2, 3, 1], [11, 22, 33]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Matrix<T, const R: usize, const C: usize>(
    /// The columns.
    pub [[T; R]; C],
);

/// 2 rows, 2 columns, column-major.
pub type Mat22<T> = Matrix<T, 2, 2>;
/// 3 rows, 3 columns, column-major.
pub type Mat33<T> = Matrix<T, 3, 3>;
/// 3 rows, 4 columns, column-major: an affine map of space, the translation last.
pub type Mat34<T> = Matrix<T, 3, 4>;
/// 4 rows, 4 columns, column-major.
pub type Mat44<T> = Matrix<T, 4, 4>;

// SAFETY: `repr(transparent)` over arrays of `T`: all zeros are a value, as they are of `T`.
unsafe impl<T: bytemuck::Zeroable, const R: usize, const C: usize> bytemuck::Zeroable for Matrix<T, R, C> {}
// SAFETY: `repr(transparent)` over arrays of `T`: no padding, any bits are a value, as they are of `T`.
unsafe impl<T: bytemuck::Pod, const R: usize, const C: usize> bytemuck::Pod for Matrix<T, R, C> {}

impl<T: ScalarElement, const R: usize, const C: usize> Described for Matrix<T, R, C> {
    type Scalar = T;
    const SEMANTIC: Semantic = Semantic::of_matrix(R, C);
}

impl<T: crate::element::Element, const R: usize, const C: usize> crate::field::Components for Matrix<T, R, C> {
    type Component = T;
    const COUNT: usize = R * C;
}

impl<T: Default + Copy, const R: usize, const C: usize> Default for Matrix<T, R, C> {
    fn default() -> Self {
        Matrix([[T::default(); R]; C])
    }
}

impl<T, const R: usize, const C: usize> From<[[T; R]; C]> for Matrix<T, R, C> {
    /// From its columns.
    fn from(columns: [[T; R]; C]) -> Self {
        Matrix(columns)
    }
}

impl<T: Copy, const R: usize, const C: usize> Matrix<T, R, C> {
    /// From its rows, as one writes it.
    #[must_use]
    pub fn from_rows(rows: [[T; C]; R]) -> Self {
        Self::from_fn(|r, c| rows[r][c])
    }

    /// The matrix with `f(r, c)` in row `r` and column `c`.
    #[must_use]
    pub fn from_fn(mut f: impl FnMut(usize, usize) -> T) -> Self {
        Matrix(std::array::from_fn(|c| std::array::from_fn(|r| f(r, c))))
    }

    /// Its rows.
    #[must_use]
    pub fn rows(self) -> [[T; C]; R] {
        self.transpose().0
    }

    /// The entry in row `r` and column `c`.
    ///
    /// # Panics
    /// If there is no such row or column.
    #[inline]
    #[must_use]
    pub fn at(&self, r: usize, c: usize) -> T {
        self.0[c][r]
    }

    /// Rows become columns.
    #[must_use]
    pub fn transpose(self) -> Matrix<T, C, R> {
        Matrix::from_fn(|r, c| self.at(c, r))
    }
}

impl<T: Copy + Zero + One, const N: usize> Matrix<T, N, N> {
    /// Ones on the diagonal, zeros elsewhere.
    #[must_use]
    pub fn identity() -> Self {
        Matrix::from_fn(|r, c| if r == c { T::one() } else { T::zero() })
    }
}

impl<T: Copy + NumOps + Zero, const R: usize, const C: usize> Mul<[T; C]> for Matrix<T, R, C> {
    type Output = [T; R];

    fn mul(self, v: [T; C]) -> [T; R] {
        std::array::from_fn(|r| (0..C).fold(T::zero(), |sum, c| sum + self.at(r, c) * v[c]))
    }
}

impl<T: Copy + NumOps + Zero, const R: usize, const C: usize, const K: usize> Mul<Matrix<T, C, K>> for Matrix<T, R, C> {
    type Output = Matrix<T, R, K>;

    fn mul(self, m: Matrix<T, C, K>) -> Matrix<T, R, K> {
        Matrix(m.0.map(|column| self * column))
    }
}

impl<T: Copy + Add<Output = T>, const R: usize, const C: usize> Add for Matrix<T, R, C> {
    type Output = Self;

    fn add(self, m: Self) -> Self {
        Matrix::from_fn(|r, c| self.at(r, c) + m.at(r, c))
    }
}

impl<T: Copy + Sub<Output = T>, const R: usize, const C: usize> Sub for Matrix<T, R, C> {
    type Output = Self;

    fn sub(self, m: Self) -> Self {
        Matrix::from_fn(|r, c| self.at(r, c) - m.at(r, c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_hand() {
        let a = Mat22::from_rows([[1, 2], [3, 4]]);
        let b = Mat22::from_rows([[5, 6], [7, 8]]);
        assert_eq!((a * b).rows(), [[19, 22], [43, 50]]);
        assert_eq!((b * a).rows(), [[23, 34], [31, 46]]);
        assert_eq!((a + b).rows(), [[6, 8], [10, 12]]);
        assert_eq!((b - a).rows(), [[4, 4], [4, 4]]);
        assert_eq!(a * [10, 100], [210, 430]);
        assert_eq!(a * Mat22::identity(), a);
        let m = Mat34::from_rows([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
        assert_eq!(m.transpose().rows(), [[1, 5, 9], [2, 6, 10], [3, 7, 11], [4, 8, 12]]);
        assert_eq!(Mat33::identity() * m * Mat44::identity(), m);
        assert_eq!((m.at(0, 3), m.at(2, 0), m.0[3]), (4, 9, [4, 8, 12]));
        assert_eq!(<Mat33<i32>>::default().0, [[0; 3]; 3]);
    }
}
