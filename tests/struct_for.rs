//! Loops and reads, spelling by spelling, against a map of the same cells, over layouts of every kind.

use rayon::prelude::*;
use sparse_layout::prelude::*;
use sparse_layout::{Features, Field, GridFieldMut, Level};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Declares grids with an `i32` field `value` and a `f32` field `weight`, and tests each: cells are drawn from `lo..hi`.
macro_rules! layouts {
    ($($name:ident $d:literal $lo:expr, $hi:expr; $([$($attribute:tt)*])?)*) => { $(
        mod $name {
            use super::*;

            #[sparse_layout($($($attribute)*)?)]
            pub(crate) struct Subject {
                pub(crate) value: i32,
                pub(crate) weight: f32,
            }

            #[test]
            fn agrees_with_a_map() {
                let mut grid = Subject::new();
                let cells = fill::<_, $d>(grid.value_mut(), $lo, $hi);
                for (&p, &v) in &cells {
                    grid.weight_mut().set(p, v as f32 * 0.1);
                }
                grid.internal_validate();
                loops(grid.value(), &cells);
                reads(grid.value(), &cells, $lo, $hi);
                sums(grid.value(), grid.weight(), &cells);
                let mut f = grid.fields_mut();
                f.value.par_for_each(|p, v| *v += p[0]);
                f.value.iter_mut().for_each(|(p, v)| *v -= p[0]);
                f.value.par_iter_mut().with_min_cells(1000).for_each(|(_, v)| *v ^= 1);
                (&mut f.value, &f.weight).par_for_each(|_, (v, w)| {
                    assert_eq!(w, (*v ^ 1) as f32 * 0.1);
                    *v ^= 1;
                });
                let zipped: Vec<_> = (&f.value, &f.weight).iter().map(|(p, (v, _))| (p, v)).collect();
                assert_eq!(sorted(&zipped), cells);
                let parallel: Vec<_> = (&f.value, &f.weight).par_iter().map(|(p, (v, _))| (p, v)).collect();
                assert_eq!(parallel, zipped);
            }
        }
    )* };
}

layouts! {
    vdb 3 [-40; 3], [300; 3]; [axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8)]
    odd_hash 2 [-100; 2], [100; 2]; [axes(x, y), hash() > dense(3), allow(non_power_of_two)]
    odd_mask 2 [-50; 2], [70; 2]; [axes(x, y), hash() > bitmasked(5, 7), allow(non_power_of_two)]
    clipped 2 [-5, 3], [30, 20]; [axes(x = -5..30, y = 3..20), pointer(_) > dense(8)]
    clipped_mask 2 [-5, 3], [30, 20]; [axes(x = -5..30, y = 3..20), pointer(_) > bitmasked(8)]
    morton 3 [0; 3], [32; 3]; [axes(x, y, z), pointer(4) > bitmasked(8, morton)]
    image 2 [0; 2], [40, 48]; [axes(y, x), dense(40, 48)]
    big_image 2 [0; 2], [512, 128]; [axes(y, x), dense(512, 128)]
    coarse_bits 2 [0; 2], [64; 2]; [axes(x, y), bitmasked(16) > dense(4)]
    deep_bits 2 [0; 2], [64; 2]; [axes(x, y), pointer(2) > bitmasked(8) > bitmasked(4)]
    together 3 [0; 3], [32; 3]; [axes(x, y, z), pointer(4) > bitmasked(8, aosoa)]
    records 3 [0; 3], [32; 3]; [axes(x, y, z), hash(x = 4, y = 4, z = 4) > bitmasked(8, aos)]
    line 1 [-500], [900]; [axes(x), hash() > pointer(8) > bitmasked(64)]
    wide_rows 2 [0; 2], [64, 256]; [axes(y, x), pointer(8, 2) > bitmasked(8, 128)]
}

/// A generator that is the same on every run (Marsaglia's xorshift).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: i32) -> i32 {
        ((self.next() >> 33) % n as u64) as i32
    }

    fn point<const D: usize>(&mut self, lo: [i32; D], hi: [i32; D]) -> [i32; D] {
        std::array::from_fn(|j| lo[j] + self.below(hi[j] - lo[j]))
    }
}

/// Single cells, full rows and a full box, set one by one and in batches; what is active then.
fn fill<L: Level<Point = [i32; D]>, const D: usize>(
    mut field: GridFieldMut<'_, L, i32>,
    lo: [i32; D],
    hi: [i32; D],
) -> BTreeMap<[i32; D], i32> {
    let mut draw = Draw(0x1234_5678_9ABC_DEF1);
    let mut model = BTreeMap::new();
    let mut batch = Vec::new();
    for i in 0..600 {
        let (p, v) = (draw.point(lo, hi), draw.below(1000) - 500);
        batch.push((p, v));
        if i % 3 == 0 {
            let axis = i as usize % D;
            for x in lo[axis]..hi[axis].min(lo[axis] + 20) {
                let mut q = p;
                q[axis] = x;
                field.set(q, v);
                model.insert(q, v);
            }
        }
    }
    let start = draw.point(lo, std::array::from_fn(|j| (hi[j] - 16).max(lo[j] + 1)));
    let region = Region::new(start, std::array::from_fn(|j| hi[j].min(start[j] + 16)));
    batch.extend(region.iter().map(|p| (p, draw.below(1000))));
    // Cells that come twice, in one batch and across batches: the last counts.
    batch.extend(batch.clone().into_iter().take(50).map(|(p, v)| (p, v + 1)));
    batch.push((batch[0].0, -7));
    field.extend(batch.iter().copied());
    model.extend(batch);
    // Where cells have no bits of their own more cells are active than were set.
    let mut active: BTreeMap<_, _> = field.iter().collect();
    for (p, v) in &model {
        assert_eq!(active.get(p), Some(v), "{p:?}");
    }
    for (p, v) in &mut active {
        let set = model.contains_key(p);
        assert!(set || *v == 0, "{p:?} was never set");
        *v = if set { *v } else { draw.below(9) };
        field.set(*p, *v);
    }
    active
}

fn sorted<const D: usize>(cells: &[([i32; D], i32)]) -> BTreeMap<[i32; D], i32> {
    let map: BTreeMap<_, _> = cells.iter().copied().collect();
    assert_eq!(map.len(), cells.len(), "a cell came twice");
    map
}

fn loops<L: Level<Point = [i32; D]>, const D: usize>(field: Field<'_, L, i32>, cells: &BTreeMap<[i32; D], i32>) {
    let mut one_by_one = Vec::new();
    let mut iter = field.iter();
    for item in iter.by_ref() {
        one_by_one.push(item);
    }
    assert!(iter.next().is_none(), "an iterator that ended goes on");
    assert_eq!(&sorted(&one_by_one), cells);
    let folded = field.iter().fold(Vec::new(), |mut all, item| {
        all.push(item);
        all
    });
    assert_eq!(folded, one_by_one);
    // Some one by one, the rest folded: wherever in a row, a word or a node that is.
    for k in (0..80).chain([one_by_one.len() - 1, one_by_one.len()]) {
        let mut iter = field.iter();
        let mut all: Vec<_> = iter.by_ref().take(k).collect();
        iter.for_each(|item| all.push(item));
        assert_eq!(all, one_by_one, "{k}");
    }
    for least in [0, 100, 10_000, usize::MAX] {
        let parallel: Vec<_> = field.par_iter().with_min_cells(least).collect();
        assert_eq!(parallel, one_by_one);
        let pieces = field.par_iter().with_min_cells(least).fold(|| (), |(), _| ()).count();
        assert!(least < usize::MAX || pieces == 1, "{pieces} pieces of at least everything");
    }
    assert_eq!(field.par_iter().filter(|(_, v)| v % 2 == 0).count(), cells.values().filter(|v| *v % 2 == 0).count());
    assert_eq!(field.par_iter().find_first(|(_, v)| *v > 3), one_by_one.iter().copied().find(|(_, v)| *v > 3));
}

fn reads<L: Level<Point = [i32; D]>, const D: usize>(
    field: Field<'_, L, i32>,
    cells: &BTreeMap<[i32; D], i32>,
    lo: [i32; D],
    hi: [i32; D],
) {
    let mut draw = Draw(0x0F1E_2D3C_4B5A_6978);
    let wide = (lo.map(|x| x - 9), hi.map(|x| x + 9));
    let mut points: Vec<[i32; D]> = (0..2000).map(|_| draw.point(wide.0, wide.1)).collect();
    points.extend([[i32::MIN; D], [i32::MAX; D]]);
    points.extend(cells.keys().take(500));
    let expected: Vec<_> = points.iter().map(|p| cells.get(p).copied()).collect();
    let mut reader = field.accessor();
    for (p, v) in points.iter().zip(&expected) {
        assert_eq!(field.get(p), *v, "{p:?}");
        assert_eq!(reader.get(p), *v, "{p:?}");
        assert_eq!(reader.value(p), v.unwrap_or(0), "{p:?}");
    }
    for n in [0, 1, 31, 32, 33, 64, points.len()] {
        assert_eq!(field.get_many(&points[..n]).collect::<Vec<_>>(), expected[..n]);
        let values: Vec<_> = expected[..n].iter().map(|v| v.unwrap_or(0)).collect();
        assert_eq!(field.value_many(&points[..n]).collect::<Vec<_>>(), values);
        let mut some = field.get_many(&points[..n]);
        let first: Vec<_> = some.by_ref().take(5).collect();
        assert_eq!(some.size_hint().0, n - first.len());
        assert_eq!(first.into_iter().chain(some).collect::<Vec<_>>(), expected[..n]);
    }
    for _ in 0..40 {
        let (a, b) = (draw.point(wide.0, wide.1), draw.point(wide.0, wide.1));
        let region = Region::new(std::array::from_fn(|j| a[j].min(b[j])), std::array::from_fn(|j| a[j].max(b[j])));
        let inside: Vec<_> = field.iter().filter(|(p, _)| region.contains(*p)).collect();
        assert_eq!(field.iter_in(region).collect::<Vec<_>>(), inside, "{region:?}");
    }
    assert_eq!(field.iter_in(Region::new(hi, lo)).next(), None);
    let all = Region::new([i32::MIN; D], [i32::MAX; D]);
    assert_eq!(field.iter_in(all).count(), cells.len());
    for p in points.iter().take(300) {
        for axis in 0..D {
            let mut next = *p;
            let mut read = 0;
            for run in field.line(p, axis).first(100) {
                assert!(run.start == next && !run.is_empty());
                assert_eq!(run.values().len(), run.len() as usize);
                for (i, v) in run.values().enumerate() {
                    assert_eq!(run.point(i as u32), next);
                    assert_eq!(
                        run.get(i as u32),
                        cells.get(&next).copied(),
                        "{next:?} on the line from {p:?} along {axis}"
                    );
                    assert_eq!((v, run.value(i as u32)), (field.value(next), field.value(next)));
                    next[axis] = next[axis].wrapping_add(1);
                    read += 1;
                }
            }
            // All of them, or none where the first is out of bounds.
            let announced = field.line(p, axis).first(100).cells();
            assert!(read == announced || read == 0 && !cells.contains_key(p), "from {p:?} along {axis}");
        }
    }
}

fn sums<L: Level<Point = [i32; D]>, const D: usize>(
    value: Field<'_, L, i32>,
    weight: Field<'_, L, f32>,
    cells: &BTreeMap<[i32; D], i32>,
) {
    assert_eq!(value.sum(), cells.values().map(|&v| i64::from(v)).sum::<i64>());
    assert_eq!(value.min(), cells.values().copied().min());
    assert_eq!(value.max(), cells.values().copied().max());
    assert_eq!(weight.max(), cells.values().map(|&v| v as f32 * 0.1).reduce(f32::max));
    let exact: f64 = cells.values().map(|&v| f64::from(v as f32 * 0.1)).sum();
    assert!((weight.sum() - exact).abs() < 1e-9 * exact.abs().max(1.0));
    let all = || {
        let f32_sum = weight.par_iter().fold_reproducibly(|| 0.0f32, |a, (_, w)| a + w.sqrt(), |a, b| a + b);
        let mut serial = 0.0f32;
        weight.iter().for_each(|(p, w)| serial = serial * 0.9 + w.abs().sqrt() * p[0] as f32);
        (weight.sum().to_bits(), f32_sum.to_bits(), serial.to_bits())
    };
    let mut results = Vec::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        for features in [Some(Features::Baseline), Some(Features::V3), None] {
            Features::force(features);
            results.push(pool.install(all));
        }
    }
    assert!(results.iter().all(|r| *r == results[0]), "{results:x?}");
}

#[sparse_layout(axes(x = 0..100, y = 0..100), pointer(_) > bitmasked(8))]
pub(crate) struct Small {
    pub(crate) value: i32,
}

#[test]
fn extending_past_the_bounds_keeps_what_came_before() {
    let mut grid = Small::new();
    let cells = (0..40).map(|i| ([i, i], i)).chain([([100, 0], 1), ([1, 2], 3)]);
    let failed = catch_unwind(AssertUnwindSafe(|| grid.value_mut().extend(cells))).is_err();
    assert!(failed);
    assert_eq!(grid.value().iter().count(), 40);
    assert_eq!(grid.value().get([1, 2]), None);
    grid.internal_validate();
}

/// A view for writing remembers where it was, and that nothing was there; what is made in between must be seen.
#[test]
fn writing_near_what_was_just_made() {
    let mut grid = Small::new();
    let mut value = grid.value_mut();
    value.set([0, 0], 1);
    value.set([50, 50], 2);
    value.set([50, 51], 3);
    assert!(value.try_set([99, 100], 4).is_err());
    value.extend([([60, 60], 5), ([61, 61], 6), ([0, 1], 7)]);
    value.set([61, 60], 8);
    value.modify([0, 0], |v| *v += 10);
    let expected =
        [([0, 0], 11), ([0, 1], 7), ([50, 50], 2), ([50, 51], 3), ([60, 60], 5), ([61, 60], 8), ([61, 61], 6)];
    assert_eq!(value.iter().collect::<BTreeMap<_, _>>(), BTreeMap::from(expected));
    grid.internal_validate();
}

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
pub(crate) struct Floats {
    #[field(background = -1.0)]
    pub(crate) a: f32,
    pub(crate) v: [f32; 3],
}

/// Inactive cells and NaNs are no part of sums and extremes; a background other than zero neither.
#[test]
fn reductions_leave_out_what_is_not_active() {
    let mut grid = Floats::new();
    assert_eq!((grid.a().sum(), grid.a().min(), grid.a().max()), (0.0, None, None));
    grid.a_mut().extend([([0, 0], 2.0), ([0, 9], 4.0), ([100, 7], f32::NAN)]);
    assert_eq!((grid.a().min(), grid.a().max()), (Some(2.0), Some(4.0)));
    grid.a_mut().set([100, 7], 0.5);
    assert_eq!((grid.a().sum(), grid.a().min()), (6.5, Some(0.5)));
    grid.v_mut().set([0, 0], [1.0, 2.0, 3.0]);
    grid.v_mut().set([-9, 0], [1.0, 2.0, 4.0]);
    assert_eq!(grid.v().sum(), [2.0, 4.0, 7.0]);
}

/// Nodes of an unbounded axis whose size does not divide 2^32: the first one begins before the first `i32`.
#[test]
fn boxes_at_the_ends_of_an_axis() {
    let mut grid = odd_hash::Subject::new();
    let ends = [[i32::MIN, 5], [i32::MIN + 1, 5], [i32::MAX, 5], [i32::MAX - 1, i32::MIN]];
    grid.value_mut().extend(ends.map(|p| (p, 1)));
    for p in ends {
        let region = Region::new(p, [p[0].saturating_add(1), p[1].saturating_add(1)]);
        let expected = usize::from(region.contains(p));
        assert_eq!(grid.value().iter_in(region).count(), expected, "{p:?}");
    }
}
