//! Elements that many threads may change at once.

use crate::element::Element;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// Elements with atomic operations: integers of up to 64 bits, `f32`, `f64`, `half::f16` (feature `half`), and arrays of
/// them.
///
/// Each scalar is read and written by one access of its own width, never through a wider word. Integers use the
/// processor's operations, floats a compare-exchange loop. An **array** is changed component by component: no
/// component is lost or torn, but who reads it meanwhile may see some components before a change and others after it.
///
/// **Memory order**: `Relaxed`. Threads that change one scalar agree on the order of its values, and nothing is said about
/// other memory: values are what is exchanged in this phase, not signals. What the threads wrote is seen when they
/// have been joined (the end of a scope or of a parallel loop).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations",
    label = "many threads cannot change this element at once",
    note = "integers of up to 64 bits, `f32`, `f64`, `half::f16` and arrays of them can be changed by many threads at once",
    note = "keep each part of a struct in a field of its own, or use a struct-for, which hands each cell to one thread"
)]
pub trait Atomic: Element + Sealed {
    /// # Safety
    /// `p` is aligned and valid, and accessed atomically alone meanwhile, by accesses of this type. So for all that follow.
    #[doc(hidden)]
    unsafe fn load(p: *mut Self) -> Self;
    /// # Safety
    /// As `load`.
    #[doc(hidden)]
    unsafe fn store(p: *mut Self, value: Self);
    /// # Safety
    /// As `load`.
    #[doc(hidden)]
    unsafe fn swap(p: *mut Self, value: Self) -> Self;
    /// # Safety
    /// As `load`.
    #[doc(hidden)]
    unsafe fn add(p: *mut Self, value: Self) -> Self;
    /// # Safety
    /// As `load`.
    #[doc(hidden)]
    unsafe fn sub(p: *mut Self, value: Self) -> Self;
    /// # Safety
    /// As `load`.
    #[doc(hidden)]
    unsafe fn min(p: *mut Self, value: Self) -> Self;
    /// # Safety
    /// As `load`.
    #[doc(hidden)]
    unsafe fn max(p: *mut Self, value: Self) -> Self;
}

/// Elements with atomic bit operations: integers of up to 64 bits, and arrays of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic bit operations",
    note = "`fetch_and`, `fetch_or` and `fetch_xor` are for integers of up to 64 bits and arrays of them"
)]
pub trait AtomicBits: Atomic {
    /// # Safety
    /// As `Atomic::load`.
    #[doc(hidden)]
    unsafe fn and(p: *mut Self, value: Self) -> Self;
    /// # Safety
    /// As `Atomic::load`.
    #[doc(hidden)]
    unsafe fn or(p: *mut Self, value: Self) -> Self;
    /// # Safety
    /// As `Atomic::load`.
    #[doc(hidden)]
    unsafe fn xor(p: *mut Self, value: Self) -> Self;
}

/// Elements that are one atomic scalar, so that a whole value can be exchanged at once: those of [`Atomic`] but arrays.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be exchanged at once",
    note = "`update` is for integers of up to 64 bits, `f32`, `f64` and `half::f16`; arrays are changed component by component: `fetch_add`, `store`"
)]
pub trait AtomicScalar: Atomic {
    /// Replaces the value by what `f` makes of it; `f` is called again if another thread was faster. The value before.
    ///
    /// # Safety
    /// As `Atomic::load`.
    #[doc(hidden)]
    unsafe fn update(p: *mut Self, f: impl FnMut(Self) -> Self) -> Self;
}

macro_rules! integers {
    ($($t:ty: $a:ty),*) => { $(
        const _: () = assert!(
            align_of::<$t>() == align_of::<$a>(),
            "the processor's atomics are aligned to more than the element"
        );

        impl Sealed for $t {}

        impl Atomic for $t {
            integers!(@ $t, $a; load() load, swap(value) swap, add(value) fetch_add, sub(value) fetch_sub, min(value) fetch_min, max(value) fetch_max);

            #[inline(always)]
            unsafe fn store(p: *mut Self, value: Self) {
                // SAFETY: as promised; the alignment is asserted above.
                unsafe { <$a>::from_ptr(p) }.store(value, Relaxed);
            }
        }

        impl AtomicBits for $t {
            integers!(@ $t, $a; and(value) fetch_and, or(value) fetch_or, xor(value) fetch_xor);
        }

        impl AtomicScalar for $t {
            #[inline(always)]
            unsafe fn update(p: *mut Self, mut f: impl FnMut(Self) -> Self) -> Self {
                // SAFETY: as in `store`.
                let cell = unsafe { <$a>::from_ptr(p) };
                let mut seen = cell.load(Relaxed);
                loop {
                    match cell.compare_exchange_weak(seen, f(seen), Relaxed, Relaxed) {
                        Ok(old) => return old,
                        Err(now) => seen = now,
                    }
                }
            }
        }
    )* };
    (@ $t:ty, $a:ty; $($name:ident($($value:ident)?) $method:ident),*) => { $(
        #[inline(always)]
        unsafe fn $name(p: *mut Self $(, $value: Self)?) -> Self {
            // SAFETY: as promised; the alignment is asserted.
            unsafe { <$a>::from_ptr(p) }.$method($($value,)? Relaxed)
        }
    )* };
}
integers!(
    u8: AtomicU8, u16: AtomicU16, u32: AtomicU32, usize: AtomicUsize, i8: AtomicI8, i16: AtomicI16, i32: AtomicI32,
    isize: AtomicIsize
);
#[cfg(target_pointer_width = "64")]
integers!(u64: AtomicU64, i64: AtomicI64);

macro_rules! floats {
    ($($t:ty: $bits:ty, $add:expr, $sub:expr, $min:expr, $max:expr);*) => { $(
        impl Sealed for $t {}

        impl Atomic for $t {
            #[inline(always)]
            unsafe fn load(p: *mut Self) -> Self {
                // SAFETY: as promised; a float is aligned as the integer of its size, which is asserted for integers.
                <$t>::from_bits(unsafe { <$bits as Atomic>::load(p.cast()) })
            }

            #[inline(always)]
            unsafe fn store(p: *mut Self, value: Self) {
                // SAFETY: as in `load`.
                unsafe { <$bits as Atomic>::store(p.cast(), value.to_bits()) };
            }

            #[inline(always)]
            unsafe fn swap(p: *mut Self, value: Self) -> Self {
                // SAFETY: as in `load`.
                <$t>::from_bits(unsafe { <$bits as Atomic>::swap(p.cast(), value.to_bits()) })
            }

            floats!(@ $t; add $add, sub $sub, min $min, max $max);
        }

        impl AtomicScalar for $t {
            #[inline(always)]
            unsafe fn update(p: *mut Self, mut f: impl FnMut(Self) -> Self) -> Self {
                // Bits are compared, so that a NaN equals itself.
                let f = |bits| f(<$t>::from_bits(bits)).to_bits();
                // SAFETY: as in `load`.
                <$t>::from_bits(unsafe { <$bits as AtomicScalar>::update(p.cast(), f) })
            }
        }
    )* };
    (@ $t:ty; $($name:ident $f:expr),*) => { $(
        #[inline(always)]
        unsafe fn $name(p: *mut Self, value: Self) -> Self {
            // SAFETY: as promised.
            unsafe { <$t as AtomicScalar>::update(p, |old| $f(old, value)) }
        }
    )* };
}
floats!(f32: u32, |a, b| a + b, |a, b| a - b, f32::min, f32::max);
#[cfg(target_pointer_width = "64")]
floats!(f64: u64, |a, b| a + b, |a, b| a - b, f64::min, f64::max);
#[cfg(feature = "half")]
floats!(half::f16: u16, |a, b| a + b, |a, b| a - b, half::f16::min, half::f16::max);

impl<T: Sealed, const N: usize> Sealed for [T; N] {}

macro_rules! arrays {
    ($($name:ident($($value:ident)?)),*) => { $(
        #[inline(always)]
        unsafe fn $name(p: *mut Self $(, $value: Self)?) -> Self {
            // SAFETY: component `i` of the array, as promised of the whole.
            std::array::from_fn(|i| unsafe { T::$name(p.cast::<T>().add(i) $(, $value[i])?) })
        }
    )* };
}

impl<T: Atomic, const N: usize> Atomic for [T; N]
where
    [T; N]: Element,
{
    arrays!(load(), swap(value), add(value), sub(value), min(value), max(value));

    #[inline(always)]
    unsafe fn store(p: *mut Self, value: Self) {
        for (i, component) in value.into_iter().enumerate() {
            // SAFETY: component `i` of the array, as promised of the whole.
            unsafe { T::store(p.cast::<T>().add(i), component) };
        }
    }
}

impl<T: AtomicBits, const N: usize> AtomicBits for [T; N]
where
    [T; N]: Element,
{
    arrays!(and(value), or(value), xor(value));
}
