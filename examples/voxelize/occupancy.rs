//! Which blocks exist, as bits of a box: what a ray asks at every step.

/// Edge of a block in cells.
const EDGE: i32 = 8;

#[derive(Debug)]
pub(crate) struct Occupancy {
    /// The first block and the number of blocks along each axis.
    first: [i32; 3],
    size: [usize; 3],
    bits: Vec<u64>,
}

impl Occupancy {
    /// `origins` are first cells of blocks; there is at least one.
    pub(crate) fn new(origins: &[[i32; 3]]) -> Self {
        let all = |axis: usize| origins.iter().map(move |o| o[axis].div_euclid(EDGE));
        let first = [0, 1, 2].map(|axis| all(axis).min().expect("a block"));
        let size = [0, 1, 2].map(|axis| (all(axis).max().expect("a block") - first[axis] + 1) as usize);
        let mut this = Self { first, size, bits: vec![0; size.iter().product::<usize>().div_ceil(64)] };
        for origin in origins {
            let bit = this.number(origin.map(|c| c.div_euclid(EDGE))).expect("a block in the box of all");
            this.bits[bit >> 6] |= 1 << (bit & 63);
        }
        this
    }

    /// Whether the block around a cell exists.
    pub(crate) fn has_block(&self, cell: [i32; 3]) -> bool {
        self.number(cell.map(|c| c >> 3)).is_some_and(|bit| self.bits[bit >> 6] >> (bit & 63) & 1 == 1)
    }

    /// First cell of the box and the one past its end.
    pub(crate) fn bounds(&self) -> ([i32; 3], [i32; 3]) {
        let end = |axis: usize| (self.first[axis] + self.size[axis] as i32) * EDGE;
        (self.first.map(|c| c * EDGE), [end(0), end(1), end(2)])
    }

    fn number(&self, block: [i32; 3]) -> Option<usize> {
        let mut number = 0;
        for ((at, first), &size) in block.into_iter().zip(self.first).zip(&self.size) {
            // Below the first block it wraps to a large number.
            let at = at.wrapping_sub(first) as u32 as usize;
            if at >= size {
                return None;
            }
            number = number * size + at;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_given_blocks_exist() {
        let origins = [[-8, 0, 8], [16, -16, 0], [0, 8, 80]];
        let blocks = Occupancy::new(&origins);
        assert_eq!(blocks.bounds(), ([-8, -16, 0], [24, 16, 88]));
        for x in -20..40 {
            for y in -30..30 {
                for z in -10..100 {
                    let expected = origins.contains(&[x, y, z].map(|c: i32| c.div_euclid(8) * 8));
                    assert_eq!(blocks.has_block([x, y, z]), expected);
                }
            }
        }
    }
}
