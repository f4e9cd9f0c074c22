//! Building from a list of cells, and scattering particles.

use sparse_layout::prelude::*;
use sparse_layout::{Bin, Halo};

use crate::input::{self, Coord};
use crate::runner::Runner;

/// The tree of the common workloads.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8))]
struct Shell {
    a: f32,
}

/// The rows of this file.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    build_bulk(runner, scan);
    p2g(runner, scan);
}

fn build_bulk(runner: &mut Runner, scan: &[Coord]) {
    let rows = ["build_bulk", "build_bulk.warm"];
    if !runner.wants(&rows) {
        return;
    }
    let coords = input::random_order(scan);
    let values: Vec<f32> = coords.iter().map(|&p| input::value(p)).collect();
    let checksum = |shell: &Shell| (shell.a().par_iter().map(|(_, v)| f64::from(v)).sum::<f64>(), shell.count());
    let build = |mut shell: Shell| {
        shell.a_mut().set_many(&coords, &values).expect("an unbounded grid");
        shell
    };
    runner.parallel(rows[0], || (), |()| build(Shell::new()), |shell| checksum(&shell));
    let mut shell = Shell::new();
    let again = |shell: &mut Shell| {
        shell.clear();
        shell.a_mut().set_many(&coords, &values).expect("an unbounded grid");
    };
    again(&mut shell);
    runner.parallel_in_place(rows[1], &mut shell, again, |shell| checksum(shell));
}

/// Quadratic B-splines: each particle adds to the three nodes around it along each axis.
fn p2g(runner: &mut Runner, scan: &[Coord]) {
    let rows = ["p2g"];
    if !runner.wants(&rows) {
        return;
    }
    let particles = input::particles(scan);
    let scatter = |shell: &mut Shell| {
        let base = |p: &[f32; 3]| p.map(|x| input::spline(x).0);
        let bins = shell.leaf().bin_by_block(&particles, base).expect("an unbounded grid");
        let sorted = bins.gather(&particles);
        let fill = |bin: &Bin<'_, Coord>, halo: &mut Halo<Coord, f32>| {
            for p in &sorted[bin.range()] {
                let [(x, u), (y, v), (z, w)] = p.map(input::spline);
                halo.add_window::<3>([x, y, z], |o| u[o[0] as usize] * v[o[1] as usize] * w[o[2] as usize]);
            }
        };
        shell.a_mut().par_for_each_bin(&bins, 0..=2, fill).expect("room for the nodes");
    };
    // The sum is taken before the clock starts: the row ends with an empty grid.
    let mut shell = Shell::new();
    let mut mass = 0.0;
    let sum = |shell: &Shell| shell.a().par_iter().map(|(_, v)| f64::from(v)).sum::<f64>();
    scatter(&mut shell);
    mass += sum(&shell);
    shell.clear();
    let again = |shell: &mut Shell| {
        scatter(shell);
        shell.clear();
    };
    runner.parallel_in_place(rows[0], &mut shell, again, |_| mass);
}
