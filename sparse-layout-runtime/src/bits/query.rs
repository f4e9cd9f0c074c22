//! Questions about all bits of a portal at once.

use super::kernel;
use super::{BitPortal, BitWord};

impl BitPortal<'_> {
    /// Number of set bits: at memory speed, in parallel on large views.
    pub fn count_ones(self) -> usize {
        let (first, body, last) = self.parts();
        (first.count_ones() + last.count_ones()) as usize + kernel::count(body)
    }

    /// Number of clear bits.
    pub fn count_zeros(self) -> usize {
        self.len() - self.count_ones()
    }

    /// Whether some bit is set; stops at the first one.
    pub fn any(self) -> bool {
        let (first, body, last) = self.parts();
        first | last != 0 || !kernel::all_equal(body, 0)
    }

    /// Whether every bit is set (true for no bits); stops at the first that is not.
    pub fn all(self) -> bool {
        let (head, body) = self.raw().1.head_and_body();
        let (first, words, last) = self.parts();
        let ones = (first.count_ones() + last.count_ones()) as usize;
        ones == head + (self.len() - head - body * 64) && kernel::all_equal(words, !0)
    }

    /// Index of the lowest set bit.
    pub fn first_set(self) -> Option<usize> {
        self.next_set_from(0)
    }

    /// Index of the highest set bit.
    pub fn last_set(self) -> Option<usize> {
        let (words, span) = self.raw();
        let word = (0..words.len()).rev().find(|&word| self.masked(word) != 0)?;
        Some(word * 64 + self.masked(word).last_set()? as usize - span.offset)
    }

    /// Index of the first set bit at or after `index`; `None` if there is none, also for an `index` past the end.
    pub fn next_set_from(self, index: usize) -> Option<usize> {
        self.next_from(index, 0)
    }

    /// Index of the first clear bit at or after `index`; `None` if there is none, also for an `index` past the end.
    pub fn next_clear_from(self, index: usize) -> Option<usize> {
        self.next_from(index, !0)
    }

    /// Number of zeros above the highest set bit, `len` if there is none: the view read as one large integer, as in
    /// [`BitWord::leading_zeros`].
    pub fn leading_zeros(self) -> usize {
        self.last_set().map_or(self.len(), |last| self.len() - 1 - last)
    }

    /// Number of zeros below the lowest set bit, `len` if there is none.
    pub fn trailing_zeros(self) -> usize {
        self.first_set().unwrap_or(self.len())
    }

    /// Every bit as a `bool`; the inverse of [`BitField::from_bools`](super::BitField::from_bools).
    pub fn to_bools(self) -> Vec<bool> {
        let mut bools = vec![false; self.len()];
        for (index, eight) in bools.chunks_mut(8).enumerate() {
            let byte: u8 = self.word(index);
            for (i, bit) in eight.iter_mut().enumerate() {
                *bit = byte >> i & 1 != 0;
            }
        }
        bools
    }

    /// The same length and the same bits.
    pub(super) fn same_bits(self, other: BitPortal<'_>) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let ((words, span), (theirs, their_span)) = (self.raw(), other.raw());
        if span.offset == their_span.offset {
            let (head, body) = span.head_and_body();
            let whole = usize::from(head > 0)..usize::from(head > 0) + body;
            return words[whole.clone()] == theirs[whole]
                && (words.is_empty() || self.masked(0) == other.masked(0))
                && (words.is_empty() || self.masked(words.len() - 1) == other.masked(words.len() - 1));
        }
        (0..self.word_count::<u64>()).all(|word| self.word::<u64>(word) == other.word::<u64>(word))
    }

    /// First bit at or after `index` that differs from the bits of `flip` (all 0 or all 1).
    #[inline]
    fn next_from(self, index: usize, flip: u64) -> Option<usize> {
        let (words, span) = self.raw();
        if index >= span.len {
            return None;
        }
        let at = span.offset + index;
        let mut word = at / 64;
        let mut bits = (words[word] ^ flip) & span.mask(word) & (!0 << (at % 64));
        while bits == 0 {
            word += 1;
            if word == words.len() {
                return None;
            }
            bits = (words[word] ^ flip) & span.mask(word);
        }
        Some(word * 64 + bits.trailing_zeros() as usize - span.offset)
    }
}
