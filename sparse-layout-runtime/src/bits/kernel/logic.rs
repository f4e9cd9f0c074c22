//! Combining, copying and filling whole words.

use core::marker::PhantomData;

use rayon::prelude::*;

use super::{Isa, words_per_task};

/// A function of two words, bit by bit.
pub(in crate::bits) trait Op: Sync {
    fn apply(a: u64, b: u64) -> u64;
}

macro_rules! ops {
    ($($name:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        pub(in crate::bits) struct $name;

        impl Op for $name {
            #[inline(always)]
            fn apply($a: u64, $b: u64) -> u64 {
                $value
            }
        }
    )*};
}

ops! {
    And = |a, b| a & b;
    Or = |a, b| a | b;
    Xor = |a, b| a ^ b;
    AndNot = |a, b| a & !b;
}

/// Words of a source as the written side numbers them: word `i` is the 64 bits from bit `shift` of `words[i]` on.
#[derive(Clone, Copy)]
pub(in crate::bits) struct Source<'a> {
    words: &'a [u64],
    shift: u32,
}

impl<'a> Source<'a> {
    /// For `count` words that start at bit `at` of `words`, all of which exist.
    pub(in crate::bits) fn new(words: &'a [u64], at: usize, count: usize) -> Self {
        let (first, shift) = (at / 64, (at % 64) as u32);
        let last = if count == 0 { first } else { first + count + usize::from(shift > 0) };
        Self { words: &words[first..last], shift }
    }

    /// Words `first..first + count`: in place if they are aligned, else put together in `buffer`.
    #[inline(always)]
    fn block<'b>(self, first: usize, count: usize, buffer: &'b mut [u64; BLOCK]) -> &'b [u64]
    where
        'a: 'b,
    {
        let low = &self.words[first..first + count];
        if self.shift == 0 {
            return low;
        }
        let high = &self.words[first + 1..first + 1 + count];
        let buffer = &mut buffer[..count];
        for ((out, low), high) in buffer.iter_mut().zip(low).zip(high) {
            *out = low >> self.shift | high << (64 - self.shift);
        }
        buffer
    }
}

/// Words put together at a time: 2 KiB stay in the nearest cache.
const BLOCK: usize = 256;

/// `out[i] = op(a[i], b[i])`.
pub(in crate::bits) fn into<O: Op>(out: &mut [u64], a: Source<'_>, b: Source<'_>) {
    run(out, &Into::<O> { a, b, op: PhantomData });
}

/// `out[i] = op(out[i], b[i])`.
pub(in crate::bits) fn assign<O: Op>(out: &mut [u64], b: Source<'_>) {
    run(out, &Assign::<O> { b, op: PhantomData });
}

/// `out[i] = a[i] ^ flip`: a copy for 0, the complement for all ones.
pub(in crate::bits) fn copy(out: &mut [u64], a: Source<'_>, flip: u64) {
    run(out, &Copy { a, flip });
}

/// `out[i] = !out[i]`.
pub(in crate::bits) fn not(out: &mut [u64]) {
    run(out, &Not);
}

/// `even` at even places of `out`, `odd` at odd ones.
pub(in crate::bits) fn fill(out: &mut [u64], even: u64, odd: u64) {
    run(out, &Fill { even, odd });
}

/// What to do with a part of the written words, which starts at word `first`.
///
/// A trait and not a closure, because only a method can be `inline(always)`, which carries it into the functions that
/// are compiled for better processors.
trait Body: Sync {
    fn run(&self, out: &mut [u64], first: usize);
}

struct Into<'a, O> {
    a: Source<'a>,
    b: Source<'a>,
    op: PhantomData<O>,
}

impl<O: Op> Body for Into<'_, O> {
    #[inline(always)]
    fn run(&self, out: &mut [u64], first: usize) {
        let (mut a_buffer, mut b_buffer) = ([0; BLOCK], [0; BLOCK]);
        for (index, out) in out.chunks_mut(BLOCK).enumerate() {
            let a = self.a.block(first + index * BLOCK, out.len(), &mut a_buffer);
            let b = self.b.block(first + index * BLOCK, out.len(), &mut b_buffer);
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = O::apply(*a, *b);
            }
        }
    }
}

struct Assign<'a, O> {
    b: Source<'a>,
    op: PhantomData<O>,
}

impl<O: Op> Body for Assign<'_, O> {
    #[inline(always)]
    fn run(&self, out: &mut [u64], first: usize) {
        let mut buffer = [0; BLOCK];
        for (index, out) in out.chunks_mut(BLOCK).enumerate() {
            let b = self.b.block(first + index * BLOCK, out.len(), &mut buffer);
            for (out, b) in out.iter_mut().zip(b) {
                *out = O::apply(*out, *b);
            }
        }
    }
}

struct Copy<'a> {
    a: Source<'a>,
    flip: u64,
}

impl Body for Copy<'_> {
    #[inline(always)]
    fn run(&self, out: &mut [u64], first: usize) {
        let mut buffer = [0; BLOCK];
        for (index, out) in out.chunks_mut(BLOCK).enumerate() {
            let a = self.a.block(first + index * BLOCK, out.len(), &mut buffer);
            for (out, a) in out.iter_mut().zip(a) {
                *out = *a ^ self.flip;
            }
        }
    }
}

struct Not;

impl Body for Not {
    #[inline(always)]
    fn run(&self, out: &mut [u64], _first: usize) {
        for word in out {
            *word = !*word;
        }
    }
}

struct Fill {
    even: u64,
    odd: u64,
}

impl Body for Fill {
    #[inline(always)]
    fn run(&self, out: &mut [u64], first: usize) {
        let pair = if first.is_multiple_of(2) { [self.even, self.odd] } else { [self.odd, self.even] };
        for out in out.chunks_mut(2) {
            out.copy_from_slice(&pair[..out.len()]);
        }
    }
}

/// Runs `body` over `out`, on several threads if that pays.
fn run(out: &mut [u64], body: &impl Body) {
    let isa = Isa::detect();
    match words_per_task(out.len()) {
        Some(task) => {
            out.par_chunks_mut(task).enumerate().for_each(|(index, part)| run_with(isa, part, index * task, body));
        }
        None => run_with(isa, out, 0, body),
    }
}

/// Runs `body`, compiled for `isa`.
fn run_with(isa: Isa, out: &mut [u64], first: usize, body: &impl Body) {
    match isa {
        // SAFETY: an `Isa` is only constructed when the processor has its features (`Isa::detect`).
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { run_avx2(out, first, body) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { run_avx512(out, first, body) },
        _ => body.run(out, first),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(out: &mut [u64], first: usize, body: &impl Body) {
    body.run(out, first);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn run_avx512(out: &mut [u64], first: usize, body: &impl Body) {
    body.run(out, first);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(seed: u64, count: usize) -> Vec<u64> {
        (0..count as u64).map(|i| (seed + i).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)).collect()
    }

    #[test]
    fn every_instruction_set_combines_the_same() {
        let (a, b) = (words(1, 602), words(7, 602));
        for isa in Isa::available() {
            for shift in [0, 1, 31, 63] {
                for count in [0, 1, 7, 256, 257, 600] {
                    let (sa, sb) = (Source::new(&a, shift, count), Source::new(&b, 0, count));
                    let mut out = vec![0; count];
                    run_with(isa, &mut out, 0, &Into::<AndNot> { a: sa, b: sb, op: PhantomData });
                    for (i, out) in out.iter().enumerate() {
                        let at = |bit: usize| a[bit / 64] >> (bit % 64) & 1;
                        let want = (0..64).fold(0, |w, bit| w | at(shift + 64 * i + bit) << bit) & !b[i];
                        assert_eq!(*out, want, "{isa:?}, shift {shift}, word {i} of {count}");
                    }
                }
            }
        }
    }

    #[test]
    fn parts_find_their_own_source_words() {
        let a = words(3, 700);
        for isa in Isa::available() {
            let mut whole = vec![0; 650];
            run_with(isa, &mut whole, 0, &Copy { a: Source::new(&a, 5, 650), flip: !0 });
            let mut split = vec![0; 650];
            for (index, part) in split.chunks_mut(100).enumerate() {
                run_with(isa, part, index * 100, &Copy { a: Source::new(&a, 5, 650), flip: !0 });
            }
            assert_eq!(whole, split);
        }
    }

    #[test]
    fn fill_keeps_step_in_parts_that_start_at_odd_words() {
        for isa in Isa::available() {
            let mut out = vec![9; 7];
            run_with(isa, &mut out[..3], 0, &Fill { even: 1, odd: 2 });
            run_with(isa, &mut out[3..], 3, &Fill { even: 1, odd: 2 });
            assert_eq!(out, [1, 2, 1, 2, 1, 2, 1]);
        }
    }
}
