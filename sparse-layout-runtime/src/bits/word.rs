//! Words: the unsigned integers through which a portal may be read or written.

use core::fmt::{Binary, Debug, LowerHex};
use core::hash::Hash;
use core::ops::{BitAnd, BitOr, BitXor, Not};

mod sealed {
    pub trait Sealed {}
}

/// The word that the storage and all whole-field operations use.
pub type PreferredWord = u64;

/// An unsigned integer used as a word of bits: `u8`, `u16`, `u32`, `u64` or `u128`.
///
/// Bit `i` of word `w` is bit `BITS * w + i` of the portal, counted from the least significant bit, on machines of any
/// byte order. The trait also carries the word helpers, under one name for every width.
///
/// ```
/// use sparse_layout_runtime::bits::BitWord;
///
/// assert_eq!(BitWord::first_set(0x80_u8), Some(7));
/// assert_eq!(BitWord::first_set(0_u32), None);
/// assert_eq!(BitWord::leading_zeros(1_u8), 7);
/// assert_eq!(BitWord::count_ones(u128::MAX), 128);
/// assert_eq!(u32::final_mask(70), 0x3f);
/// ```
pub trait BitWord:
    sealed::Sealed
    + Copy
    + Ord
    + Hash
    + Debug
    + Default
    + Binary
    + LowerHex
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Number of bits.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;
    /// Every bit set.
    const MAX: Self;

    /// Number of set bits.
    fn count_ones(self) -> u32;

    /// Position of the lowest set bit, from 0; `None` if there is none.
    fn first_set(self) -> Option<u32>;

    /// Position of the highest set bit, from 0; `None` if there is none.
    fn last_set(self) -> Option<u32>;

    /// Number of zeros above the highest set bit; `BITS` for zero.
    fn leading_zeros(self) -> u32;

    /// Number of zeros below the lowest set bit; `BITS` for zero.
    fn trailing_zeros(self) -> u32;

    /// The lowest `bits` bits set, all of them if `bits >= BITS`.
    fn low_mask(bits: u32) -> Self;

    /// The bits that exist in the last word of a field of `len` bits: all for a whole number of words, none for no bits.
    #[inline]
    fn final_mask(len: usize) -> Self {
        match (len % Self::BITS as usize) as u32 {
            0 if len == 0 => Self::ZERO,
            0 => Self::MAX,
            rest => Self::low_mask(rest),
        }
    }

    /// Number of words that hold `len` bits.
    #[inline]
    fn words_for(len: usize) -> usize {
        len.div_ceil(Self::BITS as usize)
    }

    /// The low and the high 64 bits (the high ones are zero but for `u128`).
    #[doc(hidden)]
    fn halves(self) -> (u64, u64);

    /// The inverse of `halves`; what does not fit is dropped.
    #[doc(hidden)]
    fn from_halves(low: u64, high: u64) -> Self;
}

macro_rules! bit_word {
    ($($word:ty, $high:expr, $join:expr;)*) => {$(
        impl sealed::Sealed for $word {}

        impl BitWord for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const MAX: Self = <$word>::MAX;

            #[inline]
            fn count_ones(self) -> u32 {
                <$word>::count_ones(self)
            }
            #[inline]
            fn first_set(self) -> Option<u32> {
                (self != 0).then(|| <$word>::trailing_zeros(self))
            }
            #[inline]
            fn last_set(self) -> Option<u32> {
                self.checked_ilog2()
            }
            #[inline]
            fn leading_zeros(self) -> u32 {
                <$word>::leading_zeros(self)
            }
            #[inline]
            fn trailing_zeros(self) -> u32 {
                <$word>::trailing_zeros(self)
            }
            #[inline]
            fn low_mask(bits: u32) -> Self {
                !<$word>::MAX.checked_shl(bits).unwrap_or(0)
            }
            #[inline]
            fn halves(self) -> (u64, u64) {
                (self as u64, $high(self))
            }
            #[inline]
            fn from_halves(low: u64, high: u64) -> Self {
                $join(low, high)
            }
        }
    )*};
}

bit_word! {
    u8, |_| 0, |low, _| low as u8;
    u16, |_| 0, |low, _| low as u16;
    u32, |_| 0, |low, _| low as u32;
    u64, |_| 0, |low, _| low;
    u128, |word: u128| (word >> 64) as u64, |low, high| u128::from(high) << 64 | u128::from(low);
}

/// A word that shared portals can access atomically: `u8` to `u64`.
///
/// The storage is made of 64-bit atomics only; narrower words are masked operations on them, because Rust forbids racing
/// atomic accesses of different sizes to the same bytes.
///
/// ```compile_fail,E0277
/// use sparse_layout_runtime::bits::BitField;
///
/// let mut field = BitField::new(256);
/// field.atomic().fetch_or_word::<u128>(0, 1); // wider than the storage: u128 is no AtomicBitWord
/// ```
pub trait AtomicBitWord: BitWord {}

impl AtomicBitWord for u8 {}
impl AtomicBitWord for u16 {}
impl AtomicBitWord for u32 {}
impl AtomicBitWord for u64 {}
