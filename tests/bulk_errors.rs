//! Building in bulk: what is refused, and what then has not happened.

use sparse_layout::prelude::*;
use sparse_layout::{BulkError, CellBlock};

#[sparse_layout(axes(x = -8..24, y = 0..64), pointer(4) > bitmasked(x = 8, y = 16))]
pub(crate) struct Board {
    pub(crate) a: u32,
}

#[test]
fn out_of_bounds_is_counted_and_nothing_is_built() {
    let mut board = Board::from_coords([[0, 0]]).unwrap();
    let before = board.clone();
    let cells = [([1, 1], 1), ([-9, 0], 2), ([2, 2], 3), ([0, 64], 4), ([24, 5], 5)];
    let cells = cells.map(|(p, a)| (p, BoardCell { a }));
    let error = board.extend_cells(cells).unwrap_err();
    let BulkError::OutOfBounds { first, index, count } = &error else { panic!("{error}") };
    assert_eq!((first.point(), *index, *count), (&[-9, 0][..], 1, 3));
    assert_eq!(first.bounds(), [(-8, 24), (0, 64)]);
    assert!(error.to_string().contains("[-9, 0]") && error.to_string().contains("2 more"), "{error}");
    assert!(board == before);
    board.internal_validate();
}

#[test]
#[should_panic(expected = "out of bounds")]
fn collecting_panics_out_of_bounds() {
    let _: Board = [([0, 99], BoardCell { a: 1 })].into_iter().collect();
}

#[test]
fn arrays_must_fit_their_region() {
    let region = Region::new([0, 0], [2, 3]);
    let error = Board::from_dense(region, &[BoardCell { a: 1 }; 5]).unwrap_err();
    assert_eq!(error, BulkError::Length { values: 5, cells: 6 });
}

#[test]
#[should_panic(expected = "does not lie in the block")]
fn a_block_holds_its_own_cells_only() {
    let mut block = CellBlock::new([0, 0]);
    block.push([8, 0], BoardCell { a: 1 });
    Board::new().insert_block(&block).unwrap();
}

#[test]
fn a_panic_while_combining_leaves_a_valid_grid() {
    let mut board = Board::new();
    let cells: Vec<_> = (0..32 * 64).map(|i| ([i % 32 - 8, i / 32], BoardCell { a: 7 })).collect();
    board.extend_cells(cells.iter().copied()).unwrap();
    board.clear();
    // Nodes are used again now, and still hold old values until they are prepared.
    let twice: Vec<_> = cells.iter().chain(&cells).copied().collect();
    let result =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| board.combine_cells(twice, |_, _| panic!("enough"))));
    assert!(result.is_err());
    board.internal_validate();
}
