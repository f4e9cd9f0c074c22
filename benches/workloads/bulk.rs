//! Building from a list of cells, and scattering particles.

use sparse_layout::prelude::*;

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
