//! A grid under test without its types: the test is written, and compiled, once.

use super::geometry::{Cell, Shape};
use rayon::prelude::*;
use sparse_layout::prelude::*;
use sparse_layout::{Atomic, Field, GridFieldMut, Level, LevelMut, LevelView, Point};
use std::any::Any;
use std::fmt::Debug;

/// What the tests ask of an element type: 251 values, the first of which is all zero.
pub trait Sample: Atomic + PartialEq + Debug {
    fn sample(x: u8) -> Self;
    fn number(&self) -> u8;
}

macro_rules! sample { ($($t:ty),*) => { $( impl Sample for $t {
    fn sample(x: u8) -> Self { (x % 251) as $t }
    fn number(&self) -> u8 { *self as u8 }
} )* } }
sample!(u8, u16, i16, i32, u32, u64, f32, f64);

impl Sample for half::f16 {
    fn sample(x: u8) -> Self {
        half::f16::from_f32(f32::from(x % 251))
    }
    fn number(&self) -> u8 {
        self.to_f32() as u8
    }
}

impl<T: Sample, const N: usize> Sample for [T; N]
where
    [T; N]: Element,
{
    fn sample(x: u8) -> Self {
        std::array::from_fn(|i| T::sample((usize::from(x) * (i + 1) % 251) as u8))
    }
    fn number(&self) -> u8 {
        let x = self[0].number();
        assert_eq!(*self, Self::sample(x), "a value of parts that do not belong together");
        x
    }
}

/// A field of a grid that is held exclusively.
pub trait FieldOps {
    fn background(&self) -> u8;
    fn get(&self, p: &Cell) -> Option<u8>;
    fn value(&self, p: &Cell) -> u8;
    fn is_active(&self, p: &Cell) -> bool;
    /// Reads one after the other through one accessor.
    fn read(&self, points: &[Cell]) -> Vec<(Option<u8>, u8)>;
    fn set(&mut self, p: &Cell, x: u8);
    /// Whether that was possible.
    fn try_set(&mut self, p: &Cell, x: u8) -> bool;
    /// Sets a value and gives back the old one.
    fn modify(&mut self, p: &Cell, x: u8) -> u8;
    fn extend(&mut self, cells: &[(Cell, u8)]);
    /// As `extend`, from many threads at once.
    fn extend_shared(&mut self, cells: &[(Cell, u8)]);
    /// As `modify`, through what is lent to many threads.
    fn swap_shared(&mut self, p: &Cell, x: u8) -> u8;
    fn fill(&mut self, x: u8);
    /// Adds to every active cell, in parallel.
    fn par_add(&mut self, x: u8);
    /// Gives every active cell the value of a function of its first coordinate.
    fn number_cells(&mut self);
    fn cells(&self) -> Vec<(Cell, u8)>;
    /// As `cells`, with `next()`.
    fn cells_one_by_one(&self) -> Vec<(Cell, u8)>;
    fn par_cells(&self) -> Vec<(Cell, u8)>;
}

/// A level of a grid that is held exclusively.
pub trait LevelOps {
    fn is_active(&self, cell: &Cell) -> bool;
    fn len(&self) -> u64;
    fn cells(&self) -> Vec<Cell>;
    fn activate(&mut self, cell: &Cell);
    /// Whether that was possible.
    fn try_activate(&mut self, cell: &Cell) -> bool;
    fn deactivate(&mut self, cell: &Cell) -> bool;
    /// Keeps the cells whose first coordinate is even.
    fn retain_even(&mut self);
}

/// A grid.
pub trait Subject: Any {
    fn fresh() -> Box<dyn Subject>
    where
        Self: Sized;
    fn shape() -> Shape
    where
        Self: Sized;
    fn with_field(&mut self, field: usize, f: &mut dyn FnMut(&mut dyn FieldOps));
    fn with_level(&mut self, level: usize, f: &mut dyn FnMut(&mut dyn LevelOps));
    /// Adds field 0 to field 1, which is of the same level.
    fn zip(&mut self);
    /// The active cells of field 0, block by block.
    fn blocks(&self) -> Vec<(Cell, u8)>;
    fn clear(&mut self);
    fn prune(&mut self) -> u64;
    fn shrink(&mut self);
    fn compact(&mut self);
    fn nodes(&self) -> u64;
    fn count(&self) -> u64;
    fn validate(&self);
    fn copy(&self) -> Box<dyn Subject>;
    fn same(&self, other: &dyn Subject) -> bool;
    fn text(&self) -> String;
}

fn point<P: Point>(p: &Cell) -> P {
    P::from_fn(|j| p[j])
}

fn cell<P: Point>(p: P) -> Cell {
    let mut c = [0; 8];
    c[..P::LEN].copy_from_slice(p.as_slice());
    c
}

fn numbered<P: Point, T: Sample>((p, v): (P, T)) -> (Cell, u8) {
    (cell(p), v.number())
}

impl<L: Level, T: Sample> FieldOps for GridFieldMut<'_, L, T> {
    fn background(&self) -> u8 {
        self.as_field().background().number()
    }
    fn get(&self, p: &Cell) -> Option<u8> {
        let got = self.get(point::<L::Point>(p));
        assert_eq!(self.as_field().get_ref(point::<L::Point>(p)).copied(), got);
        got.map(|v| v.number())
    }
    fn value(&self, p: &Cell) -> u8 {
        self.value(point::<L::Point>(p)).number()
    }
    fn is_active(&self, p: &Cell) -> bool {
        self.is_active(point::<L::Point>(p))
    }
    fn read(&self, points: &[Cell]) -> Vec<(Option<u8>, u8)> {
        let mut accessor = self.accessor();
        let mut read = |p: &Cell| {
            let p = point::<L::Point>(p);
            (accessor.get(p).map(|v| v.number()), accessor.value(p).number())
        };
        points.iter().map(&mut read).collect()
    }
    fn set(&mut self, p: &Cell, x: u8) {
        self.set(point::<L::Point>(p), T::sample(x));
    }
    fn try_set(&mut self, p: &Cell, x: u8) -> bool {
        self.try_set(point::<L::Point>(p), T::sample(x)).is_ok()
    }
    fn modify(&mut self, p: &Cell, x: u8) -> u8 {
        self.modify(point::<L::Point>(p), |v| std::mem::replace(v, T::sample(x)).number())
    }
    fn extend(&mut self, cells: &[(Cell, u8)]) {
        self.extend(cells.iter().map(|(p, x)| (point::<L::Point>(p), T::sample(*x))));
    }
    fn extend_shared(&mut self, cells: &[(Cell, u8)]) {
        let shared = self.shared();
        rayon::scope(|scope| {
            for cells in cells.chunks(cells.len() / 3 + 1) {
                scope.spawn(move |_| {
                    let (batched, single) = cells.split_at(cells.len() / 2);
                    let cell = |(p, x): &(Cell, u8)| (point::<L::Point>(p), T::sample(*x));
                    shared.extend(batched.iter().map(cell)).expect("cells within bounds");
                    single.iter().map(cell).for_each(|(p, x)| shared.store(p, x).expect("a cell within bounds"));
                });
            }
        });
    }
    fn swap_shared(&mut self, p: &Cell, x: u8) -> u8 {
        let (p, x) = (point::<L::Point>(p), T::sample(x));
        let shared = self.shared();
        let (there, active) = (shared.load(p).expect("within bounds"), shared.is_active(p));
        assert_eq!(shared.get(p), active.then_some(there));
        let old = shared.accessor().swap(p, x).expect("within bounds");
        assert_eq!((old, shared.get(p)), (there, Some(x)));
        old.number()
    }
    fn fill(&mut self, x: u8) {
        self.fill(T::sample(x));
    }
    fn par_add(&mut self, x: u8) {
        self.par_for_each(|_, v| *v = T::sample(super::run::sum(v.number(), x)));
    }
    fn number_cells(&mut self) {
        self.iter_mut().for_each(|(p, v)| *v = T::sample(super::run::number(&cell(p))));
    }
    fn cells(&self) -> Vec<(Cell, u8)> {
        self.iter().map(numbered).collect()
    }
    fn cells_one_by_one(&self) -> Vec<(Cell, u8)> {
        let mut cells = Vec::new();
        let mut iter = self.iter();
        #[allow(clippy::while_let_on_iterator, reason = "`for` would go through the same `next`, but this says so")]
        while let Some(item) = iter.next() {
            cells.push(numbered(item));
        }
        cells
    }
    fn par_cells(&self) -> Vec<(Cell, u8)> {
        self.par_iter().map(numbered).collect()
    }
}

/// A level whose cells can be inactive.
pub struct Sparse<'a, L: Level>(pub LevelMut<'a, L>);
/// A dense level.
pub struct Full<'a, L: Level>(pub LevelMut<'a, L>);

macro_rules! level_ops { ($name:ident { $($more:item)* }) => {
    impl<L: Level> LevelOps for $name<'_, L> {
        fn is_active(&self, c: &Cell) -> bool {
            self.0.is_active(point::<L::Point>(c))
        }
        fn len(&self) -> u64 {
            self.0.as_view().len()
        }
        fn cells(&self) -> Vec<Cell> {
            self.0.as_view().iter().map(cell).collect()
        }
        fn activate(&mut self, c: &Cell) {
            self.0.activate(point::<L::Point>(c));
        }
        fn try_activate(&mut self, c: &Cell) -> bool {
            self.0.try_activate(point::<L::Point>(c)).is_ok()
        }
        $($more)*
    }
} }

level_ops! { Sparse {
    fn deactivate(&mut self, c: &Cell) -> bool {
        self.0.deactivate(point::<L::Point>(c))
    }
    fn retain_even(&mut self) {
        self.0.retain(|p| p.at(0) % 2 == 0);
    }
} }

level_ops! { Full {
    fn deactivate(&mut self, _: &Cell) -> bool {
        unreachable!("a cell of a dense level")
    }
    fn retain_even(&mut self) {
        unreachable!("cells of a dense level")
    }
} }

/// The active cells of a field as its blocks tell them.
pub fn blocks<L: Level, T: Sample>(view: LevelView<'_, L>, field: Field<'_, L, T>) -> Vec<(Cell, u8)> {
    let mut cells = Vec::new();
    for block in view.blocks() {
        let values = block.strided(field);
        for i in (0..block.cells()).filter(|i| block.mask_word(i / 64) >> (i % 64) & 1 != 0) {
            cells.push((cell(block.point(i)), values.get(i).number()));
        }
    }
    let count: u64 = view.par_blocks().map(|b| b.count()).sum();
    assert_eq!(count, cells.len() as u64, "cells in blocks");
    cells
}
