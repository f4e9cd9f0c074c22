//! What every example's `main` does with its command line.

use std::fmt::Display;
use std::process::ExitCode;

/// Runs an example. What goes wrong is one line on the error stream, and exit code 1; `args` is None if help is asked for.
pub(crate) fn run<A>(
    name: &str,
    help: &str,
    args: Result<Option<A>, lexopt::Error>,
    run: impl FnOnce(&A) -> Result<(), String>,
) -> ExitCode {
    let result = match args {
        Ok(Some(args)) => run(&args),
        Ok(None) => {
            print!("{help}");
            Ok(())
        }
        Err(error) => Err(format!("{error} (--help tells more)")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("{name}: {line}");
            ExitCode::FAILURE
        }
    }
}

/// The value of an option, from `lo` to `hi`. NaN is in no range.
pub(crate) fn within<T: PartialOrd + Display>(name: &str, value: T, lo: T, hi: T) -> Result<T, lexopt::Error> {
    if lo <= value && value <= hi { Ok(value) } else { Err(format!("{name} takes {lo} to {hi}, not {value}").into()) }
}
