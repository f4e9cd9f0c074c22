//! Many threads activate and write the same cells.

use rayon::prelude::*;
use sparse_layout::prelude::*;
use std::sync::Barrier;

/// The tree of the issue: hash, two pointer levels, masks.
#[sparse_layout(axes(x, y, z), top: hash() > pointer(16) > mid: pointer(16) > leaf: bitmasked(8))]
pub struct Vdb {
    /// Counted.
    #[field(background = 3)]
    pub count: u32,
    /// Added to; sums of halves are exact in any order.
    pub mass: f32,
}

/// Small leaves, all of whose cells the threads want at once.
#[sparse_layout(axes(x = -64..64), block: pointer(8) > dense(16))]
pub struct Line {
    /// Not zero.
    #[field(background = 1.0)]
    pub a: f32,
}

/// A mask large enough for a summary, over pointers, records below.
#[sparse_layout(axes(x, y), wide: bitmasked(1024) > inner: pointer(1) > leaf: bitmasked(4, 2, aos))]
pub struct Wide {
    /// A word.
    pub a: u16,
    /// Beside it.
    #[field(background = [1, 2, 3])]
    pub b: [u8; 3],
}

/// Bounds told, blocks that do not divide them, arrays side by side.
#[sparse_layout(axes(x = .., y = ..), tiles: hash(x = _, y = _) > leaf: bitmasked(x = 6, y = 10, aosoa), allow(non_power_of_two))]
pub struct Told {
    /// A value.
    pub a: i64,
    /// Another.
    pub b: u8,
}

fn told() -> Told {
    Told::builder().bounds([-40..50, 3..77]).build().unwrap()
}

/// The same pseudo-random numbers for all who ask with one seed.
pub(super) fn draw(seed: u64) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    std::iter::repeat_with(move || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    })
}

/// Runs `f` on so many plain threads, which start together.
pub(super) fn together(threads: usize, f: impl Fn(usize) + Sync) {
    let start = Barrier::new(threads);
    std::thread::scope(|scope| {
        for i in 0..threads {
            let (start, f) = (&start, &f);
            scope.spawn(move || {
                start.wait();
                f(i);
            });
        }
    });
}

#[test]
fn one_new_leaf_is_allocated_once() {
    for threads in [2, 3, 8, 16] {
        let mut line = Line::new();
        for round in 0..100 {
            line.clear();
            let c = line.concurrent();
            together(threads, |i| {
                for x in (0..16).filter(|x| x % threads == i) {
                    assert_eq!(c.a().swap([x as i32], x as f32), Ok(1.0));
                }
            });
            assert_eq!(line.memory().nodes, 1, "round {round}");
            assert!(line.a().iter().eq((0..16).map(|x| ([x], x as f32))), "round {round}");
            line.internal_validate();
        }
    }
}

#[test]
fn what_is_read_is_the_background_or_written() {
    for _ in 0..50 {
        let mut line = Line::new();
        let c = line.concurrent();
        together(4, |i| {
            for x in -64..64 {
                if i < 2 {
                    c.a().store([x], 5.0).unwrap();
                } else {
                    let seen = c.a().load([x]).unwrap();
                    assert!(seen == 1.0 || seen == 5.0, "{seen}");
                    if let Some(seen) = c.a().get([x]) {
                        assert!(seen == 1.0 || seen == 5.0, "{seen}");
                        assert!(c.block().is_active([x.div_euclid(16)]), "an active cell has active ancestors");
                    }
                }
            }
        });
        line.internal_validate();
    }
}

/// Operations that commute: the grid is the same whoever comes first.
macro_rules! same_as_serial {
    ($name:ident, $make:expr, $points:expr, |$c:ident, $p:ident, $n:ident| $op:block) => {
        #[test]
        fn $name() {
            let points: Vec<_> = $points;
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut grid = $make;
                for _ in 0..2 {
                    let $c = grid.concurrent();
                    pool.install(|| {
                        points.par_iter().enumerate().with_max_len(7).for_each(|(i, &$p)| {
                            let $n = i as u32;
                            $op
                        });
                    });
                    grid.internal_validate();
                }
                grid
            };
            let serial = run(1);
            for threads in [2, 8] {
                let grid = run(threads);
                assert!(grid == serial, "{threads} threads");
                assert_eq!(Grid::count(&grid), Grid::count(&serial));
                assert_eq!(grid.memory().nodes, serial.memory().nodes, "{threads} threads");
                assert!(grid.leaf().iter().eq(serial.leaf().iter()), "the order of iteration");
                let copy = grid.clone();
                copy.internal_validate();
                assert!(copy == serial);
            }
        }
    };
}

same_as_serial!(
    hash_and_pointers,
    Vdb::new(),
    {
        let mut r = draw(1);
        let mut coordinate = move || r.next().unwrap() as i32 % 9 * 100 + r.next().unwrap() as i32 % 20;
        (0..6000).map(|_| [coordinate(), coordinate(), coordinate()]).collect()
    },
    |c, p, n| {
        match n % 4 {
            0 => c.count().fetch_add(p, n % 100).map(drop).unwrap(),
            1 => c.mass().fetch_add(p, 0.5).map(drop).unwrap(),
            2 => c.mid().activate([p[0].div_euclid(8), p[1].div_euclid(8), p[2].div_euclid(8)]).unwrap(),
            _ => c.leaf().activate(p).unwrap(),
        }
    }
);
same_as_serial!(
    masks_with_a_summary,
    Wide::new(),
    {
        let mut r = draw(2);
        let mut coordinate = move |n: i32| (r.next().unwrap() >> 4) as i32 % n;
        (0..6000)
            .map(|i| if i % 2 == 0 { [coordinate(4096), coordinate(2048)] } else { [coordinate(30), coordinate(30)] })
            .collect()
    },
    |c, p, n| {
        match n % 3 {
            0 => c.a().fetch_add(p, 1).map(drop).unwrap(),
            1 => c.b().fetch_max(p, [n as u8, 0, 200]).map(drop).unwrap(),
            _ => c.wide().activate([p[0] / 4, p[1] / 2]).unwrap(),
        }
    }
);
same_as_serial!(
    told_bounds,
    told(),
    {
        let mut r = draw(3);
        let mut coordinate = move |lo: i32, hi: i32| lo + (r.next().unwrap() >> 4) as i32 % (hi - lo);
        (0..4000).map(|_| [coordinate(-40, 50), coordinate(3, 77)]).collect()
    },
    |c, p, n| {
        c.a().fetch_sub(p, n.into()).unwrap();
        c.b().accessor().fetch_or(p, 1 << (n % 8)).unwrap();
        c.a().accessor().add_all([(p, 4), ([p[0].max(-39) - 1, 5], 2)]).unwrap();
    }
);

#[test]
fn in_a_loop_over_another_grid() {
    let mut from = Vdb::new();
    from.count_mut().extend((0..4000).map(|i| ([i * 7 % 300, i * 3 % 100, i % 10 - 5], 1)));
    let mut to = Vdb::new();
    let c = to.concurrent();
    from.count().par_iter().for_each(|([x, y, z], n)| {
        c.count().fetch_add([x / 2, y / 2, z], n).unwrap();
    });
    // A plain struct-for of one grid may write the other too.
    from.fields_mut().mass.par_for_each(|[x, y, z], m| {
        *m = 2.0;
        c.mass().accessor().fetch_add([x / 2, y / 2, z], *m).unwrap();
    });
    let total: u32 = to.count().iter().map(|(_, n)| n - 3).sum();
    assert_eq!(u64::from(total), Grid::count(&from));
    assert_eq!(to.mass().iter().map(|(_, m)| f64::from(m)).sum::<f64>(), 2.0 * Grid::count(&from) as f64);
    to.internal_validate();
}

#[test]
fn rounds_of_clear_and_duplicates_give_the_same_sums() {
    let cells: Vec<[i32; 3]> =
        draw(4).take(64).map(|r| [r as i32 % 3 * 8, (r >> 8) as i32 % 3, (r >> 16) as i32 % 200]).collect();
    let mut expected = Vdb::new();
    cells.iter().for_each(|&p| expected.count_mut().modify(p, |v| *v += 1));
    let expected: Vec<_> = expected.count().iter().collect();
    let mut grid = Vdb::new();
    let mut bytes = [0; 2];
    for round in 0..10_000 {
        grid.clear();
        let count = grid.concurrent().count();
        let add = |cells: &[[i32; 3]]| cells.iter().for_each(|&p| assert!(count.fetch_add(p, 1).is_ok()));
        rayon::join(|| add(&cells[..32]), || add(&cells[32..]));
        assert!(grid.count().iter().eq(expected.iter().copied()), "round {round}");
        bytes[usize::from(round > 0)] = grid.memory().values;
    }
    assert!(bytes[1] <= 2 * bytes[0], "memory grows: {bytes:?}");
    grid.internal_validate();
}
