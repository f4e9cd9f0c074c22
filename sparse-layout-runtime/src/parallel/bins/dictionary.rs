//! Few distinct codes among many items: a table of those that occur gives each item the rank of its code.
//!
//! Each block of items fills a table of its own and writes down the number of the entry; then the blocks' entries are
//! sorted together, and numbers become ranks. Ranks depend on the codes alone, not on the blocks.

use rayon::prelude::*;

/// A code that can be looked up.
pub(super) trait Code: Copy + Ord + Send + Sync + Default {
    /// A number whose top bits depend on all of the code.
    fn hash(self) -> u64;
}

/// 2^64 divided by the golden ratio, odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Code for u64 {
    #[inline]
    fn hash(self) -> u64 {
        (self ^ (self >> 32)).wrapping_mul(GOLDEN)
    }
}

impl Code for u128 {
    #[inline]
    fn hash(self) -> u64 {
        (((self >> 64) as u64).wrapping_mul(GOLDEN).rotate_left(32) ^ self as u64).hash()
    }
}

/// The codes seen in one block, by open addressing.
struct Table<C> {
    /// A code and its number plus one; zero marks a free place.
    places: Vec<(C, u32)>,
    codes: Vec<C>,
    shift: u32,
}

impl<C: Code> Table<C> {
    fn new() -> Self {
        Self { places: vec![(C::default(), 0); 1 << 10], codes: Vec::new(), shift: 64 - 10 }
    }

    /// The number of the code, given now if it is new.
    #[inline]
    fn number(&mut self, code: C) -> u32 {
        let mask = self.places.len() - 1;
        let mut at = (code.hash() >> self.shift) as usize;
        loop {
            let (there, number) = self.places[at & mask];
            if number == 0 {
                return self.insert(code, at & mask);
            }
            if there == code {
                return number - 1;
            }
            at += 1;
        }
    }

    #[cold]
    fn insert(&mut self, code: C, at: usize) -> u32 {
        self.codes.push(code);
        let number = self.codes.len() as u32;
        self.places[at] = (code, number);
        if self.codes.len() * 2 > self.places.len() {
            self.grow();
        }
        number - 1
    }

    fn grow(&mut self) {
        self.shift -= 1;
        let len = self.places.len() * 2;
        self.places = vec![(C::default(), 0); len];
        for (&code, number) in self.codes.iter().zip(1..) {
            let mut at = (code.hash() >> self.shift) as usize;
            while self.places[at & (len - 1)].1 != 0 {
                at += 1;
            }
            self.places[at & (len - 1)] = (code, number);
        }
    }
}

/// The rank of each item's code among the distinct codes, and the number of these. None if there are so many that
/// sorting the items is the better way.
pub(super) fn ranks<C: Code>(n: usize, code: impl Fn(usize) -> C + Sync) -> Option<(Vec<u32>, usize)> {
    let block = n.div_ceil(rayon::current_num_threads()).max(1 << 12);
    let most = block / 16;
    let mut ranks = vec![0u32; n];
    let fill = |(b, numbers): (usize, &mut [u32])| {
        let mut table = Table::new();
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = table.number(code(b * block + i));
            if table.codes.len() > most {
                return None;
            }
        }
        Some(table.codes)
    };
    let tables: Vec<Vec<C>> = ranks.par_chunks_mut(block).enumerate().map(fill).collect::<Option<_>>()?;
    let mut distinct: Vec<C> = tables.concat();
    distinct.par_sort_unstable();
    distinct.dedup();
    ranks.par_chunks_mut(block).zip(&tables).for_each(|(numbers, codes)| {
        // Each code of the block is among the distinct ones.
        let ranks: Vec<u32> = codes.iter().map(|c| distinct.partition_point(|d| d < c) as u32).collect();
        numbers.iter_mut().for_each(|number| *number = ranks[*number as usize]);
    });
    Some((ranks, distinct.len()))
}
