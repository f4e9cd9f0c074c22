//! What can be added up.

/// Values that can be added up: numbers (integers wrap) and arrays of them.
pub trait Accumulate: Copy + Send + Sync {
    /// The sum of nothing.
    const ZERO: Self;
    /// Adds to the value.
    fn accumulate(&mut self, other: Self);
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Accumulate for $t {
            const ZERO: Self = 0.0;
            #[inline(always)]
            fn accumulate(&mut self, other: Self) {
                *self += other;
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Accumulate for $t {
            const ZERO: Self = 0;
            #[inline(always)]
            fn accumulate(&mut self, other: Self) {
                *self = self.wrapping_add(other);
            }
        }
    )*};
}

floats!(f32 f64);
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: Accumulate, const N: usize> Accumulate for [T; N] {
    const ZERO: Self = [T::ZERO; N];
    #[inline(always)]
    fn accumulate(&mut self, other: Self) {
        for (sum, x) in self.iter_mut().zip(other) {
            sum.accumulate(x);
        }
    }
}
