//! The sort by group: one pass that counts, and one that moves each item to its place.
//!
//! As in the counting sort of [`crate::parallel`] each thread counts the items of its span in a row of its own; running
//! sums down the columns turn the counts into places. So the sort is stable, whatever the number of threads.

use super::error::{BulkError, check_bounds};
use super::grouping::{Common, Grouping, Points, exact_window};
use super::scratch::{Places, Scratch};
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

/// Points that are coded together, in vectors, before each is counted or moved.
const BATCH: usize = 256;

/// What one thread does: the points of its span, and for each bucket their number, later their next place.
struct Row {
    span: Range<usize>,
    buckets: Vec<u32>,
    common: Common,
}

impl Row {
    fn count<L: Level>(
        grouping: &Grouping<'_, L>,
        points: &(impl Points<L::Point> + ?Sized),
        span: Range<usize>,
    ) -> Self {
        let mut counts = vec![0; grouping.buckets];
        let mut common = Common::new(grouping, points.point(0));
        let mut codes = [0; BATCH];
        for start in span.clone().step_by(BATCH) {
            let codes = &mut codes[..BATCH.min(span.end - start)];
            points.map_into(start, codes, |p| {
                common.include(grouping, p);
                grouping.bucket(p)
            });
            // A point that is out of bounds may fall outside of a root's cells; the whole list is refused later.
            for bucket in codes {
                if let Some(count) = counts.get_mut(*bucket as usize) {
                    *count += 1;
                }
            }
        }
        Row { span, buckets: counts, common }
    }

    /// Moves each point to its place, with its value.
    ///
    /// # Safety
    /// `buckets` holds the first of as many places as the span has points in each bucket, and no other row the same.
    unsafe fn scatter<L: Level, V: Copy + Send>(
        &mut self,
        grouping: &Grouping<'_, L>,
        points: &(impl Points<L::Point> + ?Sized),
        places: &Places<'_, Entry<V>>,
        value: impl Fn(usize) -> V,
    ) {
        let (mut buckets, mut locals) = ([0; BATCH], [0; BATCH]);
        for start in self.span.clone().step_by(BATCH) {
            let n = BATCH.min(self.span.end - start);
            points.map_into(start, &mut buckets[..n], |p| grouping.bucket(p));
            points.map_into(start, &mut locals[..n], |p| grouping.local(p));
            for (i, (bucket, local)) in buckets[..n].iter().zip(&locals[..n]).enumerate() {
                let place = &mut self.buckets[*bucket as usize];
                // SAFETY: by the caller's promise a place of this row's own; each is used up here. Both passes see the
                // same points: they are arrays, borrowed meanwhile.
                unsafe { places.write(*place as usize, Entry { local: *local, value: value(start + i) }) };
                *place += 1;
            }
        }
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
    let spans = (0..n.div_ceil(span)).into_par_iter().map(|i| i * span..n.min((i + 1) * span));
    let mut rows: Vec<Row> = spans.map(|span| Row::count(grouping, points, span)).collect();
    let common = rows.iter().fold(Common::new(grouping, points.point(0)), |all, row| all.union(&row.common));
    if common.is_outside() {
        check_bounds::<L>(core, name, points)?;
    }
    let Some(base) = common.window(grouping).or_else(|| exact_window(grouping, points)) else {
        return by_key(grouping, points, value);
    };
    let mut groups = Vec::new();
    let mut end = 0u32;
    for bucket in 0..grouping.buckets {
        let start = end;
        for row in &mut rows {
            (row.buckets[bucket], end) = (end, end + row.buckets[bucket]);
        }
        if end > start {
            groups.push(Group { at: grouping.group_of(bucket, &base), entries: start as usize..end as usize });
        }
    }
    groups.sort_unstable_by_key(|g| g.at);
    let mut entries = Scratch::new(n);
    let places = entries.places();
    rows.par_iter_mut().for_each(|row| {
        // SAFETY: the running sums gave each row, for each bucket, as many places as it counted points there; points out of
        // bounds, which are not counted, were refused.
        unsafe { row.scatter(grouping, points, &places, &value) };
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
    let mut codes = vec![(GroupKey(points.point(0)), 0); points.len()];
    codes.par_chunks_mut(GRAIN).enumerate().for_each(|(chunk, codes)| {
        points.map_into(chunk * GRAIN, codes, |p| {
            (GroupKey(L::Point::from_fn(|j| grouping.coordinate(p, j))), grouping.local(p))
        });
    });
    let (groups, order) = groups_by_key(&codes)?;
    let mut entries = Scratch::new(points.len());
    let places = entries.places();
    order.par_iter().enumerate().with_min_len(GRAIN).for_each(|(place, &i)| {
        let entry = Entry { local: codes[i as usize].1, value: value(i as usize) };
        // SAFETY: each place of the permutation comes once.
        unsafe { places.write(place, entry) };
    });
    Ok(Partition { entries, groups })
}

/// The groups by their keys, and the order of the items. Apart, so that it exists once per dimension.
fn groups_by_key<P: Point>(codes: &[(GroupKey<P>, u32)]) -> Result<(Vec<Group>, Vec<u32>), BulkError> {
    let (keys, offsets, order) = bin_by_key(codes, |code| code.0)?.into_parts();
    let group = |(key, range): (&GroupKey<P>, &[u32])| {
        let mut at = [0; MAX_AXES];
        at[..P::LEN].copy_from_slice(key.0.as_slice());
        Group { at, entries: range[0] as usize..range[1] as usize }
    };
    Ok((keys.iter().zip(offsets.windows(2)).map(group).collect(), order))
}
