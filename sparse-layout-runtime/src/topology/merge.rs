//! The union of two grids of one layout, values included.
//!
//! Nodes are paired, level by level; then the masks of each pair are united a word at a time, and the values of the cells that
//! this turns on are copied, row by row.

use super::lanes::Copier;
use super::pairs::{Grids, Pair, ROOTS};
use super::write::turn_on;
use crate::core::{Raw, RawMut};
use crate::error::Exhausted;
use crate::plan::Plan;
use crate::struct_for::features::{Work, dispatch};
use crate::tree::Kind;
use rayon::prelude::*;

/// Words of a mask that are united as one piece of parallel work.
const WORDS: u64 = 1 << 12;

/// Makes every cell of `from` active in `to` too; those that were not hold the value from there.
pub(super) fn merge(from: &Raw<'_>, to: &mut RawMut<'_>) -> Result<(), Exhausted> {
    let tree = &from.meta.tree;
    let mut pairs: Vec<Vec<Pair>> = vec![Vec::new(); tree.node_kinds()];
    for kind in (0..tree.node_kinds()).filter(|kind| !from.meta.is_chunk(*kind)) {
        pairs[kind] = if kind == 0 {
            vec![ROOTS]
        } else {
            let maker = tree.maker(kind);
            let grids = Grids { from: *from, to: to.shared(), make: true };
            grids.below(maker, maker, &pairs[tree.holder(maker)])?
        };
        // What is active here already keeps its values, so this comes before nodes are made below, which marks the cells above
        // them as active.
        merge_lists(from, to, kind, &pairs[kind])?;
        merge_nodes(from, &to.shared(), kind, &pairs[kind]);
    }
    Ok(())
}

/// A masked level, and the fields whose cells its bits decide on.
struct Mask {
    level: usize,
    part: usize,
    words: u64,
    has_summary: bool,
    fields: Vec<Copier>,
}

/// What there is to do for the nodes of one kind.
struct Task<'a> {
    from: Raw<'a>,
    to: Raw<'a>,
    masks: Vec<Mask>,
    /// Fields of cells that are active as soon as their node exists, and how many there are of them in a node.
    whole: Vec<(Copier, u64)>,
}

fn merge_nodes(from: &Raw<'_>, to: &Raw<'_>, kind: usize, pairs: &[Pair]) {
    let (tree, shape) = (&from.meta.tree, &from.meta.shape);
    let mut task = Task { from: *from, to: *to, masks: Vec::new(), whole: Vec::new() };
    for level in from.meta.levels_in(kind).filter(|&l| tree.levels[l].kind == Kind::Bitmasked) {
        let words = shape.slots[level].div_ceil(64);
        let part = tree.main_part(level);
        task.masks.push(Mask { level, part, words, has_summary: from.has_summary(level), fields: Vec::new() });
    }
    for field in from.meta.fields_in(kind) {
        let plan = Plan::new(tree, shape, tree.fields[field].level);
        let copier = Copier::new(from, to, field, plan.grain);
        match plan.mask_step {
            0 => task.whole.push((copier, plan.per_node)),
            n => {
                let level = plan.steps[n - 1].level;
                task.masks.iter_mut().filter(|m| m.level == level).for_each(|m| m.fields.push(copier));
            }
        }
    }
    if task.masks.is_empty() && task.whole.is_empty() {
        return;
    }
    if kind > 0 {
        let most = task.masks.iter().map(|m| m.words).sum::<u64>().max(1);
        let nodes = (WORDS / most).max(1) as usize;
        pairs.par_chunks(nodes).for_each(|pairs| dispatch(Nodes { task: &task, pairs }));
        return;
    }
    // The root may be large: by words, of which the summary says which are worth a look.
    for mask in &task.masks {
        let of_piece = |piece: u64| {
            let words = piece * WORDS..mask.words.min((piece + 1) * WORDS);
            dispatch(Words { task: &task, mask, pair: ROOTS, words });
        };
        (0..mask.words.div_ceil(WORDS)).into_par_iter().filter(|piece| mask.may_hold(from, *piece)).for_each(of_piece);
    }
}

impl Mask {
    /// Whether the root has a bit on in a piece of [`WORDS`] words.
    fn may_hold(&self, from: &Raw<'_>, piece: u64) -> bool {
        let aux = from.meta.tree.aux_part(self.level);
        let summary = piece * WORDS / 64..self.words.min((piece + 1) * WORDS).div_ceil(64);
        // SAFETY: summary words of the root of a grid that is borrowed.
        !self.has_summary || summary.into_iter().any(|s| unsafe { *from.word(aux, 0, s) } != 0)
    }
}

/// Some pairs of nodes.
struct Nodes<'a> {
    task: &'a Task<'a>,
    pairs: &'a [Pair],
}

impl Work for Nodes<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Task { from, to, masks, whole } = self.task;
        for &pair in self.pairs {
            if pair.made {
                whole.iter().for_each(|(field, cells)| field.cells(from, pair.from, to, pair.to, 0, *cells));
            }
            for mask in masks {
                Words { task: self.task, mask, pair, words: 0..mask.words }.run();
            }
        }
    }
}

/// Some words of the masks of a pair.
struct Words<'a> {
    task: &'a Task<'a>,
    mask: &'a Mask,
    pair: Pair,
    words: std::ops::Range<u64>,
}

impl Work for Words<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Words { task: Task { from, to, .. }, mask, pair, words } = self;
        for w in words {
            // SAFETY: words of the masks of live nodes or roots: one of a grid that is borrowed, and one of a grid that is held
            // exclusively, whose words are given to one thread each.
            let (theirs, own) = unsafe { (*from.word(mask.part, pair.from, w), to.word(mask.part, pair.to, w)) };
            if theirs == 0 {
                continue;
            }
            // In a node that was made nothing is on. Memory that is read before it is written to is mapped twice.
            // SAFETY: as above.
            let old = if pair.made { 0 } else { unsafe { *own } };
            let new = theirs & !old;
            if new == 0 {
                continue;
            }
            for field in &mask.fields {
                field.word(from, to, &pair, w, new);
            }
            if mask.has_summary {
                turn_on(to, mask.level, mask.part, true, pair.to, w, new);
            } else {
                // SAFETY: as above.
                unsafe { *own = old | new };
            }
        }
    }
}

/// Copies the lists of cells that are not active in `to`.
fn merge_lists(from: &Raw<'_>, to: &mut RawMut<'_>, kind: usize, pairs: &[Pair]) -> Result<(), Exhausted> {
    let lists: Vec<_> = from.lists_in(kind).collect();
    for (level, plan) in lists {
        let above = Plan::new(&from.meta.tree, &from.meta.shape, level);
        for pair in pairs {
            for slot in 0..from.meta.shape.slots[level] {
                let is_active = match above.mask_step {
                    0 => kind == 0 || !pair.made,
                    n => {
                        let bit = slot / above.grain;
                        // SAFETY: a mask word of a live node or the root, of a grid that is held exclusively.
                        unsafe { *to.shared().word(above.steps[n - 1].main, pair.to, bit / 64) >> (bit % 64) & 1 != 0 }
                    }
                };
                // SAFETY: the length of a list of a live node, of a grid that is borrowed.
                let len = u64::from(unsafe { *from.list_len(&plan, pair.from, slot) });
                if is_active || len == 0 {
                    continue;
                }
                for i in (0..len).step_by(plan.chunk as usize) {
                    // SAFETY: as above: an entry of the list's chunk table.
                    let source = unsafe { *from.list_chunk(&plan, pair.from, slot, i / plan.chunk) };
                    let target = to.chunk_for(&plan, pair.to, slot, i)?;
                    let items = plan.chunk.min(len - i);
                    for field in from.meta.fields_in(plan.content) {
                        Copier::new(from, &to.shared(), field, 1).cells(from, source, &to.shared(), target, 0, items);
                    }
                    to.shared().mark_places(plan.content, target, 0, items, true);
                }
                // SAFETY: the length of a list of a live node; the grid is held exclusively.
                unsafe { *to.shared().list_len(&plan, pair.to, slot) = len as u32 };
            }
        }
    }
    Ok(())
}
