//! Counting and comparing whole words.

use rayon::prelude::*;

use super::{Isa, words_per_task};

/// Below this many words the plain loop is as fast as choosing another.
const SHORT: usize = 16;

/// Number of set bits.
pub(in crate::bits) fn count(words: &[u64]) -> usize {
    if words.len() <= SHORT {
        return sum(words);
    }
    let isa = Isa::detect();
    match words_per_task(words.len()) {
        Some(task) => words.par_chunks(task).map(|chunk| count_with(isa, chunk)).sum(),
        None => count_with(isa, words),
    }
}

/// Whether each word is `value`; stops at the first block that holds another.
pub(in crate::bits) fn all_equal(words: &[u64], value: u64) -> bool {
    // Blocks without an early exit inside become vector code.
    words.chunks(64).all(|block| block.iter().fold(0, |seen, word| seen | (word ^ value)) == 0)
}

/// As `count`, on one thread, without choosing.
pub(super) fn count_with(isa: Isa, words: &[u64]) -> usize {
    match isa {
        Isa::Base => sum(words),
        // SAFETY: an `Isa` is only constructed when the processor has its features (`Isa::detect`).
        #[cfg(target_arch = "x86_64")]
        Isa::Popcnt => unsafe { count_popcnt(words) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { count_avx2(words) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { count_avx512(words) },
    }
}

#[inline(always)]
fn sum(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn count_popcnt(words: &[u64]) -> usize {
    sum(words)
}

/// Four counts of nibbles a byte by table look-up, summed by `vpsadbw` (W. Mula, N. Kurz, D. Lemire, "Faster population
/// counts using AVX2 instructions", 2018): the compiler writes it from the plain loop.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn count_avx2(words: &[u64]) -> usize {
    sum(words)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn count_avx512(words: &[u64]) -> usize {
    use core::arch::x86_64::{
        _mm512_add_epi64, _mm512_loadu_si512, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_setzero_si512,
    };
    let mut sums = [_mm512_setzero_si512(); 4];
    let (blocks, rest) = words.as_chunks::<32>();
    for block in blocks {
        for (sum, eight) in sums.iter_mut().zip(block.as_chunks::<8>().0) {
            // SAFETY: `eight` is 64 readable bytes; the load asks for no alignment.
            let eight = unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) };
            *sum = _mm512_add_epi64(*sum, _mm512_popcnt_epi64(eight));
        }
    }
    let pairs = [_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3])];
    _mm512_reduce_add_epi64(_mm512_add_epi64(pairs[0], pairs[1])) as usize + sum(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_counts_the_same() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let words: Vec<u64> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
        .take(300)
        .collect();
        for len in 0..words.len() {
            let by_hand: usize = words[..len].iter().map(|w| (0..64).filter(|b| w >> b & 1 == 1).count()).sum();
            for isa in Isa::available() {
                assert_eq!(count_with(isa, &words[..len]), by_hand, "{isa:?}, {len} words");
            }
        }
    }

    #[test]
    fn all_equal_sees_every_word() {
        let mut words = vec![!0_u64; 200];
        assert!(all_equal(&words, !0) && all_equal(&[], 0) && !all_equal(&words, 0));
        for i in 0..words.len() {
            words[i] ^= 1 << (i % 64);
            assert!(!all_equal(&words, !0), "word {i}");
            words[i] = !0;
        }
    }
}
