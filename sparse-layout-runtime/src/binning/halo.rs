//! What one thread adds to for one bin.

use super::accumulate::Accumulate;
use super::tiling::Tiling;
use crate::coord::Point;
use crate::plan::Plan;
use crate::tree::MAX_AXES;
use std::ops::RangeInclusive;

/// Sums for the cells of one bin and of a margin around it, all zero at first. What is added here is added to the grid when
/// the bin is done; cells that nothing was added to are left alone.
pub struct Halo<P, S> {
    /// The first cell of the box, which may lie outside the bounds.
    corner: P,
    /// The part of the box that is inside the bounds: first cell, and number of cells.
    lo: [i32; MAX_AXES],
    len: [u32; MAX_AXES],
    pub(super) rows: Rows,
    values: Vec<S>,
    /// Per row a bit for each cell that something was added to.
    touched: Vec<u64>,
    /// As `touched`, for the first cells of windows of `window` cells along each coordinate, not yet entered there.
    windows: Vec<u64>,
    window: usize,
}

/// The shape of a box as rows along the last coordinate.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Cells along each coordinate.
    pub(super) side: [usize; MAX_AXES],
    /// Rows from one cell to the next, along each coordinate but the last.
    pub(super) step: [usize; MAX_AXES],
    /// Number of rows.
    count: usize,
    /// Values from row to row.
    pub(super) stride: usize,
    /// Bit words of a row.
    pub(super) words: usize,
}

impl Rows {
    fn new(d: usize, side: [usize; MAX_AXES]) -> Self {
        let last = d.saturating_sub(1);
        let mut rows = Rows { side, step: [0; MAX_AXES], count: 1, stride: 1, words: 1 };
        for j in (0..last).rev() {
            rows.step[j] = rows.count;
            rows.count *= side[j];
        }
        if d > 0 {
            rows.stride = side[last].next_multiple_of(8);
            rows.words = side[last].div_ceil(64);
        }
        rows
    }
}

impl<P: Point, S> std::fmt::Debug for Halo<P, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Halo").field("corner", &self.corner).finish_non_exhaustive()
    }
}

impl<P: Point, S: Accumulate> Halo<P, S> {
    /// For the largest tile, with a margin as `reach` says.
    pub(super) fn new(tiling: &Tiling, reach: &RangeInclusive<i32>) -> Self {
        let margin = (reach.end() - reach.start()) as usize;
        let mut side = [1; MAX_AXES];
        for (j, side) in side.iter_mut().enumerate().take(P::LEN) {
            *side = tiling.tile[j] as usize + margin;
        }
        let rows = Rows::new(P::LEN, side);
        Halo {
            corner: P::from_fn(|_| 0),
            lo: [0; MAX_AXES],
            len: [0; MAX_AXES],
            rows,
            values: vec![S::ZERO; rows.count * rows.stride],
            touched: vec![0; rows.count * rows.words],
            windows: vec![0; rows.count * rows.words],
            window: 1,
        }
    }

    /// Starts with a bin: the tile of these numbers.
    pub(super) fn start(&mut self, plan: &Plan, tiling: &Tiling, tile: P, reach: &RangeInclusive<i32>) {
        for j in 0..P::LEN {
            let (first, len) = tiling.cells(plan, j, tiling.number(plan, j, tile.at(j)));
            let (from, to) = (first + i64::from(*reach.start()), first + i64::from(len) + i64::from(*reach.end()));
            let (lo, hi) = Tiling::bounds(plan, j);
            self.lo[j] = from.max(lo) as i32;
            self.len[j] = (to.min(hi) - from.max(lo)).max(0) as u32;
        }
        self.corner = P::from_fn(|j| {
            let (first, _) = tiling.cells(plan, j, tiling.number(plan, j, tile.at(j)));
            (first + i64::from(*reach.start())) as i32
        });
        self.values.fill(S::ZERO);
        self.touched.fill(0);
    }

    /// Whether the cell is one that can be added to: in the bin's block or in its margin, and in the grid's bounds.
    #[inline(always)]
    pub fn contains(&self, p: P) -> bool {
        (0..P::LEN).all(|j| (p.at(j).wrapping_sub(self.lo[j]) as u32) < self.len[j])
    }

    /// The row of a cell of the box, and its place there.
    #[inline(always)]
    fn place(&self, p: P) -> (usize, usize) {
        let offset = |j: usize| p.at(j).wrapping_sub(self.corner.at(j)) as u32 as usize;
        let mut row = 0;
        for j in 0..P::LEN.saturating_sub(1) {
            row += offset(j) * self.rows.step[j];
        }
        (row, if P::LEN == 0 { 0 } else { offset(P::LEN - 1) })
    }

    /// Adds to one cell.
    ///
    /// # Panics
    /// If the cell is neither in the bin's block nor in its margin, or is out of bounds.
    #[inline(always)]
    pub fn add(&mut self, p: P, value: S) {
        if !self.contains(p) {
            self.panic_outside(p, 1);
        }
        let (row, z) = self.place(p);
        self.touched[row * self.rows.words + z / 64] |= 1 << (z % 64);
        self.values[row * self.rows.stride + z].accumulate(value);
    }

    /// Adds to the `K` cells along each coordinate from `first` on: to each what `value` gives for its offset from `first`,
    /// the last coordinate fastest. Faster than [`add`](Self::add) one by one.
    ///
    /// ```ignore
    /// // Quadratic B-splines in three dimensions: the weights of three cells along each axis.
    /// halo.add_window::<3>(first, |o| w[0][o[0] as usize] * w[1][o[1] as usize] * w[2][o[2] as usize]);
    /// ```
    ///
    /// # Panics
    /// As [`add`](Self::add), for each of the cells.
    #[inline(always)]
    pub fn add_window<const K: usize>(&mut self, first: P, mut value: impl FnMut(P) -> S) {
        const { assert!(K > 0 && K <= 64, "windows have 1 to 64 cells along each coordinate") };
        let fits = |j: usize| {
            let offset = first.at(j).wrapping_sub(self.lo[j]) as u32;
            offset < self.len[j] && K as u32 <= self.len[j] - offset
        };
        if !(0..P::LEN).all(fits) {
            self.panic_outside(first, K);
        }
        if self.window != K {
            self.enter_windows();
            self.window = K;
        }
        let (row, z) = self.place(first);
        self.windows[row * self.rows.words + z / 64] |= 1 << (z % 64);
        let (step, stride) = (self.rows.step, self.rows.stride);
        let values = &mut self.values[..];
        let mut add_row = |row: usize, outer: [i32; 3]| {
            let cells = &mut values[row * stride + z..][..if P::LEN == 0 { 1 } else { K }];
            for (k, cell) in cells.iter_mut().enumerate() {
                let at = |j: usize| if j + 1 == P::LEN { k as i32 } else { outer[j] };
                cell.accumulate(value(P::from_fn(at)));
            }
        };
        match P::LEN {
            0 | 1 => add_row(row, [0; 3]),
            2 => (0..K).for_each(|x| add_row(row + x * step[0], [x as i32, 0, 0])),
            3 => {
                for x in 0..K {
                    for y in 0..K {
                        add_row(row + x * step[0] + y * step[1], [x as i32, y as i32, 0]);
                    }
                }
            }
            _ => self.add_window_of_many_axes::<K>(first, value),
        }
    }

    /// As `add_window`, for four coordinates and more.
    fn add_window_of_many_axes<const K: usize>(&mut self, first: P, mut value: impl FnMut(P) -> S) {
        let window = crate::coord::Region::new(P::from_fn(|_| 0), P::from_fn(|_| K as i32));
        for offset in window.iter() {
            let (row, z) = self.place(P::from_fn(|j| first.at(j).wrapping_add(offset.at(j))));
            self.values[row * self.rows.stride + z].accumulate(value(offset));
        }
    }

    #[cold]
    #[inline(never)]
    fn panic_outside(&self, p: P, window: usize) -> ! {
        let ranges: Vec<_> =
            (0..P::LEN).map(|j| i64::from(self.lo[j])..i64::from(self.lo[j]) + i64::from(self.len[j])).collect();
        let which =
            if window > 1 { format!("the window of {window} cells from {p:?}") } else { format!("the cell {p:?}") };
        panic!("{which} does not lie in the bin's block and margin, inside the bounds: {ranges:?}");
    }

    /// Marks the cells of all windows as touched.
    pub(super) fn enter_windows(&mut self) {
        let k = self.window;
        let Rows { side, step, words, .. } = self.rows;
        if P::LEN > 0 && k > 1 {
            for row in self.windows.chunks_exact_mut(words) {
                widen(row, k);
            }
            for j in 0..P::LEN - 1 {
                // All rows with one coordinate j stand side by side; from the far end, so that what is spread is not spread
                // again.
                let len = step[j] * words;
                for slab in self.windows.chunks_exact_mut(len * side[j]) {
                    for x in (1..side[j]).rev() {
                        let (before, own) = slab.split_at_mut(x * len);
                        for other in before.rchunks_exact(len).take(k - 1) {
                            own[..len].iter_mut().zip(other).for_each(|(own, other)| *own |= other);
                        }
                    }
                }
            }
        }
        for (touched, windows) in self.touched.iter_mut().zip(&mut self.windows) {
            *touched |= std::mem::take(windows);
        }
    }

    /// The touched cells of a row from `from` on, `len` up to 64, as bits.
    #[inline(always)]
    pub(super) fn bits(&self, row: usize, from: usize, len: usize) -> u64 {
        debug_assert!(0 < len && len <= 64);
        let words = &self.touched[row * self.rows.words..][..self.rows.words];
        let (word, shift) = (from / 64, from % 64);
        let mut bits = words[word] >> shift;
        if shift != 0 && word + 1 < words.len() {
            bits |= words[word + 1] << (64 - shift);
        }
        bits & u64::MAX >> (64 - len)
    }

    /// The sums of a row.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[S] {
        &self.values[row * self.rows.stride..][..self.rows.stride]
    }

    /// The first cell of the box inside the bounds, and the number of cells, along coordinate `j`.
    pub(super) fn inside(&self, j: usize) -> (i64, i64) {
        (self.lo[j].into(), self.len[j].into())
    }

    /// How far a coordinate is from the corner.
    pub(super) fn offset(&self, j: usize, x: i64) -> usize {
        (x as i32).wrapping_sub(self.corner.at(j)) as u32 as usize
    }
}

/// Sets, for each bit, the `k - 1` after it; those past the end are lost.
fn widen(row: &mut [u64], k: usize) {
    let mut done = 1;
    while done < k {
        let by = done.min(k - done);
        for w in (0..row.len()).rev() {
            let carried = if w > 0 { row[w - 1] >> (64 - by) } else { 0 };
            row[w] |= row[w] << by | carried;
        }
        done += by;
    }
}
