//! The read-only portal: where single bits and words are read, and ranges taken.

use core::fmt;
use core::ops::RangeBounds;

use super::error::{bit_out_of_range, checked_range, range_or_panic, word_out_of_range};
use super::span::Span;
use super::{BitField, BitWord, Bits};

/// A read-only view of a range of bits, aligned to words or not: over a [`BitField`], the masks of a level, or a
/// caller's `&[u64]`.
///
/// `Copy`, 32 bytes; whatever it lends lives as long as the storage. Bit `i` is bit `i % 64` of storage word `i / 64`
/// (from the start of the view), so the numbering is the same on machines of any byte order.
///
/// ```
/// use sparse_layout_runtime::bits::BitPortal;
///
/// let mine = [0x00f0_u64, 1];
/// let bits = BitPortal::new(&mine, 4, 61); // from bit 4 on, across both words
/// assert!(bits.get(0) && !bits.get(4) && bits.get(60));
/// assert_eq!(bits.count_ones(), 5);
/// assert_eq!(bits.word::<u8>(0), 0x0f);
/// assert_eq!(bits.slice(2..61).iter_ones().collect::<Vec<_>>(), [0, 1, 58]);
/// ```
///
/// There is no way to write through it:
///
/// ```compile_fail,E0599
/// use sparse_layout_runtime::bits::BitField;
///
/// let field = BitField::new(8);
/// field.portal().set(0, true);
/// ```
#[derive(Clone, Copy)]
pub struct BitPortal<'a> {
    words: &'a [u64],
    span: Span,
}

impl<'a> BitPortal<'a> {
    /// The `len` bits of `words` that start at bit `offset` (which may lie beyond the first word).
    ///
    /// # Panics
    /// If `words` does not hold `offset + len` bits.
    #[inline]
    #[track_caller]
    pub fn new(words: &'a [u64], offset: usize, len: usize) -> Self {
        match Self::checked_new(words, offset, len) {
            Some(portal) => portal,
            None => panic!("{len} bits from bit {offset} on do not fit in {} words", words.len()),
        }
    }

    /// As [`new`](Self::new), but `None` if `words` does not hold these bits.
    #[inline]
    pub fn checked_new(words: &'a [u64], offset: usize, len: usize) -> Option<Self> {
        let (range, span) = Span::locate(words.len(), offset, len)?;
        Some(Self { words: &words[range], span })
    }

    /// From parts that already fit each other.
    #[inline]
    pub(super) fn from_parts(words: &'a [u64], span: Span) -> Self {
        debug_assert_eq!(words.len(), span.words());
        Self { words, span }
    }

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

    /// Bit `index`.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn get(self, index: usize) -> bool {
        match self.checked_get(index) {
            Some(bit) => bit,
            None => bit_out_of_range(index, self.len()),
        }
    }

    /// Bit `index`, or `None` if `index >= len`.
    #[inline]
    pub fn checked_get(self, index: usize) -> Option<bool> {
        if index >= self.span.len {
            return None;
        }
        let at = self.span.offset + index;
        debug_assert!(at / 64 < self.words.len());
        // SAFETY: index < len, and the span's invariant is that `words` holds offset + len bits (`Span::locate`).
        let word = unsafe { *self.words.get_unchecked(at / 64) };
        Some(word >> (at % 64) & 1 != 0)
    }

    /// Number of words of type `W` that hold all bits.
    #[inline]
    pub fn word_count<W: BitWord>(self) -> usize {
        W::words_for(self.len())
    }

    /// Word `index`: bit `i` of it is bit `W::BITS * index + i`; bits past the end are 0.
    ///
    /// Words are numbered from the start of the view; if that is not a multiple of the width in the storage, a word is
    /// put together from two.
    ///
    /// # Panics
    /// If `index >= word_count::<W>()`.
    #[inline]
    #[track_caller]
    pub fn word<W: BitWord>(self, index: usize) -> W {
        match self.checked_word(index) {
            Some(word) => word,
            None => word_out_of_range(index, W::BITS, self.len()),
        }
    }

    /// As [`word`](Self::word), but `None` past the last word.
    #[inline]
    pub fn checked_word<W: BitWord>(self, index: usize) -> Option<W> {
        let bits = self.span.bits_in_word(index, W::BITS);
        if bits == 0 {
            return None;
        }
        let start = index * W::BITS as usize;
        if W::BITS <= 64 || bits <= 64 {
            return Some(W::from_halves(self.read(start, bits), 0));
        }
        Some(W::from_halves(self.read(start, 64), self.read(start + 64, bits - 64)))
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

    /// The bits before `mid` and the rest.
    ///
    /// # Panics
    /// If `mid > len`.
    #[inline]
    #[track_caller]
    pub fn split_at(self, mid: usize) -> (Self, Self) {
        (self.slice(..mid), self.slice(mid..))
    }

    /// An owned copy of these bits, starting at bit 0 of its storage.
    pub fn to_field(self) -> BitField {
        let mut field = BitField::new(self.len());
        field.portal_mut().copy_words_from(self);
        field
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
        Self { words: &self.words[range], span }
    }

    /// `bits` (1 to 64) bits from bit `start` on, in the low bits; `start + bits <= len`.
    #[inline]
    pub(super) fn read(self, start: usize, bits: u32) -> u64 {
        debug_assert!((1..=64).contains(&bits) && start + bits as usize <= self.span.len);
        let at = self.span.offset + start;
        let shift = (at % 64) as u32;
        let mut value = self.words[at / 64] >> shift;
        if shift + bits > 64 {
            value |= self.words[at / 64 + 1] << (64 - shift);
        }
        value & u64::low_mask(bits)
    }

    /// The words of the storage that hold a bit of the view, and where in them it lies.
    #[inline]
    pub(super) fn raw(self) -> (&'a [u64], Span) {
        (self.words, self.span)
    }

    /// Storage word `word` with foreign bits as 0.
    #[inline]
    pub(super) fn masked(self, word: usize) -> u64 {
        self.words[word] & self.span.mask(word)
    }

    /// Partial first word (foreign bits 0), whole words, partial last word.
    #[inline]
    pub(super) fn parts(self) -> (u64, &'a [u64], u64) {
        let (head, body) = self.span.head_and_body();
        let skip = usize::from(head > 0);
        let first = if head > 0 { self.masked(0) } else { 0 };
        let last = if skip + body < self.words.len() { self.masked(skip + body) } else { 0 };
        (first, &self.words[skip..skip + body], last)
    }
}

impl Bits for BitPortal<'_> {
    #[inline]
    fn portal(&self) -> BitPortal<'_> {
        *self
    }
}

impl<'a> From<&'a [u64]> for BitPortal<'a> {
    /// All bits of the words.
    #[inline]
    fn from(words: &'a [u64]) -> Self {
        Self::new(words, 0, words.len() * 64)
    }
}

/// By value: the same length and the same bits, wherever they lie.
impl<T: Bits> PartialEq<T> for BitPortal<'_> {
    fn eq(&self, other: &T) -> bool {
        self.same_bits(other.portal())
    }
}

impl Eq for BitPortal<'_> {}

/// A summary, never the bits.
impl fmt::Debug for BitPortal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitPortal").field("len", &self.len()).field("ones", &self.count_ones()).finish()
    }
}
