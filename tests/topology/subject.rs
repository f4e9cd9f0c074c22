//! A grid under test without its types: the test is written, and compiled, once.

use sparse_layout::{Level, LevelMut, Neighbourhood, Point};
use std::collections::BTreeMap;

/// The coordinates of a cell; those past its axes are 0.
pub type Cell = [i32; 8];

/// A half-open box.
pub type Box2 = (Cell, Cell);

pub fn point<P: Point>(p: &Cell) -> P {
    P::from_fn(|j| p[j])
}

pub fn cell<P: Point>(p: P) -> Cell {
    let mut c = [0; 8];
    c[..P::LEN].copy_from_slice(p.as_slice());
    c
}

/// What is known of a layout.
#[derive(Clone, Copy)]
pub struct Axis {
    /// Bounds of the finest cells.
    pub lo: i64,
    pub hi: i64,
    /// Cells that are active only together; 0: along this axis all are.
    pub scale: i64,
}

/// An axis over all of `i32`.
pub const FREE: Axis = Axis { lo: i32::MIN as i64, hi: i32::MAX as i64 + 1, scale: 1 };

/// An axis with bounds.
pub const fn within(lo: i64, hi: i64) -> Axis {
    Axis { lo, hi, scale: 1 }
}

impl Axis {
    pub const fn by(self, scale: i64) -> Axis {
        Axis { scale, ..self }
    }
}

/// The kinds of operation with another set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Union,
    Intersection,
    Difference,
}

/// A level with a field `v` whose background is 7.
pub trait Subject {
    fn set(&mut self, p: &Cell, v: u16);
    fn cells(&self) -> BTreeMap<Cell, u16>;
    fn dilate(&mut self, neighbourhood: Neighbourhood, rounds: u32);
    fn erode(&mut self, neighbourhood: Neighbourhood, rounds: u32);
    fn clip(&mut self, region: &Box2);
    fn activate_box(&mut self, region: &Box2);
    fn fill_in(&mut self, region: &Box2, v: u16);
    fn bounding_box(&self) -> Option<Box2>;
    fn len(&self) -> u64;
    fn block_counts(&self) -> Vec<u64>;
    /// With another grid of the same layout.
    fn with_same(&mut self, op: Binary, cells: &[Cell]) -> bool;
    /// With a grid of another layout; whether the other's cells are the same afterwards.
    fn with_other(&mut self, op: Binary, cells: &[Cell]) -> bool;
    /// `Grid::union` with another grid of the same layout, whose cells hold these values.
    fn merge(&mut self, cells: &BTreeMap<Cell, u16>);
    fn validate(&self);
}

/// Applies an operation and compares.
pub fn apply<L: Level, M: Level<Point = L::Point>>(
    mut level: LevelMut<'_, L>,
    op: Binary,
    other: sparse_layout::LevelView<'_, M>,
) -> bool {
    match op {
        Binary::Union => level.union(other),
        Binary::Intersection => level.intersection(other),
        Binary::Difference => level.difference(other),
    }
    let same = level.as_view().same_topology(other);
    assert_eq!(other.same_topology(level.as_view()), same);
    same
}

macro_rules! subject {
    ($test:ident, $d:literal, [$($axis:expr),*], $other:ident $(, make $make:expr)?; $(#[$attribute:meta])*) => {
        mod $test {
            use super::*;

            $(#[$attribute])*
            pub struct Tested {
                #[field(background = 7)]
                pub v: u16,
            }

            fn fresh() -> Tested {
                made!(Tested $(, $make)?)
            }

            fn filled(cells: &[Cell]) -> Tested {
                let mut grid = fresh();
                cells.iter().for_each(|p| grid.leaf_mut().activate(point::<[i32; $d]>(p)));
                grid
            }

            impl Subject for Tested {
                fn set(&mut self, p: &Cell, v: u16) {
                    self.v_mut().set(point::<[i32; $d]>(p), v);
                }
                fn cells(&self) -> BTreeMap<Cell, u16> {
                    self.v().iter().map(|(p, v)| (cell(p), v)).collect()
                }
                fn dilate(&mut self, neighbourhood: Neighbourhood, rounds: u32) {
                    self.leaf_mut().dilate(neighbourhood, rounds);
                }
                fn erode(&mut self, neighbourhood: Neighbourhood, rounds: u32) {
                    self.leaf_mut().erode(neighbourhood, rounds);
                }
                fn clip(&mut self, region: &Box2) {
                    self.leaf_mut().clip(Region::new(point::<[i32; $d]>(&region.0), point(&region.1)));
                }
                fn activate_box(&mut self, region: &Box2) {
                    self.leaf_mut().activate_box(Region::new(point::<[i32; $d]>(&region.0), point(&region.1)));
                }
                fn fill_in(&mut self, region: &Box2, v: u16) {
                    self.v_mut().fill_in(Region::new(point::<[i32; $d]>(&region.0), point(&region.1)), v);
                }
                fn bounding_box(&self) -> Option<Box2> {
                    self.leaf().bounding_box().map(|r| (cell(r.lo), cell(r.hi)))
                }
                fn len(&self) -> u64 {
                    self.leaf().len()
                }
                fn block_counts(&self) -> Vec<u64> {
                    self.leaf().block_counts()
                }
                fn with_same(&mut self, op: Binary, cells: &[Cell]) -> bool {
                    apply(self.leaf_mut(), op, filled(cells).leaf())
                }
                fn with_other(&mut self, op: Binary, cells: &[Cell]) -> bool {
                    let mut other = $other::new();
                    cells.iter().for_each(|p| other.leaf_mut().activate(point::<[i32; $d]>(p)));
                    apply(self.leaf_mut(), op, other.leaf())
                }
                fn merge(&mut self, cells: &BTreeMap<Cell, u16>) {
                    let mut other = fresh();
                    cells.iter().for_each(|(p, v)| other.v_mut().set(point::<[i32; $d]>(p), *v));
                    other.internal_validate();
                    self.union(&other);
                }
                fn validate(&self) {
                    self.internal_validate();
                }
            }

            #[test]
            fn agrees_with_sets() {
                run(&|| Box::new(fresh()), &[$($axis),*]);
            }
        }
    };
}

macro_rules! made {
    ($grid:ident) => {
        $grid::new()
    };
    ($grid:ident, $make:expr) => {
        $make
    };
}
