//! Bit fields: the workloads' rows, and other ways to the same results.

use sparse_layout::bits::{BitField, BitIndex};

use crate::input;
use crate::runner::Runner;

const BITS: usize = 1 << 26;

/// The rows of the bit fields.
pub(crate) fn run(runner: &mut Runner) {
    if !runner.wants_ways_of(&["bits_popcount", "bits_and", "bits_indices"]) {
        return;
    }
    let [a, b] = input::bit_words().map(|words| BitField::from_words(&words, BITS));
    runner.parallel("bits_popcount", || (), |()| a.count_ones() as u64, |count| count);
    let ones = |field: &mut BitField| field.count_ones() as u64;
    let and = |to: &mut BitField| a.and_into(&b, to).expect("equal lengths");
    runner.parallel_in_place("bits_and", &mut BitField::new(BITS), and, ones);
    let assign = |to: &mut BitField| to.and_assign(&b).expect("equal lengths");
    runner.parallel_in_place("bits_and.in_place", &mut a.clone(), assign, ones);
    runner.parallel_in_place(
        "bits_indices",
        &mut Vec::<u32>::new(),
        |list| a.set_indices_into(list),
        |list| listed(list),
    );
    runner.parallel_in_place(
        "bits_indices.u64",
        &mut Vec::<u64>::new(),
        |list| a.set_indices_into(list),
        |list| listed(list),
    );
    runner.parallel("bits_indices.new", || (), |()| a.set_indices::<u32>(), |list| listed(&list));
    let iter = |list: &mut Vec<u32>| {
        list.clear();
        list.extend(a.iter_ones().map(|index| index as u32));
    };
    runner.serial_in_place("bits_indices.iter", &mut Vec::new(), |_| (), iter, |list| listed(list));
}

fn listed<I: BitIndex + Into<u64>>(list: &[I]) -> (u64, u64) {
    (list.len() as u64, list.iter().map(|&index| index.into()).sum())
}
