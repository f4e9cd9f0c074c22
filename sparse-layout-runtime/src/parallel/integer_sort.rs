//! Sorting integers of any range, through the `rdst` radix sort.

#![forbid(unsafe_code)]

use rdst::RadixSort;

/// An integer that [`sort_integers`] sorts. Sealed: the sorting crate is no part of this interface.
pub trait SortInteger: sealed::Sealed + Copy + Send + Sync {}

mod sealed {
    pub trait Sealed: Sized {
        fn sort(data: &mut [Self]);
    }
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl SortInteger for $t {}
        impl sealed::Sealed for $t {
            fn sort(data: &mut [Self]) {
                data.radix_sort_unstable();
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Sorts integers, ascending, in parallel. (Equal integers cannot be told apart, so stability means nothing here; to
/// sort items by an integer use [`counting_sort_by_key`](super::counting_sort_by_key) or
/// [`bin_by_key`](super::bin_by_key).)
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::sort_integers;
///
/// let mut v = [3, -1, i32::MIN, 2];
/// sort_integers(&mut v);
/// assert_eq!(v, [i32::MIN, -1, 2, 3]);
/// ```
pub fn sort_integers<T: SortInteger>(data: &mut [T]) {
    T::sort(data);
}
