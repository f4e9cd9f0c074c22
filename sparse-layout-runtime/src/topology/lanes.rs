//! Copying the values of some of the cells of a node to the same cells of another grid's.

use super::pairs::Pair;
use crate::core::{EIGHT, Raw, blend};
use crate::tree::{Packing, Storage};

/// How the values of a field are copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copier {
    field: usize,
    /// Cells of the field that one activity bit stands for.
    grain: u64,
    part: usize,
    size: usize,
    /// Values stand side by side in a node, one a bit, in whole words.
    plain: bool,
    /// Whether inactive cells hold the same in both grids.
    same_background: bool,
}

impl Copier {
    /// For a field of two grids of the same layout.
    pub(super) fn new(from: &Raw<'_>, to: &Raw<'_>, field: usize, grain: u64) -> Self {
        let decl = &from.meta.tree.fields[field];
        let cells = from.meta.shape.per_node(&from.meta.tree, decl.level);
        let side_by_side = decl.packing == Packing::Plain && from.meta.tree.storage(decl.level) == Storage::Soa;
        let plain = side_by_side && grain == 1 && cells.is_multiple_of(64);
        let same_background = from.backgrounds.is_same(to.backgrounds, field);
        Copier { field, grain, part: from.meta.fields[field].part, size: decl.size, plain, same_background }
    }

    /// Copies the values of the cells behind the bits `on` of word `w` of a mask.
    #[inline(always)]
    pub(super) fn word(&self, from: &Raw<'_>, to: &Raw<'_>, pair: &Pair, w: u64, on: u64) {
        if self.plain && matches!(self.size, 1 | 2 | 4 | 8) {
            let at = (w * 64) as usize * self.size;
            let source = from.parts[self.part].node(pair.from).wrapping_add(at).cast_const();
            let target = to.parts[self.part].node(pair.to).wrapping_add(at);
            // In a node that was made now nothing else is on: rows are copied whole. Memory that is read before it is written
            // to is mapped twice.
            let on = if pair.made && self.same_background { whole_rows(on) } else { on };
            // SAFETY: 64 values of that size of a field in a live node of each grid: of `from`, which is borrowed, and of `to`,
            // where this thread alone has the cells of the word. Elements are plain data of an alignment no larger than their
            // size, and a node's values begin at a multiple of 64 bytes or of all they take (`plan::storage`).
            unsafe {
                match self.size {
                    1 => select::<u8>(target, source, on),
                    2 => select::<u16>(target, source, on),
                    4 => select::<u32>(target, source, on),
                    _ => select::<u64>(target, source, on),
                }
            }
            return;
        }
        let mut left = on;
        while left != 0 {
            let first = left.trailing_zeros();
            let len = (left >> first).trailing_ones();
            left &= u64::MAX.checked_shl(first + len).unwrap_or(0);
            let first = w * 64 + u64::from(first);
            self.cells(from, pair.from, to, pair.to, first * self.grain, (first + u64::from(len)) * self.grain);
        }
    }

    /// Copies the values of the cells `first..end` of a node.
    pub(super) fn cells(&self, from: &Raw<'_>, source: u32, to: &Raw<'_>, target: u32, first: u64, end: u64) {
        match from.meta.tree.fields[self.field].packing {
            Packing::Plain if self.plain => {
                let (a, b) = (from.value_ptr(self.field, source, first), to.value_ptr(self.field, target, first));
                // SAFETY: values that stand side by side in a live node of each grid; as in `word`.
                unsafe { std::ptr::copy_nonoverlapping(a, b, (end - first) as usize * self.size) };
            }
            Packing::Plain => {
                for cell in first..end {
                    let (a, b) = (from.value_ptr(self.field, source, cell), to.value_ptr(self.field, target, cell));
                    // SAFETY: as above, one value at a time.
                    unsafe { std::ptr::copy_nonoverlapping(a, b, self.size) };
                }
            }
            Packing::Split(count) => {
                for i in 0..count as u64 {
                    for cell in first..end {
                        let (a, len) = from.component(self.field, source, i, cell);
                        let (b, _) = to.component(self.field, target, i, cell);
                        // SAFETY: as above, one component at a time.
                        unsafe { std::ptr::copy_nonoverlapping(a, b, len) };
                    }
                }
            }
            Packing::Bits => {
                for (w, bits) in crate::core::bit_range(first, end) {
                    // SAFETY: words of the field's bits in a live node of each grid; blocks of one node may share a word, and
                    // then belong to one thread.
                    unsafe {
                        let value = *from.word(self.part, source, w);
                        let own = to.word(self.part, target, w);
                        *own = *own & !bits | value & bits;
                    }
                }
            }
        }
    }
}

/// The rows of eight with a bit on, all ones.
#[inline(always)]
fn whole_rows(on: u64) -> u64 {
    let t = on | on >> 4;
    let t = t | t >> 2;
    ((t | t >> 1) & 0x0101_0101_0101_0101) * 0xFF
}

/// Copies those of 64 values whose bit is on, in rows of eight.
///
/// # Safety
/// Both point to 64 values of a type without padding, aligned; those of `target` are this thread's alone.
#[inline(always)]
unsafe fn select<T: Copy>(target: *mut u8, source: *const u8, on: u64) {
    let (target, source) = (target.cast::<T>(), source.cast::<T>());
    debug_assert!(target.is_aligned() && source.is_aligned());
    for first in (0..64).step_by(EIGHT) {
        let on = on >> first & 0xFF;
        if on == 0 {
            continue;
        }
        // SAFETY: as promised.
        unsafe {
            let (own, theirs) = (target.add(first), source.add(first));
            if on == 0xFF {
                std::ptr::copy_nonoverlapping(theirs, own, EIGHT);
            } else {
                blend(theirs, own, on);
            }
        }
    }
}
