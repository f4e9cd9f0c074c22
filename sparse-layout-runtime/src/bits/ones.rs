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
/// Words are looked at 64 at a time: which of them are not empty is one word again, so that empty ones cost no branch that
/// the processor would guess wrong.
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    /// What is left of the first word.
    front: u64,
    /// Index of bit 0 of the first word; wraps below 0 where the view starts inside its first word.
    front_base: usize,
    /// Up to 64 whole words after that, and which of them are still to come and not empty.
    chunk: &'a [u64],
    chunk_base: usize,
    ahead: u64,
    /// Whole words between these and the last one.
    middle: &'a [u64],
    middle_base: usize,
    /// What is left of the last word, 0 if that is also the first.
    back: u64,
    back_base: usize,
}

impl<'a> Ones<'a> {
    /// Bit 0 of the portal is called `base`.
    fn new(bits: BitPortal<'a>, base: usize) -> Self {
        let (words, span) = bits.raw();
        let front_base = base.wrapping_sub(span.offset);
        let last = words.len().saturating_sub(1);
        Self {
            front: if words.is_empty() { 0 } else { bits.masked(0) },
            front_base,
            chunk: &[],
            chunk_base: 0,
            ahead: 0,
            middle: words.get(1..last).unwrap_or_default(),
            middle_base: front_base.wrapping_add(64),
            back: if last > 0 { bits.masked(last) } else { 0 },
            back_base: front_base.wrapping_add(64 * last),
        }
    }

    /// Moves on to the next 64 words, or what is left.
    #[inline]
    fn refill(&mut self) {
        (self.chunk, self.middle) = self.middle.split_at(self.middle.len().min(64));
        self.chunk_base = self.middle_base;
        self.middle_base = self.middle_base.wrapping_add(64 * self.chunk.len());
        self.ahead = self.chunk.iter().rev().fold(0, |ahead, word| ahead << 1 | u64::from(*word != 0));
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
        while self.front == 0 {
            if self.ahead != 0 {
                let i = self.ahead.trailing_zeros() as usize;
                self.ahead &= self.ahead - 1;
                self.front = self.chunk[i];
                self.front_base = self.chunk_base.wrapping_add(64 * i);
            } else if !self.middle.is_empty() {
                self.refill();
            } else if self.back != 0 {
                self.front = core::mem::take(&mut self.back);
                self.front_base = self.back_base;
            } else {
                return None;
            }
        }
        let bit = self.front.trailing_zeros() as usize;
        self.front &= self.front - 1;
        Some(self.front_base.wrapping_add(bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let known = (self.front.count_ones() + self.back.count_ones() + self.ahead.count_ones()) as usize;
        let words = self.ahead.count_ones() as usize + self.middle.len();
        (known, Some(known + 64 * words))
    }

    fn count(self) -> usize {
        let chunk: u32 = self.rest_of_chunk().map(|(word, _)| word.count_ones()).sum();
        (self.front.count_ones() + self.back.count_ones() + chunk) as usize + kernel::count(self.middle)
    }

    fn last(mut self) -> Option<usize> {
        self.next_back()
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(self, init: B, mut f: F) -> B {
        let mut value = each(init, self.front, self.front_base, &mut f);
        for (word, base) in self.rest_of_chunk() {
            value = each(value, word, base, &mut f);
        }
        let mut base = self.middle_base;
        if self.middle.len() < BATCH_WORDS / 8 {
            for &bits in self.middle {
                value = each(value, bits, base, &mut f);
                base = base.wrapping_add(64);
            }
        } else {
            let mut batch = Batch::new();
            for words in self.middle.chunks(BATCH_WORDS) {
                value = batch.list(words).iter().fold(value, |value, &bit| f(value, base.wrapping_add(bit as usize)));
                base = base.wrapping_add(64 * words.len());
            }
        }
        each(value, self.back, self.back_base, &mut f)
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
        while self.back == 0 {
            if let Some((&word, rest)) = self.middle.split_last() {
                self.back = word;
                self.middle = rest;
                self.back_base = self.middle_base.wrapping_add(64 * rest.len());
            } else if let Some(i) = self.ahead.last_set() {
                self.ahead ^= 1 << i;
                self.back = self.chunk[i as usize];
                self.back_base = self.chunk_base.wrapping_add(64 * i as usize);
            } else {
                let bit = self.front.last_set()?;
                self.front ^= 1 << bit;
                return Some(self.front_base.wrapping_add(bit as usize));
            }
        }
        let bit = self.back.ilog2();
        self.back ^= 1 << bit;
        Some(self.back_base.wrapping_add(bit as usize))
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
