//! Layouts worked out by hand: offsets and digits, against arithmetic and against the raw bytes.

use sparse_layout::prelude::*;
use sparse_layout::{Field, Level};

/// One field of vectors: component 1 of a cell stands beside component 0.
#[sparse_layout(axes(x, y, z), dense(128))]
pub struct Vectors {
    /// A vector.
    pub p: [f32; 3],
}

/// Records of three fields.
#[sparse_layout(axes(x, y, z), dense(128, aos))]
pub struct Records {
    /// A component.
    pub px: f32,
    /// A component.
    pub py: f32,
    /// A component.
    pub pz: f32,
}

/// Three fields, each in memory of its own.
#[sparse_layout(axes(x, y, z), dense(128))]
pub struct Apart {
    /// A component.
    pub px: f32,
    /// A component.
    pub py: f32,
    /// A component.
    pub pz: f32,
}

/// Three fields one after the other.
#[sparse_layout(axes(x, y, z), dense(128, aosoa))]
pub struct Together {
    /// A component.
    pub px: f32,
    /// A component.
    pub py: f32,
    /// A component.
    pub pz: f32,
}

const CELL: [i32; 3] = [1, 2, 3];
const F32: u64 = size_of::<f32>() as u64;

/// An offset in elements; the constants of this file are worked out by the compiler.
const fn elements(bytes: Option<u64>) -> u64 {
    match bytes {
        Some(bytes) => bytes / F32,
        None => panic!("out of bounds"),
    }
}

/// What stands in a grid's raw bytes where the field says that the value of a cell is.
fn raw<G: Grid, L: Level<Layout = G>, T: Element>(grid: &G, field: Field<'_, L, T>, p: L::Point) -> Option<T> {
    let bytes = grid.raw_bytes(field.name()).expect("a field of the grid");
    field.offset(p).map(|at| bytemuck::pod_read_unaligned(&bytes[at..at + size_of::<T>()]))
}

/// A number for a cell.
fn number(p: [i32; 3]) -> f32 {
    (p[0] * 10_000 + p[1] * 100 + p[2]) as f32
}

#[test]
fn arrays_of_structures() {
    // 3 * (128 * (128 * 1 + 2) + 3) + 1
    const COMPONENT_1: u64 = elements(Vectors::LAYOUT.offset("p", &CELL)) + 1;
    assert_eq!(COMPONENT_1, 49_930);
    const PY: u64 = elements(Records::LAYOUT.offset("py", &CELL));
    assert_eq!(PY, 49_930);

    let mut vectors = Vectors::new();
    vectors.p_mut().set(CELL, [5.0, 6.0, 7.0]);
    let bytes = vectors.raw_bytes("p").unwrap();
    assert_eq!(bytes.len(), 3 * 4 * 128 * 128 * 128);
    let all: &[f32] = bytemuck::cast_slice(bytes);
    assert_eq!(&all[49_929..49_933], [5.0, 6.0, 7.0, 0.0]);

    let mut records = Records::new();
    records.py_mut().set(CELL, 6.0);
    let all: &[f32] = bytemuck::cast_slice(records.raw_bytes("px").unwrap());
    assert_eq!((all[49_929], all[49_930], all.len()), (0.0, 6.0, 3 << 21));
}

#[test]
fn structures_of_arrays() {
    // 128 * (128 * 1 + 2) + 3, in each memory.
    const APART: [u64; 3] = [
        elements(Apart::LAYOUT.offset("px", &CELL)),
        elements(Apart::LAYOUT.offset("py", &CELL)),
        elements(Apart::LAYOUT.offset("pz", &CELL)),
    ];
    assert_eq!(APART, [16_643; 3]);
    // One memory: field k begins at k * 128^3.
    const TOGETHER: [u64; 3] = [
        elements(Together::LAYOUT.offset("px", &CELL)),
        elements(Together::LAYOUT.offset("py", &CELL)),
        elements(Together::LAYOUT.offset("pz", &CELL)),
    ];
    assert_eq!(TOGETHER, [16_643, 2_113_795, 4_210_947]);
    assert_eq!((Apart::LAYOUT.node_bytes("py"), Together::LAYOUT.node_bytes("py")), (1 << 23, 3 << 23));
    assert_eq!(Apart::LAYOUT.offset("px", &[0, 128, 0]), None);
    assert_eq!(Apart::LAYOUT.offset("px", &[0, -1, 0]), None);

    let (mut apart, mut together) = (Apart::new(), Together::new());
    apart.pz_mut().set(CELL, 7.0);
    together.pz_mut().set(CELL, 7.0);
    assert_eq!(bytemuck::cast_slice::<u8, f32>(apart.raw_bytes("pz").unwrap())[16_643], 7.0);
    assert_eq!(bytemuck::cast_slice::<u8, f32>(together.raw_bytes("px").unwrap())[4_210_947], 7.0);
}

/// The quadtree of depth 3: 64 x 64 cells.
#[sparse_layout(axes(x, y), root: bitmasked(4) > pointer(1) > inner: bitmasked(4) > pointer(1) > cells: dense(4, aosoa))]
pub struct Quadtree {
    /// A velocity.
    pub velocity: [f32; 3],
    /// A density.
    pub density: f32,
}

/// The same in three levels: a pointer level has activity of its own.
#[sparse_layout(axes(x, y), root: pointer(4) > inner: pointer(4) > cells: dense(4))]
pub struct Short {
    /// A velocity.
    pub velocity: [f32; 3],
    /// A density.
    pub density: f32,
}

#[test]
fn the_quadtree() {
    const DIGITS: sparse_layout::Digits = Short::LAYOUT.digits("density", &[63, 0]).unwrap();
    // x >> 4, x >> 2 & 3, x & 3; y is 0. Cells are numbered 4 * x + y.
    assert_eq!([0, 1, 2].map(|k| DIGITS.digit(k, 0)), [3, 3, 3]);
    assert_eq!([0, 1, 2].map(|k| (DIGITS.digit(k, 1), DIGITS.number(k))), [(0, 12); 3]);
    assert_eq!(DIGITS.levels(), 3);
    assert!(Short::LAYOUT.digits("density", &[64, 0]).is_none());
    // Beside each other in a block of 16: the velocities' 192 bytes, then the densities.
    assert_eq!(Quadtree::LAYOUT.offset("velocity", &[63, 0]), Some(12 * 12));
    assert_eq!(Quadtree::LAYOUT.offset("density", &[63, 0]), Some(192 + 12 * 4));
    assert_eq!(Short::LAYOUT.offset("density", &[63, 0]), Some(12 * 4));

    let mut tree = Quadtree::new();
    tree.density_mut().set([63, 0], 2.5);
    assert_eq!(tree.root().iter().collect::<Vec<_>>(), [[3, 0]]);
    assert_eq!(tree.inner().iter().collect::<Vec<_>>(), [[15, 0]]);
    assert_eq!(tree.memory().nodes, 2);
    assert_eq!(tree.density().iter().count(), 16);
    assert_eq!(tree.density().get([63, 0]), Some(2.5));
    // The leaf has no mask: (62, 0) is active, and holds the background.
    assert_eq!(tree.density().get([62, 0]), Some(0.0));
    assert_eq!((tree.density().get([47, 0]), tree.density().value([47, 0])), (None, 0.0));
    assert_eq!((tree.density().get([64, 0]), tree.density().value([64, 0])), (None, 0.0));
    // A write out of bounds changes nothing: it is not moved to the edge.
    let before = tree.clone();
    assert!(tree.density_mut().try_set([64, 0], 9.0).is_err());
    assert!(tree == before);
    assert_eq!(raw(&tree, tree.density(), [63, 0]), Some(2.5));
    assert_eq!(raw(&tree, tree.density(), [47, 0]), None);
    tree.velocity_mut().set([60, 3], [1.0, 2.0, 3.0]);
    assert_eq!(raw(&tree, tree.velocity(), [60, 3]), Some([1.0, 2.0, 3.0]));
    assert_eq!(raw(&tree, tree.velocity(), [63, 0]), Some([0.0; 3]));
}

/// The tree of VDB, its values as three fields.
#[sparse_layout(axes(x, y, z), root: hash() > upper: pointer(16) > lower: pointer(16) > cells: bitmasked(8))]
pub struct Vdb {
    /// A component.
    pub u: f32,
    /// A component.
    pub v: f32,
    /// A component.
    pub w: f32,
}

#[test]
fn the_tree_of_vdb() {
    let points = [[-1, -1, -1], [0, 0, 0], [5000, -5000, 123_456]];
    let mut vdb = Vdb::new();
    for (i, p) in points.into_iter().enumerate() {
        vdb.u_mut().set(p, (i + 1) as f32);
    }
    // Entries of 2048^3: 5000 / 2048 = 2, -5000 / 2048 = -3, 123456 / 2048 = 60, rounded down.
    assert_eq!(vdb.root().iter().collect::<Vec<_>>(), [[-1, -1, -1], [0, 0, 0], [2, -3, 60]]);
    assert_eq!(vdb.u().par_iter().map(|(_, v)| v).sum::<f32>(), 6.0);
    assert_eq!(vdb.count(), 3);
    let [.., last] = points.map(|p| Vdb::LAYOUT.digits("u", &p).unwrap());
    // 123456 - 60 * 2048 = 576 = 4 * 128 + 8 * 8 + 0; -5000 + 3 * 2048 = 1144 = 8 * 128 + 15 * 8 + 0; 904 = 7 * 128 + 8.
    assert_eq!([0, 1, 2, 3].map(|k| last.digit(k, 2)), [60, 4, 8, 0]);
    assert_eq!([0, 1, 2, 3].map(|k| last.digit(k, 1)), [-3, 8, 15, 0]);
    assert_eq!([0, 1, 2, 3].map(|k| last.digit(k, 0)), [2, 7, 1, 0]);
    assert_eq!(last.number(2), 16 * 16 + 15 * 16 + 8);
    let first = Vdb::LAYOUT.digits("u", &[-1, -1, -1]).unwrap();
    assert_eq!([0, 1, 2, 3].map(|k| first.digit(k, 0)), [-1, 15, 15, 7]);
    assert_eq!(Vdb::LAYOUT.offset("w", &[-1, -1, -1]), Some(4 * 511));
    for (i, p) in points.into_iter().enumerate() {
        assert_eq!(raw(&vdb, vdb.u(), p), Some((i + 1) as f32));
        assert_eq!(raw(&vdb, vdb.v(), p), Some(0.0));
    }
    // A node's memory in a field of its own is 8^3 values: 2048 bytes; node 0 is the background.
    assert_eq!(vdb.raw_bytes("u").unwrap().len(), 4 * 2048);
}

/// The domain of SPGrid, 4096 x 2048 x 2048, as declared in its paper.
#[sparse_layout(axes(x, y, z), block: bitmasked(512, morton) > dense(x = 8, y = 4, z = 4, aosoa))]
pub struct SpGrid {
    /// Flags.
    pub flags: u8,
    /// A component.
    pub u: f32,
    /// A component.
    pub v: f32,
    /// A component.
    pub w: f32,
}

/// The same at 1 / 16 of the side.
#[sparse_layout(axes(x, y, z), block: bitmasked(32, morton) > dense(x = 8, y = 4, z = 4, aosoa))]
pub struct SmallSpGrid {
    /// Flags.
    pub flags: u8,
    /// A component.
    pub u: f32,
    /// A component.
    pub v: f32,
    /// A component.
    pub w: f32,
}

#[test]
fn spgrid() {
    // 128 cells of 1 + 3 * 4 bytes are 1664 bytes a block, and 2^27 blocks; flags take the first 128 bytes of each.
    assert_eq!(SpGrid::LAYOUT.node_bytes("w"), (1 << 27) * 1664);
    assert_eq!((1_u64 << 27) * 1664, 223_338_299_392);
    assert_eq!(SpGrid::LAYOUT.offset("flags", &[0, 0, 1]), Some(1));
    assert_eq!(SpGrid::LAYOUT.offset("u", &[0, 0, 0]), Some(128));
    assert_eq!(SpGrid::LAYOUT.offset("w", &[4095, 2047, 2047]), Some(((1 << 27) - 1) * 1664 + 128 + 2 * 512 + 127 * 4));
    // Block (3, 0, 1): the bits of the number are x0 y0 z0 from the fastest axis z up: z0 = 1, y0 = 0, x0 = 1, z1 = 0, y1 = 0, x1 = 1.
    const BLOCK: u64 = 0b10_0101;
    assert_eq!(SpGrid::LAYOUT.offset("v", &[24, 0, 4]), Some(BLOCK * 1664 + 128 + 512));
    assert_eq!(SmallSpGrid::LAYOUT.offset("v", &[24, 0, 4]), Some(BLOCK * 1664 + 128 + 512));
    // Cell (1, 2, 3) of that block has number 4 * (4 * 1 + 2) + 3.
    assert_eq!(SmallSpGrid::LAYOUT.offset("flags", &[25, 2, 7]), Some(BLOCK * 1664 + 27));
    assert_eq!(SmallSpGrid::LAYOUT.node_bytes("u"), (1 << 15) * 1664);

    let mut grid = SmallSpGrid::new();
    let points: Vec<[i32; 3]> = (0..1000).map(|i| [i * 37 % 256, i * 53 % 128, i * 101 % 128]).collect();
    for &p in &points {
        grid.v_mut().set(p, number(p));
        grid.flags_mut().set(p, p[0] as u8);
    }
    let bytes = grid.raw_bytes("flags").unwrap();
    for &p in &points {
        let at = SmallSpGrid::LAYOUT.offset("v", &p).unwrap() as usize;
        assert_eq!(grid.v().offset(p), Some(at));
        assert_eq!(bytemuck::pod_read_unaligned::<f32>(&bytes[at..at + 4]), number(p));
        assert_eq!(raw(&grid, grid.flags(), p), Some(p[0] as u8));
    }
    grid.internal_validate();
}

/// Every packing and a coarse field, whose offsets follow from the numbers of cells.
#[sparse_layout(axes(x = -6..10, y = 4..20), tile: pointer(4) { mean, bitmasked(4) { way, alive, heat } })]
pub struct Mixed {
    /// Of a tile.
    pub mean: f64,
    /// Split.
    #[field(split)]
    pub way: [f32; 3],
    /// A bit.
    #[field(bits)]
    pub alive: bool,
    /// Plain.
    pub heat: u16,
}

#[test]
fn offsets_of_packed_and_coarse_fields() {
    // (-1, 9) is cell (5, 5) from the bounds: cell (1, 1) = number 5 of its tile.
    assert_eq!(Mixed::LAYOUT.offset("heat", &[-1, 9]), Some(10));
    assert_eq!(Mixed::LAYOUT.offset("way", &[-1, 9]), Some(20));
    assert_eq!(Mixed::LAYOUT.offset("alive", &[-1, 9]), Some(0));
    assert_eq!(Mixed::LAYOUT.offset("mean", &[-2, 1]), Some(0));
    assert_eq!(Mixed::LAYOUT.offset("heat", &[10, 9]), None);
    let mut mixed = Mixed::new();
    for x in -6..10 {
        mixed.heat_mut().set([x, 9], (x + 100) as u16);
    }
    mixed.mean_mut().set([-1, 2], 0.5);
    for (p, v) in mixed.heat().iter() {
        assert_eq!(raw(&mixed, mixed.heat(), p), Some(v));
    }
    assert_eq!(raw(&mixed, mixed.mean(), [-1, 2]), Some(0.5));
    assert!(mixed.raw_bytes("cold").is_none());
}
