//! Models of the shared portal: every interleaving, and every value that the memory orders allow.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p sparse-layout-runtime --release --test bits_loom`
#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::thread;
use sparse_layout_runtime::bits::{AtomicBitPortal, Ordered, Relaxed};

/// Runs two threads on the same `len` bits from bit `offset` on; what they return, and the storage word at the end.
fn two<A: Send + 'static, B: Send + 'static>(
    start: u64,
    offset: usize,
    len: usize,
    a: fn(AtomicBitPortal<'_, Ordered>) -> A,
    b: fn(AtomicBitPortal<'_, Ordered>) -> B,
) -> (A, B, u64) {
    let word = Arc::new([AtomicU64::new(start)]);
    let theirs = word.clone();
    let handle = thread::spawn(move || b(AtomicBitPortal::new(&theirs[..], offset, len)));
    let a = a(AtomicBitPortal::new(&word[..], offset, len));
    let b = handle.join().unwrap();
    (a, b, AtomicBitPortal::new(&word[..], 0, 64).word::<u64>(0))
}

#[test]
fn neighbouring_bits_do_not_lose_each_other() {
    loom::model(|| {
        let (_, _, word) = two(0b1000, 0, 64, |bits| bits.set(0, true), |bits| bits.set(3, false));
        assert_eq!(word, 0b0001);
    });
}

#[test]
fn narrow_words_of_one_storage_word_do_not_lose_each_other() {
    loom::model(|| {
        let (_, old, word) = two(0x7700, 0, 64, |bits| bits.set_word(0, 0x5a_u8), |bits| bits.swap_word(1, 0xa5_u8));
        assert_eq!((old, word), (0x77, 0xa55a));
    });
    loom::model(|| {
        let (first, second, word) = two(
            0,
            0,
            64,
            |bits| bits.compare_exchange_word(1, 0, 0x1234_u16),
            |bits| bits.fetch_or_word(0, 0x00ff_u16),
        );
        // The exchange cannot fail because of its neighbour.
        assert_eq!((first, second, word), (Ok(0), 0, 0x1234_00ff));
    });
}

#[test]
fn bits_outside_a_view_stay_while_its_words_are_stored() {
    loom::model(|| {
        let word = Arc::new([AtomicU64::new(0)]);
        let theirs = word.clone();
        let handle = thread::spawn(move || AtomicBitPortal::new(&theirs[..], 8, 12).set_word(0, 0xabcd_u16 as u8));
        AtomicBitPortal::new(&word[..], 0, 8).set_word(0, 0x11_u8);
        AtomicBitPortal::new(&word[..], 16, 4).set_word(0, 0xff_u8);
        handle.join().unwrap();
        assert_eq!(AtomicBitPortal::new(&word[..], 0, 64).word::<u64>(0), 0xfcd11);
    });
}

#[test]
fn a_bit_is_claimed_once() {
    loom::model(|| {
        let claim = |bits: AtomicBitPortal<'_, Ordered>| bits.compare_exchange(5, false, true).is_ok();
        let (a, b, word) = two(0, 0, 64, claim, claim);
        assert!(a ^ b);
        assert_eq!(word, 1 << 5);
    });
    loom::model(|| {
        let claim = |bits: AtomicBitPortal<'_, Ordered>| !bits.fetch_or(0, true);
        let (a, b, word) = two(0, 5, 3, claim, claim);
        assert!(a ^ b);
        assert_eq!(word, 1 << 5);
    });
    loom::model(|| {
        let claim = |bits: AtomicBitPortal<'_, Ordered>| !bits.relaxed().swap(5, true);
        let (a, b, _) = two(0, 0, 64, claim, claim);
        assert!(a ^ b);
    });
}

#[test]
fn words_are_exchanged_in_some_order() {
    loom::model(|| {
        let (a, b, word) =
            two(0, 0, 16, |bits| bits.swap_word(0, 0x0101_u16), |bits| bits.compare_exchange_word(0, 0, 0x0202_u16));
        match b {
            Ok(0) => assert_eq!((a, word), (0x0202, 0x0101)),
            Err(0x0101) => assert_eq!((a, word), (0, 0x0101)),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn inversions_cancel() {
    loom::model(|| {
        let (a, b, word) = two(0, 0, 8, |bits| bits.fetch_not_word::<u8>(0), |bits| bits.fetch_xor_word(0, 0xff_u8));
        assert_eq!((a ^ b, word), (0xff, 0));
    });
}

/// Message passing: what was written before the bit is set is seen by who reads the bit.
fn publish<A, B>(set: fn(AtomicBitPortal<'_, Ordered>) -> A, get: fn(AtomicBitPortal<'_, Ordered>) -> B)
where
    A: 'static,
    B: Into<bool> + 'static,
{
    loom::model(move || {
        let shared = Arc::new(([AtomicU64::new(0)], UnsafeCell::new(0)));
        let theirs = shared.clone();
        let handle = thread::spawn(move || {
            // SAFETY: the reader looks at the cell only after it has seen the bit, which is set after this; loom checks.
            theirs.1.with_mut(|value| unsafe { *value = 42 });
            set(AtomicBitPortal::new(&theirs.0[..], 0, 64));
        });
        if get(AtomicBitPortal::new(&shared.0[..], 0, 64)).into() {
            // SAFETY: the writer is done with the cell, since its bit is set; loom checks.
            assert_eq!(shared.1.with(|value| unsafe { *value }), 42);
        }
        handle.join().unwrap();
    });
}

#[test]
fn setting_releases_and_reading_acquires() {
    publish(|bits| bits.set(7, true), |bits| bits.get(7));
    publish(|bits| bits.set_word(0, 0x80_u8), |bits| bits.word::<u16>(0) != 0);
    publish(|bits| bits.set_word(0, 1_u64), |bits| bits.fetch_and_word(0, 1_u32) != 0);
    publish(|bits| bits.fetch_or(7, true), |bits| bits.fetch_xor(7, true));
    publish(|bits| bits.swap_word(3, 0x21_u8), |bits| bits.compare_exchange_word(3, 0x21_u8, 0).is_ok());
    publish(|bits| bits.compare_exchange(9, false, true), |bits| bits.compare_exchange(9, false, true).is_err());
}

#[test]
#[should_panic(expected = "Causality violation")]
fn the_relaxed_view_orders_nothing() {
    publish(|bits| bits.relaxed().set(7, true), |bits| bits.relaxed().get(7));
}

#[test]
fn relaxed_increments_of_a_set_are_all_counted() {
    loom::model(|| {
        let mark = |bits: AtomicBitPortal<'_, Ordered>| {
            let bits: AtomicBitPortal<'_, Relaxed> = bits.relaxed();
            bits.set(1, true);
            bits.fetch_xor_word(1, 0b11_u8)
        };
        let (_, _, word) = two(0, 0, 64, mark, mark);
        assert_eq!(word, 0b10);
    });
}
