//! Reads and writes in batches: all cells of a batch are found, and their memory asked for, before the first is
//! touched, so that misses of the caches overlap.

use super::{Field, GridFieldMut, Lane};
use crate::coord::{Coord, Point};
use crate::core::{Loc, Path, exists, is_active, locate, mask_word, prefetch};
use crate::element::Element;
use crate::layout::Level;

/// Cells found ahead: some twenty misses are in flight at once on current processors, and the batch stays in the
/// first-level cache.
const BATCH: usize = 32;

/// Where the cells of one batch are.
struct Batch {
    at: [Loc; BATCH],
    /// Bit `i`: cell `i` is out of bounds, or found to be inactive.
    without: u32,
    len: usize,
    next: usize,
}

impl Batch {
    #[inline(always)]
    fn new() -> Self {
        Batch { at: [Loc { handle: 0, outer: 0, digit: 0 }; BATCH], without: 0, len: 0, next: 0 }
    }

    /// Finds the next cells and asks for what `wanted` does.
    #[inline(always)]
    fn find<P: Point>(
        &mut self,
        points: &mut impl Iterator<Item: Coord<P>>,
        mut locate: impl FnMut(P) -> Option<Loc>,
        wanted: impl Fn(&Loc),
    ) {
        (self.len, self.next, self.without) = (0, 0, 0);
        while self.len < BATCH {
            let Some(p) = points.next() else { return };
            match locate(p.point()) {
                Some(at) => {
                    self.at[self.len] = at;
                    wanted(&at);
                }
                None => self.without |= 1 << self.len,
            }
            self.len += 1;
        }
    }

    /// Finds the next cells for [`GetMany`]: only of those that are active the values are asked for.
    #[inline(always)]
    fn find_active<L: Level, T: Element>(
        &mut self,
        lane: &Lane<'_, L, T>,
        points: &mut impl Iterator<Item: Coord<L::Point>>,
    ) {
        let core = lane.core;
        self.find(points, |p| locate::<L>(core, p), |at| prefetch(mask_word::<L>(core, at)));
        for i in 0..self.len {
            match self.get(i) {
                Some(at) if is_active::<L>(core, at) => prefetch(lane.at(at)),
                _ => self.without |= 1 << i,
            }
        }
    }

    /// Finds the next cells for [`ValueMany`].
    #[inline(always)]
    fn find_any<L: Level, T: Element>(
        &mut self,
        lane: &Lane<'_, L, T>,
        points: &mut impl Iterator<Item: Coord<L::Point>>,
    ) {
        self.find(points, |p| locate::<L>(lane.core, p), |at| prefetch(lane.at(at)));
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Option<&Loc> {
        (self.without >> i & 1 == 0).then(|| &self.at[i])
    }
}

macro_rules! many {
    ($(#[$doc:meta])* $name:ident, $item:ty, $find:ident, |$lane:ident, $at:ident| $read:expr) => {
        $(#[$doc])*
        pub struct $name<'a, L: Level, T, I> {
            lane: Lane<'a, L, T>,
            points: I,
            batch: Batch,
        }

        impl<L: Level, T, I> std::fmt::Debug for $name<'_, L, T, I> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).field("found", &(self.batch.len - self.batch.next)).finish_non_exhaustive()
            }
        }

        impl<L: Level, T: Element, I: Iterator> $name<'_, L, T, I>
        where
            I::Item: Coord<L::Point>,
        {
            #[inline(always)]
            fn read(&self, i: usize) -> $item {
                let ($lane, $at) = (&self.lane, self.batch.get(i));
                $read
            }
        }

        impl<L: Level, T: Element, I: Iterator> Iterator for $name<'_, L, T, I>
        where
            I::Item: Coord<L::Point>,
        {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                if self.batch.next == self.batch.len {
                    self.batch.$find(&self.lane, &mut self.points);
                    if self.batch.len == 0 {
                        return None;
                    }
                }
                self.batch.next += 1;
                Some(self.read(self.batch.next - 1))
            }

            #[inline]
            fn fold<B, F: FnMut(B, $item) -> B>(mut self, init: B, mut f: F) -> B {
                let mut acc = init;
                loop {
                    for i in self.batch.next..self.batch.len {
                        acc = f(acc, self.read(i));
                    }
                    self.batch.$find(&self.lane, &mut self.points);
                    if self.batch.len == 0 {
                        return acc;
                    }
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let (low, high) = self.points.size_hint();
                let found = self.batch.len - self.batch.next;
                (low.saturating_add(found), high.and_then(|n| n.checked_add(found)))
            }
        }
    };
}

many! {
    /// The answers of [`Field::get_many`].
    GetMany, Option<T>, find_active, |lane, at| {
        // SAFETY: a located cell's value lies in the field's part and is initialised; the view's borrow keeps every
        // writer of the field away.
        at.map(|at| unsafe { *lane.at(at) })
    }
}

many! {
    /// The answers of [`Field::value_many`].
    ValueMany, T, find_any, |lane, at| match at {
        // SAFETY: as in `GetMany`.
        Some(at) => unsafe { *lane.at(at) },
        None => lane.background(),
    }
}

impl<'a, L: Level, T: Element> Field<'a, L, T> {
    /// What [`get`](Self::get) says of each point, in their order: for many reads far from each other, whose misses of
    /// the caches then overlap.
    ///
    /// Takes points ahead of what it has answered, up to 32 of them.
    #[inline]
    pub fn get_many<I: IntoIterator>(&self, points: I) -> GetMany<'a, L, T, I::IntoIter>
    where
        I::Item: Coord<L::Point>,
    {
        GetMany { lane: self.lane, points: points.into_iter(), batch: Batch::new() }
    }

    /// What [`value`](Self::value) says of each point, in their order; otherwise as [`get_many`](Self::get_many).
    #[inline]
    pub fn value_many<I: IntoIterator>(&self, points: I) -> ValueMany<'a, L, T, I::IntoIter>
    where
        I::Item: Coord<L::Point>,
    {
        ValueMany { lane: self.lane, points: points.into_iter(), batch: Batch::new() }
    }
}

impl<L: Level, T: Element> GridFieldMut<'_, L, T> {
    /// Sets many cells, activating the paths to them. A cell that comes twice keeps the last value. Cells are taken in
    /// batches of 32 and found before the first is written, so that misses of the caches overlap.
    ///
    /// # Panics
    /// As [`set`](Self::set), at the first cell that is out of bounds; those before it are set.
    pub fn extend<P: Coord<L::Point>>(&mut self, cells: impl IntoIterator<Item = (P, T)>) {
        let mut cells = cells.into_iter();
        let mut batch = Batch::new();
        // What was found out before saves most look-ups below a hash level.
        let mut path = Path::<L>::new();
        let mut points = [L::Point::from_fn(|_| 0); BATCH];
        let mut values = [<T as bytemuck::Zeroable>::zeroed(); BATCH];
        loop {
            let mut n = 0;
            let taken = std::iter::from_fn(|| {
                let (p, value) = cells.next()?;
                (points[n], values[n]) = (p.point(), value);
                n += 1;
                Some(points[n - 1])
            });
            let lane = self.as_field().lane;
            let wanted = |at: &Loc| {
                prefetch(mask_word::<L>(lane.core, at));
                prefetch(lane.at(at));
            };
            batch.find(&mut { taken }, |p| path.locate_far(lane.core, p), wanted);
            for i in 0..batch.len {
                match batch.get(i) {
                    Some(at) if exists::<L>(at) => self.put(at, values[i]),
                    // Found when it did not exist; by now it may.
                    _ => {
                        self.set(points[i], values[i]);
                        path.forget_near();
                    }
                }
            }
            if batch.len < BATCH {
                return;
            }
        }
    }
}
