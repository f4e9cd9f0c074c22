//! What an independent review of the unsafe code broke, so that it stays whole.

use sparse_layout::BuildError;
use sparse_layout::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// As large as it is told to be.
#[sparse_layout(axes(x = .., y = .., z = ..), dense(_))]
#[derive(Debug)]
pub struct Box3 {
    /// A value.
    pub a: f32,
}

/// Z-order over bounds that are told.
#[sparse_layout(axes(x = .., y = ..), dense(_, morton))]
pub struct Curve {
    /// A value.
    pub a: u8,
}

/// A long axis.
#[sparse_layout(axes(x = ..), pointer(_) > bitmasked(4096))]
pub struct Long {
    /// A value.
    pub a: u8,
}

#[test]
fn bounds_that_are_too_much_are_an_error() {
    let most = i32::MIN..i32::MAX;
    for bounds in [[0..1 << 22, 0..1 << 21, 0..1 << 21], [most.clone(), 0..1, 0..1], [most.clone(), most.clone(), most]]
    {
        let error = Box3::builder().bounds(bounds.clone()).build().unwrap_err();
        assert!(matches!(error, BuildError::Layout { .. }), "{bounds:?}: {error}");
    }
    assert!(Box3::builder().bounds([0..100, -5..5, 7..8]).build().is_ok());
}

#[test]
fn z_order_over_told_bounds_needs_powers_of_two() {
    assert!(Curve::builder().bounds([0..10, 0..16]).build().is_err());
    assert!(Curve::builder().bounds([-4..4, 0..16]).build().is_ok());
}

#[test]
#[allow(clippy::single_range_in_vec_init, reason = "one range per axis that is declared `..`")]
fn an_accessor_does_not_come_round_the_end_of_a_long_axis() {
    let mut long = Long::builder().bounds([i32::MIN + 5..i32::MAX]).build().unwrap();
    let ends = [i32::MIN + 5, i32::MIN + 6, i32::MAX - 2, i32::MAX - 1];
    for (i, x) in ends.into_iter().enumerate() {
        long.a_mut().set([x], i as u8 + 1);
    }
    let mut accessor = long.a().accessor();
    for _ in 0..2 {
        for (i, x) in ends.into_iter().enumerate() {
            assert_eq!(accessor.get([x]), Some(i as u8 + 1), "{x}");
        }
    }
    long.internal_validate();
}

/// A masked level with a level and lists below.
#[sparse_layout(axes(x), hash() > outer: bitmasked(8) { mass, inner: bitmasked(4) { fine }, dynamic(i, max = 4, chunk = 2) { item } })]
pub struct Nest {
    /// Of an outer cell.
    pub mass: f32,
    /// Of an inner one.
    pub fine: f32,
    /// A list.
    pub item: u8,
}

#[test]
fn a_block_that_turns_cells_off_takes_along_what_lies_below() {
    let mut nest = Nest::new();
    nest.fine_mut().set([5], 3.0);
    nest.item_mut().push([1], 9).unwrap();
    nest.mass_mut().fill_blocks([[1]], |_, _, mask| mask[0] &= !2);
    nest.internal_validate();
    assert_eq!((nest.fine().get([5]), nest.item().len([1])), (None, 0));
    nest.outer_mut().activate([1]);
    assert_eq!(nest.fine().value([5]), 0.0);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        nest.mass_mut().fill_blocks([[1]], |_, values, mask| {
            mask[0] = 0;
            values.fill(1.0);
            panic!("while it fills");
        });
    }));
    assert!(panicked.is_err());
    nest.internal_validate();
}

/// A root whose mask has a summary.
#[sparse_layout(axes(x), bitmasked(400000))]
pub struct Wide {
    /// A value.
    pub a: u8,
}

#[test]
fn a_panic_while_a_large_block_is_filled_leaves_its_summary_right() {
    let mut wide = Wide::new();
    wide.a_mut().set([77], 1);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        wide.a_mut().fill_blocks([[0]], |_, _, mask| {
            mask[1000] = 5;
            panic!("while it fills");
        });
    }));
    assert!(panicked.is_err());
    wide.internal_validate();
    wide.a_mut().fill_blocks([[0]], |_, _, mask| mask[1000] = 5);
    wide.internal_validate();
    assert_eq!(wide.count(), 3);
}

#[test]
fn items_stay_when_there_is_no_room_for_new_chunks() {
    let mut nest = Nest::builder().capacity(4).build().unwrap();
    for i in 0..8 {
        nest.item_mut().push([i / 2], i as u8).unwrap();
    }
    let before: Vec<_> = nest.item().iter().collect();
    // Eight cells need eight chunks; there are four.
    let moved = catch_unwind(AssertUnwindSafe(|| nest.item_mut().rebin(|v| [i32::from(*v)])));
    assert!(moved.is_err());
    assert_eq!(nest.item().iter().collect::<Vec<_>>(), before);
    nest.internal_validate();
}

/// Nodes of three cells: those at the ends of `i32` stick out.
#[sparse_layout(axes(x), hash() > dense(3), allow(non_power_of_two))]
pub struct Threes {
    /// A value.
    pub a: u8,
}

#[test]
fn cells_past_the_ends_of_i32_are_not_there() {
    let mut threes = Threes::new();
    threes.a_mut().set([i32::MIN], 1);
    threes.a_mut().set([i32::MAX], 2);
    let points: Vec<i32> = threes.a().iter().map(|([x], _)| x).collect();
    let mut once = points.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(points, once);
    assert_eq!(threes.count(), points.len() as u64);
    // 2^31 = 3 * 715827882 + 2: the lowest node begins one cell below `i32::MIN`, the highest ends one past `i32::MAX`.
    assert_eq!(points, [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX]);
}
