//! Dynamic levels: a list per cell.

use sparse_layout::prelude::*;
use std::collections::BTreeMap;

/// Particles by block, beside a mass per block.
#[sparse_layout(axes(x, y), hash() > pointer(4) > block: bitmasked(4) { mass, dynamic(i, max = 20, chunk = 3) { particle, age } })]
pub struct Bins {
    /// Particles of the block.
    pub particle: [f32; 2],
    /// One per particle.
    #[field(background = 7)]
    pub age: u8,
    /// Of the block.
    pub mass: f32,
}

/// One list for the whole row of cells.
#[sparse_layout(axes(x), dense(3) > dynamic(i, max = 200000))]
#[derive(Debug)]
pub struct Rows {
    /// Items.
    pub item: u32,
}

/// Lists of records below a pointer level.
#[sparse_layout(axes(x, y, z), pointer(3, 5, 2) > dynamic(i, max = 9, chunk = 4, aos))]
pub struct Records {
    /// A key.
    pub key: u64,
    /// A byte beside it.
    pub tag: u8,
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % n
    }
}

#[test]
fn random_operations_agree_with_a_map() {
    let mut rng = Rng(11);
    let mut bins = Bins::new();
    let mut model: BTreeMap<[i32; 2], Vec<[f32; 2]>> = BTreeMap::new();
    for step in 0..2000 {
        let key = [rng.below(40) as i32 - 20, rng.below(3) as i32];
        let value = [step as f32, 1.0];
        match rng.below(20) {
            0..13 => {
                let list = model.entry(key).or_default();
                let pushed = bins.particle_mut().push(key, value);
                if list.len() < 20 {
                    assert_eq!(pushed, Ok(list.len() as u32));
                    list.push(value);
                } else {
                    assert!(pushed.unwrap_err().to_string().contains("at most 20 items"));
                }
            }
            13..16 => {
                let list = model.entry(key).or_default();
                let i = rng.below(20) as usize;
                let out = (i < list.len()).then(|| list.swap_remove(i));
                assert_eq!(bins.particle_mut().swap_remove(key, i), out);
            }
            16 => {
                bins.particle_mut().clear(key);
                model.remove(&key);
            }
            17 => {
                bins.particle_mut().retain(|_, v| v[0] % 3.0 != 0.0);
                model.values_mut().for_each(|l| l.retain(|v| v[0] % 3.0 != 0.0));
            }
            18 => {
                bins.block_mut().deactivate(key);
                model.remove(&key);
            }
            _ => {
                let copy = bins.clone();
                assert!(copy == bins);
                bins = copy;
            }
        }
        if step % 50 == 0 {
            bins.internal_validate();
        }
        assert_eq!(bins.particle().list(key).iter().collect::<Vec<_>>(), model.get(&key).cloned().unwrap_or_default());
    }
    let total: usize = model.values().map(Vec::len).sum();
    assert_eq!(bins.particle().total(), total as u64);
    // Blocks are visited by key of the hash level, then by cell number; items by number.
    let mut expected: Vec<_> = model.iter().flat_map(|(p, l)| (0..).zip(l).map(|(i, v)| (*p, i, *v))).collect();
    let place = |c: i32| (c.div_euclid(16), c.rem_euclid(16) / 4, c.rem_euclid(4));
    expected.sort_by_key(|([x, y], i, _)| {
        let ((hx, px, cx), (hy, py, cy)) = (place(*x), place(*y));
        (hx, hy, px, py, cx, cy, *i)
    });
    assert_eq!(bins.particle().iter().collect::<Vec<_>>(), expected);
    assert_eq!(bins.particle().par_iter().collect::<Vec<_>>(), expected);
    assert!(bins.age().iter().all(|(_, _, a)| a == 7));
}

#[test]
fn items_change_in_parallel_beside_other_fields() {
    let mut bins = Bins::new();
    for i in 0..100 {
        bins.particle_mut().push([i % 7, 0], [i as f32, 0.0]).unwrap();
    }
    bins.mass_mut().set([3, 0], 2.0);
    let mut f = bins.fields_mut();
    f.particle.par_for_each(|p, i, v| v[1] = f.mass.value(p) + i as f32);
    f.age.par_for_each(|_, i, a| *a = i as u8);
    assert_eq!(f.particle.list([3, 0]).get(2), Some([17.0, 4.0]));
    let chunks: Vec<usize> = f.particle.list_mut([1, 0]).into_chunks().map(|c| c.len()).collect();
    assert_eq!(chunks, [3, 3, 3, 3, 3]);
    assert_eq!(bins.age().list([6, 0]).iter().collect::<Vec<_>>(), (0..14).collect::<Vec<u8>>());
    bins.internal_validate();
}

#[test]
fn rebinning_moves_whole_items_and_keeps_their_order() {
    let mut bins = Bins::new();
    for i in 0..60u8 {
        bins.particle_mut().push([i32::from(i) % 5, 0], [f32::from(i), 0.0]).unwrap();
    }
    bins.fields_mut().age.par_for_each(|[x, _], i, a| *a = (5 * i as i32 + x) as u8);
    bins.particle_mut().rebin(|v| [-(v[0] as i32 % 3), 9]).unwrap();
    bins.internal_validate();
    for r in 0..3 {
        let list: Vec<u8> = bins.age().list([-r, 9]).iter().collect();
        let mut expected: Vec<u8> = (0..60).filter(|i| i32::from(*i) % 3 == r).collect();
        // Lists were read one after the other: by i % 5, then i.
        expected.sort_by_key(|i| (i % 5, *i));
        assert_eq!(list, expected);
        assert!(bins.particle().list([-r, 9]).iter().zip(&list).all(|(v, a)| v[0] == f32::from(*a)));
    }
    assert_eq!(bins.particle().len([2, 0]), 0);
    // 21 items do not fit: nothing changes.
    bins.particle_mut().push([-1, 9], [1.0, 0.0]).unwrap_err();
    let before = bins.clone();
    assert!(bins.particle_mut().rebin(|_| [0, 0]).is_err());
    assert!(bins == before);
}

#[test]
fn a_long_list_and_an_empty_grid() {
    let mut rows = Rows::new();
    assert_eq!(rows.item().len([1]), 0);
    assert_eq!(rows.item().iter().count(), 0);
    for i in 0..100_000 {
        assert_eq!(rows.item_mut().push([1], i), Ok(i));
    }
    assert!(rows.item().list([1]).iter().eq(0..100_000));
    assert!(rows.item().is_empty([0]) && rows.item().is_empty([-1]));
    rows.internal_validate();
    rows.clear();
    assert_eq!(rows.item().total(), 0);
    rows.internal_validate();
}

#[test]
#[should_panic(expected = "Rows: `item`: [3] is out of bounds [0..3]")]
fn pushing_out_of_bounds_panics() {
    let _ = Rows::new().item_mut().push([3], 1);
}

#[test]
fn records_stand_together() {
    let mut records = Records::new();
    for i in 0..9 {
        records.key_mut().push([2, 4, 1], i * 1_000_000_007).unwrap();
    }
    records.fields_mut().tag.par_for_each(|_, i, t| *t = i as u8 + 1);
    assert_eq!(records.key_mut().swap_remove([2, 4, 1], 0), Some(0));
    assert_eq!(records.tag().list([2, 4, 1]).iter().collect::<Vec<_>>(), [9, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(records.key().get([2, 4, 1], 0), Some(8_000_000_056));
    records.internal_validate();
}

#[test]
fn lists_are_filled_in_bulk_as_if_pushed_one_by_one() {
    let mut rng = Rng(5);
    let items: Vec<u32> = (0..5000).map(|_| rng.below(1 << 30) as u32).collect();
    let (mut bulk, mut single) = (Rows::new(), Rows::new());
    for part in items.chunks(1700) {
        bulk.item_mut().extend_by(part, |v| [(v % 3) as i32]).unwrap();
        for v in part {
            single.item_mut().push([(v % 3) as i32], *v).unwrap();
        }
        bulk.internal_validate();
        assert!(bulk == single);
    }
    let mut bins = Bins::new();
    bins.particle_mut().push([0, 0], [0.0, 0.0]).unwrap();
    let before = bins.clone();
    assert!(bins.particle_mut().extend_by(&[[1.0, 0.0]; 20], |_| [0, 0]).is_err());
    assert!(bins == before);
    bins.particle_mut().extend_by(&[[1.0, 0.0]; 19], |_| [0, 0]).unwrap();
    assert_eq!(bins.age().list([0, 0]).iter().collect::<Vec<_>>(), [7; 20]);
    bins.internal_validate();
}
