//! From and to the `bitvec` crate: views without a copy; owned values with one.

use ::bitvec::order::Lsb0;
use ::bitvec::slice::BitSlice;
use ::bitvec::vec::BitVec;

use super::{BitField, BitPortal, BitPortalMut, BitWord};

/// Where the bits of a slice lie: address of the first storage word, offset into it, words.
fn locate(bits: &BitSlice<u64, Lsb0>) -> (*const u64, usize, usize) {
    let (address, offset) = bits.as_bitptr().raw_parts();
    let offset = usize::from(offset.into_inner());
    (address.to_const(), offset, (offset + bits.len()).div_ceil(64))
}

/// The same bits, in place.
///
/// ```
/// use bitvec::prelude::*;
/// use sparse_layout_runtime::bits::BitPortal;
///
/// let theirs = bitvec![u64, Lsb0; 0, 1, 1, 0, 1];
/// assert_eq!(BitPortal::from(&theirs[1..]).iter_runs().collect::<Vec<_>>(), [0..2, 3..4]);
/// ```
impl<'a> From<&'a BitSlice<u64, Lsb0>> for BitPortal<'a> {
    fn from(bits: &'a BitSlice<u64, Lsb0>) -> Self {
        if bits.is_empty() {
            return BitPortal::new(&[], 0, 0);
        }
        let (start, offset, count) = locate(bits);
        // SAFETY: `bits` covers `offset + len` bits from `start` on, so that these words are inside its allocation and
        // initialised. bitvec keeps `BitSlice<u64>` for memory that no other handle can write while it is borrowed: what
        // it splits mutably becomes a `BitSlice<BitSafeU64>`, a type that is not accepted here.
        let words = unsafe { core::slice::from_raw_parts(start, count) };
        BitPortal::new(words, offset, bits.len())
    }
}

/// The same bits, in place.
impl<'a> From<&'a mut BitSlice<u64, Lsb0>> for BitPortalMut<'a> {
    fn from(bits: &'a mut BitSlice<u64, Lsb0>) -> Self {
        let len = bits.len();
        if len == 0 {
            return BitPortalMut::new(&mut [], 0, 0);
        }
        let (_, offset, count) = locate(bits);
        let (start, _) = bits.as_mut_bitptr().raw_parts();
        // SAFETY: as for `BitPortal`; and a `&mut BitSlice<u64>` is the only handle to all words it touches, since the
        // parts of a mutable split have another type.
        let words = unsafe { core::slice::from_raw_parts_mut(start.to_mut(), count) };
        BitPortalMut::new(words, offset, len)
    }
}

/// Copies: whole words, at any offset.
impl From<&BitSlice<u64, Lsb0>> for BitField {
    fn from(bits: &BitSlice<u64, Lsb0>) -> Self {
        BitPortal::from(bits).to_field()
    }
}

/// Copies: a `BitVec` is freed with the alignment of `u64`, a `BitField` with that of 64 bytes, so that memory cannot
/// change hands. To work on a `BitVec` in place, take a portal of it.
impl From<BitVec<u64, Lsb0>> for BitField {
    fn from(bits: BitVec<u64, Lsb0>) -> Self {
        BitField::from(bits.as_bitslice())
    }
}

/// Copies: see the conversion from `BitVec`. To use a field as a `BitSlice` in place: [`BitField::as_bitslice`].
impl From<&BitField> for BitVec<u64, Lsb0> {
    fn from(field: &BitField) -> Self {
        let mut bits = BitVec::from_vec(field.as_words().to_vec());
        bits.truncate(field.len());
        bits
    }
}

/// Copies: see the conversion from `BitVec`.
impl From<BitField> for BitVec<u64, Lsb0> {
    fn from(field: BitField) -> Self {
        BitVec::from(&field)
    }
}

impl BitField {
    /// The same bits as a slice of `bitvec`, in place.
    pub fn as_bitslice(&self) -> &BitSlice<u64, Lsb0> {
        &BitSlice::from_slice(self.as_words())[..self.len()]
    }

    /// The same bits as an exclusive slice of `bitvec`, in place. It ends at the length, so bits past that stay 0.
    pub fn as_mut_bitslice(&mut self) -> &mut BitSlice<u64, Lsb0> {
        let len = self.len();
        let (words, _) = self.portal_mut().into_raw();
        debug_assert_eq!(words.len(), u64::words_for(len));
        &mut BitSlice::from_slice_mut(words)[..len]
    }
}
