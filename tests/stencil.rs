//! Stencils against a map of the same cells: layouts of every kind, shapes, radii, boundary rules.

use sparse_layout::prelude::*;
use sparse_layout::{Features, Field, FieldMut, Level, Row, StencilShape};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The background of what is read.
const NOTHING: i32 = 3;

/// Declares grids whose `a` is read and whose `b` is written, and tests each: cells are drawn from `lo..hi`; `bounds` are
/// those of the declaration.
macro_rules! layouts {
    ($($name:ident $d:literal $lo:expr, $hi:expr, $bounds:expr $(, $wide:ident)?; $([$($attribute:tt)*])? $(, $make:expr)?;)*) => { $(
        mod $name {
            use super::*;

            #[sparse_layout($($($attribute)*)?)]
            pub(crate) struct Subject {
                #[field(background = NOTHING)]
                pub(crate) a: i32,
                pub(crate) w: u16,
                pub(crate) b: i32,
            }

            const BOUNDS: [Option<(i64, i64)>; $d] = $bounds;

            /// Some cells of `a`, and those of all fields that are active then.
            fn filled() -> (Subject, BTreeMap<[i32; $d], i32>) {
                let mut grid = made!(Subject $(, $make)?);
                let mut draw = Draw(7);
                for i in 0..120 {
                    let p: [i32; $d] = std::array::from_fn(|j| {
                        let (lo, hi) = (i64::from($lo[j]), i64::from($hi[j]));
                        // Some cells in a bunch, some anywhere, some at the ends.
                        let ends = if draw.below(2) == 0 { lo + draw.below(2) } else { hi - 1 - draw.below(2) };
                        let x = match i % 4 {
                            0 | 1 => (lo + hi) / 2 + draw.below(6) - 3,
                            2 => lo + draw.below(hi - lo),
                            _ => ends,
                        };
                        x.clamp(lo, hi - 1) as i32
                    });
                    grid.a_mut().set(p, draw.below(1000) as i32);
                }
                grid.w_mut().par_for_each(|p, w| *w = (p[0] & 15) as u16);
                // Where whole blocks become active, their other cells hold the background.
                let cells = grid.a().iter().collect();
                (grid, cells)
            }

            #[test]
            fn agrees_with_a_map() {
                let (mut grid, cells) = filled();
                let model = Model { cells: &cells, bounds: BOUNDS };
                let mut f = grid.fields_mut();
                for rule in [
                    Boundary::Background,
                    Boundary::Constant(-50),
                    Boundary::Clamp,
                    Boundary::Wrap,
                    Boundary::Mirror,
                    Boundary::MirrorInterior,
                ] {
                    check::<_, Star<1>, $d>(&mut f.b, f.a.as_field(), rule, &model);
                    check::<_, Cube<1>, $d>(&mut f.b, f.a.as_field(), rule, &model);
                }
                $( check_wide::<_, $d>($wide, &mut f.b, f.a.as_field(), &model); )?
                // Two inputs of different types.
                f.b.par_map_stencil::<Star<1>>((&f.a, &f.w), |_, _, (a, w)| {
                    w.fold_star(a.here(), |sum, w| sum + i32::from(w)) + a.fold_star(0, |sum, v| sum + v)
                });
                let w = |p: [i32; $d]| if model.cells.contains_key(&p) { p[0] & 15 } else { 0 };
                for (p, v) in f.b.iter() {
                    let around = offsets::<Star<1>, $d>().into_iter().filter(|o| *o != [0; $d]);
                    let sum: i32 = around
                        .map(|o| model.read(p, o, &Boundary::Background) + reach(p, o).map_or(0, w))
                        .sum();
                    assert_eq!(v, sum + model.cells[&p], "{p:?}");
                }
                grid.internal_validate();
                grid.clear();
                let mut f = grid.fields_mut();
                f.b.par_map_stencil::<Cube<1>>(&f.a, |_, old, _| old + 1);
                assert!(f.b.iter().all(|(_, v)| v == 1));
                grid.internal_validate();
            }
        }
    )* };
}

macro_rules! made {
    ($grid:ident) => {
        $grid::new()
    };
    ($grid:ident, $make:expr) => {
        $make
    };
}

/// That larger shapes are tested too.
struct Wide;
const WIDE: Wide = Wide;

fn check_wide<L: Level<Point = [i32; D]>, const D: usize>(
    _: Wide,
    out: &mut FieldMut<'_, L, i32>,
    a: Field<'_, L, i32>,
    model: &Model<'_, D>,
) {
    for rule in [Boundary::Background, Boundary::Wrap, Boundary::MirrorInterior] {
        check::<_, Star<2>, D>(out, a, rule, model);
        check::<_, Star<3>, D>(out, a, rule, model);
        check::<_, Cube<2>, D>(out, a, rule, model);
    }
    check_forms::<_, Star<2>, D>(out, a, model);
    check_forms::<_, Cube<2>, D>(out, a, model);
}

/// The loops over rows and blocks, and an accessor that looks around, against what the loop over cells gave last.
fn check_forms<L: Level<Point = [i32; D]>, S: StencilShape, const D: usize>(
    out: &mut FieldMut<'_, L, i32>,
    a: Field<'_, L, i32>,
    model: &Model<'_, D>,
) {
    let offsets = offsets::<S, D>();
    let sum = |p: [i32; D]| {
        let terms = offsets.iter().map(|o| weight(*o).wrapping_mul(model.read(p, *o, &Boundary::Mirror)));
        terms.fold(p[D - 1], i32::wrapping_add)
    };
    let expected: Vec<_> = model.cells.keys().map(|p| (*p, sum(*p))).collect();
    let edge = a.with_boundary(Boundary::Mirror);
    let got = |out: &mut FieldMut<'_, L, i32>| {
        let mut cells: Vec<_> = out.iter().collect();
        cells.sort_unstable();
        out.fill(0);
        cells
    };
    out.fill(0);
    out.par_map_rows::<S>(edge, |p, old, s| {
        let sum =
            offsets.iter().fold(old, |sum, o| sum.zip(s.at(*o), |sum, v| sum.wrapping_add(weight(*o).wrapping_mul(v))));
        sum.map(|v| v.wrapping_add(p[D - 1]))
    });
    let rows = got(out);
    // Cells of a row share all coordinates but one: those of the last axis are right only in the row's first cell, if it goes along
    // that one.
    for ((p, v), (q, w)) in rows.iter().zip(&expected) {
        assert_eq!(p, q);
        let behind = w.wrapping_sub(*v);
        assert!((0..8).contains(&behind), "rows, radius {}, {p:?}: {v} for {w}", S::RADIUS);
    }
    out.par_for_each_halo::<S>(edge, |block, out, halo| {
        for (at, row) in block.rows() {
            for (i, out) in out[row].iter_mut().enumerate() {
                let at: [i32; D] = std::array::from_fn(|j| at[j] + if j == block.row_axis() { i as i32 } else { 0 });
                let sum = offsets.iter().map(|o| weight(*o).wrapping_mul(halo.at(at.offset(*o))));
                *out = sum.fold(block.origin().offset(at)[D - 1].wrapping_add(*out), i32::wrapping_add);
                assert_eq!(halo.row(at, 1), [halo.at(at)]);
                assert_eq!(
                    block.place(at),
                    block.place([0; D]) + (0..D).map(|j| at[j] as usize * block.stride(j)).sum::<usize>()
                );
            }
        }
    });
    assert_eq!(got(out), expected, "blocks, radius {}", S::RADIUS);
    let mut reader = a.accessor();
    let mut around = reader.around();
    for p in model.cells.keys() {
        around.move_to(p);
        for o in &offsets {
            assert_eq!(around.offset(o), model.read(*p, *o, &Boundary::Background), "{o:?} from {p:?}");
        }
    }
}

#[sparse_layout(axes(x), dense(4))]
struct Four {
    #[field(background = -9.0)]
    a: f32,
    b: f32,
}

/// The table in the documentation of `Boundary`: values by hand.
#[test]
fn rules_beyond_the_bounds() {
    let mut four = Four::new();
    for x in 0..4 {
        four.a_mut().set([x], x as f32);
    }
    let table = [
        (Boundary::Background, [-9.0, -9.0, -9.0, -9.0, -9.0]),
        (Boundary::Constant(7.0), [7.0; 5]),
        (Boundary::Clamp, [0.0, 0.0, 0.0, 3.0, 3.0]),
        (Boundary::Wrap, [1.0, 2.0, 3.0, 0.0, 1.0]),
        (Boundary::Mirror, [2.0, 1.0, 0.0, 3.0, 2.0]),
        (Boundary::MirrorInterior, [3.0, 2.0, 1.0, 2.0, 1.0]),
    ];
    for (rule, expected) in table {
        assert_eq!([-3, -2, -1, 4, 5].map(|x| four.a().with_boundary(rule).value([x])), expected, "{rule:?}");
        let mut f = four.fields_mut();
        f.b.par_map_stencil::<Star<3>>(f.a.with_boundary(rule), |[x], _, s| if x < 2 { s.at([-3]) } else { s.at([3]) });
        let [before, _, _, _, behind] = expected;
        let left = f.a.with_boundary(rule).value([-2]);
        assert_eq!(
            f.b.iter().map(|(_, v)| v).collect::<Vec<_>>(),
            [before, left, behind, f.a.with_boundary(rule).value([6])]
        );
    }
}

#[test]
#[should_panic(expected = "does not belong to its shape")]
fn a_cell_outside_of_the_shape() {
    let mut four = Four::new();
    let mut f = four.fields_mut();
    f.b.par_map_stencil::<Star<1>>(&f.a, |_, _, s| s.at([2]));
}

#[test]
#[should_panic(expected = "different grids")]
fn fields_of_two_grids() {
    let (mut one, other) = (Four::new(), Four::new());
    one.fields_mut().b.par_map_stencil::<Star<1>>(&other.a(), |_, _, s| s.here());
}

/// A loop that panics leaves the grid valid.
#[test]
fn panics() {
    let mut four = Four::new();
    let mut f = four.fields_mut();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        f.b.par_for_each_halo::<Star<1>>(&f.a, |_, out, _| {
            out.fill(3.0);
            panic!("as asked");
        });
    }));
    assert!(caught.is_err());
    assert!(four.b().iter().all(|(_, v)| v == 0.0));
    four.internal_validate();
}

#[sparse_layout(axes(x, y, z), hash() > pointer(4) > bitmasked(8))]
struct Heat {
    a: f32,
    b: f32,
}

/// Every form, on every set of features, in the same bits.
#[test]
fn the_same_bits_for_every_processor() {
    let mut heat = Heat::new();
    let mut draw = Draw(3);
    for _ in 0..3000 {
        let p = [0; 3].map(|_| draw.below(40) as i32 - 20);
        heat.a_mut().set(p, draw.below(1_000_000) as f32 * 1e-3);
    }
    let mut results = Vec::new();
    for features in [Some(Features::Baseline), None] {
        Features::force(features);
        let mut f = heat.fields_mut();
        f.b.par_map_stencil::<Cube<1>>(&f.a, |_, _, s| s.fold_box(0.1, |sum, v| sum * 0.99 + v).sqrt());
        results.push(bits(f.b.as_field()));
        f.b.par_for_each_stencil::<Cube<1>>(&f.a, |_, b, s| *b = s.fold_box(0.1, |sum, v| sum * 0.99 + v).sqrt());
        results.push(bits(f.b.as_field()));
        f.b.par_map_rows::<Cube<1>>(&f.a, |_, _, s| {
            s.fold_box(Row::splat(0.1), |sum, v| sum * 0.99 + v).map(f32::sqrt)
        });
        results.push(bits(f.b.as_field()));
    }
    assert!(results.windows(2).all(|two| two[0] == two[1]));
}

fn bits<L: Level>(field: Field<'_, L, f32>) -> Vec<u32> {
    field.iter().map(|(_, v)| v.to_bits()).collect()
}

const ENDS: (i64, i64) = (i32::MIN as i64, i32::MAX as i64 + 1);

layouts! {
    line 1 [-500], [900], [None]; [axes(x), hash() > pointer(8) > bitmasked(64)];
    line_of_five 1 [-50], [90], [None]; [axes(x), hash() > dense(5), allow(non_power_of_two)];
    row 1 [0], [100], [Some((0, 100))]; [axes(x), dense(100)];
    long_row 1 [0], [5000], [Some((0, 5000))]; [axes(x), bitmasked(5000)];
    ends_of_i32 1 [i32::MIN], [i32::MAX], [None]; [axes(x), hash() > bitmasked(8)];
    odd_ends_of_i32 1 [i32::MIN], [i32::MAX], [None], WIDE; [axes(x), hash() > pointer(3) > bitmasked(10), allow(non_power_of_two)];
    corner_of_i32 2 [i32::MAX - 20; 2], [i32::MAX; 2], [None; 2]; [axes(x, y), hash() > pointer(4) > bitmasked(8)];
    image 2 [0; 2], [40, 48], [Some((0, 40)), Some((0, 48))]; [axes(y, x), dense(40, 48)];
    columns 2 [0; 2], [40, 24], [Some((0, 40)), Some((0, 24))]; [axes(y, x), bitmasked(x = 24, y = 40)];
    wide_image 2 [0; 2], [50, 600], [Some((0, 50)), Some((0, 600))], WIDE; [axes(y, x), bitmasked(50, 600)];
    image_of_blocks 2 [0; 2], [64; 2], [Some((0, 64)); 2]; [axes(y, x), pointer(2) > dense(32)];
    huge_mask 2 [0; 2], [2048, 1024], [Some((0, 2048)), Some((0, 1024))]; [axes(y, x), bitmasked(2048, 1024)];
    huge_coarse_mask 2 [0; 2], [2048; 2], [Some((0, 2048)); 2]; [axes(y, x), bitmasked(1024) > bitmasked(2)];
    clipped 2 [-5, 3], [30, 20], [Some((-5, 30)), Some((3, 20))]; [axes(x = -5..30, y = 3..20), pointer(_) > dense(8)];
    clipped_mask 2 [-5, 3], [30, 20], [Some((-5, 30)), Some((3, 20))]; [axes(x = -5..30, y = 3..20), pointer(_) > bitmasked(8)];
    morton 2 [0; 2], [32; 2], [Some((0, 32)); 2]; [axes(x, y), pointer(4) > bitmasked(8, morton)];
    fused 2 [0; 2], [64; 2], [Some((0, 64)); 2], WIDE; [axes(x, y), pointer(2) > bitmasked(8) > bitmasked(4)];
    coarse_bits 2 [0; 2], [64; 2], [Some((0, 64)); 2]; [axes(x, y), bitmasked(16) > dense(4)];
    odd 2 [-50; 2], [70; 2], [None; 2], WIDE; [axes(x, y), hash() > bitmasked(5, 7), allow(non_power_of_two)];
    tiny 2 [-20; 2], [30; 2], [None; 2], WIDE; [axes(x, y), hash() > pointer(4) > bitmasked(2)];
    points 2 [0; 2], [16; 2], [Some((0, 16)); 2]; [axes(x, y), pointer(4) > pointer(4)];
    run_time 2 [-20, 5], [30, 77], [Some((-20, 30)), Some((5, 77))], WIDE; [axes(x = .., y = ..), pointer(_) > dense(8)], Subject::builder().bounds([-20..30, 5..77]).build().unwrap();
    run_time_dense 2 [-20, 5], [30, 77], [Some((-20, 30)), Some((5, 77))]; [axes(x = .., y = ..), dense(_)], Subject::builder().bounds([-20..30, 5..77]).build().unwrap();
    run_time_fused 2 [-20, 5], [30, 77], [Some((-20, 30)), Some((5, 77))]; [axes(x = .., y = ..), bitmasked(_) > bitmasked(4)], Subject::builder().bounds([-20..30, 5..77]).build().unwrap();
    mixed 2 [-40, 0], [40, 12], [None, Some((0, 12))]; [axes(x, y), hash(x) > pointer(y = 3) > bitmasked(8, 4)];
    vdb 3 [-40; 3], [200; 3], [None; 3], WIDE; [axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8)];
    bounded 3 [0; 3], [64; 3], [Some((0, 64)); 3]; [axes(x, y, z), pointer(4) > pointer(2) > bitmasked(8, aosoa)];
    records 3 [0; 3], [32; 3], [Some((0, 32)); 3], WIDE; [axes(x, y, z), hash(x = 4, y = 4, z = 4) > bitmasked(8, aos)];
    columns_of_z 3 [-20, -20, 0], [20, 20, 10], [None, None, Some((0, 10))]; [axes(x, y, z), hash(x, y) > dense(4, 4, 10), allow(non_power_of_two)];
    flat_blocks 3 [-20; 3], [40; 3], [None; 3], WIDE; [axes(x, y, z), hash() > bitmasked(4, 2, 16)];
    morton_table 3 [0; 3], [64; 3], [Some((0, 64)); 3]; [axes(x, y, z), pointer(8, morton) > bitmasked(x = 8, z = 8, y = 8)];
    two_levels_of_slots 3 [0; 3], [64; 3], [Some((0, 64)); 3]; [axes(x, y, z), bitmasked(2) > pointer(8, 4, 4) > dense(4, 8, 8)];
    four 4 [-9; 4], [20; 4], [None; 4]; [axes(x, y, z, t), hash() > pointer(2) > bitmasked(4)];
    four_bounded 4 [0; 4], [6, 4, 8, 4], [Some((0, 6)), Some((0, 4)), Some((0, 8)), Some((0, 4))]; [axes(x, y, z, t), pointer(3, 2, 2, 2) > bitmasked(2, 2, 4, 2)];
    five 5 [0; 5], [4; 5], [Some((0, 4)); 5]; [axes(q, r, s, t, u), pointer(2) > bitmasked(2)];
}

/// Cells and bounds.
struct Model<'a, const D: usize> {
    cells: &'a BTreeMap<[i32; D], i32>,
    bounds: [Option<(i64, i64)>; D],
}

impl<const D: usize> Model<'_, D> {
    /// The value at `p + o` under a rule, by walking back into the bounds.
    fn read(&self, p: [i32; D], o: [i32; D], rule: &Boundary<i32>) -> i32 {
        let mut q = [0; D];
        for j in 0..D {
            let mut x = i64::from(p[j]) + i64::from(o[j]);
            let (lo, hi) = self.bounds[j].unwrap_or(ENDS);
            if self.bounds[j].is_none() && !(lo..hi).contains(&x) {
                return NOTHING;
            }
            while !(lo..hi).contains(&x) {
                let low = x < lo;
                x = match rule {
                    Boundary::Clamp if low => lo,
                    Boundary::Clamp => hi - 1,
                    Boundary::Wrap if low => x + (hi - lo),
                    Boundary::Wrap => x - (hi - lo),
                    Boundary::Mirror if low => 2 * lo - 1 - x,
                    Boundary::Mirror => 2 * hi - 1 - x,
                    Boundary::MirrorInterior if low => 2 * lo - x,
                    Boundary::MirrorInterior => 2 * (hi - 1) - x,
                    Boundary::Constant(v) => {
                        // On another axis the point may be lost altogether.
                        return if self.is_lost(p, o) { NOTHING } else { *v };
                    }
                    _ => return NOTHING,
                };
            }
            q[j] = x as i32;
        }
        self.cells.get(&q).copied().unwrap_or(NOTHING)
    }

    fn is_lost(&self, p: [i32; D], o: [i32; D]) -> bool {
        (0..D).any(|j| self.bounds[j].is_none() && p[j].checked_add(o[j]).is_none())
    }
}

fn reach<const D: usize>(p: [i32; D], o: [i32; D]) -> Option<[i32; D]> {
    (0..D).all(|j| p[j].checked_add(o[j]).is_some()).then(|| p.offset(o))
}

/// Every offset of a shape.
fn offsets<S: StencilShape, const D: usize>() -> Vec<[i32; D]> {
    let r = S::RADIUS as i32;
    Region::new([-r; D], [r + 1; D]).iter().filter(|o| S::contains(*o)).collect()
}

/// A weight for each offset, so that no two can be exchanged unnoticed.
fn weight<const D: usize>(o: [i32; D]) -> i32 {
    o.iter().fold(1, |w, x| w * 5 + x) % 97
}

fn check<L: Level<Point = [i32; D]>, S: StencilShape, const D: usize>(
    out: &mut FieldMut<'_, L, i32>,
    a: Field<'_, L, i32>,
    rule: Boundary<i32>,
    model: &Model<'_, D>,
) {
    let offsets = offsets::<S, D>();
    out.fill(5);
    out.par_map_stencil::<S>(a.with_boundary(rule), |p, old, s| {
        let sum = offsets.iter().fold(0i32, |sum, o| sum.wrapping_add(weight(*o).wrapping_mul(s.at(*o))));
        sum.wrapping_add(old).wrapping_add(p[0])
    });
    let pure: Vec<_> = out.iter().collect();
    assert_eq!(pure.len(), model.cells.len());
    for &(p, v) in &pure {
        let sum =
            offsets.iter().fold(0i32, |sum, o| sum.wrapping_add(weight(*o).wrapping_mul(model.read(p, *o, &rule))));
        assert_eq!(v, sum.wrapping_add(5).wrapping_add(p[0]), "at {p:?}, radius {}, {rule:?}", S::RADIUS);
    }
    let calls = AtomicUsize::new(0);
    out.fill(5);
    out.par_for_each_stencil::<S>(a.with_boundary(rule), |p, out, s| {
        calls.fetch_add(1, Relaxed);
        assert!(a.is_active(p));
        let sum = offsets.iter().fold(0i32, |sum, o| sum.wrapping_add(weight(*o).wrapping_mul(s.at(*o))));
        *out = sum.wrapping_add(*out).wrapping_add(p[0]);
    });
    assert_eq!(calls.into_inner(), pure.len(), "cells that were visited");
    assert_eq!(out.iter().collect::<Vec<_>>(), pure, "the strict form, radius {}, {rule:?}", S::RADIUS);
    // What a rule reads, one by one.
    let reader = a.with_boundary(rule);
    for &(p, _) in pure.iter().take(20) {
        for &o in &offsets {
            if let Some(q) = reach(p, o) {
                assert_eq!(reader.value(q), model.read(p, o, &rule), "{q:?}, {rule:?}");
            }
        }
    }
}

/// A generator that is the same on every run (Marsaglia's xorshift).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 31) % n as u64) as i64
    }
}
