//! What generic kernels ask for: something that can be read, or written, at points.

use super::{Field, FieldMut, GridFieldMut, GridPackedFieldMut, PackedField, PackedFieldMut, Packing};
use crate::coord::Point;
use crate::element::Element;
use crate::layout::Level;

/// Values of type `T` at points: every view of a field, whatever its layout.
///
/// ```
/// use sparse_layout_runtime::Read;
/// fn mean3(a: &impl Read<f32, Point = [i32; 1]>, x: i32) -> f32 {
///     (a.read([x - 1]).unwrap_or(0.0) + a.read([x]).unwrap_or(0.0) + a.read([x + 1]).unwrap_or(0.0)) / 3.0
/// }
/// ```
pub trait Read<T> {
    /// Coordinates.
    type Point: Point;
    /// The value of an active cell; `None` where inactive or out of bounds.
    fn read(&self, p: Self::Point) -> Option<T>;
    /// The value of an active cell; the background elsewhere.
    fn read_or_background(&self, p: Self::Point) -> T;
}

/// Values of type `T` that can be changed.
pub trait Write<T>: Read<T> {
    /// Sets a cell and says whether that was possible: over a frozen topology only active cells can be set; a view that holds
    /// the whole grid activates, and refuses only what is out of bounds.
    fn write(&mut self, p: Self::Point, value: T) -> bool;
}

macro_rules! read {
    ($($view:ident),*) => { $(
        impl<L: Level, T: Element> Read<T> for $view<'_, L, T> {
            type Point = L::Point;

            #[inline(always)]
            fn read(&self, p: L::Point) -> Option<T> {
                self.get(p)
            }

            #[inline(always)]
            fn read_or_background(&self, p: L::Point) -> T {
                self.value(p)
            }
        }
    )* };
}
read!(Field, FieldMut, GridFieldMut);

macro_rules! read_packed {
    ($($view:ident),*) => { $(
        impl<L: Level, S: Packing> Read<S::Value> for $view<'_, L, S> {
            type Point = L::Point;

            #[inline]
            fn read(&self, p: L::Point) -> Option<S::Value> {
                self.get(p)
            }

            #[inline]
            fn read_or_background(&self, p: L::Point) -> S::Value {
                self.value(p)
            }
        }
    )* };
}
read_packed!(PackedField, PackedFieldMut, GridPackedFieldMut);

impl<T, R: Read<T> + ?Sized> Read<T> for &R {
    type Point = R::Point;

    #[inline(always)]
    fn read(&self, p: R::Point) -> Option<T> {
        (**self).read(p)
    }

    #[inline(always)]
    fn read_or_background(&self, p: R::Point) -> T {
        (**self).read_or_background(p)
    }
}

impl<L: Level, T: Element> Write<T> for FieldMut<'_, L, T> {
    #[inline]
    fn write(&mut self, p: L::Point, value: T) -> bool {
        self.get_mut(p).map(|v| *v = value).is_some()
    }
}

impl<L: Level, T: Element> Write<T> for GridFieldMut<'_, L, T> {
    #[inline]
    fn write(&mut self, p: L::Point, value: T) -> bool {
        self.try_set(p, value).is_ok()
    }
}

impl<L: Level, S: Packing> Write<S::Value> for PackedFieldMut<'_, L, S> {
    #[inline]
    fn write(&mut self, p: L::Point, value: S::Value) -> bool {
        self.modify(p, |v| *v = value).is_some()
    }
}

impl<L: Level, S: Packing> Write<S::Value> for GridPackedFieldMut<'_, L, S> {
    #[inline]
    fn write(&mut self, p: L::Point, value: S::Value) -> bool {
        self.try_set(p, value).is_ok()
    }
}
