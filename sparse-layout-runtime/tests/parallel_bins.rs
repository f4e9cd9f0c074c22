//! Binning: keys ascending, items in order, whatever the keys' spread and the number of threads.

mod parallel_common;

use parallel_common::{LENGTHS, noise, on_pools};
use proptest::prelude::*;
use sparse_layout_runtime::parallel::{BinKey, Bins, bin_by_key, bin_by_ord};
use std::collections::BTreeMap;

fn reference<K: Ord + Copy>(keys: &[K]) -> (Vec<K>, Vec<Vec<u32>>) {
    let mut bins: BTreeMap<K, Vec<u32>> = BTreeMap::new();
    for (i, k) in keys.iter().enumerate() {
        bins.entry(*k).or_default().push(i as u32);
    }
    bins.into_iter().unzip()
}

/// Against the reference, on one pool.
fn check_type<K: BinKey + Ord + std::fmt::Debug>(keys: &[K]) {
    let (expected, items) = reference(keys);
    let bins = bin_by_key(keys, |&k| k).expect("bins");
    bins.internal_validate();
    assert_eq!(bins.keys(), expected);
    assert!(bins.iter().map(|(_, i)| i).eq(items.iter()), "the items");
}

/// Against the reference, for several numbers of threads, and by comparison.
fn check<K: BinKey + Ord + std::fmt::Debug>(keys: &[K]) {
    let (expected, items) = reference(keys);
    let bins = on_pools(|| bin_by_key(keys, |&k| k).expect("bins"));
    bins.internal_validate();
    assert!(bins.keys() == expected, "the keys");
    assert!(bins.iter().map(|(_, i)| i).eq(items.iter()), "the items");
    assert!(on_pools(|| bin_by_ord(keys, |&k| k).expect("bins")) == bins, "by comparison");
}

#[test]
fn blocks_of_points() {
    // Blocks of 8: the first two points share one, the third is left of zero, the last far away.
    let points = [[0.5f32, 7.9], [3.0, 0.0], [-0.1, 0.0], [1e9, -1e9]];
    let bins = bin_by_key(&points, |p| p.map(|x| (x / 8.0).floor() as i32)).expect("bins");
    assert_eq!(bins.keys(), [[-1, 0], [0, 0], [125_000_000, -125_000_000]]);
    assert_eq!(bins.offsets(), [0, 1, 3, 4]);
    assert_eq!(bins.permutation(), [2, 0, 1, 3]);
    assert_eq!(bins.len(), 3);
    assert_eq!(bins.items(1), [0, 1]);
    assert_eq!(bins.get(&[125_000_000, -125_000_000]), [3]);
    assert_eq!(bins.get(&[1, 1]), []);
    assert_eq!(bins.iter().map(|(k, i)| (*k, i.len())).next_back(), Some(([125_000_000, -125_000_000], 1)));
}

#[test]
fn no_item_and_one() {
    let none: Bins<[i32; 3]> = bin_by_key(&[0u8; 0], |_| [1, 2, 3]).expect("bins");
    none.internal_validate();
    assert!(none.is_empty());
    assert_eq!(none.offsets(), [0]);
    let one = bin_by_key(&["x"], |_| [i32::MIN; 8]).expect("bins");
    assert_eq!((one.keys(), one.offsets(), one.permutation()), (&[[i32::MIN; 8]][..], &[0, 1][..], &[0][..]));
    check::<[i32; 8]>(&[]);
}

#[test]
fn every_length() {
    for n in LENGTHS {
        let keys = noise(n, 7);
        // Few keys, as many as items, and all values of 64 bits.
        check(&keys.iter().map(|k| k % 13).collect::<Vec<_>>());
        check(&keys.iter().map(|k| (k % n.max(1) as u64) as u32).collect::<Vec<_>>());
        check(&keys);
    }
}

#[test]
fn every_kind_of_spread() {
    let noise = noise(200_000, 21);
    let three = |i: usize| [noise[i] as i32, (noise[i] >> 32) as i32, (noise[i / 2] >> 20) as i32];
    let n = noise.len();
    // A narrow box far from zero, at both ends of the range.
    check(&(0..n).map(|i| three(i).map(|x| i32::MIN + (x & 15))).collect::<Vec<_>>());
    check(&(0..n).map(|i| three(i).map(|x| i32::MAX - (x & 15))).collect::<Vec<_>>());
    // 32 bits of code; 96 bits of code.
    check(&(0..n).map(|i| three(i).map(|x| (x & 511) * 3)).collect::<Vec<_>>());
    check(&(0..n).map(three).collect::<Vec<_>>());
    // Two clusters at the ends of the range.
    check(&(0..n).map(|i| three(i).map(|x| if x < 0 { i32::MIN } else { i32::MAX - (x & 3) })).collect::<Vec<_>>());
    // 256 bits of code, in several stages; few distinct values in the first lanes, so that later ones decide.
    check(&(0..n).map(|i| std::array::from_fn(|d| noise[(i + d * d) % n] as i32)).collect::<Vec<[i32; 8]>>());
    check(
        &(0..n)
            .map(|i| std::array::from_fn(|d| if d < 6 { noise[i] as i32 >> 31 } else { noise[i] as i32 }))
            .collect::<Vec<[i32; 8]>>(),
    );
    // One key takes nearly all.
    check(&(0..n).map(|i| if i % 1000 == 0 { noise[i] } else { 1 << 50 }).collect::<Vec<_>>());
    // One key takes half, the others are all different.
    check(&(0..n).map(|i| if i % 2 == 0 { noise[i] } else { 1 << 50 }).collect::<Vec<_>>());
    // Many distinct keys in two clusters; some thousands of distinct keys, far apart.
    check(&(0..n).map(|i| three(i).map(|x| (x & 0xFFFF) + (x >> 31) * 30_000)).collect::<Vec<_>>());
    check(&noise.iter().map(|x| x % 5000 * 1_000_000_007).collect::<Vec<_>>());
    check(&vec![[-3i64, 9]; n]);
}

#[test]
fn keys_of_every_type() {
    let noise = noise(3000, 2);
    macro_rules! check_types {
        ($($t:ty)*) => {$(
            check_type(&noise.iter().map(|&x| x as $t).collect::<Vec<_>>());
            check_type(&[0, 1, <$t>::MIN, <$t>::MAX, 2, 1]);
        )*};
    }
    check_types!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
    check_type(&noise.iter().map(|&x| x & 1 == 0).collect::<Vec<bool>>());
    check_type(&noise.iter().map(|&x| u128::from(x) << (x & 64)).collect::<Vec<_>>());
    check_type(&noise.iter().map(|&x| i128::from(x) - i128::from(x % 3) * (1 << 70)).collect::<Vec<_>>());
    check_type(&noise.iter().map(|&x| (x as i8, [x as u16, 3])).collect::<Vec<_>>());
    check_type(&noise.iter().map(|&x| (x & 1 == 0, x as i8, x as i16)).collect::<Vec<_>>());
}

/// A key function that changes its mind makes wrong bins, but no more than that.
#[test]
fn impure_keys_are_safe() {
    use std::sync::atomic::{AtomicU32, Ordering};
    for bits in [3, 10, 31] {
        let calls = AtomicU32::new(1);
        let key = |_: &u8| {
            let x = calls.fetch_add(1, Ordering::Relaxed).wrapping_mul(2_654_435_761);
            [(x >> (32 - bits)) as i32, -(x as i32 & 7)]
        };
        let bins = bin_by_key(&[0; 100_000], key).expect("bins");
        let mut seen = bins.permutation().to_vec();
        seen.sort();
        assert!(seen.into_iter().eq(0..100_000));
    }
}

#[test]
fn words_by_comparison() {
    let bins = bin_by_ord(&["b", "", "abc", "b"], |s| *s).expect("bins");
    bins.internal_validate();
    assert_eq!(bins.keys(), ["", "abc", "b"]);
    assert_eq!(bins.get(&"b"), [0, 3]);
    let (keys, offsets, permutation) = bins.into_parts();
    assert_eq!((keys.len(), offsets, permutation), (3, vec![0, 1, 2, 4], vec![1, 2, 0, 3]));
}

proptest! {
    #[test]
    fn laws(keys in prop::collection::vec((any::<[i32; 4]>(), 0u32..32), 0..600)) {
        // Shifted right, keys collide more often the larger the shift.
        let keys: Vec<[i32; 4]> = keys.iter().map(|(k, shift)| k.map(|x| x >> shift)).collect();
        let bins = bin_by_key(&keys, |&k| k).expect("bins");
        bins.internal_validate();
        let (expected, items) = reference(&keys);
        prop_assert_eq!(bins.keys(), &expected[..]);
        prop_assert!(bins.iter().map(|(_, i)| i).eq(items.iter()));
    }
}
