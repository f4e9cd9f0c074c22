//! What each operation does, from one thread.

use sparse_layout::prelude::*;
use sparse_layout::{FrozenError, PushError, WriteError};

/// Every kind of field on one level, with fields and lists elsewhere.
#[sparse_layout(axes(x = -16..48, y = 0..64), root: pointer(8) > tile: bitmasked(8) { int, real, wide, pair, set, split, half, dynamic(i, max = 70, chunk = 33) { item, tag } })]
struct Kinds {
    #[field(background = 5)]
    int: i32,
    real: f32,
    wide: f64,
    #[field(background = [1, 2])]
    pair: [u16; 2],
    #[field(bits)]
    set: bool,
    #[field(split, background = [0.0, 1.0, 0.0])]
    split: [f32; 3],
    half: half::f16,
    item: [u8; 3],
    #[field(background = 9)]
    tag: u8,
}

#[test]
fn integers() {
    let mut grid = Kinds::new();
    let c = grid.concurrent();
    let int = c.int();
    let p = [-16, 63];
    assert_eq!((int.load(p), int.get(p), int.is_active(p)), (Ok(5), None, false));
    assert_eq!(int.fetch_add(p, i32::MAX), Ok(5));
    assert_eq!(int.fetch_sub(p, 1), Ok(i32::MIN + 4), "wraps");
    assert_eq!(int.fetch_max(p, -8), Ok(i32::MIN + 3));
    assert_eq!(int.fetch_min(p, 100), Ok(-8));
    assert_eq!(int.fetch_and(p, 0b1100), Ok(-8));
    assert_eq!(int.fetch_or(p, 0b0101), Ok(0b1000));
    assert_eq!(int.fetch_xor(p, 0b1111), Ok(0b1101));
    assert_eq!(int.update(p, |v| v * 10), Ok(2));
    assert_eq!(int.swap(p, -1), Ok(20));
    assert_eq!(int.store(p, 7), Ok(()));
    assert_eq!((int.load(p), int.get(p), int.is_active(p)), (Ok(7), Some(7), true));
    assert_eq!(int.load([-15, 63]), Ok(5), "an inactive cell of an active node");
    for p in [[-17, 0], [48, 0], [0, -1], [0, 64], [i32::MIN, i32::MAX]] {
        assert!(matches!(int.store(p, 1), Err(WriteError::OutOfBounds(_))), "{p:?}");
        assert!(matches!(int.fetch_add(p, 1), Err(WriteError::OutOfBounds(_))), "{p:?}");
        assert_eq!((int.load(p).is_err(), int.get(p)), (true, None), "{p:?}");
        assert!(c.tile().activate(p).is_err() && !c.tile().is_active(p));
    }
    let error = int.store([48, 2], 1).unwrap_err();
    assert_eq!(error.to_string(), "`int`: [48, 2] is out of bounds [-16..48, 0..64]");
    assert_eq!(grid.count(), 1);
    assert_eq!(grid.int().get(p), Some(7));
    grid.internal_validate();
}

#[test]
fn floats_and_arrays() {
    let mut grid = Kinds::new();
    let c = grid.concurrent();
    let p = [3, 4];
    assert_eq!(c.real().fetch_add(p, 1.5), Ok(0.0));
    assert_eq!(c.real().fetch_max(p, f32::NAN), Ok(1.5));
    assert_eq!(c.real().fetch_sub(p, 2.0), Ok(1.5));
    assert_eq!(c.real().fetch_min(p, -3.0), Ok(-0.5));
    assert_eq!(c.wide().update(p, |v| v + 0.25), Ok(0.0));
    assert_eq!(c.wide().fetch_add(p, 0.5), Ok(0.25));
    assert_eq!(c.pair().fetch_add(p, [u16::MAX, 1]), Ok([1, 2]));
    assert_eq!(c.pair().fetch_or(p, [0x100, 0]), Ok([0, 3]));
    assert_eq!(c.pair().fetch_max(p, [7, 7]), Ok([0x100, 3]));
    assert_eq!(c.half().fetch_add(p, half::f16::from_f32(0.5)), Ok(half::f16::ZERO));
    assert_eq!(c.half().store([4, 4], half::f16::ONE), Ok(()), "beside it in the same word");
    assert_eq!(c.half().fetch_max(p, half::f16::ONE), Ok(half::f16::from_f32(0.5)));
    let (real, pair, half) = (grid.real(), grid.pair(), grid.half());
    assert_eq!((real.get(p), grid.wide().get(p), pair.get(p)), (Some(-3.0), Some(0.75), Some([0x100, 7])));
    assert_eq!((half.get(p), half.get([4, 4])), (Some(half::f16::ONE), Some(half::f16::ONE)));
    grid.internal_validate();
}

#[test]
fn packed_fields() {
    let mut grid = Kinds::new();
    let c = grid.concurrent();
    let (set, split) = (c.set(), c.split());
    let p = [0, 0];
    assert_eq!((set.load(p), set.get(p)), (Ok(false), None));
    assert_eq!(set.swap(p, true), Ok(false));
    assert_eq!(
        (set.fetch_xor([1, 0], true), set.fetch_and(p, true), set.fetch_or(p, false)),
        (Ok(false), Ok(true), Ok(true))
    );
    assert_eq!((set.fetch_and([1, 0], false), set.get([1, 0])), (Ok(true), Some(false)));
    assert_eq!(set.store([2, 0], true), Ok(()));
    assert!(set.store([48, 0], true).is_err());
    assert_eq!(split.load([9, 9]), Ok([0.0, 1.0, 0.0]));
    assert_eq!(split.fetch_add([9, 9], [1.0, 2.0, 3.0]), Ok([0.0, 1.0, 0.0]));
    assert_eq!(split.fetch_max([9, 9], [0.0, 5.0, 4.0]), Ok([1.0, 3.0, 3.0]));
    assert_eq!(split.get([9, 9]), Some([1.0, 5.0, 4.0]));
    assert_eq!(split.get([9, 8]), None);
    let on: Vec<_> = grid.set().iter().filter(|(_, set)| *set).map(|(p, _)| p).collect();
    assert_eq!(on, [[0, 0], [2, 0]]);
    assert_eq!(grid.split().get([9, 9]), Some([1.0, 5.0, 4.0]));
    assert_eq!(grid.count(), 4);
    grid.internal_validate();
}

#[test]
fn a_frozen_topology_stays_as_it_is() {
    let mut grid = Kinds::new();
    grid.int_mut().set([1, 1], 1);
    let mut f = grid.fields_mut();
    let int = f.int.atomic();
    let split = f.split.atomic();
    // Others are lent meanwhile.
    f.real.par_for_each(|p, v| {
        int.fetch_add(p, 2).unwrap();
        split.fetch_add(p, [1.0; 3]).unwrap();
        *v = 4.0;
    });
    assert_eq!(int.accessor().fetch_add([1, 1], 1), Ok(3));
    assert!(matches!(int.store([1, 2], 1), Err(FrozenError::Inactive(_))));
    assert!(matches!(int.accessor().store([1, 2], 1), Err(FrozenError::Inactive(_))));
    assert!(matches!(int.extend([([1, 1], 3), ([20, 20], 1)]), Err(FrozenError::Inactive(_))));
    let error = split.store([40, 40], [0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "`split`: [40, 40] is not active, and the topology is frozen");
    assert!(matches!(int.store([48, 2], 1), Err(FrozenError::OutOfBounds(_))));
    assert_eq!((int.load([40, 40]), int.get([1, 1])), (Ok(5), Some(3)));
    assert_eq!((grid.count(), grid.real().get([1, 1])), (1, Some(4.0)));
    grid.internal_validate();
}

#[test]
fn accessors_and_batches() {
    let mut grid = Kinds::new();
    let cells: Vec<[i32; 2]> = (0..600).map(|i| [(i * 37) % 64 - 16, (i * 11) % 64]).collect();
    let c = grid.concurrent();
    let mut accessor = c.int().accessor();
    for &p in &cells {
        let before = accessor.load(p).unwrap();
        assert_eq!(accessor.get(p).is_some(), accessor.is_active(p));
        assert_eq!(accessor.fetch_add(p, 1), Ok(before));
        assert_eq!(c.int().get(p), Some(before + 1));
    }
    accessor.add_all(cells.iter().map(|&p| (p, 2))).unwrap();
    c.wide().extend(cells.iter().map(|&p| (p, f64::from(p[0])))).unwrap();
    c.real().add_all(cells.iter().map(|&p| (p, 1.0))).unwrap();
    // Those before a cell that is out of bounds are written.
    assert!(c.int().extend([([0, 0], 100), ([99, 0], 1), ([0, 1], 100)]).is_err());
    assert_eq!((c.int().get([0, 0]), c.int().get([0, 1]) == Some(100)), (Some(100), false));
    let mut serial = Kinds::new();
    for &p in &cells {
        serial.int_mut().modify(p, |v| *v += 3);
        serial.wide_mut().set(p, f64::from(p[0]));
        serial.real_mut().modify(p, |v| *v += 1.0);
    }
    serial.int_mut().set([0, 0], 100);
    assert!(grid == serial);
    assert!(grid.int().iter().eq(serial.int().iter()));
    grid.internal_validate();
}

#[test]
fn lists() {
    let mut grid = Kinds::new();
    grid.item_mut().push([0, 0], [1; 3]).unwrap();
    let c = grid.concurrent();
    let item = c.item();
    assert_eq!((item.len([0, 0]), item.get([0, 0], 0), item.get([0, 0], 1)), (1, Some([1; 3]), None));
    for i in 1..70 {
        assert_eq!(item.push([0, 0], [i; 3]), Ok(u32::from(i)));
        assert_eq!(item.get([0, 0], i.into()), Some([i; 3]));
    }
    for _ in 0..3 {
        assert!(matches!(item.push([0, 0], [0; 3]), Err(PushError::Full(_))));
    }
    assert!(matches!(item.push([48, 0], [0; 3]), Err(PushError::OutOfBounds(_))));
    assert_eq!((item.len([0, 0]), item.finished([0, 0]).count(), item.len([30, 30])), (70, 70, 0));
    assert_eq!(item.extend([5, 5], (0..65).map(|i| [i; 3])), Ok(()));
    assert!(matches!(item.extend([5, 5], (65..80).map(|i| [i; 3])), Err(PushError::Full(_))));
    assert!(item.finished([5, 5]).eq((0..70).map(|i| (i, [i as u8; 3]))));
    assert_eq!(c.tag().push([30, 30], 3), Ok(0));
    assert_eq!(item.get([30, 30], 0), Some([0; 3]), "the background beside it");
    assert!(grid.item().list([5, 5]).iter().eq((0..70).map(|i| [i; 3])));
    assert_eq!(grid.tag().list([0, 0]).iter().collect::<Vec<_>>(), [9; 70]);
    grid.internal_validate();
    grid.item_mut().swap_remove([5, 5], 3);
    grid.item_mut().clear([0, 0]);
    grid.internal_validate();
    let item = grid.concurrent().item();
    assert_eq!((item.get([5, 5], 68), item.get([5, 5], 69), item.get([0, 0], 0)), (Some([68; 3]), None, None));
    assert_eq!(item.push([0, 0], [4; 3]), Ok(0));
    grid.internal_validate();
}
