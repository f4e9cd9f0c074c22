//! Which cells are filled together.
//!
//! Where cells live in nodes of their own, a group is a box of nodes, a power of two along each coordinate, small enough
//! that its values stay in a core's cache while it is filled. Groups are told apart by the low bits of their coordinates,
//! as many as there are buckets for; two groups of one bucket are noticed by the box that all points span. In a root
//! without indirection a group is a range of cell numbers.

use crate::coord::Point;
use crate::core::{Core, cell_in_node, node_coordinate, plan_of};
use crate::layout::{Level, Planned, Shaped};
use crate::plan::Plan;
use crate::tree::MAX_AXES;
use std::ops::Range;

/// Cells of a group, about: 2^21 cells of 4 bytes are 8 MiB, of which sparse nodes use a tenth.
const GROUP_CELLS: u32 = 21;
/// Most nodes of a group: a table of their handles stays in the first cache.
const GROUP_NODES: u32 = 12;
/// Least cells of a group in a root without indirection.
const RANGE_CELLS: u32 = 12;
/// Fewest and most bits of a bucket.
const BUCKETS: (u32, u32) = (4, 15);

/// A list of points.
pub(crate) trait Points<P>: Sync {
    fn len(&self) -> usize;
    fn point(&self, i: usize) -> P;
    /// Calls `f` with each index of a range and its point.
    fn for_each(&self, range: Range<usize>, f: impl FnMut(usize, P));
}

impl<P: Point> Points<P> for [P] {
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn point(&self, i: usize) -> P {
        self[i]
    }

    #[inline(always)]
    fn for_each(&self, range: Range<usize>, mut f: impl FnMut(usize, P)) {
        let first = range.start;
        for (i, p) in self[range].iter().enumerate() {
            f(first + i, *p);
        }
    }
}

impl<P: Point, V: Sync> Points<P> for [(P, V)] {
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn point(&self, i: usize) -> P {
        self[i].0
    }

    #[inline(always)]
    fn for_each(&self, range: Range<usize>, mut f: impl FnMut(usize, P)) {
        let first = range.start;
        for (i, (p, _)) in self[range].iter().enumerate() {
            f(first + i, *p);
        }
    }
}

/// How a level's cells are grouped; follows from its plan.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Bits of the number of a cell within its node, or, in a root without indirection, within its group.
    pub(super) cell_bits: u32,
    /// Per coordinate: log2 of the nodes along a group.
    pub(super) nodes: [u32; MAX_AXES],
    /// Per coordinate: where those bits stand in the number of a node within its group.
    place: [u32; MAX_AXES],
    /// Per coordinate: whether nodes divide it.
    divided: [bool; MAX_AXES],
    /// log2 of the nodes of a group.
    pub(super) node_bits: u32,
}

impl Shape {
    const fn of(plan: &Plan) -> Shape {
        let mut shape =
            Shape { cell_bits: 0, nodes: [0; MAX_AXES], place: [0; MAX_AXES], divided: [false; MAX_AXES], node_bits: 0 };
        let bits = log2_ceil(plan.per_node);
        if plan.node_kind == 0 {
            let short = bits.saturating_sub(BUCKETS.1 - 3);
            shape.cell_bits = if short > RANGE_CELLS { short } else { RANGE_CELLS };
            return shape;
        }
        shape.cell_bits = bits;
        let room = GROUP_CELLS.saturating_sub(bits);
        shape.node_bits = if room > GROUP_NODES { GROUP_NODES } else { room };
        let (mut j, mut divided) = (0, 0);
        while j < plan.d {
            let mut k = 0;
            while k < plan.tail {
                if plan.steps[k].size[j] != 0 {
                    shape.divided[j] = true;
                }
                k += 1;
            }
            divided += shape.divided[j] as u32;
            j += 1;
        }
        // Dealt out evenly, from the last coordinate on.
        let (mut left, mut at) = (shape.node_bits, 0);
        while j > 0 {
            j -= 1;
            if shape.divided[j] {
                shape.nodes[j] = left.div_ceil(divided);
                shape.place[j] = at;
                left -= shape.nodes[j];
                at += shape.nodes[j];
                divided -= 1;
            }
        }
        shape
    }

    /// The shape for a level: a constant where bounds are.
    #[inline(always)]
    pub(super) fn for_level<L: Level>(core: &Core<L::Layout>) -> Shape {
        if const { <L::Layout as Shaped>::RUN_TIME } { Shape::of(plan_of::<L>(core)) } else { const { Shape::of(&L::PLAN) } }
    }
}

const fn log2_ceil(n: u64) -> u32 {
    if n <= 1 { 0 } else { u64::BITS - (n - 1).leading_zeros() }
}

/// A shape together with as many buckets as a list deserves.
pub(super) struct Grouping<'a, L: Level> {
    pub(super) plan: &'a Plan,
    shape: Shape,
    /// Per coordinate: bits of the group's coordinate in the number of its bucket, and where they stand there.
    window: [(u32, u32); MAX_AXES],
    pub(super) buckets: usize,
    level: std::marker::PhantomData<fn() -> L>,
}

impl<'a, L: Level> Grouping<'a, L> {
    /// For a list of `n` points.
    #[inline(always)]
    pub(super) fn new(core: &'a Core<L::Layout>, n: usize) -> Self {
        let plan = plan_of::<L>(core);
        let shape = Shape::for_level::<L>(core);
        let mut grouping =
            Grouping { plan, shape, window: [(0, 0); MAX_AXES], buckets: 0, level: std::marker::PhantomData };
        if const { L::PLAN.node_kind == 0 } {
            grouping.buckets = (plan.per_node >> shape.cell_bits) as usize + 1;
            return grouping;
        }
        let mut divided = shape.divided.iter().filter(|d| **d).count() as u32;
        let bits = n.max(1).ilog2().saturating_sub(9).clamp(BUCKETS.0, BUCKETS.1);
        let mut at = 0;
        for j in (0..L::Point::LEN).filter(|&j| shape.divided[j]) {
            let own = (bits - at).div_ceil(divided);
            grouping.window[j] = (own, at);
            at += own;
            divided -= 1;
        }
        grouping.buckets = 1 << at;
        grouping
    }

    /// The shape, as a constant if it is one.
    #[inline(always)]
    fn shape(&self) -> Shape {
        if const { <L::Layout as Shaped>::RUN_TIME } { self.shape } else { const { Shape::of(&L::PLAN) } }
    }

    #[inline(always)]
    fn plan(&self) -> &Plan {
        if const { <L::Layout as Shaped>::RUN_TIME } { self.plan } else { const { &L::PLAN } }
    }

    /// Coordinate `j` of the group of a point that is inside the bounds.
    #[inline(always)]
    pub(super) fn coordinate(&self, p: L::Point, j: usize) -> i32 {
        let (plan, shape) = (self.plan(), self.shape());
        let node = node_coordinate::<L>(plan, p, j);
        if plan.free[j] { node >> shape.nodes[j] } else { (node as u32 >> shape.nodes[j]) as i32 }
    }

    /// The bucket of a point that is inside the bounds.
    #[inline(always)]
    pub(super) fn bucket(&self, p: L::Point) -> usize {
        if const { L::PLAN.node_kind == 0 } {
            return (cell_in_node::<L>(self.plan(), p) >> self.shape().cell_bits) as usize;
        }
        let mut bucket = 0;
        for j in 0..L::Point::LEN {
            if self.shape().divided[j] {
                let (bits, place) = self.window[j];
                bucket |= (self.coordinate(p, j) as u32 & ((1 << bits) - 1)) << place;
            }
        }
        bucket as usize
    }

    /// The number of a point's cell in its group: the node's number there, and the cell's in the node.
    #[inline(always)]
    pub(super) fn local(&self, p: L::Point) -> u32 {
        let (plan, shape) = (self.plan(), self.shape());
        let cell = cell_in_node::<L>(plan, p);
        if const { L::PLAN.node_kind == 0 } {
            return (cell & ((1 << shape.cell_bits) - 1)) as u32;
        }
        let mut node = 0;
        for j in 0..L::Point::LEN {
            if shape.divided[j] {
                node |= (node_coordinate::<L>(plan, p, j) as u32 & ((1 << shape.nodes[j]) - 1)) << shape.place[j];
            }
        }
        node << shape.cell_bits | cell as u32
    }

    /// Whether each bucket holds one group only, if all points lie in the box from `lo` to `hi`.
    pub(super) fn is_unambiguous(&self, lo: L::Point, hi: L::Point) -> bool {
        L::PLAN.node_kind == 0
            || (0..L::Point::LEN).filter(|&j| self.shape.divided[j]).all(|j| {
                let span = self.coordinate(hi, j).wrapping_sub(self.coordinate(lo, j)) as u32;
                span >> self.window[j].0 == 0
            })
    }

    /// The coordinates of the group in a bucket, where buckets are unambiguous from `lo` on.
    pub(super) fn group_of(&self, bucket: usize, lo: L::Point) -> [i32; MAX_AXES] {
        let mut group = [0; MAX_AXES];
        if L::PLAN.node_kind == 0 {
            group[0] = bucket as i32;
            return group;
        }
        for j in (0..L::Point::LEN).filter(|&j| self.shape.divided[j]) {
            let (bits, place) = self.window[j];
            let first = self.coordinate(lo, j);
            let step = ((bucket >> place) as u32).wrapping_sub(first as u32) & ((1 << bits) - 1);
            group[j] = first.wrapping_add(step as i32);
        }
        group
    }

    /// A point of node `node` of a group, one that is inside the bounds if any of the node's is.
    pub(super) fn point_of(&self, group: &[i32; MAX_AXES], node: u32) -> L::Point {
        let (plan, shape) = (self.plan, &self.shape);
        L::Point::from_fn(|j| {
            let inner = node >> shape.place[j] & ((1 << shape.nodes[j]) - 1);
            let node = (group[j] << shape.nodes[j]) as u32 | inner;
            let scale = i64::from(plan.scale[j]);
            if plan.free[j] {
                // At the lower end of `i32` a node may stick out.
                (i64::from(node as i32) * scale).max(i32::MIN.into()) as i32
            } else {
                plan.lo[j].wrapping_add((i64::from(node) * scale) as i32)
            }
        })
    }
}
