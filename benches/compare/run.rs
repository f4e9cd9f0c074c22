//! Runs a program and reads what it prints.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A program that speaks the form of `../peers/README.md`.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) system: &'static str,
    pub(crate) program: OsString,
    pub(crate) first_args: Vec<OsString>,
    /// Where it may keep inputs that are slow to make.
    pub(crate) cache: PathBuf,
}

/// A row as printed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) row: String,
    pub(crate) threads: usize,
    pub(crate) seconds: f64,
    pub(crate) checksum: String,
}

/// What one run printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Output {
    pub(crate) version: Option<String>,
    pub(crate) lines: Vec<Line>,
    /// How it failed, if it did not end well.
    pub(crate) failure: Option<String>,
}

/// Runs a program with one thread count. An error if it does not start, or fails without a single row.
pub(crate) fn run(program: &Program, threads: usize, only: &[String]) -> Result<Output, String> {
    let mut command = Command::new(&program.program);
    command.args(&program.first_args).arg(format!("threads={threads}")).env("BENCH_CACHE", &program.cache);
    if !only.is_empty() {
        command.arg(format!("only={}", only.join(",")));
    }
    let process = command.output().map_err(|error| format!("{}: {error}", program.program.display()))?;
    let mut output = parse(&String::from_utf8_lossy(&process.stdout));
    if !process.status.success() {
        let failure = format!("{}: {}", process.status, last_line(&process.stderr));
        if output.lines.is_empty() {
            return Err(failure);
        }
        output.failure = Some(failure);
    }
    Ok(output)
}

/// The rows and the version in a program's standard output; lines in another form are left out.
pub(crate) fn parse(text: &str) -> Output {
    let version = text.lines().find_map(|line| line.strip_prefix("# version "));
    Output { version: version.map(str::to_owned), lines: text.lines().filter_map(line).collect(), failure: None }
}

fn line(text: &str) -> Option<Line> {
    let mut words = text.split_whitespace();
    let row = words.next().filter(|row| !row.starts_with('#'))?.to_owned();
    let threads = words.next()?.parse().ok()?;
    let seconds = words.next()?.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)?;
    let checksum = words.next()?.to_owned();
    words.next().is_none().then_some(Line { row, threads, seconds, checksum })
}

/// The last line of a message that says something.
pub(crate) fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message").trim().to_owned()
}
