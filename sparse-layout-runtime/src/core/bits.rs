//! Words and ranges of activity bits. Bit `i` is bit `i % 64` of word `i / 64`.

/// The word that holds bit `i` of the mask at `mask`.
#[inline(always)]
pub(crate) fn word_at(mask: *mut u8, i: u64) -> *mut u64 {
    mask.cast::<u64>().wrapping_add((i >> 6) as usize)
}

/// The numbers of the bits of a word that are on.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| u64::from(word.trailing_zeros()));
        word &= word.wrapping_sub(1);
        bit
    })
}

/// The words that the bits `from..to` touch, each with the bits of the range in it.
pub(crate) fn bit_range(from: u64, to: u64) -> impl Iterator<Item = (u64, u64)> {
    let words = if from < to { from / 64..(to - 1) / 64 + 1 } else { 0..0 };
    words.map(move |w| {
        let low = if w == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
        let high = if w == (to - 1) / 64 && !to.is_multiple_of(64) { u64::MAX >> (64 - to % 64) } else { u64::MAX };
        (w, low & high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_each_bit_once() {
        for from in 0..200u64 {
            for to in from..200 {
                let mut seen = [0u64; 4];
                for (w, bits) in bit_range(from, to) {
                    assert_eq!(seen[w as usize], 0);
                    seen[w as usize] = bits;
                }
                for i in 0..200 {
                    let on = seen[i as usize / 64] >> (i % 64) & 1 == 1;
                    assert_eq!(on, (from..to).contains(&i), "{from}..{to} at {i}");
                }
            }
        }
    }
}
