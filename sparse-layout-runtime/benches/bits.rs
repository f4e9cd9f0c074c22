//! Set bits, runs and counts against the `bitvec` crate, at several densities.

use std::hint::black_box;
use std::time::Duration;

use bitvec::prelude::{BitSlice, Lsb0};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use sparse_layout_runtime::bits::{BitField, BitPortal};

const WORDS: usize = 1 << 14;

/// Each bit set with a chance of `1 / 2^halvings`.
fn words(halvings: u32) -> Vec<u64> {
    let mut x = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    (0..WORDS).map(|_| (0..halvings).fold(!0, |word, _| word & next())).collect()
}

fn set_bits(c: &mut Criterion) {
    let mut group = c.benchmark_group("iter_ones");
    group.measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300)).sample_size(20);
    for halvings in [1, 4, 8] {
        let words = words(halvings);
        let ours = BitPortal::from(&words[..]);
        let theirs = BitSlice::<u64, Lsb0>::from_slice(&words);
        let density = format!("1/{}", 1 << halvings);
        group.bench_function(BenchmarkId::new("ours, for", &density), |bench| {
            bench.iter(|| {
                let mut sum = 0;
                for index in ours.iter_ones() {
                    sum += black_box(index);
                }
                sum
            });
        });
        group.bench_function(BenchmarkId::new("ours, sum", &density), |bench| {
            bench.iter(|| ours.iter_ones().sum::<usize>())
        });
        group.bench_function(BenchmarkId::new("bitvec, for", &density), |bench| {
            bench.iter(|| {
                let mut sum = 0;
                for index in theirs.iter_ones() {
                    sum += black_box(index);
                }
                sum
            });
        });
        group.bench_function(BenchmarkId::new("bitvec, sum", &density), |bench| {
            bench.iter(|| theirs.iter_ones().sum::<usize>());
        });
    }
    group.finish();
}

fn whole_fields(c: &mut Criterion) {
    let mut group = c.benchmark_group("whole");
    group.measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300)).sample_size(20);
    let words = words(1);
    let field = BitField::from_words(&words, WORDS * 64);
    let theirs = BitSlice::<u64, Lsb0>::from_slice(&words);
    group.bench_function("count_ones, ours", |bench| bench.iter(|| black_box(&field).count_ones()));
    group.bench_function("count_ones, bitvec", |bench| bench.iter(|| black_box(theirs).count_ones()));
    let index = field.rank_index();
    let ones = field.count_ones();
    group.bench_function("rank by index", |bench| {
        let mut at = 0;
        bench.iter(|| {
            at = (at + 777_777) % field.len();
            index.rank(at)
        });
    });
    group.bench_function("select by index", |bench| {
        let mut nth = 0;
        bench.iter(|| {
            nth = (nth + 77_777) % ones;
            index.select(nth)
        });
    });
    group.finish();
}

criterion_group!(benches, set_bits, whole_fields);
criterion_main!(benches);
