//! The operations on whole grids: on every innermost level.

use super::combine::{Change, combine};
use super::neighbourhood::Neighbourhood;
use super::source::Source;
use super::target::{Ranges, Target};
use super::{grow, merge, query, twins};
use crate::core::{BuildOptions, Core};
use crate::error::Exhausted;
use crate::layout::Layout;
use crate::plan::{Plan, Shape};
use crate::tree::{Bounds, Kind, MAX_AXES, ROOT, Tree};

/// The levels without levels below, lists aside.
fn innermost(tree: &Tree) -> impl Iterator<Item = usize> + '_ {
    (0..tree.levels.len()).filter(|&l| is_innermost(tree, l))
}

const fn is_innermost(tree: &Tree, level: usize) -> bool {
    if matches!(tree.levels[level].kind, Kind::Dynamic) {
        return false;
    }
    let mut m = 0;
    while m < tree.levels.len() {
        if tree.levels[m].parent == level && !matches!(tree.levels[m].kind, Kind::Dynamic) {
            return false;
        }
        m += 1;
    }
    true
}

/// Whether every innermost level has so many coordinates.
pub(crate) const fn has_coordinates<G: Layout>(d: usize) -> bool {
    let tree = &G::TREE;
    let shape = Shape::new(tree, &[None; MAX_AXES]);
    let mut l = 0;
    while l < tree.levels.len() {
        if is_innermost(tree, l) && Plan::new(tree, &shape, l).d != d {
            return false;
        }
        l += 1;
    }
    true
}

fn targets<G: Layout>(core: &Core<G>) -> Vec<Target> {
    innermost(&G::TREE).map(|l| Target::new(&G::TREE, &core.raw().meta.shape, l)).collect()
}

fn made<G: Layout>(done: Result<(), Exhausted>) {
    if let Err(e) = done {
        panic!("{}: {e}", G::TREE.name);
    }
}

pub(crate) fn dilate<G: Layout>(core: &mut Core<G>, neighbourhood: Neighbourhood, rounds: u32) {
    for target in targets(core) {
        made::<G>(grow::rounds(&mut core.raw_mut(), &target, neighbourhood, rounds, grow::dilate));
    }
}

pub(crate) fn erode<G: Layout>(core: &mut Core<G>, neighbourhood: Neighbourhood, rounds: u32) {
    for target in targets(core) {
        made::<G>(grow::rounds(&mut core.raw_mut(), &target, neighbourhood, rounds, grow::erode));
    }
}

pub(crate) fn clip<G: Layout>(core: &mut Core<G>, ranges: &Ranges) {
    for target in targets(core) {
        made::<G>(combine(&mut core.raw_mut(), &target, Source::Region(*ranges), Change::Keep));
    }
}

pub(crate) fn bounding_box<G: Layout>(core: &Core<G>) -> Option<Ranges> {
    let hull = |a: Ranges, b: Ranges| std::array::from_fn(|j| (a[j].0.min(b[j].0), a[j].1.max(b[j].1)));
    targets(core).iter().filter_map(|target| query::bounding_box(&core.raw(), target)).reduce(hull)
}

/// The innermost levels of two grids, in the order of declaration.
///
/// # Panics
/// If they cannot be compared.
fn both<G: Layout, H: Layout>(own: &Core<G>, other: &Core<H>) -> impl Iterator<Item = (Target, Target)> + use<G, H> {
    let (own, theirs) = (targets(own), targets(other));
    assert!(
        own.len() == theirs.len() && own.iter().zip(&theirs).all(|(a, b)| a.d() == b.d()),
        "{} and {} have other innermost levels: combine level by level",
        G::TREE.name,
        H::TREE.name
    );
    own.into_iter().zip(theirs)
}

/// # Panics
/// If cells of `other` are out of bounds; if nodes are exhausted.
pub(crate) fn change<G: Layout, H: Layout>(core: &mut Core<G>, other: &Core<H>, change: Change) {
    for (own, of) in both(core, other) {
        if change == Change::Add
            && !own.same_path(&of)
            && let Some(ranges) = query::bounding_box(&other.raw(), &of)
            && let Some(j) = (0..own.d()).find(|&j| ranges[j].0 < own.bounds()[j].0 || ranges[j].1 > own.bounds()[j].1)
        {
            let ((from, to), (lo, hi)) = (ranges[j], own.bounds()[j]);
            let axis = G::TREE.axes[own.plan().axis[j]].name;
            panic!("{}: active cells along `{axis}` are {from}..{to}, the bounds {lo}..{hi}", G::TREE.name);
        }
        made::<G>(twins::change(&mut core.raw_mut(), &own, &other.raw(), &of, change));
    }
}

pub(crate) fn same<G: Layout, H: Layout>(core: &Core<G>, other: &Core<H>) -> bool {
    both(core, other).all(|(own, of)| query::same(&core.raw(), &own, &other.raw(), &of))
}

/// # Panics
/// If bounds given at run time differ; if nodes are exhausted.
pub(crate) fn unite<G: Layout>(core: &mut Core<G>, other: &Core<G>) {
    let (a, b) = (core.raw().meta, other.raw().meta);
    assert!(
        a.shape.lo == b.shape.lo && a.shape.declared == b.shape.declared && a.shape.sizes == b.shape.sizes,
        "{}: a union of grids of other bounds: use `union_topology`, and copy what is missing",
        G::TREE.name
    );
    made::<G>(merge::merge(&other.raw(), &mut core.raw_mut()));
}

/// An empty grid over the bounds of another, where they are given at run time.
///
/// # Panics
/// If such an axis is unbounded there; if the system does not grant the address space.
pub(crate) fn alike<G: Layout, H: Layout>(other: &Core<H>) -> Core<G> {
    let mut options = BuildOptions::default();
    let theirs = &other.raw().meta.shape;
    for (a, axis) in G::TREE.axes.iter().enumerate().filter(|(_, axis)| matches!(axis.bounds, Bounds::RunTime)) {
        let unbounded = |l: usize| theirs.sizes[l][a] == crate::plan::FREE;
        assert!(
            a < H::TREE.axes.len() && !(0..H::TREE.levels.len()).any(unbounded),
            "{}: `{}` needs bounds, and {} has none",
            G::TREE.name,
            axis.name,
            H::TREE.name
        );
        let cells = if theirs.declared[a] > 0 { theirs.declared[a] } else { theirs.below(&H::TREE, ROOT, a) };
        options.bounds[a] = Some((theirs.lo[a], theirs.lo[a] + cells as i64));
    }
    Core::build(&options).unwrap_or_else(|e| panic!("{}: {e}", G::TREE.name))
}
