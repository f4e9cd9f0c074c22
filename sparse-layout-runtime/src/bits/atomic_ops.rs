//! The operations of the shared portal on bits and on words.

use super::{AtomicBitPortal, AtomicBitWord, MemoryOrder};

#[inline]
fn word<W: AtomicBitWord>(value: u64) -> W {
    W::from_halves(value, 0)
}

#[inline]
fn value<W: AtomicBitWord>(word: W) -> u64 {
    word.halves().0
}

/// For each operation: on a bit, on a word, and both `checked_`.
macro_rules! operations {
    ($(
        $(#[doc = $what:literal])*
        $bit:ident $checked_bit:ident / $word:ident $checked_word:ident ($($arg:ident),*) = $call:ident;
    )*) => {
        impl<O: MemoryOrder> AtomicBitPortal<'_, O> {$(
            $(#[doc = $what])*
            /// Acts on bit `index` and returns the old bit.
            ///
            /// # Panics
            /// If `index >= len`.
            #[inline]
            #[track_caller]
            pub fn $bit(self, index: usize, $($arg: bool),*) -> bool {
                self.bit(index).$call($(u64::from($arg)),*) != 0
            }

            $(#[doc = $what])*
            /// Acts on bit `index` and returns the old bit; `None`, without effect, if `index >= len`.
            #[inline]
            pub fn $checked_bit(self, index: usize, $($arg: bool),*) -> Option<bool> {
                Some(self.checked_bit(index)?.$call($(u64::from($arg)),*) != 0)
            }

            $(#[doc = $what])*
            /// Acts on word `index` and returns the old word; bits past the end are dropped.
            ///
            /// # Panics
            /// If there is no word `index`, or if words of this width cross storage words
            /// ([`has_words`](Self::has_words)).
            #[inline]
            #[track_caller]
            pub fn $word<W: AtomicBitWord>(self, index: usize, $($arg: W),*) -> W {
                word(self.slot::<W>(index).$call($(value($arg)),*))
            }

            $(#[doc = $what])*
            /// Acts on word `index` and returns the old word; bits past the end are dropped. `None`, without effect,
            /// if there is no word `index`, or if words of this width cross storage words
            /// ([`has_words`](Self::has_words)).
            #[inline]
            pub fn $checked_word<W: AtomicBitWord>(self, index: usize, $($arg: W),*) -> Option<W> {
                Some(word(self.checked_slot::<W>(index)?.$call($(value($arg)),*)))
            }
        )*}
    };
}

operations! {
    /// Replaces by `with`.
    swap checked_swap / swap_word checked_swap_word (with) = swap;
    /// Ands `with` into it.
    fetch_and checked_fetch_and / fetch_and_word checked_fetch_and_word (with) = fetch_and;
    /// Ors `with` into it.
    fetch_or checked_fetch_or / fetch_or_word checked_fetch_or_word (with) = fetch_or;
    /// Xors `with` into it.
    fetch_xor checked_fetch_xor / fetch_xor_word checked_fetch_xor_word (with) = fetch_xor;
    /// Inverts it.
    fetch_not checked_fetch_not / fetch_not_word checked_fetch_not_word () = fetch_not;
}

impl<O: MemoryOrder> AtomicBitPortal<'_, O> {
    /// Bit `index`.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn get(self, index: usize) -> bool {
        self.bit(index).load() != 0
    }

    /// Bit `index`, or `None` if `index >= len`.
    #[inline]
    pub fn checked_get(self, index: usize) -> Option<bool> {
        Some(self.checked_bit(index)?.load() != 0)
    }

    /// Sets bit `index` to `bit`.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn set(self, index: usize, bit: bool) {
        self.bit(index).store(u64::from(bit));
    }

    /// As [`set`](Self::set), but `None`, without effect, if `index >= len`.
    #[inline]
    #[must_use = "None says that nothing was set"]
    pub fn checked_set(self, index: usize, bit: bool) -> Option<()> {
        self.checked_bit(index)?.store(u64::from(bit));
        Some(())
    }

    /// Sets bit `index` to `new` if it is `current`: `Ok` with the old bit if it was, `Err` with it if not.
    ///
    /// # Panics
    /// If `index >= len`.
    #[inline]
    #[track_caller]
    pub fn compare_exchange(self, index: usize, current: bool, new: bool) -> Result<bool, bool> {
        bit_result(self.bit(index).compare_exchange(u64::from(current), u64::from(new)))
    }

    /// As [`compare_exchange`](Self::compare_exchange), but `None`, without effect, if `index >= len`.
    #[inline]
    pub fn checked_compare_exchange(self, index: usize, current: bool, new: bool) -> Option<Result<bool, bool>> {
        Some(bit_result(self.checked_bit(index)?.compare_exchange(u64::from(current), u64::from(new))))
    }

    /// Word `index`; bits past the end are 0.
    ///
    /// # Panics
    /// If there is no word `index`, or if words of this width cross storage words ([`has_words`](Self::has_words)).
    #[inline]
    #[track_caller]
    pub fn word<W: AtomicBitWord>(self, index: usize) -> W {
        word(self.slot::<W>(index).load())
    }

    /// As [`word`](Self::word), but `None` where that panics.
    #[inline]
    pub fn checked_word<W: AtomicBitWord>(self, index: usize) -> Option<W> {
        Some(word(self.checked_slot::<W>(index)?.load()))
    }

    /// Replaces word `index`; bits past the end are dropped.
    ///
    /// # Panics
    /// If there is no word `index`, or if words of this width cross storage words ([`has_words`](Self::has_words)).
    #[inline]
    #[track_caller]
    pub fn set_word<W: AtomicBitWord>(self, index: usize, word: W) {
        self.slot::<W>(index).store(value(word));
    }

    /// As [`set_word`](Self::set_word), but `None`, without effect, where that panics.
    #[inline]
    #[must_use = "None says that nothing was set"]
    pub fn checked_set_word<W: AtomicBitWord>(self, index: usize, word: W) -> Option<()> {
        self.checked_slot::<W>(index)?.store(value(word));
        Some(())
    }

    /// Replaces word `index` by `new` if it is `current`: `Ok` with the old word if it was, `Err` with it if not.
    ///
    /// Only this word counts: it does not fail because others of the same storage word change. Bits of `new` past the
    /// end are dropped; a `current` with such bits is never found.
    ///
    /// # Panics
    /// If there is no word `index`, or if words of this width cross storage words ([`has_words`](Self::has_words)).
    #[inline]
    #[track_caller]
    pub fn compare_exchange_word<W: AtomicBitWord>(self, index: usize, current: W, new: W) -> Result<W, W> {
        word_result(self.slot::<W>(index).compare_exchange(value(current), value(new)))
    }

    /// As [`compare_exchange_word`](Self::compare_exchange_word), but `None`, without effect, where that panics.
    #[inline]
    pub fn checked_compare_exchange_word<W: AtomicBitWord>(
        self,
        index: usize,
        current: W,
        new: W,
    ) -> Option<Result<W, W>> {
        Some(word_result(self.checked_slot::<W>(index)?.compare_exchange(value(current), value(new))))
    }
}

#[inline]
fn bit_result(result: Result<u64, u64>) -> Result<bool, bool> {
    result.map(|old| old != 0).map_err(|old| old != 0)
}

#[inline]
fn word_result<W: AtomicBitWord>(result: Result<u64, u64>) -> Result<W, W> {
    result.map(word).map_err(word)
}
