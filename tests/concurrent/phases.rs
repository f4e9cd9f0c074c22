//! What is before and after a concurrent phase.

use super::threads::{Vdb, draw, together};
use rayon::prelude::*;
use sparse_layout::prelude::*;

#[test]
fn nothing_depends_on_the_end_of_a_phase() {
    let mut grid = Vdb::new();
    for round in 0..40 {
        // The order was asked for, so it is cached.
        let before: Vec<_> = grid.count().iter().collect();
        let c = grid.concurrent();
        together(3, |_| {
            for r in draw(round).take(50) {
                c.count().fetch_max([r as i32 % 500, (r >> 8) as i32 % 40, 0], 9).unwrap();
            }
        });
        let cells: Vec<_> = grid.count().iter().collect();
        assert!(cells.len() > before.len());
        assert!(grid.count().par_iter().collect::<Vec<_>>() == cells);
        // A serial write, a clone, or nothing comes next.
        match round % 3 {
            0 => grid.count_mut().set([-1000 - round as i32, 0, 0], 1),
            1 => grid = grid.clone(),
            _ => {}
        }
        grid.internal_validate();
    }
    grid.clear();
    assert_eq!((grid.memory().nodes, grid.count().iter().count()), (0, 0));
}

#[test]
fn nodes_are_reused_after_deactivation() {
    let mut grid = Vdb::new();
    let mut most = 0;
    for round in 0..50 {
        let c = grid.concurrent();
        together(4, |_| {
            for x in 0..30 {
                c.count().fetch_add([x * 8, round, 0], 1).unwrap();
            }
        });
        assert!(grid.count().iter().all(|(_, n)| n == 7), "what was there before does not show");
        grid.internal_validate();
        let before = grid.memory().values;
        most = if round == 0 { before } else { most };
        assert!(before <= 2 * most, "round {round}: {before} against {most}");
        grid.top_mut().clear();
        assert_eq!(grid.memory().nodes, 0);
    }
}

#[test]
fn caches_are_built_once_for_eight_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    let mut grid = Vdb::new();
    for round in 0..100 {
        grid.count_mut().set([round * 8, 0, 0], 1);
        let sums: Vec<u64> = pool.broadcast(|_| {
            // Each of them asks for the order, and uses the pool for it.
            grid.count().par_iter().map(|(_, n)| u64::from(n)).sum()
        });
        assert_eq!(sums, [round as u64 + 1; 8]);
    }
    grid.internal_validate();
}
