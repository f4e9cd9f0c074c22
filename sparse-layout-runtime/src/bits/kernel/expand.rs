//! From words to the list of their set bits.

use core::mem::MaybeUninit;

use super::Isa;

mod sealed {
    pub trait Sealed {}
}

/// An integer in which [`set_indices`](crate::bits::BitPortal::set_indices) can list set bits: `u32` or `u64`.
pub trait BitIndex: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The largest index that fits.
    const LARGEST: u64;

    /// From an index that fits; of larger ones the low bits.
    #[doc(hidden)]
    fn truncate(index: u64) -> Self;
}

impl sealed::Sealed for u32 {}
impl sealed::Sealed for u64 {}

impl BitIndex for u32 {
    const LARGEST: u64 = u32::MAX as u64;

    #[inline]
    fn truncate(index: u64) -> Self {
        index as u32
    }
}

impl BitIndex for u64 {
    const LARGEST: u64 = u64::MAX;

    #[inline]
    fn truncate(index: u64) -> Self {
        index
    }
}

/// Fills `out` with the indices of the words' set bits, ascending; bit 0 of the first word is `base` (wrapping).
///
/// # Panics
/// If `out` is not exactly as long as there are set bits; on return all of it is initialised.
pub(in crate::bits) fn expand<I: BitIndex>(words: &[u64], base: u64, out: &mut [MaybeUninit<I>]) {
    let written = expand_with(Isa::detect(), words, base, out);
    assert_eq!(written, out.len(), "the set bits were counted wrong");
}

/// Words that [`Batch::list`] takes at once.
pub(in crate::bits) const BATCH_WORDS: usize = 64;

/// Room for the set bits of a few words, so that loops over them run without a branch per word to predict.
#[derive(Clone)]
pub(in crate::bits) struct Batch {
    isa: Isa,
    len: usize,
    /// One word more than can be filled: the vector forms store so far.
    places: [MaybeUninit<u32>; 64 * (BATCH_WORDS + 1)],
}

impl core::fmt::Debug for Batch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.listed()).finish()
    }
}

impl Batch {
    /// In a box: 16 KiB would be too much to move.
    pub(in crate::bits) fn boxed() -> Box<Self> {
        Box::new(Self { isa: Isa::detect(), len: 0, places: [MaybeUninit::uninit(); 64 * (BATCH_WORDS + 1)] })
    }

    /// The set bits of at most `BATCH_WORDS` words, ascending; bit 0 of the first word is 0.
    #[inline]
    pub(in crate::bits) fn list(&mut self, words: &[u64]) -> &[u32] {
        debug_assert!(words.len() <= BATCH_WORDS);
        self.len = expand_with(self.isa, words, 0, &mut self.places);
        self.listed()
    }

    /// The bits last listed.
    #[inline]
    pub(in crate::bits) fn listed(&self) -> &[u32] {
        let list = &self.places[..self.len];
        // SAFETY: `list` has let `expand_with` initialise the first `len` places, and MaybeUninit<u32> is laid out as u32.
        unsafe { core::slice::from_raw_parts(list.as_ptr().cast(), list.len()) }
    }
}

/// Bit `i` tells whether word `i` of at most 64 holds anything.
pub(in crate::bits) fn nonzero(words: &[u64]) -> u64 {
    match Isa::detect() {
        // SAFETY: an `Isa` is only constructed when the processor has its features (`Isa::detect`).
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { x86::nonzero_avx2(words) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { x86::nonzero_avx512(words) },
        _ => words.iter().rev().fold(0, |bits, &word| bits << 1 | u64::from(word != 0)),
    }
}

/// Writes the indices to the front of `out`, initialises all places before the number that it returns, and panics if
/// there are not enough.
fn expand_with<I: BitIndex>(isa: Isa, words: &[u64], base: u64, out: &mut [MaybeUninit<I>]) -> usize {
    let (done, written) = match isa {
        // SAFETY: an `Isa` is only constructed when the processor has its features (`Isa::detect`).
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { x86::expand_avx2(words, base, out) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { x86::expand_avx512(words, base, out) },
        _ => (0, 0),
    };
    written + expand_plain(&words[done..], base.wrapping_add(64 * done as u64), &mut out[written..])
}

fn expand_plain<I: BitIndex>(words: &[u64], mut base: u64, out: &mut [MaybeUninit<I>]) -> usize {
    let mut next = 0;
    for &word in words {
        let mut bits = word;
        while bits != 0 {
            out[next].write(I::truncate(base.wrapping_add(u64::from(bits.trailing_zeros()))));
            next += 1;
            bits &= bits - 1;
        }
        base = base.wrapping_add(64);
    }
    next
}

/// The vector forms. Each works on whole words while at least [`SLACK`](x86::SLACK) places are left, since it stores full
/// vectors and keeps only the part that the next store does not cover. They return how many words and places are done.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    use core::mem::MaybeUninit;

    use super::BitIndex;

    /// The most places that the stores for one word reach over.
    pub(super) const SLACK: usize = 64;

    /// Byte `k` of entry `b` is the position of the `k`-th set bit of `b` (0 past the last).
    static POSITIONS: [u64; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let (mut bit, mut found) = (0, 0);
            while bit < 8 {
                if byte >> bit & 1 == 1 {
                    table[byte] |= bit << (8 * found);
                    found += 1;
                }
                bit += 1;
            }
            byte += 1;
        }
        table
    };

    /// Eight table look-ups a word; the same idea as the decoders in D. Lemire's "simdprune" and in CRoaring.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn expand_avx2<I: BitIndex>(words: &[u64], base: u64, out: &mut [MaybeUninit<I>]) -> (usize, usize) {
        let (mut done, mut written) = (0, 0);
        while done < words.len() {
            let group = &words[done..words.len().min(done + 64)];
            let mut left = nonzero_avx2(group);
            while left != 0 {
                let at = left.trailing_zeros() as usize;
                if written + SLACK > out.len() {
                    return (done + at, written);
                }
                left &= left - 1;
                let start = base.wrapping_add(64 * (done + at) as u64);
                // SAFETY: the test above leaves SLACK = 64 places from `written` on, all that `look_up` may touch.
                unsafe { look_up::<I>(group[at], start, out.as_mut_ptr().add(written)) };
                written += group[at].count_ones() as usize;
            }
            done += group.len();
        }
        (done, written)
    }

    /// Stores `start` plus the position of each set bit of `word`, and up to 64 places in all.
    ///
    /// # Safety
    /// The 64 places from `at` on are writable.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    unsafe fn look_up<I: BitIndex>(word: u64, start: u64, at: *mut MaybeUninit<I>) {
        let (mut rest, mut start, mut written) = (word, start, 0);
        while rest != 0 {
            let byte = (rest & 0xff) as usize;
            debug_assert!(written + 8 <= SLACK);
            // SAFETY: each byte advances `written` by at most 8, so that the 8 places from there on are among the 64 that
            // the caller grants. `I` is u32 or u64 (sealed), as tested.
            unsafe {
                let at = at.add(written);
                let positions = _mm_cvtsi64_si128(POSITIONS[byte] as i64);
                if size_of::<I>() == 4 {
                    let indices = _mm256_add_epi32(_mm256_cvtepu8_epi32(positions), _mm256_set1_epi32(start as i32));
                    _mm256_storeu_si256(at.cast(), indices);
                } else {
                    let start = _mm256_set1_epi64x(start as i64);
                    let upper = _mm_srli_si128::<4>(positions);
                    _mm256_storeu_si256(at.cast(), _mm256_add_epi64(_mm256_cvtepu8_epi64(positions), start));
                    _mm256_storeu_si256(at.add(4).cast(), _mm256_add_epi64(_mm256_cvtepu8_epi64(upper), start));
                }
            }
            written += byte.count_ones() as usize;
            start = start.wrapping_add(8);
            rest >>= 8;
        }
    }

    /// Bit `i` tells whether word `i` of at most 64 holds anything: a loop over these bits skips empty words without a
    /// branch for each, which would be mispredicted in sparse fields. `test` answers for `N` words.
    #[inline(always)]
    fn nonzero<const N: usize>(words: &[u64], test: impl Fn(&[u64; N]) -> u64) -> u64 {
        let (whole, rest) = words.as_chunks::<N>();
        let first = whole.len() * N;
        let bits = whole.iter().enumerate().fold(0, |bits, (i, words)| bits | test(words) << (N * i));
        rest.iter().enumerate().fold(bits, |bits, (i, &word)| bits | u64::from(word != 0) << (first + i))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn nonzero_avx2(words: &[u64]) -> u64 {
        nonzero(words, |four: &[u64; 4]| {
            // SAFETY: four words can be read; the load asks for no alignment.
            let four = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
            let empty = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
            !_mm256_movemask_pd(_mm256_castsi256_pd(empty)) as u64 & 0xf
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn nonzero_avx512(words: &[u64]) -> u64 {
        nonzero(words, |eight: &[u64; 8]| {
            // SAFETY: eight words can be read; the load asks for no alignment.
            let eight = unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) };
            u64::from(_mm512_test_epi64_mask(eight, eight))
        })
    }

    /// The positions of a word's set bits as bytes by one `vpcompressb`, then widened sixteen (or eight) at a time.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub(super) fn expand_avx512<I: BitIndex>(words: &[u64], base: u64, out: &mut [MaybeUninit<I>]) -> (usize, usize) {
        let all: [u8; 64] = core::array::from_fn(|i| i as u8);
        // SAFETY: `all` is 64 readable bytes; the load asks for no alignment.
        let all = unsafe { _mm512_loadu_si512(all.as_ptr().cast()) };
        let (mut done, mut written) = (0, 0);
        while done < words.len() {
            let group = &words[done..words.len().min(done + 64)];
            let mut left = nonzero_avx512(group);
            while left != 0 {
                let at = left.trailing_zeros() as usize;
                if written + SLACK > out.len() {
                    return (done + at, written);
                }
                left &= left - 1;
                let count = group[at].count_ones() as usize;
                let positions = _mm512_maskz_compress_epi8(group[at], all);
                let start = base.wrapping_add(64 * (done + at) as u64);
                // SAFETY: the test above leaves SLACK = 64 places from `written` on, all that `widen` may touch.
                unsafe { widen::<I>(positions, start, count, out.as_mut_ptr().add(written)) };
                written += count;
            }
            done += group.len();
        }
        (done, written)
    }

    /// Stores `start` plus each of the first `count` bytes, and up to 64 places in all.
    ///
    /// # Safety
    /// The 64 places from `at` on are writable.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    unsafe fn widen<I: BitIndex>(positions: __m512i, start: u64, count: usize, at: *mut MaybeUninit<I>) {
        let quarters = [
            _mm512_castsi512_si128(positions),
            _mm512_extracti32x4_epi32::<1>(positions),
            _mm512_extracti32x4_epi32::<2>(positions),
            _mm512_extracti32x4_epi32::<3>(positions),
        ];
        // Half-full words are the common dense case: two tests that are nearly always the same, not a loop on `count`.
        let used = match count {
            0..=16 => 1,
            17..=48 => 3,
            _ => 4,
        };
        for (quarter, &bytes) in quarters.iter().enumerate().take(used) {
            // SAFETY: four quarters of 16 places are the 64 that the caller grants. `I` is u32 or u64 (sealed), as tested.
            unsafe {
                let at = at.add(16 * quarter);
                if size_of::<I>() == 4 {
                    let indices = _mm512_add_epi32(_mm512_cvtepu8_epi32(bytes), _mm512_set1_epi32(start as i32));
                    _mm512_storeu_si512(at.cast(), indices);
                } else {
                    let start = _mm512_set1_epi64(start as i64);
                    let upper = _mm_srli_si128::<8>(bytes);
                    _mm512_storeu_si512(at.cast(), _mm512_add_epi64(_mm512_cvtepu8_epi64(bytes), start));
                    _mm512_storeu_si512(at.add(8).cast(), _mm512_add_epi64(_mm512_cvtepu8_epi64(upper), start));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<I: BitIndex + PartialEq + core::fmt::Debug>(isa: Isa, words: &[u64], base: u64) {
        let want: Vec<I> = (0..words.len() * 64)
            .filter(|&bit| words[bit / 64] >> (bit % 64) & 1 == 1)
            .map(|bit| I::truncate(base.wrapping_add(bit as u64)))
            .collect();
        // Places behind the end must stay as they are: in the parallel pass they belong to another thread.
        let mut out: Vec<MaybeUninit<I>> = vec![MaybeUninit::new(I::truncate(77)); want.len() + 80];
        assert_eq!(expand_with(isa, words, base, &mut out[..want.len()]), want.len());
        // SAFETY: every place was initialised by `vec!` above.
        let out: Vec<I> = out.into_iter().map(|place| unsafe { place.assume_init() }).collect();
        assert_eq!(out[..want.len()], want, "{isa:?}");
        assert!(out[want.len()..].iter().all(|&place| place == I::truncate(77)), "{isa:?} wrote past the end");
    }

    #[test]
    fn every_instruction_set_lists_the_same() {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for isa in Isa::available() {
            for len in [0, 1, 2, 3, 5, 40] {
                for density in 0..6 {
                    let words: Vec<u64> = (0..len)
                        .map(|_| match density {
                            0 => 0,
                            1 => next() & next() & next() & next() & next(),
                            2 => next() & next(),
                            3 => next(),
                            4 => next() | next() | next(),
                            _ => !0,
                        })
                        .collect();
                    for base in [0, 61_u64.wrapping_neg(), 1 << 31, 0xffff_f000] {
                        check::<u32>(isa, &words, base);
                        check::<u64>(isa, &words, base);
                    }
                }
            }
        }
    }

    #[test]
    fn empty_words_are_told_from_others() {
        for n in 0..=64 {
            let words: Vec<u64> = (0..n).map(|i| if i % 3 == 1 { 0 } else { 1 << i }).collect();
            let want = (0..n).filter(|i| i % 3 != 1).fold(0, |bits, i| bits | 1 << i);
            assert_eq!(nonzero(&words), want, "{n} words");
        }
    }

    #[test]
    fn batches_list_full_words() {
        for isa in Isa::available() {
            let mut batch = Batch { isa, ..*Batch::boxed() };
            assert!(batch.list(&[!0; BATCH_WORDS]).iter().copied().eq(0..4096), "{isa:?}");
            assert_eq!(batch.list(&[0, 1 << 63, 0, 0b101]), [127, 192, 194], "{isa:?}");
            assert_eq!(batch.list(&[]), [0_u32; 0]);
        }
    }

    #[test]
    #[should_panic(expected = "counted wrong")]
    fn a_list_too_long_is_noticed() {
        expand(&[0b111], 0, &mut [MaybeUninit::<u32>::uninit(); 4]);
    }
}
