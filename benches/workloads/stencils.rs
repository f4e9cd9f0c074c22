//! Stencils, spelling by spelling: over the set, over full blocks, over an image.

use rayon::prelude::*;
use sparse_layout::prelude::*;
use sparse_layout::{Around, Level, Row};

use crate::input::{self, Coord};
use crate::layouts::{Full, Image, Pair};
use crate::runner::Runner;

const OVER_THE_SET: [&str; 5] = ["laplacian", "box27", "upwind", "sqrt_clamp", "neighbour_table"];
/// Cells of the full blocks, and of the image, along an axis.
const SIDE: i32 = 128;
const WIDTH: i32 = 2048;

pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    if runner.wants_ways_of(&OVER_THE_SET) {
        let mut grid = Pair::new();
        grid.a_mut().extend(scan.iter().map(|&p| (p, input::value(p))));
        laplacian(runner, &mut grid);
        box27(runner, &mut grid);
        others(runner, &mut grid);
        table(runner, &mut grid);
    }
    if runner.wants_ways_of(&["star2"]) {
        star2(runner);
    }
    if runner.wants_ways_of(&["five_point"]) {
        five_point(runner);
    }
}

fn sum(grid: &mut Pair) -> f64 {
    grid.b().iter().map(|(_, v)| f64::from(v)).sum()
}

fn laplacian(runner: &mut Runner, grid: &mut Pair) {
    let pure = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| of_neighbours(s));
    };
    runner.parallel_in_place("laplacian", grid, pure, sum);
    let strict = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_for_each_stencil::<Star<1>>(&f.a, |_, b, s| *b = of_neighbours(s));
    };
    runner.parallel_in_place("laplacian.strict", grid, strict, sum);
    let folded = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| s.fold_star(-6.0 * s.here(), |sum, v| sum + v));
    };
    runner.parallel_in_place("laplacian.fold_star", grid, folded, sum);
    let rows = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_rows::<Star<1>>(&f.a, |_, _, s| s.fold_star(s.here() * -6.0, |sum, row| sum + row));
    };
    runner.parallel_in_place("laplacian.lanes", grid, rows, sum);
    let blocks = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_for_each_halo::<Star<1>>(&f.a, |block, out, a| {
            let (v, x, y) = (a.values(), a.stride(0), a.stride(1));
            for (at, row) in block.rows() {
                let near = |place: usize| &v[place..][..8];
                let c = a.place(at);
                let (front, back, up, down) = (near(c - x), near(c + x), near(c - y), near(c + y));
                let (left, here, right) = (near(c - 1), near(c), near(c + 1));
                let mut sums = [0.0; 8];
                for z in 0..8 {
                    sums[z] = front[z] + back[z] + up[z] + down[z] + left[z] + right[z] - 6.0 * here[z];
                }
                out[row].copy_from_slice(&sums);
            }
        });
    };
    runner.parallel_in_place("laplacian.block", grid, blocks, sum);
}

fn box27(runner: &mut Runner, grid: &mut Pair) {
    let pure = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| s.fold_box(0.0, |sum, v| sum + v) * (1.0 / 27.0));
    };
    runner.parallel_in_place("box27", grid, pure, sum);
    let strict = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_for_each_stencil::<Cube<1>>(&f.a, |_, b, s| *b = s.fold_box(0.0, |sum, v| sum + v) * (1.0 / 27.0));
    };
    runner.parallel_in_place("box27.strict", grid, strict, sum);
    let ranges = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| {
            let mut sum = 0.0;
            for x in -1..2 {
                for y in -1..2 {
                    for z in -1..2 {
                        sum += s.at([x, y, z]);
                    }
                }
            }
            sum * (1.0 / 27.0)
        });
    };
    runner.parallel_in_place("box27.half_open_ranges", grid, ranges, sum);
    let rows = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_rows::<Cube<1>>(&f.a, |_, _, s| s.fold_box(Row::splat(0.0), |sum, row| sum + row) * (1.0 / 27.0));
    };
    runner.parallel_in_place("box27.lanes", grid, rows, sum);
    let blocks = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_for_each_halo::<Cube<1>>(&f.a, |_, out, a| {
            means(a.values(), a.first(), [a.stride(0), a.stride(1)], out)
        });
    };
    runner.parallel_in_place("box27.block", grid, blocks, sum);
}

/// The mean of the box, axis by axis: 6 additions a cell instead of 26.
#[inline(always)]
fn means(v: &[f32], first: usize, [sx, sy]: [usize; 2], out: &mut [f32]) {
    let mut in_z = [[[0.0_f32; 8]; 10]; 10];
    for x in 0..10 {
        for y in 0..10 {
            let row = &v[first + x * sx + y * sy - sx - sy - 1..][..10];
            for z in 0..8 {
                in_z[x][y][z] = row[z] + row[z + 1] + row[z + 2];
            }
        }
    }
    let mut in_y = [[[0.0_f32; 8]; 8]; 10];
    for x in 0..10 {
        for y in 0..8 {
            for z in 0..8 {
                in_y[x][y][z] = in_z[x][y][z] + in_z[x][y + 1][z] + in_z[x][y + 2][z];
            }
        }
    }
    for x in 0..8 {
        for y in 0..8 {
            let row = &mut out[x * 64 + y * 8..][..8];
            for z in 0..8 {
                row[z] = (in_y[x][y][z] + in_y[x + 1][y][z] + in_y[x + 2][y][z]) * (1.0 / 27.0);
            }
        }
    }
}

fn others(runner: &mut Runner, grid: &mut Pair) {
    // Values are read first and chosen from afterwards, so that no read depends on the branch.
    let upwind = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| {
            let (before, here, behind) = (s.at([-1, 0, 0]), s.here(), s.at([1, 0, 0]));
            if here > 0.5 { behind - here } else { here - before }
        });
    };
    runner.parallel_in_place("upwind", grid, upwind, sum);
    let branch = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| {
            if s.here() > 0.5 { s.at([1, 0, 0]) - s.here() } else { s.here() - s.at([-1, 0, 0]) }
        });
    };
    runner.parallel_in_place("upwind.branch", grid, branch, sum);
    let clamped = |grid: &mut Pair| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| {
            let x = s.at([1, 0, 0]) - s.at([-1, 0, 0]);
            let y = s.at([0, 1, 0]) - s.at([0, -1, 0]);
            let z = s.at([0, 0, 1]) - s.at([0, 0, -1]);
            (x * x + y * y + z * z).sqrt().clamp(0.1, 3.0)
        });
    };
    runner.parallel_in_place("sqrt_clamp", grid, clamped, sum);
}

/// A sweep that builds the table of neighbours, which `laplacian` above finds ready: a cell far away comes and goes.
fn table(runner: &mut Runner, grid: &mut Pair) {
    let build = |grid: &mut Pair| {
        grid.a_mut().set([5000; 3], 0.0);
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| of_neighbours(s));
    };
    let take_away = |grid: &mut Pair| {
        let total = sum(grid);
        grid.leaf_mut().deactivate([5000; 3]);
        total
    };
    runner.parallel_in_place("neighbour_table.and_sweep", grid, build, take_away);
}

fn star2(runner: &mut Runner) {
    let mut grid = Full::new();
    grid.a_mut().extend(Region::new([0; 3], [SIDE; 3]).iter().map(|p| (p, input::value(p))));
    let sum = |grid: &mut Full| grid.b().iter().map(|(_, v)| f64::from(v)).sum::<f64>();
    let loops = |grid: &mut Full| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<2>>(&f.a, |_, _, s| {
            let two = |x: [i32; 3]| s.at(x) + s.at(x.map(|x| -x));
            let near = two([1, 0, 0]) + two([0, 1, 0]) + two([0, 0, 1]);
            let far = two([2, 0, 0]) + two([0, 2, 0]) + two([0, 0, 2]);
            16.0 * near - far - 90.0 * s.here()
        });
    };
    runner.parallel_in_place("star2", &mut grid, loops, sum);
    // The same over an array with a margin, to compare with.
    let wide = SIDE as usize + 4;
    let (plane, mut arrays) = (wide * wide, [vec![0.0_f32; wide.pow(3)], vec![0.0_f32; wide.pow(3)]]);
    for p in Region::new([0; 3], [SIDE; 3]).iter() {
        let [x, y, z] = p.map(|x| x as usize + 2);
        arrays[0][x * plane + y * wide + z] = input::value(p);
    }
    let dense = |[a, b]: &mut [Vec<f32>; 2]| {
        let a = &*a;
        b.par_chunks_mut(plane).enumerate().skip(2).take(wide - 4).for_each(|(x, out)| {
            for y in 2..wide - 2 {
                let c = x * plane + y * wide + 2;
                let near = |by: usize, up: bool| &a[if up { c + by } else { c - by }..][..wide - 4];
                let rows = [1, wide, plane].map(|by| [near(by, false), near(by, true)]);
                let far = [2, 2 * wide, 2 * plane].map(|by| [near(by, false), near(by, true)]);
                let here = near(0, true);
                for (z, out) in out[y * wide + 2..][..wide - 4].iter_mut().enumerate() {
                    let sum = |r: &[[&[f32]; 2]; 3]| {
                        r[0][0][z] + r[0][1][z] + r[1][0][z] + r[1][1][z] + r[2][0][z] + r[2][1][z]
                    };
                    *out = 16.0 * sum(&rows) - sum(&far) - 90.0 * here[z];
                }
            }
        });
    };
    runner.parallel_in_place("dense_star2", &mut arrays, dense, |[_, b]| b.iter().map(|v| f64::from(*v)).sum::<f64>());
}

fn five_point(runner: &mut Runner) {
    let mut grid = Image::new();
    grid.a_mut().par_for_each(|[y, x], v| *v = input::value([y, x, 0]));
    let sum = |grid: &mut Image| grid.b().iter().map(|(_, v)| f64::from(v)).sum::<f64>();
    let loops = |grid: &mut Image| {
        let mut f = grid.fields_mut();
        f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| {
            s.at([1, 0]) + s.at([-1, 0]) + s.at([0, 1]) + s.at([0, -1]) - 4.0 * s.here()
        });
    };
    runner.parallel_in_place("five_point", &mut grid, loops, sum);
    let wide = WIDTH as usize + 2;
    let mut arrays = [vec![0.0_f32; wide * wide], vec![0.0_f32; wide * wide]];
    for p in Region::new([0; 2], [WIDTH; 2]).iter() {
        arrays[0][(p[0] + 1) as usize * wide + (p[1] + 1) as usize] = input::value([p[0], p[1], 0]);
    }
    let dense = |[a, b]: &mut [Vec<f32>; 2]| {
        let a = &*a;
        b.par_chunks_mut(wide).enumerate().skip(1).take(wide - 2).for_each(|(y, out)| {
            let row = |y: usize, by: usize| &a[y * wide + by..][..wide - 2];
            let (up, down, left, here, right) = (row(y - 1, 1), row(y + 1, 1), row(y, 0), row(y, 1), row(y, 2));
            for (x, out) in out[1..wide - 1].iter_mut().enumerate() {
                *out = down[x] + up[x] + right[x] + left[x] - 4.0 * here[x];
            }
        });
    };
    runner.parallel_in_place("dense_five_point", &mut arrays, dense, |[_, b]| {
        b.iter().map(|v| f64::from(*v)).sum::<f64>()
    });
}

#[inline(always)]
fn of_neighbours<L: Level<Point = Coord>>(s: &Around<L, Star<1>, f32>) -> f32 {
    s.at([1, 0, 0]) + s.at([-1, 0, 0]) + s.at([0, 1, 0]) + s.at([0, -1, 0]) + s.at([0, 0, 1]) + s.at([0, 0, -1])
        - 6.0 * s.at([0, 0, 0])
}
