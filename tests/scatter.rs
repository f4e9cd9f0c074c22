//! Binning and scattering.

#[allow(dead_code, unused_imports, unused_macros, reason = "shared between test programs")]
mod bulk_common;

use bulk_common::{Random, on_threads};
use sparse_layout::prelude::*;
use sparse_layout::{Bin, Halo};
use std::collections::BTreeMap;

macro_rules! subjects {
    ($($test:ident: $d:literal, $lo:expr, $hi:expr, #[$($attribute:tt)*];)*) => { $(
        mod $test {
            use super::*;

            #[$($attribute)*]
            pub(crate) struct Field {
                pub(crate) mass: f32,
                pub(crate) moment: [f64; 2],
            }

            type P = [i32; $d];

            /// Points whose window `-1..=1` is in bounds.
            fn points(n: usize) -> Vec<[f32; $d]> {
                let mut random = Random(5);
                let mut coordinate = |j: usize| {
                    let span: [i32; $d] = std::array::from_fn(|j| $hi[j] - $lo[j] - 2);
                    ($lo[j] + 1 + random.below(span[j])) as f32 + random.below(1024) as f32 / 1024.0
                };
                (0..n).map(|_| std::array::from_fn(&mut coordinate)).collect()
            }

            fn cell(p: &[f32; $d]) -> P {
                p.map(|x| x.floor() as i32)
            }

            #[test]
            fn bins_hold_each_point_once_in_order() {
                let grid = Field::new();
                let points = points(3000);
                let bins = on_threads(8, || grid.leaf().bin_by_block(&points, cell).unwrap());
                let mut seen = vec![false; points.len()];
                for bin in bins.iter() {
                    assert!(bin.items().windows(2).all(|i| i[0] < i[1]));
                    assert_eq!(&bins.permutation()[bin.range()], bin.items());
                    for &i in bin.items() {
                        assert!(!std::mem::replace(&mut seen[i as usize], true));
                        assert!(cell(&points[i as usize]).iter().zip(bin.origin()).all(|(x, o)| *x >= o));
                    }
                }
                assert!(seen.iter().all(|s| *s));
                assert!(grid.leaf().bin_by_block(&points[..0], cell).unwrap().is_empty());
            }

            #[test]
            fn sums_are_complete_and_reproducible() {
                let points = points(3000);
                // Whole numbers: sums are exact in any order.
                let mut expected: BTreeMap<P, f32> = BTreeMap::new();
                for (i, p) in points.iter().enumerate() {
                    let first = cell(p).map(|x| x - 1);
                    for offset in Region::new([0; $d], [3; $d]).iter() {
                        let weight = 1 + i as i32 % 5 + offset[0];
                        *expected.entry(first.offset(offset)).or_default() += weight as f32;
                    }
                    *expected.entry(cell(p)).or_default() += 100.0;
                }
                for threads in [1, 2, 8] {
                    let grid = on_threads(threads, || {
                        let mut grid = Field::new();
                        let bins = grid.leaf().bin_by_block(&points, cell).unwrap();
                        let fill = |bin: &Bin<'_, P>, halo: &mut Halo<P, f32>| {
                            for &i in bin.items() {
                                let c = cell(&points[i as usize]);
                                halo.add(c, 100.0);
                                halo.add_window::<3>(c.map(|x| x - 1), |o| (1 + i as i32 % 5 + o[0]) as f32);
                            }
                        };
                        grid.mass_mut().par_for_each_bin(&bins, -1..=1, fill).unwrap();
                        grid
                    });
                    grid.internal_validate();
                    for (p, sum) in &expected {
                        assert_eq!(grid.mass().get(p), Some(*sum), "{p:?}");
                    }
                    let total: f64 = grid.mass().iter().map(|(_, m)| f64::from(m)).sum();
                    assert_eq!(total, expected.values().map(|m| f64::from(*m)).sum::<f64>());
                }
            }

            #[test]
            fn records_take_real_sums_bit_for_bit() {
                let points = points(2000);
                let run = |threads| {
                    on_threads(threads, || {
                        let mut grid = Field::new();
                        let bins = grid.leaf().bin_by_block(&points, cell).unwrap();
                        let fill = |bin: &Bin<'_, P>, halo: &mut Halo<P, [f64; 3]>| {
                            for p in bin.items().iter().map(|i| points[*i as usize]) {
                                let f = p.map(|x| f64::from(x - x.floor()));
                                halo.add_window::<2>(cell(&p), |o| {
                                    let side = |j: usize| if o[j] == 0 { 1.0 - f[j] } else { f[j] };
                                    let w: f64 = (0..$d).map(side).product();
                                    [w, w * f64::from(p[0]), 0.1 * w]
                                });
                            }
                        };
                        let merge = |cell: &mut FieldCell, s: [f64; 3]| {
                            cell.mass += s[0] as f32;
                            cell.moment[0] += s[1];
                            cell.moment[1] += s[2];
                        };
                        grid.par_for_each_bin(&bins, 0..=1, fill, merge).unwrap();
                        grid
                    })
                };
                let one = run(1);
                one.internal_validate();
                assert!(one == run(2) && one == run(8));
                let sum: f64 = one.moment().iter().map(|(_, m)| m[0]).sum();
                let expected: f64 = points.iter().map(|p| f64::from(p[0])).sum();
                assert!((sum - expected).abs() <= 1e-9 * points.len() as f64 * 1000.0, "{sum} {expected}");
            }
        }
    )* };
}

subjects! {
    tree: 3, [-40, -40, -40], [40, 40, 40], #[sparse_layout(axes(x, y, z), hash() > pointer(4) > bitmasked(8))];
    nested: 2, [-50, 0], [70, 128],
        #[sparse_layout(axes(x = -50..70, y), pointer(x = 10, y = 8) > bitmasked(x = 4, y = 4) > bitmasked(x = 3, y = 4), allow(non_power_of_two))];
    image: 2, [0, 0], [256, 256], #[sparse_layout(axes(x, y), bitmasked(256, morton))];
    line: 1, [-900], [900], #[sparse_layout(axes(x), hash() > dense(100, aos), allow(non_power_of_two))];
}

#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
pub(crate) struct Small {
    pub(crate) a: i32,
}

#[test]
#[should_panic(expected = "does not lie in the bin's block and margin")]
fn adding_out_of_reach_panics() {
    let mut small = Small::new();
    let bins = small.leaf().bin_by_block(&[[3, 3]], |p| *p).unwrap();
    small.a_mut().par_for_each_bin(&bins, 0..=1, |_, halo| halo.add([9, 3], 1)).unwrap();
}

#[test]
fn margins_at_the_ends_of_the_coordinates() {
    let mut small = Small::new();
    let corners = [[i32::MIN, i32::MAX], [i32::MAX, i32::MIN]];
    let bins = small.leaf().bin_by_block(&corners, |p| *p).unwrap();
    let fill = |bin: &Bin<'_, [i32; 2]>, halo: &mut Halo<[i32; 2], i32>| {
        for &i in bin.items() {
            halo.add(corners[i as usize], 3);
            assert!(!halo.contains([0, 0]));
        }
    };
    small.a_mut().par_for_each_bin(&bins, -2..=2, fill).unwrap();
    small.internal_validate();
    assert_eq!(small.a().iter().collect::<Vec<_>>(), [([i32::MIN, i32::MAX], 3), ([i32::MAX, i32::MIN], 3)]);
}
