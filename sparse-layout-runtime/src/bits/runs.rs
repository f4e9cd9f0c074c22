//! Iterators over runs of set bits.

use core::iter::FusedIterator;
use core::ops::Range;

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::prelude::*;

use super::BitPortal;

impl<'a> BitPortal<'a> {
    /// The runs of set bits, ascending, each as long as it can be.
    ///
    /// ```
    /// use sparse_layout_runtime::bits::BitPortal;
    ///
    /// let bits = BitPortal::new(&[0b0111_0010], 0, 64);
    /// assert_eq!(bits.iter_runs().collect::<Vec<_>>(), [1..2, 4..7]);
    /// ```
    pub fn iter_runs(self) -> Runs<'a> {
        Runs::starting_in(self, 0, self.len())
    }

    /// As [`iter_runs`](Self::iter_runs), for rayon; a run that crosses a split stays whole.
    pub fn par_iter_runs(self) -> ParRuns<'a> {
        ParRuns { bits: self, from: 0, to: self.len() }
    }
}

/// The runs of set bits of a portal: see [`BitPortal::iter_runs`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    bits: BitPortal<'a>,
    /// The storage word that is read, and its bits that belong to no run yet.
    word: usize,
    rest: u64,
    /// Runs that start here or later are not wanted.
    limit: usize,
}

impl<'a> Runs<'a> {
    /// The runs that start in `from..to`; they may end later.
    fn starting_in(bits: BitPortal<'a>, from: usize, to: usize) -> Self {
        let mut from = from;
        if from > 0 && from < to && bits.get(from - 1) {
            from = bits.next_clear_from(from).unwrap_or(bits.len());
        }
        let mut runs = Self { bits, word: 0, rest: 0, limit: 0 };
        if from < to {
            let (_, span) = bits.raw();
            let at = span.offset + from;
            runs.word = at / 64;
            runs.rest = bits.masked(at / 64) & (!0 << (at % 64));
            runs.limit = to;
        }
        runs
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.limit == 0 {
            return None;
        }
        let (words, span) = self.bits.raw();
        while self.rest == 0 {
            self.word += 1;
            // The first index of the word tells: a run starting at it or later is past the limit.
            if self.word == words.len() || self.word * 64 >= self.limit + span.offset {
                self.limit = 0;
                return None;
            }
            self.rest = self.bits.masked(self.word);
        }
        let low = self.rest.trailing_zeros();
        let start = self.word * 64 + low as usize - span.offset;
        if start >= self.limit {
            self.limit = 0;
            return None;
        }
        // Ones below the run make its end the number of trailing ones.
        let mut ones = (self.rest | ((1 << low) - 1)).trailing_ones();
        while ones == 64 {
            self.word += 1;
            if self.word == words.len() {
                self.limit = 0;
                return Some(start..self.bits.len());
            }
            self.rest = self.bits.masked(self.word);
            ones = self.rest.trailing_ones();
        }
        self.rest &= !0 << ones;
        Some(start..self.word * 64 + ones as usize - span.offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.limit + self.bits.raw().1.offset).saturating_sub(self.word * 64);
        (0, Some(left.div_ceil(2)))
    }
}

impl FusedIterator for Runs<'_> {}

/// The runs of set bits of a portal, for rayon: see [`BitPortal::par_iter_runs`].
#[derive(Clone, Debug)]
pub struct ParRuns<'a> {
    bits: BitPortal<'a>,
    /// A run belongs to the part in which it starts.
    from: usize,
    to: usize,
}

impl ParRuns<'_> {
    /// The runs that start before `mid`, an index of the whole view, and the rest.
    fn split_at(self, mid: usize) -> (Self, Self) {
        (Self { to: mid, ..self.clone() }, Self { from: mid, ..self })
    }
}

impl ParallelIterator for ParRuns<'_> {
    type Item = Range<usize>;

    fn drive_unindexed<C: UnindexedConsumer<Range<usize>>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

impl UnindexedProducer for ParRuns<'_> {
    type Item = Range<usize>;

    fn split(self) -> (Self, Option<Self>) {
        let part = self.bits.slice(self.from..self.to);
        match super::ones::middle_word(part) {
            Some(mid) => {
                let mid = self.from + mid;
                let (left, right) = self.split_at(mid);
                (left, Some(right))
            }
            None => (self, None),
        }
    }

    fn fold_with<F: Folder<Range<usize>>>(self, folder: F) -> F {
        folder.consume_iter(Runs::starting_in(self.bits, self.from, self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand(bits: BitPortal<'_>) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for index in (0..bits.len()).filter(|&index| bits.get(index)) {
            match runs.last_mut() {
                Some(run) if run.end == index => run.end += 1,
                _ => runs.push(index..index + 1),
            }
        }
        runs
    }

    /// Runs inside a word, up to its end, over one boundary, over whole words, and up to the very end.
    fn words() -> Vec<u64> {
        vec![0xf000_0000_0000_0ff0, 0x7, !0, !0, 0x8000_0000_0000_0001, !0, 0, 0x5555_5555_5555_5555, !0 << 20]
    }

    #[test]
    fn every_split_point_gives_the_same_runs() {
        let words = words();
        for (offset, len) in [(0, 576), (5, 500), (63, 130), (128, 128), (62, 4), (10, 20), (0, 0)] {
            let bits = BitPortal::new(&words, offset, len);
            let want = by_hand(bits);
            assert_eq!(bits.iter_runs().collect::<Vec<_>>(), want);
            for mid in 0..=len {
                let (left, right) = bits.par_iter_runs().split_at(mid);
                let mut got: Vec<_> = Runs::starting_in(left.bits, left.from, left.to).collect();
                got.extend(Runs::starting_in(right.bits, right.from, right.to));
                assert_eq!(got, want, "offset {offset}, {len} bits, split at {mid}");
            }
        }
    }

    fn split_wholly(runs: ParRuns<'_>, out: &mut Vec<Range<usize>>, leaves: &mut usize) {
        match runs.split() {
            (left, Some(right)) => {
                split_wholly(left, out, leaves);
                split_wholly(right, out, leaves);
            }
            (last, None) => {
                *leaves += 1;
                out.extend(Runs::starting_in(last.bits, last.from, last.to));
            }
        }
    }

    #[test]
    fn splitting_ends_at_single_words() {
        let words = words();
        for offset in [0, 1, 37, 63] {
            let bits = BitPortal::new(&words, offset, 576 - offset);
            let (mut got, mut leaves) = (Vec::new(), 0);
            split_wholly(bits.par_iter_runs(), &mut got, &mut leaves);
            assert_eq!(got, by_hand(bits));
            assert_eq!(leaves, 9);
        }
    }
}
