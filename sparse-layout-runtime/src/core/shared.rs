//! Cells while many threads write: the same paths, the activity bits through atomics.

use super::locate::{exists, for_each_step, locate, mask_word, plan_of, set_bits};
use super::{Core, Loc};
use crate::error::{Exhausted, WriteError};
use crate::layout::{Level, Planned};
use crate::slab::masks;
use crate::sync::shared_mask;
use crate::tree::Kind;

impl<G: crate::layout::Layout> Core<G> {
    /// Activates the path to `point`, a cell of the level. Only while the grid is shared ([`share`](Self::share)): otherwise
    /// what is cached about the topology would become stale.
    #[cold]
    #[inline(never)]
    pub(crate) fn activate_shared<L: Level<Layout = G>>(&self, point: L::Point) -> Result<Loc, Exhausted> {
        use crate::coord::Point;
        debug_assert!(self.shared);
        self.raw().activate(plan_of::<L>(self), point.as_slice())
    }
}

/// The activity bit of a located cell: its word, and the bit in it.
#[inline(always)]
fn bit_of<'a, L: Level>(core: &'a Core<L::Layout>, at: &Loc) -> (&'a crate::sync::AtomicU64, u64) {
    let (word, bit) = mask_bit_of::<L>(core, at);
    // SAFETY: the word of a located cell lies in the part; mask words are aligned, and while the grid is shared they are
    // accessed atomically alone.
    (unsafe { shared_mask(word) }, bit)
}

/// As [`bit_of`], as an address.
#[inline(always)]
pub(crate) fn mask_bit_of<L: Level>(core: &Core<L::Layout>, at: &Loc) -> (*mut u64, u64) {
    let plan = plan_of::<L>(core);
    let bit = (at.outer * plan.block + at.digit) / plan.grain;
    (mask_word::<L>(core, at), 1 << (bit & 63))
}

/// Whether a located cell is active, while others may be activating it.
#[inline(always)]
pub(crate) fn is_active_shared<L: Level>(core: &Core<L::Layout>, at: &Loc) -> bool {
    if const { L::PLAN.mask_step == 0 } {
        return exists::<L>(at);
    }
    let (word, bit) = bit_of::<L>(core, at);
    masks::is_set(word, bit)
}

/// Sets the activity bits of a located cell of a node that exists, from the outermost level in: whoever sees one
/// sees those above it.
#[inline(always)]
pub(crate) fn mark_shared<L: Level>(core: &Core<L::Layout>, at: &Loc) {
    if is_active_shared::<L>(core, at) {
        return;
    }
    let plan = plan_of::<L>(core);
    let cell = at.outer * plan.block + at.digit;
    let mut below = plan.per_node;
    for_each_step!(L, K => {
        if const { K >= L::PLAN.tail } {
            let step = &plan.steps[K];
            below /= step.cells;
            if const { matches!(L::PLAN.steps[K].kind, Kind::Bitmasked) } {
                let slot = cell / below;
                // SAFETY: a mask word of a level in a node that exists; everyone who writes it does so here or in
                // `Raw::set_bit`, atomically.
                unsafe { set_bits(core, step, at.handle, slot / 64, 1 << (slot & 63), true) };
            }
        }
    });
    let _ = below;
}

/// The cell that holds `p`, active; `name` is what errors call the field or level.
#[inline(always)]
pub(crate) fn reach<L: Level>(
    core: &Core<L::Layout>,
    p: L::Point,
    name: impl FnOnce() -> &'static str,
) -> Result<Loc, WriteError> {
    match locate::<L>(core, p) {
        Some(at) if exists::<L>(&at) => {
            mark_shared::<L>(core, &at);
            Ok(at)
        }
        Some(_) => Ok(core.activate_shared::<L>(p)?),
        None => Err(core.out_of_bounds_of::<L>(name(), p).into()),
    }
}
