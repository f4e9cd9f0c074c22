//! The processor's features, found at run time: no flag is asked of the user.
//!
//! A loop is compiled twice: for what every processor of the target has, and for the x86-64-v3 level (AVX2, FMA, BMI).
//! The body is inlined into both; a piece of a loop asks once which one to run. The two give the same bits: rustc
//! neither contracts nor reorders floating-point operations, whatever the processor could do.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What loops are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Features {
    /// What every processor of the target has.
    Baseline,
    /// x86-64-v3: AVX2, FMA, BMI1, BMI2, F16C, LZCNT and POPCNT (2013).
    V3,
}

/// 0: not asked yet; 1: baseline; 2: v3.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

impl Features {
    /// Those that loops use from now on.
    #[inline]
    pub fn in_use() -> Self {
        match CHOSEN.load(Relaxed) {
            0 => Self::choose(),
            1 => Features::Baseline,
            _ => Features::V3,
        }
    }

    /// The best that this processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Features::V3;
        }
        Features::Baseline
    }

    /// Makes every loop of the program use these, so that tests and benchmarks can compare; `None`: the best there are.
    /// What the processor does not have is ignored. Loops that are running go on as they began.
    pub fn force(features: Option<Features>) {
        let best = Self::detect();
        let chosen = if features == Some(Features::Baseline) { Features::Baseline } else { best };
        CHOSEN.store(if chosen == Features::V3 { 2 } else { 1 }, Relaxed);
    }

    #[cold]
    fn choose() -> Self {
        let best = Self::detect();
        let code = if best == Features::V3 { 2 } else { 1 };
        // Only if nobody forced a choice in between.
        let _ = CHOSEN.compare_exchange(0, code, Relaxed, Relaxed);
        best
    }
}

/// Work that is compiled for every set of features. `run` must be `#[inline(always)]`, and what it calls inlinable.
pub(crate) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

/// Does the work with the features in use.
#[inline(always)]
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(all(
        target_arch = "x86_64",
        not(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "fma"))
    ))]
    if Features::in_use() == Features::V3 {
        // SAFETY: `V3` is in use only where the processor was found to have all of these features (`detect`).
        return unsafe { v3(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[allow(dead_code, reason = "not needed where the target has these features")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,f16c,lzcnt,popcnt")]
fn v3<W: Work>(work: W) -> W::Output {
    work.run()
}
