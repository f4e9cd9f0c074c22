//! The tiles of a grid, piece by piece, in parallel.

use super::geometry::{Buffer, Tiles, is_summarised};
use super::input::Inputs;
use super::map::{Map, ROOT_ONLY, tile_of, tiles_of};
use super::neighbours::Neighbours;
use super::shape::Shape;
use super::tile::Tile;
use crate::core::{Core, plan_of};
use crate::layout::Level;
use crate::struct_for::cells::{Cells, Words};
use crate::struct_for::features::{Work, dispatch};
use rayon::prelude::*;
use std::ops::Range;

/// Cells of a piece of work: at least and at most about that many.
const LEAST: u64 = 1 << 13;
const MOST: u64 = 1 << 17;
/// How many nodes ahead memory is asked for: a node's own, and of those around it.
const AHEAD: u64 = 4;
const AHEAD_AROUND: u64 = 2;

/// What is done with one tile whose inputs are gathered.
pub(super) trait Kernel<L: Level, S: Shape, I: Inputs<L>>: Sync {
    /// Something for a thread to work with.
    type State;
    fn state(&self) -> Self::State;
    /// Asks for what will be written to a row: its node, its first cell, its number in the run.
    fn prefetch(&self, node: u32, cell: u64, k: usize);
    /// # Safety
    /// The tile is handed out once; `all`: every cell of it is active; the buffers are filled.
    unsafe fn tile(
        &self,
        state: &mut Self::State,
        tile: &Tile<'_, L>,
        map: &Map<L, S>,
        buffers: &I::Buffers,
        all: bool,
    );
}

/// Visits every tile with an active cell once.
pub(super) fn sweep<L: Level, S: Shape, I: Inputs<L>, K: Kernel<L, S, I>>(
    core: &Core<L::Layout>,
    inputs: I,
    kernel: &K,
) {
    inputs.assert_of(core);
    let plan = plan_of::<L>(core);
    let order = core.order(plan.node_kind);
    let table =
        const { Tiles::<L>::NEIGHBOURS }.then(|| core.neighbours(plan.node_kind, const { Buffer::<L, S>::REACH }));
    let tiles = tiles_of::<L>(plan);
    let listed = is_summarised(plan).then(|| tiles_with_bits::<L>(core));
    let count = listed.as_ref().map_or(tiles, |list| list.len() as u64);
    let all = order.len() as u64 * count;
    let per_tile = (plan.per_node / tiles).max(1);
    let per_piece = (all * per_tile / (8 * rayon::current_num_threads() as u64)).clamp(LEAST, MOST);
    // Whole nodes, or some of the tiles of one.
    let nodes = (per_piece / (count * per_tile).max(1)).max(1);
    let some = (per_piece / per_tile).clamp(1, count.max(1));
    let only = const { Tiles::<L>::SINGLE }.then(|| Map::of(plan, 0));
    let (node_pieces, tile_pieces) = ((order.len() as u64).div_ceil(nodes), count.div_ceil(some));
    let sweep = Sweep::<L, S, I, K> {
        core,
        order,
        table,
        listed: listed.as_deref(),
        only: only.as_ref(),
        inputs,
        kernel,
        far: Buffer::<L, S>::is_far(plan),
        shape: std::marker::PhantomData,
    };
    (0..node_pieces * tile_pieces).into_par_iter().for_each(|piece| {
        let (n, t) = (piece / tile_pieces, piece % tile_pieces);
        let nodes = n * nodes..((n + 1) * nodes).min(order.len() as u64);
        dispatch(Piece { sweep: &sweep, nodes, tiles: t * some..((t + 1) * some).min(count) });
    });
}

/// The tiles of the root's node that have an active cell, in order: found through the summary of the mask.
fn tiles_with_bits<L: Level>(core: &Core<L::Layout>) -> Vec<u64> {
    let plan = plan_of::<L>(core);
    let mut words = Words::new(Cells::<L>::all(core));
    let mut tiles = Vec::new();
    while words.next() {
        let (_, word, mut bits) = words.take_word();
        while bits != 0 {
            let i = u64::from(bits.trailing_zeros());
            bits &= bits - 1;
            // One bit may stand for more than one tile.
            let from = (word * 64 + i) * plan.grain;
            let mut cell = from;
            while cell < from + plan.grain {
                let tile = tile_of::<L>(plan, cell);
                if tiles.last() != Some(&tile) {
                    tiles.push(tile);
                }
                cell += if plan.grain > 1 { const { smallest_row::<L>() } } else { 1 };
            }
        }
    }
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}

/// Cells that follow each other and lie in one tile, whatever the tile.
const fn smallest_row<L: Level>() -> u64 {
    if Tiles::<L>::FIXED && Tiles::<L>::ROW.is_some() { Tiles::<L>::SIDE[Tiles::<L>::FAST] as u64 } else { 1 }
}

struct Sweep<'a, L: Level, S: Shape, I, K> {
    core: &'a Core<L::Layout>,
    order: &'a [u32],
    table: Option<&'a Neighbours>,
    listed: Option<&'a [u64]>,
    /// The map of all tiles, where nodes are one tile each.
    only: Option<&'a Map<L, S>>,
    inputs: I,
    kernel: &'a K,
    far: bool,
    shape: std::marker::PhantomData<fn() -> S>,
}

impl<L: Level, S: Shape, I, K> Sweep<'_, L, S, I, K> {
    /// The handles of a node and of those around it.
    #[inline(always)]
    fn handles(&self, i: u64) -> &[u32] {
        self.table.map_or(&ROOT_ONLY[..], |table| table.row(i as usize))
    }
}

/// Some nodes, and of each the same tiles.
struct Piece<'a, 'b, L: Level, S: Shape, I, K> {
    sweep: &'b Sweep<'a, L, S, I, K>,
    nodes: Range<u64>,
    tiles: Range<u64>,
}

impl<L: Level, S: Shape, I: Inputs<L>, K: Kernel<L, S, I>> Work for Piece<'_, '_, L, S, I, K> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Piece { sweep, nodes, tiles } = self;
        let plan = plan_of::<L>(sweep.core);
        let mut buffers = sweep.inputs.buffers::<S>();
        let mut state = sweep.kernel.state();
        let mut own = Map::<L, S>::new();
        // Nodes are the inner loop, so that a map is made once for all of them.
        for t in tiles {
            let map = match sweep.only {
                Some(only) => only,
                None => {
                    own.turn_to(plan, sweep.listed.map_or(t, |list| list[t as usize]));
                    &own
                }
            };
            for i in nodes.clone() {
                let node = sweep.order[i as usize];
                let handles = sweep.handles(i);
                let ahead = sweep.order[(i + AHEAD).min(nodes.end - 1) as usize];
                if i + AHEAD_AROUND < nodes.end {
                    sweep.inputs.prefetch_around::<S>(sweep.handles(i + AHEAD_AROUND), map);
                }
                // SAFETY: a node of the order of a grid that is borrowed.
                let tile = unsafe { Tile::new(sweep.core, node, handles, ahead, map) };
                let (any, all) = tile.any_and_all(map);
                if any {
                    // SAFETY: the map was turned to the tile's number; buffers were made for the shape; pieces are disjoint.
                    unsafe {
                        sweep.inputs.gather::<S>(&mut buffers, &tile, map, sweep.far, |cell, k| {
                            sweep.kernel.prefetch(ahead, cell, k)
                        });
                        sweep.kernel.tile(&mut state, &tile, map, &buffers, all);
                    }
                }
            }
        }
    }
}
