//! Where the values of one field stand, for the code behind every view.

use crate::core::{Core, Loc};
use crate::element::Element;
use crate::layout::{Layout, Level, Planned, Shaped, Stride};
use crate::plan::FieldPlan;
use crate::tree::Storage;
use std::marker::PhantomData;

/// The address of a field's first value in node 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base(*mut u8);

// SAFETY: an address alone; see `Lane`.
unsafe impl Send for Base {}
// SAFETY: as above.
unsafe impl Sync for Base {}

/// A field of a borrowed grid. Who may read or write through it is for the view that holds it to know.
pub(crate) struct Lane<'a, L: Level, T> {
    pub(crate) core: &'a Core<L::Layout>,
    pub(super) base: Base,
    pub(crate) field: usize,
    element: PhantomData<T>,
}

impl<L: Level, T> Clone for Lane<'_, L, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T> Copy for Lane<'_, L, T> {}

// SAFETY: a lane is a shared borrow of the grid and an address in its parts; every access to the values is made by a
// view whose own borrow says that it may (`Field`: shared, `FieldMut`: exclusive).
unsafe impl<L: Level, T: Send> Send for Lane<'_, L, T> {}
// SAFETY: as above.
unsafe impl<L: Level, T: Sync> Sync for Lane<'_, L, T> {}

impl<'a, L: Level, T> Lane<'a, L, T> {
    /// A field of a level whose cells hold one value each.
    ///
    /// # Panics
    /// If the field is not one of this level and element, or the level holds lists.
    #[inline(always)]
    pub(crate) fn new(core: &'a Core<L::Layout>, field: usize) -> Self {
        assert!(const { !<L as Planned>::LISTS }, "a view of cells on a field that is stored in lists");
        Self::of_level(core, field)
    }

    /// A field of a dynamic level.
    ///
    /// # Panics
    /// If the field is not one of this level and element, or the level does not hold lists.
    #[inline(always)]
    pub(crate) fn of_lists(core: &'a Core<L::Layout>, field: usize) -> Self {
        assert!(const { <L as Planned>::LISTS }, "a view of lists on a field that is not stored so");
        Self::of_level(core, field)
    }

    #[inline(always)]
    fn of_level(core: &'a Core<L::Layout>, field: usize) -> Self {
        let decl = &L::Layout::TREE.fields[field];
        assert!(
            decl.level == L::LEVEL && decl.is_plain() && decl.size == size_of::<T>() && decl.align == align_of::<T>(),
            "a view of another field"
        );
        // A field of a `soa` level has a part of its own, numbered by field; no table is asked for it.
        let (part, offset) = if const { matches!(L::Layout::TREE.storage(L::LEVEL), Storage::Soa) } {
            (const { L::Layout::TREE.value_part(0) } + field, 0)
        } else {
            let plan = &core.meta().fields[field];
            (plan.part, plan.offset as usize)
        };
        debug_assert_eq!((part, offset), {
            let plan = &core.meta().fields[field];
            (plan.part, plan.offset as usize)
        });
        let base = Base(core.part(part).base().wrapping_add(offset));
        Lane { core, base, field, element: PhantomData }
    }
}

impl<'a, L: Level, T: Element> Lane<'a, L, T> {
    /// A lane that [`new`](Self::new) made for the same grid and field, again.
    #[inline(always)]
    pub(super) fn again(core: &'a Core<L::Layout>, base: Base, field: usize) -> Self {
        debug_assert_eq!(base.0, Self::new(core, field).base.0);
        Lane { core, base, field, element: PhantomData }
    }

    #[inline(always)]
    fn plan(&self) -> &FieldPlan {
        if const { <L::Layout as Shaped>::RUN_TIME } {
            &self.core.meta().fields[self.field]
        } else {
            const { &Stride::<L, T>::PLAN }
        }
    }

    /// The value of a located cell.
    #[inline(always)]
    pub(crate) fn at(&self, at: &Loc) -> *mut T {
        let plan = self.plan();
        let bytes = u64::from(at.handle) * plan.node + at.outer * plan.block + at.digit * plan.cell;
        self.base.0.wrapping_add(bytes as usize).cast()
    }

    /// The value of cell `cell` of a node.
    #[inline(always)]
    pub(crate) fn nth(&self, handle: u32, cell: u64) -> *mut T {
        let plan = self.plan();
        let node = u64::from(handle) * plan.node;
        let bytes = if const { Stride::<L, T>::EVEN } {
            node + cell * plan.cell
        } else {
            let block = crate::core::plan_of::<L>(self.core).block;
            node + cell / block * plan.block + cell % block * plan.cell
        };
        self.base.0.wrapping_add(bytes as usize).cast()
    }

    /// # Panics
    /// If the level is stored as records: values do not stand side by side.
    pub(crate) fn assert_side_by_side(&self) {
        assert!(
            self.cell_stride() == size_of::<T>(),
            "`{}`: values of an `aos` level do not stand side by side: use `par_for_each`",
            self.name()
        );
    }

    /// Bytes from one cell of a block to the next.
    #[inline(always)]
    pub(crate) fn cell_stride(&self) -> usize {
        self.plan().cell as usize
    }

    /// Whether all cells of a node stand side by side.
    #[inline(always)]
    pub(crate) fn is_packed(&self) -> bool {
        (const { Stride::<L, T>::EVEN }) && self.cell_stride() == size_of::<T>()
    }

    #[inline(always)]
    pub(crate) fn background(&self) -> T {
        // SAFETY: `Backgrounds` keeps a value of the field's type, aligned to 64, for as long as the grid lives.
        unsafe { *self.core.backgrounds().of(self.field).cast::<T>() }
    }

    #[inline(always)]
    pub(crate) fn name(&self) -> &'static str {
        L::Layout::TREE.fields[self.field].name
    }
}
