//! The sort by group: one pass that counts, and one that moves each item to its place.
//!
//! As in the counting sort of [`crate::parallel`] each thread counts the items of its span in a row of its own; running
//! sums down the columns turn the counts into places. So the sort is stable, whatever the number of threads.

use super::error::{BulkError, check_bounds, is_inside};
use super::grouping::{Grouping, Points};
use super::scratch::Scratch;
use crate::coord::Point;
use crate::core::Core;
use crate::layout::Level;
use crate::parallel::{BinKey, ParallelError, bin_by_key};
use crate::tree::MAX_AXES;
use rayon::prelude::*;
use std::ops::Range;

/// The fewest items worth a thread.
const GRAIN: usize = 1 << 13;

/// An item of a group.
#[derive(Clone, Copy)]
pub(super) struct Entry<V> {
    /// The cell, by its number in the group.
    pub(super) local: u32,
    pub(super) value: V,
}

/// The items of some cells that are near each other.
pub(super) struct Group {
    /// Where it is: see [`Grouping::group_of`].
    pub(super) at: [i32; MAX_AXES],
    /// Its entries, in the order in which they were given.
    pub(super) entries: Range<usize>,
}

/// Items by group; groups in ascending order.
pub(super) struct Partition<V> {
    entries: Scratch<Entry<V>>,
    pub(super) groups: Vec<Group>,
}

impl<V: Copy> Partition<V> {
    pub(super) fn entries(&self, group: &Group) -> &[Entry<V>] {
        // SAFETY: `partition` writes every place before it returns.
        unsafe { &self.entries.as_slice()[group.entries.clone()] }
    }
}

/// What one thread counted: items of each bucket, and the box its points span.
struct Row<P> {
    counts: Vec<u32>,
    lo: P,
    hi: P,
}

impl<P: Point> Row<P> {
    fn count<L: Level<Point = P>>(
        grouping: &Grouping<'_, L>,
        points: &(impl Points<P> + ?Sized),
        span: Range<usize>,
    ) -> Self {
        let mut counts = vec![0; grouping.buckets];
        let (mut lo, mut hi) = ([i32::MAX; MAX_AXES], [i32::MIN; MAX_AXES]);
        points.for_each(span, |_, p| {
            for j in 0..P::LEN {
                lo[j] = lo[j].min(p.at(j));
                hi[j] = hi[j].max(p.at(j));
            }
            // A point that is out of bounds may fall outside of a root's cells; the whole list is refused later.
            if let Some(count) = counts.get_mut(grouping.bucket(p)) {
                *count += 1;
            }
        });
        Row { counts, lo: P::from_fn(|j| lo[j]), hi: P::from_fn(|j| hi[j]) }
    }
}

/// Sorts points by group, each with the value that `value` gives for its index, which is called once for each.
pub(super) fn partition<L: Level, V: Copy + Send + Sync>(
    core: &Core<L::Layout>,
    grouping: &Grouping<'_, L>,
    name: &'static str,
    points: &(impl Points<L::Point> + ?Sized),
    value: impl Fn(usize) -> V + Sync,
) -> Result<Partition<V>, BulkError> {
    let n = points.len();
    if n > u32::MAX as usize {
        return Err(ParallelError::TooManyItems { items: n }.into());
    }
    if n == 0 {
        return Ok(Partition { entries: Scratch::new(0), groups: Vec::new() });
    }
    let span = n.div_ceil(rayon::current_num_threads()).max(GRAIN);
    let spans = || (0..n.div_ceil(span)).into_par_iter().map(|i| i * span..n.min((i + 1) * span));
    let mut rows: Vec<Row<L::Point>> = spans().map(|s| Row::count(grouping, points, s)).collect();
    let lo = L::Point::from_fn(|j| rows.iter().map(|r| r.lo.at(j)).min().unwrap_or(0));
    let hi = L::Point::from_fn(|j| rows.iter().map(|r| r.hi.at(j)).max().unwrap_or(0));
    if !is_inside(grouping.plan, lo) || !is_inside(grouping.plan, hi) {
        check_bounds::<L>(core, name, points)?;
    }
    if !grouping.is_unambiguous(lo, hi) {
        return by_key(grouping, points, value);
    }
    let mut groups = Vec::new();
    let mut end = 0u32;
    for bucket in 0..grouping.buckets {
        let start = end;
        for row in &mut rows {
            (row.counts[bucket], end) = (end, end + row.counts[bucket]);
        }
        if end > start {
            groups.push(Group { at: grouping.group_of(bucket, lo), entries: start as usize..end as usize });
        }
    }
    groups.sort_unstable_by_key(|g| g.at);
    let mut entries = Scratch::new(n);
    let places = entries.places();
    spans().zip(&mut rows).for_each(|(span, row)| {
        points.for_each(span, |i, p| {
            let place = &mut row.counts[grouping.bucket(p)];
            // SAFETY: the row holds, for each bucket, the first of as many places as this span has points there (points
            // are arrays, borrowed meanwhile, so both passes see the same), and places of different spans and buckets
            // are disjoint by the running sums. Each place is used up here.
            unsafe { places.write(*place as usize, Entry { local: grouping.local(p), value: value(i) }) };
            *place += 1;
        });
    });
    Ok(Partition { entries, groups })
}

/// The coordinates of a group as a key.
#[derive(Clone, Copy)]
struct GroupKey<P>(P);

impl<P: Point> BinKey for GroupKey<P> {
    // A key has a lane even where there are no coordinates.
    const LANES: usize = if P::LEN == 0 { 1 } else { P::LEN };

    fn lane(&self, i: usize) -> u64 {
        if P::LEN == 0 { 0 } else { self.0.at(i).lane(0) }
    }
}

/// As [`partition`], where groups lie too far apart to be told apart by a few bits.
fn by_key<L: Level, V: Copy + Send + Sync>(
    grouping: &Grouping<'_, L>,
    points: &(impl Points<L::Point> + ?Sized),
    value: impl Fn(usize) -> V + Sync,
) -> Result<Partition<V>, BulkError> {
    let key = |i| GroupKey(L::Point::from_fn(|j| grouping.coordinate(points.point(i), j)));
    let keys: Vec<GroupKey<L::Point>> = (0..points.len()).into_par_iter().with_min_len(GRAIN).map(key).collect();
    let bins = bin_by_key(&keys, |key| *key)?;
    let groups = bins.keys().iter().zip(bins.offsets().windows(2)).map(|(key, range)| {
        let mut at = [0; MAX_AXES];
        at[..L::Point::LEN].copy_from_slice(key.0.as_slice());
        Group { at, entries: range[0] as usize..range[1] as usize }
    });
    let groups = groups.collect();
    let mut entries = Scratch::new(points.len());
    let places = entries.places();
    bins.permutation().par_iter().enumerate().with_min_len(GRAIN).for_each(|(place, &i)| {
        let entry = Entry { local: grouping.local(points.point(i as usize)), value: value(i as usize) };
        // SAFETY: each place of the permutation comes once.
        unsafe { places.write(place, entry) };
    });
    Ok(Partition { entries, groups })
}
