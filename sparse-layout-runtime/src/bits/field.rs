//! The owned field of bits.

use core::fmt;

use super::{BitPortal, BitPortalMut, BitWord, Bits, BitsMut};

/// Eight words: the unit of alignment and of rounding.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Block([u64; 8]);

const BLOCK_BITS: usize = 512;
const ZERO: Block = Block([0; 8]);

/// An owned field of bits, all zero at first.
///
/// The memory is aligned to 64 bytes and rounded up to 64 bytes, so that the widest loads never touch anything else. Bits
/// past the length are 0 after every operation. It has all methods of [`BitPortal`] and [`BitPortalMut`]; equality is by
/// value.
///
/// ```
/// use sparse_layout_runtime::bits::BitField;
///
/// let mut a = BitField::new(100);
/// a.fill_range(3..77, true);
/// assert_eq!(a.count_ones(), 74);
/// a.set(99, true);
/// assert_eq!(a.iter_runs().collect::<Vec<_>>(), [3..77, 99..100]);
///
/// let mut b = BitField::new(100);
/// b.fill_word(0b0101_u8);
/// b.and_assign(&a)?;
/// assert_eq!(b.set_indices::<u32>()[..3], [8, 10, 16]);
///
/// // Many threads at once:
/// let shared = a.atomic();
/// std::thread::scope(|s| {
///     s.spawn(move || shared.set(0, true));
///     s.spawn(move || shared.set(1, true));
/// });
/// assert_eq!(a.first_set(), Some(0));
/// # Ok::<(), sparse_layout_runtime::bits::LengthMismatch>(())
/// ```
#[derive(Clone, Default)]
pub struct BitField {
    /// Invariant: exactly the blocks that hold `len` bits; bits past `len` are 0.
    blocks: Vec<Block>,
    len: usize,
}

impl BitField {
    /// `len` zeros.
    pub fn new(len: usize) -> Self {
        Self { blocks: vec![ZERO; len.div_ceil(BLOCK_BITS)], len }
    }

    /// `len` times `bit`.
    pub fn filled(len: usize, bit: bool) -> Self {
        let mut field = Self::new(len);
        field.fill(bit);
        field
    }

    /// A copy of the first `len` bits of `words`.
    ///
    /// # Panics
    /// If `words` does not hold `len` bits.
    #[track_caller]
    pub fn from_words(words: &[u64], len: usize) -> Self {
        BitPortal::new(words, 0, len).to_field()
    }

    /// `len` bits, of which those at `indices` are set; they may come in any order and repeat.
    ///
    /// # Panics
    /// If an index is not below `len`.
    #[track_caller]
    pub fn from_indices(len: usize, indices: impl IntoIterator<Item = usize>) -> Self {
        let mut field = Self::new(len);
        for index in indices {
            field.set(index, true);
        }
        field
    }

    /// Makes it `len` bits long: shortens it, or appends bits of value `bit`. The rest of the bits stay.
    pub fn resize(&mut self, len: usize, bit: bool) {
        let old = self.len;
        self.blocks.resize(len.div_ceil(BLOCK_BITS), ZERO);
        if len < old {
            // What is cut off must read as zero when the field grows again.
            let kept = self.blocks.len() * BLOCK_BITS;
            self.len = kept;
            self.fill_range(len..kept.min(old), false);
        }
        self.len = len;
        if bit && len > old {
            self.fill_range(old.., true);
        }
    }

    /// Removes all bits and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// Appends one bit; amortised constant time.
    #[inline]
    pub fn push(&mut self, bit: bool) {
        if self.len == self.blocks.len() * BLOCK_BITS {
            self.blocks.push(ZERO);
        }
        let index = self.len;
        self.len += 1;
        if bit {
            self.set(index, true);
        }
    }

    /// Appends the low `bits` (at most 64) bits of `word`.
    pub(super) fn push_word(&mut self, word: u64, bits: u32) {
        if bits == 0 {
            return;
        }
        let start = self.len;
        self.len += bits as usize;
        if self.len > self.blocks.len() * BLOCK_BITS {
            self.blocks.push(ZERO);
        }
        self.portal_mut().write(start, bits, word);
    }

    /// Reserves memory for `bits` more bits.
    pub fn reserve(&mut self, bits: usize) {
        self.blocks.reserve((self.len + bits).div_ceil(BLOCK_BITS) - self.blocks.len());
    }

    /// All bits, for reading.
    #[inline]
    pub fn portal(&self) -> BitPortal<'_> {
        BitPortal::new(self.storage(), 0, self.len)
    }

    /// All bits, for exclusive reading and writing.
    #[inline]
    pub fn portal_mut(&mut self) -> BitPortalMut<'_> {
        let len = self.len;
        BitPortalMut::new(self.storage_mut(), 0, len)
    }

    /// The words that hold the bits; bits past the length are 0.
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        &self.storage()[..u64::words_for(self.len)]
    }

    /// All words of the memory: a multiple of eight, aligned to 64 bytes, with zeros past the length.
    #[inline]
    pub fn storage(&self) -> &[u64] {
        // SAFETY: a `Block` is eight u64 without padding (repr(C), 64 bytes), so that the vector's initialised blocks
        // are 8 times as many words; the borrow of `self` keeps them.
        unsafe { core::slice::from_raw_parts(self.blocks.as_ptr().cast(), self.blocks.len() * 8) }
    }

    /// Not public: callers could set bits past the length.
    #[inline]
    fn storage_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `storage`; the exclusive borrow of `self` makes these the only references.
        unsafe { core::slice::from_raw_parts_mut(self.blocks.as_mut_ptr().cast(), self.blocks.len() * 8) }
    }

    /// Checks the structure's own invariants.
    ///
    /// # Panics
    /// If one does not hold: a bug in this crate.
    #[doc(hidden)]
    pub fn internal_validate(&self) {
        assert_eq!(self.blocks.len(), self.len.div_ceil(BLOCK_BITS), "blocks for {} bits", self.len);
        assert!(self.storage().as_ptr().cast::<Block>().is_aligned());
        let last = self.len / 64;
        for (word, bits) in self.storage().iter().enumerate().skip(last) {
            let allowed = if word == last { u64::low_mask((self.len % 64) as u32) } else { 0 };
            assert_eq!(bits & !allowed, 0, "bits past the length are set in word {word}");
        }
        self.portal().internal_validate();
    }
}

impl Bits for BitField {
    #[inline]
    fn portal(&self) -> BitPortal<'_> {
        BitField::portal(self)
    }
}

impl BitsMut for BitField {
    #[inline]
    fn portal_mut(&mut self) -> BitPortalMut<'_> {
        BitField::portal_mut(self)
    }
}

/// By value: the same length and the same bits.
impl<T: Bits> PartialEq<T> for BitField {
    fn eq(&self, other: &T) -> bool {
        self.portal().same_bits(other.portal())
    }
}

impl Eq for BitField {}

/// A summary, never the bits.
impl fmt::Debug for BitField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitField").field("len", &self.len).field("ones", &self.count_ones()).finish()
    }
}
