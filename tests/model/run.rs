//! The test.

use super::geometry::{Cell, Shape};
use super::state::State;
use super::subject::{FieldOps, LevelOps, Subject};
use std::fmt::Debug;

/// How sums of samples are taken.
pub fn sum(a: u8, b: u8) -> u8 {
    ((u16::from(a) + u16::from(b)) % 251) as u8
}

/// A sample for a cell.
pub fn number(p: &Cell) -> u8 {
    (p[0] as u32 % 251) as u8
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn sample(&mut self) -> u8 {
        self.below(251) as u8
    }
}

/// Compares two lists and says where they differ.
fn same<T: PartialEq + Debug>(what: &str, got: &[T], expected: &[T]) {
    if let Some(i) = (0..got.len().max(expected.len())).find(|&i| got.get(i) != expected.get(i)) {
        panic!("{what}: item {i} is {:?} and should be {:?}", got.get(i), expected.get(i));
    }
}

/// A grid with what it should be.
struct Pair<'a> {
    grid: Box<dyn Subject>,
    state: State<'a>,
    rng: Rng,
}

/// Runs random operations on a grid; `fields` are the levels of its fields.
pub fn run<S: Subject>(fields: &[usize], seed: u64, steps: usize) {
    run_on(&S::shape(), S::fresh, fields, seed, steps);
}

fn run_on(shape: &Shape, fresh: fn() -> Box<dyn Subject>, fields: &[usize], seed: u64, steps: usize) {
    let mut grid = fresh();
    let background = |f| on_field(&mut *grid, f, |field| field.background());
    let backgrounds: Vec<u8> = (0..fields.len()).map(background).collect();
    let state = State::new(shape, fields.iter().copied().zip(backgrounds).collect());
    let mut pair = Pair { grid, state, rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1) };
    pair.check();
    for step in 0..steps {
        pair.step();
        pair.grid.validate();
        for _ in 0..2 {
            let f = pair.rng.below(fields.len());
            let p = pair.point(fields[f]);
            let (get, value) = (pair.state.get(f, &p), pair.state.value(f, &p));
            pair.on_field(f, |field| {
                assert_eq!(field.get(&p), get, "step {step}: field {f} at {p:?}");
                assert_eq!(field.value(&p), value, "step {step}: field {f} at {p:?}");
                assert_eq!(field.is_active(&p), get.is_some());
            });
        }
        if step % 16 == 0 {
            pair.check();
        }
    }
    pair.check();
    pair.rebuild(fresh(), |field, cells| field.extend(cells));
    pair.rebuild(fresh(), |field, cells| field.extend_shared(cells));
}

fn on_field<R>(grid: &mut dyn Subject, field: usize, f: impl FnOnce(&mut dyn FieldOps) -> R) -> R {
    let (mut f, mut result) = (Some(f), None);
    grid.with_field(field, &mut |field| result = f.take().map(|f| f(field)));
    result.expect("the view is lent once")
}

fn on_level<R>(grid: &mut dyn Subject, level: usize, f: impl FnOnce(&mut dyn LevelOps) -> R) -> R {
    let (mut f, mut result) = (Some(f), None);
    grid.with_level(level, &mut |level| result = f.take().map(|f| f(level)));
    result.expect("the view is lent once")
}

impl Pair<'_> {
    fn on_field<R>(&mut self, field: usize, f: impl FnOnce(&mut dyn FieldOps) -> R) -> R {
        on_field(&mut *self.grid, field, f)
    }

    fn on_level<R>(&mut self, level: usize, f: impl FnOnce(&mut dyn LevelOps) -> R) -> R {
        on_level(&mut *self.grid, level, f)
    }

    /// A cell of a level near one of a few places, so that operations meet; on unbounded axes at the ends too.
    fn point(&mut self, level: usize) -> Cell {
        let place = self.rng.below(5);
        let mut p = [0; 8];
        for (j, side) in self.state.paths[level].sides.iter().enumerate() {
            let (n, last) = ((side.hi - side.lo) as usize, side.hi - 1);
            let x = match place {
                0 => side.lo + self.rng.below(n.min(5)) as i64,
                1 => last - self.rng.below(n.min(5)) as i64,
                _ if side.free => [0, -1, 1000][place - 2] + self.rng.below(9) as i64 - 4,
                _ => side.lo + self.rng.below(n) as i64,
            };
            p[j] = x.clamp(side.lo, last) as i32;
        }
        p
    }

    fn step(&mut self) {
        let f = self.rng.below(self.state.fields.len());
        let p = self.point(self.state.fields[f].level);
        let x = self.rng.sample();
        match self.rng.below(100) {
            0..32 => {
                if x.is_multiple_of(3) {
                    let old = self.on_field(f, |field| field.swap_shared(&p, x));
                    assert_eq!(old, self.state.value(f, &p), "shared swap at {p:?}");
                } else {
                    self.on_field(f, |field| field.set(&p, x));
                }
                self.state.set(f, p, x);
            }
            32..42 => {
                let old = self.on_field(f, |field| field.modify(&p, x));
                assert_eq!(old, self.state.value(f, &p), "modify at {p:?}");
                self.state.set(f, p, x);
            }
            42..57 => {
                let level = self.rng.below(self.state.paths.len());
                let cell = self.point(level);
                if self.state.is_sparse(level) {
                    let was = self.on_level(level, |l| l.deactivate(&cell));
                    assert_eq!(was, self.state.deactivate(level, &cell), "deactivate {cell:?} of level {level}");
                }
            }
            57..67 => {
                let level = self.rng.below(self.state.paths.len());
                let cell = self.point(level);
                self.on_level(level, |l| l.activate(&cell));
                self.state.activate(level, &cell);
            }
            67..69 => {
                self.grid.clear();
                self.state.clear();
            }
            69..71 => {
                let before = self.grid.nodes();
                let freed = self.grid.prune();
                assert_eq!(self.grid.nodes() + freed, before, "prune says how many nodes it freed");
                self.state.prune();
            }
            71 => self.grid.shrink(),
            72 => self.grid.compact(),
            73..75 => {
                self.on_field(f, |field| field.par_add(x));
                self.state.update(f, |_, _, v| sum(v, x));
            }
            75..79 => {
                self.on_field(f, |field| field.number_cells());
                self.state.update(f, |_, p, _| number(&p));
            }
            79..82 => {
                self.on_field(f, |field| field.fill(x));
                self.state.update(f, |_, _, _| x);
            }
            82..87 => {
                let copy = self.grid.copy();
                assert!(copy.same(&*self.grid), "a clone differs");
                if self.rng.below(2) == 0 {
                    self.grid = copy;
                }
            }
            87..91 => {
                self.grid.zip();
                self.state.update(1, |state, p, b| sum(b, state.value(0, &p)));
            }
            91..93 => {
                let level = self.rng.below(self.state.paths.len());
                if self.state.is_sparse(level) {
                    self.on_level(level, |l| l.retain_even());
                    for cell in self.state.cells(level).iter().filter(|c| c[0] % 2 != 0) {
                        self.state.deactivate(level, cell);
                    }
                }
            }
            _ => self.out_of_bounds(f, p, x),
        }
    }

    fn out_of_bounds(&mut self, f: usize, mut p: Cell, x: u8) {
        let level = self.state.fields[f].level;
        for (j, side) in self.state.paths[level].sides.iter().enumerate() {
            let outside = [side.lo - 1, side.hi, i32::MIN.into(), i32::MAX.into()][self.rng.below(4)];
            p[j] = i32::try_from(outside).unwrap_or(p[j]);
        }
        if self.state.paths[level].contains(&p) {
            return;
        }
        let background = self.state.fields[f].background;
        self.on_field(f, |field| {
            assert!(!field.try_set(&p, x));
            assert_eq!((field.get(&p), field.value(&p)), (None, background));
        });
        self.on_level(level, |l| assert!(!l.is_active(&p) && !l.try_activate(&p)));
    }

    /// Everything that can be asked, against what it should be.
    fn check(&mut self) {
        for level in 0..self.state.paths.len() {
            let cells = self.state.cells(level);
            let (listed, len) = self.on_level(level, |l| {
                assert!(cells.iter().take(50).all(|c| l.is_active(c)));
                (l.cells(), l.len())
            });
            same(&format!("cells of level {level}"), &listed, &cells);
            assert_eq!(len, cells.len() as u64, "len of level {level}");
        }
        let innermost: usize = self.state.innermost().map(|l| self.state.cells(l).len()).sum();
        assert_eq!(self.grid.count(), innermost as u64, "count");
        for f in 0..self.state.fields.len() {
            let expected = self.state.field_cells(f);
            let near = |p: &Cell| {
                let mut q = *p;
                for j in 0..self.state.paths[self.state.fields[f].level].sides.len() {
                    q[j] = q[j].wrapping_add(1 + j as i32);
                }
                [*p, q]
            };
            let points: Vec<Cell> = expected.iter().take(500).flat_map(|(p, _)| near(p)).collect();
            let reads: Vec<_> = points.iter().map(|p| (self.state.get(f, p), self.state.value(f, p))).collect();
            self.on_field(f, |field| {
                same("iter", &field.cells(), &expected);
                same("iter by next()", &field.cells_one_by_one(), &expected);
                same("par_iter", &field.par_cells(), &expected);
                same("accessor", &field.read(&points), &reads);
            });
        }
        same("blocks", &self.grid.blocks(), &self.state.field_cells(0));
        assert!(!self.grid.text().is_empty());
    }

    /// The same cells set in another order give an equal grid that is visited in the same order.
    fn rebuild(&mut self, mut other: Box<dyn Subject>, extend: fn(&mut dyn FieldOps, &[(Cell, u8)])) {
        for f in 0..self.state.fields.len() {
            let mut cells = self.state.field_cells(f);
            for i in (1..cells.len()).rev() {
                cells.swap(i, self.rng.below(i + 1));
            }
            on_field(&mut *other, f, |field| extend(field, &cells));
        }
        for level in 0..self.state.paths.len() {
            for cell in self.state.cells(level) {
                on_level(&mut *other, level, |l| l.activate(&cell));
            }
        }
        other.validate();
        assert!(other.same(&*self.grid), "a grid rebuilt in another order differs");
        for f in 0..self.state.fields.len() {
            same("rebuilt", &on_field(&mut *other, f, |field| field.cells()), &self.state.field_cells(f));
        }
    }
}
