//! The common workloads and the checksums that every program has to reach.
//!
//! The numbers come from arithmetic over the inputs and agree between OpenVDB, NanoVDB, Taichi and numpy; the test
//! `workload_inputs` derives them again from [`input`](super::input) with plain loops.

use std::fmt;

/// What a number of a checksum has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// This integer.
    Exactly(u64),
    /// This value, up to that distance.
    About(f64, f64),
    /// Not checked: the number is the measurement.
    Measured,
}

/// One workload of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    /// Name of its row, without a way.
    pub(crate) name: &'static str,
    /// The work, in a line.
    pub(crate) work: &'static str,
    /// The numbers of its checksum, which are printed with `/` between them.
    pub(crate) checksum: &'static [Number],
}

impl Workload {
    /// The workload a row belongs to: `laplacian`, `laplacian.strict` and `leaf_laplacian` are all of `laplacian`.
    pub(crate) fn of_row(row: &str) -> Option<&'static Self> {
        let name = row.split('.').next().unwrap_or(row);
        let name = name.strip_prefix("dense_").or(name.strip_prefix("leaf_")).unwrap_or(name);
        WORKLOADS.iter().find(|workload| workload.name == name)
    }

    /// Whether the row's figure is its checksum, in bytes, and not the time.
    pub(crate) fn is_size(&self) -> bool {
        matches!(self.checksum, [Number::Measured])
    }

    /// Compares a printed checksum with the expected one.
    pub(crate) fn check(&self, printed: &str) -> Result<(), WrongChecksum> {
        let numbers: Vec<_> = printed.split('/').collect();
        let same = numbers.len() == self.checksum.len()
            && self.checksum.iter().zip(&numbers).all(|(expected, printed)| expected.matches(printed));
        if same { Ok(()) } else { Err(WrongChecksum { workload: *self, printed: printed.to_owned() }) }
    }
}

impl Number {
    fn matches(&self, printed: &str) -> bool {
        match *self {
            Self::Exactly(expected) => printed.parse() == Ok(expected),
            Self::About(expected, distance) => {
                printed.parse::<f64>().is_ok_and(|value| (value - expected).abs() <= distance)
            }
            Self::Measured => printed.parse::<f64>().is_ok(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(value) => write!(f, "{value}"),
            Self::About(value, distance) => write!(f, "{value} +- {distance}"),
            Self::Measured => write!(f, "a number"),
        }
    }
}

/// A checksum that is not the expected one.
#[derive(Clone, Debug)]
pub(crate) struct WrongChecksum {
    workload: Workload,
    printed: String,
}

impl fmt::Display for WrongChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected: Vec<_> = self.workload.checksum.iter().map(Number::to_string).collect();
        write!(f, "checksum {}, expected {}", self.printed, expected.join("/"))
    }
}

impl std::error::Error for WrongChecksum {}

const ACTIVE: Number = Number::Exactly(3_012_662);
const SUM: Number = Number::About(1505572.0474, 0.001);
const LAPLACIAN: Number = Number::About(-753176.9681, 0.001);
// The division by 27 rounds, one way or another.
const BOX27: Number = Number::About(1334378.5096, 0.05);
const RANDOM_READS: Number = Number::About(209223.8728, 0.001);
const WALK: Number = Number::About(174311.7876, 0.001);
const BITS: Number = Number::Exactly(33_549_493);
const KEYS: Number = Number::Exactly(1 << 24);

const fn workload(name: &'static str, work: &'static str, checksum: &'static [Number]) -> Workload {
    Workload { name, work, checksum }
}

/// All workloads, in the order of the table. Checksums of lists and counts are weighted by place, modulo 2^64, so that
/// a right total in the wrong order is noticed.
pub(crate) const WORKLOADS: &[Workload] = &[
    workload("build_scan", "set 3 million voxels in scan order", &[SUM, ACTIVE]),
    workload("build_random", "set them in random order", &[SUM, ACTIVE]),
    workload("build_parallel", "set them in random order from all threads, activating", &[SUM, ACTIVE]),
    workload("build_bulk", "build them through the bulk constructor", &[SUM, ACTIVE]),
    workload("sum", "sum of all active values", &[SUM]),
    workload("laplacian", "7-point laplacian at every active voxel", &[LAPLACIAN]),
    workload("box27", "3x3x3 mean at every active voxel", &[BOX27]),
    workload("get_random", "10 million reads at random", &[RANDOM_READS]),
    workload("get_walk", "20 million reads along rays", &[WALK]),
    workload(
        "p2g",
        "scatter a million particles to 27 nodes each, activating, and clear",
        &[Number::About(1e6, 100.0)],
    ),
    workload("push", "append 2^17 items to one list", &[Number::Exactly(8_589_869_056)]),
    workload("handles", "make a million handles and accessors, and read through each", &[Number::Exactly(1 << 20)]),
    workload("dilate", "activate the 6 neighbours of every active voxel", &[Number::Exactly(3_848_426)]),
    workload("union", "union with the set moved by (3, 5, 7)", &[Number::Exactly(5_034_532)]),
    workload("clone", "deep copy", &[SUM, ACTIVE]),
    workload("clear", "free everything", &[Number::Exactly(0)]),
    workload("count", "number of active voxels", &[ACTIVE]),
    workload("bytes", "bytes of all memory per active voxel", &[Number::Measured]),
    workload("freeze", "to a read-only, pointer-free buffer", &[SUM]),
    workload("freeze_get_random", "get_random on the frozen buffer", &[RANDOM_READS]),
    workload("freeze_get_walk", "get_walk on the frozen buffer", &[WALK]),
    workload("freeze_sum", "sum on the frozen buffer", &[SUM]),
    workload("bits_popcount", "count 2^26 bits", &[BITS]),
    workload("bits_and", "and of two fields of 2^26 bits", &[Number::Exactly(16_778_091)]),
    workload("bits_indices", "list the set bits of 2^26", &[BITS, Number::Exactly(1_125_727_214_559_333)]),
    workload("histogram_256", "count 2^24 keys in 256 bins", &[KEYS, Number::Exactly(2_155_905_078)]),
    workload("histogram_64k", "count 2^24 keys in 65536 bins", &[KEYS, Number::Exactly(549_773_947_446)]),
    workload("histogram_1m", "count 2^24 keys in 2^20 bins", &[KEYS, Number::Exactly(8_794_475_508_278)]),
    workload("scan", "exclusive prefix sum of 2^24 keys", &[Number::Exactly(36_031_663_942_989_935)]),
    workload("sort", "sort 2^24 keys", &[Number::Exactly(11_889_441_327_061_229_191)]),
];
