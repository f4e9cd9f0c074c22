//! The exclusive portal: where single bits and words are written.

use core::fmt;
use core::ops::RangeBounds;

use super::error::{bit_out_of_range, checked_range, range_or_panic, word_out_of_range};
use super::span::Span;
use super::{BitPortal, BitWord, Bits, BitsMut};

/// An exclusive view of a range of bits, aligned to words or not: over a [`BitField`](super::BitField) or a caller's
/// `&mut [u64]`.
///
/// Bits of the storage outside the range never change. It has all methods of [`BitPortal`], those that write, and the
/// whole-field operations; each method that changes a bit or a word through a function returns what was there before.
///
/// ```
/// use sparse_layout_runtime::bits::BitPortalMut;
///
/// let mut mine = [0_u64; 2];
/// let mut bits = BitPortalMut::new(&mut mine, 60, 8);
/// bits.set(0, true);
/// assert_eq!(bits.fetch_or_word::<u8>(0, 0xf0), 0x01);
/// assert_eq!(mine, [0x1 << 60, 0xf]);
/// ```
pub struct BitPortalMut<'a> {
    words: &'a mut [u64],
    span: Span,
}

impl<'a> BitPortalMut<'a> {
    /// The `len` bits of `words` that start at bit `offset` (which may lie beyond the first word).
    ///
    /// # Panics
    /// If `words` does not hold `offset + len` bits.
    #[inline]
    #[track_caller]
    pub fn new(words: &'a mut [u64], offset: usize, len: usize) -> Self {
        let count = words.len();
        match Self::checked_new(words, offset, len) {
            Some(portal) => portal,
            None => panic!("{len} bits from bit {offset} on do not fit in {count} words"),
        }
    }

    /// As [`new`](Self::new), but `None` if `words` does not hold these bits.
    #[inline]
    pub fn checked_new(words: &'a mut [u64], offset: usize, len: usize) -> Option<Self> {
        let (range, span) = Span::locate(words.len(), offset, len)?;
        Some(Self { words: &mut words[range], span })
    }

    /// The same view for reading, for as long as nothing is written.
    #[inline]
    pub fn portal(&self) -> BitPortal<'_> {
        BitPortal::from_parts(self.words, self.span)
    }

    /// The same view for reading, as long as the storage is borrowed.
    #[inline]
    pub fn into_portal(self) -> BitPortal<'a> {
        BitPortal::from_parts(self.words, self.span)
    }

    /// The same view, borrowed from this one.
    #[inline]
    pub fn reborrow(&mut self) -> BitPortalMut<'_> {
        BitPortalMut { words: self.words, span: self.span }
    }

    /// The bits of `range`, as an exclusive view borrowed from this one.
    ///
    /// # Panics
    /// If the range leaves `0..len`.
    #[inline]
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> BitPortalMut<'_> {
        self.reborrow().into_slice(range)
    }

    /// As [`slice_mut`](Self::slice_mut), but `None` if the range leaves `0..len`.
    #[inline]
    pub fn checked_slice_mut(&mut self, range: impl RangeBounds<usize>) -> Option<BitPortalMut<'_>> {
        self.reborrow().checked_into_slice(range)
    }

    /// The bits of `range`, as long as the storage is borrowed.
    ///
    /// # Panics
    /// If the range leaves `0..len`.
    #[inline]
    #[track_caller]
    pub fn into_slice(self, range: impl RangeBounds<usize>) -> Self {
        let (start, len) = range_or_panic(range, self.span.len);
        self.part(start, len)
    }

    /// As [`into_slice`](Self::into_slice), but `None` if the range leaves `0..len`.
    #[inline]
    pub fn checked_into_slice(self, range: impl RangeBounds<usize>) -> Option<Self> {
        let (start, len) = checked_range(range, self.span.len)?;
        Some(self.part(start, len))
    }

    /// The bits before `mid` and the rest, to be written by two threads.
    ///
    /// `None` if `mid > len`, or if the two would share a storage word, which only atomics may do
    /// ([`atomic`](Self::atomic)): a `mid` that is a multiple of 64 in a view that starts at a word is always fine.
    pub fn split_at_mut(self, mid: usize) -> Option<(Self, Self)> {
        if mid == 0 || mid == self.span.len {
            let empty = Self { words: &mut [], span: Span { offset: 0, len: 0 } };
            return Some(if mid == 0 { (empty, self) } else { (self, empty) });
        }
        let at = self.span.offset + mid;
        if mid > self.span.len || !at.is_multiple_of(64) {
            return None;
        }
        let (left, right) = self.words.split_at_mut(at / 64);
        let spans = [Span { offset: self.span.offset, len: mid }, Span { offset: 0, len: self.span.len - mid }];
        Some((Self { words: left, span: spans[0] }, Self { words: right, span: spans[1] }))
    }

    /// Sets bit `index` to `bit`.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn set(&mut self, index: usize, bit: bool) {
        if self.checked_set(index, bit).is_none() {
            bit_out_of_range(index, self.span.len);
        }
    }

    /// As [`set`](Self::set), but `None`, without effect, if `index >= len`.
    #[inline]
    #[must_use = "None says that nothing was set"]
    pub fn checked_set(&mut self, index: usize, bit: bool) -> Option<()> {
        self.update_bit(index, |_| bit).map(drop)
    }

    /// Replaces word `index`; bits past the end of the view are dropped.
    ///
    /// # Panics
    /// If there is no word `index`.
    #[inline]
    #[track_caller]
    pub fn set_word<W: BitWord>(&mut self, index: usize, word: W) {
        if self.checked_set_word(index, word).is_none() {
            word_out_of_range(index, W::BITS, self.span.len);
        }
    }

    /// As [`set_word`](Self::set_word), but `None`, without effect, if there is no word `index`.
    #[inline]
    #[must_use = "None says that nothing was set"]
    pub fn checked_set_word<W: BitWord>(&mut self, index: usize, word: W) -> Option<()> {
        let bits = self.span.bits_in_word(index, W::BITS);
        if bits == 0 {
            return None;
        }
        let start = index * W::BITS as usize;
        let (low, high) = word.halves();
        self.write(start, bits.min(64), low);
        if bits > 64 {
            self.write(start + 64, bits - 64, high);
        }
        Some(())
    }

    /// Sets bit `index` to `new` if it is `current`: `Ok` with the old bit if it was, `Err` with it if not.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn compare_exchange(&mut self, index: usize, current: bool, new: bool) -> Result<bool, bool> {
        let old = self.fetch_update(index, |old| if old == current { new } else { old });
        if old == current { Ok(old) } else { Err(old) }
    }

    /// Replaces word `index` by `new` if it is `current`: `Ok` with the old word if it was, `Err` with it if not.
    ///
    /// # Panics
    /// If there is no word `index`.
    #[inline]
    #[track_caller]
    pub fn compare_exchange_word<W: BitWord>(&mut self, index: usize, current: W, new: W) -> Result<W, W> {
        let old = self.fetch_update_word(index, |old: W| if old == current { new } else { old });
        if old == current { Ok(old) } else { Err(old) }
    }

    /// Changes bit `index` by a function of it and returns the old one.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn fetch_update(&mut self, index: usize, change: impl FnOnce(bool) -> bool) -> bool {
        match self.update_bit(index, change) {
            Some(old) => old,
            None => bit_out_of_range(index, self.span.len),
        }
    }

    /// Changes word `index` by a function of it and returns the old one; bits past the end are 0 in and dropped out.
    ///
    /// # Panics
    /// If there is no word `index`.
    #[inline]
    #[track_caller]
    pub fn fetch_update_word<W: BitWord>(&mut self, index: usize, change: impl FnOnce(W) -> W) -> W {
        let old = self.portal().word(index);
        self.set_word(index, change(old));
        old
    }

    /// Checks the structure's own invariants.
    ///
    /// # Panics
    /// If one does not hold: a bug in this crate.
    #[doc(hidden)]
    pub fn internal_validate(&self) {
        self.span.validate(self.words.len());
    }

    #[inline]
    fn update_bit(&mut self, index: usize, change: impl FnOnce(bool) -> bool) -> Option<bool> {
        if index >= self.span.len {
            return None;
        }
        let at = self.span.offset + index;
        debug_assert!(at / 64 < self.words.len());
        // SAFETY: index < len, and the span's invariant is that `words` holds offset + len bits (`Span::locate`).
        let word = unsafe { self.words.get_unchecked_mut(at / 64) };
        let old = *word >> (at % 64) & 1 != 0;
        *word = *word & !(1 << (at % 64)) | u64::from(change(old)) << (at % 64);
        Some(old)
    }

    /// Writes the low `bits` (1 to 64) bits of `value` from bit `start` on; `start + bits <= len`.
    #[inline]
    pub(super) fn write(&mut self, start: usize, bits: u32, value: u64) {
        debug_assert!((1..=64).contains(&bits) && start + bits as usize <= self.span.len);
        let at = self.span.offset + start;
        let shift = (at % 64) as u32;
        let mask = u64::low_mask(bits);
        let value = value & mask;
        let word = &mut self.words[at / 64];
        *word = *word & !(mask << shift) | value << shift;
        if shift + bits > 64 {
            let word = &mut self.words[at / 64 + 1];
            *word = *word & !(mask >> (64 - shift)) | value >> (64 - shift);
        }
    }

    #[inline]
    fn part(self, start: usize, len: usize) -> Self {
        let (range, span) = Span::locate(self.words.len(), self.span.offset + start, len).expect("a part of the view");
        Self { words: &mut self.words[range], span }
    }

    /// The words of the storage that hold a bit of the view, and where in them it lies.
    #[inline]
    pub(super) fn raw_mut(&mut self) -> (&mut [u64], Span) {
        (self.words, self.span)
    }

    #[cfg(any(not(loom), feature = "bitvec"))]
    #[inline]
    pub(super) fn into_raw(self) -> (&'a mut [u64], Span) {
        (self.words, self.span)
    }
}

macro_rules! fetch {
    ($($name:ident, $name_word:ident, $what:literal, |$old:ident, $with:ident| $new:expr;)*) => {
        impl BitPortalMut<'_> {$(
            #[doc = concat!($what, " bit `index`; returns the old bit.")]
            ///
            /// # Panics
            /// If `index >= len`.
            #[inline]
            #[track_caller]
            pub fn $name(&mut self, index: usize, $with: bool) -> bool {
                self.fetch_update(index, |$old| $new)
            }

            #[doc = concat!($what, " word `index`; returns the old word. Bits past the end are dropped.")]
            ///
            /// # Panics
            /// If there is no word `index`.
            #[inline]
            #[track_caller]
            pub fn $name_word<W: BitWord>(&mut self, index: usize, $with: W) -> W {
                self.fetch_update_word(index, |$old: W| $new)
            }
        )*}
    };
}

fetch! {
    replace, replace_word, "Replaces", |_old, with| with;
    swap, swap_word, "Replaces (the shared portal's name for `replace`)", |_old, with| with;
    fetch_and, fetch_and_word, "Ands `with` into", |old, with| old & with;
    fetch_or, fetch_or_word, "Ors `with` into", |old, with| old | with;
    fetch_xor, fetch_xor_word, "Xors `with` into", |old, with| old ^ with;
}

impl BitPortalMut<'_> {
    /// Inverts bit `index`; returns the old bit.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn fetch_not(&mut self, index: usize) -> bool {
        self.fetch_update(index, |old| !old)
    }

    /// Inverts word `index`, as far as it belongs to the view; returns the old word.
    ///
    /// # Panics
    /// If there is no word `index`.
    #[inline]
    #[track_caller]
    pub fn fetch_not_word<W: BitWord>(&mut self, index: usize) -> W {
        self.fetch_update_word(index, |old: W| !old)
    }

    /// Inverts bit `index`; returns the old bit: `fetch_not` by its everyday name.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn flip(&mut self, index: usize) -> bool {
        self.fetch_not(index)
    }

    /// As [`replace`](Self::replace), but `None`, without effect, if `index >= len`.
    #[inline]
    pub fn checked_replace(&mut self, index: usize, with: bool) -> Option<bool> {
        self.update_bit(index, |_| with)
    }

    /// As [`flip`](Self::flip), but `None`, without effect, if `index >= len`.
    #[inline]
    pub fn checked_flip(&mut self, index: usize) -> Option<bool> {
        self.update_bit(index, |old| !old)
    }
}

impl Bits for BitPortalMut<'_> {
    #[inline]
    fn portal(&self) -> BitPortal<'_> {
        BitPortalMut::portal(self)
    }
}

impl BitsMut for BitPortalMut<'_> {
    #[inline]
    fn portal_mut(&mut self) -> BitPortalMut<'_> {
        self.reborrow()
    }
}

impl<'a> From<&'a mut [u64]> for BitPortalMut<'a> {
    /// All bits of the words.
    #[inline]
    fn from(words: &'a mut [u64]) -> Self {
        let len = words.len() * 64;
        Self::new(words, 0, len)
    }
}

/// By value: the same length and the same bits, wherever they lie.
impl<T: Bits> PartialEq<T> for BitPortalMut<'_> {
    fn eq(&self, other: &T) -> bool {
        self.portal().same_bits(other.portal())
    }
}

impl Eq for BitPortalMut<'_> {}

/// A summary, never the bits.
impl fmt::Debug for BitPortalMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitPortalMut").field("len", &self.span.len).field("ones", &self.count_ones()).finish()
    }
}
