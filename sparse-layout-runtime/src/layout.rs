//! What the attribute implements for a grid. All of it is safe: whatever unsafe code relies on is asserted in
//! constants ([`Planned`]).

use crate::coord::Point;
use crate::element::Element;
use crate::plan::{FieldPlan, ListPlan, Plan, Shape};
use crate::slab::{Array, Part, Pool};
use crate::tree::{Kind, MAX_AXES, ROOT, Storage, Tree};
use std::marker::PhantomData;

/// A declared layout.
pub trait Layout: Sized + Send + Sync + 'static {
    /// What was declared.
    const TREE: Tree;
    /// Evaluated with the tree's own check: questions about what only the compiler knows, asked at the user's tokens.
    const CONSTANTS: () = ();
    /// `[Part; N]` with as many parts as [`Tree::parts`] says.
    type Parts: Array<Part>;
    /// `[Pool; N]` with as many pools as [`Tree::node_kinds`] says.
    type Pools: Array<Pool>;

    /// Hashes a cell of a hash level.
    #[inline(always)]
    fn hash_key(level: usize, key: &[i32]) -> u64 {
        let _ = level;
        crate::slab::directory::default_hash(key)
    }
}

/// That a layout has a level of index `K` (or fields at its root) with this index space.
pub trait HasLevel<const K: usize>: Layout {
    /// `[i32; D]`, one coordinate per axis divided on the path to the level.
    type Point: Point;
}

/// Level `K` of the layout `G`, as a type.
pub struct At<G, const K: usize>(PhantomData<fn() -> G>);

impl<G, const K: usize> std::fmt::Debug for At<G, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "level {K}")
    }
}

/// A level as a type: what views and loops are typed by.
pub trait Level: Sized + 'static {
    /// The grid it belongs to.
    type Layout: Layout;
    /// The coordinates of its cells.
    type Point: Point;
    /// Its index in the tree.
    const LEVEL: usize;
}

impl<G: HasLevel<K>, const K: usize> Level for At<G, K> {
    type Layout = G;
    type Point = G::Point;
    const LEVEL: usize = K;
}

/// What the constants of a layout come to. Implemented here for every layout, so that nobody can say otherwise.
pub(crate) trait Shaped: Layout {
    /// Whether sizes are known only when a grid is built.
    const RUN_TIME: bool;
    /// Whether everything that unsafe code relies on holds.
    const CHECKED: ();
}

impl<G: Layout> Shaped for G {
    const RUN_TIME: bool = G::TREE.has_run_time_bounds();
    const CHECKED: () = {
        let () = G::CONSTANTS;
        G::TREE.check();
        assert!(<G::Parts as Array<Part>>::LEN == G::TREE.parts(), "wrong number of parts");
        assert!(<G::Pools as Array<Pool>>::LEN == G::TREE.node_kinds(), "wrong number of pools");
    };
}

/// Evaluates every check on a layout.
pub const fn check<G: Layout>() {
    <G as Shaped>::CHECKED
}

/// The plan of a level, checked.
pub(crate) trait Planned: Level {
    const PLAN: Plan;
    /// Whether it is a dynamic level.
    const LISTS: bool;
    /// Its lists, if it is.
    const LIST_PLAN: ListPlan;
}

impl<L: Level> Planned for L {
    const LISTS: bool = L::LEVEL != ROOT && matches!(L::Layout::TREE.levels[L::LEVEL].kind, Kind::Dynamic);
    const LIST_PLAN: ListPlan = {
        let () = <L::Layout as Shaped>::CHECKED;
        let tree = &L::Layout::TREE;
        tree.list_plan(&Shape::new(tree, &[None; MAX_AXES]), L::LEVEL)
    };
    const PLAN: Plan = {
        let () = <L::Layout as Shaped>::CHECKED;
        let tree = &L::Layout::TREE;
        assert!(L::LEVEL == ROOT || L::LEVEL < tree.levels.len(), "no such level");
        let plan = Plan::new(tree, &Shape::new(tree, &[None; MAX_AXES]), L::LEVEL);
        assert!(plan.d == <L::Point as Point>::LEN, "a level's points have one coordinate per axis on its path");
        plan
    };
}

/// Strides of the values of element type `T` at level `L`, for layouts without run-time bounds.
pub(crate) struct Stride<L, T>(PhantomData<fn() -> (L, T)>);

impl<L: Level, T: Element> Stride<L, T> {
    pub(crate) const PLAN: FieldPlan = {
        let tree = &L::Layout::TREE;
        let shape = Shape::new(tree, &[None; MAX_AXES]);
        let mut plan = FieldPlan { part: 0, offset: 0, node: 0, block: 0, cell: 0 };
        let mut found = false;
        let mut f = 0;
        while f < tree.fields.len() {
            let field = &tree.fields[f];
            if field.level == L::LEVEL
                && field.is_plain()
                && field.size == size_of::<T>()
                && field.align == align_of::<T>()
            {
                let own = tree.field_plan(&shape, f);
                assert!(!found || (own.node == plan.node && own.block == plan.block && own.cell == plan.cell));
                plan = own;
                found = true;
            }
            f += 1;
        }
        plan
    };
    /// Whether the cells of a node are evenly spaced, so that no block number is needed.
    pub(crate) const EVEN: bool = !matches!(L::Layout::TREE.storage(L::LEVEL), Storage::Aosoa);
}
