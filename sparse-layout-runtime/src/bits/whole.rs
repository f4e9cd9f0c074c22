//! Whole-field operations: fill, copy, and, or, xor, not; in place and into another.

use core::ops::RangeBounds;

use super::error::{LengthMismatch, checked_range, range_or_panic};
use super::kernel::{self, And, AndNot, Op, Or, Source, Xor};
use super::{BitPortal, BitPortalMut, BitWord, Bits, BitsMut};

impl BitPortalMut<'_> {
    /// Sets every bit to `bit`.
    pub fn fill(&mut self, bit: bool) {
        self.fill_word(if bit { u64::MAX } else { 0 });
    }

    /// Repeats `word` over the view: bit `i` becomes bit `i % W::BITS` of it.
    ///
    /// ```
    /// use sparse_layout_runtime::bits::BitField;
    ///
    /// let mut field = BitField::new(20);
    /// field.fill_word(0xa6_u8);
    /// assert_eq!(field.word::<u32>(0), 0x6a6a6);
    /// ```
    pub fn fill_word<W: BitWord>(&mut self, word: W) {
        let mut pattern = 0_u128;
        let (low, high) = word.halves();
        for copy in 0..128 / W::BITS {
            pattern |= (u128::from(high) << 64 | u128::from(low)) << (copy * W::BITS);
        }
        let (_, span) = self.raw_mut();
        let (head, body) = span.head_and_body();
        if head > 0 {
            self.write(0, head as u32, pattern as u64);
        }
        let pattern = pattern.rotate_right(head as u32);
        let skip = usize::from(head > 0);
        kernel::fill(&mut self.raw_mut().0[skip..skip + body], pattern as u64, (pattern >> 64) as u64);
        let rest = span.len - head - body * 64;
        if rest > 0 {
            let pattern = pattern.rotate_right((body as u32 % 2) * 64);
            self.write(span.len - rest, rest as u32, pattern as u64);
        }
    }

    /// Sets the bits of `range` to `bit`.
    ///
    /// # Panics
    /// If the range leaves `0..len`.
    #[track_caller]
    pub fn fill_range(&mut self, range: impl RangeBounds<usize>, bit: bool) {
        self.slice_mut(range).fill(bit);
    }

    /// Repeats `word` over `range`, starting with its bit 0 at the start of the range.
    ///
    /// # Panics
    /// If the range leaves `0..len`.
    #[track_caller]
    pub fn fill_range_word<W: BitWord>(&mut self, range: impl RangeBounds<usize>, word: W) {
        self.slice_mut(range).fill_word(word);
    }

    /// As [`fill_range`](Self::fill_range), but `None`, without effect, if the range leaves `0..len`.
    #[must_use = "None says that nothing was filled"]
    pub fn checked_fill_range(&mut self, range: impl RangeBounds<usize>, bit: bool) -> Option<()> {
        self.checked_slice_mut(range)?.fill(bit);
        Some(())
    }

    /// Takes over the bits of `other`.
    ///
    /// # Errors
    /// If the lengths differ; then nothing is changed.
    pub fn copy_from(&mut self, other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch> {
        let other = other.portal();
        LengthMismatch::check(self.len(), other.len())?;
        self.copy_words_from(other);
        Ok(())
    }

    /// Inverts every bit.
    pub fn not_assign(&mut self) {
        let (words, span) = self.raw_mut();
        let (head, body) = span.head_and_body();
        let skip = usize::from(head > 0);
        kernel::not(&mut words[skip..skip + body]);
        if head > 0 {
            words[0] ^= span.mask(0);
        }
        if skip + body < words.len() {
            words[skip + body] ^= span.mask(skip + body);
        }
    }

    /// `self &= other`, at memory speed, in parallel on large views; aligned alike or not.
    ///
    /// # Errors
    /// If the lengths differ; then nothing is changed.
    pub fn and_assign(&mut self, other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch> {
        self.assign::<And>(other.portal())
    }

    /// `self |= other`; otherwise as [`and_assign`](Self::and_assign).
    ///
    /// # Errors
    /// If the lengths differ; then nothing is changed.
    pub fn or_assign(&mut self, other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch> {
        self.assign::<Or>(other.portal())
    }

    /// `self ^= other`; otherwise as [`and_assign`](Self::and_assign).
    ///
    /// # Errors
    /// If the lengths differ; then nothing is changed.
    pub fn xor_assign(&mut self, other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch> {
        self.assign::<Xor>(other.portal())
    }

    /// `self &= !other`, the difference of sets; otherwise as [`and_assign`](Self::and_assign).
    ///
    /// # Errors
    /// If the lengths differ; then nothing is changed.
    pub fn and_not_assign(&mut self, other: &(impl Bits + ?Sized)) -> Result<(), LengthMismatch> {
        self.assign::<AndNot>(other.portal())
    }

    fn assign<O: Op>(&mut self, other: BitPortal<'_>) -> Result<(), LengthMismatch> {
        LengthMismatch::check(self.len(), other.len())?;
        self.edges(|this, at, bits| O::apply(this.portal().read(at, bits), other.read(at, bits)));
        let (out, head) = self.body();
        kernel::assign::<O>(out, source(other, head, out.len()));
        Ok(())
    }

    fn assign_from<O: Op>(&mut self, a: BitPortal<'_>, b: BitPortal<'_>) -> Result<(), LengthMismatch> {
        LengthMismatch::check(a.len(), b.len())?;
        LengthMismatch::check(self.len(), a.len())?;
        self.edges(|_, at, bits| O::apply(a.read(at, bits), b.read(at, bits)));
        let (out, head) = self.body();
        let count = out.len();
        kernel::into::<O>(out, source(a, head, count), source(b, head, count));
        Ok(())
    }

    /// Takes over bits of the same number.
    pub(super) fn copy_words_from(&mut self, other: BitPortal<'_>) {
        self.copy_flipped(other, 0);
    }

    fn copy_flipped(&mut self, other: BitPortal<'_>, flip: u64) {
        debug_assert_eq!(self.len(), other.len());
        self.edges(|_, at, bits| other.read(at, bits) ^ flip);
        let (out, head) = self.body();
        kernel::copy(out, source(other, head, out.len()), flip);
    }

    /// Rewrites the bits before and behind the whole words by a function of (self, first bit, number of bits).
    fn edges(&mut self, value: impl Fn(&Self, usize, u32) -> u64) {
        let (_, span) = self.raw_mut();
        let (head, body) = span.head_and_body();
        let tail = head + body * 64;
        for (at, bits) in [(0, head), (tail, span.len - tail)] {
            if bits > 0 {
                let value = value(self, at, bits as u32);
                self.write(at, bits as u32, value);
            }
        }
    }

    /// The whole words, and the number of bits before them.
    fn body(&mut self) -> (&mut [u64], usize) {
        let (words, span) = self.raw_mut();
        let (head, body) = span.head_and_body();
        let skip = usize::from(head > 0);
        (&mut words[skip..skip + body], head)
    }
}

/// `count` words of `bits` from its bit `at` on.
fn source(bits: BitPortal<'_>, at: usize, count: usize) -> Source<'_> {
    let (words, span) = bits.raw();
    Source::new(words, span.offset + at, count)
}

macro_rules! into {
    ($($name:ident, $op:ident, $what:literal;)*) => {
        impl BitPortal<'_> {$(
            #[doc = concat!("`out = ", $what, "`, without allocating; what `out` held does not matter.")]
            ///
            /// # Errors
            /// If the lengths of the three differ; then nothing is changed.
            pub fn $name(
                self,
                other: &(impl Bits + ?Sized),
                out: &mut (impl BitsMut + ?Sized),
            ) -> Result<(), LengthMismatch> {
                out.portal_mut().assign_from::<$op>(self, other.portal())
            }
        )*}
    };
}

into! {
    and_into, And, "self & other";
    or_into, Or, "self | other";
    xor_into, Xor, "self ^ other";
    and_not_into, AndNot, "self & !other";
}

impl BitPortal<'_> {
    /// `out = !self`, without allocating.
    ///
    /// # Errors
    /// If the lengths differ; then nothing is changed.
    pub fn not_into(self, out: &mut (impl BitsMut + ?Sized)) -> Result<(), LengthMismatch> {
        let mut out = out.portal_mut();
        LengthMismatch::check(out.len(), self.len())?;
        out.copy_flipped(self, !0);
        Ok(())
    }

    /// Number of set bits in `range`.
    ///
    /// # Panics
    /// If the range leaves `0..len`.
    #[track_caller]
    pub fn count_ones_in(self, range: impl RangeBounds<usize>) -> usize {
        let (start, len) = range_or_panic(range, self.len());
        self.slice(start..start + len).count_ones()
    }

    /// As [`count_ones_in`](Self::count_ones_in), but `None` if the range leaves `0..len`.
    pub fn checked_count_ones_in(self, range: impl RangeBounds<usize>) -> Option<usize> {
        let (start, len) = checked_range(range, self.len())?;
        Some(self.slice(start..start + len).count_ones())
    }
}
