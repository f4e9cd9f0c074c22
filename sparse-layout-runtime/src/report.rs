//! What a grid is and what it uses, in words and numbers.

use crate::core::Core;
use crate::layout::Layout;
use crate::plan::{Digits, Plan, Shape};
use crate::semantic::FieldInfo;
use crate::slab::pages;
use crate::tree::{Bounds, FieldDecl, Kind, MAX_AXES, ROOT, Size, Storage, Tree};
use std::fmt::Write;
use std::marker::PhantomData;

/// The declaration of a grid, at run time.
pub struct LayoutInfo<G>(PhantomData<fn() -> G>);

impl<G> Clone for LayoutInfo<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for LayoutInfo<G> {}

impl<G> LayoutInfo<G> {
    /// The layout of `G`.
    #[doc(hidden)]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        LayoutInfo(PhantomData)
    }
}

impl<G: Layout> LayoutInfo<G> {
    /// What was declared.
    pub fn tree(&self) -> &'static Tree {
        const { &G::TREE }
    }

    /// The fields, as declared.
    pub fn fields(&self) -> &'static [FieldDecl] {
        G::TREE.fields
    }

    /// What the field of that name holds: its scalar, lanes, meaning and bytes.
    pub fn field(&self, name: &str) -> Option<FieldInfo> {
        self.fields().iter().find(|f| f.name == name).map(FieldDecl::info)
    }

    /// The byte at which the value of a cell begins, in memory that depends on the storage of the level: `soa`, that of the
    /// field in one node; `aosoa` and `aos`, that of all fields of the level in one node. A layout without `pointer` and `hash`
    /// is one node. None: out of bounds.
    ///
    /// A constant function: the offsets of a layout can be worked out, and asserted, at compile time. Where a node stands is
    /// known at run time only: see [`Field::offset`](crate::Field::offset).
    ///
    /// Of a `split` field it is the place of the first component, of a `bits` field that of the 64-bit word.
    ///
    /// # Panics
    /// If there is no such field, the point has not one coordinate per axis of the field, the field is a list, or bounds are
    /// given at run time.
    pub const fn offset(&self, field: &str, point: &[i32]) -> Option<u64> {
        let Some(f) = G::TREE.field_named(field) else { panic!("no such field") };
        G::TREE.offset(&Self::shape(), f, point)
    }

    /// The digits of a cell of a field's level, level by level. None: out of bounds.
    ///
    /// # Panics
    /// As [`offset`](Self::offset), but for lists.
    pub const fn digits(&self, field: &str, point: &[i32]) -> Option<Digits> {
        let Some(f) = G::TREE.field_named(field) else { panic!("no such field") };
        Plan::new(&G::TREE, &Self::shape(), G::TREE.fields[f].level).digits(point)
    }

    /// Bytes from one node to the next in the memory that [`offset`](Self::offset) counts in: with one node for all cells, the
    /// bytes of the field (`soa`), or of all fields of its level (`aosoa`, `aos`), rounded up.
    ///
    /// # Panics
    /// If there is no such field, or bounds are given at run time.
    pub const fn node_bytes(&self, field: &str) -> u64 {
        let Some(f) = G::TREE.field_named(field) else { panic!("no such field") };
        G::TREE.part_stride(&Self::shape(), G::TREE.value_part(f))
    }

    const fn shape() -> Shape {
        assert!(!G::TREE.has_run_time_bounds(), "bounds that are given at run time are not known without the grid");
        Shape::new(&G::TREE, &[None; MAX_AXES])
    }
}

impl<G: Layout> std::fmt::Debug for LayoutInfo<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "layout of {}", G::TREE.name)
    }
}

/// Bytes that a grid uses, and those it holds.
///
/// What is in use is counted by nodes: those that are alive, and of each kind the one that holds the background. A root is one
/// node, whose cells all count, touched or not: [`resident`](Self::resident) says what a huge one costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Values of fields.
    pub values: u64,
    /// Activity and occupancy bits; lengths and chunk tables of lists.
    pub masks: u64,
    /// Handles and hash tables.
    pub tables: u64,
    /// Origins and parents of nodes.
    pub headers: u64,
    /// Nodes that are alive.
    pub nodes: u64,
    /// Nodes that are kept for what comes next.
    /// [`Grid::shrink`](crate::Grid::shrink) and [`Grid::compact`](crate::Grid::compact) give them back.
    pub free: u64,
    /// What of all this is in memory, in whole pages: nodes count as soon as they are written to, and until they are given
    /// back. (Where the system does not say, as only Linux does: all.)
    pub resident: u64,
    /// Address space that is set aside. It costs nothing until it is written to.
    pub reserved: u64,
}

impl Memory {
    /// All that is in use.
    pub fn used(&self) -> u64 {
        self.values + self.masks + self.tables + self.headers
    }

    /// All that is in use or kept.
    pub fn total(&self) -> u64 {
        self.used() + self.free
    }

    pub(crate) fn of<G: Layout>(core: &Core<G>) -> Memory {
        let mut memory = Memory::default();
        let tree = &G::TREE;
        let raw = core.raw();
        for (kind, pool) in raw.pools.iter().enumerate() {
            let (live, mark) = if kind == 0 { (0, 1) } else { (u64::from(pool.live()), u64::from(pool.mark())) };
            memory.nodes += live;
            memory.tables += pool.directory.bytes();
            memory.resident += pool.directory.bytes();
            memory.reserved += raw.arenas[kind].reserved();
            for (part, stride) in raw.meta.parts_of(kind) {
                let bytes = (live + 1) * stride as u64;
                memory.free += (mark - 1 - live) * stride as u64;
                memory.resident += pages::resident(raw.parts[part].base(), mark as usize * stride);
                if part < tree.node_kinds() {
                    memory.headers += bytes;
                } else if part >= tree.node_kinds() + 2 * tree.levels.len() {
                    memory.values += bytes;
                } else if part == tree.main_part((part - tree.node_kinds()) / 2)
                    && tree.levels[(part - tree.node_kinds()) / 2].kind == Kind::Pointer
                {
                    memory.tables += bytes;
                } else {
                    memory.masks += bytes;
                }
            }
        }
        memory
    }
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} (values {}, masks {}, tables {}, headers {}) in {} nodes, {} free; {} resident of {} reserved",
            bytes(self.used()),
            bytes(self.values),
            bytes(self.masks),
            bytes(self.tables),
            bytes(self.headers),
            self.nodes,
            bytes(self.free),
            bytes(self.resident),
            bytes(self.reserved)
        )
    }
}

/// A number of bytes in the largest unit that leaves a digit before the point.
fn bytes(n: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = (0..units.len()).rev().find(|u| n >> (10 * u) > 0).unwrap_or(0);
    if unit == 0 { format!("{n} B") } else { format!("{:.1} {}", n as f64 / (1u64 << (10 * unit)) as f64, units[unit]) }
}

/// Active cells of the innermost levels.
pub(crate) fn count<G: Layout>(core: &Core<G>) -> u64 {
    let is_list = |l: usize| G::TREE.levels[l].kind == Kind::Dynamic;
    let innermost =
        |l: &usize| !is_list(*l) && !(0..G::TREE.levels.len()).any(|m| G::TREE.levels[m].parent == *l && !is_list(m));
    (0..G::TREE.levels.len()).filter(innermost).map(|l| crate::core::count_level(core, l)).sum()
}

/// The layout and its nodes as a table.
pub(crate) fn describe<G: Layout>(core: &Core<G>) -> String {
    let tree = &G::TREE;
    let raw = core.raw();
    let shape = &raw.meta.shape;
    let mut out = String::new();
    let _ = write!(out, "{}: axes", tree.name);
    for (a, axis) in tree.axes.iter().enumerate() {
        let _ = match axis.bounds {
            Bounds::Sizes if tree.levels.iter().any(|l| l.sizes[a] == Size::Unbounded) => write!(out, " {}", axis.name),
            Bounds::Sizes => write!(out, " {} = 0..{}", axis.name, shape.below(tree, ROOT, a)),
            _ => write!(out, " {} = {}..{}", axis.name, shape.lo[a], shape.lo[a] + shape.declared[a] as i64),
        };
    }
    out.push('\n');
    fields(&mut out, core, ROOT, 1);
    for l in 0..tree.levels.len() {
        let level = &tree.levels[l];
        let depth = depth(tree, l);
        let _ = write!(out, "{:indent$}{}: {}(", "", level.name, level.kind.word(), indent = 2 * depth);
        for (i, &a) in level.order.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let _ = match level.sizes[a] {
                Size::Unbounded => write!(out, "{comma}{}", tree.axes[a].name),
                _ => write!(out, "{comma}{} = {}", tree.axes[a].name, shape.sizes[l][a]),
            };
        }
        if level.morton {
            out.push_str(", morton");
        }
        match level.storage {
            Storage::Soa => {}
            Storage::Aosoa => out.push_str(", aosoa"),
            Storage::Aos => out.push_str(", aos"),
        }
        out.push(')');
        if level.kind.is_indirect() {
            let kind = tree.content(l);
            let stride: u64 = raw.meta.strides_of(kind).sum();
            let _ = write!(out, ", {} nodes of {}", raw.pools[kind].live(), bytes(stride));
        }
        out.push('\n');
        fields(&mut out, core, l, depth + 1);
    }
    out
}

fn fields<G: Layout>(out: &mut String, core: &Core<G>, level: usize, depth: usize) {
    let raw = core.raw();
    for (field, plan) in G::TREE.fields.iter().zip(&raw.meta.fields).filter(|(f, _)| f.level == level) {
        let bytes = if level == ROOT { 0 } else { plan.node };
        let _ = write!(out, "{:indent$}{}: {}", "", field.name, field.type_name, indent = 2 * depth);
        let _ = if bytes > 0 { writeln!(out, ", {} a node", self::bytes(bytes)) } else { writeln!(out) };
    }
}

fn depth(tree: &Tree, mut level: usize) -> usize {
    let mut depth = 0;
    while level != ROOT {
        depth += 1;
        level = tree.levels[level].parent;
    }
    depth
}
