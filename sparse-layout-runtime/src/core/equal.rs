//! Equality by topology and value.

use super::Core;
use super::bits::ones;
use super::nodes::Raw;
use crate::layout::Layout;
use crate::plan::Plan;
use crate::tree::Packing;
use rayon::prelude::*;

impl<G: Layout> PartialEq for Core<G> {
    /// Whether the same cells are active and hold the same bytes, whatever the history of the two grids. (So, unlike
    /// `==` on floats, NaN equals the same NaN, and 0.0 is not -0.0.)
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.raw(), other.raw());
        let same_bounds = a.meta.shape.lo == b.meta.shape.lo && a.meta.shape.declared == b.meta.shape.declared;
        same_bounds
            && (0..G::TREE.fields.len()).all(|f| a.background(f) == b.background(f))
            && (0..G::TREE.node_kinds()).filter(|kind| !a.meta.is_chunk(*kind)).all(|kind| {
                let (left, right) = (self.order(kind), other.order(kind));
                left.len() == right.len()
                    && left.par_iter().zip(right).all(|(&l, &r)| {
                        (kind == 0 || a.origin(kind, l) == b.origin(kind, r)) && same_node(&a, &b, kind, l, r)
                    })
            })
    }
}

/// A piece of a value.
#[derive(PartialEq)]
pub(crate) enum Piece<'a> {
    Bytes(&'a [u8]),
    Bit(bool),
}

/// Whether two nodes of a kind hold the same bits and values. Handles differ, of course.
fn same_node(a: &Raw<'_>, b: &Raw<'_>, kind: usize, l: u32, r: u32) -> bool {
    let tree = &a.meta.tree;
    let masks = |level| {
        let (main, words) = (tree.main_part(level), a.meta.shape.slots[level].div_ceil(64));
        a.mask_words(level, l).all(|w| a.read_word(main, l, w) == b.read_word(main, r, w))
            && b.mask_words(level, r).all(|w| a.read_word(main, l, w) == b.read_word(main, r, w) && w < words)
    };
    a.same_lists(b, kind, l, r)
        && a.meta.levels_in(kind).filter(|&m| tree.levels[m].kind == crate::tree::Kind::Bitmasked).all(masks)
        && a.meta.fields_in(kind).all(|f| {
            let plan = Plan::new(tree, &a.meta.shape, tree.fields[f].level);
            let same = |c| !a.exists(&plan, l, c) || a.pieces(f, l, c).eq(b.pieces(f, r, c));
            if plan.mask_step == 0 {
                return (0..plan.per_node).all(same);
            }
            let step = &plan.steps[plan.mask_step - 1];
            a.mask_words(step.level, l).all(|w| {
                ones(a.read_word(step.main, l, w)).all(|i| {
                    let first = (w * 64 + i) * plan.grain;
                    (first..first + plan.grain).all(same)
                })
            })
        })
}

impl<'a> Raw<'a> {
    /// The bytes of a field's background.
    pub(crate) fn background(&self, field: usize) -> &'a [u8] {
        // SAFETY: `Backgrounds` keeps that many bytes of the field for as long as the grid is borrowed.
        unsafe { std::slice::from_raw_parts(self.backgrounds.of(field), self.meta.tree.fields[field].size) }
    }

    /// The value of a cell in pieces: one, or one per component, or the bit as a byte.
    pub(crate) fn pieces(&self, field: usize, handle: u32, cell: u64) -> impl Iterator<Item = Piece<'a>> + use<'a> {
        let raw = *self;
        let count = match self.meta.tree.fields[field].packing {
            Packing::Split(count) => count as u64,
            _ => 1,
        };
        (0..count).map(move |i| match raw.meta.tree.fields[field].packing {
            Packing::Plain => Piece::Bytes(raw.value(field, handle, cell)),
            Packing::Bits => {
                Piece::Bit(raw.read_word(raw.meta.fields[field].part, handle, cell / 64) >> (cell % 64) & 1 != 0)
            }
            Packing::Split(_) => {
                let (at, len) = raw.component(field, handle, i, cell);
                // SAFETY: a component of a cell of a node that exists, borrowed for reading.
                Piece::Bytes(unsafe { std::slice::from_raw_parts(at, len) })
            }
        })
    }

    /// Whether a cell holds the background.
    pub(crate) fn holds_background(&self, field: usize, handle: u32, cell: u64) -> bool {
        let mut rest = self.background(field);
        self.pieces(field, handle, cell).all(|piece| match piece {
            Piece::Bit(on) => on == (rest[0] != 0),
            Piece::Bytes(bytes) => {
                let (own, after) = rest.split_at(bytes.len());
                rest = after;
                own == bytes
            }
        })
    }

    /// The bytes of a plain value. The grid is borrowed for reading.
    pub(crate) fn value(&self, field: usize, handle: u32, cell: u64) -> &'a [u8] {
        let value = self.value_ptr(field, handle, cell);
        // SAFETY: a value of a node that exists; elements are plain data, so their bytes are initialised.
        unsafe { std::slice::from_raw_parts(value, self.meta.tree.fields[field].size) }
    }

    fn read_word(&self, part: usize, handle: u32, w: u64) -> u64 {
        // SAFETY: a word of a node that exists, while the grid is borrowed for reading.
        unsafe { *self.word(part, handle, w) }
    }

    /// The numbers of the mask words of a level that may have a bit on, by its summary where it has one.
    pub(crate) fn mask_words(&self, level: usize, handle: u32) -> impl Iterator<Item = u64> + use<'a> {
        let raw = *self;
        let words = self.meta.shape.slots[level].div_ceil(64);
        let summary = self.has_summary(level).then(|| self.meta.tree.aux_part(level));
        (0..words.div_ceil(64)).flat_map(move |s| {
            let on = summary.map_or(u64::MAX, |part| raw.read_word(part, handle, s));
            let own = (words - s * 64).min(64);
            ones(on & u64::MAX >> (64 - own)).map(move |i| s * 64 + i)
        })
    }
}
