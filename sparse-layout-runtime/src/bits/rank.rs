//! Rank and select, with and without an index.

use rayon::prelude::*;

use super::kernel;
use super::{BitPortal, BitWord};

impl<'a> BitPortal<'a> {
    /// Number of set bits before `index` (which may be `len`). Counts; with [`rank_index`](Self::rank_index) it is O(1).
    ///
    /// # Panics
    /// If `index > len`.
    #[track_caller]
    pub fn rank(self, index: usize) -> usize {
        self.count_ones_in(..index)
    }

    /// As [`rank`](Self::rank), but `None` if `index > len`.
    pub fn checked_rank(self, index: usize) -> Option<usize> {
        self.checked_count_ones_in(..index)
    }

    /// Index of the set bit number `nth`, counted from 0; `None` if there are not so many. Counts up to there; with
    /// [`rank_index`](Self::rank_index) it is a look-up.
    pub fn select(self, nth: usize) -> Option<usize> {
        let (words, span) = self.raw();
        let (head, body) = span.head_and_body();
        let skip = usize::from(head > 0);
        let (mut left, mut word) = (nth, 0);
        if skip == 1 {
            let ones = self.masked(0).count_ones() as usize;
            if left >= ones {
                left -= ones;
                word = 1;
            }
        }
        while word >= skip && word + STEP <= skip + body {
            let ones = kernel::count(&words[word..word + STEP]);
            if left < ones {
                break;
            }
            left -= ones;
            word += STEP;
        }
        (word..words.len()).find_map(|word| {
            let bits = self.masked(word);
            let ones = bits.count_ones() as usize;
            if left < ones {
                return Some(word * 64 + select_in_word(bits, left as u32) as usize - span.offset);
            }
            left -= ones;
            None
        })
    }

    /// Counts once (in parallel on large views) so that rank costs one look-up and a count in one cache line, and select
    /// a short binary search. Takes one bit per eight.
    ///
    /// ```
    /// use sparse_layout_runtime::bits::BitField;
    ///
    /// let field = BitField::from_indices(10_000, [7, 512, 9_999]);
    /// let index = field.rank_index();
    /// assert_eq!(index.rank(512), 1);
    /// assert_eq!(index.select(2), Some(9_999));
    /// assert_eq!(index.count_ones(), 3);
    /// ```
    pub fn rank_index(self) -> RankIndex<'a> {
        RankIndex::new(self)
    }
}

/// Words that select without an index counts at once.
const STEP: usize = 256;
/// Words per entry of the index: a cache line.
const BLOCK: usize = 8;
/// Set bits per entry of the table that narrows select.
const SAMPLE: usize = 4096;

/// Rank and select over bits that cannot change meanwhile, in constant and near-constant time.
///
/// One `u64` per 512 bits holds the number of set bits before (the coarser half of S. Vigna's rank9, "Broadword
/// implementation of rank/select queries", 2008; the finer half is a count in one cache line), and one entry per 4096 set
/// bits says where to search for select.
#[derive(Clone)]
pub struct RankIndex<'a> {
    bits: BitPortal<'a>,
    /// Entry `b`: set bits before storage word `8 * b`; one more entry at the end for all.
    before: Box<[u64]>,
    /// Entry `s`: the block of set bit number `SAMPLE * s`.
    samples: Box<[usize]>,
}

impl<'a> RankIndex<'a> {
    fn new(bits: BitPortal<'a>) -> Self {
        let (words, _) = bits.raw();
        let blocks = words.len().div_ceil(BLOCK);
        let count = |block: usize| -> u64 {
            (block * BLOCK..words.len().min((block + 1) * BLOCK))
                .map(|word| u64::from(bits.masked(word).count_ones()))
                .sum()
        };
        let mut before = vec![0_u64; blocks + 1];
        if kernel::words_per_task(words.len()).is_some() {
            before[1..].par_iter_mut().with_min_len(1024).enumerate().for_each(|(block, entry)| *entry = count(block));
        } else {
            for (block, entry) in before[1..].iter_mut().enumerate() {
                *entry = count(block);
            }
        }
        let mut total = 0;
        let mut samples = Vec::new();
        for (block, entry) in before[1..].iter_mut().enumerate() {
            total += *entry;
            *entry = total;
            while ((samples.len() * SAMPLE) as u64) < total {
                samples.push(block);
            }
        }
        Self { bits, before: before.into(), samples: samples.into() }
    }

    /// The bits that the index is about.
    pub fn portal(&self) -> BitPortal<'a> {
        self.bits
    }

    /// Number of set bits.
    pub fn count_ones(&self) -> usize {
        self.before[self.before.len() - 1] as usize
    }

    /// Number of set bits before `index` (which may be `len`).
    ///
    /// # Panics
    /// If `index > len`.
    #[track_caller]
    pub fn rank(&self, index: usize) -> usize {
        match self.checked_rank(index) {
            Some(rank) => rank,
            None => super::error::bit_out_of_range(index, self.bits.len()),
        }
    }

    /// As [`rank`](Self::rank), but `None` if `index > len`.
    pub fn checked_rank(&self, index: usize) -> Option<usize> {
        if index >= self.bits.len() {
            return (index == self.bits.len()).then(|| self.count_ones());
        }
        let (_, span) = self.bits.raw();
        let at = span.offset + index;
        let block = at / 64 / BLOCK;
        let whole: u32 = (block * BLOCK..at / 64).map(|word| self.bits.masked(word).count_ones()).sum();
        let part = self.bits.masked(at / 64) & !(!0 << (at % 64));
        Some(self.before[block] as usize + (whole + part.count_ones()) as usize)
    }

    /// Index of the set bit number `nth`, counted from 0; `None` if there are not so many.
    pub fn select(&self, nth: usize) -> Option<usize> {
        if nth >= self.count_ones() {
            return None;
        }
        let first = self.samples[nth / SAMPLE];
        let last = self.samples.get(nth / SAMPLE + 1).map_or(self.before.len() - 2, |&block| block);
        // The last block in first..=last with at most `nth` set bits before it.
        let block = first + self.before[first + 1..=last].partition_point(|&before| before as usize <= nth);
        let mut left = (nth - self.before[block] as usize) as u32;
        let (words, span) = self.bits.raw();
        for word in block * BLOCK..words.len().min((block + 1) * BLOCK) {
            let bits = self.bits.masked(word);
            if left < bits.count_ones() {
                return Some(word * 64 + select_in_word(bits, left) as usize - span.offset);
            }
            left -= bits.count_ones();
        }
        unreachable!("the index counts fewer bits than its blocks hold")
    }

    /// Checks the structure's own invariants.
    ///
    /// # Panics
    /// If one does not hold: a bug in this crate.
    #[doc(hidden)]
    pub fn internal_validate(&self) {
        let (words, _) = self.bits.raw();
        assert_eq!(self.before.len(), words.len().div_ceil(BLOCK) + 1);
        assert_eq!(self.count_ones(), self.bits.count_ones());
        assert_eq!(self.samples.len(), self.count_ones().div_ceil(SAMPLE));
        assert!(self.before.is_sorted() && self.samples.is_sorted());
    }
}

/// A summary, never the bits.
impl core::fmt::Debug for RankIndex<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RankIndex").field("len", &self.bits.len()).field("ones", &self.count_ones()).finish()
    }
}

/// Position of the set bit number `nth` of `word`, by halves; `nth < word.count_ones()`.
fn select_in_word(word: u64, nth: u32) -> u32 {
    debug_assert!(nth < word.count_ones());
    let (mut left, mut at) = (nth, 0);
    for width in [32, 16, 8, 4, 2, 1] {
        let ones = (word >> at & u64::low_mask(width)).count_ones();
        if left >= ones {
            left -= ones;
            at += width;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_in_word_finds_each_bit() {
        for word in [1_u64, !0, 0x8000_0000_0000_0001, 0xdead_beef_0bad_cafe, 1 << 63, 0x5555_5555_5555_5555] {
            for (nth, bit) in (0..64).filter(|bit| word >> bit & 1 == 1).enumerate() {
                assert_eq!(select_in_word(word, nth as u32), bit);
            }
        }
    }
}
