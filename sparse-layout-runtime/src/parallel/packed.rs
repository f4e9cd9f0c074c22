//! Codes that carry the index of their item.

#![forbid(unsafe_code)]

/// A code above the index of its item, in one integer.
pub(super) trait Packed: Copy + Ord + Send + Sync + Default {
    /// Bits of code.
    const CODE_BITS: u32;
    /// Codes past the capacity lose their top bits.
    fn pack(code: u128, index: u32) -> Self;
    fn index(self) -> u32;
    /// Whether the codes are the same.
    fn same_code(self, other: Self) -> bool;
    /// The number of bits of the distance of the codes, from `low` to `self`.
    fn width_from(self, low: Self) -> u32;
    /// The distance of the codes from `low`, shifted right: the low bits of it.
    fn digit(self, low: Self, shift: u32) -> usize;
}

macro_rules! packed {
    ($($t:ty)*) => {$(
        impl Packed for $t {
            const CODE_BITS: u32 = <$t>::BITS - 32;
            #[inline]
            fn pack(code: u128, index: u32) -> Self {
                (code as $t) << 32 | index as $t
            }
            #[inline]
            fn index(self) -> u32 {
                self as u32
            }
            #[inline]
            fn same_code(self, other: Self) -> bool {
                self >> 32 == other >> 32
            }
            #[inline]
            fn width_from(self, low: Self) -> u32 {
                <$t>::BITS - ((self >> 32) - (low >> 32)).leading_zeros()
            }
            #[inline]
            fn digit(self, low: Self, shift: u32) -> usize {
                (((self >> 32).wrapping_sub(low >> 32)) >> shift) as usize
            }
        }
    )*};
}

packed!(u64 u128);
