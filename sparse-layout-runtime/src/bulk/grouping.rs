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
use rayon::prelude::*;

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
    /// Writes what `f` makes of the points from `start` on to `out`. A plain loop, so that it can be vectorised.
    fn map_into<U>(&self, start: usize, out: &mut [U], f: impl FnMut(P) -> U);
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
    fn map_into<U>(&self, start: usize, out: &mut [U], mut f: impl FnMut(P) -> U) {
        for (p, out) in self[start..].iter().zip(out) {
            *out = f(*p);
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
    fn map_into<U>(&self, start: usize, out: &mut [U], mut f: impl FnMut(P) -> U) {
        for ((p, _), out) in self[start..].iter().zip(out) {
            *out = f(*p);
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
        let mut shape = Shape {
            cell_bits: 0,
            nodes: [0; MAX_AXES],
            place: [0; MAX_AXES],
            divided: [false; MAX_AXES],
            node_bits: 0,
        };
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
        if const { <L::Layout as Shaped>::RUN_TIME } {
            Shape::of(plan_of::<L>(core))
        } else {
            const { Shape::of(&L::PLAN) }
        }
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
        for j in grouping.divided() {
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
    pub(super) fn bucket(&self, p: L::Point) -> u32 {
        if const { L::PLAN.node_kind == 0 } {
            return (cell_in_node::<L>(self.plan(), p) >> self.shape().cell_bits) as u32;
        }
        let mut bucket = 0;
        for j in 0..L::Point::LEN {
            if self.shape().divided[j] {
                let (bits, place) = self.window[j];
                bucket |= (self.coordinate(p, j) as u32 & ((1 << bits) - 1)) << place;
            }
        }
        bucket
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
        // A node of 2^32 cells is a group by itself.
        node.checked_shl(shape.cell_bits).unwrap_or(0) | cell as u32
    }

    /// The coordinates of the group in a bucket, where the groups of all points lie in the window from `base` on.
    pub(super) fn group_of(&self, bucket: usize, base: &[i32; MAX_AXES]) -> [i32; MAX_AXES] {
        let mut group = [0; MAX_AXES];
        if L::PLAN.node_kind == 0 {
            group[0] = bucket as i32;
            return group;
        }
        for j in self.divided() {
            let (bits, place) = self.window[j];
            let step = ((bucket >> place) as u32).wrapping_sub(base[j] as u32) & ((1 << bits) - 1);
            group[j] = base[j].wrapping_add(step as i32);
        }
        group
    }

    fn divided(&self) -> impl Iterator<Item = usize> + use<L> {
        let shape = self.shape;
        (0..L::Point::LEN).filter(move |&j| shape.divided[j])
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

/// What some points have in common: gathered in passing, by a few operations that vectorise.
pub(super) struct Common {
    /// Per coordinate: the group of the first point, counted so that a window has its middle at zero.
    first: [u32; MAX_AXES],
    /// The bits in which another point's group differs from that.
    differences: [u32; MAX_AXES],
    /// Whether one is out of bounds.
    outside: bool,
}

impl Common {
    /// With `first`, and no point yet.
    pub(super) fn new<L: Level>(grouping: &Grouping<'_, L>, first: L::Point) -> Self {
        let mut common = Common { first: [0; MAX_AXES], differences: [0; MAX_AXES], outside: false };
        for j in grouping.divided() {
            common.first[j] = Self::centred(grouping, first, j);
        }
        common
    }

    /// A list of cells near the origin should not cross the border of two windows there.
    #[inline(always)]
    fn centred<L: Level>(grouping: &Grouping<'_, L>, p: L::Point, j: usize) -> u32 {
        let half = 1u32 << grouping.window[j].0 >> 1;
        (grouping.coordinate(p, j) as u32).wrapping_add(half)
    }

    #[inline(always)]
    pub(super) fn include<L: Level>(&mut self, grouping: &Grouping<'_, L>, p: L::Point) {
        let (plan, shape) = (grouping.plan(), grouping.shape());
        for j in 0..L::Point::LEN {
            if shape.divided[j] {
                self.differences[j] |= Self::centred(grouping, p, j) ^ self.first[j];
            }
            self.outside |= !plan.holds(j, p.at(j));
        }
    }

    /// Both together; they begin with the same point.
    pub(super) fn union(mut self, other: &Self) -> Self {
        for (a, b) in self.differences.iter_mut().zip(&other.differences) {
            *a |= b;
        }
        self.outside |= other.outside;
        self
    }

    pub(super) fn is_outside(&self) -> bool {
        self.outside
    }

    /// The window that holds the groups of all points, if they lie in one: its lowest coordinates.
    pub(super) fn window<L: Level>(&self, grouping: &Grouping<'_, L>) -> Option<[i32; MAX_AXES]> {
        let mut base = [0; MAX_AXES];
        for j in grouping.divided() {
            let bits = grouping.window[j].0;
            if self.differences[j] >> bits != 0 {
                return None;
            }
            base[j] = (self.first[j] >> bits << bits).wrapping_sub(1 << bits >> 1) as i32;
        }
        Some(base)
    }
}

/// As [`Common::window`], for a window that may begin anywhere: the exact box is worth a pass of its own.
pub(super) fn exact_window<L: Level>(
    grouping: &Grouping<'_, L>,
    points: &(impl Points<L::Point> + ?Sized),
) -> Option<[i32; MAX_AXES]> {
    let none = ([i32::MAX; MAX_AXES], [i32::MIN; MAX_AXES]);
    let include = |mut range: ([i32; MAX_AXES], [i32; MAX_AXES]), i| {
        let p = points.point(i);
        for j in 0..L::Point::LEN {
            range.0[j] = range.0[j].min(p.at(j));
            range.1[j] = range.1[j].max(p.at(j));
        }
        range
    };
    let union = |a: ([i32; MAX_AXES], [i32; MAX_AXES]), b: ([i32; MAX_AXES], [i32; MAX_AXES])| {
        (std::array::from_fn(|j| a.0[j].min(b.0[j])), std::array::from_fn(|j| a.1[j].max(b.1[j])))
    };
    let (lo, hi) =
        (0..points.len()).into_par_iter().with_min_len(1 << 13).fold(|| none, include).reduce(|| none, union);
    let (lo, hi) = (L::Point::from_fn(|j| lo[j]), L::Point::from_fn(|j| hi[j]));
    let mut base = [0; MAX_AXES];
    for j in grouping.divided() {
        let first = grouping.coordinate(lo, j);
        let span = grouping.coordinate(hi, j).wrapping_sub(first) as u32;
        if span >> grouping.window[j].0 != 0 {
            return None;
        }
        base[j] = first;
    }
    Some(base)
}
