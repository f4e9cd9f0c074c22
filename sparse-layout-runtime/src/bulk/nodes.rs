//! The nodes that groups need.

use super::grouping::{Grouping, Shape};
use super::partition::{Group, Partition};
use crate::coord::Point;
use crate::core::{Core, Raw};
use crate::error::Exhausted;
use crate::layout::Level;
use crate::plan::Plan;
use crate::slab::pool::Taken;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The nodes of one group.
#[derive(Default)]
pub(super) struct Made {
    /// Number in the group and handle of each node that holds one of its cells.
    pub(super) nodes: Vec<(u32, u32)>,
    /// Those that were made: they must be prepared before the grid is used.
    pub(super) fresh: Vec<Taken>,
}

/// The numbers of the nodes that hold each group's entries.
pub(super) fn touched<V: Copy + Send + Sync>(shape: &Shape, partition: &Partition<V>) -> Vec<Vec<u32>> {
    let bits = || vec![0u64; 1 << shape.node_bits.saturating_sub(6)];
    let groups = partition.groups.par_iter().with_max_len(1);
    groups.map_init(bits, |bits, group| touched_by(shape, partition, group, bits)).collect()
}

/// The nodes of these numbers in each group, made where they did not exist, group after group. Their cells are not
/// prepared, also where there is an error.
pub(super) fn make<L: Level>(
    core: &mut Core<L::Layout>,
    groups: &[Group],
    touched: Vec<Vec<u32>>,
) -> (Vec<Made>, Result<(), Exhausted>) {
    core.touch();
    let core = &*core;
    let grouping = Grouping::<L>::new(core, 0);
    let mut all: Vec<Made> = Vec::with_capacity(groups.len());
    let making = AssertUnwindSafe(|| {
        for (group, touched) in groups.iter().zip(touched) {
            all.push(Made { nodes: Vec::with_capacity(touched.len()), fresh: Vec::new() });
            let Some(made) = all.last_mut() else { unreachable!("one was pushed") };
            for node in touched {
                let p = grouping.point_of(&group.at, node);
                let handle = make_node(&core.raw(), grouping.plan, p.as_slice(), &mut made.fresh)?;
                made.nodes.push((node, handle));
            }
        }
        Ok(())
    });
    // A hasher of the user's may panic: nodes that were published must be prepared all the same.
    match catch_unwind(making) {
        Ok(done) => (all, done),
        Err(panic) => {
            let fresh = all.iter().flat_map(|made| &made.fresh);
            fresh.for_each(|taken| core.raw().prepare(grouping.plan.node_kind, *taken));
            resume_unwind(panic)
        }
    }
}

/// The node that holds a point; one that was made is noted.
fn make_node(raw: &Raw<'_>, plan: &Plan, p: &[i32], fresh: &mut Vec<Taken>) -> Result<u32, Exhausted> {
    let at = raw.activate_with(plan, plan.tail, p, |kind, origin, parent| {
        if kind != plan.node_kind {
            return raw.allocate(kind, origin, parent);
        }
        let taken = raw.take(kind, origin, parent)?;
        fresh.push(taken);
        Ok(taken.handle)
    })?;
    Ok(at.handle)
}

/// The numbers of the nodes that hold a group's entries, ascending. `bits` is all zero, and so again afterwards.
fn touched_by<V: Copy>(shape: &Shape, partition: &Partition<V>, group: &Group, bits: &mut [u64]) -> Vec<u32> {
    for entry in partition.entries(group) {
        let node = (u64::from(entry.local) >> shape.cell_bits) as usize;
        bits[node / 64] |= 1 << (node % 64);
    }
    let mut nodes = Vec::with_capacity(bits.iter().map(|w| w.count_ones() as usize).sum());
    for (w, word) in bits.iter_mut().enumerate() {
        let mut left = std::mem::take(word);
        while left != 0 {
            nodes.push(w as u32 * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
    nodes
}
