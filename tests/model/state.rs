//! What is active, and what was set.

use super::geometry::{Cell, Path, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// The values of a field that were set; the other active cells hold the background.
pub struct FieldState {
    pub level: usize,
    pub background: u8,
    values: BTreeMap<Cell, u8>,
}

/// A grid, as the test believes it to be.
pub struct State<'a> {
    pub paths: Vec<Path<'a>>,
    kinds: Vec<char>,
    /// Per level that can be inactive: its active cells.
    active: Vec<BTreeSet<Cell>>,
    pub fields: Vec<FieldState>,
}

impl<'a> State<'a> {
    pub fn new(shape: &'a Shape, fields: Vec<(usize, u8)>) -> Self {
        let n = shape.levels.len();
        State {
            paths: (0..n).map(|l| shape.path(l)).collect(),
            kinds: shape.levels.iter().map(|l| l.kind).collect(),
            active: vec![BTreeSet::new(); n],
            fields: fields
                .into_iter()
                .map(|(level, background)| FieldState { level, background, values: BTreeMap::new() })
                .collect(),
        }
    }

    /// Whether cells of the level can be inactive while the cell above is active.
    pub fn is_sparse(&self, level: usize) -> bool {
        self.kinds[level] != 'd'
    }

    /// The place in the path of the innermost level that can be inactive.
    fn grain(&self, level: usize) -> Option<usize> {
        self.paths[level].levels.iter().rposition(|&l| self.is_sparse(l))
    }

    pub fn is_active(&self, level: usize, p: &Cell) -> bool {
        let path = &self.paths[level];
        path.contains(p) && self.grain(level).is_none_or(|k| self.active[path.levels[k]].contains(&path.above(k, p)))
    }

    pub fn activate(&mut self, level: usize, p: &Cell) {
        for (k, &l) in self.paths[level].levels.iter().enumerate() {
            if self.kinds[l] != 'd' {
                self.active[l].insert(self.paths[level].above(k, p));
            }
        }
    }

    /// Deactivates a cell and all below it; whether it was active.
    pub fn deactivate(&mut self, level: usize, cell: &Cell) -> bool {
        if !self.active[level].contains(cell) {
            return false;
        }
        for (l, path) in self.paths.iter().enumerate() {
            let Some(k) = path.levels.iter().position(|m| *m == level) else { continue };
            self.active[l].retain(|c| path.above(k, c) != *cell);
            for field in self.fields.iter_mut().filter(|f| f.level == l) {
                field.values.retain(|c, _| path.above(k, c) != *cell);
            }
        }
        true
    }

    /// Deactivates every cell without a field of its own under which no cell of a level with fields, or without levels
    /// below, is active.
    pub fn prune(&mut self) {
        for level in 0..self.paths.len() {
            let holds = |l: usize| self.fields.iter().any(|f| f.level == l) || self.innermost().any(|m| m == l);
            if !self.is_sparse(level) || holds(level) {
                continue;
            }
            let below = (0..self.paths.len()).filter(|&l| holds(l));
            let leads = |l: usize| {
                let path = &self.paths[l];
                let k = path.levels.iter().position(|m| *m == level)?;
                Some(self.cells(l).into_iter().map(move |c| path.above(k, &c)))
            };
            let keep: BTreeSet<Cell> = below.filter_map(leads).flatten().collect();
            self.active[level].retain(|c| keep.contains(c));
        }
    }

    pub fn clear(&mut self) {
        self.active.iter_mut().for_each(BTreeSet::clear);
        self.fields.iter_mut().for_each(|f| f.values.clear());
    }

    pub fn set(&mut self, field: usize, p: Cell, value: u8) {
        self.activate(self.fields[field].level, &p);
        self.fields[field].values.insert(p, value);
    }

    pub fn get(&self, field: usize, p: &Cell) -> Option<u8> {
        self.is_active(self.fields[field].level, p).then(|| self.value(field, p))
    }

    /// The value of a cell, the background if it is inactive.
    pub fn value(&self, field: usize, p: &Cell) -> u8 {
        self.fields[field].values.get(p).copied().unwrap_or(self.fields[field].background)
    }

    /// Gives every active cell of a field a new value.
    pub fn update(&mut self, field: usize, mut f: impl FnMut(&Self, Cell, u8) -> u8) {
        let cells = self.field_cells(field);
        let values: Vec<_> = cells.into_iter().map(|(p, v)| (p, f(self, p, v))).collect();
        self.fields[field].values.extend(values);
    }

    /// The active cells of a level in the order of visits.
    pub fn cells(&self, level: usize) -> Vec<Cell> {
        let path = &self.paths[level];
        let mut cells: Vec<Cell> = match self.grain(level) {
            Some(k) => self.active[path.levels[k]].iter().flat_map(|c| path.below(Some(k), c)).collect(),
            None => path.below(None, &[0; 8]),
        };
        cells.sort_by_cached_key(|c| path.rank(c));
        cells
    }

    /// The active cells of a field with their values, in the order of visits.
    pub fn field_cells(&self, field: usize) -> Vec<(Cell, u8)> {
        self.cells(self.fields[field].level).into_iter().map(|p| (p, self.value(field, &p))).collect()
    }

    /// The levels without levels below.
    pub fn innermost(&self) -> impl Iterator<Item = usize> {
        let is_above = |l: usize| self.paths.iter().any(|p| p.levels[..p.levels.len() - 1].contains(&l));
        (0..self.paths.len()).filter(move |&l| !is_above(l))
    }
}
