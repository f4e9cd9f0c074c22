//! The path from the root to one level, ready to be walked.

use super::shape::{FREE, Shape};
use super::storage::PartId;
use crate::tree::{Kind, MAX_AXES, MAX_DEPTH, ROOT, Tree};

/// One level of a path.
///
/// Arrays are indexed by the coordinates of the plan's level (`j`), not by the axes of the grid.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Kind of the level.
    pub kind: Kind,
    /// Its index in the tree.
    pub level: usize,
    /// Cells along each coordinate: 0 where it is not divided, [`FREE`] where unbounded.
    pub size: [u32; MAX_AXES],
    /// Cells of the plan's level in one cell of this level.
    pub div: [u32; MAX_AXES],
    /// Weight of the coordinate's digit in the cell number (row-major).
    pub weight: [u64; MAX_AXES],
    /// Whether no level above divides the coordinate, so that its digit needs no remainder.
    pub first: [bool; MAX_AXES],
    /// Cells in Z-order.
    pub morton: bool,
    /// The bits of the cell number that hold each coordinate's digit in Z-order.
    pub z: [u64; MAX_AXES],
    /// How many coordinates are divided.
    pub divided: usize,
    /// Those, in the order of cell numbers, the last one fastest.
    pub order: [u8; MAX_AXES],
    /// Cells of one instance.
    pub cells: u64,
    /// Masks or handles.
    pub main: PartId,
    /// Bytes per node there.
    pub main_stride: u64,
    /// Summary or occupancy.
    pub aux: PartId,
    /// Bytes per node there; 0: no summary.
    pub aux_stride: u64,
    /// The kind of node whose slots these are.
    pub holder: usize,
    /// The kind of node the cells lead to.
    pub content: usize,
    /// Bytes per node of those nodes' header.
    pub header_stride: u64,
}

const NO_STEP: Step = Step {
    kind: Kind::Dense,
    level: 0,
    size: [0; MAX_AXES],
    div: [1; MAX_AXES],
    weight: [0; MAX_AXES],
    first: [false; MAX_AXES],
    morton: false,
    z: [0; MAX_AXES],
    divided: 0,
    order: [0; MAX_AXES],
    cells: 1,
    main: 0,
    main_stride: 0,
    aux: 0,
    aux_stride: 0,
    holder: 0,
    content: 0,
    header_stride: 0,
};

impl Step {
    /// Deals the bits of the cell number out in turn, from the fastest coordinate, until an axis runs out.
    const fn interleave(&mut self) {
        let (mut round, mut bit) = (0, 0);
        while round < 32 {
            let mut o = self.divided;
            while o > 0 {
                o -= 1;
                let j = self.order[o] as usize;
                if round < self.size[j].trailing_zeros() {
                    self.z[j] |= 1 << bit;
                    bit += 1;
                }
            }
            round += 1;
        }
    }
}

/// The path to one level.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The level, or [`ROOT`].
    pub level: usize,
    /// Coordinates of its index space.
    pub d: usize,
    /// The grid's axis behind each coordinate.
    pub axis: [usize; MAX_AXES],
    /// Lowest coordinate (0 where unbounded).
    pub lo: [i32; MAX_AXES],
    /// The first coordinate that exists: `lo`; where unbounded, that of the cell of the lowest `i32` of the grid.
    pub first: [i32; MAX_AXES],
    /// Number of coordinates along each, from `first` (2^32 for the finest cells where unbounded).
    pub extent: [u64; MAX_AXES],
    /// Whether the coordinate is unbounded.
    pub free: [bool; MAX_AXES],
    /// Steps of the path.
    pub n: usize,
    /// The steps; those past `n` mean nothing.
    pub steps: [Step; MAX_DEPTH],
    /// The kind of node at the end of the path.
    pub node_kind: usize,
    /// The first step inside that node.
    pub tail: usize,
    /// Cells of this level per cell of the level that makes those nodes.
    pub scale: [u32; MAX_AXES],
    /// Cells of this level in one node.
    pub per_node: u64,
    /// Cells of this level under one cell of the level above.
    pub block: u64,
    /// One more than the innermost bitmasked step inside the node; 0: none, every cell of a node is active.
    pub mask_step: usize,
    /// Cells of this level per activity bit; 1 where there are no bits.
    pub grain: u64,
    /// Whether the sizes overshoot the bounds, or those of `i32`, so that some cells of a node do not exist.
    pub clipped: bool,
    /// The header part of the nodes.
    pub header: PartId,
    /// Bytes per node there.
    pub header_stride: u64,
}

impl Plan {
    /// The plan of a level; [`ROOT`]: of the fields that are one value per grid. That of a dynamic level leads to the cells
    /// that have lists.
    pub const fn new(tree: &Tree, shape: &Shape, level: usize) -> Plan {
        // The cells of a dynamic level are lists, one per cell of the level above: the path ends there.
        let last = if level != ROOT && matches!(tree.levels[level].kind, Kind::Dynamic) {
            tree.levels[level].parent
        } else {
            level
        };
        let mut path = [0usize; MAX_DEPTH];
        let mut n = 0;
        let mut l = last;
        while l != ROOT {
            n += 1;
            l = tree.levels[l].parent;
        }
        let (mut k, mut l) = (n, last);
        while k > 0 {
            k -= 1;
            path[k] = l;
            l = tree.levels[l].parent;
        }

        let mut plan = Plan {
            level,
            d: 0,
            axis: [0; MAX_AXES],
            lo: [0; MAX_AXES],
            first: [0; MAX_AXES],
            extent: [1; MAX_AXES],
            free: [false; MAX_AXES],
            n,
            steps: [NO_STEP; MAX_DEPTH],
            node_kind: tree.content(last),
            tail: 0,
            scale: [1; MAX_AXES],
            per_node: shape.per_node(tree, last),
            block: tree.block_cells(shape, last),
            mask_step: 0,
            grain: 1,
            clipped: false,
            header: tree.header_part(tree.content(last)),
            header_stride: tree.part_stride(shape, tree.header_part(tree.content(last))),
        };

        let mut coordinate = [MAX_AXES; MAX_AXES];
        let mut a = 0;
        while a < tree.axes.len() {
            let mut on_path = false;
            let mut free = false;
            let mut k = 0;
            while k < n {
                on_path |= shape.sizes[path[k]][a] != 0;
                free |= shape.sizes[path[k]][a] == FREE;
                k += 1;
            }
            if on_path {
                let j = plan.d;
                coordinate[a] = j;
                plan.axis[j] = a;
                plan.free[j] = free;
                if free {
                    let under = shape.below(tree, last, a) as i64;
                    let (first, end) = ((i32::MIN as i64).div_euclid(under), (i32::MAX as i64).div_euclid(under) + 1);
                    let node = shape.along(tree, last, a) as i64;
                    plan.first[j] = first as i32;
                    plan.extent[j] = (end - first) as u64;
                    plan.clipped |= first % node != 0 || end % node != 0;
                } else {
                    plan.extent[j] = shape.extent(tree, last, a);
                    plan.lo[j] = shape.lowest(tree, last, a) as i32;
                    plan.first[j] = plan.lo[j];
                    plan.clipped |= plan.extent[j] < shape.along(tree, last, a);
                }
                plan.d += 1;
            }
            a += 1;
        }

        let mut k = 0;
        while k < n {
            let l = path[k];
            plan.steps[k] = plan.step(tree, shape, &path, k, &coordinate);
            if tree.levels[l].kind.is_indirect() {
                plan.tail = k + 1;
                plan.mask_step = 0;
                plan.grain = 1;
            } else {
                plan.grain *= shape.cells[l];
                if matches!(tree.levels[l].kind, Kind::Bitmasked) {
                    plan.mask_step = k + 1;
                    plan.grain = 1;
                }
            }
            k += 1;
        }
        if plan.mask_step == 0 {
            plan.grain = 1;
        }
        let mut j = 0;
        while j < plan.d {
            let mut k = plan.tail;
            while k < n {
                if plan.steps[k].size[j] != 0 {
                    plan.scale[j] *= plan.steps[k].size[j];
                }
                k += 1;
            }
            j += 1;
        }
        plan
    }

    const fn step(
        &self,
        tree: &Tree,
        shape: &Shape,
        path: &[usize; MAX_DEPTH],
        k: usize,
        coordinate: &[usize; MAX_AXES],
    ) -> Step {
        let l = path[k];
        let decl = &tree.levels[l];
        let mut step = NO_STEP;
        step.kind = decl.kind;
        step.level = l;
        step.cells = shape.cells[l];
        step.morton = decl.morton;
        step.holder = tree.holder(l);
        step.content = tree.content(l);
        step.header_stride = tree.part_stride(shape, tree.header_part(step.content));
        step.main = tree.main_part(l);
        step.aux = tree.aux_part(l);
        step.main_stride = tree.part_stride(shape, step.main);
        step.aux_stride = tree.part_stride(shape, step.aux);
        let mut j = 0;
        while j < self.d {
            let a = self.axis[j];
            step.size[j] = shape.sizes[l][a];
            let mut q = k + 1;
            while q < self.n {
                let n = shape.sizes[path[q]][a];
                if n != 0 {
                    step.div[j] *= n;
                }
                q += 1;
            }
            step.first[j] = shape.is_first(tree, l, a);
            j += 1;
        }
        let mut weight = 1;
        let mut o = decl.order.len();
        while o > 0 {
            o -= 1;
            let a = decl.order[o];
            let j = coordinate[a];
            step.order[o] = j as u8;
            step.weight[j] = weight;
            if shape.sizes[l][a] != FREE {
                weight *= shape.sizes[l][a] as u64;
            }
        }
        step.divided = decl.order.len();
        if step.morton {
            step.interleave();
        }
        step
    }
}
