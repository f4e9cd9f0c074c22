//! A field that many threads read and write.

use super::batch::apply_all;
use super::element::{Atomic, AtomicBits, AtomicScalar};
use super::mode::{Frozen, Growing, Lent, Mode, Spot};
use super::{Concurrent, SharedAccessor};
use crate::coord::Coord;
use crate::core::{is_active_shared, locate};
use crate::element::Element;
use crate::error::OutOfBounds;
use crate::field::{FieldMut, Lane, Read};
use crate::layout::Level;
use std::marker::PhantomData;

/// A field of a grid that is lent to many threads: `Copy`, `Send` and `Sync`, all methods take it by value. Making one
/// touches no memory of the grid.
///
/// From `grid.concurrent()` writing activates the path to the cell ([`Growing`]); from [`FieldMut::atomic`] only active
/// cells can be written ([`Frozen`]). Reading never activates. What each operation does to a value, and in which
/// memory order, says [`Atomic`].
///
/// ```
/// # use sparse_layout_runtime as rt;
/// use rayon::prelude::*;
/// # struct Counts { core: rt::Core<Counts> }
/// # const TREE: rt::Tree = rt::Tree {
/// #     name: "Counts", axes: &[rt::Axis { name: "x", bounds: rt::Bounds::Sizes }], padded: false,
/// #     levels: &[rt::LevelDecl::new("block", rt::Kind::Pointer, rt::ROOT, &[rt::Size::Cells(8)], &[0]),
/// #               rt::LevelDecl::new("leaf", rt::Kind::Bitmasked, 0, &[rt::Size::Cells(8)], &[0])],
/// #     fields: &[rt::FieldDecl::of::<f32>("mass", "f32", 1)],
/// # };
/// # impl rt::Layout for Counts {
/// #     const TREE: rt::Tree = TREE;
/// #     type Parts = [rt::Part; TREE.parts()];
/// #     type Pools = [rt::Pool; TREE.node_kinds()];
/// # }
/// # impl rt::HasLevel<1> for Counts { type Point = [i32; 1]; }
/// # impl Counts {
/// #     fn concurrent(&mut self) -> Handle<'_> { Handle(rt::Concurrent::new(&mut self.core)) }
/// #     fn mass(&self) -> rt::Field<'_, rt::At<Counts, 1>, f32> { rt::Field::new(&self.core, 0) }
/// # }
/// # #[derive(Clone, Copy)] struct Handle<'a>(rt::Concurrent<'a, Counts>);
/// # impl<'a> Handle<'a> { fn mass(self) -> rt::Shared<'a, rt::At<Counts, 1>, f32> { rt::Shared::new(self.0, 0) } }
/// # let mut grid = Counts { core: rt::Core::new() };
/// // struct Counts { mass: f32 }, pointer(8) > bitmasked(8)
/// let mass = grid.concurrent().mass();
/// (0..1000).into_par_iter().try_for_each(|i| mass.fetch_add([i % 10], 0.5).map(drop))?;
/// assert!(mass.fetch_add([64], 1.0).is_err());     // out of bounds: nothing written
/// assert_eq!(grid.mass().get([3]), Some(50.0));
/// assert_eq!(grid.mass().get([10]), None);
/// # Ok::<(), sparse_layout_runtime::WriteError>(())
/// ```
pub struct Shared<'a, L: Level, T, M = Growing> {
    pub(super) lane: Lane<'a, L, T>,
    mode: PhantomData<fn() -> M>,
}

impl<L: Level, T, M> Clone for Shared<'_, L, T, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Level, T, M> Copy for Shared<'_, L, T, M> {}

impl<L: Level, T: Element, M> std::fmt::Debug for Shared<'_, L, T, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("name", &self.lane.name()).finish_non_exhaustive()
    }
}

impl<'a, L: Level, T> Shared<'a, L, T> {
    /// The field of that number: what the attribute's handle calls.
    ///
    /// # Panics
    /// If the field is not one of this level and element type.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(grid: Concurrent<'a, L::Layout>, field: usize) -> Self {
        Shared { lane: Lane::new(grid.core, field), mode: PhantomData }
    }
}

impl<L: Level, T: Element> FieldMut<'_, L, T> {
    /// The field for many threads, as long as this view is borrowed: values change through atomics, the cells that are active
    /// stay the same. The other fields of the grid may be lent meanwhile.
    #[inline(always)]
    pub fn atomic(&mut self) -> Shared<'_, L, T, Frozen> {
        Shared { lane: self.lane, mode: PhantomData }
    }
}

/// The operations that write, given how a handle finds the cell.
macro_rules! writes {
    ($this:ident: $($receiver:tt)+) => {
        /// Sets a cell.
        ///
        /// # Errors
        /// If the cell is out of bounds, or cannot be active (no node left, or frozen); nothing is written.
        #[inline(always)]
        pub fn store($($receiver)+, p: impl Coord<L::Point>, value: T) -> Result<(), M::Error>
        where
            T: Atomic,
        {
            // SAFETY: a cell of a node that exists: its value is initialised, lies in the field's part and is aligned. While
            // the grid, or the field, is lent to many threads, its values are accessed by the operations of `Atomic`
            // alone. So for all that follow.
            $this.cell(p.point()).map(|cell| unsafe { T::store(cell, value) })
        }

        writes!(@ Atomic, swap "Sets a cell; arrays component by component." $this ($($receiver)+) swap);
        writes!(@ Atomic, fetch_add "Adds to a cell; integers wrap around." $this ($($receiver)+) add);
        writes!(@ Atomic, fetch_sub "Subtracts from a cell; integers wrap around." $this ($($receiver)+) sub);
        writes!(@ Atomic, fetch_min "Lowers a cell to `value`, if it is more; of a number and a NaN the number stays." $this ($($receiver)+) min);
        writes!(@ Atomic, fetch_max "Raises a cell to `value`, if it is less; of a number and a NaN the number stays." $this ($($receiver)+) max);
        writes!(@ AtomicBits, fetch_and "Takes away the bits that `value` does not have." $this ($($receiver)+) and);
        writes!(@ AtomicBits, fetch_or "Sets the bits of `value`." $this ($($receiver)+) or);
        writes!(@ AtomicBits, fetch_xor "Inverts the bits of `value`." $this ($($receiver)+) xor);

        /// Replaces the value of a cell by what `f` makes of it, at once: if another thread changes it meanwhile, `f` is called
        /// again. The value before.
        ///
        /// # Errors
        /// As [`store`](Self::store).
        #[inline(always)]
        pub fn update($($receiver)+, p: impl Coord<L::Point>, f: impl FnMut(T) -> T) -> Result<T, M::Error>
        where
            T: AtomicScalar,
        {
            // SAFETY: as in `store`.
            $this.cell(p.point()).map(|cell| unsafe { T::update(cell, f) })
        }
    };
    (@ $bound:ident, $name:ident $doc:literal $this:ident ($($receiver:tt)+) $op:ident) => {
        #[doc = concat!($doc, " The value before.\n\n# Errors\nAs [`store`](Self::store).")]
        #[inline(always)]
        pub fn $name($($receiver)+, p: impl Coord<L::Point>, value: T) -> Result<T, M::Error>
        where
            T: $bound,
        {
            // SAFETY: as in `store`.
            $this.cell(p.point()).map(|cell| unsafe { T::$op(cell, value) })
        }
    };
}
pub(super) use writes;

impl<'a, L: Level, T: Element, M: Mode> Shared<'a, L, T, M> {
    /// The name it was declared with.
    pub fn name(self) -> &'static str {
        self.lane.name()
    }

    #[inline(always)]
    fn cell(self, p: L::Point) -> Result<*mut T, M::Error> {
        let Spot(at) = M::reach::<L>(Lent(self.lane.core), p, || self.lane.name())?;
        Ok(self.lane.at(&at))
    }

    writes!(self: self);

    /// The value of a cell; the background where it is inactive.
    ///
    /// # Errors
    /// If the cell is out of bounds.
    #[inline(always)]
    pub fn load(self, p: impl Coord<L::Point>) -> Result<T, OutOfBounds>
    where
        T: Atomic,
    {
        let p = p.point();
        match locate::<L>(self.lane.core, p) {
            // SAFETY: as in `store`; where no node exists, it is the background node's, which nobody writes.
            Some(at) => Ok(unsafe { T::load(self.lane.at(&at)) }),
            None => Err(self.lane.core.out_of_bounds_of::<L>(self.lane.name(), p)),
        }
    }

    /// The value of an active cell; `None` where inactive or out of bounds.
    #[inline(always)]
    pub fn get(self, p: impl Coord<L::Point>) -> Option<T>
    where
        T: Atomic,
    {
        let at = locate::<L>(self.lane.core, p.point())?;
        // SAFETY: as in `load`.
        is_active_shared::<L>(self.lane.core, &at).then(|| unsafe { T::load(self.lane.at(&at)) })
    }

    /// Whether a cell is active.
    #[inline(always)]
    pub fn is_active(self, p: impl Coord<L::Point>) -> bool {
        locate::<L>(self.lane.core, p.point()).is_some_and(|at| is_active_shared::<L>(self.lane.core, &at))
    }

    /// The same operations, remembering the path to where the last one was: for one thread.
    #[inline(always)]
    pub fn accessor(self) -> SharedAccessor<'a, L, T, M> {
        SharedAccessor::new(self)
    }

    /// [`store`](Self::store) for many cells: they are taken in batches of 32 and found before the first is written, so
    /// that misses of the caches overlap. Of a cell that comes twice the last value stays.
    ///
    /// # Errors
    /// At the first cell that cannot be written; those before it are.
    pub fn extend<P: Coord<L::Point>>(self, cells: impl IntoIterator<Item = (P, T)>) -> Result<(), M::Error>
    where
        T: Atomic,
    {
        // SAFETY: as in `store`.
        apply_all(self, cells, |cell, value| unsafe { T::store(cell, value) })
    }

    /// [`fetch_add`](Self::fetch_add) for many cells, in batches as [`extend`](Self::extend).
    ///
    /// # Errors
    /// As [`extend`](Self::extend).
    pub fn add_all<P: Coord<L::Point>>(self, cells: impl IntoIterator<Item = (P, T)>) -> Result<(), M::Error>
    where
        T: Atomic,
    {
        apply_all(self, cells, |cell, value| {
            // SAFETY: as in `store`.
            unsafe { T::add(cell, value) };
        })
    }
}

impl<L: Level, T: Atomic, M: Mode> Read<T> for Shared<'_, L, T, M> {
    type Point = L::Point;

    #[inline(always)]
    fn read(&self, p: L::Point) -> Option<T> {
        self.get(p)
    }

    #[inline(always)]
    fn read_or_background(&self, p: L::Point) -> T {
        match locate::<L>(self.lane.core, p) {
            // SAFETY: as in `load`.
            Some(at) => unsafe { T::load(self.lane.at(&at)) },
            None => self.lane.background(),
        }
    }
}
