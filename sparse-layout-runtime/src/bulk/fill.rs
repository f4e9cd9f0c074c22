//! Filling: each group by one thread.

use super::error::BulkError;
use super::grouping::{Grouping, Points, Shape};
use super::nodes::{self, Made};
use super::partition::{Entry, Group, Partition, partition};
use super::target::Target;
use crate::core::{Core, Loc, Sharing, is_active, mark_bits, plan_of};
use crate::layout::{Level, Planned};
use rayon::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// What becomes of a value that comes to an active cell.
pub(super) trait Merge<V>: Sync {
    /// Whether the old value counts.
    const READS: bool;
    fn merge(&self, old: V, new: V) -> V;
}

/// The last one wins.
pub(super) struct Replace;

impl<V> Merge<V> for Replace {
    const READS: bool = false;

    #[inline(always)]
    fn merge(&self, _old: V, new: V) -> V {
        new
    }
}

/// A function of the two.
pub(super) struct Combine<F>(pub(super) F);

impl<V: Copy, F: Fn(&mut V, V) + Sync> Merge<V> for Combine<F> {
    const READS: bool = true;

    #[inline(always)]
    fn merge(&self, mut old: V, new: V) -> V {
        (self.0)(&mut old, new);
        old
    }
}

/// Writes the value that `value` gives for each point's index to its cell, which becomes active.
///
/// `target` says where values go, given the grid. `name` is for errors.
pub(super) fn write_many<'c, L: Level, X: Target<L>>(
    core: &'c mut Core<L::Layout>,
    name: &'static str,
    points: &(impl Points<L::Point> + ?Sized),
    value: impl Fn(usize) -> X::Value + Sync,
    target: impl FnOnce(&'c Core<L::Layout>) -> X,
    merge: &impl Merge<X::Value>,
) -> Result<(), BulkError> {
    let shape = Shape::for_level::<L>(core);
    if shape.cell_bits > u32::BITS {
        return one_by_one::<L, X>(core, name, points, value, target, merge);
    }
    let sorted = {
        let grouping = Grouping::<L>::new(core, points.len());
        partition::<L, _>(core, &grouping, name, points, value)?
    };
    if const { L::PLAN.node_kind == 0 } {
        core.touch();
        let core: &'c Core<L::Layout> = core;
        fill_root::<L, X>(core, &shape, &sorted, target(core), merge);
        return Ok(());
    }
    let (made, result) = nodes::make::<L>(core, &sorted.groups, nodes::touched(&shape, &sorted));
    let core: &'c Core<L::Layout> = core;
    if let Err(e) = result {
        let kind = plan_of::<L>(core).node_kind;
        made.iter().flat_map(|m| &m.fresh).for_each(|taken| core.raw().prepare(kind, *taken));
        return Err(e.into());
    }
    fill_nodes::<L, X>(core, &shape, &sorted, &made, target(core), merge);
    Ok(())
}

/// Fills the groups of a root without indirection.
fn fill_root<L: Level, X: Target<L>>(
    core: &Core<L::Layout>,
    shape: &Shape,
    sorted: &Partition<X::Value>,
    target: X,
    merge: &impl Merge<X::Value>,
) {
    // The innermost mask words are a group's own if groups are made of whole words.
    let cells_of_word = plan_of::<L>(core).grain.saturating_mul(64);
    if !(1u64 << shape.cell_bits).is_multiple_of(cells_of_word) {
        return sorted.groups.iter().for_each(|group| {
            let first = (group.at[0] as u64) << shape.cell_bits;
            for entry in sorted.entries(group) {
                let cell = first + u64::from(entry.local);
                // SAFETY: the cell is one of the root's node; the grid is held exclusively by the caller.
                unsafe { put::<L, X>(core, 0, cell, entry.value, target, merge, Sharing::None) };
            }
        });
    }
    sorted.groups.par_iter().with_max_len(1).for_each(|group| {
        let first = (group.at[0] as u64) << shape.cell_bits;
        for entry in sorted.entries(group) {
            let cell = first + u64::from(entry.local);
            // SAFETY: as above; this group's cells and innermost mask words are this thread's alone.
            unsafe { put::<L, X>(core, 0, cell, entry.value, target, merge, Sharing::Outer) };
        }
    });
}

/// A share of a group's nodes.
struct Task<'a> {
    group: &'a Group,
    /// Among them those that must be prepared.
    made: &'a Made,
    nodes: std::ops::Range<usize>,
}

/// Fills the groups' nodes.
fn fill_nodes<L: Level, X: Target<L>>(
    core: &Core<L::Layout>,
    shape: &Shape,
    sorted: &Partition<X::Value>,
    made: &[Made],
    target: X,
    merge: &impl Merge<X::Value>,
) {
    let kind = plan_of::<L>(core).node_kind;
    // Nodes are prepared in their group's own task, but for groups so large that several threads share their nodes.
    let threads = rayon::current_num_threads();
    let total: usize = sorted.groups.iter().map(|g| g.entries.len()).sum();
    let mut tasks = Vec::new();
    for (group, made) in sorted.groups.iter().zip(made) {
        let large = threads > 1 && group.entries.len() > (total / (2 * threads)).max(1 << 14);
        let share = if large { made.nodes.len().div_ceil(2 * threads).max(1) } else { made.nodes.len() };
        if large {
            made.fresh.par_iter().with_min_len(16).for_each(|taken| core.raw().prepare(kind, *taken));
        }
        let starts = (0..made.nodes.len()).step_by(share.max(1));
        tasks.extend(starts.map(|s| (Task { group, made, nodes: s..(s + share).min(made.nodes.len()) }, large)));
    }
    // No group is left out if `merge` panics in another: every node made must be prepared.
    let panicked: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
    tasks.par_iter().with_max_len(1).for_each_init(
        || vec![0u32; 1 << shape.node_bits],
        |handles, (task, is_prepared)| {
            if !is_prepared {
                task.made.fresh.iter().for_each(|taken| core.raw().prepare(kind, *taken));
            }
            let own = &task.made.nodes[task.nodes.clone()];
            own.iter().for_each(|(node, handle)| handles[*node as usize] = *handle);
            let filled = catch_unwind(AssertUnwindSafe(|| {
                fill_group::<L, X>(core, shape, sorted.entries(task.group), handles, target, merge);
            }));
            own.iter().for_each(|(node, _)| handles[*node as usize] = 0);
            if let Err(payload) = filled {
                panicked.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
            }
        },
    );
    if let Some(payload) = panicked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(payload);
    }
}

/// Fills those cells of a group whose nodes have a handle in the table.
fn fill_group<L: Level, X: Target<L>>(
    core: &Core<L::Layout>,
    shape: &Shape,
    entries: &[Entry<X::Value>],
    handles: &[u32],
    target: X,
    merge: &impl Merge<X::Value>,
) {
    let cell_mask = (1u64 << shape.cell_bits) - 1;
    for entry in entries {
        let local = u64::from(entry.local);
        let handle = handles[(local >> shape.cell_bits) as usize];
        if handle != 0 {
            // SAFETY: the handle is that of the live node that holds the entry's cell (`nodes::make`), and the node is this
            // task's alone: groups and shares of groups have no node in common. The grid is held exclusively.
            unsafe { put::<L, X>(core, handle, local & cell_mask, entry.value, target, merge, Sharing::None) };
        }
    }
}

/// Writes one cell and makes it active.
///
/// # Safety
/// The cell is one of an existing node, and nobody else accesses its values meanwhile; mask words as [`mark_bits`].
#[inline(always)]
unsafe fn put<L: Level, X: Target<L>>(
    core: &Core<L::Layout>,
    node: u32,
    cell: u64,
    mut value: X::Value,
    target: X,
    merge: &impl Merge<X::Value>,
    sharing: Sharing,
) {
    if reads(merge) {
        let block = plan_of::<L>(core).block;
        let at = Loc { handle: node, outer: cell / block, digit: cell % block };
        if is_active::<L>(core, &at) {
            // SAFETY: as promised by the caller.
            value = merge.merge(unsafe { target.read(node, cell) }, value);
        }
    }
    // SAFETY: as promised by the caller.
    unsafe {
        target.write(node, cell, value);
        mark_bits::<L>(core, node, cell, sharing);
    }
}

#[inline(always)]
fn reads<V, M: Merge<V>>(_: &M) -> bool {
    M::READS
}

/// For nodes of more than 2^32 cells.
fn one_by_one<'c, L: Level, X: Target<L>>(
    core: &'c mut Core<L::Layout>,
    name: &'static str,
    points: &(impl Points<L::Point> + ?Sized),
    value: impl Fn(usize) -> X::Value + Sync,
    target: impl FnOnce(&'c Core<L::Layout>) -> X,
    merge: &impl Merge<X::Value>,
) -> Result<(), BulkError> {
    super::error::check_bounds::<L>(core, name, points)?;
    let plan = *plan_of::<L>(core);
    core.touch();
    let core: &'c Core<L::Layout> = core;
    let target = target(core);
    for i in 0..points.len() {
        let p = points.point(i);
        let at = core.raw().activate_steps(&plan, plan.tail, crate::coord::Point::as_slice(&p))?;
        let cell = crate::core::cell_in_node::<L>(&plan, p);
        // SAFETY: the point's cell in the node that was just made sure of; the grid is held exclusively.
        unsafe { put::<L, X>(core, at.handle, cell, value(i), target, merge, Sharing::None) };
    }
    Ok(())
}
