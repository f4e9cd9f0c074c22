//! Histogram, scan and sort.

use sparse_layout::parallel::{HistogramBuffers, HistogramOptions, exclusive_scan, histogram};

use crate::input;
use crate::runner::Runner;

/// The rows of the parallel primitives.
pub(crate) fn run(runner: &mut Runner) {
    let bins = [("histogram_256", 1_u32 << 8), ("histogram_64k", 1 << 16), ("histogram_1m", 1 << 20)];
    if !runner.wants_ways_of(&["histogram_256", "histogram_64k", "histogram_1m", "scan", "sort"]) {
        return;
    }
    let keys = input::keys();
    for (row, buckets) in bins {
        if runner.wants(&[row]) {
            let keys: Vec<u32> = keys.iter().map(|key| key & (buckets - 1)).collect();
            let options = HistogramOptions::new();
            let count = |buffers: &mut HistogramBuffers| {
                histogram(&keys, buckets, &options, buffers).expect("no key is past the last bin");
            };
            let checksum = |buffers: &mut HistogramBuffers| {
                (buffers.counts().iter().map(|&n| u64::from(n)).sum::<u64>(), weighted(buffers.counts()))
            };
            runner.parallel_in_place(row, &mut HistogramBuffers::new(), count, checksum);
        }
    }
    let scanned = |data: Vec<u32>| data.iter().map(|&x| u64::from(x)).sum::<u64>() + u64::from(data[data.len() - 1]);
    let scan = |mut data: Vec<u32>| {
        exclusive_scan(&mut data);
        data
    };
    runner.parallel("scan", || keys.clone(), scan, scanned);
    #[cfg(feature = "sort")]
    {
        let sort = |mut data: Vec<u32>| {
            sparse_layout::parallel::sort_integers(&mut data);
            data
        };
        runner.parallel("sort", || keys.clone(), sort, |data| weighted(&data));
    }
}

/// Sum of entry times (index + 1), wrapping.
fn weighted(values: &[u32]) -> u64 {
    values.iter().zip(1u64..).fold(0, |sum, (&v, i)| sum.wrapping_add(u64::from(v).wrapping_mul(i)))
}
