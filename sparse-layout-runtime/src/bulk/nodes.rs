//! The nodes that groups need.

use super::grouping::Grouping;
use super::grouping::Shape;
use super::partition::{Group, Partition};
use crate::coord::Point;
use crate::core::Core;
use crate::error::Exhausted;
use crate::layout::Level;
use crate::slab::pool::Taken;
use rayon::prelude::*;

/// The nodes of one group.
#[derive(Default)]
pub(super) struct Made {
    /// Number in the group and handle of each node that holds one of its cells.
    pub(super) nodes: Vec<(u32, u32)>,
    /// Those that were made: they must be prepared before the grid is used.
    pub(super) fresh: Vec<Taken>,
}

/// The nodes that hold the entries' cells, made where they did not exist, group after group. Their cells are not prepared,
/// also where there is an error.
pub(super) fn make<L: Level, V: Copy + Send + Sync>(
    core: &mut Core<L::Layout>,
    shape: &Shape,
    partition: &Partition<V>,
) -> (Vec<Made>, Result<(), Exhausted>) {
    core.touch();
    let core = &*core;
    let grouping = Grouping::<L>::new(core, 0);
    let touched: Vec<Vec<u32>> = (partition.groups.par_iter().with_max_len(1))
        .map_init(
            || vec![0u64; 1 << shape.node_bits.saturating_sub(6)],
            |bits, group| touched(shape, partition, group, bits),
        )
        .collect();
    let raw = core.raw();
    let mut all = Vec::with_capacity(partition.groups.len());
    let mut result = Ok(());
    for (group, touched) in partition.groups.iter().zip(touched) {
        let mut made = Made { nodes: Vec::with_capacity(touched.len()), fresh: Vec::new() };
        for node in touched {
            let p = grouping.point_of(&group.at, node);
            let at = raw.activate_with(grouping.plan, grouping.plan.tail, p.as_slice(), |kind, origin, parent| {
                if kind != grouping.plan.node_kind {
                    return raw.allocate(kind, origin, parent);
                }
                let taken = raw.take(kind, origin, parent)?;
                made.fresh.push(taken);
                Ok(taken.handle)
            });
            match at {
                Ok(at) => made.nodes.push((node, at.handle)),
                Err(e) => {
                    result = Err(e);
                    break;
                }
            }
        }
        all.push(made);
        if result.is_err() {
            break;
        }
    }
    (all, result)
}

/// The numbers of the nodes that hold a group's entries, ascending. `bits` is all zero, and so again afterwards.
fn touched<V: Copy>(shape: &Shape, partition: &Partition<V>, group: &Group, bits: &mut [u64]) -> Vec<u32> {
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
