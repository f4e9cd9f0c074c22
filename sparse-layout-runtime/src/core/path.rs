//! The nodes on the path to the last point, to start from next time.

use super::locate::{child, digit, for_each_step, for_each_step_up, plan_of, relative};
use super::{Core, Loc};
use crate::coord::Point;
use crate::layout::{Level, Planned};
use crate::plan::{Plan, Step};
use crate::tree::{MAX_AXES, MAX_DEPTH};

/// What an accessor remembers. Valid while the topology does not change.
pub(crate) struct Path<L: Level> {
    /// The innermost node of the last point; where a table led nowhere, the region of the empty cell.
    near: Node<L::Point>,
    /// The node behind each step of indirection but the last.
    nodes: [Node<L::Point>; MAX_DEPTH],
    /// How often a descent began at the root.
    #[cfg(test)]
    pub(crate) from_root: u64,
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
    fn holds(&self, p: P) -> bool {
        let mut inside = true;
        for j in 0..P::LEN {
            inside &= (p.at(j).wrapping_sub(self.origin.at(j)) as u32) < self.size.at(j) as u32;
        }
        inside
    }
}

impl<L: Level> Clone for Path<L> {
    fn clone(&self) -> Self {
        Path {
            near: self.near,
            nodes: self.nodes,
            #[cfg(test)]
            from_root: self.from_root,
        }
    }
}

impl<L: Level> Path<L> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Path {
            near: Node::none(),
            nodes: [Node::none(); MAX_DEPTH],
            #[cfg(test)]
            from_root: 0,
        }
    }

    /// As [`super::locate`].
    #[inline(always)]
    pub(crate) fn locate(&mut self, core: &Core<L::Layout>, p: L::Point) -> Option<Loc> {
        let plan = plan_of::<L>(core);
        let u = relative::<L>(plan, p)?;
        if const { L::PLAN.tail > 0 } && !self.near.holds(p) {
            self.descend(core, plan, p, &u);
        }
        let mut at = Loc { handle: self.near.handle, outer: 0, digit: 0 };
        let mut cells = 1;
        for_each_step!(L, K => {
            if const { K >= L::PLAN.tail } {
                let step = &plan.steps[K];
                at.outer = at.outer * cells + at.digit;
                at.digit = digit::<L>(step, &u);
                cells = step.cells;
            }
        });
        let _ = cells;
        Some(at)
    }

    /// Finds the innermost node, from the deepest remembered one that holds the point.
    #[inline(always)]
    fn descend(&mut self, core: &Core<L::Layout>, plan: &Plan, p: L::Point, u: &[u32; MAX_AXES]) {
        let mut start = usize::MAX;
        for_each_step_up!(L, K => {
            if const { K + 1 < L::PLAN.tail && L::PLAN.steps[K].kind.is_indirect() } && start == usize::MAX
                && self.nodes[K].holds(p)
            {
                start = K;
            }
        });
        #[cfg(test)]
        if start == usize::MAX {
            self.from_root += 1;
        }
        let (mut handle, mut outer, mut found) = (0, 0, true);
        for_each_step!(L, K => {
            if const { K < L::PLAN.tail } && found {
                let step = &plan.steps[K];
                if start != usize::MAX && K <= start {
                    if K == start {
                        handle = self.nodes[K].handle;
                        outer = 0;
                    }
                } else if const { L::PLAN.steps[K].kind.is_indirect() } {
                    handle = child::<L, K>(core, plan, p, u, handle, outer);
                    outer = 0;
                    let node = Node { handle, ..Self::region(plan, step, p) };
                    if const { K + 1 == L::PLAN.tail } || handle == 0 {
                        self.near = node;
                        found = false;
                    } else {
                        self.nodes[K] = node;
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
                (x.wrapping_sub((x.wrapping_sub(plan.lo[j]) as u32 % div) as i32), div)
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
