//! Many threads write one grid, activating as they go.

use rayon::prelude::*;
use sparse_layout::prelude::*;

use crate::input::{self, Coord};
use crate::layouts::Vdb;
use crate::runner::Runner;

/// Cells, particles or items that one task takes.
const TASK: usize = 4096;
/// Items of the rows `push`.
const ITEMS: u32 = 1 << 17;

/// One list, in chunks of the library's choice, and in short ones.
#[sparse_layout(axes(x), dense(1) { dynamic(i, max = { 1 << 17 }) { item }, dynamic(j, max = { 1 << 17 }, chunk = 32) { short } })]
struct Lists {
    item: u32,
    short: u32,
}

/// The rows of this file.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    build(runner, scan);
    p2g(runner, scan);
    push(runner);
    handles(runner);
}

/// What making a handle and an accessor costs on each thread: each is read through once.
fn handles(runner: &mut Runner) {
    let mut grid = Vdb::new();
    grid.value_mut().set([1, 2, 3], 1.0);
    let count = |grid: &mut Vdb| {
        let c = grid.concurrent();
        let read = |_| u64::from(std::hint::black_box(c).value().accessor().get([1, 2, 3]).is_some());
        (0..1u32 << 20).into_par_iter().map(read).sum::<u64>()
    };
    let mut sum = 0;
    runner.parallel_in_place(
        "handles",
        &mut (&mut grid, &mut sum),
        |(grid, sum)| **sum = count(grid),
        |(_, sum)| **sum,
    );
}

fn build(runner: &mut Runner, scan: &[Coord]) {
    if !runner.wants_ways_of(&["build_parallel"]) {
        return;
    }
    let set = input::random_order(scan);
    let batched = |grid: &mut Vdb, set: &[Coord]| {
        let value = grid.concurrent().value();
        set.par_chunks(TASK)
            .for_each(|task| value.extend(task.iter().map(|&p| (p, input::value(p)))).expect("room for the nodes"));
    };
    let cell_by_cell = |grid: &mut Vdb, set: &[Coord]| {
        let value = grid.concurrent().value();
        set.par_chunks(TASK).for_each(|task| {
            let mut value = value.accessor();
            task.iter().for_each(|&p| value.store(p, input::value(p)).expect("room for the nodes"));
        });
    };
    type Fill = fn(&mut Vdb, &[Coord]);
    for (row, fill) in [("build_parallel", batched as Fill), ("build_parallel.cells", cell_by_cell)] {
        let build = |mut grid: Vdb| {
            fill(&mut grid, &set);
            grid
        };
        runner.parallel(row, Vdb::new, build, |grid| grid.sum_and_count());
        let mut grid = Vdb::new();
        let again = |grid: &mut Vdb| {
            grid.clear();
            fill(grid, &set);
        };
        again(&mut grid);
        runner.parallel_in_place(&format!("{row}.warm"), &mut grid, again, |grid| grid.sum_and_count());
    }
}

/// Quadratic B-splines, added cell by cell.
fn p2g(runner: &mut Runner, scan: &[Coord]) {
    let row = "p2g.atomic";
    if !runner.wants(&[row]) {
        return;
    }
    let particles = input::particles(scan);
    let scatter = |grid: &mut Vdb| {
        let mass = grid.concurrent().value();
        particles.par_chunks(TASK).for_each(|task| {
            let mut mass = mass.accessor();
            for p in task {
                let [(x, u), (y, v), (z, w)] = p.map(input::spline);
                let mut nodes = [([0; 3], 0.0); 27];
                for (i, plane) in nodes.chunks_exact_mut(9).enumerate() {
                    for (j, row) in plane.chunks_exact_mut(3).enumerate() {
                        let uv = u[i] * v[j];
                        for (k, node) in row.iter_mut().enumerate() {
                            *node = ([x + i as i32, y + j as i32, z + k as i32], uv * w[k]);
                        }
                    }
                }
                mass.add_all(nodes).expect("room for the nodes");
            }
        });
    };
    // The sum is taken before the clock starts: the row ends with an empty grid.
    let mut grid = Vdb::new();
    scatter(&mut grid);
    let mass = grid.sum_and_count().0;
    let again = |grid: &mut Vdb| {
        grid.clear();
        scatter(grid);
    };
    runner.parallel_in_place(row, &mut grid, again, |_| mass);
}

fn push(runner: &mut Runner) {
    if !runner.wants_ways_of(&["push"]) {
        return;
    }
    type Fill = fn(&mut Lists);
    let rows: [(&str, Fill); 4] = [
        ("push", |lists| {
            let item = lists.concurrent().item();
            (0..ITEMS).into_par_iter().for_each(|i| item.push([0], i).map(drop).expect("room"));
        }),
        ("push.short", |lists| {
            let short = lists.concurrent().short();
            (0..ITEMS).into_par_iter().for_each(|i| short.push([0], i).map(drop).expect("room"));
        }),
        ("push.extend", |lists| {
            let item = lists.concurrent().item();
            (0..ITEMS).into_par_iter().step_by(TASK).for_each(|i| item.extend([0], i..i + TASK as u32).expect("room"));
        }),
        ("push.short.extend", |lists| {
            let short = lists.concurrent().short();
            (0..ITEMS).into_par_iter().step_by(TASK).for_each(|i| short.extend([0], i..i + TASK as u32).expect("room"));
        }),
    ];
    for (row, fill) in rows {
        let mut lists = Lists::new();
        let again = |lists: &mut Lists| {
            lists.clear();
            fill(lists);
        };
        let sum = |lists: &mut Lists| {
            let items = lists.item().par_iter().chain(lists.short().par_iter());
            items.map(|(_, _, item)| u64::from(item)).sum::<u64>()
        };
        runner.parallel_in_place(row, &mut lists, again, sum);
    }
}
