//! From keys of several lanes to single codes.
//!
//! The lanes' extremes are taken first. The code of a key is then its number in the box that they span, row-major: it
//! sorts as the key does, and is short where the keys are near each other, however far they lie from zero.

use super::key::{BinKey, MAX_LANES};
use rayon::prelude::*;
use std::ops::Range;

/// The extremes of each lane.
#[derive(Clone, Copy)]
pub(super) struct Extremes {
    lo: [u64; MAX_LANES],
    hi: [u64; MAX_LANES],
}

impl Extremes {
    const NONE: Self = Self { lo: [u64::MAX; MAX_LANES], hi: [0; MAX_LANES] };

    /// Over the keys of all items.
    pub(super) fn of<T: Sync, K: BinKey>(items: &[T], key: &(impl Fn(&T) -> K + Sync)) -> Self {
        let of_block = |block: &[T]| {
            let mut e = Self::NONE;
            for item in block {
                let k = key(item);
                for i in 0..K::LANES {
                    let lane = k.lane(i);
                    e.lo[i] = e.lo[i].min(lane);
                    e.hi[i] = e.hi[i].max(lane);
                }
            }
            e
        };
        items.par_chunks(1 << 13).map(of_block).reduce(|| Self::NONE, |a, b| a.union(&b))
    }

    fn union(&self, other: &Self) -> Self {
        Self {
            lo: std::array::from_fn(|i| self.lo[i].min(other.lo[i])),
            hi: std::array::from_fn(|i| self.hi[i].max(other.hi[i])),
        }
    }

    /// The number of values from the least to the greatest of lane `i`.
    fn span(&self, i: usize) -> u128 {
        u128::from(self.hi[i].saturating_sub(self.lo[i])) + 1
    }

    /// The longest run of lanes from `first` on whose codes, beside `prefixes` prefixes, number at most `most`.
    pub(super) fn stage(&self, first: usize, lanes: usize, prefixes: u128, most: u128) -> Stage {
        let mut size = prefixes;
        let mut end = first;
        while end < lanes {
            match size.checked_mul(self.span(end)) {
                Some(longer) if longer <= most => size = longer,
                _ => break,
            }
            end += 1;
        }
        let inside = |i: usize| (first..end).contains(&i);
        Stage {
            lo: self.lo,
            spans: std::array::from_fn(|i| if inside(i) { self.span(i) as u64 } else { 1 }),
            masks: std::array::from_fn(|i| if inside(i) { u64::MAX } else { 0 }),
            lanes: first..end,
            size,
        }
    }
}

/// Some lanes of the keys, coded together.
pub(super) struct Stage {
    lo: [u64; MAX_LANES],
    /// The span of each lane of the stage (0 stands for 2^64), 1 for the others.
    spans: [u64; MAX_LANES],
    /// All ones for the lanes of the stage, 0 for the others: so every lane takes the same steps.
    masks: [u64; MAX_LANES],
    /// The lanes.
    pub(super) lanes: Range<usize>,
    /// The number of codes: prefixes times the lanes' spans.
    pub(super) size: u128,
}

impl Stage {
    /// The code after a prefix, where `size` is at most 2^64.
    #[inline]
    pub(super) fn code64<K: BinKey>(&self, prefix: u32, key: &K) -> u64 {
        let mut code = u64::from(prefix);
        for i in 0..K::LANES {
            let place = key.lane(i).wrapping_sub(self.lo[i]) & self.masks[i];
            code = code.wrapping_mul(self.spans[i]).wrapping_add(place);
        }
        code
    }

    /// The code after a prefix.
    #[inline]
    pub(super) fn code128<K: BinKey>(&self, prefix: u32, key: &K) -> u128 {
        let mut code = u128::from(prefix);
        for i in self.lanes.clone() {
            let place = key.lane(i).wrapping_sub(self.lo[i]);
            let span = if self.spans[i] == 0 { 1 << 64 } else { u128::from(self.spans[i]) };
            code = code.wrapping_mul(span).wrapping_add(u128::from(place));
        }
        code
    }
}
