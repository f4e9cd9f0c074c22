//! Where pieces are cut, and what loops must not do: build orders anew, walk tables.

use super::cells::Cells;
use crate::core::{Beside, Path, counters};
use crate::layout::{At, HasLevel, Layout};
use crate::slab::{Part, Pool};
use crate::stencil::neighbours::Reach;
use crate::tree::{Axis, Bounds, FieldDecl, Kind, LevelDecl, ROOT, Size, Tree};
use crate::{Core, Field, GridFieldMut, Level};
use std::ops::ControlFlow;

/// A layout of one `u8` field at the last level, whose axes are all divided by every level.
macro_rules! layout {
    ($name:ident, $axes:literal, $last:literal, $parts:literal, $pools:literal, [$($kind:ident $parent:expr, $size:expr;)*]) => {
        struct $name;

        impl Layout for $name {
            const TREE: Tree = Tree {
                name: stringify!($name),
                axes: &[Axis { name: "a", bounds: Bounds::Sizes }; $axes],
                levels: &[$( LevelDecl::new("", Kind::$kind, $parent, &[$size; $axes], {
                    const ORDER: [usize; 3] = [0, 1, 2];
                    ORDER.split_at($axes).0
                }) ),*],
                fields: &[FieldDecl::of::<u8>("value", "u8", $last)],
                padded: false,
            };
            type Parts = [Part; $parts];
            type Pools = [Pool; $pools];
        }

        impl HasLevel<$last> for $name {
            type Point = [i32; $axes];
        }
    };
}

layout!(Vdb, 3, 3, 13, 4, [
    Hash ROOT, Size::Unbounded;
    Pointer 0, Size::Cells(16);
    Pointer 1, Size::Cells(16);
    Bitmasked 2, Size::Cells(8);
]);
// 2^24 slots in the root's table.
layout!(Huge, 2, 1, 7, 2, [Pointer ROOT, Size::Cells(4096); Bitmasked 0, Size::Cells(8);]);
layout!(Image, 2, 0, 4, 1, [Dense ROOT, Size::Cells(4096);]);
layout!(Bits512, 3, 0, 4, 1, [Bitmasked ROOT, Size::Cells(512);]);

fn items<L: Level>(cells: Cells<'_, L>) -> Vec<(L::Point, u32, u64)> {
    let all = cells.try_fold(Vec::new(), |mut all, p, node, cell| {
        all.push((p, node, cell));
        ControlFlow::Continue(all)
    });
    match all {
        ControlFlow::Break(all) | ControlFlow::Continue(all) => all,
    }
}

/// Pieces down to where nothing can be split, in order.
fn pieces<'a, L: Level>(cells: Cells<'a, L>, out: &mut Vec<Cells<'a, L>>) {
    match cells.split() {
        (whole, None) => out.push(whole),
        (a, Some(b)) => {
            pieces(a, out);
            pieces(b, out);
        }
    }
}

fn split_wholly<L: Level>(core: &Core<L::Layout>, least: usize) {
    let mut all = Vec::new();
    pieces(Cells::<L>::all(core), &mut all);
    assert!(all.len() >= least, "{} pieces", all.len());
    let whole = items(Cells::<L>::all(core));
    assert_eq!(Cells::<L>::all(core).count(), whole.len() as u64);
    assert_eq!(all.iter().map(Cells::size).sum::<u64>(), Cells::<L>::all(core).size());
    assert_eq!(all.into_iter().flat_map(items).collect::<Vec<_>>(), whole);
}

#[test]
fn pieces_are_the_whole_in_order() {
    let mut core = Core::<Vdb>::new();
    let mut field = GridFieldMut::<At<Vdb, 3>, u8>::new(&mut core, 0);
    for i in 0..3000 {
        field.set([i * 37 % 500 - 100, i * 91 % 700, i % 60], 1);
    }
    let blocks = core.order(3).len();
    // One piece a block, which has 512 cells.
    split_wholly::<At<Vdb, 3>>(&core, blocks);

    let mut core = Core::<Bits512>::new();
    let mut field = GridFieldMut::<At<Bits512, 0>, u8>::new(&mut core, 0);
    for i in 0..2000 {
        field.set([i * 37 % 512, i * 91 % 512, i % 512], 1);
    }
    split_wholly::<At<Bits512, 0>>(&core, 1000);
}

/// A dense image is one node: it is cut inside, at whole mask words of cells.
#[test]
fn a_dense_image_is_split() {
    let core = Core::<Image>::new();
    let mut all = Vec::new();
    pieces(Cells::<At<Image, 0>>::all(&core), &mut all);
    assert!(all.len() >= 4096, "{} pieces", all.len());
    assert_eq!(all.iter().map(Cells::size).sum::<u64>(), 4096 * 4096);
    let mut next = 0;
    for piece in all {
        let cells = items(piece);
        assert_eq!(cells[0], ([(next / 4096) as i32, (next % 4096) as i32], 0, next));
        next += cells.len() as u64;
    }
    assert_eq!(next, 4096 * 4096);
}

#[test]
fn one_block_below_a_huge_table() {
    let mut core = Core::<Huge>::new();
    GridFieldMut::<At<Huge, 1>, u8>::new(&mut core, 0).set([20_000, 30_001], 7);
    counters::taken();
    let field = Field::<At<Huge, 1>, u8>::new(&core, 0);
    assert_eq!(field.iter().collect::<Vec<_>>(), [([20_000, 30_001], 7)]);
    assert_eq!(field.sum(), 7);
    // The table has 2^18 occupancy words.
    let (orders, words) = counters::taken();
    assert!(orders == 1 && words < 100, "{orders} orders built, {words} words read");
}

#[test]
fn nothing_is_built_again_until_nodes_come_or_go() {
    let mut core = Core::<Vdb>::new();
    let mut field = GridFieldMut::<At<Vdb, 3>, u8>::new(&mut core, 0);
    field.extend([([1, 2, 3], 1), ([1, 2, 4], 1)]);
    counters::taken();
    for _ in 0..10 {
        assert_eq!(field.iter().count(), 2);
        assert_eq!(field.as_field().sum(), 2);
        field.par_for_each(|_, v| *v = 1);
        // A cell of a node that exists changes no order.
        field.set([1, 2, 4], 1);
    }
    // One for each kind of node on the way: the root's own is the same always.
    let (first, _) = counters::taken();
    assert!(first <= 4, "{first} orders");
    field.set([100, 2, 3], 1);
    assert_eq!(field.iter().count(), 3);
    assert!((1..=4).contains(&counters::taken().0));
    assert_eq!(field.iter().count(), 3);
    assert_eq!(counters::taken().0, 0);
}

/// An accessor goes back to the root only where the outermost cell changes.
#[test]
fn descents_of_a_known_walk() {
    type L = At<Vdb, 3>;
    let walk = |core: &Core<Vdb>| {
        let mut path = Path::<L>::new();
        for x in 0..3 * 2048 {
            assert!(path.locate(core, [x, 5, 5]).is_some());
        }
        path.from_root
    };
    // Nothing anywhere: each outermost cell is one region that is known to be empty.
    let mut core = Core::<Vdb>::new();
    assert_eq!(walk(&core), 3);
    // A block in each innermost cell, in every fourth, in one.
    for step in [2048, 32, 8] {
        for x in (0..3 * 2048).step_by(step) {
            GridFieldMut::<L, u8>::new(&mut core, 0).set([x, 5, 5], 1);
        }
        assert_eq!(walk(&core), 3, "a block every {step} cells");
    }
    // There and back across the border of two outermost cells: only one node of that kind is remembered.
    let mut path = Path::<L>::new();
    for x in [2047, 2048, 2047, 2046, 2048] {
        path.locate(&core, [x, 5, 5]);
    }
    assert_eq!(path.from_root, 4);
}

/// Cells around those of a walk: each node is found once for each border that is crossed, and none of them from the root.
#[test]
fn descents_of_a_walk_that_looks_around() {
    type L = At<Vdb, 3>;
    let mut core = Core::<Vdb>::new();
    for x in (0..2048).step_by(8) {
        for y in [0, 8] {
            GridFieldMut::<L, u8>::new(&mut core, 0).set([x, y, 5], 1);
        }
    }
    let mut path = Path::<L>::new();
    let mut beside = [Beside::<L>::none(); 4];
    for x in 8..2000 {
        path.locate(&core, [x, 7, 5]);
        for (side, p) in [[x - 1, 7, 5], [x + 1, 7, 5], [x, 6, 5], [x, 8, 5]].into_iter().enumerate() {
            assert!(path.locate_beside(&core, p, &mut beside[side]).is_some());
        }
    }
    assert_eq!(path.from_root, 1);
    // The node of each cell, that above it, and that before and behind it where a border is crossed.
    let borders = (2000 - 8) / 8;
    assert_eq!(path.descents, 4 * borders);
}

/// Tables of neighbours are built once per topology and kind of node, for all fields, and dropped when nodes come or go.
#[test]
fn tables_of_neighbours_are_kept() {
    let mut core = Core::<Vdb>::new();
    let mut field = GridFieldMut::<At<Vdb, 3>, u8>::new(&mut core, 0);
    field.extend([([1, 2, 3], 1), ([9, 2, 4], 1), ([-1, 2, 4], 1)]);
    counters::tables_taken();
    for _ in 0..3 {
        let table = core.neighbours(3, Reach::Faces);
        let nodes = core.order(3);
        // Across the border of two outermost cells, and within one table.
        assert_eq!(&table.row(0)[..3], [nodes[0], 0, nodes[1]]);
        assert_eq!(&table.row(1)[..3], [nodes[1], nodes[0], nodes[2]]);
        assert_eq!(&table.row(2)[..3], [nodes[2], nodes[1], 0]);
        assert!(table.row(1)[3..].iter().all(|h| *h == 0));
    }
    assert_eq!(counters::tables_taken(), 3);
    // A cell of a node that exists changes no table; a node does.
    GridFieldMut::<At<Vdb, 3>, u8>::new(&mut core, 0).set([2, 2, 3], 1);
    core.neighbours(3, Reach::Faces);
    assert_eq!(counters::tables_taken(), 0);
    GridFieldMut::<At<Vdb, 3>, u8>::new(&mut core, 0).set([1, 2, 300], 1);
    core.neighbours(3, Reach::Faces);
    assert_eq!(counters::tables_taken(), 3);
    core.internal_validate();
}
