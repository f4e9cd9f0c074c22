//! The common workloads of the parallel primitives: exact inputs, and checksums that every program computes alike.

use sparse_layout_runtime::parallel::{
    Bins, HistogramBuffers, HistogramOptions, bin_by_key, counting_sort, exclusive_scan, histogram,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of keys of the histogram, scan and sort workloads.
pub(crate) const KEYS: usize = 1 << 24;

/// xorshift64*, the generator of all workloads.
pub(crate) struct Generator(u64);

impl Generator {
    pub(crate) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

/// The top 32 bits of the first 2^24 outputs.
pub(crate) fn keys() -> Vec<u32> {
    let mut g = Generator::new();
    (0..KEYS).map(|_| (g.next() >> 32) as u32).collect()
}

/// The voxels of set S (a shell 6 thick of radius 200 about [512, 512, 512]) in random order.
pub(crate) fn shell() -> Vec<[i32; 3]> {
    let mut voxels = Vec::new();
    for x in -203i32..=203 {
        for y in -203i32..=203 {
            for z in -203i32..=203 {
                let r = f64::from(x * x + y * y + z * z).sqrt();
                if (r - 200.0).abs() < 3.0 {
                    voxels.push([x + 512, y + 512, z + 512]);
                }
            }
        }
    }
    let mut g = Generator::new();
    for i in (1..voxels.len()).rev() {
        voxels.swap(i, (g.next() % (i as u64 + 1)) as usize);
    }
    voxels
}

/// A workload: one run gives what its timed part took, and the checksum.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut() -> (Duration, u64) + Send>,
}

fn timed<R>(f: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let answer = black_box(f());
    (start.elapsed(), answer)
}

/// Sum of entry times (index + 1), wrapping.
fn weighted(values: &[u32]) -> u64 {
    values.iter().zip(1u64..).fold(0, |sum, (&v, i)| sum.wrapping_add(u64::from(v).wrapping_mul(i)))
}

fn histogram_of(name: &'static str, keys: &[u32], buckets: u32) -> Workload {
    let keys: Vec<u32> = keys.iter().map(|k| k & (buckets - 1)).collect();
    let mut buffers = HistogramBuffers::new();
    let run = move || {
        let options = HistogramOptions::new();
        let (time, _) = timed(|| histogram(&keys, buckets, &options, &mut buffers).map(|counts| counts[0]));
        (time, weighted(buffers.counts()))
    };
    Workload { name, run: Box::new(run) }
}

fn scan_of(keys: &[u32]) -> Workload {
    let (keys, mut data) = (keys.to_vec(), keys.to_vec());
    let run = move || {
        data.copy_from_slice(&keys);
        let (time, _) = timed(|| exclusive_scan(&mut data));
        let sum: u64 = data.iter().map(|&x| u64::from(x)).sum();
        (time, sum + u64::from(data[data.len() - 1]))
    };
    Workload { name: "scan", run: Box::new(run) }
}

fn counting_sort_of(keys: &[u32]) -> Workload {
    let keys: Vec<u32> = keys.iter().map(|k| k & 0xFFFF).collect();
    let run = move || {
        let (time, sorted) = timed(|| counting_sort(&keys, 1 << 16));
        (time, sorted.map_or(0, |s| weighted(&s.permutation)))
    };
    Workload { name: "counting_sort_64k", run: Box::new(run) }
}

fn binning_of<const D: usize>(name: &'static str, voxels: &[[i32; 3]], key: fn(&[i32; 3]) -> [i32; D]) -> Workload {
    let voxels = voxels.to_vec();
    let run = move || {
        let (time, bins) = timed(|| bin_by_key(&voxels, key));
        (time, bins.map_or(0, |b: Bins<_>| weighted(b.permutation()).wrapping_add(b.len() as u64)))
    };
    Workload { name, run: Box::new(run) }
}

#[cfg(feature = "sort")]
fn sort_of(name: &'static str, keys: &[u32], sort: fn(&mut [u32])) -> Workload {
    let (keys, mut data) = (keys.to_vec(), keys.to_vec());
    let run = move || {
        data.copy_from_slice(&keys);
        let (time, ()) = timed(|| sort(&mut data));
        (time, weighted(&data))
    };
    Workload { name, run: Box::new(run) }
}

/// The workloads whose names start with one of `prefixes` (all if there are none).
pub(crate) fn workloads(prefixes: &[String]) -> Vec<Workload> {
    let wanted = |name: &str| prefixes.is_empty() || prefixes.iter().any(|p| name.starts_with(p.as_str()));
    let keys = keys();
    let mut all = Vec::new();
    for (name, buckets) in [("histogram_256", 1 << 8), ("histogram_64k", 1 << 16), ("histogram_1m", 1 << 20)] {
        if wanted(name) {
            all.push(histogram_of(name, &keys, buckets));
        }
    }
    if wanted("scan") {
        all.push(scan_of(&keys));
    }
    #[cfg(feature = "sort")]
    for (name, sort) in [
        ("sort", sparse_layout_runtime::parallel::sort_integers as fn(&mut [u32])),
        ("sort_rdst_alone", |data: &mut [u32]| rdst::RadixSort::radix_sort_unstable(data)),
    ] {
        if wanted(name) {
            all.push(sort_of(name, &keys, sort));
        }
    }
    if wanted("counting_sort_64k") {
        all.push(counting_sort_of(&keys));
    }
    if wanted("bin") {
        let voxels = shell();
        all.push(binning_of("bin_near", &voxels, |p| p.map(|x| x >> 3)));
        // Spread wide: three lanes of which no counting sort can hold the range.
        all.push(binning_of("bin_spread", &voxels, |p| p.map(|x| (x >> 3) * 40_009)));
        all.push(binning_of("bin_distinct", &voxels, |&p| p));
        all.push(binning_of("bin_distinct_8d", &voxels, |&[x, y, z]| {
            [x, y, z, x + y, y * z, x * z, x * 1000, y * 1000].map(|x: i32| x * 1009)
        }));
    }
    all
}
