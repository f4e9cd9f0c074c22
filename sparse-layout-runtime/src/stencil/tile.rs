//! One tile of one node: which of its cells are active, and filling the buffer.

use super::boundary::{Boundary, WithBoundary};
use super::geometry::{Buffer, Tiles};
use super::map::{Map, Source, Target, is_root};
use super::shape::Shape;
use crate::coord::Point;
use crate::core::{Core, Path, is_inside, node_base, plan_of, prefetch, word_at};
use crate::element::Element;
use crate::field::Lane;
use crate::layout::{Level, Planned};
use crate::plan::Plan;
use crate::tree::MAX_AXES;
use std::marker::PhantomData;

/// A tile of a live node.
pub struct Tile<'a, L: Level> {
    pub(super) core: &'a Core<L::Layout>,
    pub(super) node: u32,
    /// The handles of the node and of those around it.
    pub(super) handles: &'a [u32],
    /// The coordinates of the node's cell 0, and of the tile's.
    pub(super) base: L::Point,
    pub(super) first: L::Point,
    /// A node further on in the order, whose values are asked for while this one's are copied.
    pub(super) ahead: u32,
    /// The node's mask, where cells have bits.
    mask: *const u64,
    /// Whether cells of the tile may lie past the bounds.
    cut: bool,
}

impl<L: Level> std::fmt::Debug for Tile<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tile").field("node", &self.node).field("first", &self.first).finish_non_exhaustive()
    }
}

impl<'a, L: Level> Tile<'a, L> {
    /// # Safety
    /// The node is alive; nobody writes masks during `'a`.
    #[inline(always)]
    pub(super) unsafe fn new<S: Shape>(
        core: &'a Core<L::Layout>,
        node: u32,
        handles: &'a [u32],
        ahead: u32,
        map: &Map<L, S>,
    ) -> Self {
        let plan = plan_of::<L>(core);
        let base = node_base::<L>(core, node);
        let first = L::Point::from_fn(|j| base.at(j).wrapping_add(map.start.at(j)));
        let step = &plan.steps[const { L::PLAN.mask_step.saturating_sub(1) }];
        let mask = core.part(step.main).base().wrapping_add(node as usize * step.main_stride as usize);
        // Levels with bits of their own have none on past the bounds.
        let cut = plan.clipped && const { L::PLAN.mask_step == 0 || L::PLAN.mask_step != L::PLAN.n };
        Tile { core, node, handles, base, first, ahead, mask: mask.cast(), cut }
    }

    /// The activity of the `i`-th row's cells, where rows fill words evenly.
    #[inline(always)]
    pub(super) fn active_in(&self, i: usize) -> u64 {
        let row = const { Tiles::<L>::EVEN_ROW };
        debug_assert!(row > 0 && i < const { Tiles::<L>::WORDS } * 64 / row);
        if row == 8 && cfg!(target_endian = "little") {
            // SAFETY: a byte of the mask of a live node; nobody writes masks now.
            return u64::from(unsafe { *self.mask.cast::<u8>().add(i) });
        }
        self.word(i * row / 64) >> (i * row % 64) & (u64::MAX >> (64 - row))
    }

    /// The activity of a row's cells, bit `i` for the `i`-th.
    #[inline(always)]
    pub(super) fn active(&self, row: &Target<L::Point>) -> u64 {
        let low = u64::MAX >> (64 - row.len);
        let mut bits = low;
        if const { L::PLAN.mask_step > 0 } {
            let grain = plan_of::<L>(self.core).grain;
            // SAFETY: the mask word of a cell of a live node; nobody writes masks now.
            let word = |bit: u64| unsafe { *word_at(self.mask.cast_mut().cast(), bit) };
            if grain > 1 {
                // A row lies in one block, below one cell of the masked level.
                let bit = row.cell / grain;
                bits = if word(bit) >> (bit % 64) & 1 != 0 { low } else { 0 };
            } else {
                bits = word(row.cell) >> (row.cell % 64);
                if row.cell % 64 + u64::from(row.len) > 64 {
                    bits |= word(row.cell + 64) << (64 - row.cell % 64);
                }
                bits &= low;
            }
        }
        if self.cut && bits != 0 {
            let plan = plan_of::<L>(self.core);
            for i in 0..row.len {
                let p = self.point(row, i as usize);
                if !is_inside::<L>(plan, self.base, p) {
                    bits &= !(1 << i);
                }
            }
        }
        bits
    }

    /// Whether any cell is active, and whether all are.
    #[inline(always)]
    pub(super) fn any_and_all<S: Shape>(&self, map: &Map<L, S>) -> (bool, bool) {
        if const { Tiles::<L>::EVEN_ROW > 0 } {
            let (mut or, mut and) = (0, u64::MAX);
            for w in 0..const { Tiles::<L>::WORDS } {
                let word = self.word(w);
                or |= word;
                and &= word;
            }
            return (or != 0, and == u64::MAX);
        }
        if const { L::PLAN.mask_step == 0 } && !self.cut {
            return (true, true);
        }
        let (mut any, mut all) = (false, true);
        for row in &map.targets {
            let bits = self.active(row);
            any |= bits != 0;
            all &= bits == u64::MAX >> (64 - row.len);
        }
        (any, all)
    }

    /// Word `w` of the node's mask, where rows fill words evenly.
    #[inline(always)]
    pub(super) fn word(&self, w: usize) -> u64 {
        debug_assert!(const { Tiles::<L>::EVEN_ROW } > 0 && w < const { Tiles::<L>::WORDS });
        // SAFETY: a word of the mask of a live node, all of whose cells are the tile's.
        unsafe { *self.mask.add(w) }
    }

    /// The coordinates of a cell of a row.
    #[inline(always)]
    pub(super) fn point(&self, row: &Target<L::Point>, i: usize) -> L::Point {
        L::Point::from_fn(|j| {
            let x = self.first.at(j).wrapping_add(row.at.at(j));
            if j == const { Tiles::<L>::FAST } { x.wrapping_add(i as i32) } else { x }
        })
    }

    /// The node behind an entry; None: none can be there.
    #[inline(always)]
    fn handle(&self, entry: u16) -> Option<u32> {
        if const { is_root::<L>() } {
            return (entry == 0).then_some(0);
        }
        debug_assert!((entry as usize) < self.handles.len());
        // SAFETY: entries are numbered as the rows of the table that `handles` is one of (`Axes`, `Reach`).
        Some(unsafe { *self.handles.get_unchecked(entry as usize) })
    }
}

/// Asks for the values of the `k`-th row of a run, which begins with cell `cell` of a node, that will be read or written soon.
#[inline(always)]
pub(super) fn prefetch_row<L: Level, T: Element>(lane: &Lane<'_, L, T>, node: u32, cell: u64, k: usize) {
    // Of short rows only those that begin a cache line.
    let begins_line = k * const { Tiles::<L>::RUN_STEP as usize * size_of::<T>() } % 64
        < const { Tiles::<L>::ROW_LEN * size_of::<T>() };
    if const { Tiles::<L>::SINGLE && Tiles::<L>::PACKED } && begins_line {
        let first = lane.nth(node, cell).cast_const().cast::<u8>();
        for line in (0..const { Tiles::<L>::ROW_LEN * size_of::<T>() }).step_by(64) {
            prefetch(first.wrapping_add(line));
        }
    }
}

/// Asks for the values around a node that will be read soon.
#[inline(always)]
pub(super) fn prefetch_around<L: Level, S, T: Element>(lane: &Lane<'_, L, T>, handles: &[u32], map: &Map<L, S>) {
    if const { Tiles::<L>::SINGLE && Tiles::<L>::PACKED && Tiles::<L>::NEIGHBOURS } {
        for &(entry, cell) in &map.borders {
            prefetch(lane.nth(handles[entry as usize], cell).cast_const());
        }
    }
}

/// Where the values of one node stand.
struct Place<T> {
    /// Cell 0 of the node; null: there is no node, and no background node either.
    first: *const T,
    node: u32,
}

impl<T: Element> Place<T> {
    #[inline(always)]
    fn new<L: Level>(lane: &Lane<'_, L, T>, tile: &Tile<'_, L>, entry: u16) -> Self {
        match tile.handle(entry) {
            Some(node) => Place { first: lane.nth(node, 0), node },
            None => Place { first: std::ptr::null(), node: 0 },
        }
    }

    /// Copies `len` values from cell `cell`.
    ///
    /// # Safety
    /// The cells exist and stand in one row; the field is borrowed for reading; `to` has room.
    #[inline(always)]
    unsafe fn copy<L: Level>(&self, lane: &Lane<'_, L, T>, cell: u64, to: *mut T, len: usize) {
        if const { is_root::<L>() } && self.first.is_null() {
            let background = lane.background();
            for i in 0..len {
                // SAFETY: as promised.
                unsafe { *to.add(i) = background };
            }
        } else if const { Tiles::<L>::PACKED && Tiles::<L>::SINGLE } {
            // SAFETY: as promised: the node is one block, whose values stand side by side; a buffer is nobody else's.
            unsafe { std::ptr::copy_nonoverlapping(self.first.add(cell as usize), to, len) };
        } else {
            let from = lane.nth(self.node, cell).cast_const();
            let stride = if const { Tiles::<L>::PACKED } { size_of::<T>() } else { lane.cell_stride() };
            if stride == size_of::<T>() {
                // SAFETY: as promised.
                unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
            } else {
                for i in 0..len {
                    // SAFETY: as promised.
                    unsafe { *to.add(i) = *from.wrapping_byte_add(i * stride) };
                }
            }
        }
    }
}

/// Rows of the buffer that come from the same nodes.
struct Rows<'a, 'b, L: Level, S, T> {
    lane: &'a Lane<'b, L, T>,
    /// Where the rows lie, and their margins before and behind.
    places: [Place<T>; 3],
    /// Cells of a row.
    row: usize,
    values: *mut T,
    shape: PhantomData<S>,
}

impl<L: Level, S: Shape, T: Element> Rows<'_, '_, L, S, T> {
    /// Copies `run` rows for each source; `each` is called with the first cell of each row and its number in the run.
    ///
    /// # Safety
    /// As [`gather`]; the sources are those of these places.
    #[inline(always)]
    unsafe fn copy(self, sources: &[Source], padded: bool, run: usize, each: impl Fn(u64, usize)) {
        let Rows { lane, places: [near, left, right], row, values, .. } = self;
        let r = const { Buffer::<L, S>::R };
        for source in sources {
            for k in 0..run {
                let step = k as u64 * const { Tiles::<L>::RUN_STEP };
                let to = values.wrapping_add(source.to as usize + k * const { Buffer::<L, S>::RUN_STRIDE });
                each(source.cell + step, k);
                // SAFETY: rows of the buffer and their margins are at least `r` from its ends and each other
                // (`Buffer::BEFORE`); the cells lie in one row each, since the margin is not far (`Buffer::is_far`).
                unsafe {
                    near.copy(lane, source.cell + step, to, row);
                    if padded {
                        left.copy(lane, source.left + step, to.wrapping_sub(r), r);
                        right.copy(lane, source.right + step, to.wrapping_add(row), r);
                    }
                }
            }
        }
    }
}

/// Fills the buffer of one input with the tile's values and the margin. `ahead` asks for what else will be needed of the
/// row at a cell of the tile's next node but some: memory and arithmetic go on side by side only if it is asked for bit by bit.
///
/// # Safety
/// The map is that of the tile; the field is borrowed for reading; `values` has `Buffer::LEN` values.
#[inline(always)]
pub(super) unsafe fn gather<L: Level, S: Shape, T: Element>(
    input: &WithBoundary<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    values: *mut T,
    far: bool,
    ahead: impl Fn(u64, usize),
) {
    if far {
        // SAFETY: passed on.
        return unsafe { gather_far(input, tile, map, values) };
    }
    let lane = &input.lane;
    let mut first = 0;
    for group in &map.groups {
        let sources = &map.sources[first..group.end];
        first = group.end;
        let places = [group.near, group.left, group.right].map(|entry| Place::new(lane, tile, entry));
        let rows = Rows::<L, S, T> { lane, places, row: map.row(), values, shape: PhantomData };
        let run = const { Tiles::<L>::RUN };
        // SAFETY: passed on.
        unsafe {
            match (group.padded, group.runs) {
                (true, true) if group.near == map.own => rows.copy(sources, true, run, |cell, k| {
                    prefetch_row(lane, tile.ahead, cell, k);
                    ahead(cell, k);
                }),
                (true, true) => rows.copy(sources, true, run, |_, _| ()),
                (false, true) => rows.copy(sources, false, run, |_, _| ()),
                (true, false) => rows.copy(sources, true, 1, |_, _| ()),
                (false, false) => rows.copy(sources, false, 1, |_, _| ()),
            }
        }
    }
    if !matches!(input.rule, Boundary::Background) && !reaches_inside::<L, S>(tile, map) {
        // SAFETY: passed on.
        unsafe { fix(input, tile, map, values, true) };
    }
}

/// Whether the tile and its margin lie inside the bounds.
fn reaches_inside<L: Level, S: Shape>(tile: &Tile<'_, L>, map: &Map<L, S>) -> bool {
    let plan = plan_of::<L>(tile.core);
    let r = S::RADIUS as i64;
    (0..L::Point::LEN).all(|j| {
        let (lo, hi) = plan.bounds(j);
        let first = first_of(plan, tile.base, map.start, j);
        lo <= first - r && first + map.len[j] as i64 + r <= hi
    })
}

/// The first coordinate of a tile along an axis. On an unbounded axis whose nodes do not divide 2^32 evenly, the first
/// node begins before the first `i32`, and its base came round at the other end.
fn first_of<P: Point>(plan: &Plan, base: P, start: P, j: usize) -> i64 {
    let (x, size) = (i64::from(base.at(j)), i64::from(plan.scale[j]));
    let base = if plan.free[j] && x % size != 0 { x - (1 << 32) } else { x };
    base + i64::from(start.at(j))
}

/// As [`gather`], one cell at a time.
///
/// # Safety
/// As [`gather`].
#[inline(never)]
unsafe fn gather_far<L: Level, S: Shape, T: Element>(
    input: &WithBoundary<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    values: *mut T,
) {
    // SAFETY: passed on.
    unsafe { fix(input, tile, map, values, false) };
}

/// Reads the cells of the buffer through the boundary rule, all of them or only those out of bounds.
///
/// # Safety
/// As [`gather`].
#[inline(never)]
unsafe fn fix<L: Level, S: Shape, T: Element>(
    input: &WithBoundary<'_, L, T>,
    tile: &Tile<'_, L>,
    map: &Map<L, S>,
    values: *mut T,
    only_outside: bool,
) {
    let plan = plan_of::<L>(tile.core);
    let mut path = Path::new();
    for (to, place, padded) in map.rows() {
        let r = if padded { S::RADIUS as i64 } else { 0 };
        for z in -r..map.row() as i64 + r {
            let mut p = [0; MAX_AXES];
            let mut inside = true;
            for j in 0..L::Point::LEN {
                let along = if Tiles::<L>::ROW == Some(j) { z } else { 0 };
                p[j] = first_of(plan, tile.base, map.start, j) + i64::from(place.at(j)) + along;
                let (lo, hi) = plan.bounds(j);
                inside &= (lo..hi).contains(&p[j]);
            }
            if !(only_outside && inside) {
                let to = values.wrapping_offset(to as isize + z as isize);
                // SAFETY: a value of a row of the buffer or of its margins.
                unsafe { *to = input.read_beyond(&mut path, &p) };
            }
        }
    }
}
