//! What goes wrong inside the library's loops: user code that panics, nodes that run out, address space that is refused. The
//! grid stays valid, nothing leaks, and the caller learns of it.
#![allow(missing_docs, unreachable_pub, missing_debug_implementations)]

use sparse_layout::prelude::*;
use sparse_layout::{BulkError, CellBlock};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Panics when it has been asked that many times.
struct Bomb(AtomicI64);

const BOOM: &str = "boom";

impl Bomb {
    fn after(calls: i64) -> Self {
        static QUIET: Once = Once::new();
        QUIET.call_once(|| {
            let others = take_hook();
            set_hook(Box::new(move |info| {
                if info.payload().downcast_ref() != Some(&BOOM) {
                    others(info);
                }
            }));
        });
        Bomb(AtomicI64::new(calls))
    }

    fn tick(&self) {
        if self.0.fetch_sub(1, Relaxed) == 0 {
            std::panic::panic_any(BOOM);
        }
    }

    fn ticking<T>(&self, value: T) -> T {
        self.tick();
        value
    }
}

/// Runs something that must panic with what the bomb threw.
fn explodes(what: &str, f: impl FnOnce()) {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err(what);
    assert_eq!(payload.downcast_ref(), Some(&BOOM), "{what}: the caller sees another panic");
}

/// The text of a panic.
fn panics(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    payload.downcast_ref::<String>().cloned().expect("a formatted text")
}

/// Some cells, in no order, in bounds of every layout here.
fn points() -> Vec<[i32; 2]> {
    (0..300).map(|i| [i * 37 % 96, i * 53 % 90]).collect()
}

macro_rules! layouts {
    ($($name:ident, sparse $sparse:ident, #[$($attribute:tt)*];)*) => { $(
        mod $name {
            use super::*;

            #[$($attribute)*]
            pub struct Subject {
                #[field(background = 7)]
                pub a: u32,
                pub b: [f32; 2],
            }

            type Op = (&'static str, fn(&mut Subject, &Bomb));

            const OPS: &[Op] = &[
                ("par_for_each", |g, bomb| g.a_mut().par_for_each(|_, a| *a = bomb.ticking(*a + 1))),
                ("a zip", |g, bomb| {
                    let mut f = g.fields_mut();
                    (&mut f.b, &f.a).par_for_each(|_, (b, a)| b[0] = bomb.ticking(a as f32));
                }),
                ("par_iter_mut", |g, bomb| g.a_mut().par_iter_mut().for_each(|(_, a)| *a = bomb.ticking(*a + 1))),
                ("iter_mut", |g, bomb| g.a_mut().iter_mut().for_each(|(_, a)| *a = bomb.ticking(*a + 1))),
                ("par_iter", |g, bomb| assert!(g.a().par_iter().map(|(_, a)| bomb.ticking(a)).max().is_some())),
                ("par_for_each_block", |g, bomb| {
                    g.fields_mut().a.par_for_each_block(|_, values| values[0] = bomb.ticking(1));
                }),
                ("fill_blocks", |g, bomb| {
                    g.a_mut().fill_blocks(points(), |_, values, mask| {
                        values.fill(1);
                        mask.fill(u64::MAX);
                        bomb.tick();
                        mask[0] = 1;
                    });
                }),
                ("fill_blocks_init", |g, bomb| {
                    g.a_mut().fill_blocks_init(points(), || bomb.ticking(3), |n, _, values, _| values[0] = bomb.ticking(*n));
                }),
                ("fill_blocks of an iterator", |g, bomb| {
                    g.a_mut().fill_blocks(points().into_iter().map(|p| bomb.ticking(p)), |_, _, _| ());
                }),
                ("extend", |g, bomb| g.a_mut().extend(points().into_iter().map(|p| bomb.ticking((p, 1))))),
                ("modify", |g, bomb| points().iter().for_each(|p| g.a_mut().modify(*p, |a| *a = bomb.ticking(2)))),
                ("set_many_with", |g, bomb| {
                    g.a_mut().set_many_with(&points(), |i| bomb.ticking(i as u32)).unwrap();
                }),
                ("combine_many", |g, bomb| {
                    g.a_mut().combine_many(&points(), |_| 1, |there, new| *there = bomb.ticking(new)).unwrap();
                }),
                ("extend_cells", |g, bomb| {
                    let cell = |p| bomb.ticking((p, SubjectCell { a: 1, b: [2.0; 2] }));
                    g.extend_cells(points().into_iter().map(cell)).unwrap();
                }),
                ("combine_cells", |g, bomb| {
                    let cell = |p| (p, SubjectCell { a: 1, b: [2.0; 2] });
                    g.combine_cells(points().into_iter().map(cell), |there, _| there.a = bomb.ticking(9)).unwrap();
                }),
                ("from_cells", |_, bomb| {
                    let cell = |p| bomb.ticking((p, SubjectCell { a: 1, b: [2.0; 2] }));
                    assert!(Subject::from_cells(points().into_iter().map(cell)).is_ok());
                }),
                ("activate_all", |g, bomb| {
                    let cells = corners(g);
                    g.$sparse().activate_all(cells.into_iter().map(|p| bomb.ticking(p)));
                }),
                ("retain", |g, bomb| g.$sparse().retain(|p| bomb.ticking(p[0] % 2 == 0))),
                ("bins", |g, bomb| {
                    let points = points();
                    let bins = g.leaf().bin_by_block(&points, |p| bomb.ticking(*p)).unwrap();
                    assert!(!bins.is_empty());
                }),
                ("filling a bin", |g, bomb| {
                    let points = points();
                    let bins = g.leaf().bin_by_block(&points, |p| *p).unwrap();
                    g.par_for_each_bin(&bins, 0..=0, |bin, halo| {
                        bin.items().iter().for_each(|i| halo.add(bomb.ticking(points[*i as usize]), 1.0f32));
                    }, |cell: &mut SubjectCell, sum| cell.b[0] += sum).unwrap();
                }),
                ("merging a bin", |g, bomb| {
                    let points = points();
                    let bins = g.leaf().bin_by_block(&points, |p| *p).unwrap();
                    g.par_for_each_bin(&bins, 0..=0, |bin, halo| {
                        bin.items().iter().for_each(|i| halo.add(points[*i as usize], 1.0f32));
                    }, |cell: &mut SubjectCell, sum| cell.b[0] += bomb.ticking(sum)).unwrap();
                }),
            ];

            /// Cells of the sparse level.
            fn corners(g: &mut Subject) -> Vec<[i32; 2]> {
                g.$sparse().as_view().iter().collect()
            }

            fn build(g: &mut Subject) {
                points().iter().enumerate().for_each(|(i, p)| g.a_mut().set(*p, i as u32));
            }

            #[test]
            fn a_panic_reaches_the_caller_and_leaves_a_valid_grid() {
                // Values of records are no slices.
                for (name, op) in OPS.iter().filter(|op| !Subject::STRIDED || op.0 != "par_for_each_block") {
                    let mut g = Subject::new();
                    build(&mut g);
                    let expected = g.clone();
                    let mut most = 0;
                    for round in 0..6 {
                        // At once, or on the way; of the root that is one node some loops are one call.
                        let bomb = Bomb::after(if Subject::HAS_NODES { [0, 5, 1][round % 3] } else { 0 });
                        explodes(name, || op(&mut g, &bomb));
                        g.internal_validate();
                        build(&mut g);
                        let total = g.memory().total();
                        assert!(round < 2 || total <= most, "{name} leaks: {most} bytes, then {total}");
                        most = most.max(total);
                    }
                    g.clear();
                    g.internal_validate();
                    build(&mut g);
                    assert!(g == expected, "{name}: rebuilding gives another grid");
                }
            }

            #[test]
            fn nodes_that_run_out() {
                type Op = (&'static str, fn(&mut Subject));
                let exhausting: [Op; 7] = [
                    ("set", |g| points().iter().for_each(|p| g.a_mut().set(*p, 1))),
                    ("extend", |g| g.a_mut().extend(points().into_iter().map(|p| (p, 1)))),
                    ("activate", |g| points().iter().for_each(|p| g.leaf_mut().activate(*p))),
                    ("activate_all", |g| g.leaf_mut().activate_all(points())),
                    ("fill_blocks", |g| g.a_mut().fill_blocks(points(), |_, _, _| ())),
                    ("set_many", |g| {
                        let error = g.a_mut().set_many_with(&points(), |_| 1).unwrap_err();
                        assert!(matches!(error, BulkError::Exhausted(_)));
                        panic!("{error}");
                    }),
                    ("extend_cells", |g| {
                        let cells = points().into_iter().map(|p| (p, SubjectCell { a: 1, b: [0.0; 2] }));
                        panic!("{}", g.extend_cells(cells).unwrap_err());
                    }),
                ];
                if !Subject::HAS_NODES {
                    return;
                }
                for (name, op) in exhausting {
                    let mut g = Subject::builder().capacity(3).build().expect("a small grid");
                    for _ in 0..3 {
                        let text = panics(|| op(&mut g));
                        assert!(text.contains("all 3 nodes of one kind are in use"), "{name}: {text}");
                        assert!(text.contains("builder().capacity(..)"), "{name}: {text}");
                        g.internal_validate();
                        // What is there works, and what is freed is used again.
                        g.a_mut().par_for_each(|_, a| *a += 1);
                        let first = points()[0];
                        g.clear();
                        g.a_mut().set(first, 5);
                        let block = g.take_block::<SubjectCell>(first).expect("the block exists");
                        assert!(g.take_block::<SubjectCell>(first).is_none());
                        g.insert_block(&block).expect("room for one block");
                        assert_eq!(g.a().get(first), Some(5));
                        let mut empty = CellBlock::<SubjectCell>::new(first);
                        empty.push(first, SubjectCell { a: 3, b: [1.0; 2] });
                        g.insert_block(&empty).expect("it replaces the block");
                        assert_eq!((g.a().get(first), g.b().get(first)), (Some(3), Some([1.0; 2])));
                        g.internal_validate();
                    }
                }
            }
        }
    )* };
}

/// What tests must know of a layout.
trait About {
    const STRIDED: bool = false;
    const HAS_NODES: bool = true;
}
impl About for vdb::Subject {}
impl About for dense_blocks::Subject {}
impl About for records::Subject {
    const STRIDED: bool = true;
}
impl About for masked_root::Subject {
    const HAS_NODES: bool = false;
}
impl About for nested::Subject {}

layouts! {
    vdb, sparse leaf_mut, #[sparse_layout(axes(x, y), hash() > pointer(4) > leaf: bitmasked(8))];
    dense_blocks, sparse tile_mut, #[sparse_layout(axes(x = 0..96, y = 0..96), tile: pointer(_) > leaf: dense(8, aosoa))];
    records, sparse tile_mut, #[sparse_layout(axes(x = 0..96, y = 0..96), tile: pointer(_) > leaf: bitmasked(4, aos))];
    masked_root, sparse leaf_mut, #[sparse_layout(axes(x, y), leaf: bitmasked(128))];
    nested, sparse group_mut, #[sparse_layout(axes(x, y), hash(x = 16, y = 16) > group: bitmasked(4) > leaf: bitmasked(2, aosoa))];
}

/// Lists beside a value.
#[sparse_layout(axes(x, y), hash() > tile: pointer(4) { mean, dynamic(i, max = 60, chunk = 8) { item, tag } })]
pub struct Lists {
    pub mean: f32,
    pub item: u32,
    #[field(background = 3)]
    pub tag: u8,
}

fn fill_lists(lists: &mut Lists) {
    lists.clear();
    let items: Vec<u32> = (0..600).collect();
    lists.item_mut().extend_by(&items, |v| [*v as i32 % 17, 0]).expect("room");
}

#[test]
fn a_panic_in_the_loops_over_lists() {
    type Op = (&'static str, fn(&mut Lists, &Bomb));
    let ops: [Op; 6] = [
        ("par_for_each", |l, bomb| l.item_mut().par_for_each(|_, _, v| *v = bomb.ticking(*v + 1))),
        ("retain", |l, bomb| l.item_mut().retain(|_, v| bomb.ticking(v % 2 == 0))),
        ("rebin", |l, bomb| l.item_mut().rebin(|v| bomb.ticking([*v as i32 % 5, 1])).expect("room")),
        ("extend_by", |l, bomb| {
            l.item_mut().extend_by(&[1, 2, 3, 4, 5, 6, 7], |v| bomb.ticking([*v as i32, 9])).expect("room")
        }),
        ("par_iter", |l, bomb| assert!(l.item().par_iter().all(|(_, _, v)| bomb.ticking(v < 10_000)))),
        ("iter", |l, bomb| assert!(l.item().iter().all(|(_, _, v)| bomb.ticking(v < 10_000)))),
    ];
    let mut expected = Lists::new();
    fill_lists(&mut expected);
    for (name, op) in ops {
        let mut lists = expected.clone();
        let mut most = 0;
        for round in 0..6 {
            explodes(name, || op(&mut lists, &Bomb::after([0, 6, 2][round % 3])));
            lists.internal_validate();
            if name != "par_for_each" {
                assert!(lists == expected, "{name}: something has changed");
            }
            fill_lists(&mut lists);
            assert!(lists == expected);
            let total = lists.memory().total();
            assert!(round == 0 || total <= most, "{name} leaks");
            most = most.max(total);
        }
    }
}

#[test]
fn chunks_that_run_out() {
    let mut lists = Lists::builder().capacity(4).build().expect("a small grid");
    let item = |i: i32| [i % 3, 0];
    for _ in 0..3 {
        let text = panics(|| {
            for i in 0..100 {
                lists.item_mut().push(item(i), i as u32).expect("not full");
            }
        });
        assert!(text.contains("all 4 nodes of one kind are in use"), "{text}");
        lists.internal_validate();
        // Four chunks of eight items.
        assert!((9..=32).contains(&lists.item().total()));
        let many: Vec<u32> = (0..100).collect();
        assert!(
            panics(|| lists.item_mut().extend_by(&many, |v| item(*v as i32)).expect("not full"))
                .contains("all 4 nodes")
        );
        lists.internal_validate();
        lists.item_mut().clear([0, 0]);
        lists.item_mut().push([1, 0], 9).expect("a chunk was freed");
        lists.clear();
        assert_eq!(lists.item().total(), 0);
        lists.internal_validate();
    }
}
