//! Conversions from and to the `bitvec` crate.
#![cfg(all(feature = "bitvec", target_pointer_width = "64", not(loom)))]

use bitvec::prelude::*;
use sparse_layout_runtime::bits::{BitField, BitPortal, BitPortalMut};

fn theirs(len: usize) -> BitVec<u64, Lsb0> {
    (0..len).map(|i| i * i % 7 < 3).collect()
}

#[test]
fn views_are_in_place() {
    for len in [0, 1, 63, 64, 65, 300] {
        let mut bits = theirs(len);
        for start in [0, 1, 10, 64, 100].into_iter().filter(|&start| start <= len) {
            let view = BitPortal::from(&bits[start..]);
            view.internal_validate();
            assert!(view.iter().eq(bits[start..].iter().by_vals()));
        }
        let before = bits.clone();
        if len > 20 {
            let mut part = BitPortalMut::from(&mut bits[9..len - 3]);
            part.internal_validate();
            part.fill(true);
            part.atomic().set(1, false);
            assert_eq!(bits[9..len - 3].count_zeros(), 1);
            assert!(!bits[10]);
            assert_eq!((&bits[..9], &bits[len - 3..]), (&before[..9], &before[len - 3..]));
        }
    }
}

#[test]
fn owned_values_go_both_ways() {
    for len in [0, 1, 64, 65, 300] {
        let bits = theirs(len);
        let field = BitField::from(bits.clone());
        field.internal_validate();
        assert!(field.iter().eq(bits.iter().by_vals()));
        assert_eq!(BitVec::from(&field), bits);
        assert_eq!(BitVec::from(field.clone()), bits);
        assert_eq!(field.as_bitslice(), &bits[..]);
        // Garbage past the length of theirs does not come over.
        let mut dirty = bits.clone();
        dirty.set_uninitialized(true);
        let clean = BitField::from(dirty);
        clean.internal_validate();
        assert_eq!(clean, field);
        assert_eq!(BitField::from(&bits[len / 3..]), field.slice(len / 3..));
    }
}

#[test]
fn a_field_is_written_as_a_bitslice_without_its_tail() {
    let mut field = BitField::new(70);
    let slice = field.as_mut_bitslice();
    slice.fill(true);
    slice.set(3, false);
    slice[60..].fill(false);
    assert_eq!(field.set_indices::<u32>(), (0..60).filter(|&i| i != 3).collect::<Vec<_>>());
    field.internal_validate();
}
