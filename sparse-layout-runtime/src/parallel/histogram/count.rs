//! Pass 1: one block of keys into its own row.

use super::super::keys::BucketKey;
use super::plan::NARROW;
use std::marker::PhantomData;

/// Gives items their bucket; those past the end the last one, or none if `IGNORE`.
pub(super) struct Picker<'f, F, K, const IGNORE: bool> {
    key: &'f F,
    buckets: u32,
    keys: PhantomData<fn() -> K>,
}

impl<'f, F, K: BucketKey, const IGNORE: bool> Picker<'f, F, K, IGNORE> {
    /// `buckets` is at least 1.
    pub(super) fn new(key: &'f F, buckets: u32) -> Self {
        Self { key, buckets, keys: PhantomData }
    }

    #[inline]
    fn of_key(&self, key: K) -> Option<usize> {
        let bucket = if IGNORE { key.within(self.buckets) } else { Some(key.clamped(self.buckets - 1)) };
        bucket.map(|b| b as usize)
    }

    /// One test for several keys is faster than a minimum for each.
    #[inline]
    fn any_past<const N: usize>(&self, keys: &[K; N]) -> bool {
        keys.iter().fold(false, |past, key| past | key.within(self.buckets).is_none())
    }

    #[inline]
    fn of<T>(&self, item: &T) -> Option<usize>
    where
        F: Fn(&T) -> K,
    {
        self.of_key((self.key)(item))
    }
}

/// Adds the block's counts to `row`, which has an entry for each bucket. `bytes` is scratch: empty, or at least a byte
/// for each bucket.
pub(super) fn block<T, K, F, const IGNORE: bool>(
    items: &[T],
    picker: &Picker<'_, F, K, IGNORE>,
    row: &mut [u32],
    bytes: &mut [u8],
) where
    K: BucketKey,
    F: Fn(&T) -> K,
{
    let crowded = items.len() / 8 >= row.len();
    match row.len() {
        ..=256 if crowded => lanes::<_, _, _, IGNORE, 256, 8>(items, picker, row),
        ..=NARROW if crowded => lanes::<_, _, _, IGNORE, NARROW, 4>(items, picker, row),
        buckets if bytes.len() >= buckets => in_bytes(items, picker, row, &mut bytes[..buckets]),
        _ => plain(items, picker, row),
    }
}

fn plain<T, K, F, const IGNORE: bool>(items: &[T], picker: &Picker<'_, F, K, IGNORE>, row: &mut [u32])
where
    K: BucketKey,
    F: Fn(&T) -> K,
{
    for item in items {
        if let Some(b) = picker.of(item) {
            row[b] += 1;
        }
    }
}

/// Neighbouring keys count in different tables: equal keys in a row would wait for each other's store.
fn lanes<T, K, F, const IGNORE: bool, const N: usize, const LANES: usize>(
    items: &[T],
    picker: &Picker<'_, F, K, IGNORE>,
    row: &mut [u32],
) where
    K: BucketKey,
    F: Fn(&T) -> K,
{
    const { assert!(N.is_power_of_two()) };
    debug_assert!(row.len() <= N);
    let mut tables = [[0u32; N]; LANES];
    let (groups, rest) = items.as_chunks::<LANES>();
    // The mask changes nothing: it spares the bounds check.
    let mut count = |lane: usize, b: usize| tables[lane][b & (N - 1)] += 1;
    for group in groups {
        let keys = group.each_ref().map(picker.key);
        if picker.any_past(&keys) {
            for (lane, key) in keys.into_iter().enumerate() {
                picker.of_key(key).into_iter().for_each(|b| count(lane, b));
            }
        } else {
            keys.into_iter().enumerate().for_each(|(lane, key)| count(lane, key.clamped(u32::MAX) as usize));
        }
    }
    plain(rest, picker, row);
    for table in &tables {
        for (sum, count) in row.iter_mut().zip(table) {
            *sum += count;
        }
    }
}

/// Many buckets: counters of one byte keep four times as many buckets in the near caches. A counter that wraps pays
/// 256 into the row.
fn in_bytes<T, K, F, const IGNORE: bool>(
    items: &[T],
    picker: &Picker<'_, F, K, IGNORE>,
    row: &mut [u32],
    bytes: &mut [u8],
) where
    K: BucketKey,
    F: Fn(&T) -> K,
{
    bytes.fill(0);
    let mut count = |b: usize| {
        bytes[b] = bytes[b].wrapping_add(1);
        if bytes[b] == 0 {
            row[b] += 256;
        }
    };
    let (groups, rest) = items.as_chunks::<8>();
    for group in groups {
        let keys = group.each_ref().map(picker.key);
        if picker.any_past(&keys) {
            keys.into_iter().filter_map(|k| picker.of_key(k)).for_each(&mut count);
        } else {
            keys.into_iter().for_each(|k| count(k.clamped(u32::MAX) as usize));
        }
    }
    rest.iter().filter_map(|item| picker.of(item)).for_each(&mut count);
    for (sum, &byte) in row.iter_mut().zip(bytes.iter()) {
        *sum += u32::from(byte);
    }
}
