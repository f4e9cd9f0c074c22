//! The common workloads, in the format the peers' programs share: `NAME threads seconds checksum`, the minimum of at
//! least 7 runs, then the processor seconds of all threads (a fairer figure on a busy machine).
//!
//! Run: `cargo bench -p sparse-layout-runtime --features sort --bench parallel_workloads [-- threads=1,2] [NAME..]`

mod parallel_kit;

use parallel_kit::{Sample, workloads};
use std::time::Duration;

/// Runs at least so often, and at least so long.
const RUNS: usize = 7;
const LEAST_TIME: Duration = Duration::from_millis(500);

fn main() {
    let mut threads = vec![1, 2];
    let mut names = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.strip_prefix("threads=") {
            Some(list) => threads = list.split(',').filter_map(|t| t.parse().ok()).collect(),
            None if arg.starts_with("--") => {}
            None => names.push(arg),
        }
    }
    let pools: Vec<_> = threads
        .iter()
        .map(|&n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a thread pool"))
        .collect();
    for mut workload in workloads(&names) {
        for pool in &pools {
            let mut best = Sample { time: Duration::MAX, cpu: Duration::MAX };
            let (mut total, mut checksum) = (Duration::ZERO, 0);
            let mut runs = 0;
            while runs < RUNS || total < LEAST_TIME {
                let (sample, sum) = pool.install(|| (workload.run)());
                best = Sample { time: best.time.min(sample.time), cpu: best.cpu.min(sample.cpu) };
                checksum = sum;
                total += sample.time;
                runs += 1;
            }
            let (name, threads) = (workload.name, pool.current_num_threads());
            println!("{name} {threads} {:.6} {checksum} # cpu {:.6}", best.time.as_secs_f64(), best.cpu.as_secs_f64());
        }
    }
}
