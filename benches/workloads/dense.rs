//! The box round the shell as one dense array, in plain Rust: what the workloads cost without sparsity, and the reference
//! that the checksums are derived from.

use rayon::prelude::*;

use crate::input::{self, BOX_SIDE, BOX_START, Coord, RAY_LENGTH};
use crate::runner::Runner;

const SIDE: usize = BOX_SIDE as usize;
const PLANE: usize = SIDE * SIDE;

/// One value for each cell of the box; the shell keeps off its outermost cells.
pub(crate) struct Dense {
    values: Vec<f32>,
}

impl Dense {
    /// All cells zero.
    pub(crate) fn new() -> Self {
        Self { values: vec![0.0; PLANE * SIDE] }
    }

    /// The set with its values.
    pub(crate) fn of_set(set: &[Coord]) -> Self {
        let mut grid = Self::new();
        set.iter().for_each(|&p| *grid.at_mut(p) = input::value(p));
        grid
    }

    /// The value of a cell, zero outside of the box.
    pub(crate) fn value(&self, p: Coord) -> f32 {
        index(p).map_or(0.0, |i| self.values[i])
    }

    /// A cell of the box.
    ///
    /// # Panics
    /// If the cell is outside.
    pub(crate) fn at_mut(&mut self, p: Coord) -> &mut f32 {
        let i = index(p).unwrap_or_else(|| panic!("{p:?} is outside of the box"));
        &mut self.values[i]
    }

    /// Sum of all cells.
    pub(crate) fn sum(&self) -> f64 {
        // Rows of multiples of 2^-16 sum exactly in f32.
        self.values.par_chunks(SIDE).map(|row| f64::from(row.iter().sum::<f32>())).sum()
    }

    /// Sum of the set's cells.
    pub(crate) fn sum_over(&self, set: &[Coord]) -> f64 {
        set.iter().map(|&p| f64::from(self.value(p))).sum()
    }

    /// The 7-point laplacian of `a` at every cell but the outermost.
    pub(crate) fn laplacian_of(&mut self, a: &Self) {
        let a = &a.values;
        self.rows_mut(|start, out| {
            let near = |offset: isize| &a[start.wrapping_add_signed(offset)..][..SIDE - 2];
            let (c, left, right) = (near(0), near(-1), near(1));
            let (up, down) = (near(-(SIDE as isize)), near(SIDE as isize));
            let (front, back) = (near(-(PLANE as isize)), near(PLANE as isize));
            for z in 0..SIDE - 2 {
                out[z] = front[z] + back[z] + up[z] + down[z] + left[z] + right[z] - 6.0 * c[z];
            }
        });
    }

    /// The 3x3x3 mean of `a` at every cell but the outermost.
    pub(crate) fn box27_of(&mut self, a: &Self) {
        let a = &a.values;
        self.rows_mut(|start, out| {
            let mut columns = [0.0_f32; SIDE];
            for x in [start - PLANE, start, start + PLANE] {
                for row in [x - SIDE, x, x + SIDE] {
                    columns.iter_mut().zip(&a[row - 1..][..SIDE]).for_each(|(column, value)| *column += value);
                }
            }
            out.iter_mut().zip(columns.windows(3)).for_each(|(out, c)| *out = (c[0] + c[1] + c[2]) * (1.0 / 27.0));
        });
    }

    /// Calls `f` with the index of the first inner cell and the inner cells of every row but the outermost.
    fn rows_mut(&mut self, f: impl Fn(usize, &mut [f32]) + Sync) {
        self.values.par_chunks_mut(PLANE).enumerate().filter(|(x, _)| (1..SIDE - 1).contains(x)).for_each(
            |(x, plane)| {
                for y in 1..SIDE - 1 {
                    let row = y * SIDE + 1;
                    f(x * PLANE + row, &mut plane[row..][..SIDE - 2]);
                }
            },
        );
    }

    /// Sum of the cells that `get_random` reads.
    pub(crate) fn sum_random_reads(&self) -> f64 {
        input::random_reads().map(|p| f64::from(self.value(p))).sum()
    }

    /// Sum of the cells that `get_walk` reads.
    pub(crate) fn sum_walk(&self) -> f64 {
        let cells = input::rays().flat_map(|[x, y, z]| (x..x + RAY_LENGTH).map(move |x| [x, y, z]));
        cells.map(|p| f64::from(self.value(p))).sum()
    }
}

fn index(p: Coord) -> Option<usize> {
    let [x, y, z] = p.map(|c| c.wrapping_sub(BOX_START) as usize);
    (x < SIDE && y < SIDE && z < SIDE).then(|| x * PLANE + y * SIDE + z)
}

/// The rows of the dense box.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    let rows = ["dense_sum", "dense_laplacian", "dense_box27", "dense_get_random", "dense_get_walk"];
    if !runner.wants(&rows) {
        return;
    }
    let a = Dense::of_set(scan);
    let mut b = Dense::new();
    runner.parallel(rows[0], || (), |()| a.sum(), |sum| sum);
    let set_sum = |b: &mut Dense| b.sum_over(scan);
    runner.parallel_in_place(rows[1], &mut b, |b| b.laplacian_of(&a), set_sum);
    runner.parallel_in_place(rows[2], &mut b, |b| b.box27_of(&a), set_sum);
    runner.serial(rows[3], || (), |()| a.sum_random_reads(), |sum| sum);
    runner.serial(rows[4], || (), |()| a.sum_walk(), |sum| sum);
}
