//! The state of one grid: its nodes, where their parts stand, and the caches over its topology.
//!
//! [`Core`] is generic so that the paths users wait for compile to shifts and loads; whatever is cold goes through
//! [`Raw`], which is not generic, so that its code exists once in a program.

mod activate;
mod bits;
mod compact;
mod copy;
mod count;
#[cfg(test)]
pub(crate) mod counters;
mod eight;
mod equal;
mod lists;
mod locate;
mod nodes;
mod order;
mod path;
mod prune;
mod release;
mod shared;
mod shrink;
mod validate;

pub(crate) use bits::{bit_range, ones, word_at};
pub(crate) use count::count_level;
pub(crate) use eight::{EIGHT, blend, is_word, load_eight};
pub(crate) use locate::{
    Loc, Sharing, cell_in_node, decode, divides, exists, gather, is_active, is_inside, locate, mark_active, mark_bits,
    mask_word, node_base, node_coordinate, plan_of, prefetch, set_bits, spread,
};
pub(crate) use nodes::{Backgrounds, DEAD, Meta, Raw, RawMut};
pub(crate) use path::{Beside, Path};
pub(crate) use shared::{is_active_shared, mark_shared, mask_bit_of, reach};

use crate::coord::Point;
use crate::error::{BuildError, Exhausted, OutOfBounds};
use crate::layout::{Layout, Level, Shaped};
use crate::plan::shape::RunTimeBounds;
use crate::plan::{Plan, Shape};
use crate::slab::{Arena, Array, Part, Pool};
use crate::stencil::neighbours::{self, Neighbours, Parents, Reach};
use crate::tree::{ROOT, Storage};
use std::sync::OnceLock;

/// What a grid owns.
pub struct Core<G: Layout> {
    parts: G::Parts,
    pools: G::Pools,
    arenas: Vec<Arena>,
    meta: Meta,
    backgrounds: Backgrounds,
    /// The plan of every level and of the root's fields, where bounds are known at run time only.
    plans: Vec<Plan>,
    /// Per kind of node: the live handles in the order of iteration.
    orders: Vec<OnceLock<Box<[u32]>>>,
    /// Per kind of node: the nodes around each, across faces only and all.
    neighbours: Vec<[OnceLock<Neighbours>; 2]>,
    /// Many threads may have made nodes since the grid was last held exclusively: spares are to be put away.
    shared: bool,
}

/// How a grid is to be built.
pub(crate) struct BuildOptions {
    pub(crate) bounds: RunTimeBounds,
    /// Most nodes of each kind.
    pub(crate) nodes: u32,
    /// Backgrounds that replace the declared ones: field and bytes.
    pub(crate) backgrounds: Vec<(usize, Vec<u8>)>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { bounds: [None; crate::tree::MAX_AXES], nodes: u32::MAX - 1, backgrounds: Vec::new() }
    }
}

impl<G: Layout> Core<G> {
    pub(crate) fn build(options: &BuildOptions) -> Result<Self, BuildError> {
        let () = <G as Shaped>::CHECKED;
        let shape = Shape::boxed(&G::TREE, &options.bounds);
        if G::RUN_TIME
            && let Some(problem) = G::TREE.shape_problem(&shape)
        {
            return Err(BuildError::Layout { problem });
        }
        let meta = Meta::new(G::TREE, shape, G::hash_key, options);
        let kinds = G::TREE.node_kinds();
        let mut parts = G::Parts::from_fn(|_| Part::UNUSED);
        let mut arenas = Vec::with_capacity(kinds);
        for kind in 0..kinds {
            let strides: Vec<u64> = meta.strides_of(kind).collect();
            let nodes = if kind == 0 { 1 } else { options.nodes.saturating_add(1) };
            let (arena, own) = Arena::reserve(&strides, nodes, 2)?;
            for (id, part) in own.into_iter().enumerate() {
                if G::TREE.part_owner(id) == kind {
                    parts.as_mut_slice()[id] = part;
                }
            }
            arenas.push(arena);
        }
        let pools = G::Pools::from_fn(|kind| Pool::new(arenas[kind].last));
        let plans = if G::RUN_TIME {
            let level = |l| Plan::new(&G::TREE, &meta.shape, l);
            (0..G::TREE.levels.len()).chain([ROOT]).map(level).collect()
        } else {
            Vec::new()
        };
        let backgrounds = Backgrounds::new(&G::TREE, &options.backgrounds);
        let orders = (0..kinds).map(|_| OnceLock::new()).collect();
        let neighbours = (0..kinds).map(|_| Default::default()).collect();
        let core = Core { parts, pools, arenas, meta, backgrounds, plans, orders, neighbours, shared: false };
        core.raw().fill_first_nodes()?;
        Ok(core)
    }

    /// A grid of the declared bounds and backgrounds.
    ///
    /// # Panics
    /// If the system does not grant the address space, with the text of the [`BuildError`].
    pub fn new() -> Self {
        Self::build(&BuildOptions::default()).unwrap_or_else(|e| panic!("{}: {e}", G::TREE.name))
    }

    #[inline(always)]
    pub(crate) fn part(&self, id: usize) -> &Part {
        &self.parts.as_slice()[id]
    }

    #[inline(always)]
    pub(crate) fn pool(&self, kind: usize) -> &Pool {
        &self.pools.as_slice()[kind]
    }

    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    pub(crate) fn backgrounds(&self) -> &Backgrounds {
        &self.backgrounds
    }

    /// The plan of a level of a layout whose bounds are known at run time only.
    pub(crate) fn run_time_plan(&self, level: usize) -> &Plan {
        &self.plans[if level == ROOT { G::TREE.levels.len() } else { level }]
    }

    /// Exchanges the values of two fields of the same level and type, in every cell, at once.
    ///
    /// # Panics
    /// If they differ in level, size, packing or background, or are not stored `soa`.
    #[doc(hidden)]
    pub fn swap_fields(&mut self, a: usize, b: usize) {
        let (x, y) = (&G::TREE.fields[a], &G::TREE.fields[b]);
        let raw = self.raw();
        assert!(
            x.level == y.level
                && (x.size, x.align, x.packing) == (y.size, y.align, y.packing)
                && G::TREE.storage(x.level) == Storage::Soa
                && raw.background(a) == raw.background(b),
            "{}: `{}` and `{}` cannot be exchanged",
            G::TREE.name,
            x.name,
            y.name
        );
        self.parts.as_mut_slice().swap(G::TREE.value_part(a), G::TREE.value_part(b));
    }

    /// The memory of the part that holds a field.
    pub(crate) fn raw_bytes(&self, field: usize) -> &[u8] {
        let part = self.part(G::TREE.value_part(field));
        let kind = G::TREE.content(G::TREE.fields[field].level);
        let nodes = if kind == 0 { 1 } else { self.pool(kind).end() as usize };
        // SAFETY: the part has room for every handle below `end`, and its memory is initialised: values, or zeroes from the
        // system. The grid is borrowed for reading, so no view that may write to any of its fields is alive.
        unsafe { std::slice::from_raw_parts(part.base(), nodes * part.stride()) }
    }

    pub(crate) fn raw(&self) -> Raw<'_> {
        Raw {
            meta: &self.meta,
            parts: self.parts.as_slice(),
            pools: self.pools.as_slice(),
            arenas: &self.arenas,
            backgrounds: &self.backgrounds,
        }
    }

    /// Exclusive access for changes of the topology: drops what is cached about it.
    pub(crate) fn raw_mut(&mut self) -> RawMut<'_> {
        self.touch();
        RawMut {
            meta: &self.meta,
            parts: self.parts.as_slice(),
            pools: self.pools.as_mut_slice(),
            arenas: &mut self.arenas,
            backgrounds: &self.backgrounds,
        }
    }

    /// Nodes are about to come or go.
    pub(crate) fn touch(&mut self) {
        for order in &mut self.orders {
            order.take();
        }
        for table in self.neighbours.as_flattened_mut() {
            table.take();
        }
        if self.shared {
            self.settle();
        }
    }

    /// Many threads are about to write. What they leave behind is put away when nodes next come or go: they may never say
    /// that they are done.
    pub(crate) fn share(&mut self) -> &Self {
        self.touch();
        self.shared = true;
        self
    }

    /// Puts away what the last shared phase left.
    #[cold]
    fn settle(&mut self) {
        self.shared = false;
        for kind in 1..self.pools.as_slice().len() {
            let header = self.parts.as_slice()[G::TREE.header_part(kind)];
            // SAFETY: the first word of a spare's header; the grid is held exclusively.
            let next = |h| unsafe { header.node(h).cast::<u32>().read() };
            self.pools.as_mut_slice()[kind].settle(next);
        }
    }

    /// Activates the path to `point`, a cell of the level.
    #[cold]
    #[inline(never)]
    pub(crate) fn activate<L: Level<Layout = G>>(&mut self, point: L::Point) -> Result<Loc, Exhausted> {
        self.touch();
        self.raw().activate(plan_of::<L>(self), point.as_slice())
    }

    /// The live nodes of a kind in the order of iteration. Built once per topology.
    pub(crate) fn order(&self, kind: usize) -> &[u32] {
        let cell = &self.orders[kind];
        match cell.get() {
            Some(order) => order,
            None => {
                // Built outside the cell: a thread that waits in an initialiser while it holds rayon work deadlocks.
                // Whoever comes second drops its copy.
                let built = self.build_order(kind);
                cell.get_or_init(|| built)
            }
        }
    }

    fn build_order(&self, kind: usize) -> Box<[u32]> {
        #[cfg(test)]
        counters::order_built();
        let parents = match G::TREE.maker(kind) {
            ROOT => &[0][..],
            maker => match G::TREE.holder(maker) {
                0 => &[0],
                holder => self.order(holder),
            },
        };
        order::build(&self.raw(), kind, parents)
    }

    /// The nodes around each node of a kind other than the root's, in the order of [`order`](Self::order). Built once per
    /// topology.
    pub(crate) fn neighbours(&self, kind: usize, reach: Reach) -> &Neighbours {
        let cell = &self.neighbours[kind][reach as usize];
        match cell.get() {
            Some(table) => table,
            None => {
                // As in `order`: outside the cell, whoever comes second drops its copy.
                let built = self.build_neighbours(kind, reach);
                cell.get_or_init(|| built)
            }
        }
    }

    fn build_neighbours(&self, kind: usize, reach: Reach) -> Neighbours {
        #[cfg(test)]
        counters::table_built();
        let holder = G::TREE.holder(G::TREE.maker(kind));
        // Those below a hash level are looked up by key, wherever their parents are.
        let table = (holder > 0 && !self.meta.is_keyed(kind)).then(|| self.neighbours(holder, reach));
        let parents = Parents { order: self.order(holder), table };
        neighbours::build(&self.raw(), kind, reach, self.order(kind), parents)
    }

    /// The error that says where `point` should have been.
    #[cold]
    pub(crate) fn out_of_bounds(&self, name: &'static str, plan: &Plan, point: &[i32]) -> OutOfBounds {
        OutOfBounds { name, point: point.to_vec(), bounds: (0..plan.d).map(|j| plan.bounds(j)).collect() }
    }

    /// As [`out_of_bounds`](Self::out_of_bounds), for a cell of a level.
    #[cold]
    #[inline(never)]
    pub(crate) fn out_of_bounds_of<L: Level<Layout = G>>(&self, name: &'static str, point: L::Point) -> OutOfBounds {
        self.out_of_bounds(name, plan_of::<L>(self), point.as_slice())
    }

    /// Frees every node and forgets every activity bit. Memory is kept for what comes next.
    pub(crate) fn clear(&mut self) {
        self.raw_mut().clear();
    }

    /// Gives the memory of free nodes back to the system.
    pub(crate) fn shrink(&mut self) {
        self.raw_mut().shrink();
    }

    /// Deactivates every cell below which nothing is. How many nodes were freed.
    pub(crate) fn prune(&mut self) -> u64 {
        self.raw_mut().prune()
    }

    /// Checks every invariant of the grid, for tests.
    ///
    /// # Panics
    /// If one is broken.
    pub fn internal_validate(&self) {
        self.raw().validate();
        for kind in 0..self.orders.len() {
            if let Some(order) = self.orders[kind].get() {
                assert_eq!(**order, *self.build_order(kind), "a cached order is stale");
            }
            for reach in [Reach::Faces, Reach::All] {
                if let Some(table) = self.neighbours[kind][reach as usize].get() {
                    assert_eq!(*table, self.build_neighbours(kind, reach), "a cached table of neighbours is stale");
                }
            }
        }
    }
}

impl<G: Layout> Default for Core<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Layout> std::fmt::Debug for Core<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut s = f.debug_struct(G::TREE.name);
        for kind in 1..G::TREE.node_kinds() {
            s.field(G::TREE.levels[G::TREE.maker(kind)].name, &format_args!("{} nodes", self.pool(kind).live()));
        }
        s.finish_non_exhaustive()
    }
}
