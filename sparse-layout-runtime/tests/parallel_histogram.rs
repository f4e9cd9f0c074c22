//! The histogram: the seed's numbers, every fork depth and thread count, dirty buffers, any number of buckets.

mod parallel_common;

use parallel_common::{LENGTHS, noise, on_pools};
use proptest::prelude::*;
use sparse_layout_runtime::parallel::{
    HistogramBuffers, HistogramOptions, ParallelError, PastEnd, histogram, histogram_by_key,
};

const DEPTHS: [u32; 6] = [0, 1, 4, 8, 13, 64];

/// One key after the other.
fn reference(keys: &[u64], buckets: u32) -> Vec<u32> {
    let mut counts = vec![0; buckets.max(1) as usize];
    for &k in keys {
        counts[k.min(u64::from(buckets.max(1)) - 1) as usize] += 1;
    }
    counts
}

fn counts(keys: &[u64], buckets: u32, options: &HistogramOptions) -> Vec<u32> {
    histogram(keys, buckets, options, &mut HistogramBuffers::new()).expect("a histogram").to_vec()
}

#[test]
fn numbers_of_the_issue() {
    let options = HistogramOptions::new();
    let keys = [3u32, 1, 3, 2];
    let mut buffers = HistogramBuffers::new();
    assert_eq!(histogram(&keys, 4, &options, &mut buffers), Ok(&[0, 1, 1, 2][..]));
    assert_eq!(histogram(&keys, 3, &options, &mut buffers), Ok(&[0, 1, 3][..]));
    assert_eq!(keys, [3, 1, 3, 2]);
    let last = histogram(&[u32::MAX], 16, &options, &mut buffers).map(|c| c[15]);
    assert_eq!(last, Ok(1));
    let everything = histogram(&vec![7u32; 128], 0, &options, &mut buffers);
    assert_eq!(everything, Ok(&[128][..]));
}

#[test]
fn every_fork_depth_and_thread_count() {
    for n in LENGTHS {
        let keys = noise(n, 3);
        for buckets in [1, 2, 255, 256, 300, 2048, 2049, 5000] {
            let keys: Vec<u64> = keys.iter().map(|k| k % (u64::from(buckets) + 5)).collect();
            let expected = reference(&keys, buckets);
            for depth in DEPTHS {
                // Deep forks of many buckets only repeat what smaller ones show, slowly.
                if depth > 8 && buckets > 300 && n > 5000 {
                    continue;
                }
                let options = HistogramOptions::new().fork_depth(depth);
                let got = on_pools(|| counts(&keys, buckets, &options));
                assert!(got == expected, "n = {n}, K = {buckets}, b = {depth}");
            }
            let got = on_pools(|| counts(&keys, buckets, &HistogramOptions::new()));
            assert!(got == expected, "n = {n}, K = {buckets}, the default depth");
        }
    }
}

#[test]
fn two_step_sums() {
    for (n, buckets, depth) in [(1 << 13, 300, 13), ((1 << 13) + 5, 300, 13), (1 << 12, 1, 12), (9000, 40, 12)] {
        let keys: Vec<u64> = noise(n, 9).iter().map(|k| k % 310).collect();
        let expected = reference(&keys, buckets);
        // 8192 rows: two steps by default. Thresholds around the number of rows, and none.
        for threshold in [0, 1, 2, 3, 4096, 8192, 8193, usize::MAX] {
            let options = HistogramOptions::new().fork_depth(depth).two_step_rows(threshold);
            let got = on_pools(|| counts(&keys, buckets, &options));
            assert_eq!(got, expected, "n = {n}, K = {buckets}, b = {depth}, threshold {threshold}");
        }
    }
}

#[test]
fn crowded_buckets_wrap_their_bytes() {
    // 300000 equal keys among 5000 buckets: byte counters wrap more than a thousand times.
    let mut keys = vec![4321u64; 300_000];
    keys.extend(0..5000);
    let expected = reference(&keys, 5000);
    assert_eq!(expected[4321], 300_001);
    assert!(on_pools(|| counts(&keys, 5000, &HistogramOptions::new())) == expected);
    assert!(on_pools(|| counts(&keys, 5000, &HistogramOptions::new().fork_depth(3))) == expected);
}

#[test]
fn padding_is_zero_over_dirty_buffers() {
    let options = HistogramOptions::new();
    let mut buffers = HistogramBuffers::new();
    let keys: Vec<u32> = (0..512).collect();
    histogram(&keys, 512, &options, &mut buffers).expect("a histogram");
    assert!(buffers.padded_counts().iter().all(|&c| c == 1));
    for depth in DEPTHS {
        let options = options.fork_depth(depth);
        histogram(&keys, 300, &options, &mut buffers).expect("a histogram");
        assert_eq!(buffers.padded_counts().len(), 512);
        assert_eq!(buffers.counts().len(), 300);
        assert!(buffers.counts()[..299].iter().all(|&c| c == 1));
        assert_eq!(buffers.counts()[299], 213);
        assert!(buffers.padded_counts()[300..].iter().all(|&c| c == 0));
        // Dirty again, for the next depth.
        histogram(&keys, 512, &options, &mut buffers).expect("a histogram");
        assert_eq!(buffers.counts(), [1; 512]);
    }
    histogram(&keys, 1, &options, &mut buffers).expect("a histogram");
    assert_eq!(buffers.padded_counts(), [512]);
}

#[test]
fn buffers_grow_shrink_grow() {
    let options = HistogramOptions::new().fork_depth(3);
    let keys = noise(10_000, 5);
    let mut buffers = HistogramBuffers::new();
    assert_eq!(buffers.counts(), []);
    assert_eq!(buffers.padded_counts(), []);
    let mut held = 0;
    for (round, buckets) in [300, 16, 300, 5000, 3, 5000, 300].into_iter().enumerate() {
        let keys: Vec<u64> = keys.iter().map(|k| k % 6000).collect();
        let got = histogram(&keys, buckets, &options, &mut buffers).expect("a histogram");
        assert_eq!(got, reference(&keys, buckets), "round {round}");
        assert!(buffers.memory() >= held, "a buffer that fits is kept");
        held = buffers.memory();
    }
    let empty: &[u64] = &[];
    assert_eq!(histogram(empty, 4, &options, &mut buffers), Ok(&[0; 4][..]));
}

#[test]
fn sized_buffers_fit() {
    let options = HistogramOptions::new().fork_depth(4);
    let mut buffers = HistogramBuffers::sized(10_000, 300, &options).expect("buffers");
    assert_eq!(buffers.counts(), []);
    let held = buffers.memory();
    // 512 counts and 16 rows of at least 300.
    assert!(held >= 4 * (512 + 16 * 300));
    histogram(&noise(10_000, 1), 300, &options, &mut buffers).expect("a histogram");
    assert_eq!(buffers.memory(), held);
}

#[test]
fn keys_of_every_width() {
    let options = HistogramOptions::new();
    let mut b = HistogramBuffers::new();
    let expected = Ok(&[1, 0, 3][..]);
    assert_eq!(histogram(&[0u8, 2, 255, 9], 3, &options, &mut b), expected);
    assert_eq!(histogram(&[0u16, 2, u16::MAX, 9], 3, &options, &mut b), expected);
    assert_eq!(histogram(&[0u32, 2, u32::MAX, 9], 3, &options, &mut b), expected);
    // Not the low 32 bits.
    assert_eq!(histogram(&[0u64, 2, 1 << 32, u64::MAX], 3, &options, &mut b), expected);
    assert_eq!(histogram(&[0usize, 2, usize::MAX, 9], 3, &options, &mut b), expected);
    let words = ["a", "ccc", "ccccc", "cc"];
    assert_eq!(histogram_by_key(&words, 3, &options, &mut b, |w| w.len() - 1), Ok(&[1, 1, 2][..]));
}

#[test]
fn keys_past_the_end() {
    let keys = [3u64, 9, 1, 3, 1 << 40, 2, 4];
    let mut b = HistogramBuffers::new();
    let options = HistogramOptions::new();
    assert_eq!(histogram(&keys, 4, &options.past_end(PastEnd::Clamp), &mut b), Ok(&[0, 1, 1, 5][..]));
    assert_eq!(histogram(&keys, 4, &options.past_end(PastEnd::Ignore), &mut b), Ok(&[0, 1, 1, 2][..]));
    let error = ParallelError::KeyOutOfRange { first: 1, count: 3, buckets: 4 };
    assert_eq!(histogram(&keys, 4, &options.past_end(PastEnd::Error), &mut b), Err(error));
    assert_eq!(error.to_string(), "3 keys are at or past the 4 buckets, the first at index 1");
    assert_eq!(b.counts(), [0, 1, 1, 2], "an error leaves the buffers alone");
    assert_eq!(histogram(&keys[2..4], 4, &options.past_end(PastEnd::Error), &mut b), Ok(&[0, 1, 0, 1][..]));
    // Long enough for every way of counting.
    let keys: Vec<u64> = noise(100_000, 2).iter().map(|k| k % 10_000).collect();
    for buckets in [100, 1000, 4000] {
        let inside: Vec<u64> = keys.iter().copied().filter(|&k| k < u64::from(buckets)).collect();
        let options = options.past_end(PastEnd::Ignore);
        let got = on_pools(|| counts(&keys, buckets, &options));
        assert_eq!(got, reference(&inside, buckets));
    }
}

#[test]
fn huge_numbers_of_buckets() {
    // A table of 2^64 rows is not tried; the counts alone are 8 GiB of untouched pages, which the system may refuse.
    let keys = [0u32, 5, u32::MAX, 1 << 31, (1 << 31) - 1];
    for buckets in [1 << 31, u32::MAX] {
        let mut buffers = HistogramBuffers::new();
        let options = HistogramOptions::new().fork_depth(64);
        match histogram(&keys, buckets, &options, &mut buffers) {
            Ok(counts) => {
                assert_eq!(counts.len(), buckets as usize);
                assert_eq!((counts[0], counts[1], counts[5]), (1, 0, 1));
                let last = if buckets == 1 << 31 { 3 } else { 1 };
                assert_eq!(counts[counts.len() - 1], last);
            }
            Err(ParallelError::OutOfMemory { bytes }) => assert!(bytes >= 4 * u64::from(buckets)),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn the_table_respects_its_limit() {
    let keys: Vec<u32> = (0..1 << 16).collect();
    let options = HistogramOptions::new().fork_depth(12).table_limit(1 << 20);
    let mut buffers = HistogramBuffers::new();
    // Without the limit 4096 rows of 2^16 words: 1 GiB.
    let counts = histogram(&keys, 1 << 16, &options, &mut buffers).expect("a histogram");
    assert!(counts.iter().all(|&c| c == 1));
    assert!(buffers.memory() <= (1 << 20) + (4 << 16));
}

proptest! {
    #[test]
    fn laws(
        keys in prop::collection::vec(0u64..400, 0..3000),
        buckets in 0u32..500,
        depth in 0u32..20,
        threshold in 0usize..40,
    ) {
        let options = HistogramOptions::new().fork_depth(depth).two_step_rows(threshold);
        let mut buffers = HistogramBuffers::new();
        // Dirty buffers.
        histogram(&[1u8; 700], 512, &options, &mut buffers).expect("a histogram");
        let got = histogram(&keys, buckets, &options, &mut buffers).expect("a histogram").to_vec();
        prop_assert_eq!(got.iter().map(|&c| c as usize).sum::<usize>(), keys.len());
        prop_assert_eq!(&got, &reference(&keys, buckets));
        let padded = buffers.padded_counts();
        prop_assert_eq!(padded.len(), (buckets.max(1) as usize).next_power_of_two());
        prop_assert!(padded[got.len()..].iter().all(|&c| c == 0));
    }
}
