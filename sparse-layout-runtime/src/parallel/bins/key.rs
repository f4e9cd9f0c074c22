//! Keys that radix methods can sort.

/// The most lanes a key may have.
pub(super) const MAX_LANES: usize = 16;

/// A key made of unsigned lanes, most significant first.
///
/// The order of keys is the lexicographic order of their lanes, and keys with equal lanes are equal. For a type that
/// is `Ord` the two orders must agree. All integers, `bool`, arrays and tuples of them are such keys, so a block
/// coordinate `[i32; 3]` is one.
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::BinKey;
///
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
/// struct Cell { level: u8, at: [i32; 2] }
///
/// impl BinKey for Cell {
///     const LANES: usize = 3;
///     fn lane(&self, i: usize) -> u64 {
///         if i == 0 { self.level.into() } else { self.at.lane(i - 1) }
///     }
/// }
/// assert!([-1, 7].lane(0) < [0, 7].lane(0));
/// ```
pub trait BinKey: Copy + Send + Sync {
    /// The number of lanes, from 1 to 16.
    const LANES: usize;

    /// Lane `i`, for `i` below [`LANES`](Self::LANES).
    fn lane(&self, i: usize) -> u64;
}

macro_rules! unsigned {
    ($($t:ty)*) => {$(
        impl BinKey for $t {
            const LANES: usize = 1;
            #[inline]
            fn lane(&self, _: usize) -> u64 {
                *self as u64
            }
        }
    )*};
}

macro_rules! signed {
    ($($t:ty)*) => {$(
        impl BinKey for $t {
            const LANES: usize = 1;
            #[inline]
            fn lane(&self, _: usize) -> u64 {
                // The sign bit flipped: negative numbers come first.
                (*self as i64 as u64) ^ (1 << 63)
            }
        }
    )*};
}

unsigned!(bool u8 u16 u32 u64 usize);
signed!(i8 i16 i32 i64 isize);

impl BinKey for u128 {
    const LANES: usize = 2;
    #[inline]
    fn lane(&self, i: usize) -> u64 {
        if i == 0 { (*self >> 64) as u64 } else { *self as u64 }
    }
}

impl BinKey for i128 {
    const LANES: usize = 2;
    #[inline]
    fn lane(&self, i: usize) -> u64 {
        ((*self as u128) ^ (1 << 127)).lane(i)
    }
}

impl<T: BinKey, const D: usize> BinKey for [T; D] {
    const LANES: usize = D * T::LANES;
    #[inline]
    fn lane(&self, i: usize) -> u64 {
        self[i / T::LANES].lane(i % T::LANES)
    }
}

impl<A: BinKey, B: BinKey> BinKey for (A, B) {
    const LANES: usize = A::LANES + B::LANES;
    #[inline]
    fn lane(&self, i: usize) -> u64 {
        if i < A::LANES { self.0.lane(i) } else { self.1.lane(i - A::LANES) }
    }
}

impl<A: BinKey, B: BinKey, C: BinKey> BinKey for (A, B, C) {
    const LANES: usize = A::LANES + B::LANES + C::LANES;
    #[inline]
    fn lane(&self, i: usize) -> u64 {
        if i < A::LANES + B::LANES { (self.0, self.1).lane(i) } else { self.2.lane(i - A::LANES - B::LANES) }
    }
}
