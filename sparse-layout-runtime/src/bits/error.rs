//! What can go wrong: lengths that differ, and indices out of range.

use core::fmt;
use core::ops::{Bound, RangeBounds};

/// Two fields of different lengths met in a whole-field operation; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthMismatch {
    /// Bits of the field that is written, or of the first operand.
    pub left: usize,
    /// Bits of the other operand.
    pub right: usize,
}

impl LengthMismatch {
    pub(super) fn check(left: usize, right: usize) -> Result<(), Self> {
        if left == right { Ok(()) } else { Err(Self { left, right }) }
    }
}

impl fmt::Display for LengthMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bit fields of different lengths: {} and {} bits", self.left, self.right)
    }
}

impl core::error::Error for LengthMismatch {}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn bit_out_of_range(index: usize, len: usize) -> ! {
    panic!("bit index {index} is out of range for {len} bits")
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn word_out_of_range(index: usize, width: u32, len: usize) -> ! {
    let words = len.div_ceil(width as usize);
    panic!("word index {index} is out of range for {words} words of {width} bits ({len} bits)")
}

/// Start and length of a range of bits, or `None` if it is reversed or leaves `0..len`.
#[inline]
pub(super) fn checked_range(range: impl RangeBounds<usize>, len: usize) -> Option<(usize, usize)> {
    let (start, end) = ends(range, len)?;
    (start <= end && end <= len).then(|| (start, end - start))
}

#[inline]
#[track_caller]
pub(super) fn range_or_panic(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    match ends(range, len) {
        Some((start, end)) if start <= end && end <= len => (start, end - start),
        bad => range_out_of_range(bad, len),
    }
}

#[inline]
fn ends(range: impl RangeBounds<usize>, len: usize) -> Option<(usize, usize)> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.checked_add(1)?,
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.checked_add(1)?,
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    Some((start, end))
}

#[cold]
#[inline(never)]
#[track_caller]
fn range_out_of_range(ends: Option<(usize, usize)>, len: usize) -> ! {
    match ends {
        Some((start, end)) => panic!("bit range {start}..{end} is out of range for {len} bits"),
        None => panic!("a bit range up to usize::MAX is out of range for {len} bits"),
    }
}
