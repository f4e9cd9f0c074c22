//! Conversions, records, portals, and kernels that are generic over what they read.

use sparse_layout::prelude::*;
use sparse_layout::{Read, Write};

/// A world of sections.
#[sparse_layout(axes(x = -64..64, y = -8..40, z), section: pointer(x = 8, z = 4) { lit, chunk: bitmasked(x = 4, z = 4) > dense(x = 4, y = 48, z = 2) { id, light, solid } }, allow(non_power_of_two))]
pub struct World {
    /// Of a voxel.
    pub id: u16,
    /// Of a voxel.
    #[field(background = 0.5)]
    pub light: f32,
    /// Of a voxel.
    #[field(bits)]
    pub solid: bool,
    /// Of a section.
    pub lit: u8,
}

#[test]
fn conversions_need_no_grid() {
    // Sections are 16 x 8 columns; x counts from -64 = 4 sections below 0.
    assert_eq!(World::id_to_section([-64, 0, 0]), [-4, 0]);
    assert_eq!(World::id_to_section([-1, 39, 7]), [-1, 0]);
    assert_eq!(World::id_to_section([17, 0, 31]), [1, 3]);
    assert_eq!(World::section_to_id([-4, 1]), Region::new([-64, -8, 8], [-48, 40, 16]));
    assert_eq!(World::id_to_chunk([-61, 3, 5]), [-16, 2]);
    assert_eq!(World::chunk_to_id([-16, 2]), Region::new([-64, -8, 4], [-60, 40, 6]));
    let all: Vec<[i32; 2]> = World::section_to_id([3, 3]).iter().map(World::id_to_section).collect();
    assert_eq!(all.len(), 16 * 48 * 8);
    assert!(all.iter().all(|c| *c == [3, 3]));
}

#[test]
fn fields_of_one_cell_share_their_activity() {
    let mut world = World::new();
    for x in -64..64 {
        world.put([x, x.rem_euclid(48) - 8, 3]);
    }
    let seen: Vec<_> = (-64..64).filter_map(|x| world.look([x, x.rem_euclid(48) - 8, 3])).collect();
    assert!(seen.len() == 128 && seen.iter().all(|(_, light, solid)| *light == 1.0 && *solid));
    // Its neighbour below the same bit became active with it, and holds the background.
    world.id_mut().set([60, 0, 31], 9);
    assert_eq!(world.look([61, 20, 30]), Some((0, 0.5, false)));
    world.internal_validate();
}

impl World {
    fn put(&mut self, p: [i32; 3]) {
        self.id_mut().set(p, p[1] as u16);
        self.light_mut().set(p, 1.0);
        self.solid_mut().set(p, true);
    }

    fn look(&self, p: [i32; 3]) -> Option<(u16, f32, bool)> {
        Some((self.id().get(p)?, self.light().get(p)?, self.solid().get(p)?))
    }
}

/// One level with fields, so that its record is the grid's cell.
#[sparse_layout(axes(x, y), hash() > bitmasked(8))]
pub struct Plain {
    /// A number.
    pub n: i32,
    /// A flag.
    #[field(bits)]
    pub flag: bool,
    /// Two numbers.
    #[field(split)]
    pub pair: [f32; 2],
}

#[test]
fn a_loop_over_records() {
    let mut plain = Plain::new();
    for i in 0..100 {
        plain.set_cell([i, -i], PlainCell { n: i, flag: i % 3 == 0, pair: [i as f32, 0.0] });
    }
    plain.par_for_each_cell(|[x, _], cell| {
        cell.n += 1;
        cell.pair[1] = cell.n as f32;
        cell.flag ^= x % 2 == 0;
    });
    let cell = plain.cell([6, -6]).unwrap();
    assert_eq!((cell.n, cell.flag, cell.pair), (7, false, [6.0, 7.0]));
    assert!(plain.cell([6, 6]).is_none());
    plain.internal_validate();
}

#[test]
fn portals_agree_with_activity_and_iteration() {
    let mut world = World::new();
    for i in 0..40 {
        world.id_mut().set([(i * 37) % 128 - 64, i - 8, (i * 11) % 32], 1);
    }
    let chunks: Vec<[i32; 2]> = world.chunk().iter().collect();
    let mut ones = Vec::new();
    for node in world.chunk().bits() {
        assert_eq!(node.portal().len(), 16);
        for i in node.portal().iter_ones() {
            ones.push([node.origin()[0] + i as i32 / 4, node.origin()[1] + i as i32 % 4]);
        }
    }
    assert_eq!(ones, chunks);
    assert!(ones.iter().all(|c| world.chunk().is_active(*c)));
    // One node holds the handles of all sections.
    let sections: Vec<_> = world.section().bits().collect();
    assert_eq!(sections.len(), 1);
    let of_bits: Vec<[i32; 2]> =
        sections[0].portal().iter_ones().map(|i| [i as i32 / 4 + sections[0].origin()[0], i as i32 % 4]).collect();
    assert_eq!(of_bits, world.section().iter().collect::<Vec<_>>());
    // A loop may take portals along.
    let portal = sections[0].portal();
    world.lit().par_iter().for_each(|([x, z], _)| assert!(portal.get(((x + 4) * 4 + z) as usize)));
}

/// Cells by key.
#[sparse_layout(axes(x, y), hashed: hash(x = 10, y = 6) > dense(2))]
pub struct Keyed {
    /// A number.
    pub n: i32,
}

#[test]
fn a_hash_level_makes_its_bits() {
    let mut keyed = Keyed::new();
    for p in [[0, 0], [19, 11], [7, 3]] {
        keyed.n_mut().set(p, 1);
    }
    // Cell numbers are x * 6 + y of [0, 0], [9, 5] and [3, 1].
    let bits: Vec<usize> = keyed.hashed().bits().flat_map(|n| n.portal().iter_ones().collect::<Vec<_>>()).collect();
    assert_eq!(bits, [0, 19, 59]);
}

/// The mean of the 3 x 3 box, over anything that can be read.
fn box3(a: &impl Read<f32, Point = [i32; 2]>, out: &mut impl Write<f32, Point = [i32; 2]>, side: i32) {
    for x in 0..side {
        for y in 0..side {
            let near = (-1..2).flat_map(|i| (-1..2).map(move |j| [x + i, y + j]));
            let sum: f32 = near.map(|p| a.read_or_background(p)).sum();
            assert!(out.write([x, y], sum / 9.0));
        }
    }
}

#[sparse_layout(axes(x, y), dense(32))]
struct Dense {
    a: f32,
}
#[sparse_layout(axes(x, y), pointer(4) > dense(8))]
struct Tiles {
    a: f32,
}
#[sparse_layout(axes(x, y), hash() > bitmasked(4))]
struct Hashed {
    a: f32,
}
#[sparse_layout(axes(x, y), bitmasked(32))]
struct Masked {
    a: f32,
}

#[test]
fn one_kernel_runs_on_every_layout() {
    let (mut dense, mut tiles, mut hashed, mut masked) = (Dense::new(), Tiles::new(), Hashed::new(), Masked::new());
    for i in 0..200 {
        let (p, v) = ([(i * 7) % 32, (i * 13) % 32], i as f32 / 3.0);
        dense.a_mut().set(p, v);
        tiles.a_mut().set(p, v);
        hashed.a_mut().set(p, v);
        masked.a_mut().set(p, v);
    }
    let mut out = Dense::new();
    box3(&dense.a(), &mut out.a_mut(), 32);
    let expected: Vec<u32> = out.a().iter().map(|(_, v)| v.to_bits()).collect();
    for run in 0..3 {
        let mut out = Dense::new();
        match run {
            0 => box3(&tiles.a(), &mut out.a_mut(), 32),
            1 => box3(&hashed.a(), &mut out.a_mut(), 32),
            _ => box3(&masked.a(), &mut out.a_mut(), 32),
        }
        assert_eq!(out.a().iter().map(|(_, v)| v.to_bits()).collect::<Vec<_>>(), expected);
    }
}
