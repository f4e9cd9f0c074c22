//! Rows of cells: so many at once that the compiler makes vectors of them.
//!
//! Values go through a local array, which nothing else can point to: that is what lets a closure be vectorised. Elements that are no
//! machine words pass a stage behind a barrier between working out and storing; without it the compiler takes the blend apart into
//! single lanes.

use super::geometry::Tiles;
use super::input::Inputs;
use super::map::{Map, Target};
use super::shape::Shape;
use super::tile::Tile;
use crate::coord::Point;
use crate::core::{EIGHT, blend, is_word, load_eight};
use crate::element::Element;
use crate::field::Lane;
use crate::layout::Level;
use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Cells that are worked out at once.
pub(super) const LANES: usize = EIGHT;

/// Where a row stands between being worked out and being stored.
pub(super) type Stage<T> = Box<[MaybeUninit<T>; LANES]>;

/// An empty stage.
pub(super) fn stage<T>() -> Stage<T> {
    Box::new([const { MaybeUninit::uninit() }; LANES])
}

/// A cell of a row, or the first of some.
pub(super) struct Cell<'a, P> {
    row: &'a Target<P>,
    /// Its number in the row.
    number: usize,
    /// Its place in a buffer.
    pub(super) place: usize,
}

impl<'a, P: Point> Cell<'a, P> {
    #[inline(always)]
    fn new(row: &'a Target<P>, number: usize) -> Self {
        Cell { row, number, place: row.from as usize + number }
    }

    /// Its coordinates.
    #[inline(always)]
    pub(super) fn point<L: Level<Point = P>>(&self, tile: &Tile<'_, L>) -> P {
        tile.point(self.row, self.number)
    }
}

/// What is done with each cell, or with some that are worked out at once.
///
/// No closure: that cannot be marked as always inlined, and adds its own cost to that of the user's closure, which the compiler
/// weighs. What is out of line is not compiled for this processor.
pub(super) trait Body<L: Level, V> {
    fn call(&self, cell: &Cell<'_, L::Point>, value: &mut V);
}

/// A loop, and the tile that it is at.
pub(super) struct At<'a, L: Level, S, I: Inputs<L>, K> {
    pub(super) kernel: &'a K,
    pub(super) tile: &'a Tile<'a, L>,
    pub(super) buffers: &'a I::Buffers,
    pub(super) shape: PhantomData<S>,
}

/// Cells of a row that are worked out at once: all of a short one.
const fn group<L: Level>() -> usize {
    match Tiles::<L>::ROW_LEN {
        0 => LANES,
        len if len < LANES => len,
        _ => LANES,
    }
}

/// Whether every row has whole groups of that many cells.
const fn has_whole_groups<L: Level>() -> bool {
    matches!(Tiles::<L>::ROW_LEN, 1..=64) && Tiles::<L>::ROW_LEN.is_multiple_of(group::<L>())
}

/// Cells of a row: a constant where it can be.
#[inline(always)]
fn len_of<L: Level>(row: &Target<L::Point>) -> usize {
    match const { Tiles::<L>::ROW_LEN } {
        0 | 65.. => row.len as usize,
        len => len,
    }
}

/// Which bytes of a word have a bit on: byte `i` in bit `i`.
#[inline(always)]
fn bytes_of(word: u64) -> u64 {
    // The bits of each byte are gathered in its lowest one, and those brought together by a multiplication.
    let t = word | word >> 4;
    let t = t | t >> 2;
    let t = (t | t >> 1) & 0x0101_0101_0101_0101;
    t.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The bytes with a number in `bytes`, all ones.
#[inline(always)]
fn ones_in(bytes: u64) -> u64 {
    // Bit `i` to the lowest one of byte `i`: copies of all bits, of which each byte keeps its own.
    let t = bytes.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let t = t | t >> 4;
    let t = t | t >> 2;
    ((t | t >> 1) & 0x0101_0101_0101_0101).wrapping_mul(0xFF)
}

/// Which of the rows whose bits a word holds have a bit on: row `i` in bit `i`.
#[inline(always)]
fn rows_of<L: Level>(word: u64) -> u64 {
    let row = const { Tiles::<L>::EVEN_ROW };
    if row == LANES {
        return bytes_of(word);
    }
    let low = u64::MAX >> (64 - row);
    let mut rows = 0;
    for i in 0..64 / row {
        rows |= u64::from(word >> (i * row) & low != 0) << i;
    }
    rows
}

/// Runs a block with each row of a tile that has an active cell, and its bits.
///
/// The rows are found first, 64 at a time, so that no branch depends on a single row's bits. A macro, since a closure around the
/// user's would have to be inlined too.
macro_rules! for_each_row {
    ($tile:ident, $map:ident, |$target:ident, $bits:ident| $block:block) => {
        if const { Tiles::<L>::EVEN_ROW > 0 } {
            let row = const { Tiles::<L>::EVEN_ROW };
            let words = const { Tiles::<L>::WORDS };
            for first in (0..words).step_by(row) {
                let mut rows = 0;
                for w in 0..row.min(words - first) {
                    rows |= rows_of::<L>($tile.word(first + w)) << (w * (64 / row) % 64);
                }
                while rows != 0 {
                    let i = first * (64 / row) + rows.trailing_zeros() as usize;
                    rows &= rows - 1;
                    debug_assert!($map.targets[i].cell == (i * row) as u64);
                    // SAFETY: rows fill the node's mask evenly, so there is one for each of its bits.
                    let $target = unsafe { $map.targets.get_unchecked(i) };
                    let $bits = $tile.active_in(i);
                    $block
                }
            }
        } else {
            for $target in &$map.targets {
                let $bits = $tile.active($target);
                if $bits != 0 {
                    $block
                }
            }
        }
    };
}

/// What the body makes of the values of the cells of a group.
#[inline(always)]
fn work_out<L: Level, T: Element>(
    mut values: [T; LANES],
    row: &Target<L::Point>,
    first: usize,
    body: &impl Body<L, T>,
) -> [MaybeUninit<T>; LANES] {
    let lanes = const { group::<L>() };
    let mut new = [const { MaybeUninit::<T>::uninit() }; LANES];
    // Spelled out, since loops with long bodies are not unrolled.
    macro_rules! one {
        ($($i:expr),*) => { $(
            if $i < lanes {
                body.call(&Cell::new(row, first + $i), &mut values[$i]);
                new[$i].write(values[$i]);
            }
        )* };
    }
    if const { is_word::<T>() } {
        one!(0, 1, 2, 3, 4, 5, 6, 7);
    } else {
        for i in 0..lanes {
            one!(i);
        }
    }
    new
}

/// Calls the body with every active cell of a tile and its value, and perhaps with other cells too, whose values are dropped.
///
/// # Safety
/// The tile's values are this call's alone. `all`: every cell of the tile is active.
#[inline(always)]
pub(super) unsafe fn for_each<L: Level, S: Shape, T: Element>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    stage: *mut [MaybeUninit<T>; LANES],
    all: bool,
    body: &impl Body<L, T>,
) {
    let stride = out.cell_stride();
    let lanes = const { group::<L>() };
    for_each_row!(tile, map, |row, bits| {
        let first = out.nth(tile.node, row.cell);
        let at = |i: usize| first.wrapping_byte_add(i * stride);
        let len = len_of::<L>(row);
        let mut done = 0;
        while done + lanes <= len {
            // SAFETY: cells of the tile.
            unsafe {
                let new = work_out(load::<L, T>(at(done), lanes, stride), row, done, body);
                store::<L, T>(stage, &new, at(done), bits >> done, all, lanes, stride);
            }
            done += lanes;
        }
        while const { !has_whole_groups::<L>() } && done < len {
            if bits >> done & 1 != 0 {
                // SAFETY: a cell of the tile, which nothing else points to now.
                body.call(&Cell::new(row, done), unsafe { &mut *at(done) });
            }
            done += 1;
        }
    });
}

/// As [`for_each`] for groups of lanes: the body is given the first cell of each. Lanes past a row's end are dropped.
///
/// # Safety
/// As [`for_each`].
#[inline(always)]
pub(super) unsafe fn for_each_lanes<L: Level, S: Shape, T: Element>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    stage: *mut [MaybeUninit<T>; LANES],
    all: bool,
    body: &impl Body<L, [T; LANES]>,
) {
    let stride = out.cell_stride();
    for_each_row!(tile, map, |row, bits| {
        let first = out.nth(tile.node, row.cell);
        let len = len_of::<L>(row);
        let mut done = 0;
        while done < len {
            let lanes = LANES.min(len - done);
            let at = first.wrapping_byte_add(done * stride);
            // SAFETY: cells of the tile.
            unsafe {
                let mut values = load::<L, T>(at, lanes, stride);
                body.call(&Cell::new(row, done), &mut values);
                store::<L, T>(stage, &values.map(MaybeUninit::new), at, bits >> done, all, lanes, stride);
            }
            done += LANES;
        }
    });
}

/// Copies the values of a tile; `place` says where to.
///
/// # Safety
/// As [`for_each`]; `to` has room for the tile's cells.
#[inline(always)]
pub(super) unsafe fn read<L: Level, S: Shape, T: Element>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    to: *mut T,
    place: impl Fn(L::Point) -> usize,
) {
    let stride = out.cell_stride();
    for row in &map.targets {
        let first = out.nth(tile.node, row.cell).cast_const();
        let to = to.wrapping_add(place(row.at));
        let len = len_of::<L>(row);
        if const { Tiles::<L>::PACKED } {
            // SAFETY: as promised; cells of a row stand side by side.
            unsafe { std::ptr::copy_nonoverlapping(first, to, len) };
        } else {
            for i in 0..len {
                // SAFETY: as promised.
                unsafe { *to.add(i) = *first.wrapping_byte_add(i * stride) };
            }
        }
    }
}

/// Stores the values of a tile's active cells; `place` says where they stand.
///
/// # Safety
/// As [`for_each`]; behind the last value there is room for a row of lanes.
#[inline(always)]
pub(super) unsafe fn write<L: Level, S: Shape, T: Element>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    from: *const T,
    place: impl Fn(L::Point) -> usize,
    all: bool,
) {
    let stride = out.cell_stride();
    for_each_row!(tile, map, |row, bits| {
        let first = out.nth(tile.node, row.cell);
        let from = from.wrapping_add(place(row.at));
        let len = len_of::<L>(row);
        let mut done = 0;
        while done < len {
            let at = first.wrapping_byte_add(done * stride);
            // SAFETY: cells of the tile.
            unsafe {
                store_from::<L, T>(from.add(done), at, bits >> done, all, LANES.min(len - done), stride);
            }
            done += LANES;
        }
    });
}

/// Calls the body with every active cell of a tile and its value, and with no other.
///
/// # Safety
/// As [`for_each`].
#[inline(always)]
pub(super) unsafe fn for_each_active<L: Level, S: Shape, T: Element>(
    out: &Lane<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    stage: *mut [MaybeUninit<T>; LANES],
    body: &impl Body<L, T>,
) {
    let stride = out.cell_stride();
    let lanes = const { group::<L>() };
    let every = u64::MAX >> (64 - lanes);
    // Rows whose lanes are all on, at once.
    let whole = |row: &Target<L::Point>, done: usize| {
        let at = out.nth(tile.node, row.cell).wrapping_byte_add(done * stride);
        // SAFETY: cells of the tile.
        unsafe {
            let new = work_out(load::<L, T>(at, lanes, stride), row, done, body);
            store::<L, T>(stage, &new, at, every, true, lanes, stride);
        }
    };
    let single = |at: *mut T, row: &Target<L::Point>, i: usize, place: usize| {
        // SAFETY: a cell of the tile, which nothing else points to now.
        body.call(&Cell { row, number: i, place }, unsafe { &mut *at });
    };
    if const { Tiles::<L>::EVEN_ROW >= LANES } {
        let row = const { Tiles::<L>::EVEN_ROW };
        // SAFETY: rows fill the node's mask evenly, so every bit is that of a cell of one.
        let row_of = |cell: usize| unsafe { map.targets.get_unchecked(cell / row) };
        // How long a loop is, is hard to foresee: one for eight words of whole rows, one for single cells of all rows of a word.
        for first in (0..const { Tiles::<L>::WORDS }).step_by(8) {
            let words = first..(first + 8).min(const { Tiles::<L>::WORDS });
            let mut whole_rows = 0;
            for w in words.clone() {
                whole_rows |= (!bytes_of(!tile.word(w)) & 0xFF) << (w % 8 * 8);
            }
            let whole_bytes = whole_rows.to_le_bytes();
            while whole_rows != 0 {
                let cell = first * 64 + whole_rows.trailing_zeros() as usize * LANES;
                whole_rows &= whole_rows - 1;
                whole(row_of(cell), cell % row);
            }
            for w in words {
                let mut bits = tile.word(w) & !ones_in(u64::from(whole_bytes[w % 8]));
                while bits != 0 {
                    let cell = w * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    debug_assert!(map.cells[cell] as usize == row_of(cell).from as usize + cell % row);
                    // SAFETY: there is a place for every cell of the tile.
                    let place = unsafe { *map.cells.get_unchecked(cell) };
                    single(out.nth(tile.node, cell as u64), row_of(cell), cell % row, place as usize);
                }
            }
        }
    } else {
        for row in &map.targets {
            let mut bits = tile.active(row);
            if bits == 0 {
                continue;
            }
            let mut done = 0;
            while const { group::<L>() > 1 } && done + lanes <= len_of::<L>(row) {
                if bits >> done & every == every {
                    whole(row, done);
                    bits &= !(every << done);
                }
                done += lanes;
            }
            while bits != 0 {
                let i = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let at = out.nth(tile.node, row.cell).wrapping_byte_add(i * stride);
                single(at, row, i, row.from as usize + i);
            }
        }
    }
}

/// # Safety
/// `from` and the `lanes - 1` cells behind it are cells of a row.
#[inline(always)]
unsafe fn load<L: Level, T: Element>(from: *const T, lanes: usize, stride: usize) -> [T; LANES] {
    if const { Tiles::<L>::PACKED } && lanes == LANES {
        // SAFETY: as promised.
        unsafe { load_eight(from) }
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
unsafe fn store<L: Level, T: Element>(
    stage: *mut [MaybeUninit<T>; LANES],
    values: &[MaybeUninit<T>; LANES],
    to: *mut T,
    bits: u64,
    all: bool,
    lanes: usize,
    stride: usize,
) {
    let values = if const { is_word::<T>() } {
        values.as_ptr().cast::<T>()
    } else {
        // SAFETY: the stage has room for a row and is this call's alone.
        unsafe { stage.write(*values) };
        // The barrier gives back the pointer it was given.
        black_box(stage).cast::<T>().cast_const()
    };
    // SAFETY: passed on.
    unsafe { store_from::<L, T>(values, to, bits, all, lanes, stride) };
}

/// As [`store`], from where values stand side by side.
///
/// # Safety
/// As [`store`]; there are `lanes` values.
#[inline(always)]
unsafe fn store_from<L: Level, T: Element>(
    values: *const T,
    to: *mut T,
    bits: u64,
    all: bool,
    lanes: usize,
    stride: usize,
) {
    if const { Tiles::<L>::PACKED } && lanes == LANES {
        // SAFETY: as promised.
        unsafe {
            if all {
                to.cast::<[T; LANES]>().write(values.cast::<[T; LANES]>().read());
            } else {
                blend(values, to, bits);
            }
        }
    } else {
        for i in 0..lanes {
            if all || bits >> i & 1 != 0 {
                // SAFETY: as promised.
                unsafe { *to.wrapping_byte_add(i * stride) = *values.add(i) };
            }
        }
    }
}
