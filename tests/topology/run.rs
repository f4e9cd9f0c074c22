//! The test: random operations against sets of cells, one by one.

use super::subject::{Axis, Binary, Box2, Cell, Subject};
use sparse_layout::Neighbourhood;
use std::collections::{BTreeMap, BTreeSet};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % n
    }
}

/// Cells that are active only together, as one.
type Group = [i64; 8];

struct Model<'a> {
    axes: &'a [Axis],
    /// The values of active cells.
    cells: BTreeMap<Cell, u16>,
}

impl Model<'_> {
    fn group(&self, p: &Cell) -> Group {
        let mut group = [0; 8];
        for (j, axis) in self.axes.iter().enumerate().filter(|(_, axis)| axis.scale > 0) {
            // Unbounded axes are counted from zero, bounded ones from their lower bound.
            let from = if axis.hi - axis.lo > 1 << 31 { 0 } else { axis.lo };
            group[j] = (i64::from(p[j]) - from).div_euclid(axis.scale);
        }
        group
    }

    /// The cells of a group.
    fn members(&self, group: &Group) -> Vec<Cell> {
        let mut cells = vec![[0; 8]];
        for (j, axis) in self.axes.iter().enumerate() {
            let from = if axis.hi - axis.lo > 1 << 31 { 0 } else { axis.lo };
            let range = match axis.scale {
                0 => axis.lo..axis.hi,
                n => (from + group[j] * n).max(axis.lo)..(from + (group[j] + 1) * n).min(axis.hi),
            };
            let with = |c: Cell| {
                range.clone().map(move |x| {
                    let mut c = c;
                    c[j] = x as i32;
                    c
                })
            };
            cells = cells.into_iter().flat_map(with).collect();
        }
        cells
    }

    fn groups(&self) -> BTreeSet<Group> {
        self.cells.keys().map(|p| self.group(p)).collect()
    }

    fn activate(&mut self, groups: &BTreeSet<Group>) {
        for p in groups.iter().flat_map(|g| self.members(g)).collect::<Vec<_>>() {
            self.cells.entry(p).or_insert(7);
        }
    }

    fn retain(&mut self, groups: &BTreeSet<Group>) {
        let stay: Vec<bool> = self.cells.keys().map(|p| groups.contains(&self.group(p))).collect();
        let mut stay = stay.into_iter();
        self.cells.retain(|_, _| stay.next() == Some(true));
    }

    /// The groups around one, within the bounds or not.
    fn around(&self, group: &Group, neighbourhood: Neighbourhood) -> Vec<Group> {
        let most = match neighbourhood {
            Neighbourhood::Faces => 1,
            Neighbourhood::Edges => 2,
            Neighbourhood::All => 8,
        };
        let mut all = vec![(*group, 0)];
        for j in (0..self.axes.len()).filter(|&j| self.axes[j].scale > 0) {
            let moved = |(g, n): (Group, u32)| {
                [-1, 0, 1].into_iter().map(move |by| {
                    let mut g = g;
                    g[j] += by;
                    (g, n + u32::from(by != 0))
                })
            };
            all = all.into_iter().flat_map(moved).filter(|(_, n)| *n <= most).collect();
        }
        all.into_iter().map(|(g, _)| g).collect()
    }

    fn dilate(&mut self, neighbourhood: Neighbourhood) {
        let groups = self.groups().iter().flat_map(|g| self.around(g, neighbourhood)).collect();
        self.activate(&groups);
    }

    fn erode(&mut self, neighbourhood: Neighbourhood) {
        let groups = self.groups();
        let whole = |g: &&Group| self.around(g, neighbourhood).iter().all(|n| groups.contains(n));
        let left = groups.iter().filter(whole).copied().collect();
        self.retain(&left);
    }

    fn combine(&mut self, op: Binary, cells: &BTreeSet<Cell>) {
        let (groups, theirs) = (self.groups(), cells.iter().map(|p| self.group(p)).collect::<BTreeSet<_>>());
        match op {
            Binary::Union => self.activate(&theirs),
            Binary::Intersection => self.retain(&theirs),
            Binary::Difference => {
                let stays = |g: &&Group| self.members(g).iter().any(|p| !cells.contains(p));
                let left = groups.iter().filter(stays).copied().collect();
                self.retain(&left);
            }
        }
    }
}

/// Everything in a group of the cells.
fn closed(axes: &[Axis], cells: &[Cell]) -> BTreeSet<Cell> {
    let model = Model { axes, cells: BTreeMap::new() };
    cells.iter().flat_map(|p| model.members(&model.group(p))).collect()
}

fn in_box(p: &Cell, region: &Box2, d: usize) -> bool {
    (0..d).all(|j| (region.0[j]..region.1[j]).contains(&p[j]))
}

/// Runs random operations on a level with these axes.
pub fn run(fresh: &dyn Fn() -> Box<dyn Subject>, axes: &[Axis]) {
    let seeds = if axes.len() > 4 { 1_u64 } else { 3 };
    for seed in 1..=seeds {
        let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64) | 1);
        let mut grid = fresh();
        let mut model = Model { axes, cells: BTreeMap::new() };
        for step in 0..if axes.len() > 4 { 6 } else { 20 } {
            one(&mut *grid, &mut model, &mut rng, step);
        }
    }
}

/// A few cells around one place: at either end of the bounds, or in between.
fn some_cells(axes: &[Axis], rng: &mut Rng, most: u64) -> Vec<Cell> {
    let place = rng.below(4);
    let mut centre = [0i64; 8];
    for (j, axis) in axes.iter().enumerate() {
        centre[j] = match place {
            0 => axis.lo,
            1 => axis.hi - 1,
            _ if axis.hi - axis.lo > 1 << 31 => [-1, 64, 5][rng.below(3) as usize],
            _ => axis.lo + rng.below((axis.hi - axis.lo) as u64) as i64,
        };
    }
    let spread = if axes.len() > 3 { 2 } else { 5 };
    (0..1 + rng.below(most))
        .map(|_| {
            let mut p = [0; 8];
            for (j, axis) in axes.iter().enumerate() {
                let x = centre[j] + rng.below(2 * spread + 1) as i64 - spread as i64;
                p[j] = x.clamp(axis.lo, axis.hi - 1) as i32;
            }
            p
        })
        .collect()
}

fn some_box(axes: &[Axis], rng: &mut Rng) -> Box2 {
    let (a, b) = (some_cells(axes, rng, 1)[0], some_cells(axes, rng, 1)[0]);
    let mut region = (a, a);
    for (j, axis) in axes.iter().enumerate() {
        let side = rng.below(9) as i64 + 1;
        // Upper bounds of regions are exclusive: the last `i32` cannot be in one.
        region.0[j] = a[j].min(i32::MAX - 1);
        region.1[j] = (i64::from(region.0[j]) + side).min(axis.hi).min(i32::MAX.into()) as i32;
        let near = i64::from(b[j]) - i64::from(a[j]);
        if (0..12).contains(&near) && axes.len() < 4 {
            region.1[j] = (i64::from(b[j]) + 1).min(axis.hi).min(i32::MAX.into()) as i32;
        }
        region.1[j] = region.1[j].max(region.0[j] + 1);
    }
    region
}

fn one(grid: &mut dyn Subject, model: &mut Model<'_>, rng: &mut Rng, step: usize) {
    let axes = model.axes;
    let d = axes.len();
    // In eight dimensions all around are six thousand.
    let ways = if d > 4 { 2 } else { 3 };
    let neighbourhood = [Neighbourhood::Faces, Neighbourhood::Edges, Neighbourhood::All][rng.below(ways) as usize];
    let op = [Binary::Union, Binary::Intersection, Binary::Difference][rng.below(3) as usize];
    let many = if d > 3 { 3 } else { 30 };
    let full = if d > 4 { 20 } else { 600 };
    let what = match rng.below(if model.cells.len() > full { 6 } else { 13 }) {
        0 | 1 => {
            grid.erode(neighbourhood, 1);
            model.erode(neighbourhood);
            format!("erode {neighbourhood:?}")
        }
        2 => {
            let region = some_box(axes, rng);
            grid.clip(&region);
            let groups: BTreeSet<Group> =
                model.cells.keys().filter(|p| in_box(p, &region, d)).map(|p| model.group(p)).collect();
            model.retain(&groups);
            format!("clip {region:?}")
        }
        3 | 4 => {
            // Half of what is there, and more.
            let mut cells: Vec<Cell> = model.cells.keys().filter(|_| rng.below(2) == 0).copied().collect();
            cells.extend(some_cells(axes, rng, many));
            let same = grid.with_other(op, &cells);
            let set: BTreeSet<Cell> = cells.iter().copied().collect();
            model.combine(op, &set);
            assert_eq!(same, model.cells.keys().eq(set.iter()), "same_topology after {op:?}");
            format!("{op:?} with another layout")
        }
        5 => {
            let mut cells: Vec<Cell> = model.cells.keys().filter(|_| rng.below(2) == 0).copied().collect();
            cells.extend(some_cells(axes, rng, many));
            let same = grid.with_same(op, &cells);
            let set = closed(axes, &cells);
            model.combine(op, &set);
            assert_eq!(same, model.cells.keys().eq(set.iter()), "same_topology after {op:?}");
            format!("{op:?} with the same layout")
        }
        6 | 7 => {
            for p in some_cells(axes, rng, many) {
                let v = 8 + rng.below(100) as u16;
                grid.set(&p, v);
                model.activate(&[model.group(&p)].into());
                model.cells.insert(p, v);
            }
            "set".to_owned()
        }
        8 => {
            let region = some_box(axes, rng);
            let value = (rng.below(2) == 0).then(|| 400 + rng.below(100) as u16);
            match value {
                None => grid.activate_box(&region),
                Some(v) => grid.fill_in(&region, v),
            }
            let mut cells = vec![[0; 8]];
            for j in 0..d {
                let with = |c: Cell| {
                    (region.0[j]..region.1[j]).map(move |x| {
                        let mut c = c;
                        c[j] = x;
                        c
                    })
                };
                cells = cells.into_iter().flat_map(with).collect();
            }
            let groups = cells.iter().map(|p| model.group(p)).collect();
            model.activate(&groups);
            if let Some(v) = value {
                model.cells.extend(cells.into_iter().map(|p| (p, v)));
            }
            format!("activate {region:?}, {value:?}")
        }
        9 => {
            let mut theirs = Model { axes, cells: BTreeMap::new() };
            for p in some_cells(axes, rng, many).into_iter().chain(model.cells.keys().take(20).copied()) {
                theirs.activate(&[theirs.group(&p)].into());
                theirs.cells.insert(p, 200 + rng.below(100) as u16);
            }
            grid.merge(&theirs.cells);
            for (p, v) in theirs.cells {
                model.cells.entry(p).or_insert(v);
            }
            "merge".to_owned()
        }
        _ => {
            let rounds = if d > 4 { 1 } else { 1 + rng.below(2) as u32 };
            grid.dilate(neighbourhood, rounds);
            (0..rounds).for_each(|_| model.dilate(neighbourhood));
            format!("dilate {neighbourhood:?} {rounds} times")
        }
    };
    grid.validate();
    let got = grid.cells();
    for p in got.keys().chain(model.cells.keys()) {
        assert_eq!(got.get(p), model.cells.get(p), "step {step}: {what}: at {:?}", &p[..d]);
    }
    assert_eq!(grid.len(), got.len() as u64);
    assert_eq!(grid.block_counts().iter().sum::<u64>(), got.len() as u64);
    let hull = got.keys().fold(None, |hull: Option<Box2>, p| {
        let (mut lo, mut hi) = hull.unwrap_or((*p, *p));
        for j in 0..d {
            lo[j] = lo[j].min(p[j]);
            hi[j] = hi[j].max(p[j].saturating_add(1));
        }
        Some((lo, hi))
    });
    assert_eq!(grid.bounding_box(), hull, "step {step}: {what}: the bounding box");
}
