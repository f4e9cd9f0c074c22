//! The command line.

use std::error::Error;

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// How often each program runs; the minimum counts.
    pub(crate) rounds: usize,
    /// Thread counts, in ascending order.
    pub(crate) threads: Vec<usize>,
    /// Parts of row names, all rows if empty.
    pub(crate) only: Vec<String>,
    /// Parts of system names, all systems if empty.
    pub(crate) systems: Vec<String>,
}

impl Options {
    /// Reads the arguments; `None` without the `--bench` that `cargo bench` passes (so under `cargo test`).
    pub(crate) fn from_args(args: impl Iterator<Item = String>) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options = Self { rounds: 3, threads: vec![1, 2], only: Vec::new(), systems: Vec::new() };
        let mut bench = false;
        for arg in args {
            let list = |text: &str| text.split(',').map(str::to_lowercase).collect();
            match arg.split_once('=') {
                Some(("rounds", count)) => options.rounds = count.parse()?,
                Some(("threads", counts)) => {
                    options.threads = counts.split(',').map(str::parse).collect::<Result<_, _>>()?;
                    options.threads.sort_unstable();
                    options.threads.dedup();
                }
                Some(("only", names)) => options.only = list(names),
                Some(("systems", names)) => options.systems = list(names),
                None if arg == "--bench" => bench = true,
                _ => return Err(format!("unknown argument {arg}; known: rounds=, threads=, only=, systems=").into()),
            }
        }
        if options.rounds == 0 || options.threads.first().is_none_or(|&least| least == 0) {
            return Err("rounds and threads start at 1".into());
        }
        Ok(bench.then_some(options))
    }

    /// Whether this system takes part.
    pub(crate) fn wants_system(&self, system: &str) -> bool {
        let system = system.to_lowercase();
        self.systems.is_empty() || self.systems.iter().any(|part| system.contains(part.as_str()))
    }
}
