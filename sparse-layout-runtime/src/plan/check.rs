//! What a tree must keep. The attribute reports most of it at the token; this is the wall behind it.

use super::TOO_LARGE;
use super::shape::{FREE, Shape};
use crate::tree::{Bounds, Kind, MAX_AXES, MAX_DEPTH, MAX_FIELDS, MAX_LEVELS, ROOT, Size, Storage, Tree};

impl Tree {
    /// Panics, in a constant and so at compile time, unless every derived size and offset is right.
    pub const fn check(&self) {
        assert!(self.axes.len() <= MAX_AXES, "a grid has at most 8 axes");
        assert!(self.levels.len() <= MAX_LEVELS, "a tree has at most 64 levels");
        assert!(self.fields.len() <= MAX_FIELDS, "a grid has at most 256 fields");
        let mut a = 0;
        while a < self.axes.len() {
            if let Some(problem) = self.bounds_problem(a) {
                panic!("{}", problem);
            }
            a += 1;
        }
        let mut l = 0;
        while l < self.levels.len() {
            self.check_level(l);
            l += 1;
        }
        let mut f = 0;
        while f < self.fields.len() {
            let field = &self.fields[f];
            assert!(
                field.level == ROOT || field.level < self.levels.len(),
                "a field names a level that does not exist"
            );
            assert!(field.align.is_power_of_two() && field.align <= 64, "a field's alignment is more than 64");
            if !field.is_plain() {
                let lists = field.level != ROOT && matches!(self.levels[field.level].kind, Kind::Dynamic);
                assert!(matches!(self.storage(field.level), Storage::Soa), "`split` and `bits` fields need `soa`");
                assert!(!lists, "items of lists are plain values");
            }
            assert!(field.size.is_multiple_of(field.align), "a field's size is no multiple of its alignment");
            f += 1;
        }
        if !self.has_run_time_bounds()
            && let Some(problem) = self.shape_problem(&Shape::new(self, &[None; MAX_AXES]))
        {
            panic!("{}", problem);
        }
    }

    /// What is wrong with the bounds of an axis or with its sizes, if they are constants. The attribute asks at the axis' token, where
    /// it cannot see the values itself.
    pub const fn axis_problem(&self, a: usize) -> Option<&'static str> {
        if let Some(problem) = self.bounds_problem(a) {
            return Some(problem);
        }
        if self.has_run_time_bounds() {
            return None;
        }
        let shape = Shape::new(self, &[None; MAX_AXES]);
        let mut l = 0;
        while l < self.levels.len() {
            if let Some(problem) = self.division_problem(&shape, l, a) {
                return Some(problem);
            }
            l += 1;
        }
        None
    }

    /// What is wrong with the constants of a list level or a level in Z-order, if anything is. The attribute asks at the level's token.
    pub const fn level_problem(&self, l: usize) -> Option<&'static str> {
        let level = &self.levels[l];
        if matches!(level.kind, Kind::Dynamic) {
            if level.max <= 0 || level.max >= u32::MAX as i128 {
                return Some("a list has 1 to 2^32 - 2 items at most");
            }
            if level.chunk < 0 || level.chunk > level.max {
                return Some("a chunk is no longer than its list");
            }
        }
        let mut a = 0;
        while a < self.axes.len() {
            if let Size::Cells(n) = level.sizes[a]
                && level.morton
                && n > 0
                && !(n as u128).is_power_of_two()
            {
                return Some("`morton` needs sizes that are powers of two");
            }
            a += 1;
        }
        None
    }

    const fn bounds_problem(&self, a: usize) -> Option<&'static str> {
        if let Bounds::Fixed(lo, hi) = self.axes[a].bounds {
            if lo >= hi {
                return Some("the bounds of an axis are empty or reversed");
            }
            if lo < i32::MIN as i128 || hi > i32::MAX as i128 + 1 {
                return Some("the bounds of an axis do not fit in i32");
            }
        }
        None
    }

    const fn check_level(&self, l: usize) {
        let level = &self.levels[l];
        if let Some(problem) = self.level_problem(l) {
            panic!("{}", problem);
        }
        assert!(level.parent == ROOT || level.parent < l, "levels are listed parents first");
        assert!(level.sizes.len() == self.axes.len(), "a level has one size per axis");
        if level.parent != ROOT {
            assert!(!matches!(self.levels[level.parent].kind, Kind::Dynamic), "a dynamic level is innermost");
        }
        if matches!(level.kind, Kind::Dynamic) {
            assert!(level.order.is_empty(), "a dynamic level divides no axis");
        }
        let mut depth = 1;
        let mut p = level.parent;
        while p != ROOT {
            depth += 1;
            p = self.levels[p].parent;
        }
        assert!(depth <= MAX_DEPTH, "a path has at most 16 levels");
        let mut divided = 0;
        let mut a = 0;
        while a < self.axes.len() {
            match level.sizes[a] {
                Size::None => {}
                Size::Cells(n) => {
                    divided += 1;
                    assert!(n > 0, "a level's size is 0 or negative");
                    assert!(n <= 1 << 31, "a level's size is more than 2^31");
                }
                Size::Cover => {
                    divided += 1;
                    assert!(!matches!(self.axes[a].bounds, Bounds::Sizes), "`_` needs an axis with bounds");
                    assert!(self.is_outermost(l, a), "`_` is for the outermost level that divides the axis");
                }
                Size::Unbounded => {
                    divided += 1;
                    assert!(
                        matches!(level.kind, Kind::Hash) && level.parent == ROOT,
                        "only a hash at the root is unbounded"
                    );
                    assert!(
                        matches!(self.axes[a].bounds, Bounds::Sizes),
                        "an axis with bounds cannot be divided without bound"
                    );
                }
            }
            a += 1;
        }
        assert!(level.order.len() == divided, "a level's order names each axis it divides");
        let mut seen = [false; MAX_AXES];
        let mut o = 0;
        while o < level.order.len() {
            let a = level.order[o];
            assert!(
                !matches!(level.sizes[a], Size::None) && !seen[a],
                "a level's order names each axis it divides once"
            );
            seen[a] = true;
            o += 1;
        }
        if !matches!(level.storage, Storage::Soa) {
            assert!(
                matches!(level.kind, Kind::Dense | Kind::Bitmasked) || level.storage as u8 == Storage::Aos as u8,
                "`aosoa` is for levels with blocks: dense and bitmasked"
            );
        }
    }

    const fn is_outermost(&self, l: usize, a: usize) -> bool {
        let mut p = self.levels[l].parent;
        while p != ROOT {
            if !matches!(self.levels[p].sizes[a], Size::None) {
                return false;
            }
            p = self.levels[p].parent;
        }
        true
    }

    /// What is wrong with the sizes of a tree, if anything is: the part of the check that needs them all. For bounds given at
    /// run time it is made when a grid is built.
    pub const fn shape_problem(&self, shape: &Shape) -> Option<&'static str> {
        if shape.too_wide {
            return Some("a level divides an axis into 2^32 - 1 cells or more");
        }
        let mut l = 0;
        while l < self.levels.len() {
            if shape.slots[l] >= TOO_LARGE {
                return Some("a node has 2^62 cells or more");
            }
            let mut a = 0;
            while a < self.axes.len() {
                if let Some(problem) = self.division_problem(shape, l, a) {
                    return Some(problem);
                }
                let n = shape.sizes[l][a];
                if self.levels[l].morton && n != 0 && !n.is_power_of_two() {
                    return Some("`morton` needs sizes that are powers of two");
                }
                a += 1;
            }
            l += 1;
        }
        let mut part = 0;
        while part < self.parts() {
            if self.part_stride(shape, part) >= 1 << 46 {
                return Some("a node is larger than the address space");
            }
            part += 1;
        }
        None
    }

    const fn division_problem(&self, shape: &Shape, l: usize, a: usize) -> Option<&'static str> {
        if shape.sizes[l][a] == 0 {
            return None;
        }
        let mut product = 1u128;
        let mut free = false;
        let mut p = l;
        while p != ROOT {
            let n = shape.sizes[p][a];
            free |= n == FREE;
            if n != 0 && n != FREE {
                product *= n as u128;
            }
            if product > 1 << 32 {
                return Some("the sizes of an axis multiply to more than 2^32");
            }
            p = self.levels[p].parent;
        }
        let outer = self.outermost_on_path(shape, l, a) as u64;
        if !free && product as u64 / outer >= 1 << 32 {
            return Some("the cells of a level hold 2^32 cells along an axis");
        }
        if free && product >= 1 << 31 {
            return Some("an unbounded axis is divided into 2^31 cells or more");
        }
        if !free && shape.declared[a] == 0 && product > 1 << 31 {
            return Some("the extent of an axis does not fit in i32");
        }
        if shape.declared[a] > 0 && shape.below(self, l, a) == 1 {
            let covered = product as u64;
            if covered < shape.declared[a] {
                return Some("the sizes of an axis do not cover its bounds");
            }
            if covered - shape.declared[a] >= covered / outer {
                return Some("the sizes of an axis overshoot its bounds by a whole outermost cell");
            }
        }
        None
    }

    const fn outermost_on_path(&self, shape: &Shape, l: usize, a: usize) -> u32 {
        let mut outer = 1;
        let mut p = l;
        while p != ROOT {
            if shape.sizes[p][a] != 0 {
                outer = shape.sizes[p][a];
            }
            p = self.levels[p].parent;
        }
        outer
    }
}
