//! Each spelling of a loop and of a read that the documentation mentions, along named dimensions: layout, element,
//! density, threads. `cargo bench --bench loops -- 'sum/'` runs one group.
//!
//! All run over a shell of some 200,000 cells in 2,200 blocks, or the same blocks filled; figures are per active cell.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use sparse_layout::prelude::*;
use std::hint::black_box;
use std::time::Duration;

/// A tree whose loops are measured: two fields of one element type at its leaves.
macro_rules! trees {
    ($($name:ident, $label:literal, $element:ty, [$($attribute:tt)*];)*) => { $(
        #[sparse_layout($($attribute)*)]
        pub struct $name {
            pub a: $element,
            pub b: $element,
        }

        impl $name {
            fn filled(cells: &[[i32; 3]]) -> Self {
                let mut grid = $name::new();
                grid.a_mut().extend(cells.iter().map(|&p| (p, 1 as $element)));
                grid
            }
        }

        impl Tree for $name {
            fn bench(c: &mut Criterion) {
                for (density, cells) in [("shell", shell()), ("full", full())] {
                    let mut grid = $name::filled(&cells);
                    for threads in [1, 2] {
                        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                        let id = |spelling| BenchmarkId::new(spelling, format!("{}/{density}/{threads}", $label));
                        let mut g = group(c, "sum", cells.len());
                        g.bench_function(id("sum"), |b| pool.install(|| b.iter(|| grid.a().sum())));
                        g.bench_function(id("par_iter"), |b| {
                            pool.install(|| b.iter(|| grid.a().par_iter().map(|(_, v)| f64::from(v)).sum::<f64>()))
                        });
                        g.bench_function(id("fold_reproducibly"), |b| {
                            let sum = || {
                                let all = grid.a().par_iter();
                                all.fold_reproducibly(|| 0.0, |s, (_, v)| s + f64::from(v), |s, t| s + t)
                            };
                            pool.install(|| b.iter(sum))
                        });
                        g.finish();
                        let mut g = group(c, "update", cells.len());
                        g.bench_function(id("par_for_each"), |b| {
                            pool.install(|| b.iter(|| grid.a_mut().par_for_each(|_, v| *v = *v + *v)))
                        });
                        g.bench_function(id("par_iter_mut"), |b| {
                            pool.install(|| b.iter(|| grid.a_mut().par_iter_mut().for_each(|(_, v)| *v = *v + *v)))
                        });
                        g.bench_function(id("fill"), |b| pool.install(|| b.iter(|| grid.a_mut().fill(1 as $element))));
                        g.bench_function(id("zip"), |b| {
                            let mut f = grid.fields_mut();
                            pool.install(|| b.iter(|| (&mut f.b, &f.a).par_for_each(|_, (b, a)| *b = a + a)))
                        });
                        g.bench_function(id("position"), |b| {
                            let update = |p: [i32; 3], v: &mut $element| *v = (p[0] ^ p[1] ^ p[2]) as $element;
                            pool.install(|| b.iter(|| grid.a_mut().par_for_each(update)))
                        });
                        g.finish();
                        let mut g = group(c, "stencil", cells.len());
                        let larger = |a: $element, b: $element| if b > a { b } else { a };
                        let mut f = grid.fields_mut();
                        g.bench_function(id("map.fold_star"), |b| {
                            pool.install(|| b.iter(|| f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| s.fold_star(s.here(), larger))))
                        });
                        g.bench_function(id("for_each.fold_star"), |b| {
                            let each = |b: &mut $element, m: $element| *b = m;
                            pool.install(|| {
                                b.iter(|| f.b.par_for_each_stencil::<Star<1>>(&f.a, |_, b, s| each(b, s.fold_star(s.here(), larger))))
                            })
                        });
                        g.bench_function(id("rows.fold_star"), |b| {
                            pool.install(|| {
                                b.iter(|| f.b.par_map_rows::<Star<1>>(&f.a, |_, _, s| s.fold_star(s.here(), |m, v| m.zip(v, larger))))
                            })
                        });
                        g.bench_function(id("map.fold_box"), |b| {
                            pool.install(|| b.iter(|| f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| s.fold_box(s.here(), larger))))
                        });
                        g.bench_function(id("map.half_open_ranges"), |b| {
                            pool.install(|| b.iter(|| f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| {
                                let mut m = s.here();
                                for x in -1..2 { for y in -1..2 { for z in -1..2 { m = larger(m, s.at([x, y, z])); } } }
                                m
                            })))
                        });
                        g.bench_function(id("map.inclusive_ranges"), |b| {
                            pool.install(|| b.iter(|| f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| {
                                let mut m = s.here();
                                for x in -1..=1 { for y in -1..=1 { for z in -1..=1 { m = larger(m, s.at([x, y, z])); } } }
                                m
                            })))
                        });
                        g.finish();
                    }
                    let id = |spelling| BenchmarkId::new(spelling, format!("{}/{density}", $label));
                    let a = grid.a();
                    let mut g = group(c, "serial", cells.len());
                    g.bench_function(id("for"), |b| {
                        b.iter(|| {
                            let mut sum = 0.0;
                            for (_, v) in a.iter() {
                                sum += f64::from(v);
                            }
                            sum
                        })
                    });
                    g.bench_function(id("iter.sum"), |b| b.iter(|| a.iter().map(|(_, v)| f64::from(v)).sum::<f64>()));
                    let corner = Region::new([100, 100, 100], [164, 164, 164]);
                    g.bench_function(id("iter_in"), |b| b.iter(|| a.iter_in(corner).count()));
                    g.finish();
                    let mut g = group(c, "read", cells.len());
                    let near: Vec<_> = cells.iter().map(|p| p.offset([1, 0, 0])).collect();
                    g.bench_function(id("get"), |b| b.iter(|| near.iter().filter_map(|p| a.get(p)).map(f64::from).sum::<f64>()));
                    g.bench_function(id("value"), |b| b.iter(|| near.iter().map(|p| f64::from(a.value(p))).sum::<f64>()));
                    g.bench_function(id("accessor"), |b| {
                        b.iter(|| {
                            let mut reader = a.accessor();
                            near.iter().map(|p| f64::from(reader.value(p))).sum::<f64>()
                        })
                    });
                    g.bench_function(id("value_many"), |b| b.iter(|| a.value_many(&near).map(f64::from).sum::<f64>()));
                    g.bench_function(id("get_many"), |b| b.iter(|| a.get_many(&near).flatten().map(f64::from).sum::<f64>()));
                    g.finish();
                    let mut g = group(c, "build", cells.len());
                    g.bench_function(id("set"), |b| {
                        b.iter(|| {
                            grid.clear();
                            let mut field = grid.a_mut();
                            cells.iter().for_each(|p| field.set(p, 1 as $element));
                        })
                    });
                    g.bench_function(id("extend"), |b| {
                        b.iter(|| {
                            grid.clear();
                            grid.a_mut().extend(cells.iter().map(|p| (p, 1 as $element)));
                        })
                    });
                    g.finish();
                    black_box(grid);
                }
            }
        }
    )* };
}

trait Tree {
    fn bench(c: &mut Criterion);
}

trees! {
    Vdb, "hash-pointer-pointer-bitmasked8/f32", f32, [axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8)];
    Bounded, "pointer-bitmasked8/f32", f32, [axes(x, y, z), pointer(32) > bitmasked(8)];
    Small, "hash-bitmasked4/f32", f32, [axes(x, y, z), hash() > bitmasked(4)];
    Odd, "hash-bitmasked6/f32", f32, [axes(x, y, z), hash() > bitmasked(6), allow(non_power_of_two)];
    Records, "pointer-bitmasked8-aos/f32", f32, [axes(x, y, z), pointer(32) > bitmasked(8, aos)];
    Wide, "hash-bitmasked8/f64", f64, [axes(x, y, z), hash() > bitmasked(8)];
    Bytes, "hash-bitmasked8/u8", u8, [axes(x, y, z), hash() > bitmasked(8)];
}

fn shell() -> Vec<[i32; 3]> {
    let distance = |p: [i32; 3]| p.map(|c| f64::from(c - 128)).iter().map(|c| c * c).sum::<f64>().sqrt();
    Region::new([0; 3], [256; 3]).iter().filter(|&p| (distance(p) - 80.0).abs() < 1.3).collect()
}

/// The blocks of 8^3 that the shell touches, filled.
fn full() -> Vec<[i32; 3]> {
    let mut blocks: Vec<_> = shell().into_iter().map(|p| p.div_floor(8)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.truncate(400);
    let cells = |b: [i32; 3]| Region::new(b.map(|c| c * 8), b.map(|c| c * 8 + 8)).iter().collect::<Vec<_>>();
    blocks.into_iter().flat_map(cells).collect()
}

fn group<'c>(c: &'c mut Criterion, name: &str, cells: usize) -> BenchmarkGroup<'c, WallTime> {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(cells as u64));
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300)).sample_size(10);
    group
}

fn all(c: &mut Criterion) {
    Vdb::bench(c);
    Bounded::bench(c);
    Small::bench(c);
    Odd::bench(c);
    Records::bench(c);
    Wide::bench(c);
    Bytes::bench(c);
}

criterion_group!(benches, all);
criterion_main!(benches);
