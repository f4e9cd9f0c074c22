//! Building in bulk, and back: against cells set one by one.
//!
//! The layouts are spread over a few test programs: each costs the compiler a while.

use rayon::ThreadPoolBuilder;

/// A generator for tests (Lehmer's, with the multiplier of L'Ecuyer's table).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: i32) -> i32 {
        self.0 = self.0.wrapping_mul(0xDA94_2042_E4DD_58B5) | 1;
        ((self.0 >> 33) % n as u64) as i32
    }
}

pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Distinct coordinates in clusters between `lo` and `hi`, shuffled.
pub(crate) fn clusters<const D: usize>(lo: [i32; D], hi: [i32; D], n: usize) -> Vec<[i32; D]> {
    let mut random = Random(17);
    let mut seen = std::collections::BTreeSet::new();
    let mut list = Vec::new();
    let mut centre = lo;
    while list.len() < n {
        if list.len() % 50 == 0 {
            centre = std::array::from_fn(|j| lo[j] + random.below(hi[j] - lo[j]));
        }
        let p: [i32; D] = std::array::from_fn(|j| (centre[j] + random.below(13) - 6).clamp(lo[j], hi[j] - 1));
        if seen.insert(p) {
            list.push(p);
        } else {
            centre = std::array::from_fn(|j| lo[j] + random.below(hi[j] - lo[j]));
        }
    }
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i as i32 + 1) as usize);
    }
    list
}

/// Tests for each layout: dimension, least and greatest coordinates, and number of cells.
macro_rules! layouts {
    ($($test:ident: $d:literal, $lo:expr, $hi:expr, $n:literal, #[$($attribute:tt)*];)*) => { $(
        mod $test {
            use crate::bulk_common::{clusters, on_threads};
            use sparse_layout::CellBlock;
            use sparse_layout::prelude::*;
            use std::collections::BTreeMap;

            #[$($attribute)*]
            pub(crate) struct Subject {
                #[field(background = 2.5)]
                pub(crate) a: f32,
                pub(crate) b: [i16; 2],
            }

            type P = [i32; $d];

            fn cells() -> Vec<(P, SubjectCell)> {
                let coords = clusters::<$d>($lo, $hi, $n);
                coords.into_iter().enumerate().map(|(i, p)| (p, record(i as i16))).collect()
            }

            fn record(i: i16) -> SubjectCell {
                SubjectCell { a: f32::from(i), b: [i, -i] }
            }

            fn one_by_one(cells: &[(P, SubjectCell)]) -> Subject {
                let mut grid = Subject::new();
                cells.iter().for_each(|(p, cell)| grid.set_cell(p, *cell));
                grid
            }

            #[test]
            fn builds_the_same_grid() {
                let mut cells = cells();
                let expected = one_by_one(&cells);
                for threads in [1, 2, 8] {
                    let grid = on_threads(threads, || Subject::from_cells(cells.iter().copied()).unwrap());
                    grid.internal_validate();
                    assert!(grid == expected, "{threads} threads");
                    cells.reverse();
                }
                let collected: Subject = cells.iter().copied().collect();
                assert!(collected == expected);
                assert!(Subject::from_cells(Vec::<(P, SubjectCell)>::new()).unwrap() == Subject::new());
            }

            #[test]
            fn extends_a_grid_and_reuses_nodes() {
                let cells = cells();
                let (old, new) = cells.split_at(cells.len() / 3);
                let mut grid = Subject::new();
                for _ in 0..2 {
                    grid.extend(old.iter().copied());
                    grid.extend_cells(new.iter().copied()).unwrap();
                    grid.internal_validate();
                    assert!(grid == one_by_one(&cells));
                    grid.clear();
                }
            }

            #[test]
            fn the_last_of_a_cell_wins_or_they_combine() {
                let mut twice = cells();
                let again: Vec<_> = twice.iter().step_by(3).map(|(p, cell)| (*p, record(cell.b[0] / 2))).collect();
                twice.extend(again);
                for threads in [1, 2, 8] {
                    let grid = on_threads(threads, || Subject::from_cells(twice.iter().copied()).unwrap());
                    assert!(grid == one_by_one(&twice), "{threads} threads");
                }
                let mut sums: BTreeMap<P, i16> = BTreeMap::new();
                twice.iter().for_each(|(p, cell)| *sums.entry(*p).or_default() += cell.b[0]);
                let mut grid = Subject::new();
                grid.combine_cells(twice.iter().copied(), |there, new| there.b[0] += new.b[0]).unwrap();
                grid.internal_validate();
                sums.iter().for_each(|(p, sum)| assert_eq!(grid.b().value(p)[0], *sum, "{p:?}"));
            }

            #[test]
            fn fields_and_activity() {
                let cells = cells();
                let coords: Vec<P> = cells.iter().map(|c| c.0).collect();
                let mut grid = Subject::from_coords(&coords).unwrap();
                grid.internal_validate();
                let mut expected = Subject::new();
                coords.iter().for_each(|p| expected.a_mut().set(p, 2.5));
                assert!(grid == expected);
                let values: Vec<[i16; 2]> = cells.iter().map(|c| c.1.b).collect();
                grid.b_mut().set_many(&coords, &values).unwrap();
                coords.iter().zip(&values).for_each(|(p, v)| assert_eq!(grid.b().get(p), Some(*v)));
                let mut by_level = Subject::new();
                by_level.leaf_mut().activate_all(&coords);
                assert!(by_level == expected);
            }

            #[test]
            fn back_to_lists_and_arrays() {
                let cells = cells();
                let grid = one_by_one(&cells);
                let (coords, values) = grid.b().to_coords_values();
                assert_eq!(coords, grid.leaf().to_coords());
                assert_eq!(coords.into_iter().zip(values).collect::<Vec<_>>(), grid.b().iter().collect::<Vec<_>>());
                let copy = Subject::from_cells(grid.to_cells::<SubjectCell>()).unwrap();
                assert!(copy == grid);
                let middle = cells[0].0;
                let region = Region::new(middle.map(|x| x - 5), middle.map(|x| x + 6));
                let dense = grid.a().to_dense(region);
                assert_eq!(dense.len() as u64, region.len());
                region.iter().zip(&dense).for_each(|(p, v)| assert_eq!(*v, grid.a().value(p), "{p:?}"));
                let inside = |p: &P| (0..$d).all(|j| $lo[j] <= p[j] && p[j] < $hi[j]);
                let mut again = Subject::new();
                again.a_mut().set_dense(region, &dense).unwrap();
                again.internal_validate();
                for p in region.iter().filter(inside) {
                    assert_eq!(again.a().value(p), grid.a().value(p), "{p:?}");
                }
                let records: Vec<_> = region.iter().map(|p| SubjectCell { a: grid.a().value(p), b: grid.b().value(p) }).collect();
                let from_dense = Subject::from_dense(region, &records).unwrap();
                from_dense.internal_validate();
                for p in region.iter().filter(inside) {
                    assert_eq!(from_dense.b().value(p), grid.b().value(p), "{p:?}");
                }
            }

            #[test]
            fn blocks_leave_and_return() {
                let cells = cells();
                let full = one_by_one(&cells);
                let mut grid = full.clone();
                let mut blocks: Vec<CellBlock<SubjectCell>> = Vec::new();
                while let Some((p, _)) = grid.b().iter().find(|(_, b)| *b != [0, 0]) {
                    let block = grid.take_block::<SubjectCell>(p).unwrap();
                    if blocks.len() % 16 == 0 {
                        grid.internal_validate();
                    }
                    assert!(block.cells().iter().any(|(q, _)| *q == p));
                    blocks.push(block);
                    assert_eq!(grid.b().value(p), [0, 0]);
                }
                let built = Subject::from_blocks(blocks.clone()).unwrap();
                built.internal_validate();
                cells.iter().for_each(|(p, cell)| assert_eq!(built.b().value(p), cell.b, "{p:?}"));
                for block in &blocks {
                    grid.insert_block(block).unwrap();
                }
                grid.internal_validate();
                cells.iter().for_each(|(p, cell)| assert_eq!(grid.a().value(p), cell.a, "{p:?}"));
            }
        }
    )* };
}
pub(crate) use layouts;
