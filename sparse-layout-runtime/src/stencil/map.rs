//! Where the cells of a tile and of its margin stand, row by row.
//!
//! The number of a cell in its node is a sum of one share per coordinate, whatever the levels in the node; so are the entry of a
//! neighbour in its row and the place in the buffer. A map is those sums for every row of the buffer. It depends on the tile's
//! place in its node alone, so nodes of one tile need a single map.

use super::geometry::{Buffer, Tiles, block_side, has_neighbours};
use super::shape::Shape;
use crate::coord::Point;
use crate::core::decode;
use crate::layout::{Level, Planned};
use crate::plan::Plan;
use crate::tree::MAX_AXES;
use std::marker::PhantomData;

/// Most cells of a row of targets: those of a mask word.
const WORD: usize = 64;

/// Cells of a border that are asked for at once: a cache line of floats.
const BORDER: u64 = 16;

/// A row of the buffer and where its values come from; in a group of runs the first of [`Tiles::RUN`] rows, whose places and
/// numbers grow evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The value of the buffer that the row's first cell goes to.
    pub(super) to: u32,
    /// The numbers of the first cell of the row in its node, and of its margins before and behind in theirs.
    pub(super) cell: u64,
    pub(super) left: u64,
    pub(super) right: u64,
}

/// Sources that follow each other and come from the same nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    /// Whether the rows have margins.
    pub(super) padded: bool,
    /// Whether each source is a run of rows.
    pub(super) runs: bool,
    /// Entries of the row of neighbours: where the rows lie, and their margins before and behind.
    pub(super) near: u16,
    pub(super) left: u16,
    pub(super) right: u16,
    /// One past the last source.
    pub(super) end: usize,
}

/// A row of cells of the tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<P> {
    /// The value of the buffer for the row's first cell.
    pub(super) from: u32,
    /// Cells, at most 64.
    pub(super) len: u32,
    /// The number of the first cell in the node.
    pub(super) cell: u64,
    /// The first cell, counted from the tile's.
    pub(super) at: P,
}

/// The rows of one tile.
#[derive(Debug)]
pub struct Map<L: Level, S> {
    /// The number of the tile in its node.
    number: u64,
    /// The tile's first cell, counted from the node's.
    pub(super) start: L::Point,
    /// The number of that cell.
    first: u64,
    /// Whether the tile and its margin lie in one block, where numbers are sums of multiples of the coordinates.
    is_inner: bool,
    /// Cells along each coordinate.
    pub(super) len: [usize; MAX_AXES],
    /// Rows of the buffer, group by group.
    pub(super) sources: Vec<Source>,
    pub(super) groups: Vec<Group>,
    /// The entry of the tile's own node.
    pub(super) own: u16,
    /// Cells of other nodes that are read: their entry, and the number of one cell in about every cache line.
    pub(super) borders: Vec<(u16, u64)>,
    /// The first cell of each source, counted from the tile's.
    places: Vec<L::Point>,
    pub(super) targets: Vec<Target<L::Point>>,
    /// Where rows fill mask words evenly, the value of the buffer for every cell, by number.
    pub(super) cells: Vec<u32>,
    shape: PhantomData<S>,
}

/// How many tiles a node has.
pub(super) fn tiles_of<L: Level>(plan: &Plan) -> u64 {
    plan.per_node / plan.block * (0..L::Point::LEN).map(|j| tiles_along::<L>(plan, j)).product::<u64>()
}

fn tiles_along<L: Level>(plan: &Plan, j: usize) -> u64 {
    block_side(plan, j).div_ceil(Tiles::<L>::SIDE[j] as u64)
}

/// The number of the tile that holds a cell, by the cell's number in the node.
pub(super) fn tile_of<L: Level>(plan: &Plan, cell: u64) -> u64 {
    let (block, in_block) = (cell / plan.block, cell % plan.block);
    let zero = L::Point::from_fn(|_| 0);
    let at = decode::<L>(plan, zero, in_block);
    (0..L::Point::LEN)
        .fold(block, |number, j| number * tiles_along::<L>(plan, j) + at.at(j) as u64 / Tiles::<L>::SIDE[j] as u64)
}

/// The share of coordinate `x`, counted from the node's first cell, in the number of a cell.
fn share(plan: &Plan, j: usize, x: u64) -> u64 {
    let (mut share, mut div, mut below) = (0, 1, 1);
    for step in plan.steps[plan.tail..plan.n].iter().rev() {
        let size = u64::from(step.size[j]);
        if size != 0 {
            let digit = x / div % size;
            div *= size;
            share +=
                below * if step.morton { crate::core::spread(digit as u32, step.z[j]) } else { digit * step.weight[j] };
        }
        below *= step.cells;
    }
    share
}

/// Calls `f` with every combination of coordinates `lo[j]..hi[j]`, the last one fastest.
fn for_each_in(d: usize, lo: &[i64; MAX_AXES], hi: &[i64; MAX_AXES], mut f: impl FnMut(&[i64; MAX_AXES])) {
    if (0..d).any(|j| lo[j] >= hi[j]) {
        return;
    }
    let mut at = *lo;
    loop {
        f(&at);
        let mut j = d;
        loop {
            if j == 0 {
                return;
            }
            j -= 1;
            at[j] += 1;
            if at[j] < hi[j] {
                break;
            }
            at[j] = lo[j];
        }
    }
}

impl<L: Level, S: Shape> Map<L, S> {
    pub(super) fn new() -> Self {
        Map {
            number: u64::MAX,
            start: L::Point::from_fn(|_| 0),
            first: 0,
            is_inner: false,
            len: [0; MAX_AXES],
            sources: Vec::new(),
            groups: Vec::new(),
            own: 0,
            borders: Vec::new(),
            places: Vec::new(),
            targets: Vec::new(),
            cells: Vec::new(),
            shape: PhantomData,
        }
    }

    /// The map of a tile.
    pub(super) fn of(plan: &Plan, number: u64) -> Self {
        let mut map = Map::new();
        map.turn_to(plan, number);
        map
    }

    /// Cells of a row.
    #[inline(always)]
    pub(super) fn row(&self) -> usize {
        match const { Tiles::<L>::ROW_LEN } {
            0 => self.len[const { Tiles::<L>::FAST }],
            len => len,
        }
    }

    /// Makes it the map of that tile.
    #[inline]
    pub(super) fn turn_to(&mut self, plan: &Plan, number: u64) {
        if self.number != number {
            self.build(plan, number);
        }
    }

    #[inline(never)]
    fn build(&mut self, plan: &Plan, number: u64) {
        let d = L::Point::LEN;
        self.number = number;
        let (mut rest, mut within) = (number, [0; MAX_AXES]);
        for j in (0..d).rev() {
            let n = tiles_along::<L>(plan, j);
            within[j] = rest % n * Tiles::<L>::SIDE[j] as u64;
            rest /= n;
        }
        let block = decode::<L>(plan, L::Point::from_fn(|_| 0), rest * plan.block);
        self.start = L::Point::from_fn(|j| block.at(j) + within[j] as i32);
        let mut len = [0; MAX_AXES];
        let mut is_inner = Tiles::<L>::ROW.is_some();
        for j in 0..d {
            let (side, r) = (block_side(plan, j), S::RADIUS as u64);
            len[j] = (side - within[j]).min(Tiles::<L>::SIDE[j] as u64) as usize;
            is_inner &= within[j] >= r && within[j] + len[j] as u64 + r <= side;
        }
        let first = (0..d).map(|j| share(plan, j, self.start.at(j) as u64)).sum::<u64>();
        let by = first.wrapping_sub(self.first);
        let is_like_last = is_inner && self.is_inner && len == self.len;
        (self.first, self.is_inner, self.len) = (first, is_inner, len);
        if is_like_last {
            self.shift(by);
            return;
        }
        self.find_sources(plan);
        self.find_targets(plan);
    }

    /// Adds to all numbers of cells.
    fn shift(&mut self, by: u64) {
        for source in &mut self.sources {
            for cell in [&mut source.cell, &mut source.left, &mut source.right] {
                *cell = cell.wrapping_add(by);
            }
        }
        for target in &mut self.targets {
            target.cell = target.cell.wrapping_add(by);
        }
    }

    fn find_sources(&mut self, plan: &Plan) {
        let d = L::Point::LEN;
        let r = Buffer::<L, S>::R as i64;
        let axes = Axes::new::<L, S>(plan, self.start, &self.len);
        let (mut lo, mut hi) = ([0; MAX_AXES], [0; MAX_AXES]);
        for j in 0..d {
            (lo[j], hi[j]) = if Tiles::<L>::ROW == Some(j) { (0, 1) } else { (-r, self.len[j] as i64 + r) };
        }
        let mut rows = Vec::new();
        for_each_in(d, &lo, &hi, |at| {
            let outside = (0..d).filter(|&j| !(0..self.len[j] as i64).contains(&at[j])).count();
            if S::STAR && outside > 1 {
                return;
            }
            let mut to = Buffer::<L, S>::FIRST as i64;
            for j in 0..d {
                to += at[j] * Buffer::<L, S>::STRIDE[j] as i64;
            }
            let (near, cell) = axes.sum(|j| at[j]);
            let mut group = Group { padded: false, runs: false, near, left: 0, right: 0, end: 0 };
            let mut source = Source { to: to as u32, cell, left: 0, right: 0 };
            if let Some(row) = Tiles::<L>::ROW
                && (!S::STAR || outside == 0)
            {
                let len = self.len[row] as i64;
                group.padded = true;
                (group.left, source.left) = axes.sum(|j| if j == row { -r } else { at[j] });
                (group.right, source.right) = axes.sum(|j| if j == row { len } else { at[j] });
            }
            rows.push((group, source, L::Point::from_fn(|j| at[j] as i32)));
        });
        rows.sort_by_key(|(group, ..)| (!group.padded, group.near, group.left, group.right));
        self.sources.clear();
        self.places.clear();
        self.groups.clear();
        self.borders.clear();
        self.own = axes.own as u16;
        let outer = rows.iter().filter(|(group, ..)| group.near != self.own);
        self.borders.extend(outer.map(|(group, source, _)| (group.near, source.cell / BORDER * BORDER)));
        self.borders.sort_unstable();
        self.borders.dedup();
        let mut rows = &rows[..];
        while let &[(mut group, source, place), ..] = rows {
            group.runs = Self::is_run(rows);
            rows = &rows[if group.runs { const { Tiles::<L>::RUN } } else { 1 }..];
            self.sources.push(source);
            self.places.push(place);
            if self.groups.last().is_some_and(|last| *last == Group { end: last.end, ..group }) {
                self.groups.pop();
            }
            group.end = self.sources.len();
            self.groups.push(group);
        }
    }

    /// Whether rows begin with a run: as many as a tile has along [`Tiles::NEXT`], of the same nodes, evenly spaced.
    fn is_run(rows: &[(Group, Source, L::Point)]) -> bool {
        let run = const { Tiles::<L>::RUN };
        let (Some(j), Some(rows)) = (const { Tiles::<L>::NEXT }, rows.get(..run)) else { return false };
        let (group, first, place) = rows[0];
        run > 1
            && rows.iter().enumerate().all(|(i, (other, source, at))| {
                let step = i as u64 * const { Tiles::<L>::RUN_STEP };
                let margin = if group.padded { step } else { 0 };
                *other == group
                    && *at == L::Point::from_fn(|k| place.at(k) + if k == j { i as i32 } else { 0 })
                    && source.to as usize == first.to as usize + i * const { Buffer::<L, S>::RUN_STRIDE }
                    && source.cell == first.cell + step
                    && (source.left, source.right) == (first.left + margin, first.right + margin)
            })
    }

    /// Every row of the buffer: where its first cell goes, that cell counted from the tile's, and whether it has margins.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, L::Point, bool)> {
        let mut first = 0;
        let groups = self.groups.iter().map(move |group| (*group, std::mem::replace(&mut first, group.end)));
        groups.flat_map(move |(group, first)| {
            (first..group.end).flat_map(move |i| {
                let (source, place) = (self.sources[i], self.places[i]);
                (0..if group.runs { const { Tiles::<L>::RUN } } else { 1 }).map(move |k| {
                    let at = |j| place.at(j) + if const { Tiles::<L>::NEXT } == Some(j) { k as i32 } else { 0 };
                    let to = source.to as usize + k * const { Buffer::<L, S>::RUN_STRIDE };
                    (to, L::Point::from_fn(at), group.padded)
                })
            })
        })
    }

    fn find_targets(&mut self, plan: &Plan) {
        let d = L::Point::LEN;
        let (mut hi, mut row) = ([0; MAX_AXES], 1);
        for j in 0..d {
            hi[j] = self.len[j] as i64;
        }
        if let Some(j) = Tiles::<L>::ROW {
            (row, hi[j]) = (self.len[j], 1);
        }
        self.targets.clear();
        for_each_in(d, &[0; MAX_AXES], &hi, |at| {
            let mut from = Buffer::<L, S>::FIRST as i64;
            let mut cell = 0;
            for j in 0..d {
                from += at[j] * Buffer::<L, S>::STRIDE[j] as i64;
                cell += share(plan, j, (i64::from(self.start.at(j)) + at[j]) as u64);
            }
            for z in (0..row).step_by(WORD) {
                let along = |j: usize| if Tiles::<L>::ROW == Some(j) { z as i32 } else { 0 };
                self.targets.push(Target {
                    from: from as u32 + z as u32,
                    len: (row - z).min(WORD) as u32,
                    cell: cell + z as u64,
                    at: L::Point::from_fn(|j| at[j] as i32 + along(j)),
                });
            }
        });
        // By number, so that rows are found by the bits of a mask.
        self.targets.sort_unstable_by_key(|row| row.cell);
        self.cells.clear();
        if const { Tiles::<L>::EVEN_ROW > 0 } {
            self.cells.extend(self.targets.iter().flat_map(|row| row.from..row.from + row.len));
        }
    }
}

/// For every coordinate of the buffer its shares; along rows only for their first cell and those of the margins.
struct Axes {
    row: Option<usize>,
    r: i64,
    /// The share in the number of the cell, and in that of the neighbour's entry; None: there is no such neighbour.
    shares: [Vec<(u64, Option<isize>)>; MAX_AXES],
    d: usize,
    own: isize,
    /// The entry that is always 0.
    none: u16,
}

impl Axes {
    fn new<L: Level, S: Shape>(plan: &Plan, start: L::Point, len: &[usize; MAX_AXES]) -> Self {
        let r = Buffer::<L, S>::R as i64;
        let reach = Buffer::<L, S>::REACH;
        let outer = (0..plan.d).filter(|&j| has_neighbours(plan, j)).count();
        let mut shares = [const { Vec::new() }; MAX_AXES];
        let mut number = 0;
        for j in 0..plan.d {
            let neighbours = (const { Tiles::<L>::NEIGHBOURS } && has_neighbours(plan, j)).then_some(number);
            number += usize::from(neighbours.is_some());
            let (start, scale) = (i64::from(start.at(j)), i64::from(plan.scale[j]));
            let share_of = |x: i64| {
                let (x, digit) = match x {
                    x if x < 0 => (x.rem_euclid(scale), 0),
                    x if x >= scale => (x % scale, 2),
                    x => (x, 1),
                };
                let entry = match neighbours {
                    _ if digit == 1 => Some(0),
                    Some(k) => Some(reach.step(outer, k, digit)),
                    None => None,
                };
                (share(plan, j, x as u64), entry)
            };
            if Tiles::<L>::ROW == Some(j) {
                shares[j].extend([start - r, start, start + len[j] as i64].map(share_of));
            } else {
                shares[j].extend((start - r..start + len[j] as i64 + r).map(share_of));
            }
        }
        let (own, none) =
            if const { Tiles::<L>::NEIGHBOURS } { (reach.own(outer), reach.width(outer) - 1) } else { (0, 1) };
        Axes { row: Tiles::<L>::ROW, r, shares, d: plan.d, own: own as isize, none: none as u16 }
    }

    /// The entry and the number of a cell, given its coordinates counted from the tile's first cell.
    fn sum(&self, at: impl Fn(usize) -> i64) -> (u16, u64) {
        let (mut cell, mut entry) = (0, Some(self.own));
        for j in 0..self.d {
            let place = if self.row == Some(j) { at(j).signum() + 1 } else { at(j) + self.r };
            let (share, step) = self.shares[j][place as usize];
            cell += share;
            entry = entry.zip(step).map(|(e, s)| e + s);
        }
        match entry {
            Some(entry) => (entry as u16, cell),
            // The background node has that cell too; where it is the root's own node, nothing is read.
            None => (self.none, cell),
        }
    }
}

/// The handles of a tile's node and of those around it, where nodes have none around them.
pub(super) const ROOT_ONLY: [u32; 2] = [0, 0];

/// Whether a level is stored in the root's node, around which there is nothing.
pub(super) const fn is_root<L: Level>() -> bool {
    L::PLAN.node_kind == 0
}
