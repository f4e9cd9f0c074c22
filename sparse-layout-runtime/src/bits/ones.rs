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
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    /// What is left of the first word.
    front: u64,
    /// Index of bit 0 of the first word; wraps below 0 where the view starts inside its first word.
    front_base: usize,
    /// Whole words between the two.
    middle: core::slice::Iter<'a, u64>,
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
            middle: words.get(1..last).unwrap_or_default().iter(),
            back: if last > 0 { bits.masked(last) } else { 0 },
            back_base: front_base.wrapping_add(64 * last),
        }
    }
}

impl Iterator for Ones<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.front == 0 {
            if let Some(&word) = self.middle.next() {
                self.front = word;
                self.front_base = self.front_base.wrapping_add(64);
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
        let known = (self.front.count_ones() + self.back.count_ones()) as usize;
        (known, Some(known + 64 * self.middle.len()))
    }

    fn count(self) -> usize {
        (self.front.count_ones() + self.back.count_ones()) as usize + kernel::count(self.middle.as_slice())
    }

    fn last(mut self) -> Option<usize> {
        self.next_back()
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(self, init: B, mut f: F) -> B {
        let mut value = each(init, self.front, self.front_base, &mut f);
        let mut base = self.front_base.wrapping_add(64);
        if self.middle.len() < BATCH_WORDS / 8 {
            for &bits in self.middle {
                value = each(value, bits, base, &mut f);
                base = base.wrapping_add(64);
            }
        } else {
            let mut batch = Batch::new();
            for words in self.middle.as_slice().chunks(BATCH_WORDS) {
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
            if let Some(&word) = self.middle.next_back() {
                self.back = word;
                self.back_base = self.back_base.wrapping_sub(64);
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
