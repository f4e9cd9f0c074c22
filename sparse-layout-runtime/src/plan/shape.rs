//! Sizes and bounds of every level.

use super::times;
use crate::tree::{Bounds, Kind, MAX_AXES, MAX_LEVELS, ROOT, Size, Tree};

/// The size of an axis that a level divides without bound.
pub const FREE: u32 = u32::MAX;

/// Bounds given when a grid is built: `LO..HI` per axis of the declaration.
pub type RunTimeBounds = [Option<(i64, i64)>; MAX_AXES];

/// Every size of a tree, worked out.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Per level and axis: cells, 0 where the axis is not divided, or [`FREE`].
    pub sizes: [[u32; MAX_AXES]; MAX_LEVELS],
    /// Per axis: the declared lower bound, 0 if none.
    pub lo: [i64; MAX_AXES],
    /// Per axis: `HI - LO` where bounds are declared, otherwise 0.
    pub declared: [u64; MAX_AXES],
    /// Whether some level would divide an axis into 2^32 - 1 cells or more.
    pub too_wide: bool,
    /// Per level: cells of one instance of it.
    pub cells: [u64; MAX_LEVELS],
    /// Per level: cells of it in the node that holds its slots.
    pub slots: [u64; MAX_LEVELS],
}

impl Shape {
    /// Works out a tree; `bounds` counts only for axes declared `..`.
    pub const fn new(tree: &Tree, bounds: &RunTimeBounds) -> Shape {
        let mut shape = Shape {
            sizes: [[0; MAX_AXES]; MAX_LEVELS],
            lo: [0; MAX_AXES],
            declared: [0; MAX_AXES],
            too_wide: false,
            cells: [1; MAX_LEVELS],
            slots: [1; MAX_LEVELS],
        };
        let mut a = 0;
        while a < tree.axes.len() {
            let (lo, hi) = match tree.axes[a].bounds {
                Bounds::Sizes => (0, 0),
                Bounds::Fixed(lo, hi) => (lo as i64, hi as i64),
                Bounds::RunTime => match bounds[a] {
                    Some(b) => b,
                    None => (0, 1),
                },
            };
            shape.lo[a] = lo;
            shape.declared[a] = (hi - lo) as u64;
            shape.divide(tree, a);
            a += 1;
        }
        let mut l = 0;
        while l < tree.levels.len() {
            let mut cells = 1;
            let mut a = 0;
            while a < tree.axes.len() {
                let n = shape.sizes[l][a];
                if n != 0 && n != FREE {
                    cells = times(cells, n as u64);
                }
                a += 1;
            }
            shape.cells[l] = cells;
            shape.slots[l] = times(shape.instances(tree, l), cells);
            l += 1;
        }
        shape
    }

    /// As [`new`](Self::new), in a box.
    #[inline(never)]
    pub(crate) fn boxed(tree: &Tree, bounds: &RunTimeBounds) -> Box<Shape> {
        Box::new(Shape::new(tree, bounds))
    }

    /// The sizes of one axis: literal ones first, then rounding for `padded`, then `_`.
    const fn divide(&mut self, tree: &Tree, a: usize) {
        let mut l = 0;
        while l < tree.levels.len() {
            self.sizes[l][a] = match tree.levels[l].sizes[a] {
                Size::None => 0,
                Size::Unbounded => FREE,
                Size::Cells(n) => n as u32,
                Size::Cover => 1,
            };
            l += 1;
        }
        if tree.padded {
            let logical = self.extent_of_tree(tree, a);
            let mut l = 0;
            while l < tree.levels.len() {
                let n = self.sizes[l][a];
                if n != 0 && n != FREE && !self.is_first(tree, l, a) {
                    self.sizes[l][a] = n.next_power_of_two();
                }
                l += 1;
            }
            if self.declared[a] == 0 {
                self.declared[a] = logical;
            }
        }
        let mut l = tree.levels.len();
        while l > 0 {
            l -= 1;
            let covers = matches!(tree.levels[l].sizes[a], Size::Cover);
            let padded = tree.padded && matches!(tree.levels[l].sizes[a], Size::Cells(_));
            if (covers || padded) && self.is_first(tree, l, a) && self.declared[a] > 0 {
                let n = self.declared[a].div_ceil(self.below(tree, l, a));
                // The mark of unbounded axes is no size; `Tree::shape_problem` says so.
                self.sizes[l][a] = if n < FREE as u64 { n as u32 } else { 0 };
                self.too_wide |= n >= FREE as u64;
            }
        }
    }

    /// Whether no level above `level` divides the axis.
    pub const fn is_first(&self, tree: &Tree, level: usize, a: usize) -> bool {
        let mut p = tree.levels[level].parent;
        while p != ROOT {
            if self.sizes[p][a] != 0 {
                return false;
            }
            p = tree.levels[p].parent;
        }
        true
    }

    /// Finest cells of the axis in one cell of `level` ([`ROOT`]: in the whole grid): the most over the paths below.
    pub const fn below(&self, tree: &Tree, level: usize, a: usize) -> u64 {
        let mut most = 1;
        let mut l = 0;
        while l < tree.levels.len() {
            if tree.levels[l].parent == level {
                let n = self.sizes[l][a];
                let own = if n == 0 || n == FREE { 1 } else { n as u64 };
                let deep = times(own, self.below(tree, l, a));
                if deep > most {
                    most = deep;
                }
            }
            l += 1;
        }
        most
    }

    /// The product of the axis' sizes along the path to `level`.
    pub const fn along(&self, tree: &Tree, level: usize, a: usize) -> u64 {
        let mut product = 1;
        let mut l = level;
        while l != ROOT {
            let n = self.sizes[l][a];
            if n != 0 && n != FREE {
                product = times(product, n as u64);
            }
            l = tree.levels[l].parent;
        }
        product
    }

    const fn extent_of_tree(&self, tree: &Tree, a: usize) -> u64 {
        let mut free = false;
        let mut l = 0;
        while l < tree.levels.len() {
            free |= self.sizes[l][a] == FREE;
            l += 1;
        }
        if free { 0 } else { self.below(tree, ROOT, a) }
    }

    /// Cells of `level` along an axis that is bounded: the logical extent of its index space.
    pub const fn extent(&self, tree: &Tree, level: usize, a: usize) -> u64 {
        if self.declared[a] > 0 {
            self.declared[a].div_ceil(self.below(tree, level, a))
        } else {
            self.along(tree, level, a)
        }
    }

    /// The lowest coordinate of `level` along a bounded axis: `floor(LO / cells below)`.
    pub const fn lowest(&self, tree: &Tree, level: usize, a: usize) -> i64 {
        if level == ROOT { 0 } else { self.lo[a].div_euclid(self.below(tree, level, a) as i64) }
    }

    /// Instances of a level in the node that holds its slots.
    pub const fn instances(&self, tree: &Tree, level: usize) -> u64 {
        let parent = tree.levels[level].parent;
        if parent == ROOT || tree.levels[parent].kind.is_indirect() { 1 } else { self.slots[parent] }
    }

    /// Cells of a level in the node that holds its fields.
    pub const fn per_node(&self, tree: &Tree, level: usize) -> u64 {
        if level == ROOT {
            return 1;
        }
        match tree.levels[level].kind {
            Kind::Dense | Kind::Bitmasked => self.slots[level],
            Kind::Dynamic => tree.chunk_of(level),
            _ => 1,
        }
    }
}

impl Tree {
    /// Whether some axis is bounded only when a grid is built.
    pub const fn has_run_time_bounds(&self) -> bool {
        let mut a = 0;
        while a < self.axes.len() {
            if matches!(self.axes[a].bounds, Bounds::RunTime) {
                return true;
            }
            a += 1;
        }
        false
    }

    /// Kinds of node: the root's, and one per level of indirection.
    pub const fn node_kinds(&self) -> usize {
        let mut n = 1;
        let mut l = 0;
        while l < self.levels.len() {
            if self.levels[l].kind.is_indirect() {
                n += 1;
            }
            l += 1;
        }
        n
    }

    /// The kind of node that holds the cells of a level, fields included.
    pub const fn content(&self, level: usize) -> usize {
        if level == ROOT {
            return 0;
        }
        if !self.levels[level].kind.is_indirect() {
            return self.content(self.levels[level].parent);
        }
        let mut n = 1;
        let mut l = 0;
        while l < level {
            if self.levels[l].kind.is_indirect() {
                n += 1;
            }
            l += 1;
        }
        n
    }

    /// The kind of node that holds the slots of a level: its masks, its handles.
    pub const fn holder(&self, level: usize) -> usize {
        self.content(self.levels[level].parent)
    }

    /// The level whose activation makes nodes of this kind, or [`ROOT`].
    pub const fn maker(&self, node_kind: usize) -> usize {
        let mut l = 0;
        while l < self.levels.len() {
            if self.levels[l].kind.is_indirect() && self.content(l) == node_kind {
                return l;
            }
            l += 1;
        }
        ROOT
    }
}
