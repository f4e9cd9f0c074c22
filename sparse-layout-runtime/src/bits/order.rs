//! Memory orders of the shared portal, chosen by type.

use core::fmt::Debug;
use core::sync::atomic::Ordering;

mod sealed {
    pub trait Sealed {}
}

/// The memory orders that a shared portal uses: [`Ordered`] or [`Relaxed`].
pub trait MemoryOrder: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// Of reads.
    const LOAD: Ordering;
    /// Of writes that return nothing.
    const STORE: Ordering;
    /// Of everything that reads and writes, `compare_exchange` that succeeds included.
    const MODIFY: Ordering;
    /// Of `compare_exchange` that fails.
    const FAIL: Ordering;
}

/// Reads acquire, writes release, read-modify-writes are sequentially consistent: the default.
#[derive(Clone, Copy, Debug)]
pub enum Ordered {}

/// Each access is atomic, and nothing is ordered around it: for counting and marking before a join.
#[derive(Clone, Copy, Debug)]
pub enum Relaxed {}

impl sealed::Sealed for Ordered {}
impl sealed::Sealed for Relaxed {}

impl MemoryOrder for Ordered {
    const LOAD: Ordering = Ordering::Acquire;
    const STORE: Ordering = Ordering::Release;
    const MODIFY: Ordering = Ordering::SeqCst;
    const FAIL: Ordering = Ordering::SeqCst;
}

impl MemoryOrder for Relaxed {
    const LOAD: Ordering = Ordering::Relaxed;
    const STORE: Ordering = Ordering::Relaxed;
    const MODIFY: Ordering = Ordering::Relaxed;
    const FAIL: Ordering = Ordering::Relaxed;
}
