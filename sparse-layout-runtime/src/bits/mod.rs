//! Fields of bits, and portals through which bits and words of any width are read, written and shared.
//!
//! | type | what | threads |
//! | --- | --- | --- |
//! | [`BitField`] | owned, 64-byte aligned, zero past its length | `&` reads, `&mut` writes |
//! | [`BitPortal`] | read-only view of any range of bits | any number |
//! | [`BitPortalMut`] | exclusive view of any range of bits | one |
//! | [`AtomicBitPortal`] | shared view: each access is atomic | any number |
//! | [`RankIndex`] | rank and select by look-up | any number |
//!
//! Words are chosen at access: `portal.word::<u16>(i)`, for every [`BitWord`]. Operations on whole fields take any
//! [`Bits`] and write to any [`BitsMut`], use the vector instructions that the running processor has, and run on rayon's
//! threads when the field is large; lengths that differ are a [`LengthMismatch`]. An index out of range panics with the
//! index and the length; the `checked_` forms return `None`.

mod atomic;
mod atomic_ops;
#[cfg(all(feature = "bitvec", target_pointer_width = "64"))]
mod bitvec;
mod collect;
mod error;
mod field;
mod forward;
mod indices;
mod kernel;
mod ones;
mod order;
mod portal;
mod portal_mut;
mod query;
mod rank;
mod runs;
mod slot;
mod span;
mod whole;
mod word;

pub use atomic::AtomicBitPortal;
pub use error::LengthMismatch;
pub use field::BitField;
pub use kernel::BitIndex;
pub use ones::{Iter, Ones, ParOnes};
pub use order::{MemoryOrder, Ordered, Relaxed};
pub use portal::BitPortal;
pub use portal_mut::BitPortalMut;
pub use rank::RankIndex;
pub use runs::{ParRuns, Runs};
pub use word::{AtomicBitWord, BitWord, PreferredWord};

/// Whatever can be read as bits: the operand of whole-field operations.
pub trait Bits {
    /// All bits, for reading.
    fn portal(&self) -> BitPortal<'_>;
}

/// Whatever can be written as bits: the result of whole-field operations.
pub trait BitsMut: Bits {
    /// All bits, for exclusive reading and writing.
    fn portal_mut(&mut self) -> BitPortalMut<'_>;
}
