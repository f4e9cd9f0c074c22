//! Criterion benchmarks of the parallel primitives, on the inputs of the common workloads.

mod parallel_kit;

use criterion::{Criterion, criterion_group, criterion_main};
use std::time::Duration;

fn primitives(c: &mut Criterion) {
    let mut group = c.benchmark_group("parallel");
    group.sample_size(10);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
        for mut workload in parallel_kit::workloads(&[]) {
            group.bench_function(format!("{}/{threads}", workload.name), |b| {
                b.iter_custom(|runs| (0..runs).map(|_| pool.install(|| (workload.run)()).0).sum::<Duration>());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, primitives);
criterion_main!(benches);
