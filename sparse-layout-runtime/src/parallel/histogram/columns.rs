//! Pass 2: the column sums of the table.

use super::plan::Plan;
use rayon::prelude::*;

/// Fewer columns than this are not worth a task.
const LEAST_COLUMNS: usize = 1 << 10;

/// Each bucket's sum over the rows into `counts`. From `two_step_rows` rows up, the sums of groups of rows first.
pub(super) fn sum(table: &mut [u32], plan: &Plan, two_step_rows: usize, counts: &mut [u32]) {
    let stride = plan.stride();
    if plan.rows < two_step_rows.max(2) {
        return sum_rows(table, 0, stride, counts);
    }
    let group = 1usize << plan.rows.next_power_of_two().ilog2().div_ceil(2);
    let group_len = group * stride;
    table.par_chunks_mut(group_len).for_each(|rows| {
        let Some((others, last)) = split_last_row(rows, stride) else { return };
        let last = &mut last[..plan.buckets];
        for row in others.chunks_exact(stride) {
            add(last, &row[..plan.buckets]);
        }
    });
    // The groups' last rows now hold the sums. A short last group has its last row elsewhere.
    let full = table.len() / group_len * group_len;
    let (groups, short) = table.split_at(full);
    if full == 0 {
        counts.fill(0);
    } else {
        sum_rows(groups, group_len - stride, group_len, counts);
    }
    if let Some(start) = short.len().checked_sub(stride) {
        add(counts, &short[start..start + plan.buckets]);
    }
}

/// Sums the rows that start at `first` and every `step` words further on; each group of columns owns its counts.
fn sum_rows(table: &[u32], first: usize, step: usize, counts: &mut [u32]) {
    let width = counts.len().div_ceil(rayon::current_num_threads() * 4).max(LEAST_COLUMNS);
    counts.par_chunks_mut(width).enumerate().for_each(|(group, counts)| {
        let mut at = first + group * width;
        counts.copy_from_slice(&table[at..at + counts.len()]);
        at += step;
        while at < table.len() {
            add(counts, &table[at..at + counts.len()]);
            at += step;
        }
    });
}

fn add(sums: &mut [u32], row: &[u32]) {
    for (sum, count) in sums.iter_mut().zip(row) {
        *sum += count;
    }
}

fn split_last_row(rows: &mut [u32], stride: usize) -> Option<(&mut [u32], &mut [u32])> {
    let start = rows.len().checked_sub(stride)?;
    Some(rows.split_at_mut(start))
}
