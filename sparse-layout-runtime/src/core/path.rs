//! The nodes on the path to the last point, to start from next time.

use super::locate::{child, digit, for_each_step, for_each_step_up, plan_of, relative};
use super::{Core, Loc};
use crate::coord::Point;
use crate::layout::{Level, Planned, Shaped};
use crate::plan::{Plan, Step};
use crate::tree::{Kind, MAX_AXES, MAX_DEPTH};
use std::mem::MaybeUninit;

/// What an accessor remembers. Valid while no node is taken away; where it remembers that there is none, while none is
/// made.
pub(crate) struct Path<L: Level> {
    /// The innermost node of the last point; where a table led nowhere, the region of the empty cell.
    near: Node<L::Point>,
    /// The node behind each step of indirection but the last, if its bit in `known` is on: making a path is free.
    nodes: [MaybeUninit<Node<L::Point>>; MAX_DEPTH],
    known: u16,
    /// How often a descent began at the root.
    #[cfg(test)]
    pub(crate) from_root: u64,
    /// How often a node was looked for in a table at all.
    #[cfg(test)]
    pub(crate) descents: u64,
}

/// A node and the box of cells it was made for.
#[derive(Clone, Copy)]
struct Node<P> {
    origin: P,
    /// Cells along each coordinate; all 0: nothing is remembered.
    size: P,
    handle: u32,
}

impl<P: Point> Node<P> {
    #[inline(always)]
    fn none() -> Self {
        Node { origin: P::from_fn(|_| 0), size: P::from_fn(|_| 0), handle: 0 }
    }

    #[inline(always)]
    fn holds<L: Level<Point = P>>(&self, p: P) -> bool {
        if const { cubes::<L>() } {
            // One comparison for all coordinates: boxes are cubes of powers of two, aligned to their size.
            let mut differs = 0;
            for j in 0..P::LEN {
                differs |= (p.at(j) ^ self.origin.at(j)) as u32;
            }
            return differs < self.size.at(0) as u32;
        }
        let mut inside = true;
        for j in 0..P::LEN {
            inside &= (p.at(j).wrapping_sub(self.origin.at(j)) as u32) < self.size.at(j) as u32;
        }
        inside
    }
}

/// A node next to that of a path's last point, remembered too.
pub(crate) struct Beside<L: Level>(Node<L::Point>);

impl<L: Level> Clone for Beside<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level> Copy for Beside<L> {}

impl<L: Level> Beside<L> {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Beside(Node::none())
    }
}

/// Whether the box behind every step of indirection is a cube whose side is a power of two and divides its origin.
const fn cubes<L: Level>() -> bool {
    let plan = &L::PLAN;
    if <L::Layout as Shaped>::RUN_TIME || plan.d == 0 {
        return false;
    }
    let mut k = 0;
    while k < plan.tail {
        let mut j = 0;
        while j < plan.d {
            let side = plan.steps[k].div[j];
            if side != plan.steps[k].div[0] || !side.is_power_of_two() || plan.lo[j] & (side as i32 - 1) != 0 {
                return false;
            }
            j += 1;
        }
        k += 1;
    }
    true
}

/// Whether a path keeps the node behind step `k`, all of them or only those that are found by their key.
const fn remembers<L: Level>(k: usize, all: bool) -> bool {
    match L::PLAN.steps[k].kind {
        Kind::Hash => true,
        kind => all && kind.is_indirect(),
    }
}

impl<L: Level> Clone for Path<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Path {
            near: self.near,
            nodes: self.nodes,
            known: self.known,
            #[cfg(test)]
            from_root: self.from_root,
            #[cfg(test)]
            descents: self.descents,
        }
    }
}

impl<L: Level> Path<L> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Path {
            near: Node::none(),
            nodes: [const { MaybeUninit::uninit() }; MAX_DEPTH],
            known: 0,
            #[cfg(test)]
            from_root: 0,
            #[cfg(test)]
            descents: 0,
        }
    }

    /// Forgets that there was no node where it last looked: one is made there.
    #[inline(always)]
    pub(crate) fn forget_near(&mut self) {
        self.near = Node::none();
    }

    #[inline(always)]
    fn node(&self, k: usize) -> Option<&Node<L::Point>> {
        // SAFETY: the bit is turned on when the node is written (`descend`), and never off.
        if self.known >> k & 1 != 0 { Some(unsafe { self.nodes[k].assume_init_ref() }) } else { None }
    }

    /// As [`super::locate`].
    #[inline(always)]
    pub(crate) fn locate(&mut self, core: &Core<L::Layout>, p: L::Point) -> Option<Loc> {
        self.locate_through::<true>(core, p)
    }

    /// As [`locate`](Self::locate), remembering only the innermost node and those below hash levels: where points come
    /// in no order, the tables between are read faster than compared with.
    #[inline(always)]
    pub(crate) fn locate_far(&mut self, core: &Core<L::Layout>, p: L::Point) -> Option<Loc> {
        self.locate_through::<false>(core, p)
    }

    #[inline(always)]
    fn locate_through<const ALL: bool>(&mut self, core: &Core<L::Layout>, p: L::Point) -> Option<Loc> {
        let plan = plan_of::<L>(core);
        let u = relative::<L>(plan, p)?;
        if const { L::PLAN.tail > 0 } && !self.near.holds::<L>(p) {
            self.descend::<ALL>(core, plan, p, &u);
        }
        Some(Self::within(plan, self.near.handle, &u))
    }

    /// The cell of an innermost node.
    #[inline(always)]
    fn within(plan: &Plan, handle: u32, u: &[u32; MAX_AXES]) -> Loc {
        let mut at = Loc { handle, outer: 0, digit: 0 };
        let mut cells = 1;
        for_each_step!(L, K => {
            if const { K >= L::PLAN.tail } {
                let step = &plan.steps[K];
                at.outer = at.outer * cells + at.digit;
                at.digit = digit::<L>(step, u);
                cells = step.cells;
            }
        });
        let _ = cells;
        at
    }

    /// As [`locate`](Self::locate), for a point next to the last one: the innermost node of the last point stays remembered, and
    /// that of this point is remembered in `beside`. `beside` is of this path, and of no other.
    #[inline(always)]
    pub(crate) fn locate_beside(&mut self, core: &Core<L::Layout>, p: L::Point, beside: &mut Beside<L>) -> Option<Loc> {
        let plan = plan_of::<L>(core);
        let u = relative::<L>(plan, p)?;
        let mut handle = self.near.handle;
        if const { L::PLAN.tail > 0 } && !self.near.holds::<L>(p) {
            if !beside.0.holds::<L>(p) {
                let near = self.near;
                self.descend::<true>(core, plan, p, &u);
                beside.0 = std::mem::replace(&mut self.near, near);
            }
            handle = beside.0.handle;
        }
        Some(Self::within(plan, handle, &u))
    }

    /// Cells from `p` to the end of the box that was last found, along an axis.
    #[inline(always)]
    pub(crate) fn room(&self, p: L::Point, axis: usize) -> u64 {
        debug_assert!(self.near.holds::<L>(p));
        let near = self.near;
        u64::from(near.size.at(axis) as u32 - p.at(axis).wrapping_sub(near.origin.at(axis)) as u32)
    }

    /// Finds the innermost node, from the deepest remembered one that holds the point.
    #[inline(always)]
    fn descend<const ALL: bool>(&mut self, core: &Core<L::Layout>, plan: &Plan, p: L::Point, u: &[u32; MAX_AXES]) {
        let mut start = usize::MAX;
        for_each_step_up!(L, K => {
            if const { K + 1 < L::PLAN.tail && remembers::<L>(K, ALL) } && start == usize::MAX
                && self.node(K).is_some_and(|node| node.holds::<L>(p))
            {
                start = K;
            }
        });
        #[cfg(test)]
        {
            self.descents += 1;
            self.from_root += u64::from(start == usize::MAX);
        }
        let (mut handle, mut outer, mut found) = (0, 0, true);
        for_each_step!(L, K => {
            if const { K < L::PLAN.tail } && found {
                let step = &plan.steps[K];
                if start != usize::MAX && K <= start {
                    if K == start {
                        handle = self.node(K).map_or(0, |node| node.handle);
                        outer = 0;
                    }
                } else if const { L::PLAN.steps[K].kind.is_indirect() } {
                    handle = child::<L, K>(core, plan, p, u, handle, outer);
                    outer = 0;
                    let node = Node { handle, ..Self::region(plan, step, p) };
                    if const { K + 1 == L::PLAN.tail } || handle == 0 {
                        self.near = node;
                        found = false;
                    } else if const { remembers::<L>(K, ALL) } {
                        self.nodes[K].write(node);
                        self.known |= 1 << K;
                    }
                } else {
                    outer = outer * step.cells + digit::<L>(step, u);
                }
            }
        });
        let _ = (handle, outer, found);
    }

    /// The box of cells below one cell of a step's level.
    #[inline(always)]
    fn region(plan: &Plan, step: &Step, p: L::Point) -> Node<L::Point> {
        let side = |j: usize| {
            let (x, div) = (p.at(j), step.div[j]);
            if !plan.free[j] {
                let counted = x.wrapping_sub(plan.lo[j]) as u32;
                let start = counted - counted % div;
                // As below: the last box may end past 2^32 cells, and must not come round.
                let room = (1 << 32) - u64::from(start);
                (x.wrapping_sub((counted % div) as i32), u64::from(div).min(room) as u32)
            } else if div.is_power_of_two() {
                (x & (div as i32).wrapping_neg(), div)
            } else {
                // At the ends of `i32` a box may stick out; the part outside must not come round at the other end.
                let start = i64::from(x) - i64::from(x).rem_euclid(div.into());
                let inside = start.max(i32::MIN.into());
                let end = (start + i64::from(div)).min(i64::from(i32::MAX) + 1);
                (inside as i32, (end - inside) as u32)
            }
        };
        Node { origin: L::Point::from_fn(|j| side(j).0), size: L::Point::from_fn(|j| side(j).1 as i32), handle: 0 }
    }
}
