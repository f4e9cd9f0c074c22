//! Changing the topology of a level.

use super::LevelView;
use crate::coord::{Coord, Point};
use crate::core::{Core, exists, is_active, locate, mark_active, plan_of};
use crate::error::OutOfBounds;
use crate::layout::{Layout, Level, Planned};
use crate::tree::{Kind, ROOT};

/// A level together with the whole grid: cells can be activated and deactivated.
pub struct LevelMut<'a, L: Level> {
    pub(crate) core: &'a mut Core<L::Layout>,
}

impl<L: Level> std::fmt::Debug for LevelMut<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelMut").field("name", &self.as_view().name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level> LevelMut<'a, L> {
    /// What the attribute's level methods call.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(core: &'a mut Core<L::Layout>) -> Self {
        LevelMut { core }
    }

    /// The level for reading.
    #[inline(always)]
    pub fn as_view(&self) -> LevelView<'_, L> {
        LevelView::new(self.core)
    }

    /// See [`LevelView::is_active`].
    #[inline]
    pub fn is_active(&self, cell: impl Coord<L::Point>) -> bool {
        self.as_view().is_active(cell)
    }

    /// Activates a cell and the path to it; its values are the background, if it was inactive.
    ///
    /// # Panics
    /// If the cell is out of bounds, naming level, coordinates and bounds; if the grid's nodes are exhausted.
    #[inline]
    pub fn activate(&mut self, cell: impl Coord<L::Point>) {
        if let Err(e) = self.try_activate(cell) {
            panic!("{}: {e}", L::Layout::TREE.name);
        }
    }

    /// As [`activate`](Self::activate).
    ///
    /// # Errors
    /// If the cell is out of bounds; nothing is changed.
    ///
    /// # Panics
    /// If the grid's nodes are exhausted.
    #[inline]
    pub fn try_activate(&mut self, cell: impl Coord<L::Point>) -> Result<(), OutOfBounds> {
        let p = cell.point();
        match locate::<L>(self.core, p) {
            Some(at) if exists::<L>(&at) => mark_active::<L>(self.core, &at),
            Some(_) => {
                if let Err(e) = self.core.activate::<L>(p) {
                    panic!("{}: `{}`: {e}", L::Layout::TREE.name, self.as_view().name());
                }
            }
            None => {
                let name = self.as_view().name();
                return Err(self.core.out_of_bounds(name, plan_of::<L>(self.core), p.as_slice()));
            }
        }
        Ok(())
    }

    /// Deactivates a cell: everything at and below it returns to the background, and its nodes to the pool. Whether
    /// it was active.
    ///
    /// For levels whose cells can be inactive; a cell of a dense level exists with its parent, so naming this method on
    /// one does not compile.
    pub fn deactivate(&mut self, cell: impl Coord<L::Point>) -> bool {
        const {
            assert!(
                L::LEVEL != ROOT && !matches!(L::PLAN.steps[L::PLAN.n - 1].kind, Kind::Dense),
                "the cells of a dense level cannot be deactivated: deactivate a cell of the level above"
            );
        }
        let p = cell.point();
        let Some(at) = locate::<L>(self.core, p) else { return false };
        if !is_active::<L>(self.core, &at) {
            return false;
        }
        let plan = *plan_of::<L>(self.core);
        let step = plan.steps[plan.n - 1];
        match step.kind {
            Kind::Bitmasked => {
                let slot = at.outer * plan.block + at.digit;
                self.core.raw_mut().reset_cell(step.level, at.handle, slot);
            }
            Kind::Hash => self.core.raw_mut().remove_keyed(step.content, at.handle),
            _ => {
                let mut raw = self.core.raw_mut();
                let origin = raw.shared().origin(step.content, at.handle);
                let parent = raw.shared().parent(step.content, at.handle);
                let slot = plan.slot_above(&origin, step.level);
                raw.free_slots(step.level, parent, slot, slot + 1);
            }
        }
        true
    }

    /// Deactivates every active cell for which `keep` says no.
    pub fn retain(&mut self, mut keep: impl FnMut(L::Point) -> bool) {
        let out: Vec<L::Point> = self.as_view().iter().filter(|p| !keep(*p)).collect();
        for p in out {
            self.deactivate(p);
        }
    }

    /// Deactivates every cell of this level, and so everything below; no sibling.
    pub fn clear(&mut self) {
        self.retain(|_| false);
    }
}
