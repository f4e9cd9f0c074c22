//! The hot path: from a point to the node and cell that hold it.
//!
//! Everything here is inlined into the user's code. The plan is a constant, and each step is unrolled with
//! `if const { .. }`: a plain loop over a constant plan is not folded by the compiler, with divisions left in.

use super::Core;
use crate::coord::Point;
use crate::layout::{Layout, Level, Planned, Shaped};
use crate::plan::{FREE, Plan, Step};
use crate::slab::masks;
use crate::sync::shared_mask;
use crate::tree::{Kind, MAX_AXES};
use std::sync::atomic::{AtomicU32, Ordering::Acquire};

/// A cell: the node that holds it and its number there, split into block and cell of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loc {
    /// 0: the background node (but the root's own node is 0 too).
    pub(crate) handle: u32,
    /// The number of the cell of the level above, in the node.
    pub(crate) outer: u64,
    /// The number of the cell within that one.
    pub(crate) digit: u64,
}

/// Repeats a block for each step of the level's path, with the step's number as a constant.
macro_rules! for_each_step {
    ($L:ty, $k:ident => $body:block) => {
        for_each_step!(@ $L, $k, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $L:ty, $k:ident, $body:block, $($n:literal)*) => {
        $( if const { <$L as Planned>::PLAN.n > $n } { const $k: usize = $n; $body } )*
    };
}
pub(crate) use for_each_step;

/// As [`for_each_step`], from the innermost step outwards.
macro_rules! for_each_step_up {
    ($L:ty, $k:ident => $body:block) => {
        for_each_step!(@ $L, $k, $body, 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0)
    };
}

pub(crate) use for_each_step_up;

/// The plan of a level: a constant where bounds are.
#[inline(always)]
pub(crate) fn plan_of<L: Level>(core: &Core<L::Layout>) -> &Plan {
    if const { <L::Layout as Shaped>::RUN_TIME } { core.run_time_plan(L::LEVEL) } else { const { &L::PLAN } }
}

/// Coordinates counted from the lower bound, or from the unbounded cell they lie in; None: out of bounds.
#[inline(always)]
pub(crate) fn relative<L: Level>(plan: &Plan, p: L::Point) -> Option<[u32; MAX_AXES]> {
    let u = offsets::<L>(plan, p);
    let mut inside = true;
    for j in 0..L::Point::LEN {
        inside &= plan.holds(j, p.at(j));
    }
    inside.then_some(u)
}

/// Whether a cell of a node, whose cell 0 is at `base`, exists: sizes may overshoot the bounds.
#[inline(always)]
pub(crate) fn is_inside<L: Level>(plan: &Plan, base: L::Point, p: L::Point) -> bool {
    !plan.clipped || (0..L::Point::LEN).all(|j| plan.holds(j, p.at(j)) && came_straight(plan, j, base.at(j), p.at(j)))
}

/// Whether a coordinate of a node did not come round at the other end of `i32`.
#[inline(always)]
fn came_straight(plan: &Plan, j: usize, base: i32, x: i32) -> bool {
    let size = plan.scale[j];
    // Of the finest cells, nodes that do not divide 2^32 stick out at both ends of `i32`.
    if !plan.free[j] || plan.extent[j] >> 32 == 0 || size.is_power_of_two() || base <= i32::MAX - size as i32 {
        return true;
    }
    // The last node, or the first one, whose base came round: that is no multiple of the size.
    if i64::from(base).rem_euclid(size.into()) == 0 { x >= base } else { x < 0 }
}

/// As [`relative`], of a point that is inside the bounds.
#[inline(always)]
pub(crate) fn offsets<L: Level>(plan: &Plan, p: L::Point) -> [u32; MAX_AXES] {
    let mut u = [0; MAX_AXES];
    for j in 0..L::Point::LEN {
        let x = p.at(j);
        u[j] = if plan.free[j] {
            let div = plan.steps[0].div[j];
            (x as u32).wrapping_sub((div_floor(x, div) as u32).wrapping_mul(div))
        } else {
            x.wrapping_sub(plan.lo[j]) as u32
        };
    }
    u
}

/// The number of a point's cell within its node; the point is inside the bounds.
#[inline(always)]
pub(crate) fn cell_in_node<L: Level>(plan: &Plan, p: L::Point) -> u64 {
    let u = offsets::<L>(plan, p);
    let mut cell = 0;
    for_each_step!(L, K => {
        if const { K >= L::PLAN.tail } {
            let step = &plan.steps[K];
            cell = cell * step.cells + digit::<L>(step, &u);
        }
    });
    cell
}

/// Coordinate `j` of the node that a point lies in, in nodes: from the lower bound, or from zero where unbounded.
#[inline(always)]
pub(crate) fn node_coordinate<L: Level>(plan: &Plan, p: L::Point, j: usize) -> i32 {
    if plan.free[j] {
        div_floor(p.at(j), plan.scale[j])
    } else {
        (p.at(j).wrapping_sub(plan.lo[j]) as u32 / plan.scale[j]) as i32
    }
}

#[inline(always)]
fn div_floor(x: i32, n: u32) -> i32 {
    if n.is_power_of_two() { x >> n.trailing_zeros() } else { i64::from(x).div_euclid(i64::from(n)) as i32 }
}

/// The number of a cell within its level.
#[inline(always)]
pub(crate) fn digit<L: Level>(step: &Step, u: &[u32; MAX_AXES]) -> u64 {
    let mut c = 0;
    for j in 0..L::Point::LEN {
        if step.size[j] != 0 && step.size[j] != FREE {
            let mut x = u[j] / step.div[j];
            if !step.first[j] {
                x %= step.size[j];
            }
            c += if step.morton { spread(x, step.z[j]) } else { u64::from(x) * step.weight[j] };
        }
    }
    c
}

/// Puts the bits of `x` where `mask` has its bits, lowest first.
#[inline(always)]
pub(crate) const fn spread(mut x: u32, mut mask: u64) -> u64 {
    let mut out = 0;
    while x != 0 {
        let lowest = mask & mask.wrapping_neg();
        if x & 1 != 0 {
            out |= lowest;
        }
        mask ^= lowest;
        x >>= 1;
    }
    out
}

/// The inverse of [`spread`].
#[inline(always)]
pub(crate) fn gather(c: u64, mut mask: u64) -> u32 {
    let (mut out, mut bit) = (0, 1);
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        if c & lowest != 0 {
            out |= bit;
        }
        mask ^= lowest;
        bit <<= 1;
    }
    out
}

/// The key of a cell that has a node of its own: along each coordinate divided so far its number from the lower
/// bound, or its coordinate where unbounded; and how many those are.
#[inline(always)]
fn key<L: Level>(plan: &Plan, step: &Step, p: L::Point) -> ([i32; MAX_AXES], usize) {
    let mut key = [0; MAX_AXES];
    let mut n = 0;
    for j in 0..L::Point::LEN {
        if divides(step, j) {
            key[n] = if plan.free[j] {
                div_floor(p.at(j), step.div[j])
            } else {
                (p.at(j).wrapping_sub(plan.lo[j]) as u32 / step.div[j]) as i32
            };
            n += 1;
        }
    }
    (key, n)
}

/// The node made for a cell of a hash level, or 0.
#[inline(always)]
fn find<L: Level>(core: &Core<L::Layout>, plan: &Plan, step: &Step, p: L::Point) -> u32 {
    let (key, len) = key::<L>(plan, step, p);
    let directory = &core.pool(step.content).directory;
    let headers = core.part(L::Layout::TREE.header_part(step.content)).base();
    directory.find(L::Layout::hash_key(step.level, &key[..len]), |h| {
        let origin = headers.wrapping_add(h as usize * step.header_stride as usize).cast::<i32>();
        let (mut same, mut n) = (true, 0);
        for j in 0..L::Point::LEN {
            if divides(step, j) {
                // SAFETY: a handle in the directory has a header, which holds one `i32` per axis of the grid; it was
                // written before the handle was published (`Raw::activate`) and does not change while the node lives.
                same &= unsafe { *origin.add(plan.axis[j]) } == key[n];
                n += 1;
            }
        }
        same
    })
}

/// Whether coordinate `j` is divided by this step or one above it.
#[inline(always)]
pub(crate) fn divides(step: &Step, j: usize) -> bool {
    step.size[j] != 0 || !step.first[j]
}

/// The node behind one step of indirection, or 0. `outer`: the cell of the level above, in its node.
#[inline(always)]
pub(crate) fn child<L: Level, const K: usize>(
    core: &Core<L::Layout>,
    plan: &Plan,
    p: L::Point,
    u: &[u32; MAX_AXES],
    handle: u32,
    outer: u64,
) -> u32 {
    let step = &plan.steps[K];
    match const { L::PLAN.steps[K].kind } {
        Kind::Pointer => handle_of(core, step, handle, outer * step.cells + digit::<L>(step, u)),
        Kind::Hash => find::<L>(core, plan, step, p),
        _ => unreachable!("not a step of indirection"),
    }
}

/// The cell that holds `p`; None: out of bounds. Where no node exists, the background node.
#[inline(always)]
pub(crate) fn locate<L: Level>(core: &Core<L::Layout>, p: L::Point) -> Option<Loc> {
    let plan = plan_of::<L>(core);
    let u = relative::<L>(plan, p)?;
    let mut at = Loc { handle: 0, outer: 0, digit: 0 };
    let mut cells = 1;
    for_each_step!(L, K => {
        let step = &plan.steps[K];
        let outer = at.outer * cells + at.digit;
        if const { L::PLAN.steps[K].kind.is_indirect() } {
            at = Loc { handle: child::<L, K>(core, plan, p, &u, at.handle, outer), outer: 0, digit: 0 };
            cells = 1;
        } else {
            at.outer = outer;
            at.digit = digit::<L>(step, &u);
            cells = step.cells;
        }
    });
    let _ = cells;
    Some(at)
}

/// Whether the node of a located cell exists, so that the cell can be activated by its bits alone.
#[inline(always)]
pub(crate) fn exists<L: Level>(at: &Loc) -> bool {
    (const { L::PLAN.node_kind == 0 }) || at.handle != 0
}

/// Sets the activity bits of a located cell within its node, which exists. The grid is held exclusively.
#[inline(always)]
pub(crate) fn mark_active<L: Level>(core: &mut Core<L::Layout>, at: &Loc) {
    let cell = at.outer * plan_of::<L>(core).block + at.digit;
    // SAFETY: a located cell of a node that exists; the grid is held exclusively.
    unsafe { mark_bits::<L>(core, at.handle, cell, Sharing::None) };
}

/// Which mask words of a node other threads may be writing to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// None: the node is this thread's.
    None,
    /// Those of all levels but the innermost masked one.
    Outer,
    /// All.
    All,
}

/// Sets the activity bits of cell `cell` within its node.
///
/// # Safety
/// The cell is one of an existing node. The grid is held exclusively by those who call this, and they share no other mask
/// words than `sharing` says; whoever shares one writes it through this function alone.
#[inline(always)]
pub(crate) unsafe fn mark_bits<L: Level>(core: &Core<L::Layout>, node: u32, cell: u64, sharing: Sharing) {
    if const { L::PLAN.mask_step == 0 } {
        return;
    }
    let plan = plan_of::<L>(core);
    let mut below = 1;
    for_each_step_up!(L, K => {
        if const { K >= L::PLAN.tail } {
            let step = &plan.steps[K];
            if const { matches!(L::PLAN.steps[K].kind, Kind::Bitmasked) } {
                let slot = cell / below;
                let shared = sharing == Sharing::All || sharing == Sharing::Outer && const { K + 1 != L::PLAN.mask_step };
                // SAFETY: the mask word of a cell of the level in an existing node; sharing as promised.
                unsafe { set_bits(core, step, node, slot / 64, 1 << (slot & 63), shared) };
            }
            below *= step.cells;
        }
    });
    let _ = below;
}

/// Sets bits of one mask word of a level in a node, and the summary bit of the word.
///
/// # Safety
/// As [`mark_bits`]; `bits` are those of cells of the level, at least one.
#[inline(always)]
pub(crate) unsafe fn set_bits<G: Layout>(core: &Core<G>, step: &Step, node: u32, word: u64, bits: u64, shared: bool) {
    debug_assert!(bits != 0 && (word + 1) * 8 <= step.main_stride);
    let node = node as usize;
    let mask = core.part(step.main).base().wrapping_add(node * step.main_stride as usize);
    // SAFETY: the word lies in the mask of an existing node.
    unsafe { or_word(mask.cast::<u64>().wrapping_add(word as usize), bits, shared) };
    if step.aux_stride > 0 {
        let summary = core.part(step.aux).base().wrapping_add(node * step.aux_stride as usize);
        // SAFETY: the summary word of that mask word. One summary word covers 64 mask words, so it may be shared where
        // the mask words are not.
        unsafe { or_word(summary.cast::<u64>().wrapping_add((word / 64) as usize), 1 << (word & 63), true) };
    }
}

/// # Safety
/// `word` is one of the grid's; nobody else accesses it now, or `shared` is set and they do so atomically.
#[inline(always)]
unsafe fn or_word(word: *mut u64, bits: u64, shared: bool) {
    if shared {
        // SAFETY: as promised; mask words are aligned.
        masks::set_bits(unsafe { shared_mask(word) }, bits);
    } else {
        // SAFETY: as promised.
        unsafe { *word |= bits };
    }
}

/// The handle in a slot of a pointer level.
#[inline(always)]
pub(crate) fn handle_of<G: Layout>(core: &Core<G>, step: &Step, node: u32, slot: u64) -> u32 {
    debug_assert!(slot * 4 < step.main_stride);
    let table = core.part(step.main).base().wrapping_add(node as usize * step.main_stride as usize).cast::<u32>();
    // SAFETY: `slot` is the number of a cell of the level (digits are below their sizes by `relative`), and `node` is
    // handle 0 or live, so the entry lies in the part; entries are only ever accessed as `AtomicU32` in the shared phase.
    unsafe { AtomicU32::from_ptr(table.wrapping_add(slot as usize)) }.load(Acquire)
}

/// Whether a cell that was located is active.
#[inline(always)]
pub(crate) fn is_active<L: Level>(core: &Core<L::Layout>, at: &Loc) -> bool {
    if const { L::PLAN.mask_step == 0 } {
        return const { L::PLAN.node_kind == 0 } || at.handle != 0;
    }
    let bit = mask_bit::<L>(core, at);
    // SAFETY: the bit is that of a located cell, so its word lies in the part. In the exclusive and reading phases
    // nobody writes it; the shared phase reads through `AtomicU64` there.
    unsafe { *mask_word::<L>(core, at) >> (bit & 63) & 1 != 0 }
}

/// The activity bit of a located cell in its node, where cells have them.
#[inline(always)]
fn mask_bit<L: Level>(core: &Core<L::Layout>, at: &Loc) -> u64 {
    let plan = plan_of::<L>(core);
    (at.outer * plan.block + at.digit) / plan.grain
}

/// The word of that bit; the node's first byte of the part where cells have none.
#[inline(always)]
pub(crate) fn mask_word<L: Level>(core: &Core<L::Layout>, at: &Loc) -> *mut u64 {
    let plan = plan_of::<L>(core);
    let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
    let mask = core.part(step.main).base().wrapping_add(at.handle as usize * step.main_stride as usize);
    super::word_at(mask, mask_bit::<L>(core, at))
}

/// Asks for the memory of a value that will be read or written soon.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address has no effect but on caches; SSE is part of the target.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The coordinates of cell 0 of a node.
#[inline(always)]
pub(crate) fn node_base<L: Level>(core: &Core<L::Layout>, handle: u32) -> L::Point {
    let plan = plan_of::<L>(core);
    if const { L::PLAN.node_kind == 0 } {
        return L::Point::from_fn(|j| plan.lo[j]);
    }
    let origin =
        core.part(plan.header).base().wrapping_add(handle as usize * plan.header_stride as usize).cast::<i32>();
    L::Point::from_fn(|j| {
        // SAFETY: the header of a live node holds one `i32` per axis of the grid.
        let o = unsafe { *origin.add(plan.axis[j]) };
        plan.lo[j].wrapping_add(o.wrapping_mul(plan.scale[j] as i32))
    })
}

/// The coordinates of a cell of a node, given those of its cell 0.
#[inline(always)]
pub(crate) fn decode<L: Level>(plan: &Plan, base: L::Point, cell: u64) -> L::Point {
    let mut p = [0i32; MAX_AXES];
    for j in 0..L::Point::LEN {
        p[j] = base.at(j);
    }
    let mut rest = cell;
    for_each_step_up!(L, K => {
        if const { K >= L::PLAN.tail } {
            let step = &plan.steps[K];
            let outermost = const { K == L::PLAN.tail };
            let c = if outermost { rest } else { rest % step.cells };
            if !outermost {
                rest /= step.cells;
            }
            for j in 0..L::Point::LEN {
                if step.size[j] != 0 {
                    let x = if step.morton {
                        gather(c, step.z[j])
                    } else {
                        let x = (c / step.weight[j]) as u32;
                        if step.order[0] as usize == j { x } else { x % step.size[j] }
                    };
                    p[j] = p[j].wrapping_add(x.wrapping_mul(step.div[j]) as i32);
                }
            }
        }
    });
    let _ = rest;
    L::Point::from_fn(|j| p[j])
}
