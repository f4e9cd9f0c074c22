//! Reading at random and along rays.

use crate::input::{self, Coord, RAY_LENGTH};
use crate::layouts::{Bounded, Vdb};
use crate::runner::Runner;

macro_rules! rows {
    ($runner:ident, $tree:ident, $way:literal, $scan:ident) => {
        let row = |name: &str, kind: &str| format!("{name}{}{kind}", $way);
        let mut grid = $tree::new();
        grid.extend_all($scan);
        let field = grid.value();
        let sum = |sum: f64| sum;
        let random = || input::random_reads().map(|p| f64::from(field.value(p))).sum::<f64>();
        $runner.serial(&row("get_random", ".value"), || (), |()| random(), sum);
        let get = || input::random_reads().filter_map(|p| field.get(p)).map(f64::from).sum::<f64>();
        $runner.serial(&row("get_random", ""), || (), |()| get(), sum);
        let many = || field.value_many(input::random_reads()).map(f64::from).sum::<f64>();
        $runner.serial(&row("get_random", ".value_many"), || (), |()| many(), sum);
        let get_many = || field.get_many(input::random_reads()).flatten().map(f64::from).sum::<f64>();
        $runner.serial(&row("get_random", ".get_many"), || (), |()| get_many(), sum);
        let walk = || {
            let mut reader = field.accessor();
            let mut sum = 0.0;
            for [x, y, z] in input::rays() {
                for x in x..x + RAY_LENGTH {
                    sum += f64::from(reader.value([x, y, z]));
                }
            }
            sum
        };
        $runner.serial(&row("get_walk", ""), || (), |()| walk(), sum);
        let plain = || {
            let cells = input::rays().flat_map(|[x, y, z]| (x..x + RAY_LENGTH).map(move |x| [x, y, z]));
            cells.map(|p| f64::from(field.value(p))).sum::<f64>()
        };
        $runner.serial(&row("get_walk", ".plain"), || (), |()| plain(), sum);
        let line = || {
            let mut sum = 0.0;
            for p in input::rays() {
                for run in field.line(p, 0).first(RAY_LENGTH as u32).filter(|run| !run.is_background()) {
                    sum += run.values().map(f64::from).sum::<f64>();
                }
            }
            sum
        };
        $runner.serial(&row("get_walk", ".line"), || (), |()| line(), sum);
    };
}

/// The rows of reading from one thread.
pub(crate) fn run(runner: &mut Runner, scan: &[Coord]) {
    if !runner.wants_ways_of(&["get_random", "get_walk"]) {
        return;
    }
    rows!(runner, Vdb, "", scan);
    rows!(runner, Bounded, ".bounded", scan);
}
