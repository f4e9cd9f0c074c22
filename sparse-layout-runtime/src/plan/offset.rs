//! Where a value stands, as constant functions: the same division that `core::locate` does on the hot path, for
//! programs that hand the raw bytes of a grid to something else (a file, a GPU).

use super::level::{Plan, Step};
use super::shape::{FREE, Shape};
use crate::tree::{Kind, MAX_AXES, MAX_DEPTH, Packing, ROOT, Tree};

/// The digits of a cell: for each level of its path, from the outermost, one number per axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits {
    levels: usize,
    axes: usize,
    digits: [[i64; MAX_AXES]; MAX_DEPTH],
    numbers: [u64; MAX_DEPTH],
}

impl Digits {
    /// How many levels the path has.
    pub const fn levels(&self) -> usize {
        self.levels
    }

    /// The digit of the `level`-th level of the path along the `axis`-th axis of the index space: 0 where the level does not
    /// divide it; under a level without bound, the cell itself.
    ///
    /// # Panics
    /// If there is no such level or axis.
    pub const fn digit(&self, level: usize, axis: usize) -> i64 {
        assert!(level < self.levels && axis < self.axes, "no such level or axis");
        self.digits[level][axis]
    }

    /// The number of the cell among those of one instance of the `level`-th level of the path; 0 for a level without bound.
    ///
    /// # Panics
    /// If there is no such level.
    pub const fn number(&self, level: usize) -> u64 {
        assert!(level < self.levels, "no such level");
        self.numbers[level]
    }
}

impl Plan {
    /// The digits of a cell of the plan's level; None: out of bounds.
    ///
    /// # Panics
    /// If the point has not one coordinate per axis on the path.
    pub const fn digits(&self, point: &[i32]) -> Option<Digits> {
        assert!(point.len() == self.d, "a point has one coordinate per axis on the path to its level");
        let mut counted = [0i64; MAX_AXES];
        let mut j = 0;
        while j < self.d {
            let from_first = point[j] as i64 - self.first[j] as i64;
            if from_first < 0 || from_first as u64 >= self.extent[j] {
                return None;
            }
            counted[j] = if self.free[j] { point[j] as i64 } else { from_first };
            j += 1;
        }
        let mut digits =
            Digits { levels: self.n, axes: self.d, digits: [[0; MAX_AXES]; MAX_DEPTH], numbers: [0; MAX_DEPTH] };
        let mut k = 0;
        while k < self.n {
            let step = &self.steps[k];
            let mut j = 0;
            while j < self.d {
                if step.size[j] != 0 {
                    let x = counted[j].div_euclid(step.div[j] as i64);
                    let bounded = step.size[j] != FREE;
                    digits.digits[k][j] = if bounded { x.rem_euclid(step.size[j] as i64) } else { x };
                    if bounded {
                        digits.numbers[k] += step.number_of(j, digits.digits[k][j]);
                    }
                }
                j += 1;
            }
            k += 1;
        }
        Some(digits)
    }

    /// The number of a cell in its node.
    const fn cell_of(&self, digits: &Digits) -> u64 {
        let mut cell = 0;
        let mut k = self.tail;
        while k < self.n {
            cell = cell * self.steps[k].cells + digits.numbers[k];
            k += 1;
        }
        cell
    }
}

impl Step {
    /// What a digit along coordinate `j` adds to the cell number.
    const fn number_of(&self, j: usize, digit: i64) -> u64 {
        if self.morton { crate::core::spread(digit as u32, self.z[j]) } else { digit as u64 * self.weight[j] }
    }
}

impl Tree {
    /// The index of the field of that name.
    pub const fn field_named(&self, name: &str) -> Option<usize> {
        let mut f = 0;
        while f < self.fields.len() {
            if same(self.fields[f].name.as_bytes(), name.as_bytes()) {
                return Some(f);
            }
            f += 1;
        }
        None
    }

    /// The byte at which the value of a cell begins, counted from the first value of its node's own memory for the field
    /// (`soa`), for all fields of the level (`aosoa`, `aos`). None: out of bounds.
    ///
    /// Of a `split` field, the first component; the others follow at equal distances. Of a `bits` field, the 64-bit word that
    /// holds the bit.
    ///
    /// # Panics
    /// If the point has not one coordinate per axis of the field, or the field is a list.
    pub const fn offset(&self, shape: &Shape, field: usize, point: &[i32]) -> Option<u64> {
        let level = self.fields[field].level;
        assert!(
            level == ROOT || !matches!(self.levels[level].kind, Kind::Dynamic),
            "the items of lists stand in chunks: they have no place of their own"
        );
        let plan = Plan::new(self, shape, level);
        let Some(digits) = plan.digits(point) else { return None };
        let cell = plan.cell_of(&digits);
        let at = self.field_plan(shape, field);
        Some(match self.fields[field].packing {
            Packing::Bits => cell / 64 * 8,
            Packing::Split(count) => cell * (self.fields[field].size / count) as u64,
            Packing::Plain => at.offset + cell / plan.block * at.block + cell % plan.block * at.cell,
        })
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
