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
#[sparse_layout(axes(x, y, z), hash() > pointer(16) > leaf: dense(8) { a } )]
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

#[test]
fn building_and_dropping_leaves_nothing() {
    let _alone = alone();
    let build = |round: i32| {
        let mut leaves = Leaves::new();
        // 1954 leaves are 1,000,448 cells.
        for i in 0..1954 {
            leaves.a_mut().set([8 * (i % 13 - round), 8 * (i / 13 % 13), 8 * (i / 169)], 2);
        }
        assert_eq!(leaves.count(), 1_000_448);
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

#[test]
fn clearing_keeps_memory_for_what_comes_next() {
    let _alone = alone();
    let mut leaves = Leaves::new();
    let mut early = (0, 0);
    for round in 0..200 {
        for i in 0..1000 {
            leaves.a_mut().set([8 * (i + 1000 * round), -8 * i, 0], 3);
        }
        assert_eq!(leaves.count(), 512_000);
        leaves.clear();
        assert_eq!(leaves.count(), 0);
        if round == 5 {
            early = (leaves.memory().total(), pages().1);
        }
    }
    assert!(leaves.memory().total() <= early.0);
    assert!(pages().1 < early.1 + 4 * MIB);
}

/// SPGrid at the size of its paper: 2^34 cells, 208 GiB if all were used.
#[sparse_layout(axes(x, y, z), bitmasked(512, morton) > dense(x = 8, y = 4, z = 4, aosoa))]
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
fn a_huge_root_costs_what_is_touched() {
    let _alone = alone();
    let before = pages().1;
    let mut grid = SpGrid::new();
    for i in 0..1000_i32 {
        let p = [i * 1103 % 4096, i * 769 % 2048, i * 389 % 2048];
        grid.u_mut().set(p, i as f32);
        assert_eq!(grid.u().get(p), Some(i as f32));
    }
    assert_eq!(grid.u().get([4095, 2047, 2047]), None);
    let after = pages().1;
    assert!(after < before + 64 * MIB, "{} bytes", after - before);
    grid.clear();
    assert_eq!(grid.u().get([0, 0, 0]), None);
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
