//! Against the `bitvec` crate, on random fields, ranges and offsets.
#![cfg(not(loom))]

use bitvec::field::BitField as _;
use bitvec::prelude::*;
use proptest::prelude::*;
use rayon::prelude::*;
use sparse_layout_runtime::bits::{BitField, BitPortal, BitPortalMut};

type Oracle = BitVec<u64, Lsb0>;

/// Words that are empty, full, sparse, dense, or random: runs and gaps of all sizes.
fn words(max: usize) -> impl Strategy<Value = Vec<u64>> {
    let word = prop_oneof![
        Just(0),
        Just(!0),
        any::<u64>(),
        (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b & a.rotate_left(7)),
        (0..64_u32).prop_map(|bit| 1 << bit),
        (0..64_u32).prop_map(|bit| !0 << bit),
    ];
    prop::collection::vec(word, 1..max)
}

/// Words, and a range of bits in them.
fn view() -> impl Strategy<Value = (Vec<u64>, usize, usize)> {
    words(24).prop_flat_map(|words| {
        let bits = words.len() * 64;
        (Just(words), 0..=bits).prop_flat_map(move |(words, offset)| (Just(words), Just(offset), 0..=bits - offset))
    })
}

fn oracle(words: &[u64], offset: usize, len: usize) -> Oracle {
    words.view_bits::<Lsb0>()[offset..offset + len].to_bitvec()
}

fn same(bits: BitPortal<'_>, oracle: &BitSlice<u64, Lsb0>) {
    assert_eq!(bits.len(), oracle.len());
    assert!(bits.iter().eq(oracle.iter().by_vals()));
    bits.internal_validate();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn queries((words, offset, len) in view(), probe in any::<prop::sample::Index>()) {
        let bits = BitPortal::new(&words, offset, len);
        let want = oracle(&words, offset, len);
        same(bits, &want);
        prop_assert_eq!(bits.count_ones(), want.count_ones());
        prop_assert_eq!(bits.count_zeros(), want.count_zeros());
        prop_assert_eq!(bits.any(), want.any());
        prop_assert_eq!(bits.all(), want.all());
        prop_assert_eq!(bits.first_set(), want.first_one());
        prop_assert_eq!(bits.last_set(), want.last_one());
        // bitvec counts from index 0, we count as in an integer.
        prop_assert_eq!(bits.trailing_zeros(), want.leading_zeros());
        prop_assert_eq!(bits.leading_zeros(), want.trailing_zeros());
        let at = probe.index(len + 1);
        prop_assert_eq!(bits.next_set_from(at), want[at..].first_one().map(|i| i + at));
        prop_assert_eq!(bits.next_clear_from(at), want[at..].first_zero().map(|i| i + at));
        prop_assert_eq!(bits.next_set_from(len + 1), None);
        let field = bits.to_field();
        field.internal_validate();
        prop_assert_eq!(&field, &bits);
        same(field.portal(), &want);
        prop_assert_eq!(bits.to_bools(), want.iter().by_vals().collect::<Vec<_>>());
    }

    #[test]
    fn set_bits_and_runs((words, offset, len) in view()) {
        let bits = BitPortal::new(&words, offset, len);
        let want: Vec<usize> = oracle(&words, offset, len).iter_ones().collect();
        prop_assert_eq!(bits.iter_ones().collect::<Vec<_>>(), want.clone());
        prop_assert_eq!(bits.iter_ones().rev().collect::<Vec<_>>(), want.iter().rev().copied().collect::<Vec<_>>());
        prop_assert_eq!(bits.par_iter_ones().collect::<Vec<_>>(), want.clone());
        prop_assert_eq!(bits.set_indices::<u32>(), want.iter().map(|&i| i as u32).collect::<Vec<_>>());
        prop_assert_eq!(bits.set_indices::<u64>(), want.iter().map(|&i| i as u64).collect::<Vec<_>>());
        let runs: Vec<_> = bits.iter_runs().collect();
        prop_assert_eq!(&bits.par_iter_runs().collect::<Vec<_>>(), &runs);
        prop_assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start));
        prop_assert_eq!(runs.into_iter().flatten().collect::<Vec<_>>(), want);
    }

    #[test]
    fn ranks((words, offset, len) in view()) {
        let bits = BitPortal::new(&words, offset, len);
        let index = bits.rank_index();
        index.internal_validate();
        let mut ones = 0;
        for i in 0..len {
            prop_assert_eq!((bits.rank(i), index.rank(i)), (ones, ones));
            if bits.get(i) {
                prop_assert_eq!((bits.select(ones), index.select(ones)), (Some(i), Some(i)));
                ones += 1;
            }
        }
        prop_assert_eq!((bits.rank(len), index.rank(len)), (ones, ones));
        prop_assert_eq!((bits.select(ones), index.select(ones)), (None, None));
    }

    #[test]
    fn whole_field_operations(
        a in words(12), b in words(12), out in words(12), offsets in prop::array::uniform3(0_usize..64), op in 0..9,
    ) {
        let room = |words: &[u64], offset: usize| words.len() * 64 - offset;
        let len = room(&a, offsets[0]).min(room(&b, offsets[1])).min(room(&out, offsets[2]));
        let (left, right) = (BitPortal::new(&a, offsets[0], len), BitPortal::new(&b, offsets[1], len));
        let (x, y) = (oracle(&a, offsets[0], len), oracle(&b, offsets[1], len));
        let mut got = out.clone();
        let mut target = BitPortalMut::new(&mut got, offsets[2], len);
        let old = oracle(&out, offsets[2], len);
        let want = match op {
            0 => { left.and_into(&right, &mut target).unwrap(); x & y }
            1 => { left.or_into(&right, &mut target).unwrap(); x | y }
            2 => { left.xor_into(&right, &mut target).unwrap(); x ^ y }
            3 => { left.and_not_into(&right, &mut target).unwrap(); x & !y }
            4 => { left.not_into(&mut target).unwrap(); !x }
            5 => { target.and_assign(&left).unwrap(); old & x }
            6 => { target.or_assign(&left).unwrap(); old | x }
            7 => { target.xor_assign(&left).unwrap(); old ^ x }
            _ => { target.and_not_assign(&left).unwrap(); old & !x }
        };
        same(target.portal(), &want);
        // Not a bit outside has changed.
        let mut around = out;
        around.view_bits_mut::<Lsb0>()[offsets[2]..offsets[2] + len].copy_from_bitslice(&want);
        prop_assert_eq!(got, around);
    }

    #[test]
    fn not_and_fills((mut words, offset, len) in view(), bit in any::<bool>(), pattern in any::<u16>()) {
        let mut want = words.clone();
        let part = &mut want.view_bits_mut::<Lsb0>()[offset..offset + len];
        let inverse = !part.to_bitvec();
        part.copy_from_bitslice(&inverse);
        BitPortalMut::new(&mut words, offset, len).not_assign();
        prop_assert_eq!(&words, &want);
        want.view_bits_mut::<Lsb0>()[offset..offset + len].fill(bit);
        BitPortalMut::from(&mut words[..]).fill_range(offset..offset + len, bit);
        prop_assert_eq!(&words, &want);
        for (k, mut place) in want.view_bits_mut::<Lsb0>()[offset..offset + len].iter_mut().enumerate() {
            *place = pattern >> (k % 16) & 1 == 1;
        }
        BitPortalMut::from(&mut words[..]).fill_range_word(offset..offset + len, pattern);
        prop_assert_eq!(&words, &want);
    }

    #[test]
    fn growing_and_shrinking(steps in prop::collection::vec((0_usize..1500, any::<bool>(), 0..4), 1..20)) {
        let (mut field, mut want) = (BitField::default(), Oracle::new());
        for (n, bit, kind) in steps {
            match kind {
                0 => { field.resize(n, bit); want.resize(n, bit); }
                1 => { field.extend((0..n % 200).map(|i| i % 3 == 0)); want.extend((0..n % 200).map(|i| i % 3 == 0)); }
                2 => for i in 0..n % 100 { field.push(bit ^ (i % 5 == 0)); want.push(bit ^ (i % 5 == 0)); },
                _ => if let Some(at) = n.checked_rem(want.len()) { field.set(at, bit); want.set(at, bit); },
            }
            field.internal_validate();
            same(field.portal(), &want);
        }
    }

    #[test]
    fn words_of_every_width((words, offset, len) in view()) {
        let bits = BitPortal::new(&words, offset, len);
        let want = oracle(&words, offset, len);
        macro_rules! check {
            ($($word:ty)*) => {$(
                prop_assert_eq!(bits.word_count::<$word>(), want.chunks(<$word>::BITS as usize).len());
                for (i, chunk) in want.chunks(<$word>::BITS as usize).enumerate() {
                    let by_hand = chunk.iter_ones().fold(0, |word, bit| word | 1 << bit);
                    prop_assert_eq!(bits.word::<$word>(i), by_hand);
                }
            )*};
        }
        check!(u8 u16 u32 u64 u128);
    }
}

/// Large enough that each operation is split over threads; unaligned, so that every part has to find its own words.
#[test]
fn large_fields_in_parallel() {
    const LEN: usize = (1 << 23) + 77;
    let mut x = 7_u64;
    let mut next = || {
        x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        x ^ x >> 29
    };
    let [a, b]: [Vec<u64>; 2] = std::array::from_fn(|_| (0..LEN / 64 + 3).map(|_| next()).collect());
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            for (from_a, from_b) in [(0, 0), (9, 60)] {
                let (left, right) = (BitPortal::new(&a, from_a, LEN), BitPortal::new(&b, from_b, LEN));
                let (x, y) = (oracle(&a, from_a, LEN), oracle(&b, from_b, LEN));
                assert_eq!(left.count_ones(), x.count_ones());
                let mut out = BitField::new(LEN);
                left.and_into(&right, &mut out).unwrap();
                let both = x.clone() & &y;
                assert!(out.as_words() == in_words(&both));
                out.xor_assign(&left).unwrap();
                out.or_assign(&right).unwrap();
                let want = (both ^ &x) | &y;
                assert!(out.as_words() == in_words(&want));
                out.not_assign();
                assert!(out.as_words() == in_words(&!want));
                let indices = left.set_indices::<u32>();
                assert!(x.iter_ones().eq(indices.iter().map(|&i| i as usize)));
                assert_eq!(indices.capacity(), indices.len());
                let wide = left.slice(1..LEN - 1).set_indices::<u64>();
                assert!(x[1..LEN - 1].iter_ones().eq(wide.iter().map(|&i| i as usize)));
                let ones: Vec<usize> = left.par_iter_ones().collect();
                assert!(ones.iter().eq(left.iter_ones().collect::<Vec<_>>().iter()));
                let runs: Vec<_> = left.par_iter_runs().collect();
                assert!(runs.iter().eq(left.iter_runs().collect::<Vec<_>>().iter()));
                let index = left.rank_index();
                index.internal_validate();
                for nth in (0..indices.len()).step_by(999) {
                    let at = indices[nth] as usize;
                    assert_eq!((index.select(nth), index.rank(at)), (Some(at), nth));
                    if nth % 37 == 0 {
                        assert_eq!(left.select(nth), Some(at));
                    }
                }
                let mut filled = BitField::new(LEN);
                filled.fill_word(0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978_u128);
                filled.internal_validate();
                for probe in (0..filled.word_count::<u128>() - 1).step_by(101) {
                    assert_eq!(filled.word::<u128>(probe), 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978);
                }
            }
        });
    }
}

/// The bits from the start on in words of 64, zeros past the end.
fn in_words(bits: &BitSlice<u64, Lsb0>) -> Vec<u64> {
    bits.chunks(64).map(|chunk| chunk.load_le()).collect()
}
