//! Binning: for each distinct key, the items that have it.
//!
//! The keys are coded as integers in the box they span (`lanes.rs`). Codes in a range no larger than the number of
//! items go through one counting sort. Of others, if few are distinct, their ranks go there (`dictionary.rs`); if many,
//! a radix sort that skips what does not occur does it (`radix.rs`). Keys too long for one code are sorted in stages:
//! the rank among the first lanes becomes the prefix of the next.
//! A stable sort has one result only, so neither the way nor the number of threads shows in it.

#![forbid(unsafe_code)]

mod dictionary;
mod key;
mod lanes;
mod radix;

pub use key::BinKey;

use super::error::{ParallelError, check_len};
use super::packed::Packed;
use super::sort::counting_sort;
use key::MAX_LANES;
use lanes::{Extremes, Stage};
use rayon::prelude::*;

/// Items sorted into bins: one bin for each distinct key, in ascending order of keys; in it the indices of its items,
/// ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bins<K> {
    keys: Vec<K>,
    offsets: Vec<u32>,
    permutation: Vec<u32>,
}

impl<K> Bins<K> {
    /// The number of bins.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no bin, which is to say no item.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The distinct keys, ascending.
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// Where each bin starts in the permutation, then the number of items.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The indices of all items, bin by bin.
    pub fn permutation(&self) -> &[u32] {
        &self.permutation
    }

    /// The indices of the items in bin `i`.
    ///
    /// # Panics
    /// There is no such bin.
    pub fn items(&self, i: usize) -> &[u32] {
        &self.permutation[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// Each key with the indices of its items, in ascending order of keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &[u32])> + DoubleEndedIterator {
        self.keys.iter().enumerate().map(|(i, key)| (key, self.items(i)))
    }

    /// [`iter`](Self::iter) in parallel.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (&K, &[u32])>
    where
        K: Sync,
    {
        self.keys.par_iter().enumerate().map(|(i, key)| (key, self.items(i)))
    }

    /// The indices of the items with this key: none if no item has it.
    pub fn get(&self, key: &K) -> &[u32]
    where
        K: Ord,
    {
        self.keys.binary_search(key).map_or(&[], |i| self.items(i))
    }

    /// The keys, the offsets and the permutation.
    pub fn into_parts(self) -> (Vec<K>, Vec<u32>, Vec<u32>) {
        (self.keys, self.offsets, self.permutation)
    }

    /// Checks that the keys ascend, that the offsets cut the permutation into bins that are not empty and ascend, and
    /// that each index occurs once.
    ///
    /// # Panics
    /// If not.
    #[doc(hidden)]
    pub fn internal_validate(&self)
    where
        K: Ord,
    {
        assert!(self.keys.windows(2).all(|k| k[0] < k[1]), "keys ascend");
        assert_eq!(self.offsets.len(), self.keys.len() + 1);
        assert_eq!(self.offsets[0], 0);
        assert_eq!(self.offsets[self.keys.len()] as usize, self.permutation.len());
        assert!(self.offsets.windows(2).all(|o| o[0] < o[1]), "no bin is empty");
        assert!((0..self.len()).all(|b| self.items(b).windows(2).all(|i| i[0] < i[1])), "items in order");
        let mut seen = vec![false; self.permutation.len()];
        for &i in &self.permutation {
            assert!(!std::mem::replace(&mut seen[i as usize], true), "item {i} occurs twice");
        }
    }
}

/// Sorts items into bins by a key that radix methods can sort, such as the coordinate of a block.
///
/// `key` is called a few times for each item, from many threads, and must give an item the same key each time
/// (otherwise the bins are wrong, though the call is as safe as any).
///
/// # Errors
/// More than `u32::MAX` items, or no memory.
///
/// # Cost
/// Linear. Keys that span no more values than there are items cost three passes and 8 bytes an item; others a few
/// passes more and up to 40 bytes an item.
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::bin_by_key;
///
/// let points = [[9.5f32, 0.0], [-0.5, 3.0], [8.0, 1.0]];
/// let bins = bin_by_key(&points, |p| p.map(|x| (x / 8.0).floor() as i32))?;
/// assert_eq!(bins.keys(), [[-1, 0], [1, 0]]);
/// assert_eq!(bins.get(&[1, 0]), [0, 2]);
/// assert_eq!(bins.offsets(), [0, 1, 3]);
/// # Ok::<(), sparse_layout_runtime::parallel::ParallelError>(())
/// ```
pub fn bin_by_key<T, K, F>(items: &[T], key: F) -> Result<Bins<K>, ParallelError>
where
    T: Sync,
    K: BinKey,
    F: Fn(&T) -> K + Sync,
{
    const { assert!(1 <= K::LANES && K::LANES <= MAX_LANES, "a BinKey has 1 to 16 lanes") };
    check_len(items.len())?;
    let extremes = Extremes::of(items, &key);
    let mut ranks = Vec::new();
    let mut prefixes = 1;
    let mut first = 0;
    loop {
        let stage = extremes.stage(first, K::LANES, prefixes, 1 << u128::CODE_BITS);
        let groups = groups(items, &key, &stage, &ranks)?;
        // Where no two items share a bin, later lanes change nothing.
        if stage.lanes.end == K::LANES || groups.offsets.len() > items.len() {
            return Ok(groups.with_keys(items, key));
        }
        ranks.resize(items.len(), 0);
        for (rank, group) in groups.offsets.windows(2).enumerate() {
            for &i in &groups.permutation[group[0] as usize..group[1] as usize] {
                ranks[i as usize] = rank as u32;
            }
        }
        prefixes = (groups.offsets.len() - 1) as u128;
        first = stage.lanes.end;
    }
}

/// [`bin_by_key`] for keys of any ordered type, by comparison. `key` is called once for each item.
///
/// # Errors
/// More than `u32::MAX` items.
///
/// # Cost
/// n log n comparisons.
///
/// # Examples
/// ```
/// use sparse_layout_runtime::parallel::bin_by_ord;
///
/// let bins = bin_by_ord(&["pear", "fig", "peach"], |s| s.chars().next())?;
/// assert_eq!(bins.get(&Some('p')), [0, 2]);
/// # Ok::<(), sparse_layout_runtime::parallel::ParallelError>(())
/// ```
pub fn bin_by_ord<T, K, F>(items: &[T], key: F) -> Result<Bins<K>, ParallelError>
where
    T: Sync,
    K: Ord + Copy + Send + Sync,
    F: Fn(&T) -> K + Sync,
{
    check_len(items.len())?;
    let mut pairs: Vec<(K, u32)> = items.par_iter().enumerate().map(|(i, t)| (key(t), i as u32)).collect();
    pairs.par_sort_unstable();
    let groups = Groups {
        offsets: boundaries(pairs.len(), |i| pairs[i - 1].0 != pairs[i].0),
        permutation: pairs.par_iter().map(|p| p.1).collect(),
    };
    let keys = groups.offsets[..groups.offsets.len() - 1].par_iter().map(|&o| pairs[o as usize].0).collect();
    Ok(Bins { keys, offsets: groups.offsets, permutation: groups.permutation })
}

/// Bins without their keys.
struct Groups {
    offsets: Vec<u32>,
    permutation: Vec<u32>,
}

impl Groups {
    fn with_keys<T: Sync, K: BinKey>(self, items: &[T], key: impl Fn(&T) -> K + Sync) -> Bins<K> {
        let Self { offsets, permutation } = self;
        let firsts = &offsets[..offsets.len() - 1];
        let keys = firsts.par_iter().map(|&o| key(&items[permutation[o as usize] as usize])).collect();
        Bins { keys, offsets, permutation }
    }
}

/// The least number of items worth a task.
const GRAIN: usize = 1 << 12;

/// Fewer items than this are sorted without a dictionary.
const DICTIONARY_FROM: usize = 1 << 14;

/// Sorts by the lanes of one stage. `ranks` holds the prefix of each item; empty if there is none.
fn groups<T, K, F>(items: &[T], key: &F, stage: &Stage, ranks: &[u32]) -> Result<Groups, ParallelError>
where
    T: Sync,
    K: BinKey,
    F: Fn(&T) -> K + Sync,
{
    let indexed = items.par_iter().with_min_len(GRAIN).enumerate();
    let prefix = |i: usize| ranks.get(i).copied().unwrap_or(0);
    // A counting sort keeps a few words for each possible code: worth it while items outnumber those.
    if stage.size <= items.len().max(1 << 10) as u128 {
        let mut codes = vec![0u32; items.len()];
        codes.par_chunks_mut(GRAIN).zip(items.par_chunks(GRAIN)).enumerate().for_each(|(b, (codes, items))| {
            for (i, (code, item)) in codes.iter_mut().zip(items).enumerate() {
                *code = stage.code64(prefix(b * GRAIN + i), &key(item)) as u32;
            }
        });
        let sorted = counting_sort(&codes, stage.size as u32)?;
        let mut offsets: Vec<u32> = (sorted.offsets.par_windows(2).with_min_len(GRAIN))
            .filter_map(|o| (o[0] != o[1]).then_some(o[0]))
            .collect();
        offsets.push(items.len() as u32);
        return Ok(Groups { offsets, permutation: sorted.permutation });
    }
    if items.len() >= DICTIONARY_FROM {
        let key = |i: usize| key(&items[i]);
        let ranked = if stage.size <= 1 << 64 {
            dictionary::ranks(items.len(), |i| stage.code64(prefix(i), &key(i)))
        } else {
            dictionary::ranks(items.len(), |i| stage.code128(prefix(i), &key(i)))
        };
        if let Some((ranks, distinct)) = ranked {
            let sorted = counting_sort(&ranks, distinct as u32)?;
            return Ok(Groups { offsets: sorted.offsets, permutation: sorted.permutation });
        }
    }
    if stage.size <= 1 << u64::CODE_BITS {
        let pack = |(i, t)| u64::pack(stage.code64(prefix(i), &key(t)).into(), i as u32);
        return radix_groups(indexed.map(pack).collect());
    }
    radix_groups::<u128>(indexed.map(|(i, t)| u128::pack(stage.code128(prefix(i), &key(t)), i as u32)).collect())
}

fn radix_groups<P: Packed>(mut packed: Vec<P>) -> Result<Groups, ParallelError> {
    radix::sort(&mut packed)?;
    Ok(Groups {
        offsets: boundaries(packed.len(), |i| !packed[i - 1].same_code(packed[i])),
        permutation: packed.par_iter().with_min_len(GRAIN).map(|p| p.index()).collect(),
    })
}

/// The starts of the groups of `n` sorted items, then `n`. `starts(i)` says that a group starts at i, for i above 0.
fn boundaries(n: usize, starts: impl Fn(usize) -> bool + Sync) -> Vec<u32> {
    let mut offsets: Vec<u32> =
        (0..n).into_par_iter().with_min_len(GRAIN).filter(|&i| i == 0 || starts(i)).map(|i| i as u32).collect();
    offsets.push(n as u32);
    offsets
}
