//! From a cell to the node that holds its bits.

use super::geometry::{Cell, Geometry, slot_of};
use super::write::{make_node, mark_above};
use crate::core::Raw;
use crate::error::Exhausted;
use crate::tree::{MAX_AXES, MAX_DEPTH};

/// Finds nodes, remembering the last one of each kind: neighbours mostly have the same ancestors.
pub(super) struct Finder<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) geometry: &'a Geometry,
    /// Per step of indirection: the coordinates of the node last looked for, and its handle or 0.
    last: [([i32; MAX_AXES], u32); MAX_DEPTH],
    known: u16,
}

impl<'a> Finder<'a> {
    pub(super) fn new(raw: Raw<'a>, geometry: &'a Geometry) -> Self {
        Finder { raw, geometry, last: [([0; MAX_AXES], 0); MAX_DEPTH], known: 0 }
    }

    /// The node that holds the cell, if there is one. The cell lies within the bounds, or in a node that reaches into them.
    #[inline]
    pub(super) fn node(&mut self, cell: &Cell) -> Option<u32> {
        match self.geometry.links.len() {
            0 => Some(0),
            n => Some(self.below(n - 1, cell)).filter(|h| *h != 0),
        }
    }

    /// The node behind step of indirection `i`, or 0.
    fn below(&mut self, i: usize, cell: &Cell) -> u32 {
        let link = &self.geometry.links[i];
        let mut at = [0; MAX_AXES];
        for j in 0..self.geometry.d {
            at[j] = link.side[j].div(cell[j]) as i32;
        }
        if self.known >> i & 1 != 0 && self.last[i].0 == at {
            return self.last[i].1;
        }
        let handle = if link.keyed {
            self.by_key(i, &at)
        } else {
            let parent = if i == 0 { 0 } else { self.below(i - 1, cell) };
            if i > 0 && parent == 0 {
                0
            } else {
                let table = self.raw.parts[link.main].node(parent).cast::<u32>();
                let slot = slot_of(&link.steps, cell);
                // SAFETY: the entry of a cell of the level in the root's or a live node; entries are changed only between
                // passes, when no finder is at work.
                unsafe { *table.wrapping_add(slot as usize) }
            }
        };
        self.last[i] = (at, handle);
        self.known |= 1 << i;
        handle
    }

    /// The node that holds the cell, made if there is none. The grid is held exclusively, and nobody else is at work on it.
    pub(super) fn make(&mut self, cell: &Cell) -> Result<u32, Exhausted> {
        let g = self.geometry;
        let n = g.links.len();
        let Some(link) = g.links.last().filter(|link| !link.keyed) else { return make_node(&self.raw, g, cell) };
        let parent = if n == 1 { 0 } else { self.below(n - 2, cell) };
        if n > 1 && parent == 0 {
            // That there is no node must be forgotten.
            self.known = 0;
            return make_node(&self.raw, g, cell);
        }
        let slot = slot_of(&link.steps, cell);
        let entry = self.raw.parts[link.main].node(parent).cast::<u32>().wrapping_add(slot as usize);
        // SAFETY: the entry of a cell of the level in the root's or a live node; the grid is held exclusively.
        let found = unsafe { *entry };
        if found != 0 {
            return Ok(found);
        }
        let mut origin = [0; MAX_AXES];
        for j in 0..g.d {
            origin[g.plan.axis[j]] = link.side[j].div(cell[j]) as i32;
        }
        let made = self.raw.allocate(link.content, &origin, parent)?;
        // SAFETY: as above, and the occupancy word of the slot.
        unsafe {
            *entry = made;
            *self.raw.word(link.aux, parent, slot / 64) |= 1 << (slot % 64);
        }
        mark_above(&self.raw, &link.steps, parent, slot);
        // The last step may have been looked for before.
        self.known &= !(1 << (n - 1));
        Ok(made)
    }

    fn by_key(&self, i: usize, at: &[i32; MAX_AXES]) -> u32 {
        let link = &self.geometry.links[i];
        let (mut key, mut n) = ([0; MAX_AXES], 0);
        for j in (0..self.geometry.d).filter(|&j| link.divides[j]) {
            key[n] = at[j];
            n += 1;
        }
        let hash = (self.raw.meta.hash_key)(link.level, &key[..n]);
        self.raw.pools[link.content].directory.find(hash, |h| {
            let header = self.raw.header(link.content, h);
            (0..self.geometry.d).filter(|&j| link.divides[j]).all(|j| {
                // SAFETY: the header of a live node holds one `i32` per axis of the grid.
                unsafe { *header.add(self.geometry.plan.axis[j]) == at[j] }
            })
        })
    }
}
