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
    /// ```text
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
        let stride = self.rows.stride;
        let (x_step, y_step) = (self.rows.step[0] * stride, self.rows.step[1] * stride);
        let start = row * stride + z;
        let values = &mut self.values[..];
        let mut add = |at: usize, x: usize, y: usize, z: usize| {
            debug_assert!(at < values.len());
            // SAFETY: the window lies in the box (`fits`: the part that is inside the bounds lies in it), and `values` holds
            // the whole box.
            let cell = unsafe { values.get_unchecked_mut(at) };
            cell.accumulate(value(P::from_fn(|j| [x, y, z][j.min(2)] as i32)));
        };
        match P::LEN {
            0 => add(start, 0, 0, 0),
            1 => (0..K).for_each(|x| add(start + x, x, 0, 0)),
            2 => {
                for x in 0..K {
                    for y in 0..K {
                        add(start + x * x_step + y, x, y, 0);
                    }
                }
            }
            3 => {
                for x in 0..K {
                    for y in 0..K {
                        for z in 0..K {
                            add(start + x * x_step + y * y_step + z, x, y, z);
                        }
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
            if words == 1 {
                spread(k, |by| self.windows.iter_mut().for_each(|row| *row |= *row << by));
            } else {
                self.windows.chunks_exact_mut(words).for_each(|row| spread(k, |by| shift_up(row, by)));
            }
            for j in 0..P::LEN - 1 {
                // Rows of one coordinate j stand side by side.
                let len = step[j] * words;
                for slab in self.windows.chunks_exact_mut(len * side[j]) {
                    spread(k, |by| {
                        for i in (by * len..slab.len()).rev() {
                            slab[i] |= slab[i - by * len];
                        }
                    });
                }
            }
        }
        for (touched, windows) in self.touched.iter_mut().zip(&mut self.windows) {
            *touched |= std::mem::take(windows);
        }
    }

    /// Which box this is: what the code that adds it to the grid relies on. Two halos can be swapped by whoever holds both.
    pub(super) fn frame(&self) -> impl PartialEq + use<P, S> {
        (self.corner, self.lo, self.len, self.rows.side)
    }

    /// A bit for each cell that something was added to, row by row.
    pub(super) fn touched(&self) -> &[u64] {
        &self.touched
    }

    /// The sums, row by row.
    pub(super) fn sums(&self) -> &[S] {
        &self.values
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

/// Spreads something to the `k - 1` places after it, by steps that each add what is there some places further on.
#[inline(always)]
fn spread(k: usize, mut add: impl FnMut(usize)) {
    let mut done = 1;
    while done < k {
        let by = done.min(k - done);
        add(by);
        done += by;
    }
}

/// Adds a row's bits `by` places further on, below 64; those past the end are lost.
fn shift_up(row: &mut [u64], by: usize) {
    for w in (0..row.len()).rev() {
        let carried = if w > 0 { row[w - 1] >> (64 - by) } else { 0 };
        row[w] |= row[w] << by | carried;
    }
}
