//! Counting sort and gather: the issue's numbers and the laws (counts, sorted, permutation, stable).

mod parallel_common;

use parallel_common::{LENGTHS, noise, on_pools};
use proptest::prelude::*;
use sparse_layout_runtime::parallel::{CountingSort, counting_sort, counting_sort_by_key, gather, gather_into};

fn reference(keys: &[u64], buckets: u32) -> CountingSort {
    let buckets = buckets.max(1);
    let key = |i: u32| keys[i as usize].min(u64::from(buckets) - 1);
    let mut permutation: Vec<u32> = (0..keys.len() as u32).collect();
    // The standard library's sort is stable.
    permutation.sort_by_key(|&i| key(i));
    let counts: Vec<u32> =
        (0..u64::from(buckets)).map(|b| permutation.iter().filter(|&&i| key(i) == b).count() as u32).collect();
    let mut offsets = vec![0];
    for c in &counts {
        offsets.push(offsets[offsets.len() - 1] + c);
    }
    CountingSort { permutation, counts, offsets }
}

#[test]
fn numbers_of_the_issue() {
    let keys = [3u32, 1, 3, 2];
    let sorted = counting_sort_by_key(&keys, 4, |&k| k).expect("sorted");
    assert_eq!(sorted.permutation, [1, 3, 0, 2]);
    assert_eq!(sorted.counts, [0, 1, 1, 2]);
    assert_eq!(sorted.offsets, [0, 0, 1, 2, 4]);
    assert_eq!(sorted.bucket(3), [0, 2]);
    assert_eq!(sorted.bucket(0), []);
    let sorted = counting_sort_by_key(&keys, 3, |&k| k).expect("sorted");
    assert_eq!(sorted.counts, [0, 1, 3]);
    assert_eq!(sorted.permutation, [1, 0, 2, 3]);
    let sorted = counting_sort(&[5u8, 0, 9], 0).expect("sorted");
    assert_eq!((sorted.permutation, sorted.offsets), (vec![0, 1, 2], vec![0, 3]));
}

#[test]
fn every_length_and_thread_count() {
    for n in LENGTHS {
        for buckets in [1, 7, 300] {
            let keys: Vec<u64> = noise(n, 4).iter().map(|k| k % (u64::from(buckets) + 3)).collect();
            let expected = reference(&keys, buckets);
            assert!(on_pools(|| counting_sort(&keys, buckets).expect("sorted")) == expected, "n = {n}, K = {buckets}");
        }
    }
}

#[test]
fn more_buckets_than_keys() {
    let keys: Vec<u64> = noise(40_000, 8).iter().map(|k| k % 1_000_000).collect();
    let sorted = on_pools(|| counting_sort(&keys, 1_000_000).expect("sorted"));
    let mut expected: Vec<u32> = (0..40_000).collect();
    expected.sort_by_key(|&i| keys[i as usize]);
    assert!(sorted.permutation == expected);
    assert_eq!(sorted.offsets.len(), 1_000_001);
    assert_eq!(sorted.offsets[1_000_000], 40_000);
}

#[test]
fn gathers_any_payload() {
    let source: Vec<(u8, f64)> = (0..100_000).map(|i| (i as u8, f64::from(i))).collect();
    let order: Vec<u32> = noise(120_000, 6).iter().map(|k| (k % 100_000) as u32).collect();
    let expected: Vec<(u8, f64)> = order.iter().map(|&i| (i as u8, f64::from(i))).collect();
    assert!(on_pools(|| gather(&source, &order)) == expected);
    let mut out = vec![(0, 0.0); order.len()];
    gather_into(&source, &order, &mut out);
    assert!(out == expected);
    assert_eq!(gather(&source, &[]), []);
}

#[test]
#[should_panic(expected = "one place for each index")]
fn gather_into_a_wrong_length() {
    gather_into(&[1, 2], &[0, 1], &mut [0]);
}

#[cfg(feature = "sort")]
#[test]
fn sorts_integers() {
    use sparse_layout_runtime::parallel::sort_integers;
    for n in LENGTHS {
        let data = noise(n, 12);
        let mut expected = data.clone();
        expected.sort();
        let got = on_pools(|| {
            let mut v = data.clone();
            sort_integers(&mut v);
            v
        });
        assert!(got == expected, "n = {n}");
        let mut signed: Vec<i32> = data.iter().map(|&x| x as i32).collect();
        let mut expected = signed.clone();
        expected.sort();
        sort_integers(&mut signed);
        assert!(signed == expected, "n = {n}");
    }
}

proptest! {
    #[test]
    fn laws(keys in prop::collection::vec(0u32..60, 0..2000), buckets in 0u32..70, repeat in 1usize..40) {
        let keys: Vec<u32> = keys.iter().copied().cycle().take(keys.len() * repeat).collect();
        let CountingSort { permutation, counts, offsets } = counting_sort(&keys, buckets).expect("sorted");
        let buckets = buckets.max(1);
        let key = |i: u32| keys[i as usize].min(buckets - 1);
        prop_assert_eq!(counts.len(), buckets as usize);
        prop_assert_eq!(counts.iter().map(|&c| c as usize).sum::<usize>(), keys.len());
        prop_assert_eq!(offsets[0], 0);
        prop_assert!((0..counts.len()).all(|b| offsets[b + 1] - offsets[b] == counts[b]));
        // Sorted and stable; strictly ascending pairs also make it a permutation.
        prop_assert!(permutation.windows(2).all(|p| (key(p[0]), p[0]) < (key(p[1]), p[1])));
        prop_assert!(permutation.iter().all(|&i| (i as usize) < keys.len()));
        prop_assert_eq!(permutation.len(), keys.len());
    }
}
