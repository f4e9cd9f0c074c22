//! The inputs of the common workloads, and their checksums derived from the inputs with plain loops.
//!
//! The expected numbers are those of the workload table, which OpenVDB, NanoVDB, Taichi and numpy reach as well.

#[path = "../benches/workloads/dense.rs"]
#[allow(dead_code, reason = "shared with the benchmark")]
mod dense;
#[path = "../benches/workloads/expected.rs"]
#[allow(dead_code, reason = "shared with the benchmark")]
mod expected;
#[path = "../benches/workloads/input.rs"]
mod input;
#[path = "../benches/workloads/runner.rs"]
#[allow(dead_code, reason = "shared with the benchmark")]
mod runner;

use std::collections::HashSet;

use dense::Dense;
use expected::Workload;
use input::Coord;

#[track_caller]
fn check(row: &str, checksum: impl Into<runner::Checksum>) {
    let workload = Workload::of_row(row).expect("a workload of the table");
    workload.check(&checksum.into().to_string()).unwrap();
}

/// The set, moved, as one flag a cell of a box that has room for a neighbour on each side.
struct Flags(Vec<bool>);

impl Flags {
    fn new() -> Self {
        Self(vec![false; 432 * 432 * 432])
    }

    fn set(&mut self, p: Coord, by: Coord) {
        let [x, y, z] = [0, 1, 2].map(|axis| (p[axis] + by[axis] - 300) as usize);
        self.0[(x * 432 + y) * 432 + z] = true;
    }

    fn count(&self) -> u64 {
        self.0.iter().filter(|&&flag| flag).count() as u64
    }
}

#[test]
fn the_set_has_the_published_size() {
    let scan = input::scan_order();
    assert_eq!(scan.len(), 3_012_662);
    assert!(scan.is_sorted());
    let blocks: HashSet<Coord> = scan.iter().map(|p| p.map(|c| c.div_euclid(8))).collect();
    assert_eq!(blocks.len(), 16_259);
    // The shell is symmetric about 512.
    assert_eq!(scan[0].map(|c| 1024 - c), *scan.last().unwrap());
}

#[test]
fn the_random_order_is_a_permutation() {
    let scan = input::scan_order();
    let mut random = input::random_order(&scan);
    assert_ne!(random, scan);
    random.sort_unstable();
    assert!(random == scan);
}

#[test]
fn generator_starts_as_published() {
    // By hand from the definition with 128-bit arithmetic, for the first step.
    let mut state: u128 = 0x9E37_79B9_7F4A_7C15;
    state ^= state >> 12;
    state ^= (state << 25) & u128::from(u64::MAX);
    state ^= state >> 27;
    let expected = (state * 0x2545_F491_4F6C_DD1D) & u128::from(u64::MAX);
    assert_eq!(u128::from(input::Generator::new().draw()), expected);
}

#[test]
fn sums_and_reads() {
    let scan = input::scan_order();
    let a = Dense::of_set(&scan);
    check("sum", a.sum());
    check("build_scan", (a.sum_over(&scan), scan.len() as u64));
    check("get_random", a.sum_random_reads());
    check("get_walk", a.sum_walk());
}

#[test]
fn stencils() {
    let scan = input::scan_order();
    let a = Dense::of_set(&scan);
    let mut b = Dense::new();
    b.laplacian_of(&a);
    check("laplacian", b.sum_over(&scan));
    b.box27_of(&a);
    check("box27", b.sum_over(&scan));
}

#[test]
fn topology() {
    let scan = input::scan_order();
    let mut flags = Flags::new();
    let neighbours = [[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    scan.iter().for_each(|&p| neighbours.iter().for_each(|&by| flags.set(p, by)));
    check("dilate", flags.count());
    let mut flags = Flags::new();
    scan.iter().for_each(|&p| [[0, 0, 0], input::UNION_SHIFT].iter().for_each(|&by| flags.set(p, by)));
    check("union", flags.count());
}

#[test]
fn particles_keep_their_mass() {
    let mut grid = Dense::new();
    for particle in input::particles(&input::scan_order()) {
        let [(x, wx), (y, wy), (z, wz)] = particle.map(input::spline);
        for (i, wx) in (x..).zip(wx) {
            for (j, wy) in (y..).zip(wy) {
                for (k, wz) in (z..).zip(wz) {
                    *grid.at_mut([i, j, k]) += wx * wy * wz;
                }
            }
        }
    }
    check("p2g", grid.sum());
}

#[test]
fn bits() {
    let [a, b] = input::bit_words();
    let ones = |words: &mut dyn Iterator<Item = u64>| words.map(|word| u64::from(word.count_ones())).sum::<u64>();
    check("bits_popcount", ones(&mut a.iter().copied()));
    check("bits_and", ones(&mut a.iter().zip(&b).map(|(a, b)| a & b)));
    let bit_is_set = |i: &u64| a[(i / 64) as usize] >> (i % 64) & 1 == 1;
    let (count, sum) = (0..1_u64 << 26).filter(bit_is_set).fold((0_u64, 0_u64), |(n, sum), i| (n + 1, sum + i));
    check("bits_indices", (count, sum));
}

#[test]
fn histograms_scan_and_sort() {
    let mut keys = input::keys();
    let weighted = |values: &[u32]| {
        let terms = (1_u64..).zip(values).map(|(place, &value)| place.wrapping_mul(u64::from(value)));
        terms.fold(0, u64::wrapping_add)
    };
    for (row, bins) in [("histogram_256", 1 << 8), ("histogram_64k", 1 << 16), ("histogram_1m", 1 << 20)] {
        let mut counts = vec![0_u32; bins];
        keys.iter().for_each(|&key| counts[key as usize & (bins - 1)] += 1);
        check(row, (counts.iter().map(|&n| u64::from(n)).sum::<u64>(), weighted(&counts)));
    }
    let (mut running, mut sum, mut last) = (0_u32, 0_u64, 0_u64);
    for &key in &keys {
        last = u64::from(running);
        sum += last;
        running = running.wrapping_add(key);
    }
    check("scan", sum + last);
    keys.sort_unstable();
    check("sort", weighted(&keys));
}

#[test]
fn rows_belong_to_workloads() {
    let name = |row: &str| Workload::of_row(row).map(|workload| workload.name);
    assert_eq!(name("laplacian"), Some("laplacian"));
    assert_eq!(name("laplacian.by_hand"), Some("laplacian"));
    assert_eq!(name("leaf_laplacian"), Some("laplacian"));
    assert_eq!(name("dense_get_walk"), Some("get_walk"));
    assert_eq!(name("freeze_sum"), Some("freeze_sum"));
    assert_eq!(name("stream_read"), None);
    assert_eq!(name("laplacian_strict"), None);
}

#[test]
fn wrong_checksums_are_refused() {
    let build = Workload::of_row("build_scan").unwrap();
    assert!(build.check("1505572.0474/3012662").is_ok());
    assert!(build.check("1505572.0474").is_err());
    assert!(build.check("1505572.0474/3012661").is_err());
    assert!(build.check("1505572.5474/3012662").is_err());
    assert!(build.check("NaN/3012662").is_err());
    let error = build.check("0/1").unwrap_err().to_string();
    assert_eq!(error, "checksum 0/1, expected 1505572.0474 +- 0.001/3012662");
    let bytes = Workload::of_row("bytes").unwrap();
    assert!(bytes.is_size() && bytes.check("12.15").is_ok() && bytes.check("many").is_err());
}
