//! Building the set: cell by cell and in batches, from fresh memory and in a grid that was cleared.

use crate::input::Coord;
use crate::layouts::{Bounded, Vdb};
use crate::runner::Runner;
use sparse_layout::prelude::*;

macro_rules! rows {
    ($runner:ident, $tree:ident, $way:literal, $scan:ident, $random:ident) => {
        let orders = [("build_scan", $scan), ("build_random", $random)];
        let fills: [(&str, fn(&mut $tree, &[Coord])); 2] = [("", $tree::set_all), (".extend", $tree::extend_all)];
        for (row, set) in orders {
            for (fill_name, fill) in fills {
                let row = format!("{row}{}{fill_name}", $way);
                let check = |grid: $tree| grid.sum_and_count();
                $runner.serial(
                    &row,
                    $tree::new,
                    |mut grid| {
                        fill(&mut grid, set);
                        grid
                    },
                    check,
                );
                let mut grid = $tree::new();
                $runner.serial_in_place(
                    &format!("{row}.warm"),
                    &mut grid,
                    $tree::clear,
                    |grid| fill(grid, set),
                    |grid| grid.sum_and_count(),
                );
            }
        }
    };
}

/// The rows of building from one thread.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord], random: &[Coord]) {
    rows!(runner, Vdb, "", scan, random);
    rows!(runner, Bounded, ".bounded", scan, random);
}
