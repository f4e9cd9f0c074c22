//! Where cells lie, by division.

/// The coordinates of a cell of any level; those past its axes are 0.
pub type Cell = [i32; 8];

/// One level of the layout under test.
pub struct Spec {
    /// h, p, b, d
    pub kind: char,
    /// The level above if it is not the one listed before; -1: none.
    pub below: Option<i64>,
    /// Per axis: cells, 0 where not divided, -1 where unbounded.
    pub sizes: Vec<i64>,
    /// Whether cells are numbered in Z-order.
    pub morton: bool,
}

/// A layout.
pub struct Shape {
    pub levels: Vec<Spec>,
    /// Per axis; `hi <= lo`: no declared bounds.
    pub lo: Vec<i64>,
    pub hi: Vec<i64>,
}

impl Shape {
    pub fn axes(&self) -> usize {
        self.lo.len()
    }

    pub fn parent(&self, level: usize) -> Option<usize> {
        match self.levels[level].below {
            Some(k) => usize::try_from(k).ok(),
            None => level.checked_sub(1),
        }
    }

    /// Finest cells along an axis in one cell of a level, or in the whole grid: the most over the paths below.
    fn under(&self, level: Option<usize>, axis: usize) -> i64 {
        let children = (0..self.levels.len()).filter(|&l| self.parent(l) == level);
        children.map(|l| self.levels[l].sizes[axis].max(1) * self.under(Some(l), axis)).max().unwrap_or(1)
    }

    /// The path to a level.
    pub fn path(&self, level: usize) -> Path<'_> {
        let mut levels = vec![level];
        while let Some(parent) = self.parent(levels[0]) {
            levels.insert(0, parent);
        }
        let divided = |a: &usize| levels.iter().any(|&l| self.levels[l].sizes[*a] != 0);
        let axes: Vec<usize> = (0..self.axes()).filter(divided).collect();
        let side = |&a: &usize| {
            let under = self.under(Some(level), a);
            if levels.iter().any(|&l| self.levels[l].sizes[a] < 0) {
                let (first, last) = (i64::from(i32::MIN).div_euclid(under), i64::from(i32::MAX).div_euclid(under));
                Side { free: true, base: 0, lo: first, hi: last + 1 }
            } else if self.hi[a] > self.lo[a] {
                let lo = self.lo[a].div_euclid(under);
                Side { free: false, base: lo, lo, hi: lo - (self.lo[a] - self.hi[a]).div_euclid(under) }
            } else {
                let n = levels.iter().map(|&l| self.levels[l].sizes[a].max(1)).product();
                Side { free: false, base: 0, lo: 0, hi: n }
            }
        };
        let sides = axes.iter().map(side).collect();
        Path { shape: self, levels, axes, sides }
    }
}

/// The index space of a level along one axis.
pub struct Side {
    pub free: bool,
    /// Where cells are counted from.
    base: i64,
    pub lo: i64,
    pub hi: i64,
}

/// A level with the levels above it.
pub struct Path<'a> {
    shape: &'a Shape,
    /// From the outermost.
    pub levels: Vec<usize>,
    axes: Vec<usize>,
    pub sides: Vec<Side>,
}

impl Path<'_> {
    pub fn contains(&self, p: &Cell) -> bool {
        self.sides.iter().zip(p).all(|(s, &x)| (s.lo..s.hi).contains(&x.into()))
    }

    /// This level's cells in one cell of the `k`-th level of the path, along its `j`-th axis.
    fn per(&self, k: usize, j: usize) -> i64 {
        self.levels[k + 1..].iter().map(|&l| self.shape.levels[l].sizes[self.axes[j]].max(1)).product()
    }

    /// The cell of the `k`-th level of the path that holds a cell of this one.
    pub fn above(&self, k: usize, p: &Cell) -> Cell {
        let upper = self.shape.path(self.levels[k]);
        let mut cell = [0; 8];
        for (i, a) in upper.axes.iter().enumerate() {
            let j = self.axes.iter().position(|b| a == b).expect("an axis that is divided above is divided here");
            let counted = i64::from(p[j]) - self.sides[j].base;
            cell[i] = (counted.div_euclid(self.per(k, j)) + upper.sides[i].base) as i32;
        }
        cell
    }

    /// The cells of this level below one of the `k`-th level of the path; all cells, if no level is given.
    pub fn below(&self, k: Option<usize>, cell: &Cell) -> Vec<Cell> {
        let upper = k.map(|k| (k, self.shape.path(self.levels[k])));
        let mut cells = vec![[0; 8]];
        for (j, a) in self.axes.iter().enumerate() {
            let side = &self.sides[j];
            let above = upper.as_ref().and_then(|(k, u)| Some((*k, u, u.axes.iter().position(|b| a == b)?)));
            let (from, to) = match above {
                Some((k, u, i)) => {
                    let from = (i64::from(cell[i]) - u.sides[i].base) * self.per(k, j) + side.base;
                    (from.max(side.lo), (from + self.per(k, j)).min(side.hi))
                }
                None => (side.lo, side.hi),
            };
            let with = |c: Cell| {
                (from..to).map(move |x| {
                    let mut c = c;
                    c[j] = x as i32;
                    c
                })
            };
            cells = cells.into_iter().flat_map(with).collect();
        }
        cells
    }

    /// What the order of visits compares: cell numbers level by level; below an unbounded level, its key.
    pub fn rank(&self, p: &Cell) -> Vec<i64> {
        let mut rank = Vec::new();
        for (k, &l) in self.levels.iter().enumerate() {
            let spec = &self.shape.levels[l];
            let divided: Vec<usize> = (0..self.axes.len()).filter(|&j| spec.sizes[self.axes[j]] != 0).collect();
            let digit = |&j: &usize| {
                let q = (i64::from(p[j]) - self.sides[j].base).div_euclid(self.per(k, j));
                let n = spec.sizes[self.axes[j]];
                if n < 0 { q } else { q.rem_euclid(n) }
            };
            let digits: Vec<i64> = divided.iter().map(digit).collect();
            if !spec.morton {
                rank.extend(digits);
                continue;
            }
            // Bits dealt from the last axis on, until an axis runs out.
            let (mut code, mut bit) = (0, 0);
            for round in 0..32 {
                for (i, j) in divided.iter().enumerate().rev() {
                    if round < spec.sizes[self.axes[*j]].trailing_zeros() {
                        code |= (digits[i] >> round & 1) << bit;
                        bit += 1;
                    }
                }
            }
            rank.push(code);
        }
        rank
    }
}
