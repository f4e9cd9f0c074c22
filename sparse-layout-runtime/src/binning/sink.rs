//! One halo's sums to the grid, tile by tile.

use super::accumulate::Accumulate;
use super::halo::Halo;
use super::tiling::{LARGEST, Tiling};
use crate::bulk::Target;
use crate::coord::Point;
use crate::core::{Core, Sharing, cell_in_node, exists, locate, mark_bits, plan_of, set_bits};
use crate::error::Exhausted;
use crate::layout::{Level, Planned, Shaped};
use crate::tree::MAX_AXES;

/// How a sum is added to what a cell holds.
pub(super) trait Merge<V, S>: Sync {
    /// Whether it has no effect besides, so that it may be called in vain.
    const PURE: bool;
    fn merge(&self, value: &mut V, sum: S);
}

/// The sum of the two.
pub(super) struct Add;

impl<S: Accumulate> Merge<S, S> for Add {
    const PURE: bool = true;

    #[inline(always)]
    fn merge(&self, value: &mut S, sum: S) {
        value.accumulate(sum);
    }
}

/// A function of the user's.
pub(super) struct By<F>(pub(super) F);

impl<V, S, F: Fn(&mut V, S) + Sync> Merge<V, S> for By<F> {
    const PURE: bool = false;

    #[inline(always)]
    fn merge(&self, value: &mut V, sum: S) {
        (self.0)(value, sum);
    }
}

/// Where sums go.
pub(super) struct Sink<'a, L: Level, X, M> {
    core: &'a Core<L::Layout>,
    tiling: Tiling,
    target: X,
    merge: M,
}

/// What a halo covers of the tiles of one number along a coordinate.
#[derive(Clone, Copy)]
struct Segment {
    /// The first cell, and the number of cells.
    first: i32,
    len: usize,
    /// How far the first cell is from the halo's corner.
    place: usize,
}

/// Scratch of [`Sink::take`]: the segments along each coordinate.
#[derive(Default)]
pub(super) struct Segments([Vec<Segment>; MAX_AXES]);

/// Counts up, the last of `d` digits fastest; whether there was a next number. `len` gives the number of values of a digit.
#[inline(always)]
fn advance(at: &mut [usize; MAX_AXES], d: usize, len: impl Fn(usize) -> usize) -> bool {
    for j in (0..d).rev() {
        at[j] += 1;
        if at[j] < len(j) {
            return true;
        }
        at[j] = 0;
    }
    false
}

impl<'a, L: Level, X: Target<L>, M> Sink<'a, L, X, M> {
    /// # Safety
    /// While the sink lives, the grid's cells and masks are written through it alone, and no two threads take halos at the
    /// same time that reach a common cell.
    pub(super) unsafe fn new(core: &'a Core<L::Layout>, tiling: Tiling, target: X, merge: M) -> Self {
        Sink { core, tiling, target, merge }
    }

    /// Adds a halo's sums to the grid.
    pub(super) fn take<S: Accumulate>(&self, halo: &Halo<L::Point, S>, segments: &mut Segments) -> Result<(), Exhausted>
    where
        M: Merge<X::Value, S>,
    {
        let (d, plan) = (L::Point::LEN, plan_of::<L>(self.core));
        if (0..d).any(|j| halo.inside(j).1 == 0) {
            return Ok(());
        }
        let first = self.tiling.tile_of(plan, L::Point::from_fn(|j| halo.inside(j).0 as i32));
        for (j, along) in segments.0.iter_mut().enumerate().take(d) {
            let (lo, len) = halo.inside(j);
            let (mut from, mut number) = (lo, self.tiling.number(plan, j, first.at(j)));
            along.clear();
            while from < lo + len {
                let (start, cells) = self.tiling.cells(plan, j, number);
                let to = (start + i64::from(cells)).min(lo + len);
                along.push(Segment { first: from as i32, len: (to - from) as usize, place: halo.offset(j, from) });
                (from, number) = (to, number + 1);
            }
        }
        let mut at = [0; MAX_AXES];
        loop {
            let mut part = [Segment { first: 0, len: 1, place: 0 }; MAX_AXES];
            for j in 0..d {
                part[j] = segments.0[j][at[j]];
            }
            if halo.rows.words == 1 {
                self.take_tile::<S, true>(halo, &part)?;
            } else {
                self.take_tile::<S, false>(halo, &part)?;
            }
            if !advance(&mut at, d, |j| segments.0[j].len()) {
                return Ok(());
            }
        }
    }

    /// Adds what a halo covers of one tile. `ONE_WORD`: the bits of a row are one word.
    #[inline]
    fn take_tile<S: Accumulate, const ONE_WORD: bool>(
        &self,
        halo: &Halo<L::Point, S>,
        part: &[Segment; MAX_AXES],
    ) -> Result<(), Exhausted>
    where
        M: Merge<X::Value, S>,
    {
        // Rows along the last coordinate, in planes along the last but one.
        let last = L::Point::LEN.saturating_sub(1);
        let plane = last.saturating_sub(1);
        let first = L::Point::from_fn(|j| part[j].first);
        let cell = cell_in_node::<L>(plan_of::<L>(self.core), first);
        let rows_of_plane = if last > 0 { part[plane].len } else { 1 };
        let (weight, row_step) = if last > 0 { (self.weight(plane), halo.rows.step[plane]) } else { (0, 0) };
        let (sums, touched, stride, words) = (halo.sums(), halo.touched(), halo.rows.stride, halo.rows.words);
        let mut tile = None;
        let mut at = [0; MAX_AXES];
        loop {
            let mut row: usize = (0..plane).map(|j| (part[j].place + at[j]) * halo.rows.step[j]).sum();
            let mut of_row = cell;
            for (j, at) in at.iter().enumerate().take(plane) {
                of_row += *at as u64 * self.weight(j);
            }
            row += if last > 0 { part[plane].place * row_step } else { 0 };
            for y in 0..rows_of_plane {
                let mut start = 0;
                while start < part[last].len {
                    let (z, len) = (part[last].place + start, (part[last].len - start).min(64));
                    let bits = if ONE_WORD {
                        touched[row] >> z & u64::MAX >> (64 - len)
                    } else {
                        bits_of(&touched[row * words..][..words], z, len)
                    };
                    let offset = start;
                    start += 64;
                    if bits == 0 {
                        if ONE_WORD {
                            break;
                        }
                        continue;
                    }
                    let point = || {
                        L::Point::from_fn(|j| match j {
                            j if j == last => first.at(j).wrapping_add(offset as i32),
                            j if j == plane => first.at(j).wrapping_add(y as i32),
                            j => first.at(j).wrapping_add(at[j] as i32),
                        })
                    };
                    let tile = match tile {
                        Some(tile) => tile,
                        None => *tile.insert(self.open(first, point(), bits)?),
                    };
                    let sums = &sums[row * stride + z..][..len];
                    if const { Self::IN_ROWS } {
                        self.take_row(tile, of_row + offset as u64, bits, sums);
                    } else {
                        self.take_cells(tile, point(), bits, sums);
                    }
                    if ONE_WORD {
                        break;
                    }
                }
                of_row += weight;
                row += row_step;
            }
            if !advance(&mut at, plane, |j| part[j].len) {
                return Ok(());
            }
        }
    }

    /// How far the numbers of two cells are apart that are neighbours along coordinate `j`, in one block.
    #[inline(always)]
    fn weight(&self, j: usize) -> u64 {
        if const { L::PLAN.tail == L::PLAN.n } {
            0
        } else {
            plan_of::<L>(self.core).steps[const { L::PLAN.n.saturating_sub(1) }].weight[j]
        }
    }

    /// Whether the cells of a row of a tile follow each other in the node.
    const IN_ROWS: bool = {
        let plan = &L::PLAN;
        plan.d == 0
            || plan.tail == plan.n
            || !plan.steps[plan.n - 1].morton && plan.steps[plan.n - 1].weight[plan.d - 1] <= 1
    };

    /// Whether each cell has a bit of its own.
    const HAS_BITS: bool = L::PLAN.n > 0 && L::PLAN.mask_step == L::PLAN.n;

    /// Mask words are a thread's own only where a node is no more than one tile.
    const SHARING: Sharing = {
        let is_one_tile = L::PLAN.tail + 1 == L::PLAN.n && L::PLAN.node_kind != 0 && L::PLAN.per_node <= LARGEST;
        if is_one_tile && !<L::Layout as Shaped>::RUN_TIME { Sharing::None } else { Sharing::All }
    };

    /// The node of a tile that holds the cell `first`, made if it does not exist. `row` and `bits` name cells of it that are
    /// to be active.
    #[inline]
    fn open(&self, first: L::Point, row: L::Point, bits: u64) -> Result<Tile, Exhausted> {
        let (core, plan) = (self.core, plan_of::<L>(self.core));
        let node = match locate::<L>(core, first) {
            Some(at) if exists::<L>(&at) => at.handle,
            _ => core.raw().activate_steps(plan, plan.tail, first.as_slice())?.handle,
        };
        // A tile lies below one cell of the levels above; their bits, and those that stand for more than one cell of this
        // level, are set here.
        if const { !Self::HAS_BITS || L::PLAN.tail + 1 != L::PLAN.n } {
            let cell = cell_in_node::<L>(plan, Self::along(row, bits.trailing_zeros()));
            // SAFETY: a cell of an existing node; masks are written through the sink alone, and those of nodes that are more
            // than one tile atomically.
            unsafe { mark_bits::<L>(core, node, cell, Self::SHARING) };
        }
        let mask = if const { Self::HAS_BITS } {
            let step = &plan.steps[const { L::PLAN.n.saturating_sub(1) }];
            core.part(step.main).base().wrapping_add(node as usize * step.main_stride as usize).cast()
        } else {
            std::ptr::null_mut()
        };
        Ok(Tile { node, mask })
    }

    /// The cell `k` further on along the last coordinate.
    #[inline(always)]
    fn along(p: L::Point, k: u32) -> L::Point {
        L::Point::from_fn(|j| p.at(j).wrapping_add(if j + 1 == L::Point::LEN { k as i32 } else { 0 }))
    }

    /// Adds to cells that follow each other from `first` on; `bits` says which.
    #[inline(always)]
    fn take_row<S: Accumulate>(&self, tile: Tile, first: u64, bits: u64, sums: &[S])
    where
        M: Merge<X::Value, S>,
    {
        self.mark_row(tile, first, bits);
        if let Some(sums) = sums.first_chunk::<8>().filter(|_| bits < 1 << 8 && (M::PURE || bits == 0xFF)) {
            // All are read before one is written, so that they can be in vectors; what is not to change is written back.
            // SAFETY: cells of one row of the tile, which no other thread accesses now.
            let mut values: [X::Value; 8] =
                std::array::from_fn(|k| unsafe { self.target.read(tile.node, first + k as u64) });
            for (k, (value, sum)) in values.iter_mut().zip(sums).enumerate() {
                let mut merged = *value;
                self.merge.merge(&mut merged, *sum);
                *value = if bits >> k & 1 != 0 { merged } else { *value };
            }
            for (k, value) in values.into_iter().enumerate() {
                // SAFETY: as above.
                unsafe { self.target.write(tile.node, first + k as u64, value) };
            }
            return;
        }
        let mut left = bits;
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            self.put(tile.node, first + u64::from(k), sums[k as usize]);
        }
    }

    /// Adds to the cells of a row from `first` on, wherever they stand; `bits` says which.
    #[inline]
    fn take_cells<S: Accumulate>(&self, tile: Tile, first: L::Point, bits: u64, sums: &[S])
    where
        M: Merge<X::Value, S>,
    {
        let mut left = bits;
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            let cell = cell_in_node::<L>(plan_of::<L>(self.core), Self::along(first, k));
            self.mark_row(tile, cell, 1);
            self.put(tile.node, cell, sums[k as usize]);
        }
    }

    /// Makes the cells active that `bits` names from `first` on.
    #[inline(always)]
    fn mark_row(&self, tile: Tile, first: u64, bits: u64) {
        if const { !Self::HAS_BITS } {
            return;
        }
        let step = &plan_of::<L>(self.core).steps[const { L::PLAN.n.saturating_sub(1) }];
        let (word, shift) = (first / 64, first % 64);
        let (low, high) = (bits << shift, if shift == 0 { 0 } else { bits >> (64 - shift) });
        if const { matches!(Self::SHARING, Sharing::None) } && step.aux_stride == 0 {
            let at = tile.mask.wrapping_add(word as usize);
            debug_assert!((word + 1 + u64::from(high != 0)) * 8 <= step.main_stride);
            // SAFETY: the words of cells of the tile, which is a node of its own and so this thread's alone.
            unsafe {
                *at |= low;
                if high != 0 {
                    *at.add(1) |= high;
                }
            }
            return;
        }
        for (word, bits) in [(word, low), (word + 1, high)].into_iter().filter(|(_, bits)| *bits != 0) {
            // SAFETY: words of cells of a tile of an existing node; where others share them they are written atomically.
            unsafe { set_bits(self.core, step, tile.node, word, bits, true) };
        }
    }

    #[inline(always)]
    fn put<S>(&self, node: u32, cell: u64, sum: S)
    where
        M: Merge<X::Value, S>,
    {
        // SAFETY: a cell of an existing node that no other thread writes to now (`new`).
        unsafe {
            let mut value = self.target.read(node, cell);
            self.merge.merge(&mut value, sum);
            self.target.write(node, cell, value);
        }
    }
}

/// A tile that is being written to: its node, and the mask of the level there if its cells have bits.
#[derive(Clone, Copy)]
struct Tile {
    node: u32,
    mask: *mut u64,
}

/// The bits of a row from `from` on, `len` of them, up to 64.
#[inline(always)]
fn bits_of(words: &[u64], from: usize, len: usize) -> u64 {
    debug_assert!(0 < len && len <= 64);
    let (word, shift) = (from / 64, from % 64);
    let mut bits = words[word] >> shift;
    if shift != 0 && word + 1 < words.len() {
        bits |= words[word + 1] << (64 - shift);
    }
    bits & u64::MAX >> (64 - len)
}
