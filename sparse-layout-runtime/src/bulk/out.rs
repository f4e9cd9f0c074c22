//! From a grid back to lists and arrays.

use super::scratch::Places;
use crate::coord::{Point, Region};
use crate::element::Element;
use crate::field::Field;
use crate::layout::Level;
use rayon::prelude::*;

impl<'a, L: Level, T: Element> Field<'a, L, T> {
    /// The active cells and their values as two lists, in the order of [`iter`](Self::iter).
    ///
    /// # Cost
    /// What is active, in parallel.
    pub fn to_coords_values(&self) -> (Vec<L::Point>, Vec<T>) {
        self.par_iter().unzip()
    }

    /// The values of a box as an array, row by row, the last coordinate fastest; inactive cells and those out of bounds hold
    /// the background.
    ///
    /// # Panics
    /// If the box has more cells than memory can hold.
    ///
    /// # Cost
    /// Filling the array (nothing where the background is zero: fresh memory is), and what is active, in parallel.
    pub fn to_dense(&self, region: Region<L::Point>) -> Vec<T> {
        let len = usize::try_from(region.len()).expect("to_dense: a region that fits memory");
        let background = self.background();
        let mut values = if bytemuck::bytes_of(&background).iter().all(|b| *b == 0) {
            bytemuck::allocation::zeroed_vec(len)
        } else {
            vec![background; len]
        };
        let places = Places::of(&mut values);
        self.par_iter().filter(|(p, _)| region.contains(*p)).for_each(|(p, v)| {
            // SAFETY: the place of a cell of the box; each active cell comes once, and no two cells have one place.
            unsafe { places.write(region.place(p), v) };
        });
        values
    }
}

impl<P: Point> Region<P> {
    /// The place of a cell of the box in an array of all, row by row, the last coordinate fastest.
    fn place(&self, p: P) -> usize {
        debug_assert!(self.contains(p));
        (0..P::LEN).fold(0, |place, j| {
            let side = (i64::from(self.hi.at(j)) - i64::from(self.lo.at(j))) as usize;
            place * side + p.at(j).wrapping_sub(self.lo.at(j)) as u32 as usize
        })
    }

    /// The inverse of [`place`](Self::place).
    pub(super) fn point(&self, place: u64) -> P {
        let mut offsets = [0; crate::tree::MAX_AXES];
        let mut rest = place;
        for j in (0..P::LEN).rev() {
            let side = (i64::from(self.hi.at(j)) - i64::from(self.lo.at(j))) as u64;
            offsets[j] = (rest % side) as u32;
            rest /= side;
        }
        P::from_fn(|j| self.lo.at(j).wrapping_add(offsets[j] as i32))
    }
}
