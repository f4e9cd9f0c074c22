//! Iterators over set bits.

use core::iter::FusedIterator;

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::prelude::*;

use super::kernel::{self, BATCH_WORDS, Batch};
use super::{BitPortal, BitWord};

impl<'a> BitPortal<'a> {
    /// The indices of the set bits, ascending.
    pub fn iter_ones(self) -> Ones<'a> {
        Ones::new(self, 0)
    }

    /// As [`iter_ones`](Self::iter_ones), for rayon: split at words, in the same order when collected.
    pub fn par_iter_ones(self) -> ParOnes<'a> {
        ParOnes { bits: self, base: 0 }
    }

    /// Every bit, in order.
    pub fn iter(self) -> Iter<'a> {
        Iter { bits: self }
    }
}

/// The set bits of a portal, ascending: see [`BitPortal::iter_ones`].
///
/// Words are looked at 64 at a time: which of them are not empty is one word again. Where most are, their bits are listed before
/// they are handed out: a loop that takes them from the words themselves mispredicts a branch at the end of each.
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    /// The places in the batch that are still to come.
    next: usize,
    end: usize,
    /// What is left of the word at hand.
    front: u64,
    /// Which words of the chunk are still to come and not empty; none if its bits are listed.
    ahead: u64,
    /// Index of bit 0 of the word at hand, or of the batch; wraps below 0 where the view starts inside its first word.
    front_base: usize,
    chunk: &'a [u64],
    chunk_base: usize,
    rest: Rest<'a>,
}

/// What the loop over the bits at hand does not touch, so that these stay in registers.
#[derive(Clone, Debug, Default)]
struct Rest<'a> {
    batch: Option<Box<Batch>>,
    /// Whole words before the last one.
    middle: &'a [u64],
    middle_base: usize,
    /// What is left of the last word, 0 if that is also the first.
    back: u64,
    back_base: usize,
}

/// Of 64 words, those that are not empty from which on bits are listed.
const MANY: u32 = 20;

/// What comes next.
enum Step<'a> {
    Word(u64, usize),
    Chunk { words: &'a [u64], ahead: u64, base: usize },
    Listed { len: usize, base: usize },
    End,
}

impl<'a> Rest<'a> {
    /// By value, so that the iterator's own state never has an address.
    #[inline(never)]
    fn advance(mut self) -> (Self, Step<'a>) {
        let (words, rest) = self.middle.split_at(self.middle.len().min(BATCH_WORDS));
        if words.is_empty() {
            let step = match core::mem::take(&mut self.back) {
                0 => Step::End,
                back => Step::Word(back, self.back_base),
            };
            return (self, step);
        }
        let base = self.middle_base;
        self.middle = rest;
        self.middle_base = base.wrapping_add(64 * words.len());
        let ahead = kernel::nonzero(words);
        let step = if ahead.count_ones() < MANY {
            Step::Chunk { words, ahead, base }
        } else {
            let batch = self.batch.get_or_insert_with(Batch::boxed);
            Step::Listed { len: batch.list(words).len(), base }
        };
        (self, step)
    }
}

impl<'a> Ones<'a> {
    /// Bit 0 of the portal is called `base`.
    fn new(bits: BitPortal<'a>, base: usize) -> Self {
        let (words, span) = bits.raw();
        let front_base = base.wrapping_sub(span.offset);
        let last = words.len().saturating_sub(1);
        Self {
            next: 0,
            end: 0,
            front: if words.is_empty() { 0 } else { bits.masked(0) },
            ahead: 0,
            front_base,
            chunk: &[],
            chunk_base: 0,
            rest: Rest {
                batch: None,
                middle: words.get(1..last).unwrap_or_default(),
                middle_base: front_base.wrapping_add(64),
                back: if last > 0 { bits.masked(last) } else { 0 },
                back_base: front_base.wrapping_add(64 * last),
            },
        }
    }

    /// Moves on to the next words. `false` if there are none.
    #[inline]
    fn advance(&mut self) -> bool {
        let (rest, step) = core::mem::take(&mut self.rest).advance();
        self.rest = rest;
        match step {
            Step::Word(word, base) => (self.front, self.front_base) = (word, base),
            Step::Chunk { words, ahead, base } => (self.chunk, self.ahead, self.chunk_base) = (words, ahead, base),
            Step::Listed { len, base } => (self.next, self.end, self.front_base) = (0, len, base),
            Step::End => return false,
        }
        true
    }

    /// The bits that are listed and still to come.
    fn listed(&self) -> &[u32] {
        self.rest.batch.as_ref().map_or(&[], |batch| &batch.listed()[self.next..self.end])
    }

    /// The words of the chunk that are still to come, with the index of their bit 0.
    fn rest_of_chunk(&self) -> impl Iterator<Item = (u64, usize)> {
        let (chunk, base, mut ahead) = (self.chunk, self.chunk_base, self.ahead);
        core::iter::from_fn(move || {
            let i = ahead.first_set()? as usize;
            ahead &= ahead - 1;
            Some((chunk[i], base.wrapping_add(64 * i)))
        })
    }
}

impl Iterator for Ones<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            if self.next < self.end
                && let Some(batch) = &self.rest.batch
            {
                let bit = batch.listed()[self.next] as usize;
                self.next += 1;
                return Some(self.front_base.wrapping_add(bit));
            }
            if self.front != 0 {
                let bit = self.front.trailing_zeros() as usize;
                self.front &= self.front - 1;
                return Some(self.front_base.wrapping_add(bit));
            }
            if self.ahead != 0 {
                let i = self.ahead.trailing_zeros() as usize;
                self.ahead &= self.ahead - 1;
                let word = self.chunk[i];
                self.front = word & (word - 1);
                self.front_base = self.chunk_base.wrapping_add(64 * i);
                return Some(self.front_base.wrapping_add(word.trailing_zeros() as usize));
            }
            if !self.advance() {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let bits = self.front.count_ones() + self.rest.back.count_ones();
        let chunk: u32 = self.rest_of_chunk().map(|(word, _)| word.count_ones()).sum();
        let known = (bits + chunk) as usize + self.end - self.next;
        (known, Some(known + 64 * self.rest.middle.len()))
    }

    fn count(self) -> usize {
        self.size_hint().0 + kernel::count(self.rest.middle)
    }

    fn last(mut self) -> Option<usize> {
        self.next_back()
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(mut self, init: B, mut f: F) -> B {
        let mut value = init;
        loop {
            let base = self.front_base;
            value = self.listed().iter().fold(value, |value, &bit| f(value, base.wrapping_add(bit as usize)));
            value = each(value, self.front, base, &mut f);
            for (word, base) in self.rest_of_chunk() {
                value = each(value, word, base, &mut f);
            }
            (self.next, self.end, self.front, self.ahead) = (0, 0, 0, 0);
            if !self.advance() {
                return value;
            }
        }
    }
}

/// Folds over the set bits of one word; bit 0 has index `base`.
#[inline]
fn each<B>(mut value: B, mut bits: u64, base: usize, f: &mut impl FnMut(B, usize) -> B) -> B {
    while bits != 0 {
        value = f(value, base.wrapping_add(bits.trailing_zeros() as usize));
        bits &= bits - 1;
    }
    value
}

impl DoubleEndedIterator for Ones<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        while self.rest.back == 0 {
            if let Some((&word, middle)) = self.rest.middle.split_last() {
                self.rest.back = word;
                self.rest.middle = middle;
                self.rest.back_base = self.rest.middle_base.wrapping_add(64 * middle.len());
            } else if let Some(i) = self.ahead.last_set() {
                self.ahead ^= 1 << i;
                self.rest.back = self.chunk[i as usize];
                self.rest.back_base = self.chunk_base.wrapping_add(64 * i as usize);
            } else if let Some(&bit) = self.listed().last() {
                self.end -= 1;
                return Some(self.front_base.wrapping_add(bit as usize));
            } else {
                let bit = self.front.last_set()?;
                self.front ^= 1 << bit;
                return Some(self.front_base.wrapping_add(bit as usize));
            }
        }
        let bit = self.rest.back.ilog2();
        self.rest.back ^= 1 << bit;
        Some(self.rest.back_base.wrapping_add(bit as usize))
    }
}

impl FusedIterator for Ones<'_> {}

/// The set bits of a portal, for rayon: see [`BitPortal::par_iter_ones`].
#[derive(Clone, Debug)]
pub struct ParOnes<'a> {
    bits: BitPortal<'a>,
    /// Index of the portal's bit 0 in the view that was asked.
    base: usize,
}

impl ParOnes<'_> {
    /// The bits before `mid` and the rest.
    fn split_at(self, mid: usize) -> (Self, Self) {
        let (left, right) = self.bits.split_at(mid);
        (Self { bits: left, base: self.base }, Self { bits: right, base: self.base + mid })
    }
}

impl ParallelIterator for ParOnes<'_> {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

impl UnindexedProducer for ParOnes<'_> {
    type Item = usize;

    fn split(self) -> (Self, Option<Self>) {
        match middle_word(self.bits) {
            Some(mid) => {
                let (left, right) = self.split_at(mid);
                (left, Some(right))
            }
            None => (self, None),
        }
    }

    fn fold_with<F: Folder<usize>>(self, folder: F) -> F {
        folder.consume_iter(Ones::new(self.bits, self.base))
    }
}

/// The word boundary nearest the middle, from the view's start, if it covers more than one word.
pub(super) fn middle_word(bits: BitPortal<'_>) -> Option<usize> {
    let (words, span) = bits.raw();
    (words.len() > 1).then(|| words.len() / 2 * 64 - span.offset)
}

/// Every bit of a portal, in order: see [`BitPortal::iter`].
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    bits: BitPortal<'a>,
}

impl Iterator for Iter<'_> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        let bit = self.bits.checked_get(0)?;
        self.bits = self.bits.slice(1..);
        Some(bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.bits.len(), Some(self.bits.len()))
    }

    fn nth(&mut self, n: usize) -> Option<bool> {
        self.bits = self.bits.slice(n.min(self.bits.len())..);
        self.next()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<bool> {
        let last = self.bits.len().checked_sub(1)?;
        let bit = self.bits.get(last);
        self.bits = self.bits.slice(..last);
        Some(bit)
    }
}

impl ExactSizeIterator for Iter<'_> {}
impl FusedIterator for Iter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits with gaps, full words, empty words and single bits.
    fn words() -> Vec<u64> {
        vec![0x8000_0000_0000_0001, 0, !0, 0xf0f0_1234_5678_9abc, 0, 0, 1, 1 << 63, 0xdead_beef]
    }

    /// Enough words for several batches.
    fn long() -> Vec<u64> {
        let mut all = words().repeat(20);
        all.extend([0; 70]);
        all.push(1 << 17);
        all
    }

    fn by_hand(bits: BitPortal<'_>) -> Vec<usize> {
        (0..bits.len()).filter(|&index| bits.get(index)).collect()
    }

    #[test]
    fn every_split_point_gives_the_same_bits() {
        let words = words();
        for (offset, len) in [(0, 576), (5, 400), (63, 130), (64, 64), (10, 20), (0, 0)] {
            let bits = BitPortal::new(&words, offset, len);
            let want = by_hand(bits);
            for mid in 0..=len {
                let (left, right) = bits.par_iter_ones().split_at(mid);
                let mut got: Vec<usize> = Ones::new(left.bits, left.base).collect();
                got.extend(Ones::new(right.bits, right.base));
                assert_eq!(got, want, "offset {offset}, {len} bits, split at {mid}");
            }
        }
    }

    /// Splits as far as it goes, which rayon does only on many threads.
    fn split_wholly(bits: ParOnes<'_>, out: &mut Vec<usize>, leaves: &mut usize) {
        match bits.split() {
            (left, Some(right)) => {
                split_wholly(left, out, leaves);
                split_wholly(right, out, leaves);
            }
            (last, None) => {
                *leaves += 1;
                out.extend(Ones::new(last.bits, last.base));
            }
        }
    }

    #[test]
    fn splitting_ends_at_single_words() {
        let words = words();
        for offset in [0, 1, 37, 63] {
            let bits = BitPortal::new(&words, offset, 576 - offset);
            let (mut got, mut leaves) = (Vec::new(), 0);
            split_wholly(bits.par_iter_ones(), &mut got, &mut leaves);
            assert_eq!(got, by_hand(bits));
            assert_eq!(leaves, 9);
        }
    }

    #[test]
    fn both_ends_meet() {
        let words = words();
        let bits = BitPortal::new(&words, 3, 570);
        let want = by_hand(bits);
        for from_front in 0..=want.len() {
            let mut ones = bits.iter_ones();
            let mut got: Vec<usize> = ones.by_ref().take(from_front).collect();
            let mut back: Vec<usize> = std::iter::from_fn(|| ones.next_back()).collect();
            assert_eq!(ones.next(), None);
            back.reverse();
            got.extend(back);
            assert_eq!(got, want, "{from_front} from the front");
        }
    }

    #[test]
    fn both_ends_meet_in_batches() {
        let words = long();
        let bits = BitPortal::new(&words, 3, words.len() * 64 - 9);
        let want = by_hand(bits);
        for from_front in (0..=want.len()).step_by(97) {
            let mut ones = bits.iter_ones();
            let mut got: Vec<usize> = ones.by_ref().take(from_front).collect();
            let rest = &want[from_front..];
            assert_eq!(ones.clone().count(), rest.len());
            assert!(ones.size_hint().0 <= rest.len() && ones.size_hint().1 >= Some(rest.len()));
            assert_eq!(ones.clone().last(), rest.last().copied());
            let mut folded = Vec::new();
            ones.clone().for_each(|one| folded.push(one));
            assert_eq!(folded, rest);
            let mut back: Vec<usize> = std::iter::from_fn(|| ones.next_back()).collect();
            assert_eq!(ones.next(), None);
            back.reverse();
            got.extend(back);
            assert_eq!(got, want, "{from_front} from the front");
        }
    }

    #[test]
    fn fold_and_count_go_on_from_the_middle() {
        let words = words();
        let bits = BitPortal::new(&words, 3, 570);
        let want = by_hand(bits);
        for taken in 0..want.len() {
            let mut ones = bits.iter_ones();
            ones.by_ref().take(taken).for_each(drop);
            ones.next_back();
            let rest = &want[taken..want.len() - 1];
            assert_eq!(ones.clone().count(), rest.len());
            assert_eq!(
                ones.fold(Vec::new(), |mut all, one| {
                    all.push(one);
                    all
                }),
                rest
            );
        }
    }
}
