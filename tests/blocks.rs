//! Blocks: values side by side, pieces of large ones, neighbours, coarse fields.

use sparse_layout::prelude::*;

/// A heat field in tiles that carry a flag.
#[sparse_layout(axes(x, y), hash() > tile: pointer(4) { warm, cells: bitmasked(8) { heat } })]
pub struct Tiles {
    /// Of a cell.
    #[field(background = -1.0)]
    pub heat: f32,
    /// Of a tile.
    pub warm: u8,
}

/// An image by rows.
#[sparse_layout(axes(x, y), dense(y = 300, x = 200))]
pub struct Image {
    /// Grey.
    pub grey: u16,
}

#[test]
fn blocks_hold_what_cells_hold() {
    let mut tiles = Tiles::new();
    for i in 0..60 {
        tiles.heat_mut().set([i - 20, i % 9], i as f32);
    }
    tiles.warm_mut().set([-1, 0], 7);
    let mut seen = 0;
    for block in tiles.cells().blocks() {
        assert_eq!(block.cells(), 64);
        let values = block.values(tiles.heat());
        for (c, value) in values.iter().enumerate() {
            let p = block.point(c);
            assert_eq!(*value, tiles.heat().value(p));
            let on = block.mask_word(0) >> c & 1 != 0;
            assert_eq!(on, tiles.heat().is_active(p));
            seen += u32::from(on);
        }
        assert_eq!(block.coarse(tiles.warm()), if block.origin() == [-8, 0] { 7 } else { 0 });
    }
    assert_eq!(seen, 60);
    let block = tiles.cells().block([3, 3]).unwrap();
    assert_eq!(block.neighbour([-1, 0]).unwrap().origin(), [-8, 0]);
    assert!(block.neighbour([0, 5]).is_none() && block.neighbour([i32::MAX, 0]).is_none());
}

#[test]
fn what_a_block_loop_writes_to_inactive_cells_is_lost() {
    let mut tiles = Tiles::new();
    for i in 0..60 {
        tiles.heat_mut().set([i, i], 1.0);
    }
    tiles.fields_mut().heat.par_for_each_block(|block, values| {
        for (c, v) in values.iter_mut().enumerate() {
            *v = (block.point(c)[0] * 100) as f32;
        }
    });
    tiles.internal_validate();
    assert!((0..60).all(|i| tiles.heat().get([i, i]) == Some((i * 100) as f32)));
    // The same as an iterator of rayon's: 8 blocks lie on the diagonal.
    let mut f = tiles.fields_mut();
    let sums = f.heat.par_blocks_mut().map(|mut block| {
        block.values_mut().iter_mut().for_each(|v| *v += 1.0);
        (block.block().origin()[0], block.block().count())
    });
    let mut sums: Vec<(i32, u64)> = sums.collect();
    sums.sort_unstable();
    assert_eq!(sums, [0, 8, 16, 24, 32, 40, 48, 56].map(|x| (x, if x < 56 { 8 } else { 4 })));
    tiles.internal_validate();
    assert!((0..60).all(|i| tiles.heat().get([i, i]) == Some((i * 100 + 1) as f32)));
    assert_eq!(tiles.heat().value([0, 1]), -1.0);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        tiles.fields_mut().heat.par_for_each_block(|_, values| {
            values.fill(5.0);
            panic!("in a block");
        });
    }));
    assert!(panicked.is_err());
    tiles.internal_validate();
}

#[test]
fn a_large_block_comes_in_rows() {
    let mut image = Image::new();
    image.fields_mut().grey.par_for_each_block(|block, values| {
        // Cells are numbered by rows of 200.
        assert!(block.cells() % 200 == 0 && block.cells() <= 4096);
        for (c, v) in values.iter_mut().enumerate() {
            let [x, y] = block.point(c);
            *v = (y * 200 + x) as u16;
        }
    });
    assert!(image.grey().as_slice().unwrap().iter().enumerate().all(|(i, v)| *v == i as u16));
    assert_eq!(image.leaf().blocks().map(|b| b.cells()).sum::<usize>(), 60_000);
    assert_eq!(image.leaf().block([5, 299]).unwrap().origin(), [0, 280]);
}
