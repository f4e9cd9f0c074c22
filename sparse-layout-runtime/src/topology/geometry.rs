//! Where the activity bits of a level stand, and how they are cut into tiles.
//!
//! A *tile* is a box of cells whose bits follow each other: a block, or whole rows of one that is large. Tiles are the
//! units of all work here. Coordinates are *counted*: from the lower bound, or the coordinate itself where unbounded.

use super::divisor::Divisor;
use crate::core::{gather, spread};
use crate::plan::{FREE, Plan, Shape, Step};
use crate::tree::{Kind, MAX_AXES, ROOT, Tree};

/// Most cells of a tile.
pub(super) const TILE: u64 = 4096;
/// Words that hold the bits of a tile.
pub(super) const TILE_WORDS: usize = (TILE / 64) as usize;

/// The counted coordinates of a cell.
pub(super) type Cell = [i64; MAX_AXES];

/// What says whether a cell is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Store {
    /// A bit of this part; the cell's values stand beside it.
    Mask(usize),
    /// A bit of this part, and a node.
    Occupancy(usize),
    /// A node found by its key.
    Keyed,
}

/// The digits of one step of a path.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    pub(super) level: usize,
    pub(super) kind: Kind,
    pub(super) cells: u64,
    morton: bool,
    along: Vec<Along>,
}

/// A step along one coordinate.
#[derive(Clone, Copy, Debug)]
struct Along {
    j: usize,
    div: Divisor,
    size: Divisor,
    weight: u64,
    z: u64,
}

impl Digits {
    fn new(plan: &Plan, step: &Step) -> Self {
        let divided = (0..plan.d).filter(|&j| step.size[j] != 0 && step.size[j] != FREE);
        let along = divided.map(|j| Along {
            j,
            div: Divisor::new(step.div[j]),
            size: Divisor::new(step.size[j]),
            weight: step.weight[j],
            z: step.z[j],
        });
        Digits { level: step.level, kind: step.kind, cells: step.cells, morton: step.morton, along: along.collect() }
    }

    /// The number of a cell within the step's level.
    #[inline]
    fn number(&self, cell: &Cell) -> u64 {
        let mut number = 0;
        for a in &self.along {
            let digit = a.size.rem(a.div.div(cell[a.j]));
            number += if self.morton { spread(digit as u32, a.z) } else { digit as u64 * a.weight };
        }
        number
    }

    /// Cells along each coordinate, and the weight of one in the cell number; None in Z-order.
    pub(super) fn weights(&self) -> Option<[(Divisor, i64); MAX_AXES]> {
        let of = |j: usize| self.along.iter().find(|a| a.j == j).map(|a| (a.size, a.weight as i64));
        (!self.morton).then(|| std::array::from_fn(|j| of(j).unwrap_or((Divisor::new(1), 0))))
    }

    /// Adds to `cell` what a number within the step's level means.
    fn add(&self, number: u64, cell: &mut Cell) {
        for a in &self.along {
            let digit = if self.morton { gather(number, a.z).into() } else { a.size.rem((number / a.weight) as i64) };
            cell[a.j] += digit * a.div.n();
        }
    }
}

/// The number of a cell in a node, given the steps inside.
#[inline]
pub(super) fn slot_of(steps: &[Digits], cell: &Cell) -> u64 {
    steps.iter().fold(0, |slot, step| slot * step.cells + step.number(cell))
}

/// A step of indirection on the way to a level's bits.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The level that makes the nodes.
    pub(super) level: usize,
    /// The kind of node it makes.
    pub(super) content: usize,
    pub(super) keyed: bool,
    /// The steps in the node above, this one's last.
    pub(super) steps: Vec<Digits>,
    /// Handles and occupancy bits, for a pointer level.
    pub(super) main: usize,
    pub(super) aux: usize,
    /// Cells per node along each coordinate.
    pub(super) side: [Divisor; MAX_AXES],
    /// Whether the node's key has the coordinate.
    pub(super) divides: [bool; MAX_AXES],
}

/// The level at or above `level` whose cells can be inactive; None: every cell of `level` exists always.
pub(super) fn sparse_level(tree: &Tree, mut level: usize) -> Option<usize> {
    while level != ROOT && matches!(tree.levels[level].kind, Kind::Dense | Kind::Dynamic) {
        level = tree.levels[level].parent;
    }
    (level != ROOT).then_some(level)
}

/// The bits of a level whose cells can be inactive.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(super) level: usize,
    pub(super) plan: Box<Plan>,
    pub(super) d: usize,
    pub(super) store: Store,
    /// The kind of node that holds the bits; the nodes themselves where cells are keyed.
    pub(super) kind: usize,
    /// Bits of a node.
    pub(super) slots: u64,
    pub(super) links: Vec<Link>,
    /// The steps inside a node.
    pub(super) inner: Vec<Digits>,
    /// Cells per node along each coordinate.
    side: [Divisor; MAX_AXES],
    /// The coordinates in the order of cell numbers, the last one fastest.
    pub(super) order: [usize; MAX_AXES],
    /// Cells per block along each coordinate.
    size: [u32; MAX_AXES],
    /// Cells per tile along each coordinate, unless it is the last of a block.
    tile: [u32; MAX_AXES],
    /// Cells of a block; bits after which the pattern of tiles is repeated; bits of a tile, unless it is the last.
    pub(super) block: u64,
    span: u64,
    stride: u64,
    /// The coordinate that is cut.
    split: usize,
    /// The first counted coordinate that exists, and one past the last.
    pub(super) bounds: [(i64, i64); MAX_AXES],
}

impl Geometry {
    /// The bits that say which cells of `level` are active. None: all are, always.
    pub(super) fn new(tree: &Tree, shape: &Shape, level: usize) -> Option<Geometry> {
        let level = sparse_level(tree, level)?;
        let plan = Box::new(Plan::new(tree, shape, level));
        let (d, n) = (plan.d, plan.n);
        let last = &plan.steps[n - 1];
        let (store, kind) = match last.kind {
            Kind::Hash => (Store::Keyed, last.content),
            Kind::Pointer => (Store::Occupancy(last.aux), last.holder),
            _ => (Store::Mask(last.main), last.holder),
        };
        let digits = |range: std::ops::Range<usize>| -> Vec<Digits> {
            plan.steps[range].iter().map(|step| Digits::new(&plan, step)).collect()
        };
        let outer = if store == Store::Keyed { n } else { n - 1 };
        let (mut first, mut links) = (0, Vec::new());
        for k in (0..outer).filter(|&k| plan.steps[k].kind.is_indirect()) {
            let step = &plan.steps[k];
            links.push(Link {
                level: step.level,
                content: step.content,
                keyed: step.kind == Kind::Hash,
                steps: digits(first..k + 1),
                main: step.main,
                aux: step.aux,
                side: std::array::from_fn(|j| Divisor::new(step.div[j])),
                divides: std::array::from_fn(|j| j < d && (step.size[j] != 0 || !step.first[j])),
            });
            first = k + 1;
        }
        let bounds = |j: usize| {
            let first = if plan.free[j] { i64::from(plan.first[j]) } else { 0 };
            (first, first + plan.extent[j] as i64)
        };
        let mut geometry = Geometry {
            level,
            d,
            store,
            kind,
            slots: if store == Store::Keyed { 1 } else { shape.slots[level] },
            side: links.last().map_or([Divisor::new(1); MAX_AXES], |link: &Link| link.side),
            links,
            inner: digits(first..n),
            order: std::array::from_fn(|j| j),
            size: [1; MAX_AXES],
            tile: [1; MAX_AXES],
            block: 1,
            span: 1,
            stride: 1,
            split: MAX_AXES,
            bounds: std::array::from_fn(|j| if j < d { bounds(j) } else { (0, 1) }),
            plan,
        };
        if store != Store::Keyed {
            geometry.cut();
        }
        Some(geometry)
    }

    /// Cuts blocks into tiles.
    fn cut(&mut self) {
        let step = &self.plan.steps[self.plan.n - 1];
        let divided: Vec<usize> = step.order[..step.divided].iter().map(|j| usize::from(*j)).collect();
        let others = (0..self.d).filter(|j| !divided.contains(j));
        for (place, j) in others.chain(divided.iter().copied()).enumerate() {
            self.order[place] = j;
        }
        self.block = step.cells;
        for &j in &divided {
            self.size[j] = step.size[j];
        }
        if step.morton {
            // The lowest bits of the number, whatever coordinates they belong to.
            self.stride = step.cells.min(TILE);
            self.span = step.cells;
            for &j in &divided {
                self.tile[j] = 1 << (step.z[j] & (self.stride - 1)).count_ones();
            }
            return;
        }
        let mut cells = 1;
        for &j in divided.iter().rev() {
            let n = u64::from(step.size[j]);
            if cells * n > TILE {
                // Rows so that tiles begin at whole words, where that is possible.
                let rows = TILE / cells;
                let even = 64 / (cells & cells.wrapping_neg()).min(64);
                let rows = if rows >= even { rows / even * even } else { rows };
                (self.span, self.stride) = (cells * n, cells * rows);
                self.tile[j] = rows as u32;
                self.split = j;
                return;
            }
            cells *= n;
            self.tile[j] = step.size[j];
        }
        (self.span, self.stride) = (cells, cells);
    }

    /// Whether cells of a tile are numbered row by row.
    pub(super) fn has_rows(&self) -> bool {
        self.inner.last().is_some_and(|step| !step.morton)
    }

    /// Words that hold the bits of the largest tile.
    pub(super) fn tile_words(&self) -> usize {
        self.stride.div_ceil(64) as usize
    }

    /// The number of a cell in its node.
    #[inline]
    pub(super) fn slot(&self, cell: &Cell) -> u64 {
        slot_of(&self.inner, cell)
    }

    /// The first bit of the tile that a bit belongs to, and how many bits it has.
    #[inline]
    pub(super) fn tile_at(&self, slot: u64) -> (u64, u64) {
        let start = slot / self.span * self.span;
        let first = start + (slot - start) / self.stride * self.stride;
        (first, self.stride.min(start + self.span - first))
    }

    /// The next cell of a box, counting along the first `axes` axes of the level's order, the last of them fastest: `range` gives the
    /// box along an axis, `step` how far to go there. Whether there was one; if not, the cell is the first again.
    #[inline]
    pub(super) fn advance(
        &self,
        cell: &mut Cell,
        axes: usize,
        range: impl Fn(usize) -> (i64, i64),
        step: impl Fn(usize) -> i64,
    ) -> bool {
        for &j in self.order[..axes].iter().rev() {
            let (from, to) = range(j);
            cell[j] += step(j);
            if cell[j] < to {
                return true;
            }
            cell[j] = from;
        }
        false
    }

    /// The cells along each coordinate of a tile of so many bits.
    pub(super) fn sides(&self, len: u64) -> [u32; MAX_AXES] {
        let mut sides = self.tile;
        if self.split < MAX_AXES && len != self.stride {
            sides[self.split] = (len * u64::from(self.tile[self.split]) / self.stride) as u32;
        }
        sides
    }

    /// The cell of bit `slot` of a node that begins at `base`.
    pub(super) fn cell(&self, base: &Cell, slot: u64) -> Cell {
        let (mut cell, mut rest) = (*base, slot);
        for step in self.inner.iter().rev() {
            step.add(rest % step.cells, &mut cell);
            rest /= step.cells;
        }
        cell
    }

    /// The first cell of a node, given its origin.
    pub(super) fn base(&self, origin: &[i32; MAX_AXES]) -> Cell {
        let mut base = [0; MAX_AXES];
        if self.kind == 0 {
            return base;
        }
        for (j, x) in base.iter_mut().enumerate().take(self.d) {
            let o = origin[self.plan.axis[j]];
            *x = self.side[j].n() * if self.plan.free[j] { i64::from(o) } else { i64::from(o as u32) };
        }
        base
    }

    /// Where the tile that holds coordinate `j` begins, and where the next one does.
    pub(super) fn tile_range(&self, j: usize, x: i64) -> (i64, i64) {
        let (size, tile) = (i64::from(self.size[j]), i64::from(self.tile[j]));
        let block = x.div_euclid(size) * size;
        let start = block + (x - block) / tile * tile;
        (start, (start + tile).min(block + size))
    }

    /// The coordinates of a cell that exists.
    pub(super) fn point(&self, cell: &Cell) -> [i32; MAX_AXES] {
        std::array::from_fn(|j| if j < self.d { (cell[j] + self.offset(j)) as i32 } else { 0 })
    }

    /// What is added to a counted coordinate.
    pub(super) fn offset(&self, j: usize) -> i64 {
        if self.plan.free[j] { 0 } else { self.plan.lo[j].into() }
    }

    /// Whether two levels divide space alike, from the root down, so that bits of the same number in nodes of the same
    /// origin are the same cell.
    pub(super) fn same_path(&self, other: &Geometry) -> bool {
        let (a, b) = (&*self.plan, &*other.plan);
        let same_step = |k: usize| {
            let (x, y) = (&a.steps[k], &b.steps[k]);
            x.kind == y.kind && x.size == y.size && x.order == y.order && x.morton == y.morton
        };
        (a.n, a.d, a.free) == (b.n, b.d, b.free)
            && (0..a.d).all(|j| a.lo[j] == b.lo[j] && a.extent[j] == b.extent[j])
            && (0..a.n).all(same_step)
    }
}
