//! Topology of levels that are declared alike: pairs of nodes, word by word.

use super::combine::Change;
use super::geometry::{Geometry, Store};
use super::pairs::{Grids, Pair};
use super::source::Source;
use super::target::Target;
use super::write::{Below, mark_above, turn_on};
use crate::core::{Raw, RawMut, prefetch};
use crate::error::Exhausted;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many pairs ahead the first words of masks are asked for.
const AHEAD: usize = 8;

/// Words of masks that make a piece of parallel work.
const WORDS: u64 = 1 << 14;

/// Changes the activity of a level by that of any other with the same coordinates.
pub(super) fn change(
    raw: &mut RawMut<'_>,
    own: &Target,
    from: &Raw<'_>,
    of: &Target,
    change: Change,
) -> Result<(), Exhausted> {
    match (&own.geometry, &of.geometry) {
        (Some(g), Some(h)) if own.same_path(of) => combine(raw, g, from, h, change),
        _ => super::combine::combine(raw, own, Source::level(*from, of), change),
    }
}

/// Changes the activity of a level by that of one declared alike. `g` and `h` are the geometries of the two.
fn combine(raw: &mut RawMut<'_>, g: &Geometry, from: &Raw<'_>, h: &Geometry, change: Change) -> Result<(), Exhausted> {
    if change == Change::Add {
        return add(raw, g, from, h);
    }
    let keep = change == Change::Keep;
    // From the own nodes to those of the other grid, which is not changed.
    let grids = Grids { from: raw.shared(), to: *from, make: false };
    let holders = grids.holders(g.level, h.level)?;
    match (g.store, h.store) {
        (Store::Mask(part), Store::Mask(theirs)) => {
            let words = g.slots.div_ceil(64);
            let gone = |raw: &Raw<'_>, pair: &Pair, w: u64| {
                // SAFETY: mask words of live nodes or roots, or of the background node, whose bits are 0.
                let (own, other) = unsafe { (*raw.word(part, pair.from, w), *from.word(theirs, pair.to, w)) };
                own & if keep { !other } else { other }
            };
            turn_off(raw, g, part, &holders, words, gone);
        }
        (Store::Keyed, _) => {
            for pair in grids.below(g.level, h.level, &holders)? {
                if (pair.to != 0) != keep {
                    raw.remove_keyed(g.kind, pair.from);
                }
            }
        }
        _ => {
            let content = g.plan.node_kind;
            let plan = &g.plan;
            for pair in grids.below(g.level, h.level, &holders)? {
                if (pair.to != 0) != keep {
                    let shared = raw.shared();
                    let slot = plan.slot_above(&shared.origin(content, pair.from), g.level);
                    let parent = shared.parent(content, pair.from);
                    raw.free_slots(g.level, parent, slot, slot + 1);
                }
            }
        }
    }
    Ok(())
}

fn add(raw: &mut RawMut<'_>, g: &Geometry, from: &Raw<'_>, h: &Geometry) -> Result<(), Exhausted> {
    let shared = raw.shared();
    let grids = Grids { from: *from, to: shared, make: true };
    let holders = grids.holders(h.level, g.level)?;
    let (Store::Mask(part), Store::Mask(theirs)) = (g.store, h.store) else {
        return grids.below(h.level, g.level, &holders).map(|_| ());
    };
    let words = g.slots.div_ceil(64);
    let has_summary = shared.has_summary(g.level);
    let above = g.inner.len() > 1;
    if !has_summary && !above && words < WORDS {
        let nodes = (WORDS / words.max(1)).max(1) as usize;
        holders.par_chunks(nodes).for_each(|pairs| {
            for (i, pair) in pairs.iter().enumerate() {
                if let Some(ahead) = pairs.get(i + AHEAD) {
                    prefetch(from.word(theirs, ahead.from, 0));
                    prefetch(shared.word(part, ahead.to, 0));
                }
                let (other, own) = (from.word(theirs, pair.from, 0), shared.word(part, pair.to, 0));
                for w in 0..words as usize {
                    // SAFETY: mask words of live nodes or roots: of a grid that is borrowed, and of one that is held
                    // exclusively, where each pair is one thread's.
                    unsafe {
                        // Memory that is read before it is written to is mapped twice.
                        let old = if pair.made { 0 } else { *own.add(w) };
                        *own.add(w) = old | *other.add(w);
                    }
                }
            }
        });
        return Ok(());
    }
    let cells = g.inner.last().map_or(1, |step| step.cells);
    for_each_word(from, h.level, &holders, words, |pair, w| {
        // SAFETY: mask words of live nodes or roots: of a grid that is borrowed, and of one that is held exclusively, where each
        // word is one thread's.
        let (other, own) = unsafe { (*from.word(theirs, pair.from, w), shared.word(part, pair.to, w)) };
        if other == 0 {
            return;
        }
        if has_summary {
            turn_on(&shared, g.level, part, true, pair.to, w, other);
        } else {
            // SAFETY: as above.
            unsafe { *own |= other };
        }
        let mut left = if above { other } else { 0 };
        while left != 0 {
            let slot = w * 64 + u64::from(left.trailing_zeros());
            mark_above(&shared, &g.inner, pair.to, slot);
            // On to the next block.
            let next = (slot / cells + 1) * cells;
            left &= if next >= (w + 1) * 64 { 0 } else { u64::MAX << (next % 64) };
        }
    });
    Ok(())
}

fn turn_off(
    raw: &mut RawMut<'_>,
    g: &Geometry,
    part: usize,
    holders: &[Pair],
    words: u64,
    gone: impl Fn(&Raw<'_>, &Pair, u64) -> u64 + Sync,
) {
    let shared = raw.shared();
    let below = Below::new(&shared, g.level);
    if !below.is_deep() {
        for_each_word(&shared, g.level, holders, words, |pair, w| {
            let off = gone(&shared, pair, w);
            if off != 0 {
                below.turn_off(&shared, part, pair.from, w, off);
                below.settle(&shared, part, pair.from, w);
            }
        });
        return;
    }
    for pair in holders {
        for w in 0..words {
            let mut off = gone(&raw.shared(), pair, w);
            while off != 0 {
                raw.reset_cell(g.level, pair.from, w * 64 + u64::from(off.trailing_zeros()));
                off &= off - 1;
            }
        }
    }
}

/// Calls `f` with the words of each pair's masks that may have a bit on in the first grid, in parallel.
fn for_each_word(from: &Raw<'_>, level: usize, pairs: &[Pair], words: u64, f: impl Fn(&Pair, u64) + Sync) {
    if from.has_summary(level) {
        let part = from.meta.tree.aux_part(level);
        for pair in pairs {
            (0..words.div_ceil(64) as usize).into_par_iter().with_min_len(1 << 10).for_each(|s| {
                let s = s as u64;
                // SAFETY: a summary word of a live node or the root; whoever changes a bit of it is in this very loop.
                let mut on = unsafe { AtomicU64::from_ptr(from.word(part, pair.from, s)) }.load(Relaxed);
                while on != 0 {
                    f(pair, s * 64 + u64::from(on.trailing_zeros()));
                    on &= on - 1;
                }
            });
        }
        return;
    }
    let nodes = (WORDS / words.max(1)).max(1) as usize;
    pairs.par_chunks(nodes).for_each(|pairs| pairs.iter().for_each(|pair| (0..words).for_each(|w| f(pair, w))));
}
