//! Random operations on a grid against a `BTreeMap`, for any layout.
//!
//! The model knows nothing of nodes: it is told kinds and sizes of the levels, and works out by plain division which
//! cells become active together, which box a cell of a level covers, and in which order cells are visited.

use rayon::prelude::*;
use sparse_layout::prelude::*;
use sparse_layout::{Field, GridFieldMut, Level, Point};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What the tests ask of an element type.
pub trait Sample: Element + PartialEq + Debug {
    fn sample(x: u64) -> Self;
}

macro_rules! sample { ($($t:ty),*) => { $( impl Sample for $t { fn sample(x: u64) -> Self { (x % 251) as $t } } )* } }
sample!(u8, i16, u32, u64, f32, f64);

impl<T: Sample, const N: usize> Sample for [T; N]
where
    [T; N]: Element,
{
    fn sample(x: u64) -> Self {
        std::array::from_fn(|i| T::sample(x.wrapping_add(i as u64)))
    }
}

/// One level of the layout under test.
pub struct Spec {
    /// h, p, b, d
    pub kind: char,
    /// Per axis: cells, 0 where not divided, -1 where unbounded.
    pub sizes: Vec<i64>,
    /// Whether cells are numbered in Z-order.
    pub morton: bool,
}

/// A grid under test: its field `a`, and its levels by number.
pub trait Subject: Grid + Clone + PartialEq + Debug {
    type Level: Level<Layout = Self, Point = Self::Point>;
    type Point: Point;
    type Value: Sample;
    fn make() -> Self;
    fn specs() -> Vec<Spec>;
    fn lo() -> Vec<i64>;
    /// `hi <= lo`: no declared bounds.
    fn hi() -> Vec<i64>;
    fn a(&self) -> Field<'_, Self::Level, Self::Value>;
    fn a_mut(&mut self) -> GridFieldMut<'_, Self::Level, Self::Value>;
    /// Doubles what is in `b` and copies the low byte of `a`'s sample: exercises a loop over two fields.
    fn zip(&mut self);
    fn deactivate(&mut self, level: usize, cell: &[i32]) -> bool;
    fn activate(&mut self, level: usize, cell: &[i32]);
    fn level_cells(&self, level: usize) -> Vec<Vec<i32>>;
    fn level_len(&self, level: usize) -> u64;
    fn level_is_active(&self, level: usize, cell: &[i32]) -> bool;
}

/// The geometry of a subject, by division.
struct Model<P, T> {
    specs: Vec<Spec>,
    lo: Vec<i64>,
    hi: Vec<i64>,
    free: Vec<bool>,
    cells: BTreeMap<P, T>,
    background: T,
}

impl<P: Point, T: Sample> Model<P, T> {
    fn new<S: Subject>(background: T) -> Self {
        let specs = S::specs();
        let d = P::LEN;
        let free: Vec<bool> = (0..d).map(|j| specs.iter().any(|s| s.sizes[j] < 0)).collect();
        let lo = S::lo();
        let mut hi = S::hi();
        for j in 0..d {
            if hi[j] <= lo[j] && !free[j] {
                hi[j] = lo[j] + specs.iter().map(|s| s.sizes[j].max(1)).product::<i64>();
            }
        }
        Model { specs, lo, hi, free, cells: BTreeMap::new(), background }
    }

    /// Finest cells in one cell of level `k` along axis `j`.
    fn div(&self, k: usize, j: usize) -> i64 {
        self.specs[k + 1..].iter().map(|s| s.sizes[j].max(1)).product()
    }

    fn counted(&self, p: &P, j: usize) -> i64 {
        i64::from(p.at(j)) - if self.free[j] { 0 } else { self.lo[j] }
    }

    fn contains(&self, p: &P) -> bool {
        (0..P::LEN).all(|j| self.free[j] || (self.lo[j]..self.hi[j]).contains(&i64::from(p.at(j))))
    }

    /// The axes divided on the path to level `k`.
    fn axes(&self, k: usize) -> Vec<usize> {
        (0..P::LEN).filter(|&j| self.specs[..=k].iter().any(|s| s.sizes[j] != 0)).collect()
    }

    /// The cell of level `k` that holds `p`, in that level's coordinates.
    fn cell(&self, k: usize, p: &P) -> Vec<i32> {
        let number = |&j: &usize| {
            let div = self.div(k, j);
            let base = if self.free[j] { 0 } else { self.lo[j].div_euclid(div) };
            (self.counted(p, j).div_euclid(div) + base) as i32
        };
        self.axes(k).iter().map(number).collect()
    }

    /// The level whose cells are the smallest that can be inactive.
    fn grain(&self) -> Option<usize> {
        (0..self.specs.len()).rev().find(|&k| self.specs[k].kind != 'd')
    }

    /// The points that become active with `p`.
    fn group(&self, p: &P) -> Vec<P> {
        let mut points = vec![Vec::new()];
        for j in 0..P::LEN {
            let (from, n) = match self.grain() {
                Some(k) => {
                    let div = self.div(k, j);
                    (self.counted(p, j).div_euclid(div) * div, div)
                }
                None => unreachable!(),
            };
            let base = if self.free[j] { 0 } else { self.lo[j] };
            points = points
                .into_iter()
                .flat_map(|q: Vec<i64>| (0..n).map(move |i| [q.clone(), vec![base + from + i]].concat()))
                .collect();
        }
        let fits = |q: &Vec<i64>| q.iter().all(|x| i32::try_from(*x).is_ok());
        let point = |q: Vec<i64>| P::from_fn(|j| q[j] as i32);
        points.into_iter().filter(fits).map(point).filter(|q| self.contains(q)).collect()
    }

    fn activate(&mut self, p: &P) {
        if self.grain().is_some() {
            for q in self.group(p) {
                self.cells.entry(q).or_insert(self.background);
            }
        }
    }

    fn fill_dense(&mut self) {
        if self.grain().is_none() {
            let lo = P::from_fn(|j| self.lo[j] as i32);
            let hi = P::from_fn(|j| self.hi[j] as i32);
            self.cells = Region::new(lo, hi).iter().map(|p| (p, self.background)).collect();
        }
    }

    /// What the order of visits compares: digits level by level.
    fn key(&self, p: &P) -> Vec<i64> {
        let mut key = Vec::new();
        for (k, spec) in self.specs.iter().enumerate() {
            let digits: Vec<i64> = (0..P::LEN)
                .filter(|&j| spec.sizes[j] != 0)
                .map(|j| {
                    let q = self.counted(p, j).div_euclid(self.div(k, j));
                    if spec.sizes[j] < 0 { q } else { q.rem_euclid(spec.sizes[j]) }
                })
                .collect();
            if spec.morton {
                // Bits dealt from the last axis on, until an axis runs out.
                let sizes: Vec<i64> = spec.sizes.iter().copied().filter(|n| *n != 0).collect();
                let (mut code, mut bit) = (0, 0);
                for round in 0..32 {
                    for j in (0..sizes.len()).rev() {
                        if round < sizes[j].trailing_zeros() {
                            code |= (digits[j] >> round & 1) << bit;
                            bit += 1;
                        }
                    }
                }
                key.push(code);
            } else {
                key.extend(digits);
            }
        }
        key
    }

    fn ordered(&self) -> Vec<(P, T)> {
        let mut cells: Vec<(P, T)> = self.cells.iter().map(|(p, v)| (*p, *v)).collect();
        cells.sort_by_cached_key(|(p, _)| self.key(p));
        cells
    }
}

pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A point near one of a few places, so that operations meet; unbounded axes go to the ends of `i32` too.
fn point<P: Point, T: Sample>(rng: &mut Rng, model: &Model<P, T>) -> P {
    let place = rng.below(5);
    P::from_fn(|j| {
        if model.free[j] {
            let center = [0i64, -1, 1000, i64::from(i32::MIN) + 3, i64::from(i32::MAX) - 3][place as usize];
            (center + rng.below(9) as i64 - 4).clamp(i32::MIN.into(), i32::MAX.into()) as i32
        } else {
            let n = (model.hi[j] - model.lo[j]) as u64;
            let x = match place {
                0 => rng.below(n.min(5)),
                1 => n - 1 - rng.below(n.min(5)),
                _ => rng.below(n),
            };
            (model.lo[j] + x as i64) as i32
        }
    })
}

/// The test.
pub fn run<S: Subject>(seed: u64, steps: usize) {
    let mut rng = Rng::new(seed);
    let mut grid = S::make();
    let background = grid.a().background();
    let mut model = Model::<S::Point, S::Value>::new::<S>(background);
    model.fill_dense();
    check(&grid, &model);
    for step in 0..steps {
        let p = point(&mut rng, &model);
        let value = S::Value::sample(rng.next());
        match rng.below(100) {
            0..40 => {
                grid.a_mut().set(p, value);
                model.activate(&p);
                model.cells.insert(p, value);
            }
            40..50 => {
                grid.a_mut().modify(p, |v| *v = value);
                model.activate(&p);
                model.cells.insert(p, value);
            }
            50..65 => {
                let k = rng.below(model.specs.len() as u64) as usize;
                if model.specs[k].kind != 'd' {
                    let cell = model.cell(k, &p);
                    let before = model.cells.len();
                    let gone: Vec<S::Point> =
                        model.cells.keys().filter(|q| model.cell(k, q) == cell).copied().collect();
                    for q in gone {
                        model.cells.remove(&q);
                    }
                    let active = grid.level_is_active(k, &cell);
                    assert!(before == model.cells.len() || active, "step {step}: cells below an inactive one");
                    assert_eq!(grid.deactivate(k, &cell), active);
                }
            }
            65..70 => {
                // A leaf-most activation does not touch values.
                let k = model.specs.len() - 1;
                grid.activate(k, &model.cell(k, &p));
                model.activate(&p);
            }
            70..72 => {
                grid.clear();
                model.cells.clear();
                model.fill_dense();
            }
            72..80 => {
                grid.a_mut().par_for_each(|_, v| *v = value);
                model.cells.values_mut().for_each(|v| *v = value);
            }
            80..85 => {
                for (p, v) in grid.a_mut().iter_mut() {
                    *v = S::Value::sample(p.at(0) as u64);
                }
                model.cells.iter_mut().for_each(|(p, v)| *v = S::Value::sample(p.at(0) as u64));
            }
            85..90 => {
                let copy = grid.clone();
                assert!(copy == grid, "step {step}: a clone differs");
                if rng.below(2) == 0 {
                    grid = copy;
                }
            }
            90..93 => grid.zip(),
            _ => {
                let outside = S::Point::from_fn(|j| match model.free[j] {
                    true => p.at(j),
                    false if rng.below(2) == 0 => model.hi[j].min(i32::MAX.into()) as i32,
                    false => (model.lo[j] - 1).max(i32::MIN.into()) as i32,
                });
                if !model.contains(&outside) {
                    assert!(grid.a_mut().try_set(outside, value).is_err());
                    assert_eq!(grid.a().get(outside), None);
                    assert_eq!(grid.a().value(outside), background);
                }
            }
        }
        grid.internal_validate();
        let q = point(&mut rng, &model);
        assert_eq!(grid.a().get(q), model.cells.get(&q).copied(), "step {step}: {q:?}");
        assert_eq!(grid.a().value(q), model.cells.get(&q).copied().unwrap_or(background), "step {step}: {q:?}");
        if step % 16 == 0 {
            check(&grid, &model);
        }
    }
    check(&grid, &model);
    rebuild_in_other_order::<S>(&grid, &model, &mut rng);
}

fn check<S: Subject>(grid: &S, model: &Model<S::Point, S::Value>) {
    let expected = model.ordered();
    let got: Vec<_> = grid.a().iter().collect();
    assert_eq!(got, expected, "iter");
    let mut by_next = Vec::new();
    let mut iter = grid.a().iter();
    while let Some(cell) = iter.next() {
        by_next.push(cell);
    }
    assert_eq!(by_next, expected, "iter by next()");
    let parallel: Vec<_> = grid.a().par_iter().collect();
    assert_eq!(parallel, expected, "par_iter");
    let leaf = model.specs.len() - 1;
    assert_eq!(grid.level_len(leaf), expected.len() as u64, "len");
    assert_eq!(grid.count(), expected.len() as u64, "count");
    let cells: Vec<Vec<i32>> = expected.iter().map(|(p, _)| p.as_slice().to_vec()).collect();
    assert_eq!(grid.level_cells(leaf), cells, "cells of the innermost level");
    let mut accessor = grid.a().accessor();
    for (p, v) in &expected {
        assert_eq!(accessor.get(*p), Some(*v), "accessor at {p:?}");
        let next = S::Point::from_fn(|j| p.at(j).wrapping_add(1 + j as i32));
        assert_eq!(accessor.get(next), model.cells.get(&next).copied(), "accessor at {next:?}");
        assert_eq!(accessor.value(next), grid.a().value(next));
    }
    // Every level with cells of its own: what lies above an active cell is active, in order, once.
    for k in 0..model.specs.len() {
        let listed = grid.level_cells(k);
        assert_eq!(grid.level_len(k), listed.len() as u64, "len of level {k}");
        for (p, _) in expected.iter().take(50) {
            assert!(grid.level_is_active(k, &model.cell(k, p)));
        }
        let mut above: Vec<Vec<i32>> = expected.iter().map(|(p, _)| model.cell(k, p)).collect();
        above.dedup();
        above.retain(|c| !listed.contains(c));
        assert!(above.is_empty(), "level {k} lacks {above:?}");
    }
}

/// The same cells set in another order give an equal grid that is visited in the same order.
fn rebuild_in_other_order<S: Subject>(grid: &S, model: &Model<S::Point, S::Value>, rng: &mut Rng) {
    let mut cells: Vec<_> = model.cells.iter().map(|(p, v)| (*p, *v)).collect();
    for i in (1..cells.len()).rev() {
        cells.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let mut other = S::make();
    other.a_mut().extend(cells);
    other.internal_validate();
    assert_eq!(other.a().iter().collect::<Vec<_>>(), grid.a().iter().collect::<Vec<_>>());
}
