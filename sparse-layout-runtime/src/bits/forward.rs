//! The portals' methods as methods of what a portal is taken from, so that no trait need be imported.

use core::ops::RangeBounds;

use super::kernel::BitIndex;
use super::{
    BitField, BitPortal, BitPortalMut, BitWord, Bits, BitsMut, Iter, LengthMismatch, Ones, ParOnes, ParRuns, RankIndex,
    Runs,
};

/// `$owner { fn name[generics](args) -> result; }` as calls of the same method on `self.$portal()`.
macro_rules! forward {
    ($owner:ty, $portal:ident, $target:literal, $this:ty {
        $($name:ident $([$($generics:tt)*])? ($($arg:ident: $type:ty),*) $(-> $result:ty)?;)*
    }) => {
        impl $owner {$(
            #[doc = concat!("As [`", $target, "::", stringify!($name), "`].")]
            #[inline]
            #[track_caller]
            pub fn $name $(<$($generics)*>)? (self: $this, $($arg: $type),*) $(-> $result)? {
                self.$portal().$name($($arg),*)
            }
        )*}
    };
}

macro_rules! forward_read {
    ($owner:ty) => {
        forward! { $owner, portal, "BitPortal", &Self {
            len() -> usize;
            is_empty() -> bool;
            get(index: usize) -> bool;
            checked_get(index: usize) -> Option<bool>;
            word[W: BitWord](index: usize) -> W;
            checked_word[W: BitWord](index: usize) -> Option<W>;
            slice(range: impl RangeBounds<usize>) -> BitPortal<'_>;
            checked_slice(range: impl RangeBounds<usize>) -> Option<BitPortal<'_>>;
            to_field() -> BitField;
            count_ones() -> usize;
            count_zeros() -> usize;
            count_ones_in(range: impl RangeBounds<usize>) -> usize;
            checked_count_ones_in(range: impl RangeBounds<usize>) -> Option<usize>;
            any() -> bool;
            all() -> bool;
            first_set() -> Option<usize>;
            last_set() -> Option<usize>;
            next_set_from(index: usize) -> Option<usize>;
            next_clear_from(index: usize) -> Option<usize>;
            leading_zeros() -> usize;
            trailing_zeros() -> usize;
            rank(index: usize) -> usize;
            checked_rank(index: usize) -> Option<usize>;
            select(nth: usize) -> Option<usize>;
            rank_index() -> RankIndex<'_>;
            to_bools() -> Vec<bool>;
            iter() -> Iter<'_>;
            iter_ones() -> Ones<'_>;
            par_iter_ones() -> ParOnes<'_>;
            iter_runs() -> Runs<'_>;
            par_iter_runs() -> ParRuns<'_>;
            set_indices[I: BitIndex]() -> Vec<I>;
            set_indices_into[I: BitIndex](out: &mut Vec<I>);
            and_into(other: &(impl Bits + ?Sized), out: &mut (impl BitsMut + ?Sized)) -> Result<(), LengthMismatch>;
            or_into(other: &(impl Bits + ?Sized), out: &mut (impl BitsMut + ?Sized)) -> Result<(), LengthMismatch>;
            xor_into(other: &(impl Bits + ?Sized), out: &mut (impl BitsMut + ?Sized)) -> Result<(), LengthMismatch>;
            and_not_into(other: &(impl Bits + ?Sized), out: &mut (impl BitsMut + ?Sized)) -> Result<(), LengthMismatch>;
            not_into(out: &mut (impl BitsMut + ?Sized)) -> Result<(), LengthMismatch>;
        } }

        impl $owner {
            /// As [`BitPortal::word_count`].
            #[inline]
            pub fn word_count<W: BitWord>(&self) -> usize {
                self.portal().word_count::<W>()
            }
        }
    };
}

forward_read!(BitField);
forward_read!(BitPortalMut<'_>);

forward! { BitField, portal_mut, "BitPortalMut", &mut Self {
    set(index: usize, bit: bool);
    checked_set(index: usize, bit: bool) -> Option<()>;
    replace(index: usize, with: bool) -> bool;
    checked_replace(index: usize, with: bool) -> Option<bool>;
    swap(index: usize, with: bool) -> bool;
    flip(index: usize) -> bool;
    checked_flip(index: usize) -> Option<bool>;
    fetch_and(index: usize, with: bool) -> bool;
    fetch_or(index: usize, with: bool) -> bool;
    fetch_xor(index: usize, with: bool) -> bool;
    fetch_not(index: usize) -> bool;
    fetch_update(index: usize, change: impl FnOnce(bool) -> bool) -> bool;
    compare_exchange(index: usize, current: bool, new: bool) -> Result<bool, bool>;
    set_word[W: BitWord](index: usize, word: W);
    checked_set_word[W: BitWord](index: usize, word: W) -> Option<()>;
    replace_word[W: BitWord](index: usize, with: W) -> W;
    swap_word[W: BitWord](index: usize, with: W) -> W;
    fetch_and_word[W: BitWord](index: usize, with: W) -> W;
    fetch_or_word[W: BitWord](index: usize, with: W) -> W;
    fetch_xor_word[W: BitWord](index: usize, with: W) -> W;
    fetch_not_word[W: BitWord](index: usize) -> W;
    fetch_update_word[W: BitWord](index: usize, change: impl FnOnce(W) -> W) -> W;
    compare_exchange_word[W: BitWord](index: usize, current: W, new: W) -> Result<W, W>;
    fill(bit: bool);
    fill_word[W: BitWord](word: W);
    fill_range(range: impl RangeBounds<usize>, bit: bool);
    checked_fill_range(range: impl RangeBounds<usize>, bit: bool) -> Option<()>;
    fill_range_word[W: BitWord](range: impl RangeBounds<usize>, word: W);
    copy_from(other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch>;
    not_assign();
    and_assign(other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch>;
    or_assign(other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch>;
    xor_assign(other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch>;
    and_not_assign(other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch>;
} }

impl BitField {
    /// As [`BitPortalMut::slice_mut`].
    #[inline]
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> BitPortalMut<'_> {
        self.portal_mut().into_slice(range)
    }

    /// As [`BitPortalMut::checked_slice_mut`].
    #[inline]
    pub fn checked_slice_mut(&mut self, range: impl RangeBounds<usize>) -> Option<BitPortalMut<'_>> {
        self.portal_mut().checked_into_slice(range)
    }
}

#[cfg(not(loom))]
impl BitField {
    /// The bits for many threads at once.
    #[inline]
    pub fn atomic(&mut self) -> super::AtomicBitPortal<'_> {
        self.portal_mut().into_atomic()
    }
}
