//! Loops over whole words: chosen by the processor's features at run time, split over rayon's threads when large.

mod count;
mod expand;
mod logic;

pub(super) use count::{all_equal, count};
pub use expand::BitIndex;
pub(super) use expand::{BATCH_WORDS, Batch, expand, nonzero};
pub(super) use logic::{And, AndNot, Op, Or, Source, Xor, assign, copy, fill, into, not};

/// The instruction sets that the loops are compiled for. Only what the running processor has is ever constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Isa {
    /// What every processor of the target has.
    Base,
    /// x86-64 with `popcnt` (2008).
    #[cfg(target_arch = "x86_64")]
    Popcnt,
    /// x86-64 with AVX2, BMI1, BMI2 and `popcnt` (2013).
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, VBMI2 and VPOPCNTDQ (2019).
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The best one here; costs a few loads after the first time.
    #[inline]
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("popcnt")
            {
                return Isa::Avx512;
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
            {
                return Isa::Avx2;
            }
            if is_x86_feature_detected!("popcnt") {
                return Isa::Popcnt;
            }
        }
        Isa::Base
    }

    /// All that this processor can run, so that tests try each.
    #[cfg(test)]
    pub(super) fn available() -> impl Iterator<Item = Isa> {
        #[cfg(target_arch = "x86_64")]
        let all = [Isa::Base, Isa::Popcnt, Isa::Avx2, Isa::Avx512];
        #[cfg(not(target_arch = "x86_64"))]
        let all = [Isa::Base];
        all.into_iter().filter(|&isa| isa <= Isa::detect())
    }
}

/// Words from which a pass is split over threads: below, waking them costs more than they save.
const PARALLEL_FROM: usize = 1 << 16;

/// Words per task of a pass over `words` words, or `None` if one thread should do it all.
pub(super) fn words_per_task(words: usize) -> Option<usize> {
    if words < PARALLEL_FROM {
        return None;
    }
    let threads = rayon::current_num_threads();
    // A few tasks per thread even out the load; a page or more each keeps the prefetchers running.
    (threads > 1).then(|| words.div_ceil(4 * threads).max(PARALLEL_FROM / 4).next_multiple_of(8))
}
