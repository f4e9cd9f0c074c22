//! What grids cost over time, as the system sees it: pages of the process.
#![cfg(target_os = "linux")]

use sparse_layout::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

const MIB: u64 = 1 << 20;

/// Address space and resident memory of this process, in bytes.
fn pages() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/self/statm").expect("the process's pages");
    let mut numbers = text.split(' ').map(|n| n.parse::<u64>().expect("a number of pages") * 4096);
    (numbers.next().expect("address space"), numbers.next().expect("resident memory"))
}

/// Tests of one process share its pages: one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves of 512 cells, which are written when they are made.
#[sparse_layout(axes(x, y, z), hash() > tile: pointer(16) > leaf: dense(8) { a } )]
pub struct Leaves {
    /// A number.
    #[field(background = 1)]
    pub a: u8,
}

/// Tiles with bits, a coarse value and a list.
#[sparse_layout(axes(x, y), root: hash() > tile: pointer(8) { bitmasked(8) { heat } dynamic(i, max = 1000, chunk = 8) { item } mean })]
pub struct Window {
    /// Of a cell.
    #[field(background = -1.0)]
    pub heat: f32,
    /// In a tile.
    pub item: u32,
    /// Of a tile.
    pub mean: f64,
}

/// Leaves of 4096 cells.
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > dense(16))]
pub struct Large {
    /// A number.
    #[field(background = 1)]
    pub a: u8,
}

#[test]
fn building_and_dropping_leaves_nothing() {
    let _alone = alone();
    let build = |round: i32| {
        let mut large = Large::new();
        // 245 leaves are 1,003,520 cells.
        for i in 0..245 {
            large.a_mut().set([16 * (i % 7 - round), 16 * (i / 7 % 7), 16 * (i / 49)], 2);
        }
        assert_eq!(large.count(), 1_003_520);
    };
    (0..20).for_each(build);
    let before = pages();
    (0..1000).for_each(build);
    let after = pages();
    assert!(after.0 < before.0 + 64 * MIB, "address space grew from {} to {}", before.0, after.0);
    assert!(after.1 < before.1 + 4 * MIB, "resident memory grew from {} to {}", before.1, after.1);
}

#[test]
fn a_moving_window_uses_no_more_and_no_more() {
    let _alone = alone();
    let mut window = Window::new();
    let mut early = (0, 0);
    for step in 0..1000 {
        // 64 x 64 cells, 16 further in x each time: 24 columns of tiles at most.
        for y in 0..64 {
            for x in (0..64).step_by(4) {
                window.heat_mut().set([16 * step + x, y], 1.0);
            }
        }
        for i in 0..200 {
            window.item_mut().push([2 * step + i % 8, i % 5], i as u32).expect("room in the list");
        }
        window.mean_mut().set([2 * step, 7], 0.5);
        let old = 2 * step;
        match step % 3 {
            // What lies behind in whole: a tile that is deactivated leaves the cells above it active.
            0 => window.root_mut().retain(|[x, _]| x >= old.div_euclid(8)),
            1 => (old - 8..old).for_each(|x| {
                (0..8).for_each(|y| {
                    window.tile_mut().deactivate([x, y]);
                });
            }),
            _ => {
                let gone: Vec<_> = window.tile().iter().filter(|[x, _]| *x < old).collect();
                for tile in gone {
                    assert!(window.tile_mut().deactivate(tile));
                }
            }
        }
        assert!(window.tile().len() <= 8 * 18 && window.root().len() <= 4);
        if step == 50 {
            window.internal_validate();
            early = (window.memory().total(), pages().1);
        }
    }
    window.internal_validate();
    let late = (window.memory().total(), pages().1);
    assert!(late.0 <= early.0 + early.0 / 4, "the grid grew from {} to {} bytes", early.0, late.0);
    assert!(late.1 < early.1 + 4 * MIB, "resident memory grew from {} to {}", early.1, late.1);
}

/// Builds 100 leaves.
fn build_leaves(leaves: &mut Leaves, round: i32) {
    for i in 0..100 {
        leaves.a_mut().set([8 * (i + 100 * round), -8 * i, 0], 3);
    }
    assert_eq!(leaves.count(), 100 * 512);
}

#[test]
fn clearing_keeps_memory_for_what_comes_next() {
    let _alone = alone();
    let mut leaves = Leaves::new();
    let mut early = (0, 0);
    for round in 0..1000 {
        build_leaves(&mut leaves, round);
        leaves.clear();
        assert_eq!(leaves.count(), 0);
        if round == 5 {
            early = (leaves.memory().total(), pages().1);
        }
    }
    assert!(leaves.memory().total() <= early.0);
    assert!(pages().1 < early.1 + 4 * MIB);
}

#[test]
fn memory_is_kept_or_given_back() {
    let _alone = alone();
    let mut leaves = Leaves::new();
    let empty = leaves.memory();
    assert!(empty.reserved > 1 << 30 && empty.free == 0 && empty.nodes == 0);
    build_leaves(&mut leaves, 0);
    let built = leaves.memory();
    // 100 leaves of 512 bytes, and the one that holds the background.
    assert_eq!((built.values, built.free), (101 * 512, 0));
    assert!(built.resident >= built.values && built.reserved == empty.reserved);
    leaves.clear();
    let cleared = leaves.memory();
    assert_eq!((cleared.values, cleared.nodes, cleared.total()), (512, 0, built.used()), "{cleared}");
    assert_eq!(cleared.resident, built.resident, "clearing keeps memory");
    leaves.shrink();
    let shrunk = leaves.memory();
    assert_eq!((shrunk.used(), shrunk.free), (empty.used(), 0));
    assert!(shrunk.resident <= empty.resident + 16 * 4096, "{empty} before, {shrunk} after");
    // What was given back comes again as the background.
    build_leaves(&mut leaves, 7);
    leaves.internal_validate();
    assert!(leaves.a().iter().filter(|(_, a)| *a == 1).count() == 100 * 511);
    assert_eq!(leaves.memory().used(), built.used());
    leaves.clear_and_shrink();
    let again = leaves.memory();
    assert_eq!((again.used(), again.free), (empty.used(), 0));
    assert!(again.resident <= shrunk.resident + 16 * 4096, "{shrunk} first, {again} then");
    leaves.internal_validate();
}

#[test]
fn compacting_puts_nodes_in_the_order_of_loops() {
    let _alone = alone();
    let mut leaves = Leaves::new();
    // 8000 leaves of 512 bytes in no order; 7601 and 8000 have no common divisor.
    let place = |i: i32| [i % 20, i / 20 % 20, i / 400].map(|c| 8 * c - 64);
    (0..8000).for_each(|i| leaves.a_mut().set(place(i * 7601 % 8000), (i % 200) as u8));
    let offsets = |leaves: &Leaves| {
        leaves.leaf().blocks().map(|b| leaves.a().offset(b.origin()).expect("an active cell")).collect::<Vec<_>>()
    };
    assert!(!offsets(&leaves).is_sorted());
    // A tenth is left, scattered over all pages.
    for i in (0..8000).filter(|i| i % 10 != 3) {
        leaves.tile_mut().deactivate(place(i).map(|c| c / 8));
    }
    let expected = leaves.clone();
    leaves.shrink();
    assert!(leaves == expected);
    let before = leaves.memory();
    assert!(before.free > 5000 * 512 && before.nodes > 800);
    leaves.compact();
    let after = leaves.memory();
    assert!(leaves == expected);
    leaves.internal_validate();
    let sorted = offsets(&leaves);
    assert_eq!(sorted.len(), 800);
    assert!(sorted.windows(2).all(|o| o[0] + 512 == o[1]), "leaves stand side by side");
    assert_eq!((after.nodes, after.used(), after.free), (before.nodes, before.used(), 0));
    assert!(after.resident < after.used() + 64 * 4096, "{after}");
    assert!(before.resident > after.resident + 5000 * 512, "{before} before, {after} after");
    // And it goes on as before.
    (0..8000).for_each(|i| leaves.a_mut().set(place(i), 4));
    leaves.internal_validate();
    assert_eq!(leaves.count(), 8000 * 512);
}

#[test]
fn lists_and_coarse_values_survive_moving() {
    let _alone = alone();
    let mut window = Window::new();
    for i in 0..3000_i32 {
        let tile = [i * 37 % 101 - 50, i * 53 % 47];
        window.item_mut().push(tile, i as u32).expect("room");
        window.heat_mut().set([tile[0] * 8 + i % 8, tile[1] * 8], i as f32);
        window.mean_mut().set(tile, f64::from(i));
    }
    for i in 0..30 {
        window.tile_mut().deactivate([i * 3 - 50, i]);
        window.item_mut().clear([i * 2 - 50, i + 1]);
    }
    let expected = window.clone();
    let items = |window: &Window| window.item().iter().collect::<Vec<_>>();
    for _ in 0..2 {
        window.compact();
        window.internal_validate();
        assert!(window == expected && items(&window) == items(&expected));
        assert_eq!(window.memory().free, 0);
    }
    window.prune();
    window.internal_validate();
    // Tiles hold a mean, so they stay.
    assert!(window == expected);
}

/// SPGrid at the size of its paper: 2^34 cells, 208 GiB if all were used.
#[sparse_layout(axes(x, y, z), blocks: bitmasked(512, morton) > cells: dense(x = 8, y = 4, z = 4, aosoa))]
pub struct SpGrid {
    /// Flags.
    pub flags: u8,
    /// A component.
    pub u: f32,
    /// A component.
    pub v: f32,
    /// A component.
    pub w: f32,
}

#[test]
fn what_threads_leave_behind_is_given_back() {
    let _alone = alone();
    let cell = |thread: i32, i: i32| [8 * ((i * 7 + thread) % 150), 0, 8 * (i % 3)];
    let (mut shared, mut serial) = (Leaves::new(), Leaves::new());
    for round in 0..3 {
        let c = shared.concurrent();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || (0..200).for_each(|i| c.a().store(cell(thread, i), 5).expect("room")));
            }
        });
        (0..4).for_each(|thread| (0..200).for_each(|i| serial.a_mut().set(cell(thread, i), 5)));
        // Nodes that two threads made for one cell are free now.
        if round == 1 {
            shared.compact()
        } else {
            shared.shrink()
        }
        shared.internal_validate();
        assert!(shared == serial);
        assert_eq!(shared.memory().nodes, serial.memory().nodes);
        if round == 1 {
            assert_eq!(shared.memory().free, 0);
        }
        if round == 0 {
            shared.tile_mut().retain(|[x, ..]| x % 5 != 0);
            serial.tile_mut().retain(|[x, ..]| x % 5 != 0);
        }
    }
}

/// 1000 cells in 1000 blocks of it.
fn scattered() -> impl Iterator<Item = [i32; 3]> {
    (0..1000).map(|i| [i * 1103 % 4096, i * 769 % 2048, i * 389 % 2048])
}

#[test]
fn a_huge_root_costs_what_is_touched() {
    let _alone = alone();
    let before = pages().1;
    let mut grid = SpGrid::new();
    for (i, p) in scattered().enumerate() {
        grid.u_mut().set(p, i as f32 + 1.0);
    }
    assert!(scattered().enumerate().all(|(i, p)| grid.u().get(p) == Some(i as f32 + 1.0)));
    assert_eq!(grid.u().get([4095, 2047, 2047]), None);
    // Loops pass over what is not there: a visit of each cell would take minutes.
    assert_eq!(grid.u().iter().count(), 1000 * 128);
    assert_eq!(grid.u().par_iter().filter(|(_, u)| *u != 0.0).count(), 1000);
    grid.fields_mut().v.par_for_each(|_, v| *v = 2.0);
    assert_eq!(grid.v().sum(), 2.0 * 128_000.0);
    assert_eq!((grid.count(), grid.blocks().len(), grid.cells().blocks().count()), (128_000, 1000, 1000));
    let memory = grid.memory();
    assert!(memory.values == 223_338_299_392 && memory.reserved > memory.values, "{memory}");
    assert!(memory.resident < 64 * MIB, "{memory}");
    let copy = grid.clone();
    assert!(copy == grid);
    let after = pages().1;
    assert!(after < before + 64 * MIB, "{} bytes", after - before);
    drop(copy);
    // Blocks that are deactivated hold zeroes, and those need no memory.
    for p in scattered().skip(10) {
        assert!(grid.blocks_mut().deactivate([p[0] / 8, p[1] / 4, p[2] / 4]));
    }
    grid.shrink();
    assert!(grid.memory().resident < memory.resident / 4, "{} before, {} after", memory, grid.memory());
    assert!(scattered().take(10).enumerate().all(|(i, p)| grid.u().get(p) == Some(i as f32 + 1.0)));
    assert_eq!(grid.count(), 10 * 128);
    grid.clear();
    assert_eq!((grid.u().get([0, 0, 0]), grid.u().iter().count()), (None, 0));
}

#[test]
fn a_window_that_moves_through_a_huge_root() {
    let _alone = alone();
    let mut grid = SpGrid::new();
    let mut early = 0;
    for step in 0..200 {
        for i in 0..64 {
            grid.u_mut().set([step * 16 + i, i * 5, i * 3], 1.0);
        }
        let behind = grid.blocks().iter().filter(|[x, ..]| 8 * x + 8 <= 16 * step).collect::<Vec<_>>();
        for block in behind {
            grid.blocks_mut().deactivate(block);
        }
        if step % 50 == 25 {
            grid.shrink();
            early = if step == 25 { grid.memory().resident } else { early };
            assert!(step <= 25 || grid.memory().resident < early + 64 * 4096, "{}", grid.memory());
        }
    }
    grid.compact();
    assert_eq!(grid.u().iter().filter(|(_, u)| *u == 1.0).count(), 64 + 48 + 32 + 16);
}

/// More than any address space: 5 fields of 2^45 bytes.
#[sparse_layout(axes(x, y), bitmasked(2097152))]
pub struct TooLarge {
    /// A number.
    pub a: f64,
    /// A number.
    pub b: f64,
    /// A number.
    pub c: f64,
    /// A number.
    pub d: f64,
    /// A number.
    pub e: f64,
}

/// The text of a panic.
fn panics(f: impl FnOnce()) -> String {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("a panic");
    payload.downcast_ref::<String>().cloned().expect("a formatted text")
}

#[test]
fn more_than_the_address_space_is_refused() {
    let _alone = alone();
    let error = TooLarge::builder().build().expect_err("no system has so much").to_string();
    // 2^42 cells of 40 bytes, a bit each, and a bit for each 64 of these.
    let bytes = (1_u64 << 42) * 40 + (1 << 39) + (1 << 33);
    assert!(error.starts_with(&format!("cannot reserve {bytes} bytes of address space")), "{error}");
    assert_eq!(panics(|| drop(TooLarge::new())), format!("TooLarge: {error}"));
}

/// Says to the child that it is one.
const CHILD: &str = "SPARSE_LAYOUT_CHILD_WITH_LITTLE_ADDRESS_SPACE";

#[test]
fn little_address_space() {
    if std::env::var_os(CHILD).is_some() {
        return with_little_address_space();
    }
    let me = std::env::current_exe().expect("this program");
    let mut child = std::process::Command::new("sh");
    // 1.5 GiB.
    child
        .args(["-c", "ulimit -v 1572864 && exec \"$0\" --exact little_address_space --nocapture"])
        .arg(me)
        .env(CHILD, "1");
    let output = child.output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the child does.
fn with_little_address_space() {
    let error = SpGrid::builder().build().expect_err("208 GiB are refused").to_string();
    assert!(error.starts_with("cannot reserve 223355338752 bytes of address space"), "{error}");
    assert_eq!(panics(|| drop(SpGrid::new())), format!("SpGrid: {error}"));
    // Where less will do, less is taken.
    let mut grids: Vec<Leaves> = (0..4).map(|_| Leaves::new()).collect();
    for leaves in &mut grids {
        build_leaves(leaves, 1);
        leaves.internal_validate();
        assert!(leaves.memory().reserved < 3 << 30);
    }
    let text = panics(|| (0..1 << 20).for_each(|i| grids[3].a_mut().set([i * 8, 0, 0], 1)));
    assert!(text.contains("nodes of one kind are in use"), "{text}");
    assert!(grids[0] == grids[1] && grids[3].count() > 100 * 512);
    assert!(grids[3].clone() == grids[3]);
}

#[test]
fn many_small_grids_live_side_by_side() {
    let _alone = alone();
    let before = pages().1;
    let mut grids: Vec<Leaves> = (0..1000).map(|_| Leaves::new()).collect();
    for (i, grid) in grids.iter_mut().enumerate() {
        grid.a_mut().set([i as i32, 0, 0], 9);
    }
    assert!(grids.iter().enumerate().all(|(i, grid)| grid.a().get([i as i32, 0, 0]) == Some(9)));
    let after = pages().1;
    assert!(after < before + 64 * MIB, "{} bytes each", (after - before) / 1000);
}
