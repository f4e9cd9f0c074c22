//! This library on the common workloads: `cargo bench --bench workloads -- [only=substring,...] [threads=1,2] [runs=7]`.
//!
//! Prints `ROW threads seconds checksum`, the minimum of at least `runs` runs, in the form that the peers print too (see
//! `../peers/README.md`); `cargo bench --bench compare` runs all of them in turn.

mod bits;
mod build;
mod bulk;
mod concurrent;
mod dense;
#[allow(dead_code, reason = "shared with the comparison")]
mod expected;
#[allow(dead_code, reason = "shared with the test of the inputs")]
mod input;
mod layouts;
mod primitives;
mod read;
#[allow(dead_code, reason = "shared with the test of the inputs")]
mod runner;
mod stencils;
mod topology;

use std::error::Error;
use std::process::ExitCode;

use runner::Runner;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut runner = Runner::from_args()?;
    let scan = input::scan_order();
    topology::weigh(&mut runner, &scan);
    if runner.wants_ways_of(&["build_scan", "build_random"]) {
        build::run(&mut runner, &scan, &input::random_order(&scan));
    }
    read::run(&mut runner, &scan);
    topology::run(&mut runner, &scan);
    topology::grow(&mut runner, &scan);
    stencils::run(&mut runner, &scan);
    dense::run(&mut runner, &scan);
    bulk::run(&mut runner, &scan);
    bits::run(&mut runner);
    primitives::run(&mut runner);
    concurrent::run(&mut runner, &scan);
    Ok(runner.finish())
}
