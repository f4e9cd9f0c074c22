//! The bit rows of the workloads, printed as the peers' programs print them: `NAME threads seconds checksum`.
//!
//! 2^26 bits; word i of A is output i of xorshift64*, of B output 2^20 + i. Each time is the minimum over rounds in which
//! all rows take turns. Arguments: thread counts (default 1 2); with a word that is no number, rows that contain it only.

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;
use sparse_layout_runtime::bits::BitField;

const BITS: usize = 1 << 26;
const ROUNDS: usize = 10;
/// In a row, as the peers' programs do, so that the caches are as warm.
const REPEATS: usize = 5;

fn fields() -> [BitField; 2] {
    let mut x = 0x9E37_79B9_7F4A_7C15_u64;
    std::array::from_fn(|_| {
        let words: Vec<u64> = std::iter::repeat_with(|| {
            x ^= x >> 12;
            x ^= x << 25;
            x ^= x >> 27;
            x.wrapping_mul(0x2545_F491_4F6C_DD1D)
        })
        .take(BITS / 64)
        .collect();
        BitField::from_words(&words, BITS)
    })
}

type Row<'a> = (&'static str, Box<dyn FnMut() -> u64 + Send + 'a>);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (numbers, names): (Vec<_>, Vec<_>) = arguments.iter().partition(|argument| argument.parse::<usize>().is_ok());
    let threads: Vec<usize> = numbers.iter().map(|number| number.parse().expect("a number")).collect();
    let [a, b] = fields();
    for &threads in if threads.is_empty() { &[1, 2][..] } else { &threads } {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut rows = rows(&a, &b);
            rows.retain(|(name, _)| names.is_empty() || names.iter().any(|part| name.contains(part.as_str())));
            let mut best = vec![(f64::INFINITY, 0); rows.len()];
            for _ in 0..ROUNDS {
                for ((_, row), best) in rows.iter_mut().zip(&mut best) {
                    for _ in 0..REPEATS {
                        let start = Instant::now();
                        let sum = row();
                        *best = (start.elapsed().as_secs_f64().min(best.0), sum);
                    }
                }
            }
            for ((name, _), (seconds, sum)) in rows.iter().zip(best) {
                println!("{name:<24} {threads} {seconds:.6} {sum}");
            }
        });
    }
}

fn rows<'a>(a: &'a BitField, b: &'a BitField) -> Vec<Row<'a>> {
    let mut and = BitField::new(BITS);
    let mut shifted = BitField::new(BITS - 64);
    let (mut union, mut intersection, mut difference) = (a.clone(), a.clone(), a.clone());
    let (mut list, mut wide) = (Vec::<u32>::new(), Vec::<u64>::new());
    vec![
        ("bits_popcount", Box::new(|| a.count_ones() as u64)),
        (
            "bits_and",
            Box::new(move || {
                a.and_into(b, &mut and).expect("equal lengths");
                black_box(and.word::<u64>(0))
            }),
        ),
        (
            "bits_and_unaligned",
            Box::new(move || {
                a.slice(13..BITS - 51).and_into(&b.slice(64..), &mut shifted).expect("equal lengths");
                black_box(shifted.word::<u64>(0))
            }),
        ),
        (
            "bits_union_in_place",
            Box::new(move || {
                union.or_assign(b).expect("equal lengths");
                black_box(union.word::<u64>(0))
            }),
        ),
        (
            "bits_intersection_in_place",
            Box::new(move || {
                intersection.and_assign(b).expect("equal lengths");
                black_box(intersection.word::<u64>(0))
            }),
        ),
        (
            "bits_difference_in_place",
            Box::new(move || {
                difference.and_not_assign(b).expect("equal lengths");
                black_box(difference.word::<u64>(0))
            }),
        ),
        (
            "bits_indices",
            Box::new(move || {
                a.set_indices_into(&mut list);
                list.len() as u64
            }),
        ),
        (
            "bits_indices_u64",
            Box::new(move || {
                a.set_indices_into(&mut wide);
                wide.len() as u64
            }),
        ),
        ("bits_indices_new_vector", Box::new(|| a.set_indices::<u32>().len() as u64)),
        ("bits_iter_ones", Box::new(|| a.iter_ones().map(|index| index as u64).sum())),
        ("bits_par_iter_ones", Box::new(|| a.par_iter_ones().map(|index| index as u64).sum())),
        ("bits_iter_runs", Box::new(|| a.iter_runs().map(|run| run.len() as u64).sum())),
        ("bits_rank_index", Box::new(|| a.rank_index().count_ones() as u64)),
    ]
}
