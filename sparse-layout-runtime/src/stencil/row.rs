//! Rows of cells: so many at once that the compiler makes vectors of them.
//!
//! Values go through a local array, which nothing else can point to: that is what lets a closure be vectorised. Between working
//! out and storing they pass a stage behind a barrier; without it the compiler takes the blend apart into single lanes.

use super::geometry::Tiles;
use super::map::{Map, Target};
use super::shape::Shape;
use super::tile::Tile;
use crate::element::Element;
use crate::field::Lane;
use crate::layout::Level;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// Cells that are worked out at once.
pub(super) const LANES: usize = 8;

/// Where a row stands between being worked out and being stored.
pub(super) type Stage<T> = Box<[MaybeUninit<T>; LANES]>;

/// An empty stage.
pub(super) fn stage<T>() -> Stage<T> {
    Box::new([const { MaybeUninit::uninit() }; LANES])
}

/// Cells of a row that are worked out at once: all of a short one.
const fn group<L: Level>() -> usize {
    match Tiles::<L>::ROW_LEN {
        0 => LANES,
        len if len < LANES => len,
        _ => LANES,
    }
}

/// Cells of a row: a constant where it can be.
#[inline(always)]
fn len_of<L: Level>(row: &Target<L::Point>) -> usize {
    match const { Tiles::<L>::ROW_LEN } {
        0 | 65.. => row.len as usize,
        len => len,
    }
}

/// Gives every active cell of a tile the value of `f` for its old value; `f` may be called for other cells too.
///
/// # Safety
/// The tile's values are this call's alone. `ALL`: every cell of the tile is active.
#[inline(always)]
pub(super) unsafe fn for_each<L: Level, S: Shape, T: Element, const ALL: bool>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    stage: *mut [MaybeUninit<T>; LANES],
    f: impl Fn(&Target<L::Point>, usize, T) -> T,
) {
    for row in &map.targets {
        let bits = if ALL { u64::MAX } else { tile.active(row) };
        if bits == 0 {
            continue;
        }
        let first = out.nth(tile.node, row.cell);
        let stride = out.cell_stride();
        let at = |i: usize| first.wrapping_byte_add(i * stride);
        let len = len_of::<L>(row);
        let lanes = const { group::<L>() };
        let mut done = 0;
        while done + lanes <= len {
            // SAFETY: cells of the tile.
            unsafe {
                let old = load::<L, T>(at(done), lanes, stride);
                let mut new = [const { MaybeUninit::<T>::uninit() }; LANES];
                for i in 0..lanes {
                    new[i].write(f(row, done + i, old[i]));
                }
                store::<L, T, ALL>(stage, &new, at(done), bits >> done, lanes, stride);
            }
            done += lanes;
        }
        while done < len {
            if bits >> done & 1 != 0 {
                // SAFETY: a cell of the tile.
                unsafe { *at(done) = f(row, done, *at(done)) };
            }
            done += 1;
        }
    }
}

/// Calls `f` with every active cell of a tile.
///
/// # Safety
/// As [`for_each`].
#[inline(always)]
pub(super) unsafe fn for_each_active<L: Level, S: Shape, T: Element>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    stage: *mut [MaybeUninit<T>; LANES],
    f: impl Fn(&Target<L::Point>, usize, &mut T),
) {
    let lanes = const { group::<L>() };
    let every = u64::MAX >> (64 - lanes);
    for row in &map.targets {
        let mut bits = tile.active(row);
        if bits == 0 {
            continue;
        }
        let first = out.nth(tile.node, row.cell);
        let stride = out.cell_stride();
        let at = |i: usize| first.wrapping_byte_add(i * stride);
        let len = len_of::<L>(row);
        let mut done = 0;
        if const { group::<L>() > 1 } {
            while done + lanes <= len {
                if bits >> done & every == every {
                    // SAFETY: cells of the tile.
                    unsafe {
                        let old = load::<L, T>(at(done), lanes, stride);
                        let mut new = [const { MaybeUninit::<T>::uninit() }; LANES];
                        for i in 0..lanes {
                            let mut value = old[i];
                            f(row, done + i, &mut value);
                            new[i].write(value);
                        }
                        store::<L, T, true>(stage, &new, at(done), every, lanes, stride);
                    }
                    bits &= !(every << done);
                }
                done += lanes;
            }
        }
        while bits != 0 {
            let i = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            // SAFETY: a cell of the tile, which nothing else points to now.
            f(row, i, unsafe { &mut *at(i) });
        }
    }
}

/// # Safety
/// `from` and the `lanes - 1` cells behind it are cells of a row.
#[inline(always)]
unsafe fn load<L: Level, T: Element>(from: *const T, lanes: usize, stride: usize) -> [T; LANES] {
    if const { Tiles::<L>::PACKED } && lanes == LANES {
        // SAFETY: as promised.
        unsafe { from.cast::<[T; LANES]>().read() }
    } else {
        // SAFETY: as promised; lanes past the last are copies of the first.
        std::array::from_fn(|i| unsafe { *from.wrapping_byte_add(if i < lanes { i * stride } else { 0 }) })
    }
}

/// Stores the values whose bits are on.
///
/// # Safety
/// As [`load`], and the cells are this call's alone.
#[inline(always)]
unsafe fn store<L: Level, T: Element, const ALL: bool>(
    stage: *mut [MaybeUninit<T>; LANES],
    values: &[MaybeUninit<T>; LANES],
    to: *mut T,
    bits: u64,
    lanes: usize,
    stride: usize,
) {
    // SAFETY: the stage has room for a row and is this call's alone.
    unsafe { stage.write(*values) };
    let values = black_box(stage).cast::<T>().cast_const();
    if const { Tiles::<L>::PACKED } && lanes == LANES {
        // SAFETY: as promised; the barrier gives back the pointer it was given.
        unsafe {
            if ALL {
                to.cast::<[T; LANES]>().write(values.cast::<[T; LANES]>().read());
            } else {
                blend(values, to, bits);
            }
        }
    } else {
        for i in 0..lanes {
            if ALL || bits >> i & 1 != 0 {
                // SAFETY: as promised.
                unsafe { *to.wrapping_byte_add(i * stride) = *values.add(i) };
            }
        }
    }
}

/// Stores those of 8 values whose bits are on, without a branch where elements are as large as a machine word.
///
/// # Safety
/// Both point to 8 values; those behind `to` are this call's alone.
#[inline(always)]
unsafe fn blend<T: Element>(from: *const T, to: *mut T, bits: u64) {
    macro_rules! select {
        ($word:ty) => {{
            // SAFETY: elements are plain data without padding, of this size; unaligned, since they may be aligned to less.
            unsafe {
                let new = from.cast::<[$word; LANES]>().read_unaligned();
                let old = to.cast::<[$word; LANES]>().read_unaligned();
                let bits = bits as $word;
                let mixed = std::array::from_fn(|i| {
                    let on = if bits & 1 << i != 0 { <$word>::MAX } else { 0 };
                    new[i] & on | old[i] & !on
                });
                to.cast::<[$word; LANES]>().write_unaligned(mixed);
            }
        }};
    }
    match const { size_of::<T>() } {
        1 => select!(u8),
        2 => select!(u16),
        4 => select!(u32),
        8 => select!(u64),
        _ => {
            for i in 0..LANES {
                if bits >> i & 1 != 0 {
                    // SAFETY: as promised.
                    unsafe { *to.add(i) = *from.add(i) };
                }
            }
        }
    }
}
