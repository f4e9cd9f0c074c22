//! Pass 1: one block of keys into its own row.

use super::plan::NARROW;

/// Adds the block's counts to `row`. `bytes` is scratch: empty, or at least a byte for each bucket.
///
/// `pick` gives a bucket below `row.len()`, or none.
pub(super) fn block<T>(items: &[T], pick: &impl Fn(&T) -> Option<u32>, row: &mut [u32], bytes: &mut [u8]) {
    let crowded = items.len() / 8 >= row.len();
    match row.len() {
        ..=256 if crowded => lanes::<T, 256, 8>(items, pick, row),
        ..=NARROW if crowded => lanes::<T, NARROW, 4>(items, pick, row),
        buckets if bytes.len() >= buckets => in_bytes(items, pick, row, &mut bytes[..buckets]),
        _ => plain(items, pick, row),
    }
}

fn plain<T>(items: &[T], pick: &impl Fn(&T) -> Option<u32>, row: &mut [u32]) {
    for item in items {
        if let Some(b) = pick(item) {
            row[b as usize] += 1;
        }
    }
}

/// Neighbouring keys count in different tables: equal keys in a row would wait for each other's store.
fn lanes<T, const N: usize, const LANES: usize>(items: &[T], pick: &impl Fn(&T) -> Option<u32>, row: &mut [u32]) {
    const { assert!(N.is_power_of_two()) };
    debug_assert!(row.len() <= N);
    let mut tables = [[0u32; N]; LANES];
    let mut groups = items.chunks_exact(LANES);
    for group in &mut groups {
        for (table, item) in tables.iter_mut().zip(group) {
            if let Some(b) = pick(item) {
                // The mask changes nothing: it spares the bounds check.
                table[b as usize & (N - 1)] += 1;
            }
        }
    }
    plain(groups.remainder(), pick, row);
    for table in &tables {
        for (sum, count) in row.iter_mut().zip(table) {
            *sum += count;
        }
    }
}

/// Many buckets: counters of one byte keep four times as many buckets in the near caches. A counter that wraps pays
/// 256 into the row.
fn in_bytes<T>(items: &[T], pick: &impl Fn(&T) -> Option<u32>, row: &mut [u32], bytes: &mut [u8]) {
    bytes.fill(0);
    for item in items {
        if let Some(b) = pick(item) {
            let byte = &mut bytes[b as usize];
            *byte = byte.wrapping_add(1);
            if *byte == 0 {
                row[b as usize] += 256;
            }
        }
    }
    for (sum, &byte) in row.iter_mut().zip(bytes.iter()) {
        *sum += u32::from(byte);
    }
}
