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

/// Two fields in one level, and one above.
#[sparse_layout(axes(x, y), hash() > tile: pointer(4) { limit, cells: bitmasked(x = 7, y = 5) { mass, speed } }, allow(non_power_of_two))]
pub struct Snow {
    /// Of a cell.
    #[field(background = 2.0)]
    pub mass: f32,
    /// Of a cell.
    #[field(background = -3)]
    pub speed: i16,
    /// Of a tile.
    #[field(background = 10)]
    pub limit: i16,
}

#[test]
fn blocks_of_several_fields_are_lent_together() {
    let mut snow = Snow::new();
    for i in 0..50 {
        snow.mass_mut().set([i * 3 - 70, i % 11], i as f32);
    }
    snow.limit_mut().set([0, 0], 4);
    let mut f = snow.fields_mut();
    let limit = f.limit.as_field();
    (&mut f.speed, &f.mass).par_for_each_block(|block, (speed, mass)| {
        assert_eq!((speed.len(), mass.len()), (35, 35));
        for (speed, mass) in speed.iter_mut().zip(mass) {
            *speed = (*mass as i16).min(block.coarse(limit));
        }
    });
    snow.internal_validate();
    let mut seen = 0;
    for ([x, y], speed) in snow.speed().iter() {
        let i = (x + 70) / 3;
        let limit = if (0..7).contains(&x) && (0..5).contains(&y) { 4 } else { 10 };
        assert_eq!(i32::from(speed), i.min(limit), "{x} {y}");
        seen += 1;
    }
    assert_eq!(seen, 50);
    assert_eq!(snow.speed().value([-71, 0]), -3, "an inactive cell of a visited block");
    let mut f = snow.fields_mut();
    let sums = (&f.mass, &mut f.speed).par_blocks_mut().map(|mut block| {
        let (mass, speed) = block.values_mut();
        speed.fill(1);
        mass.len()
    });
    let cells: usize = sums.sum();
    assert_eq!(cells, 35 * snow.cells().blocks().count());
    assert_eq!(snow.speed().iter().map(|(_, v)| i64::from(v)).sum::<i64>(), 50);
    snow.internal_validate();
}
