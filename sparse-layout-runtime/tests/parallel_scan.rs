//! Prefix sums: the issue's numbers, every length, wrapping, every element type.

mod parallel_common;

use parallel_common::{LENGTHS, noise, on_pools};
use proptest::prelude::*;
use sparse_layout_runtime::parallel::{exclusive_scan, inclusive_scan};
use std::num::Wrapping;

#[test]
fn numbers_of_the_issue() {
    let mut v = [3u32, 1, 3, 2];
    assert_eq!(exclusive_scan(&mut v), 9);
    assert_eq!(v, [0, 3, 4, 7]);
    let mut v = [3u32, 1, 3, 2];
    assert_eq!(inclusive_scan(&mut v), 9);
    assert_eq!(v, [3, 4, 7, 9]);
    let mut v = [u32::MAX, 1];
    assert_eq!(exclusive_scan(&mut v), 0);
    assert_eq!(v, [0, u32::MAX]);
    assert_eq!(exclusive_scan::<u32>(&mut []), 0);
}

#[test]
fn every_length_and_thread_count() {
    for n in LENGTHS.into_iter().chain([1_000_000, 1_048_577]) {
        let data: Vec<u32> = noise(n, 11).iter().map(|&x| x as u32).collect();
        let mut sum = 0u32;
        let inclusive: Vec<u32> = data.iter().map(|x| (sum, sum = sum.wrapping_add(*x)).0.wrapping_add(*x)).collect();
        let exclusive: Vec<u32> = std::iter::once(0).chain(inclusive.iter().copied()).take(n).collect();
        let (got, total) = on_pools(|| {
            let mut v = data.clone();
            let total = exclusive_scan(&mut v);
            (v, total)
        });
        assert!(got == exclusive && total == sum, "exclusive, n = {n}");
        let (got, total) = on_pools(|| {
            let mut v = data.clone();
            let total = inclusive_scan(&mut v);
            (v, total)
        });
        assert!(got == inclusive && total == sum, "inclusive, n = {n}");
    }
}

#[test]
fn elements_of_every_type() {
    let n = 300_000u64;
    let total = n * (n - 1) / 2;
    macro_rules! check {
        ($($t:ty, $of:expr;)*) => {$({
            let of = $of;
            let last = on_pools(|| {
                let mut v: Vec<$t> = (0..n).map(of).collect();
                let sum = exclusive_scan(&mut v);
                assert_eq!(sum, of(total));
                v[v.len() - 1]
            });
            assert_eq!(last, of(total - (n - 1)));
        })*};
    }
    check! {
        u8, |i| i as u8;
        u16, |i| i as u16;
        u32, |i| i as u32;
        u64, |i| i;
        u128, u128::from;
        usize, |i| i as usize;
        i32, |i| i as i32;
        i64, |i| i as i64;
        Wrapping<u16>, |i| Wrapping(i as u16);
    }
}

proptest! {
    #[test]
    fn laws(data in prop::collection::vec(any::<u32>(), 0..300), repeat in 1usize..600) {
        let data: Vec<u32> = data.iter().copied().cycle().take(data.len() * repeat).collect();
        let mut exclusive = data.clone();
        let total = exclusive_scan(&mut exclusive);
        let mut inclusive = data.clone();
        prop_assert_eq!(inclusive_scan(&mut inclusive), total);
        let mut sum = 0u32;
        for i in 0..data.len() {
            prop_assert_eq!(exclusive[i], sum);
            sum = sum.wrapping_add(data[i]);
            prop_assert_eq!(inclusive[i], sum);
        }
        prop_assert_eq!(total, sum);
    }
}
