//! The nodes around each node.
//!
//! A table has one row per live node, in the order of iteration, of the handles of the nodes around it; 0, the background
//! node, where there is none. It is built once per topology and shared by all fields. Below a pointer level a neighbour
//! is an entry of the table of the parent, or of the parent's neighbour, which its own row names: no node is looked up from the
//! root. Only the nodes of a hash level are looked up by key.

use crate::core::Raw;
use crate::plan::{Plan, Step};
use crate::slab::Part;
use crate::tree::{Kind, MAX_AXES, ROOT};
use rayon::prelude::*;

/// Nodes of one piece of parallel work.
const PIECE: usize = 256;

/// Which neighbours a table has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Across the two faces along each axis: row `[self, -x, +x, -y, +y, .., 0]`.
    Faces,
    /// All `3^d - 1`: the row is numbered by base-3 digits, 0, 1, 2 for before, same, behind, the last axis fastest; then 0.
    All,
}

impl Reach {
    /// Entries of a row; the last one is always 0, for what is never there.
    pub(crate) const fn width(self, d: usize) -> usize {
        match self {
            Reach::Faces => 2 * d + 2,
            Reach::All => 3usize.pow(d as u32) + 1,
        }
    }

    /// The entry of the node itself.
    pub(crate) const fn own(self, d: usize) -> usize {
        match self {
            Reach::Faces => 0,
            Reach::All => 3usize.pow(d as u32) / 2,
        }
    }

    /// What a step along axis `j` adds to the number of an entry; `digit`: 0, 1, 2 for before, same, behind.
    pub(crate) const fn step(self, d: usize, j: usize, digit: usize) -> isize {
        match (self, digit) {
            (_, 1) => 0,
            (Reach::Faces, _) => (1 + 2 * j + digit / 2) as isize,
            (Reach::All, _) => 3isize.pow((d - 1 - j) as u32) * (digit as isize - 1),
        }
    }
}

/// The table of one kind of node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Neighbours {
    width: usize,
    entries: Box<[u32]>,
}

impl Neighbours {
    /// The row of the `i`-th node.
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> &[u32] {
        &self.entries[i * self.width..][..self.width]
    }
}

/// What is known of the nodes that hold the slots of those in a table.
#[derive(Clone, Copy)]
pub(crate) struct Parents<'a> {
    /// In the order of iteration.
    pub(crate) order: &'a [u32],
    /// Their own neighbours; the root has none.
    pub(crate) table: Option<&'a Neighbours>,
}

/// Builds the table of the nodes in `order`.
pub(crate) fn build(raw: &Raw<'_>, kind: usize, reach: Reach, order: &[u32], parents: Parents<'_>) -> Neighbours {
    let tree = &raw.meta.tree;
    let maker = tree.maker(kind);
    debug_assert!(maker != ROOT, "the root has no neighbours");
    let plan = Plan::new(tree, &raw.meta.shape, maker);
    let width = reach.width(plan.d);
    let mut entries = vec![0; order.len() * width].into_boxed_slice();
    if tree.levels[maker].kind == Kind::Hash {
        let pieces = entries.par_chunks_mut(PIECE * width).zip(order.par_chunks(PIECE));
        pieces.for_each(|(rows, nodes)| {
            for (row, &node) in rows.chunks_exact_mut(width).zip(nodes) {
                by_key(raw, &plan, kind, reach, node, row);
            }
        });
    } else {
        let tables = Tables::new(raw, &plan, kind, reach, parents);
        let pieces = entries.par_chunks_mut(PIECE * width).zip(order.par_chunks(PIECE));
        pieces.for_each(|(rows, nodes)| {
            let mut scratch = Scratch::default();
            for (row, &node) in rows.chunks_exact_mut(width).zip(nodes) {
                tables.fill(node, row, &mut scratch);
            }
        });
    }
    Neighbours { width, entries }
}

/// Looks the neighbours of a node of a hash level up.
fn by_key(raw: &Raw<'_>, plan: &Plan, kind: usize, reach: Reach, node: u32, row: &mut [u32]) {
    let directory = &raw.pools[kind].directory;
    let own = raw.origin(kind, node);
    let find = |origin: &[i32; MAX_AXES]| {
        let (key, len) = raw.key(kind, origin);
        let hash = (raw.meta.hash_key)(plan.level, &key[..len]);
        directory.find(hash, |h| raw.key(kind, &raw.origin(kind, h)).0 == key)
    };
    let moved = |origin: &mut [i32; MAX_AXES], j: usize, by: i32| {
        let at = &mut origin[plan.axis[j]];
        // Past the ends of `i32` there is nothing; elsewhere numbers that do not exist are not in the directory.
        let past = plan.free[j] && at.checked_add(by).is_none();
        *at = at.wrapping_add(by);
        !past
    };
    let d = plan.d;
    row[reach.own(d)] = node;
    match reach {
        Reach::Faces => {
            for j in 0..d {
                for (digit, by) in [(0, -1), (2, 1)] {
                    let mut origin = own;
                    if moved(&mut origin, j, by) {
                        row[reach.step(d, j, digit) as usize] = find(&origin);
                    }
                }
            }
        }
        Reach::All => {
            for (i, entry) in row[..reach.width(d) - 1].iter_mut().enumerate().filter(|(i, _)| *i != reach.own(d)) {
                let (mut origin, mut rest) = (own, i);
                let mut inside = true;
                for j in (0..d).rev() {
                    inside &= moved(&mut origin, j, (rest % 3) as i32 - 1);
                    rest /= 3;
                }
                if inside {
                    *entry = find(&origin);
                }
            }
        }
    }
}

/// The tables of handles that lead to the nodes of one kind.
struct Tables<'a> {
    raw: Raw<'a>,
    kind: usize,
    reach: Reach,
    plan: &'a Plan,
    /// The levels whose cells number the slots of one table, outermost first, and slots in one cell of each.
    steps: &'a [Step],
    below: Vec<u64>,
    /// Slots along each axis.
    size: [i64; MAX_AXES],
    /// For each axis its number among those of the parents' rows, if those have neighbours along it.
    outer: [Option<usize>; MAX_AXES],
    outer_axes: usize,
    slots: Part,
    parents: Parents<'a>,
    /// The places of the parents in their order, by handle.
    rank: Vec<u32>,
}

/// Work space: sums over all axes but the last.
#[derive(Default)]
struct Scratch {
    partial: Vec<(u64, usize)>,
    next: Vec<(u64, usize)>,
}

/// More than any number of an entry: there is no such parent.
const NOWHERE: usize = 1 << (usize::BITS - 8);

/// One place along an axis: its share of the slot's number, and that of the number of the parent's entry in a row.
type Place = (u64, usize);

impl<'a> Tables<'a> {
    fn new(raw: &Raw<'a>, plan: &'a Plan, kind: usize, reach: Reach, parents: Parents<'a>) -> Self {
        let tree = &raw.meta.tree;
        let last = plan.n - 1;
        let first = plan.steps[..last].iter().rposition(|s| s.kind.is_indirect()).map_or(0, |k| k + 1);
        let steps = &plan.steps[first..plan.n];
        let below = (0..steps.len()).map(|k| steps[k + 1..].iter().map(|s| s.cells).product()).collect();
        let mut size = [1; MAX_AXES];
        let mut outer = [None; MAX_AXES];
        let mut outer_axes = 0;
        for j in 0..plan.d {
            size[j] = steps.iter().filter(|s| s.size[j] != 0).map(|s| i64::from(s.size[j])).product();
            if first > 0 && crate::core::divides(&plan.steps[first - 1], j) {
                outer[j] = Some(outer_axes);
                outer_axes += 1;
            }
        }
        let mut rank = vec![0u32; parents.order.iter().max().map_or(0, |h| *h as usize + 1)];
        for (i, &h) in parents.order.iter().enumerate() {
            rank[h as usize] = i as u32;
        }
        let slots = raw.parts[tree.main_part(plan.level)];
        Tables { raw: *raw, kind, reach, plan, steps, below, size, outer, outer_axes, slots, parents, rank }
    }

    /// The share of a coordinate of a table in the number of the slot.
    #[inline]
    fn share(&self, j: usize, x: u64) -> u64 {
        if let [step] = self.steps
            && !step.morton
        {
            return x * step.weight[j];
        }
        let (mut share, mut div) = (0, 1);
        for (step, below) in self.steps.iter().zip(&self.below).rev() {
            let size = u64::from(step.size[j]);
            if size != 0 {
                let digit = x / div % size;
                div *= size;
                share += below
                    * if step.morton { crate::core::spread(digit as u32, step.z[j]) } else { digit * step.weight[j] };
            }
        }
        share
    }

    /// The places before, at and behind a node along an axis. What they add to the number of the parent's entry may be
    /// negative, and so wraps.
    #[inline]
    fn places(&self, j: usize, origin: &[i32; MAX_AXES]) -> [Place; 3] {
        let o = origin[self.plan.axis[j]];
        let counted = if self.plan.free[j] { i64::from(o) } else { i64::from(o as u32) };
        let size = self.size[j];
        let own = if size as u64 & (size as u64 - 1) == 0 { counted & (size - 1) } else { counted.rem_euclid(size) };
        std::array::from_fn(|i| {
            let x = own + i as i64 - 1;
            let (x, digit) = match x {
                -1 => (size - 1, 0),
                x if x == size => (0, 2),
                x => (x, 1),
            };
            let parent = match self.outer[j] {
                _ if digit == 1 => 0,
                Some(k) => self.reach.step(self.outer_axes, k, digit) as usize,
                None => NOWHERE,
            };
            (self.share(j, x as u64), parent)
        })
    }

    /// The handle in a slot of the table of a parent's neighbour, whose entry in the parent's row has that number.
    #[inline(always)]
    fn entry(&self, row: &[u32], parent: usize, slot: u64) -> u32 {
        let Some(&table) = row.get(parent) else { return 0 };
        debug_assert!((slot + 1) * 4 <= self.slots.stride() as u64);
        // SAFETY: a slot of the table of a live node, or of the background node (the root, if that holds the slots); entries
        // are not written while the grid is borrowed for reading.
        unsafe { *self.slots.node(table).cast::<u32>().wrapping_add(slot as usize) }
    }

    fn fill(&self, node: u32, row: &mut [u32], scratch: &mut Scratch) {
        let origin = self.raw.origin(self.kind, node);
        let parent = self.raw.parent(self.kind, node);
        let root = [0];
        let above = self.parents.table.map_or(&root[..], |table| {
            let row = table.row(self.rank[parent as usize] as usize);
            &row[..row.len() - 1]
        });
        let own = if self.parents.table.is_some() { self.reach.own(self.outer_axes) } else { 0 };
        let d = self.plan.d;
        match self.reach {
            Reach::Faces => {
                let places: [[Place; 3]; MAX_AXES] =
                    std::array::from_fn(|j| if j < d { self.places(j, &origin) } else { [(0, 0); 3] });
                let slot: u64 = places[..d].iter().map(|p| p[1].0).sum();
                row[0] = node;
                for (j, place) in places[..d].iter().enumerate() {
                    for (to, i) in [(1, 0), (2, 2)] {
                        row[2 * j + to] = self.entry(above, own + place[i].1, slot - place[1].0 + place[i].0);
                    }
                }
            }
            Reach::All => {
                let Scratch { partial, next } = scratch;
                partial.clear();
                partial.push((0, own));
                for j in 0..d - 1 {
                    let places = self.places(j, &origin);
                    next.clear();
                    for &(slot, parent) in &*partial {
                        next.extend(places.map(|p| (slot + p.0, parent.wrapping_add(p.1))));
                    }
                    std::mem::swap(partial, next);
                }
                let places = self.places(d - 1, &origin);
                for (row, &(slot, parent)) in row.chunks_exact_mut(3).zip(&*partial) {
                    for (entry, place) in row.iter_mut().zip(places) {
                        *entry = self.entry(above, parent.wrapping_add(place.1), slot + place.0);
                    }
                }
            }
        }
    }
}
