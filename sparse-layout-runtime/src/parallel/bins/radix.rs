//! A stable radix sort of codes that carry their item's index: most significant digit first.
//!
//! Each range of items takes its digit from the top of the codes that occur *in it*, so clusters that lie far apart
//! cost one step, not one for each empty digit between them.

use super::super::error::ParallelError;
use super::super::packed::Packed;
use super::super::slots::{Digit, Rule, Slots};
use rayon::prelude::*;

/// Up to this many are sorted by comparison.
const SMALL: usize = 48;
/// From this many on, several threads share the work.
const PARALLEL_FROM: usize = 1 << 16;
/// A table of 2^11 counters stays in the first cache.
const MOST_DIGIT_BITS: u32 = 11;

/// Sorts by code, equal ones by index. `data` must come in order of index.
pub(super) fn sort<P: Packed>(data: &mut [P]) -> Result<(), ParallelError> {
    let mut scratch = vec![P::default(); data.len()];
    sort_parallel(data, &mut scratch, false)
}

/// Sorts `data`, leaving the result in `scratch` if `flip`. Several threads share the steps on long ranges.
fn sort_parallel<P: Packed>(data: &mut [P], scratch: &mut [P], flip: bool) -> Result<(), ParallelError> {
    if data.len() < PARALLEL_FROM || rayon::current_num_threads() == 1 {
        sort_serial(data, scratch, flip, &mut [0; 1 << MOST_DIGIT_BITS]);
        return Ok(());
    }
    let Some((digit, bits)) = next_digit(data) else {
        leave(data, scratch, flip);
        return Ok(());
    };
    let shift = digit.shift;
    let mut slots = Slots::count(data, 1 << bits, digit)?;
    slots.scatter(scratch, |_, &p| p);
    let (_, offsets) = slots.into_parts();
    if shift == 0 {
        leave(scratch, data, !flip);
        return Ok(());
    }
    let mut parts = Vec::with_capacity(offsets.len());
    let (mut from, mut to) = (scratch, data);
    for range in offsets.windows(2) {
        let len = (range[1] - range[0]) as usize;
        if len > 0 {
            parts.push((from.split_off_mut(..len).unwrap_or_default(), to.split_off_mut(..len).unwrap_or_default()));
        }
    }
    parts.into_par_iter().try_for_each(|(part, other)| sort_parallel(part, other, !flip))
}

/// As [`sort_parallel`], on this thread. `table` is scratch.
fn sort_serial<P: Packed>(data: &mut [P], scratch: &mut [P], flip: bool, table: &mut [u32; 1 << MOST_DIGIT_BITS]) {
    if data.len() <= SMALL {
        data.sort_unstable();
        return leave(data, scratch, flip);
    }
    let Some((digit, bits)) = next_digit(data) else { return leave(data, scratch, flip) };
    distribute(data, scratch, &digit, &mut table[..1 << bits]);
    if digit.shift == 0 {
        return leave(scratch, data, !flip);
    }
    let bucket = |p: &P| digit.bucket(p, 1 << bits);
    let mut rest = data;
    for part in scratch.chunk_by_mut(|a, b| bucket(a) == bucket(b)) {
        let other = rest.split_off_mut(..part.len()).unwrap_or_default();
        sort_serial(part, other, !flip, table);
    }
}

/// The top digit of the codes that occur, and its width in bits; none if all codes are the same.
fn next_digit<P: Packed>(data: &[P]) -> Option<(Digit<P>, u32)> {
    let of_block = |block: &[P]| block.iter().fold((block[0], block[0]), |(lo, hi), &p| (lo.min(p), hi.max(p)));
    let first = (*data.first()?, *data.first()?);
    let (low, high) = if data.len() < PARALLEL_FROM {
        of_block(data)
    } else {
        data.par_chunks(PARALLEL_FROM / 4).map(of_block).reduce(|| first, |a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    let width = high.width_from(low);
    let bits = width.min(data.len().ilog2().saturating_sub(3)).min(MOST_DIGIT_BITS);
    (bits > 0).then(|| (Digit { low, shift: width - bits }, bits))
}

/// Stable distribution by digit; the table has an entry for each.
fn distribute<P: Packed>(data: &[P], out: &mut [P], digit: &Digit<P>, table: &mut [u32]) {
    table.fill(0);
    let buckets = table.len();
    for p in data {
        table[digit.bucket(p, buckets)] += 1;
    }
    let mut next = 0;
    for entry in table.iter_mut() {
        (*entry, next) = (next, next + *entry);
    }
    for p in data {
        let place = &mut table[digit.bucket(p, buckets)];
        out[*place as usize] = *p;
        *place += 1;
    }
}

/// Copies the result over if that is where it is wanted.
fn leave<P: Copy>(result: &[P], other: &mut [P], copy: bool) {
    if copy {
        other.copy_from_slice(result);
    }
}
