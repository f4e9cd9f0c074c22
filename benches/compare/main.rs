//! The race against the peers, in one command:
//!
//! ```text
//! cargo bench --bench compare -- [rounds=3] [threads=1,2] [only=substring,...] [systems=substring,...]
//! ```
//!
//! Finds the peers of `../peers`, builds what is to be built, runs them and this library's `workloads` in turn, several
//! rounds, and takes minima. Prints the table and writes it to `target/compare/` as Markdown, CSV and an SVG chart. Peers
//! that are not installed are named and skipped; a row with a wrong checksum is named and not compared.

mod chart;
mod discover;
#[path = "../workloads/expected.rs"]
mod expected;
mod machine;
mod options;
mod results;
mod run;
mod table;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use machine::Machine;
use options::Options;
use results::Results;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(options) = Options::from_args(std::env::args().skip(1))? else {
        println!("the race takes minutes: run it with `cargo bench --bench compare`");
        return Ok(ExitCode::SUCCESS);
    };
    let out = output_folder();
    fs::create_dir_all(&out)?;
    let results = race(&options, &out);
    let machine = Machine::read(results.versions());
    let rows = table::rows(&results, &options.threads);
    let text = format!("{machine}\n{}", table::markdown(&rows, &results));
    println!("\n{text}");
    fs::write(out.join("table.md"), &text)?;
    fs::write(out.join("table.csv"), table::csv(&results))?;
    fs::write(out.join("chart.svg"), chart::svg(&rows, &options.threads, &machine))?;
    println!("written to {}: table.md, table.csv, chart.svg", out.display());
    Ok(if results.complaints().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs every program in turn, round by round, so that a busy spell of the machine does not hit one of them alone.
fn race(options: &Options, out: &Path) -> Results {
    let mut results = Results::default();
    let (mut programs, missing) = discover::programs(options, out);
    for missing in missing {
        results.skip(missing.to_string());
    }
    for round in 1..=options.rounds {
        for &threads in &options.threads {
            programs.retain(|program| {
                eprintln!("round {round} of {}, {threads} thread(s): {}", options.rounds, program.system);
                let output = match run::run(program, threads, &options.only) {
                    Ok(output) => output,
                    Err(error) => {
                        results.skip(format!("{}: {error}", program.system));
                        return false;
                    }
                };
                results.add(program.system, output);
                true
            });
        }
    }
    results
}

/// `compare` in cargo's target folder, wherever that is.
fn output_folder() -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    scratch.parent().unwrap_or(scratch).join("compare")
}
