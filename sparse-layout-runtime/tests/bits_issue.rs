//! The values that the requirements name, worked out by hand.
#![cfg(not(loom))]

use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sparse_layout_runtime::bits::{
    AtomicBitPortal, BitField, BitPortal, BitPortalMut, BitWord, Bits, BitsMut, LengthMismatch, PreferredWord,
};

/// xorshift64*, as in the workloads.
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut x = 0x9E37_79B9_7F4A_7C15 ^ seed;
    move || {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

fn message<T>(panics: impl FnOnce() -> T) -> String {
    let payload = catch_unwind(AssertUnwindSafe(|| drop(panics()))).expect_err("no panic");
    payload.downcast_ref::<String>().expect("a formatted message").clone()
}

#[test]
fn storage_is_aligned_and_rounded_up_to_64_bytes() {
    for (len, bytes) in [(7681, 1024), (1, 64), (0, 0), (512, 64), (513, 128)] {
        let field = BitField::new(len);
        assert_eq!(size_of_val(field.storage()), bytes, "{len} bits");
        assert_eq!(field.storage().as_ptr() as usize % 64, 0);
        assert_eq!(field.as_words().len(), len.div_ceil(64));
        assert_eq!((field.len(), field.count_ones()), (len, 0));
        field.internal_validate();
    }
}

#[test]
fn final_word_masks() {
    let masks = [
        (0, 0),
        (1, 1),
        (5, 0x1f),
        (25, 0x01ff_ffff),
        (31, 0x7fff_ffff),
        (32, 0xffff_ffff),
        (64, 0xffff_ffff),
        (129, 1),
    ];
    for (len, mask) in masks {
        assert_eq!(u32::final_mask(len), mask, "{len} bits");
        // What fill leaves in the last word is the same mask.
        let field = BitField::filled(len, true);
        if let Some(last) = field.word_count::<u32>().checked_sub(1) {
            assert_eq!(field.word::<u32>(last), mask);
        }
    }
}

#[test]
fn word_helpers() {
    assert_eq!(BitWord::first_set(0_u32), None);
    assert_eq!(BitWord::first_set(0x80_u8), Some(7));
    assert_eq!(BitWord::last_set(0x81_u8), Some(7));
    assert_eq!(BitWord::last_set(0_u128), None);
    assert_eq!(BitWord::leading_zeros(1_u8), 7);
    assert_eq!(BitWord::leading_zeros(0_u16), 16);
    assert_eq!(BitWord::trailing_zeros(1_u128 << 100), 100);
    assert_eq!(BitWord::count_ones(u128::MAX), 128);
    assert_eq!(BitWord::count_ones(0xa6_u8), 4);
    assert_eq!((u8::words_for(9), u128::words_for(128), u64::words_for(0)), (2, 1, 0));
    assert_eq!(PreferredWord::BITS, 64);
}

#[test]
fn every_operation_keeps_bits_past_the_end_zero() {
    let mut field = BitField::new(70);
    field.not_assign();
    assert_eq!(field.count_ones(), 70);
    field.internal_validate();
    field.fill_word(0xa6_u8);
    field.internal_validate();
    field.set_word(1, u64::MAX);
    assert_eq!(field.word::<u64>(1), 0x3f);
    field.internal_validate();
    assert_eq!(field.fetch_xor_word(2, u32::MAX), 0x3f);
    assert_eq!(field.word::<u32>(2), 0);
    field.internal_validate();
    assert_eq!(field.fetch_not_word::<u128>(0), 0xa6a6_a6a6_a6a6_a6a6);
    field.internal_validate();
    field.atomic().fetch_or_word(8, 0xff_u8);
    field.atomic().fetch_not_word::<u16>(4);
    field.atomic().set_word(1, u64::MAX);
    field.atomic().swap_word(2, u32::MAX);
    field.internal_validate();
    assert_eq!(field.atomic().word::<u16>(4), 0x3f);
    field.resize(33, true);
    field.internal_validate();
    field.resize(600, false);
    assert_eq!(field.last_set().unwrap_or(0) / 33, 0);
    field.internal_validate();
    field.resize(700, true);
    assert_eq!(field.count_ones_in(600..), 100);
    field.internal_validate();
    let other = BitField::filled(700, true);
    field.xor_assign(&other).unwrap();
    field.internal_validate();
    other.not_into(&mut field).unwrap();
    assert!(!field.any());
    field.internal_validate();
}

#[test]
fn equality_is_by_value() {
    let filled = BitField::filled(70, true);
    let mut inverted = BitField::new(70);
    inverted.not_assign();
    let mut grown = BitField::filled(900, true);
    grown.resize(70, false);
    let collected: BitField = std::iter::repeat_n(true, 70).collect();
    let words = [u64::MAX; 3];
    let view = BitPortal::new(&words, 11, 70);
    assert_eq!(filled, inverted);
    assert_eq!(filled, grown);
    assert_eq!(filled, collected);
    assert_eq!(filled, view);
    assert_eq!(view, filled);
    assert_ne!(filled, BitField::filled(71, true));
    for index in [0, 63, 64, 69] {
        inverted.flip(index);
        assert_ne!(filled, inverted);
        assert_ne!(view, inverted);
        inverted.flip(index);
    }
}

#[test]
fn fill_any_range() {
    let mut field = BitField::new(100);
    field.fill_range(3..77, true);
    assert_eq!(field.count_ones(), 74);
    assert_eq!((field.first_set(), field.last_set()), (Some(3), Some(76)));
    assert_eq!((field.trailing_zeros(), field.leading_zeros()), (3, 23));

    // [0, 24) off and [64, ..) on, in a field of the pattern 0xa6.
    let mut field = BitField::new(300);
    field.fill_word(0xa6_u8);
    for (i, bit) in field.iter().enumerate() {
        assert_eq!(bit, 0xa6 >> (i % 8) & 1 == 1);
    }
    field.fill_range(..24, false);
    field.fill_range(64.., true);
    for (i, bit) in field.iter().enumerate() {
        let want = if i < 24 { false } else { i >= 64 || 0xa6 >> (i % 8) & 1 == 1 };
        assert_eq!(bit, want, "bit {i}");
    }
}

#[test]
fn fill_repeats_words_of_every_width_at_every_offset() {
    fn check<W: BitWord>(word: W) {
        let (low, high) = word.halves();
        for offset in 0..130 {
            for len in [0, 1, 7, 64, 65, 200, 300] {
                let mut words = [0x5555_5555_5555_5555; 8];
                BitPortalMut::new(&mut words, offset, len).fill_word(word);
                for (i, bit) in BitPortal::from(&words[..]).iter().enumerate() {
                    let want = match i.checked_sub(offset) {
                        Some(k) if k < len => {
                            let k = k as u32 % W::BITS;
                            (if k < 64 { low >> k } else { high >> (k - 64) }) & 1 == 1
                        }
                        _ => i % 2 == 0,
                    };
                    assert_eq!(bit, want, "bit {i}, {len} bits from {offset} on, {word:?}");
                }
            }
        }
    }
    check(0xa6_u8);
    check(0xdead_u16);
    check(0x1c0f_d395_u32);
    check(0x0123_4567_89ab_cdef_u64);
    check(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128);
}

fn every_bit_operation(bits: &mut BitPortalMut<'_>) {
    for i in 0..bits.len() {
        assert!(!bits.get(i));
        bits.set(i, true);
        assert!(bits.get(i));
        assert!(bits.replace(i, false));
        assert!(!bits.swap(i, true));
        assert!(bits.flip(i));
        assert!(!bits.fetch_not(i));
        assert!(bits.fetch_and(i, true));
        assert!(bits.fetch_xor(i, true));
        assert!(!bits.fetch_xor(i, false));
        assert!(!bits.fetch_or(i, false));
        assert!(!bits.fetch_or(i, true));
        assert!(bits.fetch_and(i, false));
        assert_eq!(bits.compare_exchange(i, true, false), Err(false));
        assert_eq!(bits.compare_exchange(i, false, true), Ok(false));
        assert_eq!(bits.compare_exchange(i, true, true), Ok(true));
        bits.set(i, i % 3 == 0);
    }
}

fn every_shared_bit_operation<O: sparse_layout_runtime::bits::MemoryOrder>(bits: AtomicBitPortal<'_, O>) {
    for i in 0..bits.len() {
        assert!(!bits.get(i));
        bits.set(i, true);
        assert!(bits.get(i));
        assert!(bits.swap(i, false));
        assert!(!bits.swap(i, true));
        assert!(bits.fetch_not(i));
        assert!(!bits.fetch_xor(i, true));
        assert!(bits.fetch_and(i, true));
        assert!(bits.fetch_and(i, false));
        assert!(!bits.fetch_or(i, false));
        assert!(!bits.fetch_or(i, true));
        assert_eq!(bits.compare_exchange(i, false, true), Err(true));
        assert_eq!(bits.compare_exchange(i, true, false), Ok(true));
        assert_eq!(bits.compare_exchange(i, false, false), Ok(false));
        bits.set(i, i % 3 == 0);
    }
}

#[test]
fn bit_operations_for_7681_bits() {
    let mut field = BitField::new(7681);
    every_bit_operation(&mut field.portal_mut());
    assert_eq!(field.count_ones(), 2561);
    field.internal_validate();
    let mut field = BitField::new(7681);
    every_shared_bit_operation(field.atomic());
    assert_eq!(field.count_ones(), 2561);
    field.fill(false);
    every_shared_bit_operation(field.atomic().relaxed());
    field.internal_validate();

    // The same inside a larger field: nothing outside changes.
    let mut field = BitField::filled(7681, true);
    field.fill_range(37..7600, false);
    every_bit_operation(&mut field.slice_mut(37..7600));
    field.fill_range(37..7600, false);
    every_shared_bit_operation(field.slice_mut(37..7600).atomic());
    assert_eq!(field.count_ones(), 37 + 81 + 2521);
}

/// All word operations against the same ones done on a `u128`, in a view that ends inside a word.
fn every_word_operation<W: BitWord>() {
    let mut next = random(W::BITS.into());
    let mut word = || {
        let (low, high) = (next(), next());
        W::from_halves(low, high)
    };
    for offset in [0, 8, 13, 64, 100] {
        let mut field = BitField::new(7681);
        field.fill_word(0x9_u8);
        let before = field.clone();
        let mut bits = field.slice_mut(offset..7001);
        let count = bits.word_count::<W>();
        assert_eq!(count, (7001 - offset).div_ceil(W::BITS as usize));
        for i in 0..count {
            let mask = if i + 1 == count { W::final_mask(7001 - offset) } else { W::MAX };
            let (a, b) = (word(), word());
            bits.set_word(i, a);
            assert_eq!(bits.word::<W>(i), a & mask);
            assert_eq!(bits.fetch_and_word(i, b), a & mask);
            assert_eq!(bits.fetch_or_word(i, a), a & b & mask);
            assert_eq!(bits.fetch_xor_word(i, b), a & mask);
            assert_eq!(bits.fetch_not_word::<W>(i), (a ^ b) & mask);
            assert_eq!(bits.replace_word(i, a), !(a ^ b) & mask);
            assert_eq!(bits.swap_word(i, b), a & mask);
            assert_eq!(bits.compare_exchange_word(i, !b & mask, a), Err(b & mask));
            assert_eq!(bits.compare_exchange_word(i, b & mask, a), Ok(b & mask));
            assert_eq!(bits.word::<W>(i), a & mask);
            for bit in (0..W::BITS as usize).filter(|bit| mask.halves_bit(*bit)) {
                assert_eq!(bits.get(i * W::BITS as usize + bit), a.halves_bit(bit), "bit {bit} of word {i}");
            }
        }
        assert_eq!(field.slice(..offset), before.slice(..offset));
        assert_eq!(field.slice(7001..), before.slice(7001..));
        field.internal_validate();
    }
}

trait HalvesBit {
    fn halves_bit(self, bit: usize) -> bool;
}

impl<W: BitWord> HalvesBit for W {
    fn halves_bit(self, bit: usize) -> bool {
        let (low, high) = self.halves();
        (if bit < 64 { low >> bit } else { high >> (bit - 64) }) & 1 == 1
    }
}

#[test]
fn word_operations_for_7681_bits() {
    every_word_operation::<u8>();
    every_word_operation::<u16>();
    every_word_operation::<u32>();
    every_word_operation::<u64>();
    every_word_operation::<u128>();
}

fn every_shared_word_operation<W: sparse_layout_runtime::bits::AtomicBitWord>() {
    let mut next = random(W::BITS.into());
    for offset in [0, 64, 64 + W::BITS as usize] {
        let mut field = BitField::new(7681);
        field.fill_word(0x9_u8);
        let before = field.clone();
        let mut view = field.slice_mut(offset..7001);
        let bits = view.atomic();
        let count = bits.word_count::<W>();
        for i in 0..count {
            let mask = if i + 1 == count { W::final_mask(7001 - offset) } else { W::MAX };
            let (a, b) = (W::from_halves(next(), 0), W::from_halves(next(), 0));
            bits.set_word(i, a);
            assert_eq!(bits.word::<W>(i), a & mask);
            assert_eq!(bits.fetch_and_word(i, b), a & mask);
            assert_eq!(bits.fetch_or_word(i, a), a & b & mask);
            assert_eq!(bits.fetch_xor_word(i, b), a & mask);
            assert_eq!(bits.fetch_not_word::<W>(i), (a ^ b) & mask);
            assert_eq!(bits.swap_word(i, b), !(a ^ b) & mask);
            assert_eq!(bits.compare_exchange_word(i, !b & mask, a), Err(b & mask));
            assert_eq!(bits.compare_exchange_word(i, b & mask, a), Ok(b & mask));
            assert_eq!(bits.swap_word(i, W::ZERO), a & mask);
            assert_eq!(bits.swap_word(i, W::MAX), W::ZERO);
            assert_eq!(bits.swap_word(i, a), mask);
        }
        assert_eq!(field.slice(..offset), before.slice(..offset));
        assert_eq!(field.slice(7001..), before.slice(7001..));
        field.internal_validate();
    }
}

#[test]
fn shared_word_operations_for_7681_bits() {
    every_shared_word_operation::<u8>();
    every_shared_word_operation::<u16>();
    every_shared_word_operation::<u32>();
    every_shared_word_operation::<u64>();
}

#[test]
fn words_are_numbered_from_the_least_significant_bit() {
    let mut words = [0_u64; 2];
    let mut bits = BitPortalMut::from(&mut words[..]);
    bits.set_word(1, 0xaa_u8);
    bits.set_word(1, 0xbbbb_u16);
    bits.set_word(3, 0x1234_5678_u32);
    // Written by shifts alone, so the same words on machines of any byte order.
    assert_eq!(words, [0x0000_0000_bbbb_aa00, 0x1234_5678_0000_0000]);
}

#[test]
fn seed_example_of_and_and_compare_exchange() {
    let mut field = BitField::new(64);
    field.set_word(0, 0b1100_u32);
    assert_eq!(field.atomic().fetch_and_word(0, 0b1010_u32), 0b1100);
    assert_eq!(field.word::<u32>(0), 0b1000);
    assert_eq!(field.atomic().compare_exchange_word(0, 0b1100_u32, 0b1111), Err(0b1000));
    assert_eq!(field.word::<u32>(0), 0b1000);
}

#[test]
fn lists_of_set_bits() {
    fn check(field: &BitField) {
        let want: Vec<u32> = (0..field.len()).filter(|&i| field.get(i)).map(|i| i as u32).collect();
        assert_eq!(field.set_indices::<u32>(), want);
        assert_eq!(field.set_indices::<u64>(), want.iter().map(|&i| u64::from(i)).collect::<Vec<_>>());
        assert_eq!(field.count_ones(), want.len());
        assert!(field.iter_ones().eq(want.iter().map(|&i| i as usize)));
        assert_eq!(field.first_set(), want.first().map(|&i| i as usize));
        assert_eq!(field.last_set(), want.last().map(|&i| i as usize));
        let list = field.set_indices::<u32>();
        assert_eq!(list.capacity(), list.len());
    }
    const LEN: usize = 1024 * 32 + 5;
    for word in [0_u32, 0xeeee_eeee, 0xffff_ffff, 0x1c0f_d395, 0xdead_beef] {
        let mut field = BitField::new(LEN);
        field.fill_word(word);
        assert_eq!(field.count_ones(), 1024 * word.count_ones() as usize + (word & 0x1f).count_ones() as usize);
        check(&field);
    }
    for seed in 1..=5 {
        let mut next = random(seed);
        let mut field = BitField::new(LEN);
        for i in 0..1025 {
            field.set_word(i, next() as u32);
        }
        field.internal_validate();
        check(&field);
    }
    // The sparse case that broke a CUDA version: bits in words 2, 8 and 11 of 32.
    let mut field = BitField::new(32 * 32);
    field.set_word(2, 0x0000_1000_u32);
    field.set_word(8, 0x8000_0001_u32);
    field.set_word(11, 0x0040_0000_u32);
    check(&field);
    assert_eq!(field.set_indices::<u32>(), [76, 256, 287, 374]);
}

#[test]
fn bools_inverted_twice_are_themselves() {
    let mut next = random(9);
    for len in [0, 1, 7, 8, 9, 63, 64, 65, 1000] {
        let bools: Vec<bool> = (0..len).map(|_| next() >> 40 & 1 == 1).collect();
        let mut field = BitField::from_bools(&bools);
        field.internal_validate();
        assert_eq!(field.to_bools(), bools);
        assert_eq!(field, bools.iter().copied().collect::<BitField>());
        field.not_assign();
        assert!(field.iter().zip(&bools).all(|(bit, &was)| bit != was));
        assert_eq!(field.count_ones(), bools.iter().filter(|&&bit| !bit).count());
        field.not_assign();
        assert_eq!(field.to_bools(), bools);
        assert!(field.iter().rev().eq(bools.iter().rev().copied()));
    }
}

#[test]
fn conditional_merge_and_in_place_xor_while_reading() {
    let mut next = random(3);
    let words: Vec<Vec<u64>> = (0..3).map(|_| (0..40).map(|_| next()).collect()).collect();
    let [mask, mut a, b] = [0, 1, 2].map(|i| BitField::from_words(&words[i], 2555));
    // Where the mask is set take b, else keep a: a ^= mask & (a ^ b), reading and writing a by words.
    let (was, mut change) = (a.clone(), BitField::new(2555));
    a.xor_into(&b, &mut change).unwrap();
    change.and_assign(&mask).unwrap();
    a.xor_assign(&change).unwrap();
    for i in 0..2555 {
        assert_eq!(a.get(i), if mask.get(i) { b.get(i) } else { was.get(i) });
    }
    for w in 0..a.word_count::<u32>() {
        let seen = a.word::<u32>(w);
        a.fetch_xor_word(w, seen);
    }
    assert!(!a.any());
}

#[test]
fn lengths_that_differ_are_an_error_and_change_nothing() {
    let (mut a, b) = (BitField::filled(100, true), BitField::new(101));
    let error = LengthMismatch { left: 100, right: 101 };
    assert_eq!(a.and_assign(&b), Err(error));
    assert_eq!(a.or_assign(&b), Err(error));
    assert_eq!(a.xor_assign(&b), Err(error));
    assert_eq!(a.and_not_assign(&b), Err(error));
    assert_eq!(a.copy_from(&b), Err(error));
    assert_eq!(b.not_into(&mut a), Err(error));
    let mut out = BitField::new(100);
    assert_eq!(a.and_into(&b, &mut out), Err(error));
    let mut out = BitField::filled(99, true);
    assert_eq!(a.or_into(&a, &mut out), Err(LengthMismatch { left: 99, right: 100 }));
    assert!(a.all() && out.all());
    assert_eq!(error.to_string(), "bit fields of different lengths: 100 and 101 bits");
}

#[test]
fn out_of_range_panics_with_both_numbers() {
    let mut field = BitField::new(100);
    assert_eq!(message(|| field.get(100)), "bit index 100 is out of range for 100 bits");
    assert_eq!(message(|| field.set(200, true)), "bit index 200 is out of range for 100 bits");
    assert!(message(|| field.atomic().set(usize::MAX, true)).contains("100 bits"));
    let word = "word index 13 is out of range for 13 words of 8 bits (100 bits)";
    assert_eq!(message(|| field.word::<u8>(13)), word);
    assert_eq!(message(|| field.set_word(13, 1_u8)), word);
    assert_eq!(message(|| field.atomic().fetch_or_word(13, 1_u8)), word);
    assert_eq!(message(|| field.slice(90..101)), "bit range 90..101 is out of range for 100 bits");
    assert_eq!(
        message(|| field.fill_range((Bound::Included(9), Bound::Excluded(8)), true)),
        "bit range 9..8 is out of range for 100 bits"
    );
    assert_eq!(message(|| field.rank(101)), "bit range 0..101 is out of range for 100 bits");
    assert_eq!(message(|| BitPortal::new(&[0; 2], 64, 65)), "65 bits from bit 64 on do not fit in 2 words");
    let crossing = message(|| field.slice_mut(3..).atomic().word::<u8>(0));
    assert!(crossing.starts_with("the view starts 3 bits into a storage word"), "{crossing}");
}

#[test]
fn checked_forms_return_none() {
    let mut field = BitField::new(100);
    assert_eq!((field.checked_get(99), field.checked_get(100)), (Some(false), None));
    assert_eq!((field.checked_word::<u32>(3), field.checked_word::<u32>(4)), (Some(0), None));
    assert_eq!(field.checked_word::<u128>(usize::MAX), None);
    assert_eq!((field.checked_set(99, true), field.checked_set(100, true)), (Some(()), None));
    assert_eq!((field.checked_set_word(1, 0_u64), field.checked_set_word(2, 1_u64)), (Some(()), None));
    assert_eq!((field.checked_replace(0, true), field.checked_replace(100, true)), (Some(false), None));
    assert_eq!((field.checked_flip(0), field.checked_flip(100)), (Some(true), None));
    assert!(field.checked_slice(50..101).is_none() && field.checked_slice_mut(..=usize::MAX).is_none());
    assert_eq!((field.checked_fill_range(1..3, true), field.checked_fill_range(101.., true)), (Some(()), None));
    assert_eq!((field.checked_rank(100), field.checked_rank(101)), (Some(2), None));
    let bits = field.atomic();
    assert_eq!((bits.checked_get(1), bits.checked_get(100)), (Some(true), None));
    assert_eq!((bits.checked_fetch_or(5, true), bits.checked_fetch_or(100, true)), (Some(false), None));
    assert_eq!(bits.checked_swap_word(12, 0xff_u8), Some(0));
    assert_eq!(bits.checked_swap_word(13, 0xff_u8), None);
    assert_eq!(bits.checked_compare_exchange(100, true, false), None);
    assert_eq!(bits.checked_compare_exchange_word(12, 0x0f_u8, 0), Some(Ok(0x0f)));
    assert!(bits.checked_slice(3..).unwrap().checked_word::<u16>(0).is_none());
    assert!(BitPortal::checked_new(&[0; 2], usize::MAX, 2).is_none());
    assert_eq!(field.set_indices::<u32>(), [1, 2, 5]);
}

#[test]
fn parts_can_be_written_by_two_threads() {
    let mut words = vec![0_u64; 64];
    let mut bits = BitPortalMut::new(&mut words, 10, 4000);
    assert!(bits.reborrow().split_at_mut(100).is_none());
    assert!(bits.reborrow().split_at_mut(5000).is_none());
    assert_eq!(bits.reborrow().split_at_mut(0).map(|(a, b)| (a.len(), b.len())), Some((0, 4000)));
    assert_eq!(bits.reborrow().split_at_mut(4000).map(|(a, b)| (a.len(), b.len())), Some((4000, 0)));
    let (mut left, mut right) = bits.reborrow().split_at_mut(54 + 64 * 9).expect("a word boundary");
    rayon::join(|| left.fill(true), || right.set_word(0, 0b101_u8));
    assert_eq!(bits.iter_runs().collect::<Vec<_>>(), [0..631, 632..633]);
    assert_eq!(words[10], 0b101);
}

#[test]
fn a_million_bits_set_by_many_threads() {
    let mut field = BitField::new(1_000_003);
    let bits = field.atomic();
    let claimed: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|t| {
                scope.spawn(move || {
                    // Each bit is tried by two threads; exactly one finds it clear.
                    (0..1_000_003).filter(|i| (i / 7 + t) % 4 < 2).filter(|&i| !bits.fetch_or(i, true)).count()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(claimed, 1_000_003);
    assert!(field.all());
    field.internal_validate();
}

#[test]
fn traits_name_all_operands() {
    fn union(into: &mut impl BitsMut, other: &dyn Bits) -> usize {
        into.portal_mut().or_assign(other).unwrap();
        into.portal().count_ones()
    }
    let mut words = [0_u64; 2];
    let mut field = BitField::from_indices(65, [1, 64]);
    assert_eq!(union(&mut BitPortalMut::new(&mut words, 7, 65), &field), 2);
    assert_eq!(words, [1 << 8, 1 << 7]);
    assert_eq!(union(&mut field, &BitPortal::new(&words, 8, 65)), 4);
    assert_eq!(field.set_indices::<u64>(), [0, 1, 63, 64]);
}
