//! The list of set bits: count, scan, write.

use core::mem::MaybeUninit;

use rayon::prelude::*;

use super::BitPortal;
use super::kernel::{self, BitIndex};

impl BitPortal<'_> {
    /// The indices of all set bits, ascending, in a vector of exactly that size.
    ///
    /// Two passes: one counts the set bits of each part, one writes each part at the sum of the counts before it; on
    /// several threads if the view is large. No shared counter, so the order is the same for every number of threads.
    ///
    /// ```
    /// use sparse_layout_runtime::bits::BitField;
    ///
    /// let field: BitField = [true, false, true, true].into_iter().collect();
    /// assert_eq!(field.set_indices::<u32>(), [0, 2, 3]);
    /// ```
    ///
    /// # Panics
    /// If the last index of the view does not fit in `I`.
    pub fn set_indices<I: BitIndex>(self) -> Vec<I> {
        let mut out = Vec::new();
        self.set_indices_into(&mut out);
        out
    }

    /// As [`set_indices`](Self::set_indices), but replaces the contents of `out`, whose memory is used again.
    ///
    /// # Panics
    /// If the last index of the view does not fit in `I`.
    pub fn set_indices_into<I: BitIndex>(self, out: &mut Vec<I>) {
        assert!(
            self.is_empty() || self.len() as u64 - 1 <= I::LARGEST,
            "indices of {} bits do not fit in {} bits",
            self.len(),
            8 * size_of::<I>()
        );
        out.clear();
        let (first, body, last) = self.parts();
        let offset = self.raw().1.offset;
        let (before, after) = (first.count_ones() as usize, last.count_ones() as usize);
        let part = kernel::words_per_task(body.len()).map(|task| task.min(PART)).unwrap_or(body.len().max(1));
        let counts: Vec<usize> = if part < body.len() {
            body.par_chunks(part).map(kernel::count).collect()
        } else {
            vec![kernel::count(body)]
        };
        let total = before + counts.iter().sum::<usize>() + after;
        out.reserve_exact(total);

        // Bit 0 of storage word `word`, as an index of the view; wraps below 0 for the first word of an unaligned view.
        let base = |word: usize| (word as u64 * 64).wrapping_sub(offset as u64);
        let skip = usize::from(self.raw().1.head_and_body().0 > 0);
        let (head, rest) = out.spare_capacity_mut()[..total].split_at_mut(before);
        let (mut places, tail) = rest.split_at_mut(total - before - after);
        kernel::expand(&[first], base(0), head);
        kernel::expand(&[last], base(skip + body.len()), tail);
        let mut tasks: Vec<Task<'_, I>> = Vec::with_capacity(counts.len());
        for (index, (words, count)) in body.chunks(part).zip(counts).enumerate() {
            let (own, others) = places.split_at_mut(count);
            tasks.push((words, base(skip + index * part), own));
            places = others;
        }
        if tasks.len() > 1 {
            tasks.into_par_iter().for_each(|(words, base, out)| kernel::expand(words, base, out));
        } else {
            tasks.into_iter().for_each(|(words, base, out)| kernel::expand(words, base, out));
        }
        // SAFETY: head, tail and the tasks' parts are all `total` places, and `expand` initialises the whole of its own
        // or panics.
        unsafe { out.set_len(total) };
    }
}

/// Words, the index of their bit 0, and the places for their indices.
type Task<'a, I> = (&'a [u64], u64, &'a mut [MaybeUninit<I>]);

/// Words of a task: their indices, at most 2 MiB, stay in a core's own cache while they are written.
const PART: usize = 1 << 13;
