//! Runs rows and prints `ROW threads seconds checksum`, the form that every peer prints.

use std::fmt;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::expected::Workload;

/// Short rows are repeated until they took this long, or this often: the machine may be shared.
const ENOUGH: Duration = Duration::from_millis(300);
const AT_MOST: usize = 40;

/// The numbers that show that the work was done, printed with `/` between them.
pub(crate) struct Checksum(String);

impl From<f64> for Checksum {
    fn from(value: f64) -> Self {
        Self(format!("{value:.4}"))
    }
}

impl From<u64> for Checksum {
    fn from(value: u64) -> Self {
        Self(value.to_string())
    }
}

impl<A: Into<Checksum>, B: Into<Checksum>> From<(A, B)> for Checksum {
    fn from((a, b): (A, B)) -> Self {
        Self(format!("{}/{}", a.into(), b.into()))
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the command line asks for, and what went wrong so far.
pub(crate) struct Runner {
    only: Vec<String>,
    pools: Vec<ThreadPool>,
    runs: usize,
    enough: Duration,
    wrong: usize,
}

impl Runner {
    /// Reads `only=substring,...`, `threads=1,2` and `runs=7`. Without the `--bench` that `cargo bench` passes each row
    /// runs once, as a check.
    pub(crate) fn from_args() -> Result<Self, Box<dyn std::error::Error>> {
        let (mut only, mut threads, mut runs, mut bench) = (Vec::new(), vec![1, 2], 7, false);
        for arg in std::env::args().skip(1) {
            match arg.split_once('=') {
                Some(("only", names)) => only = names.split(',').map(str::to_owned).collect(),
                Some(("threads", counts)) => threads = counts.split(',').map(str::parse).collect::<Result<_, _>>()?,
                Some(("runs", count)) => runs = count.parse()?,
                None if arg == "--bench" => bench = true,
                _ => return Err(format!("unknown argument {arg}; known: only=, threads=, runs=").into()),
            }
        }
        let pool = |count: usize| ThreadPoolBuilder::new().num_threads(count).build();
        let pools = threads.into_iter().map(pool).collect::<Result<_, _>>()?;
        println!("# version sparse-layout {}", env!("CARGO_PKG_VERSION"));
        let (runs, enough) = if bench { (runs, ENOUGH) } else { (1, Duration::ZERO) };
        Ok(Self { only, pools, runs, enough, wrong: 0 })
    }

    /// Whether any of these rows is asked for: ask before making a costly input.
    pub(crate) fn wants(&self, rows: &[&str]) -> bool {
        self.only.is_empty() || rows.iter().any(|row| self.only.iter().any(|part| row.contains(part.as_str())))
    }

    /// Whether any of these rows, or of their ways, is asked for.
    pub(crate) fn wants_ways_of(&self, rows: &[&str]) -> bool {
        self.wants(rows) || rows.iter().any(|row| self.only.iter().any(|part| part.starts_with(row)))
    }

    /// A row that has one thread by definition; left out if one thread is not asked for.
    ///
    /// `setup` and the dropping of what `work` returns are not timed; `checksum` sees the result of every run.
    pub(crate) fn serial<S, R, C: Into<Checksum>>(
        &mut self,
        row: &str,
        setup: impl FnMut() -> S + Send,
        work: impl FnMut(S) -> R + Send,
        checksum: impl FnMut(R) -> C + Send,
    ) {
        self.measure(row, 1, fresh(setup, work, checksum));
    }

    /// As [`serial`](Self::serial), for each thread count asked for, inside a rayon pool of that size.
    pub(crate) fn parallel<S, R, C: Into<Checksum>>(
        &mut self,
        row: &str,
        setup: impl FnMut() -> S + Send,
        work: impl FnMut(S) -> R + Send,
        checksum: impl FnMut(R) -> C + Send,
    ) {
        self.measure(row, usize::MAX, fresh(setup, work, checksum));
    }

    /// A row for each thread count asked for that overwrites `state` in every run.
    pub(crate) fn parallel_in_place<S: Send, C: Into<Checksum>>(
        &mut self,
        row: &str,
        state: &mut S,
        mut work: impl FnMut(&mut S) + Send,
        mut checksum: impl FnMut(&mut S) -> C + Send,
    ) {
        self.measure(row, usize::MAX, move || {
            let ((), time) = clocked(|| work(black_box(state)));
            (time, checksum(state).into())
        });
    }

    /// A row of one thread that changes `state`, which `reset` brings back to where it was; resetting is not timed.
    pub(crate) fn serial_in_place<S: Send, C: Into<Checksum>>(
        &mut self,
        row: &str,
        state: &mut S,
        mut reset: impl FnMut(&mut S) + Send,
        mut work: impl FnMut(&mut S) + Send,
        mut checksum: impl FnMut(&mut S) -> C + Send,
    ) {
        self.measure(row, 1, move || {
            reset(state);
            let ((), time) = clocked(|| work(black_box(state)));
            (time, checksum(state).into())
        });
    }

    fn measure(&mut self, row: &str, most_threads: usize, mut run: impl FnMut() -> (Duration, Checksum) + Send) {
        if !self.wants(&[row]) {
            return;
        }
        let (least_runs, enough) = (self.runs, self.enough);
        for pool in self.pools.iter().filter(|pool| pool.current_num_threads() <= most_threads) {
            let (best, checksum, wrong) = pool.install(|| {
                let (mut best, mut total, mut runs, mut wrong) = (Duration::MAX, Duration::ZERO, 0, 0);
                loop {
                    let (time, checksum) = run();
                    // Results that depend on the schedule are caught here: every run is checked.
                    wrong += usize::from(report_wrong(row, &checksum.0));
                    (best, total, runs) = (best.min(time), total + time, runs + 1);
                    if runs >= least_runs && (total >= enough || runs >= AT_MOST) {
                        break (best, checksum, wrong);
                    }
                }
            });
            self.wrong += wrong;
            println!("{row} {} {:.7} {checksum}", pool.current_num_threads(), best.as_secs_f64());
        }
    }

    /// A row whose figure is a number, not a time.
    pub(crate) fn figure(&mut self, row: &str, figure: impl FnOnce() -> f64) {
        if self.wants(&[row]) && self.pools.iter().any(|pool| pool.current_num_threads() == 1) {
            println!("{row} 1 0 {}", Checksum::from(figure()));
        }
    }

    /// Fails if any checksum was wrong.
    pub(crate) fn finish(self) -> ExitCode {
        if self.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn clocked<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = black_box(work());
    (result, start.elapsed())
}

/// One run on an input of its own.
fn fresh<S, R, C: Into<Checksum>>(
    mut setup: impl FnMut() -> S + Send,
    mut work: impl FnMut(S) -> R + Send,
    mut checksum: impl FnMut(R) -> C + Send,
) -> impl FnMut() -> (Duration, Checksum) + Send {
    move || {
        let input = black_box(setup());
        let (result, time) = clocked(|| work(input));
        (time, checksum(result).into())
    }
}

fn report_wrong(row: &str, printed: &str) -> bool {
    let wrong = Workload::of_row(row).and_then(|workload| workload.check(printed).err());
    if let Some(wrong) = &wrong {
        eprintln!("{row}: {wrong}");
    }
    wrong.is_some()
}
