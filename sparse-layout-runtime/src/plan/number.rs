//! Cell numbers worked out at run time, for cold code: activation, deactivation, ordering.

use super::level::{Plan, Step};
use super::shape::FREE;
use crate::tree::{MAX_AXES, ROOT};

impl Plan {
    /// Whether coordinate `j` is within the bounds.
    #[inline(always)]
    pub(crate) fn holds(&self, j: usize, x: i32) -> bool {
        u64::from(x.wrapping_sub(self.first[j]) as u32) < self.extent[j]
    }

    /// The first coordinate `j`, and one past the last.
    pub(crate) fn bounds(&self, j: usize) -> (i64, i64) {
        (self.first[j].into(), i64::from(self.first[j]) + self.extent[j] as i64)
    }

    /// A coordinate counted from the lower bound; where unbounded, the coordinate itself.
    pub(crate) fn counted(&self, j: usize, x: i32) -> i64 {
        if self.free[j] { x.into() } else { i64::from(x.wrapping_sub(self.lo[j]) as u32) }
    }

    /// What a node's origin says of coordinate `j`: the number of the cell it was made for.
    fn origin_counted(&self, j: usize, origin: &[i32; MAX_AXES]) -> i64 {
        let o = origin[self.axis[j]];
        if self.free[j] { o.into() } else { i64::from(o as u32) }
    }

    /// The number of a cell within a step's level, given its counted coordinates.
    pub(crate) fn digit_of(&self, step: &Step, counted: impl Fn(usize) -> i64) -> u64 {
        let mut c = 0;
        for j in 0..self.d {
            let n = step.size[j];
            if n != 0 && n != FREE {
                let x = counted(j).div_euclid(step.div[j].into()).rem_euclid(n.into()) as u32;
                c += if step.morton { crate::core::spread(x, step.z[j]) } else { u64::from(x) * step.weight[j] };
            }
        }
        c
    }

    /// For a node made by this plan's level: the number, within the node above, of the cell of `above` it lies below.
    /// `above` is this level or one over it in the same node; [`ROOT`] or a level of indirection count as one cell.
    pub(crate) fn slot_above(&self, origin: &[i32; MAX_AXES], above: usize) -> u64 {
        let mut slot = 0;
        if above == ROOT {
            return slot;
        }
        for step in &self.steps[..self.n] {
            if step.kind.is_indirect() && step.level != self.level {
                slot = 0;
            } else {
                slot = slot * step.cells + self.digit_of(step, |j| self.origin_counted(j, origin));
            }
            if step.level == above {
                break;
            }
        }
        slot
    }

    /// Whether a cell of a node lies within the bounds; `base`: the node's own number along each coordinate.
    pub(crate) fn is_inside(&self, base: impl Fn(usize) -> i64, cell: u64) -> bool {
        let mut x = [0; MAX_AXES];
        let mut rest = cell;
        for step in self.steps[self.tail..self.n].iter().rev() {
            let c = rest % step.cells;
            rest /= step.cells;
            for (j, x) in x.iter_mut().enumerate().take(self.d).filter(|(j, _)| step.size[*j] != 0) {
                let digit = if step.morton {
                    crate::core::gather(c, step.z[j]).into()
                } else {
                    c / step.weight[j] % u64::from(step.size[j])
                };
                *x += digit * u64::from(step.div[j]);
            }
        }
        let first = |j: usize| if self.free[j] { i64::from(self.first[j]) } else { 0 };
        let number = |j: usize| base(j) * i64::from(self.scale[j]) + x[j] as i64;
        (0..self.d).all(|j| (first(j)..first(j) + self.extent[j] as i64).contains(&number(j)))
    }
}
