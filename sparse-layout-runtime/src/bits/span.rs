//! Geometry of a range of bits over 64-bit words, shared by the three portals.

use super::BitWord;

/// `len` bits, the first of which is bit `offset` of the first word.
///
/// Invariants: `offset < 64`; the word slice beside a span has exactly `words()` words; an empty span has offset 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) offset: usize,
    pub(super) len: usize,
}

impl Span {
    /// The span and the words it covers, out of a larger slice of `words` words; `None` if it leaves them.
    #[inline]
    pub(super) fn locate(words: usize, offset: usize, len: usize) -> Option<(core::ops::Range<usize>, Span)> {
        let end = offset.checked_add(len)?;
        if end.div_ceil(64) > words {
            return None;
        }
        if len == 0 {
            return Some((0..0, Span { offset: 0, len: 0 }));
        }
        Some((offset / 64..end.div_ceil(64), Span { offset: offset % 64, len }))
    }

    #[inline]
    pub(super) fn words(self) -> usize {
        (self.offset + self.len).div_ceil(64)
    }

    /// The bits of storage word `word` that belong to the span.
    #[inline]
    pub(super) fn mask(self, word: usize) -> u64 {
        let below = if word == 0 { !0 << self.offset } else { !0 };
        let end = self.offset + self.len - word * 64;
        below & u64::low_mask(end.min(64) as u32)
    }

    /// Number of leading bits before the first whole word, and number of whole words after them.
    ///
    /// A span inside one word that does not fill it is all head.
    #[inline]
    pub(super) fn head_and_body(self) -> (usize, usize) {
        let head = ((64 - self.offset) % 64).min(self.len);
        (head, (self.len - head) / 64)
    }

    /// Bits in word `index` of `width` bits, 0 if there is no such word.
    #[inline]
    pub(super) fn bits_in_word(self, index: usize, width: u32) -> u32 {
        let rest = index.checked_mul(width as usize).map_or(0, |start| self.len.saturating_sub(start));
        rest.min(width as usize) as u32
    }

    pub(super) fn validate(self, words: usize) {
        assert!(self.offset < 64, "offset {} not below 64", self.offset);
        assert!(self.len > 0 || self.offset == 0, "an empty span has offset 0");
        assert_eq!(self.words(), words, "the span and its words differ");
    }
}
