//! Memory for nodes: reserved address space, cut into parts, handed out by handle.
//!
//! See the crate's README for how parts, handles and kinds of node belong together.

pub(crate) mod arena;
pub(crate) mod directory;
pub(crate) mod handles;
pub(crate) mod masks;
pub(crate) mod pages;
pub(crate) mod places;
pub(crate) mod pool;
mod publish;
mod spares;
mod table;

pub(crate) use arena::Arena;
pub use arena::Part;
pub use handles::{Handles, Source};
pub use pool::Pool;
pub use publish::{Published, publish};

mod sealed {
    /// Only arrays: a foreign type could give out the memory of another grid.
    pub trait Sealed {}
    impl<T, const N: usize> Sealed for [T; N] {}
}

/// Arrays of any fixed length: what a layout names as the memory of its grids.
pub trait Array<T>: sealed::Sealed + Send + Sync + 'static {
    /// Its length.
    const LEN: usize;
    /// As a slice.
    fn as_slice(&self) -> &[T];
    /// As a slice.
    fn as_mut_slice(&mut self) -> &mut [T];
    /// The array of `f(0)`, `f(1)`, ….
    fn from_fn(f: impl FnMut(usize) -> T) -> Self;
}

impl<T: Send + Sync + 'static, const N: usize> Array<T> for [T; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn as_slice(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [T] {
        self
    }

    fn from_fn(f: impl FnMut(usize) -> T) -> Self {
        std::array::from_fn(f)
    }
}
