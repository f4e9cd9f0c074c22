//! A box of bits, row by row, and what growing does to it: whole words at a time.

use crate::tree::MAX_AXES;

/// The bits of a box of cells. Each row begins at a word; what follows a row's last bit means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct BitBox {
    d: usize,
    /// Cells along each place, the last one along a row.
    size: [usize; MAX_AXES],
    /// Rows from one cell to the next along each place but the last.
    stride: [usize; MAX_AXES],
    /// Words of a row.
    row: usize,
    words: Vec<u64>,
    /// What is needed while growing.
    layers: Vec<Vec<u64>>,
}

impl BitBox {
    /// Makes it a box of `d` places of these sizes, all bits off.
    pub(super) fn reset(&mut self, d: usize, size: [usize; MAX_AXES]) {
        (self.d, self.size) = (d, size);
        self.row = size[d - 1].div_ceil(64);
        let mut rows = 1;
        for p in (0..d - 1).rev() {
            self.stride[p] = rows;
            rows *= size[p];
        }
        self.words.clear();
        self.words.resize(rows * self.row, 0);
    }

    pub(super) fn size(&self, place: usize) -> usize {
        self.size[place]
    }

    pub(super) fn stride(&self, place: usize) -> usize {
        self.stride[place]
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.words.len() / self.row
    }

    /// Where a row lies along a place but the last.
    #[inline]
    pub(super) fn place(&self, row: usize, place: usize) -> usize {
        row / self.stride[place] % self.size[place]
    }

    /// Turns on those of the up to 64 bits from `at` of a row that `bits` has.
    #[inline]
    pub(super) fn or(&mut self, row: usize, at: usize, bits: u64) {
        let (w, shift) = (row * self.row + at / 64, at % 64);
        self.words[w] |= bits << shift;
        if shift > 0 && bits >> (64 - shift) != 0 {
            self.words[w + 1] |= bits >> (64 - shift);
        }
    }

    /// The `n` bits, 1 to 64, from `at` of a row.
    #[inline]
    pub(super) fn get(&self, row: usize, at: usize, n: usize) -> u64 {
        debug_assert!((1..=64).contains(&n) && at + n <= self.size[self.d - 1]);
        let (w, shift) = (row * self.row + at / 64, at % 64);
        let mut bits = self.words[w] >> shift;
        if shift + n > 64 {
            bits |= self.words[w + 1] << (64 - shift);
        }
        bits & u64::MAX >> (64 - n)
    }

    /// Whether some bit is on.
    pub(super) fn any(&self) -> bool {
        let n = self.size[self.d - 1];
        (0..self.rows()).any(|row| (0..n).step_by(64).any(|at| self.get(row, at, (n - at).min(64)) != 0))
    }

    /// Turns every bit round.
    pub(super) fn invert(&mut self) {
        self.words.iter_mut().for_each(|w| *w = !*w);
    }

    /// Turns on every cell that differs from one that is on by 1 along up to `most` places. Bits at the border of the box
    /// come out right only as far as the box goes.
    pub(super) fn grow(&mut self, most: usize) {
        if most >= self.d {
            // Any number of places: one place after the other.
            let mut before = self.layers.pop().unwrap_or_default();
            for place in 0..self.d {
                before.clone_from(&self.words);
                self.or_neighbours(place, &before);
            }
            self.layers.push(before);
            return;
        }
        // Layer b: moved along at most b of the places seen so far. The last layer is `words`.
        let mut layers = std::mem::take(&mut self.layers);
        layers.resize(most, Vec::new());
        layers.iter_mut().for_each(|layer| layer.clone_from(&self.words));
        for place in 0..self.d {
            self.or_neighbours(place, &layers[most - 1]);
            for b in (1..most).rev() {
                let (below, own) = layers.split_at_mut(b);
                std::mem::swap(&mut self.words, &mut own[0]);
                self.or_neighbours(place, &below[b - 1]);
                std::mem::swap(&mut self.words, &mut own[0]);
            }
        }
        self.layers = layers;
    }

    /// Turns on what `from` has one further or one less along a place.
    fn or_neighbours(&mut self, place: usize, from: &[u64]) {
        if place + 1 == self.d {
            for (own, from) in self.words.chunks_exact_mut(self.row).zip(from.chunks_exact(self.row)) {
                let mut carry = 0;
                for w in 0..from.len() {
                    let next = from.get(w + 1).map_or(0, |next| next << 63);
                    own[w] |= from[w] << 1 | carry | from[w] >> 1 | next;
                    carry = from[w] >> 63;
                }
            }
            return;
        }
        let step = self.stride[place] * self.row;
        let group = step * self.size[place];
        for (own, from) in self.words.chunks_exact_mut(group).zip(from.chunks_exact(group)) {
            own[step..].iter_mut().zip(from).for_each(|(own, from)| *own |= from);
            own.iter_mut().zip(&from[step..]).for_each(|(own, from)| *own |= from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against cells one by one, in boxes of one to four places, with rows shorter and longer than words.
    #[test]
    fn grows_as_cells_do() {
        let mut x = 1u64;
        for size in [&[130][..], &[5, 70], &[3, 4, 5], &[4, 3, 2, 3]] {
            let d = size.len();
            let mut sizes = [1; MAX_AXES];
            sizes[..d].copy_from_slice(size);
            let cells: usize = size.iter().product();
            let place = |cell: usize| {
                let mut rest = cell;
                let mut p = [0i64; MAX_AXES];
                for k in (0..d).rev() {
                    (p[k], rest) = ((rest % size[k]) as i64, rest / size[k]);
                }
                p
            };
            for most in 1..=d {
                for flip in [false, true] {
                    let on: Vec<bool> = (0..cells)
                        .map(|_| {
                            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                            x >> 60 == 0
                        })
                        .collect();
                    let mut bits = BitBox::default();
                    bits.reset(d, sizes);
                    let n = size[d - 1];
                    (0..cells).filter(|c| on[*c]).for_each(|c| bits.or(c / n, c % n, 1));
                    if flip {
                        bits.invert();
                    }
                    bits.grow(most);
                    for c in 0..cells {
                        let p = place(c);
                        let near = |other: usize| {
                            let q = place(other);
                            let far = (0..d).map(|k| (p[k] - q[k]).abs());
                            far.clone().all(|f| f <= 1) && far.sum::<i64>() <= most as i64
                        };
                        let expected = (0..cells).any(|other| on[other] != flip && near(other));
                        assert_eq!(bits.get(c / n, c % n, 1) != 0, expected, "{size:?}, {most}, cell {c}");
                    }
                }
            }
        }
    }
}
