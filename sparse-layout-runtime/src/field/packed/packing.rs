//! How values are packed.

use crate::core::word_at;
use crate::element::Element;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A way to keep values of a type in a node.
///
/// # Safety
/// `load` and `store` touch only what belongs to the cell, in a node of `cells` cells whose values begin at `node`.
pub unsafe trait Packing: Copy + Send + Sync + 'static {
    /// What a cell holds.
    type Value: Copy + Send + Sync;

    /// Whether a field of this size and these components is kept so.
    #[doc(hidden)]
    fn is_of(packing: crate::tree::Packing, size: usize) -> bool;

    /// # Safety
    /// `node` is the memory of a node with `cells` cells, `cell` is one of them, and nobody writes to it meanwhile.
    #[doc(hidden)]
    unsafe fn load(node: *mut u8, cells: u64, cell: u64) -> Self::Value;

    /// # Safety
    /// As `load`, and nobody reads it meanwhile; other cells may be written to by other threads.
    #[doc(hidden)]
    unsafe fn store(node: *mut u8, cells: u64, cell: u64, value: Self::Value);

    /// The background from its bytes.
    #[doc(hidden)]
    fn background(bytes: &[u8]) -> Self::Value;

    /// The bytes of a background.
    #[doc(hidden)]
    fn to_bytes(value: Self::Value) -> Vec<u8>;
}

/// A `bool` in one bit.
#[derive(Clone, Copy, Debug)]
pub struct Bits;

// SAFETY: a cell is one bit of a word that is only ever accessed atomically where cells may be written.
unsafe impl Packing for Bits {
    type Value = bool;

    fn is_of(packing: crate::tree::Packing, _size: usize) -> bool {
        packing == crate::tree::Packing::Bits
    }

    #[inline(always)]
    unsafe fn load(node: *mut u8, _cells: u64, cell: u64) -> bool {
        // SAFETY: the word of a bit of the node, by the caller's word.
        let word = unsafe { AtomicU64::from_ptr(word_at(node, cell)) };
        word.load(Relaxed) >> (cell & 63) & 1 != 0
    }

    #[inline(always)]
    unsafe fn store(node: *mut u8, _cells: u64, cell: u64, value: bool) {
        // SAFETY: as in `load`; other threads may change other bits of the word.
        let word = unsafe { AtomicU64::from_ptr(word_at(node, cell)) };
        let bit = 1 << (cell & 63);
        if value {
            word.fetch_or(bit, Relaxed);
        } else {
            word.fetch_and(!bit, Relaxed);
        }
    }

    fn background(bytes: &[u8]) -> bool {
        bytes[0] != 0
    }

    fn to_bytes(value: bool) -> Vec<u8> {
        vec![value.into()]
    }
}

/// An element made of equal components: `[T; N]`, the types of [`semantic`](crate::semantic), vectors of `glam` and `nalgebra`.
pub trait Components: Element {
    /// A component.
    type Component: Element;
    /// How many there are.
    const COUNT: usize;
}

impl<T: Element, const N: usize> Components for [T; N]
where
    [T; N]: Element,
{
    type Component = T;
    const COUNT: usize = N;
}

/// What `#[field(split)]` asks for: [`Components`], in words of its own and without a list of who has them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no components to split",
    label = "not made of components",
    note = "`split` is for arrays, vectors, and other types that implement `Components`"
)]
pub trait Splittable: Components {}

#[diagnostic::do_not_recommend]
impl<T: Components> Splittable for T {}

/// A value with one array per component.
pub struct Split<T>(PhantomData<fn() -> T>);

impl<T> Clone for Split<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Split<T> {}

impl<T> std::fmt::Debug for Split<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Split")
    }
}

// SAFETY: component `i` of cell `c` is element `i * cells + c` of the node's memory.
unsafe impl<T: Splittable> Packing for Split<T> {
    type Value = T;

    fn is_of(packing: crate::tree::Packing, size: usize) -> bool {
        const {
            assert!(T::COUNT * size_of::<T::Component>() == size_of::<T>(), "a value consists of its components");
            assert!(align_of::<T::Component>() <= align_of::<T>(), "a component is aligned as the value is, or less");
        }
        packing == crate::tree::Packing::Split(T::COUNT) && size == size_of::<T>()
    }

    #[inline(always)]
    unsafe fn load(node: *mut u8, cells: u64, cell: u64) -> T {
        let mut value = T::zeroed();
        let components: &mut [T::Component] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut value));
        for (i, component) in components.iter_mut().enumerate() {
            let at = node.cast::<T::Component>().wrapping_add(i * cells as usize + cell as usize);
            // SAFETY: component `i` of the cell, by the caller's word.
            *component = unsafe { *at };
        }
        value
    }

    #[inline(always)]
    unsafe fn store(node: *mut u8, cells: u64, cell: u64, value: T) {
        let components: &[T::Component] = bytemuck::cast_slice(std::slice::from_ref(&value));
        for (i, component) in components.iter().enumerate() {
            let at = node.cast::<T::Component>().wrapping_add(i * cells as usize + cell as usize);
            // SAFETY: as in `load`.
            unsafe { *at = *component };
        }
    }

    fn background(bytes: &[u8]) -> T {
        bytemuck::pod_read_unaligned(bytes)
    }

    fn to_bytes(value: T) -> Vec<u8> {
        bytemuck::bytes_of(&value).to_vec()
    }
}
