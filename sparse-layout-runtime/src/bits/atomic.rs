//! The shared portal: bits and words that many threads read and write at once.

use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeBounds;

use super::error::{bit_out_of_range, checked_range, range_or_panic, word_out_of_range};
use super::slot::{AtomicU64, Slot};
use super::span::Span;
use super::{AtomicBitWord, MemoryOrder, Ordered, Relaxed};

/// A view of a range of bits that many threads may read and write at once: `Copy`, `Send`, `Sync`, and all methods take
/// it by value.
///
/// Taken from an exclusive borrow ([`BitField::atomic`](super::BitField::atomic),
/// [`BitPortalMut::atomic`](super::BitPortalMut::atomic)), or from words that are atomics already. All accesses are to
/// whole `AtomicU64`; a narrower word is a masked operation on one, and bits outside the range never change.
///
/// **Memory order**, at least: reads are `Acquire`, `set` and `set_word` are `Release`, all that read and write are
/// `SeqCst`, also a `compare_exchange` that fails. [`relaxed`](Self::relaxed) gives a view with the same methods and no
/// order at all.
///
/// Each operation is lock-free; all but `compare_exchange` and the mixed values of `swap_word` and `set_word` on words
/// narrower than 64 bits are wait-free where the processor's are.
///
/// ```
/// use sparse_layout_runtime::bits::BitField;
///
/// let mut field = BitField::new(100);
/// let bits = field.atomic();
/// bits.set_word::<u8>(1, 0b1100);
/// assert_eq!(bits.fetch_and_word::<u8>(1, 0b1010), 0b1100);
/// assert_eq!(bits.word::<u8>(1), 0b1000);
/// assert_eq!(bits.compare_exchange_word::<u8>(1, 0b0001, 0xff), Err(0b1000));
/// assert!(!bits.fetch_or(99, true));
/// assert_eq!(field.count_ones(), 2);
/// ```
///
/// As long as it lives, nothing reads the field without atomics:
///
/// ```compile_fail,E0502
/// use sparse_layout_runtime::bits::BitField;
///
/// let mut field = BitField::new(8);
/// let shared = field.atomic();
/// let plain = field.get(0);
/// shared.set(0, plain);
/// ```
pub struct AtomicBitPortal<'a, O: MemoryOrder = Ordered> {
    words: &'a [AtomicU64],
    span: Span,
    order: PhantomData<O>,
}

impl<O: MemoryOrder> Clone for AtomicBitPortal<'_, O> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<O: MemoryOrder> Copy for AtomicBitPortal<'_, O> {}

impl<'a> AtomicBitPortal<'a> {
    /// The `len` bits of `words` that start at bit `offset` (which may lie beyond the first word).
    ///
    /// # Panics
    /// If `words` does not hold `offset + len` bits.
    #[inline]
    #[track_caller]
    pub fn new(words: &'a [AtomicU64], offset: usize, len: usize) -> Self {
        match Self::checked_new(words, offset, len) {
            Some(portal) => portal,
            None => panic!("{len} bits from bit {offset} on do not fit in {} words", words.len()),
        }
    }

    /// As [`new`](Self::new), but `None` if `words` does not hold these bits.
    #[inline]
    pub fn checked_new(words: &'a [AtomicU64], offset: usize, len: usize) -> Option<Self> {
        let (range, span) = Span::locate(words.len(), offset, len)?;
        Some(Self { words: &words[range], span, order: PhantomData })
    }

    /// The same bits without any memory order: see [`Relaxed`].
    #[inline]
    pub fn relaxed(self) -> AtomicBitPortal<'a, Relaxed> {
        AtomicBitPortal { words: self.words, span: self.span, order: PhantomData }
    }
}

#[cfg(not(loom))]
impl<'a> super::BitPortalMut<'a> {
    /// The same bits for many threads, for as long as this view is borrowed.
    #[inline]
    pub fn atomic(&mut self) -> AtomicBitPortal<'_> {
        self.reborrow().into_atomic()
    }

    /// The same bits for many threads, as long as the storage is borrowed.
    ///
    /// # Panics
    /// If the words are not aligned for `AtomicU64`: only on targets that align `u64` to less (32-bit x86).
    #[inline]
    pub fn into_atomic(self) -> AtomicBitPortal<'a> {
        let (words, span) = self.into_raw();
        let (start, count) = (words.as_mut_ptr().cast::<AtomicU64>(), words.len());
        assert!(start.is_aligned(), "the words are not aligned for atomic access");
        // SAFETY: AtomicU64 has the size and bit validity of u64; alignment is checked; `words` was the only reference
        // to this memory for 'a and is given up, so that all accesses during 'a go through these atomics.
        let words = unsafe { core::slice::from_raw_parts(start.cast_const(), count) };
        AtomicBitPortal { words, span, order: PhantomData }
    }
}

impl<'a, O: MemoryOrder> AtomicBitPortal<'a, O> {
    /// Number of bits.
    #[inline]
    pub fn len(self) -> usize {
        self.span.len
    }

    /// Whether there are no bits at all (not: none set).
    #[inline]
    pub fn is_empty(self) -> bool {
        self.span.len == 0
    }

    /// Number of words of type `W` that hold all bits.
    #[inline]
    pub fn word_count<W: AtomicBitWord>(self) -> usize {
        W::words_for(self.len())
    }

    /// Whether words of type `W` can be used: each must lie inside one storage word, so a view must start at a multiple
    /// of the width. A whole field always does. Bits can always be used.
    #[inline]
    pub fn has_words<W: AtomicBitWord>(self) -> bool {
        self.span.offset.is_multiple_of(W::BITS as usize)
    }

    /// The bits of `range`, as a view.
    ///
    /// # Panics
    /// If the range leaves `0..len`.
    #[inline]
    #[track_caller]
    pub fn slice(self, range: impl RangeBounds<usize>) -> Self {
        let (start, len) = range_or_panic(range, self.len());
        self.part(start, len)
    }

    /// As [`slice`](Self::slice), but `None` if the range leaves `0..len`.
    #[inline]
    pub fn checked_slice(self, range: impl RangeBounds<usize>) -> Option<Self> {
        let (start, len) = checked_range(range, self.len())?;
        Some(self.part(start, len))
    }

    /// Checks the structure's own invariants.
    ///
    /// # Panics
    /// If one does not hold: a bug in this crate.
    #[doc(hidden)]
    pub fn internal_validate(self) {
        self.span.validate(self.words.len());
    }

    #[inline]
    fn part(self, start: usize, len: usize) -> Self {
        let (range, span) = Span::locate(self.words.len(), self.span.offset + start, len).expect("a part of the view");
        Self { words: &self.words[range], span, order: PhantomData }
    }

    #[inline]
    pub(super) fn checked_bit(self, index: usize) -> Option<Slot<'a, O>> {
        if index >= self.span.len {
            return None;
        }
        let at = self.span.offset + index;
        Some(Slot::new(&self.words[at / 64], (at % 64) as u32, 1))
    }

    #[inline]
    #[track_caller]
    pub(super) fn bit(self, index: usize) -> Slot<'a, O> {
        match self.checked_bit(index) {
            Some(slot) => slot,
            None => bit_out_of_range(index, self.len()),
        }
    }

    #[inline]
    pub(super) fn checked_slot<W: AtomicBitWord>(self, index: usize) -> Option<Slot<'a, O>> {
        let bits = self.span.bits_in_word(index, W::BITS);
        if bits == 0 || !self.has_words::<W>() {
            return None;
        }
        let at = self.span.offset + index * W::BITS as usize;
        let mask = <u64 as super::BitWord>::low_mask(bits);
        Some(Slot::new(&self.words[at / 64], (at % 64) as u32, mask))
    }

    #[inline]
    #[track_caller]
    pub(super) fn slot<W: AtomicBitWord>(self, index: usize) -> Slot<'a, O> {
        match self.checked_slot::<W>(index) {
            Some(slot) => slot,
            None if !self.has_words::<W>() => straddles(W::BITS, self.span.offset),
            None => word_out_of_range(index, W::BITS, self.len()),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn straddles(width: u32, offset: usize) -> ! {
    panic!(
        "the view starts {offset} bits into a storage word: words of {width} bits would cross storage words, which no \
         atomic operation can; use bits, or start at a multiple of {width}"
    )
}

/// A summary; the bits may change meanwhile.
impl<O: MemoryOrder> fmt::Debug for AtomicBitPortal<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicBitPortal").field("len", &self.len()).finish_non_exhaustive()
    }
}
