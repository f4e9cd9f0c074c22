//! Counting active cells of a level that is known at run time only.

use super::{Core, Raw};
use crate::layout::Layout;
use crate::plan::Plan;
use crate::struct_for::features::{Work, dispatch};
use crate::tree::Kind;
use rayon::prelude::*;

/// The active cells of a level.
pub(crate) fn count_level<G: Layout>(core: &Core<G>, level: usize) -> u64 {
    let raw = core.raw();
    let plan = Plan::new(&raw.meta.tree, &raw.meta.shape, level);
    if plan.mask_step == 0 && !plan.clipped {
        let nodes = if plan.node_kind == 0 { 1 } else { raw.live(plan.node_kind).count() as u64 };
        return nodes * plan.per_node;
    }
    let nodes: Vec<u32> = if plan.node_kind == 0 { vec![0] } else { raw.live(plan.node_kind).collect() };
    let of_node = |&node: &u32| -> u64 {
        let cells = |from: u64, to: u64| {
            if plan.clipped { (from..to).filter(|&c| raw.exists(&plan, node, c)).count() as u64 } else { to - from }
        };
        if plan.mask_step == 0 {
            return cells(0, plan.per_node);
        }
        let step = &plan.steps[plan.mask_step - 1];
        debug_assert_eq!(step.kind, Kind::Bitmasked);
        let of_word = |w: u64| {
            // SAFETY: a mask word of a live node, read while the grid is borrowed.
            let mut bits = unsafe { *raw.word(step.main, node, w) };
            if !plan.clipped {
                return u64::from(bits.count_ones()) * plan.grain;
            }
            let mut n = 0;
            while bits != 0 {
                let c = (w * 64 + u64::from(bits.trailing_zeros())) * plan.grain;
                n += cells(c, c + plan.grain);
                bits &= bits - 1;
            }
            n
        };
        if step.aux_stride > 0 {
            return raw.mask_words(step.level, node).map(of_word).sum();
        }
        (0..step.main_stride / 8).map(of_word).sum()
    };
    nodes.par_chunks(1024).map(|nodes| dispatch(CountNodes { nodes, of_node: &of_node })).sum()
}

struct CountNodes<'a, F> {
    nodes: &'a [u32],
    of_node: &'a F,
}

impl<F: Fn(&u32) -> u64> Work for CountNodes<'_, F> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        self.nodes.iter().map(self.of_node).sum()
    }
}

impl Raw<'_> {
    /// Whether a cell of a node of the plan's level lies within the bounds, which sizes may overshoot.
    pub(crate) fn exists(&self, plan: &Plan, node: u32, cell: u64) -> bool {
        let base = |j: usize| {
            let o = if plan.node_kind == 0 { 0 } else { self.origin(plan.node_kind, node)[plan.axis[j]] };
            if plan.free[j] { i64::from(o) } else { i64::from(o as u32) }
        };
        !plan.clipped || plan.is_inside(base, cell)
    }
}
