//! Scatters a million particles to a sparse grid, reproducibly and without atomics, and draws the density.
//!
//! ```text
//! cargo run --release --example particles
//! cargo run --release --example particles -- dragon.ply.gz --resolution 512
//! ```
//!
//! Each particle has a mass and a velocity and hands both to the 27 nodes around it, weighted by quadratic B-splines: the
//! particle-to-grid step of the material point method. Particles are first sorted by the 8^3 block that they reach, then
//! each block and its particles go to one thread. Masses and momenta come out the same, bit for bit, for any number of
//! threads; the program checks that, and that nothing is lost.
//!
//! `cloud`: the particles. `nodes`: the grid, and the scatter. The rest is shared with `voxelize`.

mod args;
mod cloud;
#[path = "../voxelize/command.rs"]
mod command;
#[allow(dead_code, reason = "shared with voxelize")]
#[path = "../voxelize/mesh.rs"]
mod mesh;
mod nodes;
#[path = "../voxelize/picture.rs"]
mod picture;
#[allow(dead_code, reason = "shared with voxelize")]
#[path = "../voxelize/read.rs"]
mod read;
#[path = "../voxelize/read_obj.rs"]
mod read_obj;
#[path = "../voxelize/read_ply.rs"]
mod read_ply;

use std::process::ExitCode;
use std::time::Instant;

use sparse_layout::prelude::*;

use crate::args::Args;
use crate::cloud::Particle;
use crate::nodes::Nodes;

/// Scatters are repeated, and the fastest is reported.
const RUNS: usize = 5;

fn main() -> ExitCode {
    command::run("particles", args::HELP, args::parse(lexopt::Parser::from_env()), run)
}

fn run(args: &Args) -> Result<(), String> {
    let particles = match &args.file {
        Some(path) => cloud::of_vertices(&read::read_parts(path)?.0, args.resolution)
            .map_err(|e| format!("{}: {e}", path.display()))?,
        None => cloud::shell(args.count, args.resolution),
    };
    println!("particles  {}", particles.len());

    let mut grids = Vec::new();
    for threads in [1, 2] {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| format!("no threads: {e}"))?;
        grids.push(pool.install(|| timed_scatter(&particles)));
    }
    let [one, two] = &grids[..] else { unreachable!("two thread counts") };
    if one != two {
        return Err("one and two threads give different grids".into());
    }
    println!("           the same with one and two threads, bit for bit");
    println!("nodes      {} active; {:.1} MiB", one.count(), one.memory().total() as f64 / f64::from(1 << 20));
    check_totals(&particles, one)?;

    picture::write_png(&args.output, &[nodes::draw(one)])?;
    println!("picture    {}", args.output.display());
    Ok(())
}

/// Scatters a few times on the current pool; prints the rate of the fastest.
fn timed_scatter(particles: &[Particle]) -> Nodes {
    let mut grid = Nodes::new();
    let mut best = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        grid.clear();
        let start = Instant::now();
        let bins = nodes::bin(&grid, particles);
        let binned = start.elapsed().as_secs_f64();
        nodes::scatter(&mut grid, &bins, particles);
        let scattered = start.elapsed().as_secs_f64() - binned;
        if binned + scattered < best[0] + best[1] {
            best = [binned, scattered];
        }
    }
    let million = particles.len() as f64 / 1e6;
    println!(
        "{} thread{:4} {:6.1} ms to bin, {:6.1} ms to scatter: {:.1} million particles a second",
        rayon::current_num_threads(),
        if rayon::current_num_threads() == 1 { "" } else { "s" },
        best[0] * 1e3,
        best[1] * 1e3,
        million / (best[0] + best[1]),
    );
    grid
}

/// Holds the totals of the grid against those of the particles: weights add up to one but for rounding.
fn check_totals(particles: &[Particle], grid: &Nodes) -> Result<(), String> {
    let given = cloud::totals(particles);
    let found = nodes::totals(grid);
    let names = ["mass", "momentum x", "momentum y", "momentum z"];
    // What single precision may lose: momenta cancel, so their error is held against the sum of their sizes.
    let scale = cloud::sizes(particles);
    for i in 0..4 {
        let error = (found[i] - given[i]).abs() / scale[i].max(f64::MIN_POSITIVE);
        println!(
            "{:10} {:.6e}; of the particles {:.6e} (off by {error:.1e} of all sizes)",
            names[i], found[i], given[i]
        );
        if error > 1e-5 {
            return Err(format!("the {} is not conserved", names[i]));
        }
    }
    Ok(())
}
