//! Heat that spreads from a torch on its way round: a narrow band of cells that grows in front by dilation and shrinks behind by
//! pruning, with a picture every few steps.
//!
//! ```text
//! cargo run --release --example heat
//! cargo run --release --example heat -- --steps 600 --every 60 --radius 120
//! ```
//!
//! `band`: the grid and a step. `draw`: the pictures. `command`, `picture` and `progress` are shared with `voxelize`.

mod args;
mod band;
#[path = "../voxelize/command.rs"]
mod command;
mod draw;
#[path = "../voxelize/picture.rs"]
mod picture;
#[path = "../voxelize/progress.rs"]
mod progress;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::args::Args;
use crate::band::Band;

fn main() -> ExitCode {
    command::run("heat", args::HELP, args::parse(lexopt::Parser::from_env()), run)
}

fn run(args: &Args) -> Result<(), String> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads);
    threads.build_global().map_err(|e| format!("no threads: {e}"))?;
    let mut band = Band::new(args.radius, args.cooling, args.limit);
    let bar = progress::bar("heat", args.steps as usize);
    let (mut time, mut lines) = (Duration::ZERO, Vec::new());
    for step in 1..=args.steps {
        let start = Instant::now();
        band.step();
        time += start.elapsed();
        bar.inc(1);
        if step % args.every == 0 || step == args.steps {
            let name = format!("{}-{step:04}.png", args.output);
            picture::write_png(name.as_ref(), &draw::panels(&band))?;
            let (cells, blocks) = (band.cells(), band.blocks());
            lines.push(format!(
                "step {step:>5}: {cells:>8} cells in {blocks:>5} blocks, heat {:.3e}: {name}",
                band.heat()
            ));
        }
    }
    bar.finish_and_clear();
    lines.iter().for_each(|line| println!("{line}"));
    println!(
        "{:.2} ms a step with {} threads, activation and pruning included",
        time.as_secs_f64() * 1e3 / f64::from(args.steps),
        rayon::current_num_threads()
    );
    Ok(())
}
