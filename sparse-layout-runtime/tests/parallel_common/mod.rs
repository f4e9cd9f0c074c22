//! Shared by the tests of the parallel primitives.
#![allow(dead_code, reason = "each test program uses some of these")]

/// Runs `f` on pools of 1, 2 and 8 threads; all answers must be the same.
pub(crate) fn on_pools<R: PartialEq + std::fmt::Debug + Send>(f: impl Fn() -> R + Sync) -> R {
    let mut answers = [1, 2, 8].map(|n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a thread pool");
        Some(pool.install(&f))
    });
    let first = answers[0].take();
    for other in &mut answers[1..] {
        assert!(first == other.take(), "the answer depends on the number of threads");
    }
    first.expect("the answer of one thread")
}

/// 0, 1, and around powers of two.
pub(crate) const LENGTHS: [usize; 20] =
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 4095, 4096, 4097, 65_535, 65_536, 65_537, 262_143, 262_145];

/// Some numbers without pattern.
pub(crate) fn noise(n: usize, seed: u64) -> Vec<u64> {
    let mut s = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..n)
        .map(|_| {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            s
        })
        .collect()
}
