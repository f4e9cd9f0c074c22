//! Nodes without types: what cold code reads of a grid.

use crate::core::BuildOptions;
use crate::error::BuildError;
use crate::plan::{FieldPlan, Shape};
use crate::slab::arena::HUGE;
use crate::slab::pool::{Memory, Taken};
use crate::slab::{Arena, Part, Pool};
use crate::tree::{Kind, MAX_AXES, Packing, ROOT, Tree};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The parent of a node that is not alive.
pub(crate) const DEAD: u32 = u32::MAX;
/// Bytes of one field in one node from which a background other than zero is refused, and of a part of a node from which
/// its memory is given back rather than cleared.
const LARGEST_FILL: u64 = 64 << 20;

/// What a grid's declaration comes to.
#[derive(Clone)]
pub(crate) struct Meta {
    pub(crate) tree: Tree,
    /// In a box: a grid is small, and threads may have small stacks.
    pub(crate) shape: Box<Shape>,
    pub(crate) fields: Vec<FieldPlan>,
    pub(crate) hash_key: fn(usize, &[i32]) -> u64,
    /// Per kind of node: bytes of each part, 0 for those of other kinds.
    strides: Vec<Vec<u64>>,
}

impl Meta {
    pub(crate) fn new(
        tree: Tree,
        shape: Box<Shape>,
        hash_key: fn(usize, &[i32]) -> u64,
        _options: &BuildOptions,
    ) -> Self {
        let fields = (0..tree.fields.len()).map(|f| tree.field_plan(&shape, f)).collect();
        let stride = |kind, part| if tree.part_owner(part) == kind { tree.part_stride(&shape, part) } else { 0 };
        let strides = (0..tree.node_kinds()).map(|k| (0..tree.parts()).map(|p| stride(k, p)).collect()).collect();
        Meta { tree, shape, fields, hash_key, strides }
    }

    /// Bytes per node of every part, 0 for those of other kinds of node.
    pub(crate) fn strides_of(&self, kind: usize) -> impl Iterator<Item = u64> {
        self.strides[kind].iter().copied()
    }

    /// The parts of a kind of node, with bytes per node.
    pub(crate) fn parts_of(&self, kind: usize) -> impl Iterator<Item = (usize, usize)> {
        self.strides[kind].iter().enumerate().filter(|(_, s)| **s > 0).map(|(p, s)| (p, *s as usize))
    }

    /// Whether a hash level makes this kind of node.
    pub(crate) fn is_keyed(&self, kind: usize) -> bool {
        let maker = self.tree.maker(kind);
        maker != ROOT && self.tree.levels[maker].kind == Kind::Hash
    }

    /// Whether nodes of this kind are chunks of lists.
    pub(crate) fn is_chunk(&self, kind: usize) -> bool {
        let maker = self.tree.maker(kind);
        maker != ROOT && self.tree.levels[maker].kind == Kind::Dynamic
    }

    /// The levels whose slots stand in this kind of node.
    pub(crate) fn levels_in(&self, kind: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.tree.levels.len()).filter(move |&l| self.tree.holder(l) == kind)
    }

    /// The fields whose values stand in this kind of node.
    pub(crate) fn fields_in(&self, kind: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.tree.fields.len()).filter(move |&f| self.tree.content(self.tree.fields[f].level) == kind)
    }

    /// Whether `level` is `above` or lies below it.
    pub(crate) fn is_within(&self, mut level: usize, above: usize) -> bool {
        while level != above {
            if level == ROOT {
                return false;
            }
            level = self.tree.levels[level].parent;
        }
        true
    }
}

/// The background of every field.
#[derive(Clone)]
pub(crate) struct Backgrounds {
    /// Values at multiples of 64 bytes, so that any element is aligned.
    lines: Vec<Line>,
    first: Vec<usize>,
    zero: Vec<bool>,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Backgrounds {
    pub(crate) fn new(tree: &Tree, replaced: &[(usize, Vec<u8>)]) -> Self {
        let mut all = Backgrounds { lines: Vec::new(), first: Vec::new(), zero: Vec::new() };
        for (f, field) in tree.fields.iter().enumerate() {
            let mut bytes = vec![0; field.size];
            if let Some(write) = field.background {
                write(&mut bytes);
            }
            if let Some((_, other)) = replaced.iter().rev().find(|(g, _)| *g == f) {
                bytes.copy_from_slice(other);
            }
            all.zero.push(bytes.iter().all(|b| *b == 0));
            all.first.push(all.lines.len());
            bytes.resize(bytes.len().next_multiple_of(64).max(64), 0);
            all.lines.extend(bytes.chunks_exact(64).map(|c| Line(std::array::from_fn(|i| c[i]))));
        }
        all
    }

    /// The value of a field, aligned for it.
    #[inline(always)]
    pub(crate) fn of(&self, field: usize) -> *const u8 {
        self.lines[self.first[field]..].as_ptr().cast()
    }

    /// Whether every field's is.
    fn all_zero(&self) -> bool {
        self.zero.iter().all(|zero| *zero)
    }

    pub(crate) fn is_zero(&self, field: usize) -> bool {
        self.zero[field]
    }

    /// Whether a field's is the same in a grid of the same layout.
    pub(crate) fn is_same(&self, other: &Backgrounds, field: usize) -> bool {
        let lines = self.first.get(field + 1).unwrap_or(&self.lines.len()) - self.first[field];
        (0..lines).all(|line| self.lines[self.first[field] + line].0 == other.lines[other.first[field] + line].0)
    }
}

/// A grid's nodes, shared.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    pub(crate) meta: &'a Meta,
    pub(crate) parts: &'a [Part],
    pub(crate) pools: &'a [Pool],
    pub(crate) arenas: &'a [Arena],
    pub(crate) backgrounds: &'a Backgrounds,
}

/// A grid's nodes, held exclusively.
pub(crate) struct RawMut<'a> {
    pub(crate) meta: &'a Meta,
    pub(crate) parts: &'a [Part],
    pub(crate) pools: &'a mut [Pool],
    pub(crate) arenas: &'a mut [Arena],
    pub(crate) backgrounds: &'a Backgrounds,
}

impl RawMut<'_> {
    pub(crate) fn shared(&self) -> Raw<'_> {
        Raw {
            meta: self.meta,
            parts: self.parts,
            pools: self.pools,
            arenas: self.arenas,
            backgrounds: self.backgrounds,
        }
    }
}

impl<'a> Raw<'a> {
    /// Where a node's origin and parent stand.
    #[inline(always)]
    pub(crate) fn header(&self, kind: usize, handle: u32) -> *mut i32 {
        debug_assert!(kind > 0);
        self.parts[self.meta.tree.header_part(kind)].node(handle).cast()
    }

    /// The origin of a node, along every axis of the grid.
    pub(crate) fn origin(&self, kind: usize, handle: u32) -> [i32; MAX_AXES] {
        let mut origin = [0; MAX_AXES];
        for (a, o) in origin.iter_mut().enumerate().take(self.meta.tree.axes.len()) {
            // SAFETY: a header holds one `i32` per axis; it is written before a handle is published.
            *o = unsafe { *self.header(kind, handle).add(a) };
        }
        origin
    }

    /// The node that holds the slot that leads to this one, or [`DEAD`].
    pub(crate) fn parent(&self, kind: usize, handle: u32) -> u32 {
        // SAFETY: the parent's handle follows the origin.
        unsafe { self.header(kind, handle).add(self.meta.tree.axes.len()).cast::<u32>().read() }
    }

    pub(crate) fn write_header(&self, kind: usize, handle: u32, origin: &[i32; MAX_AXES], parent: u32) {
        let header = self.header(kind, handle);
        for (a, o) in origin.iter().enumerate().take(self.meta.tree.axes.len()) {
            // SAFETY: as in `origin`; the caller owns the node: it is not published yet, or the grid is held exclusively.
            unsafe { header.add(a).write(*o) };
        }
        // SAFETY: as above.
        unsafe { header.add(self.meta.tree.axes.len()).cast::<u32>().write(parent) };
    }

    /// The live nodes of a kind, in the order of their handles.
    pub(crate) fn live(&self, kind: usize) -> impl Iterator<Item = u32> + use<'a> {
        let raw = *self;
        (1..self.pools[kind].end()).filter(move |&h| raw.parent(kind, h) != DEAD)
    }

    /// Word `w` of the main or auxiliary part of a level.
    pub(crate) fn word(&self, part: usize, handle: u32, w: u64) -> *mut u64 {
        debug_assert!((w + 1) * 8 <= self.parts[part].stride() as u64);
        self.parts[part].node(handle).cast::<u64>().wrapping_add(w as usize)
    }

    /// The entry of a slot of a pointer level.
    pub(crate) fn entry(&self, level: usize, handle: u32, slot: u64) -> *mut u32 {
        let part = self.meta.tree.main_part(level);
        debug_assert!((slot + 1) * 4 <= self.parts[part].stride() as u64);
        self.parts[part].node(handle).cast::<u32>().wrapping_add(slot as usize)
    }

    /// Whether the level keeps a summary of its mask.
    pub(crate) fn has_summary(&self, level: usize) -> bool {
        self.meta.tree.levels[level].kind == Kind::Bitmasked && self.parts[self.meta.tree.aux_part(level)].stride() > 0
    }

    /// Where the value of a cell stands (of an item, in a chunk of a list).
    pub(crate) fn value_ptr(&self, field: usize, handle: u32, cell: u64) -> *mut u8 {
        let plan = &self.meta.fields[field];
        let level = self.meta.tree.fields[field].level;
        let at = if level != ROOT && self.meta.tree.levels[level].kind == Kind::Dynamic {
            cell * plan.cell
        } else {
            let cells = self.meta.tree.block_cells(&self.meta.shape, level);
            cell / cells * plan.block + cell % cells * plan.cell
        };
        self.parts[plan.part].node(handle).wrapping_add((plan.offset + at) as usize)
    }

    /// Copies a value from one cell to another: node and cell of each. The grid is held exclusively.
    pub(crate) fn copy_value(&self, field: usize, from: (u32, u64), to: (u32, u64)) {
        let (source, target) = (self.value_ptr(field, from.0, from.1), self.value_ptr(field, to.0, to.1));
        // SAFETY: values of nodes that exist; the caller holds the grid exclusively. They may be the same cell.
        unsafe { std::ptr::copy(source, target, self.meta.tree.fields[field].size) };
    }

    /// Fills cells `from..to` of a field in one node with its background. Nobody else accesses them: callers hold the grid
    /// exclusively or own the unpublished node.
    pub(crate) fn fill(&self, field: usize, handle: u32, from: u64, to: u64) {
        let decl = &self.meta.tree.fields[field];
        match decl.packing {
            Packing::Plain => self.fill_plain(field, handle, from, to),
            Packing::Split(count) => {
                for i in 0..count as u64 {
                    for c in from..to {
                        let (target, len) = self.component(field, handle, i, c);
                        let source = self.backgrounds.of(field).wrapping_add(len * i as usize);
                        // SAFETY: a component of a cell of the node, and of the background.
                        unsafe { std::ptr::copy_nonoverlapping(source, target, len) };
                    }
                }
            }
            Packing::Bits => {
                let node = self.parts[self.meta.fields[field].part].node(handle).cast::<u64>();
                for (w, bits) in super::bit_range(from, to) {
                    // SAFETY: a word of the field's bits in the node; other blocks of the node may be filled by other
                    // threads at the same time.
                    let word = unsafe { AtomicU64::from_ptr(node.wrapping_add(w as usize)) };
                    if self.backgrounds.is_zero(field) {
                        word.fetch_and(!bits, Relaxed);
                    } else {
                        word.fetch_or(bits, Relaxed);
                    }
                }
            }
        }
    }

    /// Component `i` of a cell of a split field, and its bytes.
    pub(crate) fn component(&self, field: usize, handle: u32, i: u64, cell: u64) -> (*mut u8, usize) {
        let decl = &self.meta.tree.fields[field];
        let Packing::Split(count) = decl.packing else { unreachable!("not a split field") };
        let len = decl.size / count;
        let cells = self.meta.shape.per_node(&self.meta.tree, decl.level);
        let at = (i * cells + cell) as usize * len;
        (self.parts[self.meta.fields[field].part].node(handle).wrapping_add(at), len)
    }

    fn fill_plain(&self, field: usize, handle: u32, from: u64, to: u64) {
        let plan = &self.meta.fields[field];
        let size = self.meta.tree.fields[field].size;
        let cells = self.meta.tree.block_cells(&self.meta.shape, self.meta.tree.fields[field].level);
        let even = plan.cell == size as u64 && plan.block == plan.cell * cells;
        if even && from < to {
            self.fill_side_by_side(field, self.value_ptr(field, handle, from), (to - from) as usize * size);
            return;
        }
        for c in from..to {
            // SAFETY: as above, one cell at a time.
            unsafe {
                std::ptr::copy_nonoverlapping(self.backgrounds.of(field), self.value_ptr(field, handle, c), size)
            };
        }
    }

    /// Fills values that stand side by side: `bytes` from `first`, a cell of a node.
    fn fill_side_by_side(&self, field: usize, first: *mut u8, bytes: usize) {
        if self.backgrounds.is_zero(field) {
            // SAFETY: cells of one node that stand side by side, inside the part.
            unsafe { first.write_bytes(0, bytes) };
            return;
        }
        let mut done = self.meta.tree.fields[field].size;
        // SAFETY: the first of those cells, and the background of the field.
        unsafe { std::ptr::copy_nonoverlapping(self.backgrounds.of(field), first, done) };
        // What is filled is copied behind itself, twice as much each time.
        while done < bytes {
            let next = done.min(bytes - done);
            // SAFETY: as above; the source ends where the target begins.
            unsafe { std::ptr::copy_nonoverlapping(first, first.wrapping_add(done), next) };
            done += next;
        }
    }

    /// Fills all values of a node that are not zero by nature.
    fn fill_backgrounds(&self, kind: usize, handle: u32) {
        if self.backgrounds.all_zero() {
            return;
        }
        for f in self.meta.fields_in(kind).filter(|&f| !self.backgrounds.is_zero(f)) {
            self.fill(f, handle, 0, self.meta.shape.per_node(&self.meta.tree, self.meta.tree.fields[f].level));
        }
    }

    /// Gives the root's node and every background node their values.
    pub(crate) fn fill_first_nodes(&self) -> Result<(), BuildError> {
        for kind in 0..self.pools.len() {
            for f in self.meta.fields_in(kind).filter(|&f| !self.backgrounds.is_zero(f)) {
                let decl = &self.meta.tree.fields[f];
                let bytes = self.meta.shape.per_node(&self.meta.tree, decl.level).saturating_mul(decl.size as u64);
                if bytes > LARGEST_FILL {
                    return Err(BuildError::Background { field: decl.name, bytes });
                }
            }
            if kind > 0 {
                self.write_header(kind, 0, &[0; MAX_AXES], DEAD);
            }
            self.fill_backgrounds(kind, 0);
            self.first_advice(kind);
        }
        Ok(())
    }

    /// A dense root is used as a whole; anything else asks for huge pages as it grows.
    fn first_advice(&self, kind: usize) {
        if kind > 0 {
            self.advise(kind, 0);
        } else if self.meta.tree.levels.iter().all(|l| l.kind == Kind::Dense) {
            for (part, stride) in self.meta.parts_of(0) {
                self.arenas[0].advise_huge(self.parts[part].base(), stride);
            }
        }
    }

    /// Asks at once for all huge pages that growing node by node would have asked for; where most of a part is known to
    /// be filled, from its beginning.
    pub(crate) fn advise_all(&self) {
        self.first_advice(0);
        for kind in 1..self.pools.len() {
            for (part, stride) in self.meta.parts_of(kind) {
                let used = self.pools[kind].end() as usize * stride;
                if used >= 2 * HUGE {
                    self.arenas[kind].advise_huge(self.parts[part].base(), used);
                }
            }
            let mut handle = 0;
            while handle < self.pools[kind].end() {
                self.advise(kind, handle);
                handle = self.pools[kind].advise_at.load(Relaxed);
            }
        }
    }

    /// Asks for huge pages for the parts that pass their first 2 MiB at `handle`, and notes when the next one does.
    fn advise(&self, kind: usize, handle: u32) {
        let mut next = u32::MAX;
        for (part, stride) in self.meta.parts_of(kind) {
            let from = HUGE.div_ceil(stride) as u32;
            if from == handle {
                let start = self.parts[part].base().wrapping_add(HUGE);
                let room = (self.pools[kind].last() as usize + 1) * stride;
                self.arenas[kind].advise_huge(start, room.saturating_sub(HUGE));
            } else if from > handle {
                next = next.min(from);
            }
        }
        self.pools[kind].advise_at.store(next, Relaxed);
    }

    /// A node in which every cell holds the background, not yet published: until it has
    /// [`landed`](crate::slab::Handles::landed) it is this thread's.
    pub(crate) fn allocate(
        &self,
        kind: usize,
        origin: &[i32; MAX_AXES],
        parent: u32,
    ) -> Result<u32, crate::error::Exhausted> {
        let taken = self.take(kind, origin, parent)?;
        self.prepare(kind, taken);
        Ok(taken.handle)
    }

    /// As [`allocate`](Self::allocate), but only the header is written: [`prepare`](Self::prepare) must be called before
    /// cells are looked at.
    pub(crate) fn take(
        &self,
        kind: usize,
        origin: &[i32; MAX_AXES],
        parent: u32,
    ) -> Result<Taken, crate::error::Exhausted> {
        let pool = &self.pools[kind];
        let taken = pool.take()?;
        let advise_at = pool.advise_at.load(Relaxed);
        if taken.handle >= advise_at {
            self.advise(kind, advise_at);
        }
        self.write_header(kind, taken.handle, origin, parent);
        if taken.memory == Memory::Used && self.meta.is_chunk(kind) {
            self.unmark_places(kind, taken.handle);
        }
        Ok(taken)
    }

    /// Makes every cell of a node just taken hold the background.
    pub(crate) fn prepare(&self, kind: usize, taken: Taken) {
        if taken.memory == Memory::Background {
            return;
        }
        if taken.memory == Memory::Used {
            let header = self.meta.tree.header_part(kind);
            for (part, stride) in self.meta.parts_of(kind).filter(|(part, _)| *part != header) {
                let node = self.parts[part].node(taken.handle);
                // SAFETY: the handle was just taken, so the node is this thread's alone; the range is its part.
                unsafe {
                    if stride as u64 >= LARGEST_FILL {
                        self.arenas[kind].zero(node, stride);
                    } else {
                        node.write_bytes(0, stride);
                    }
                }
            }
        }
        self.fill_backgrounds(kind, taken.handle);
    }
}
