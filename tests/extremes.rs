//! Coordinates at the ends of `i32`, blocks that stick out, element types of every width, and small stacks.

use bytemuck::{Pod, Zeroable};
use sparse_layout::prelude::*;
use sparse_layout::{Field, GridFieldMut, Level, LevelView};

/// Unbounded in every axis.
#[sparse_layout(axes(x, y, z), root: hash() > upper: pointer(16) > lower: pointer(16) > cells: bitmasked(8))]
pub struct Vdb {
    /// A number.
    pub a: u32,
}

/// Blocks that do not divide 2^32.
#[sparse_layout(axes(x, y), tile: hash() > cells: dense(3, 10), allow(non_power_of_two))]
pub struct Odd {
    /// A number.
    pub a: u32,
}

/// A tile holds 2^20 cells of an axis.
#[sparse_layout(axes(i), tile: hash() { mean, pointer(1024) > cells: bitmasked(1024) { a } })]
pub struct Deep {
    /// A number.
    pub a: u32,
    /// Of a tile.
    pub mean: f32,
}

const ENDS: [i32; 6] = [i32::MIN, i32::MIN + 1, -1, 0, i32::MAX - 1, i32::MAX];

/// Sets every combination of `ENDS`, and reads it back in every way.
fn write_and_read<L: Level<Point = [i32; D]>, const D: usize>(mut field: GridFieldMut<'_, L, u32>) {
    let points: Vec<[i32; D]> =
        (0..6usize.pow(D as u32)).map(|n| std::array::from_fn(|j| ENDS[n / 6usize.pow(j as u32) % 6])).collect();
    for (i, p) in points.iter().enumerate() {
        field.set(*p, i as u32 + 1);
    }
    let mut accessor = field.accessor();
    for (i, p) in points.iter().enumerate() {
        assert_eq!(field.get(*p), Some(i as u32 + 1), "{p:?}");
        assert_eq!(accessor.get(*p), Some(i as u32 + 1), "{p:?}");
    }
    let mut seen: Vec<_> = field.iter().filter(|(_, v)| *v != 0).map(|(p, _)| p).collect();
    assert_eq!(field.par_iter().filter(|(_, v)| *v != 0).count(), seen.len());
    let mut expected = points;
    seen.sort_unstable();
    expected.sort_unstable();
    assert_eq!(seen, expected);
    let all: Vec<_> = field.iter().map(|(p, _)| p).collect();
    assert!(all.iter().all(|p| field.is_active(*p)));
    let mut unique = all.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), all.len(), "a cell is visited twice");
    // The half-open box that ends at the last coordinate but one.
    let region = Region::new([i32::MAX - 1; D], [i32::MAX; D]);
    assert_eq!(field.as_field().iter_in(region).map(|(p, _)| p).collect::<Vec<_>>(), [[i32::MAX - 1; D]]);
    field.par_for_each(|p, v| *v = p[0] as u32);
    assert!(field.iter().all(|(p, v)| v == p[0] as u32));
}

fn bounds<L: Level<Point = [i32; D]>, const D: usize>(view: LevelView<'_, L>) {
    let hull = view.bounding_box().expect("something is active");
    assert_eq!((hull.lo, hull.hi), ([i32::MIN; D], [i32::MAX; D]));
}

#[test]
fn cells_at_both_ends() {
    let mut vdb = Vdb::new();
    write_and_read(vdb.a_mut());
    vdb.internal_validate();
    bounds(vdb.cells());
    assert_eq!(vdb.count(), 216);
    let copy = vdb.clone();
    assert!(copy == vdb);
    let mut odd = Odd::new();
    write_and_read(odd.a_mut());
    odd.internal_validate();
    bounds(odd.cells());
    assert_eq!(odd.a().iter().count() as u64, odd.count());
    let mut deep = Deep::new();
    write_and_read(deep.a_mut());
    deep.internal_validate();
    bounds(deep.cells());
}

#[test]
fn blocks_that_stick_out_have_the_cells_that_exist() {
    let mut odd = Odd::new();
    // floor(i32::MIN / 3) * 3 is i32::MIN - 1, floor(i32::MIN / 10) * 10 is i32::MIN - 2.
    odd.a_mut().set([i32::MIN, i32::MIN], 1);
    assert_eq!(odd.count(), 2 * 8);
    assert_eq!(odd.cells().len(), 16);
    assert_eq!(odd.a().iter().next(), Some(([i32::MIN, i32::MIN], 1)));
    assert_eq!(odd.cells().blocks().map(|b| b.count()).sum::<u64>(), 16);
    // i32::MAX is 3 * 715827882 + 1 and 10 * 214748364 + 7.
    odd.a_mut().set([i32::MAX, i32::MAX], 1);
    assert_eq!(odd.count(), 16 + 2 * 8);
    assert_eq!(odd.a().iter().last(), Some(([i32::MAX, i32::MAX], 1)));
    odd.fields_mut().a.par_for_each_block(|_, values| values.fill(9));
    assert_eq!(odd.a().iter().map(|(_, v)| v).sum::<u32>(), 9 * 32);
    let mut other = Odd::new();
    other.a_mut().extend(odd.a().iter());
    assert!(other == odd);
}

#[test]
fn coarse_cells_outside_of_i32_do_not_exist() {
    let mut deep = Deep::new();
    // Tiles of 2^20 cells: from -2^11 to 2^11 - 1.
    for cell in [-2048, 2047] {
        deep.mean_mut().set([cell], 1.0);
    }
    for cell in [-2049, 2048, i32::MIN, i32::MAX] {
        let error = deep.mean_mut().try_set([cell], 1.0).unwrap_err();
        assert_eq!(error.to_string(), format!("`mean`: [{cell}] is out of bounds [-2048..2048]"));
        assert!(deep.tile_mut().try_activate([cell]).is_err());
        assert_eq!((deep.mean().get([cell]), deep.mean().value([cell])), (None, 0.0));
    }
    assert_eq!(deep.tile().iter().collect::<Vec<_>>(), [[-2048], [2047]]);
    assert!(deep.mean_mut().set_many(&[[2048]], &[1.0]).is_err());
    deep.internal_validate();
    assert_eq!(Deep::a_to_tile([i32::MIN]), [-2048]);
    assert_eq!(Deep::a_to_tile([i32::MAX]), [2047]);
}

/// Widths that are mixed, 16 bytes.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Body {
    mass: f64,
    kind: u32,
    near: u16,
    flags: [u8; 2],
}

macro_rules! widths {
    ($($name:ident ($($option:tt)*))*) => { $(
        #[test]
        fn $name() {
            /// A field of each width.
            #[sparse_layout(axes(x, y), hash() > tile: pointer(2) { id, bitmasked(4, 2 $($option)*) { byte, half, single, double, vector, body, narrow, wide } })]
            struct Widths {
                #[field(background = 250)]
                byte: u8,
                half: half::f16,
                #[field(background = -1.5)]
                single: f32,
                double: f64,
                vector: [f32; 3],
                #[field(background = Body { mass: 2.0, kind: 1, near: 3, flags: [4, 5] })]
                body: Body,
                narrow: [u8; 3],
                wide: u128,
                id: u64,
            }

            let mut grid = Widths::new();
            for i in -40..40 {
                let p = [i, 3 * i];
                grid.byte_mut().set(p, i as u8);
                grid.half_mut().set(p, half::f16::from_f32(i as f32));
                grid.double_mut().set(p, f64::from(i) / 3.0);
                grid.vector_mut().set(p, [i as f32, 0.5, -1.0]);
                grid.body_mut().modify(p, |b| b.kind = b.kind.wrapping_add(i as u32));
                grid.narrow_mut().set(p, [i as u8, 1, 2]);
                grid.wide_mut().set(p, u128::MAX - i as u8 as u128);
                grid.id_mut().set([i.div_euclid(4), (3 * i).div_euclid(2)], i as u64);
            }
            grid.internal_validate();
            for i in -40..40 {
                let p = [i, 3 * i];
                assert_eq!(grid.byte().get(p), Some(i as u8));
                assert_eq!(grid.half().get(p), Some(half::f16::from_f32(i as f32)));
                assert_eq!(grid.single().get(p), Some(-1.5));
                assert_eq!(grid.double().get(p), Some(f64::from(i) / 3.0));
                assert_eq!(grid.vector().get(p), Some([i as f32, 0.5, -1.0]));
                assert_eq!(grid.body().get(p), Some(Body { mass: 2.0, kind: 1u32.wrapping_add(i as u32), near: 3, flags: [4, 5] }));
                assert_eq!(grid.narrow().get(p), Some([i as u8, 1, 2]));
                assert_eq!(grid.wide().get(p), Some(u128::MAX - i as u8 as u128));
                raw(&grid, grid.body(), p);
                raw(&grid, grid.narrow(), p);
                raw(&grid, grid.wide(), p);
                raw(&grid, grid.half(), p);
            }
            assert_eq!(grid.byte().value([1000, 0]), 250);
            assert_eq!(grid.id().iter().count(), 80);
            assert!(grid.body().iter().all(|([x, _], b)| b.kind == 1u32.wrapping_add(x as u32)));
            assert!(grid.clone() == grid);
        }
    )* };
}
widths! { widths_apart() widths_in_blocks(, aosoa) widths_in_records(, aos) }

#[test]
fn a_node_of_2_to_the_32_cells() {
    #[sparse_layout(axes(x, y), tile: pointer(2) > cells: bitmasked(65536))]
    struct Plain {
        a: u8,
    }
    let mut plain = Plain::new();
    let cells = [[0, 0], [131_071, 131_071], [65_535, 65_536], [65_536, 0], [131_071, 3]];
    for round in 0..2 {
        plain.a_mut().set_many(&cells, &[1, 2, 3, 4, 5]).unwrap();
        plain.cells_mut().activate_all([[70_000, 70_000]]);
        assert!(cells.iter().zip(1..).all(|(p, a)| plain.a().get(*p) == Some(a)));
        // Row by row of tiles, then of cells.
        let expected = [[0, 0], [65_535, 65_536], [65_536, 0], [131_071, 3], [70_000, 70_000], [131_071, 131_071]];
        assert_eq!(plain.a().iter().map(|(p, _)| p).collect::<Vec<_>>(), expected);
        assert_eq!((plain.count(), plain.tile().len()), (6, 4));
        // What is touched is in huge pages.
        assert!(plain.memory().resident < 96 << 20, "{}", plain.memory());
        // In the second round, nodes are used again.
        if round == 0 {
            plain.clear();
        }
    }
}

/// What stands in the raw bytes is what `get` says.
fn raw<G: Grid, L: Level<Layout = G>, T: Element + PartialEq + std::fmt::Debug>(
    grid: &G,
    field: Field<'_, L, T>,
    p: L::Point,
) {
    let bytes = grid.raw_bytes(field.name()).unwrap();
    let at = field.offset(p).unwrap();
    assert!(at.is_multiple_of(align_of::<T>()));
    assert_eq!(Some(bytemuck::pod_read_unaligned::<T>(&bytes[at..at + size_of::<T>()])), field.get(p));
}

#[test]
fn half_floats_keep_their_bits() {
    #[sparse_layout(axes(i), bitmasked(8))]
    struct Halves {
        a: half::f16,
    }
    let mut halves = Halves::new();
    let values = [half::f16::MAX, half::f16::from_bits(1), half::f16::NAN, half::f16::NEG_INFINITY, -half::f16::ZERO];
    assert_eq!(values[0].to_f32(), 65504.0);
    for (i, v) in values.into_iter().enumerate() {
        halves.a_mut().set([i as i32], v);
    }
    assert!(values.into_iter().enumerate().all(|(i, v)| halves.a().get([i as i32]).unwrap().to_bits() == v.to_bits()));
}

/// Every kind in one grid.
#[sparse_layout(axes(x, y, z), hash() > a: pointer(4) > b: bitmasked(4) > c: dense(4) { heat, dynamic(i, max = 100) { item } })]
pub struct Kinds {
    /// A number.
    #[field(background = 1.0)]
    pub heat: f32,
    /// Items.
    pub item: u64,
}

/// A large root.
#[sparse_layout(axes(x, y), dense(4096))]
pub struct Large {
    /// A number.
    pub a: f64,
}

/// A large root with bits.
#[sparse_layout(axes(x, y, z), bitmasked(256))]
pub struct LargeMask {
    /// A number.
    pub a: u8,
}

#[test]
fn a_thread_with_a_small_stack_builds_every_kind() {
    let build = || {
        let mut kinds = Kinds::new();
        for i in 0..100 {
            kinds.heat_mut().set([i * 7, -i, i], i as f32);
            kinds.item_mut().push([i * 7, -i, i], i as u64).unwrap();
        }
        assert_eq!(kinds.item().iter().count(), 100);
        kinds.a_mut().deactivate([0, 0, 0]);
        let copy = kinds.clone();
        assert!(copy == kinds && kinds.memory().total() > 0 && !kinds.describe().is_empty());
        kinds.compact();
        assert!(copy == kinds);
        kinds.prune();
        kinds.shrink();
        assert_eq!(kinds.count(), copy.count());
        kinds.clear();
        let mut large = Large::new();
        large.a_mut().set([4095, 4095], 1.0);
        let mut mask = LargeMask::new();
        mask.a_mut().set([255, 255, 255], 1);
        assert_eq!((large.a().value([4095, 4095]), mask.count()), (1.0, 1));
        let mut odd = Odd::new();
        odd.a_mut().set([5, 5], 1);
        odd.tile_mut().retain(|_| false);
        assert!(odd.count() == 0);
    };
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(build);
    thread.expect("a thread").join().expect("64 KiB are enough");
}

#[test]
fn a_large_block_is_taken_whole() {
    #[sparse_layout(axes(x, y), tile: pointer(2) > cells: bitmasked(128))]
    struct Tiles {
        a: u32,
    }
    let mut tiles = Tiles::new();
    for i in 0..128 {
        tiles.a_mut().set([i, 127 - i], i as u32);
    }
    let mut other = Tiles::new();
    let block = tiles.take_block::<TilesCell>([100, 3]).expect("the block exists");
    assert_eq!((block.cells().len(), tiles.count()), (128, 0));
    other.insert_block(&block).unwrap();
    assert!((0..128).all(|i| other.a().get([i, 127 - i]) == Some(i as u32)));
    tiles.internal_validate();
    other.internal_validate();
}
