//! Dilation and erosion of nodes of 8^3 bits: a plane of 8 x 8 cells is one word, and all is shifts of words.
//!
//! Each node is looked at once: its neighbours are found, its new bits worked out from theirs, and where it reaches into a node
//! that does not exist, that is noted. What was noted says all there is to know about a new node's bits.

use super::divisor::Divisor;
use super::find::Finder;
use super::geometry::{Cell, Geometry, Store};
use super::read::{Bits, Tile};
use super::write::write;
use crate::core::{Raw, RawMut};
use crate::error::Exhausted;
use crate::struct_for::features::{Work, dispatch};
use crate::tree::MAX_AXES;
use rayon::prelude::*;

/// The bits of a node, a word for each plane.
type Planes = [u64; 8];

const NONE: Planes = [0; 8];
/// The cells of a plane whose last coordinate is 0, and those of which it is 7.
const FIRST: u64 = 0x0101_0101_0101_0101;
const LAST: u64 = FIRST << 7;
/// Nodes worked on as one piece.
const PIECE: usize = 512;

/// The node itself among the 27 around it, numbered in base 3.
const CENTRE: usize = 13;

/// The nodes around one: those that share a face first, then those that share an edge, then the corners.
const AROUND: [usize; 26] = {
    let (mut around, mut n, mut most) = ([0; 26], 0, 1);
    while most <= 3 {
        let mut way = 0;
        while way < 27 {
            let moved = (way / 9 != 1) as usize + (way / 3 % 3 != 1) as usize + (way % 3 != 1) as usize;
            if moved == most {
                around[n] = way;
                n += 1;
            }
            way += 1;
        }
        most += 1;
    }
    around
};

/// Those that matter where up to `most` coordinates may differ.
fn around(most: usize) -> &'static [usize] {
    &AROUND[..[6, 18, 26][most - 1]]
}

/// Whether nodes are of this form.
pub(super) fn fits(g: &Geometry) -> bool {
    let cube = (g.d, g.slots, g.tile_at(0)) == (3, 512, (0, 512)) && g.sides(512)[..3] == [8; 3];
    cube && matches!(g.store, Store::Mask(_)) && g.has_rows() && !g.links.is_empty() && !g.plan.clipped
}

/// A node that is to be made: its first cell, and which of the nodes around it reaches into it.
#[derive(Clone, Copy)]
struct Reached {
    cell: Cell,
    way: usize,
    from: u32,
}

/// Some nodes, and where their new bits go.
struct Chunk<'a> {
    bits: Bits<'a>,
    nodes: &'a [u32],
    new: &'a mut [Planes],
    most: usize,
    /// What bits are turned round by: all ones for erosion.
    flip: u64,
}

impl Work for Chunk<'_> {
    type Output = Vec<Reached>;

    #[inline(always)]
    fn run(self) -> Vec<Reached> {
        match self.most {
            1 => self.run_for::<1>(),
            2 => self.run_for::<2>(),
            _ => self.run_for::<3>(),
        }
    }
}

impl Chunk<'_> {
    #[inline(always)]
    fn run_for<const MOST: usize>(self) -> Vec<Reached> {
        let g = self.bits.geometry;
        let mut finder = Finder::new(self.bits.raw, g);
        let mut reached = Vec::new();
        let siblings = Siblings::of(self.bits);
        for (&node, new) in self.nodes.iter().zip(self.new) {
            let own = planes(self.bits, node);
            let base = g.base(&self.bits.raw.origin(g.kind, node));
            let all = own.iter().fold(0, |all, plane| all | plane);
            let mut near = [&NONE; 27];
            near[CENTRE] = own;
            let table = Table::of(self.bits, siblings.as_ref(), node, &base);
            for &way in around(MOST) {
                let handle = match table.as_ref().and_then(|table| table.get(way)) {
                    Some(handle) => handle,
                    None => {
                        let cell = next(g, &base, way);
                        if !(0..3).all(|j| (g.bounds[j].0..g.bounds[j].1).contains(&cell[j])) {
                            continue;
                        }
                        finder.node(&cell).unwrap_or(0)
                    }
                };
                if handle != 0 {
                    near[way] = planes(self.bits, handle);
                } else if border(own, all, way) != 0 {
                    reached.push(Reached { cell: next(g, &base, way), way: 26 - way, from: node });
                }
            }
            let grown = grow::<MOST>(&near, self.flip);
            for x in 0..8 {
                new[x] = if self.flip == 0 { grown[x] } else { own[x] & !grown[x] };
            }
        }
        reached
    }
}

/// How nodes below one node of the level above are numbered, if nothing but handles stands there.
struct Siblings {
    main: usize,
    /// Nodes along each place, and the weight of one.
    along: [(Divisor, i64); 3],
}

impl Siblings {
    fn of(bits: Bits<'_>) -> Option<Self> {
        let g = bits.geometry;
        let link = g.links.last().filter(|link| !link.keyed && link.steps.len() == 1)?;
        let weights = link.steps[0].weights()?;
        Some(Siblings { main: link.main, along: std::array::from_fn(|p| weights[g.order[p]]) })
    }
}

/// The handles beside a node's own.
struct Table {
    own: *const u32,
    /// Along each place: whether there is one before and one after, and how far off.
    there: [[bool; 3]; 3],
    step: [isize; 3],
}

impl Table {
    #[inline(always)]
    fn of(bits: Bits<'_>, siblings: Option<&Siblings>, node: u32, base: &Cell) -> Option<Self> {
        let siblings = siblings?;
        let g = bits.geometry;
        let (mut slot, mut there) = (0, [[true; 3]; 3]);
        for p in 0..3 {
            let (size, weight) = siblings.along[p];
            let digit = size.rem(base[g.order[p]] >> 3);
            slot += digit * weight;
            there[p] = [digit > 0, true, digit + 1 < size.n()];
        }
        let handles = bits.raw.parts[siblings.main].node(bits.raw.parent(g.kind, node)).cast::<u32>();
        let step = siblings.along.map(|(_, weight)| weight as isize);
        Some(Table { own: handles.wrapping_add(slot as usize).cast_const(), there, step })
    }

    /// The handle in a direction, or 0; None: it stands in another table.
    #[inline(always)]
    fn get(&self, way: usize) -> Option<u32> {
        let digits = [way / 9, way / 3 % 3, way % 3];
        if !(self.there[0][digits[0]] && self.there[1][digits[1]] && self.there[2][digits[2]]) {
            return None;
        }
        let by: isize = (0..3).map(|p| (digits[p] as isize - 1) * self.step[p]).sum();
        // SAFETY: the entry of a cell of the same node of handles, whose digits are below their sizes; handles are changed only
        // after all nodes were read.
        Some(unsafe { *self.own.offset(by) })
    }
}

/// The bits of a node.
#[inline(always)]
fn planes<'a>(bits: Bits<'a>, node: u32) -> &'a Planes {
    let Store::Mask(part) = bits.geometry.store else { return &NONE };
    // SAFETY: the eight words of a live node's bits; bits are written only after all nodes were read.
    unsafe { &*bits.raw.word(part, node, 0).cast::<Planes>() }
}

/// The first cell of the node that lies in a direction.
#[inline(always)]
fn next(g: &Geometry, base: &Cell, way: usize) -> Cell {
    let mut cell = *base;
    for (j, digit) in [(g.order[0], way / 9), (g.order[1], way / 3 % 3), (g.order[2], way % 3)] {
        cell[j] += digit as i64 * 8 - 8;
    }
    cell
}

/// Bits that stand for the cells at the border in a direction; `all` is all planes as one.
#[inline(always)]
fn border(own: &Planes, all: u64, way: usize) -> u64 {
    let plane = [own[0], all, own[7]][way / 9];
    plane & [0xFF, u64::MAX, 0xFF << 56][way / 3 % 3] & [FIRST, u64::MAX, LAST][way % 3]
}

/// The cells of a node that differ from an active one, there or in the nodes around, along up to `MOST` coordinates.
#[inline(always)]
fn grow<const MOST: usize>(near: &[&Planes; 27], flip: u64) -> Planes {
    // Planes -1 to 8: as they are, with what lies beside in the plane, and with what lies around in it.
    let (mut alone, mut beside, mut around) = ([0; 10], [0; 10], [0; 10]);
    for p in 0..10 {
        let (side, x) = match p {
            0 => (0, 7),
            9 => (2, 0),
            _ => (1, p - 1),
        };
        let at = |y: usize, z: usize| near[side * 9 + y * 3 + z][x] ^ flip;
        let own = at(1, 1);
        alone[p] = own;
        if MOST == 1 && side != 1 {
            continue;
        }
        let row = own | own << 1 & !FIRST | own >> 1 & !LAST | at(1, 0) >> 7 & FIRST | at(1, 2) << 7 & LAST;
        let (below, above) = (at(0, 1) >> 56, at(2, 1) << 56);
        beside[p] = row | own << 8 | own >> 8 | below | above;
        if MOST == 1 || MOST == 2 && side != 1 {
            continue;
        }
        let below = below | below << 1 & 0xFF | below >> 1 | at(0, 0) >> 63 | at(0, 2) >> 49 & 0x80;
        let above = above | above << 1 | above >> 1 & 0xFF << 56 | at(2, 0) << 49 & 1 << 56 | at(2, 2) << 63;
        around[p] = row | row << 8 | row >> 8 | below | above;
    }
    std::array::from_fn(|x| match MOST {
        1 => beside[x + 1] | alone[x] | alone[x + 2],
        2 => around[x + 1] | beside[x] | beside[x + 2],
        _ => around[x + 1] | around[x] | around[x + 2],
    })
}

/// Works out the new bits of all nodes.
fn each(bits: Bits<'_>, nodes: &[u32], most: usize, flip: u64) -> (Vec<Planes>, Vec<Reached>) {
    let mut new = vec![NONE; nodes.len()];
    let of_chunk = |(nodes, new)| dispatch(Chunk { bits, nodes, new, most, flip });
    let reached = nodes.par_chunks(PIECE).zip(new.par_chunks_mut(PIECE)).flat_map_iter(of_chunk).collect();
    (new, reached)
}

/// As [`grow::dilate`](super::grow::dilate).
pub(super) fn dilate(raw: &mut RawMut<'_>, g: &Geometry, most: usize) -> Result<(), Exhausted> {
    let Store::Mask(part) = g.store else { return Ok(()) };
    let shared = raw.shared();
    let bits = Bits::new(shared, g);
    let nodes = bits.nodes();
    let (new, reached) = each(bits, &nodes, most, 0);
    let (made, sources) = make(shared, g, &reached)?;
    let grown: Vec<Planes> = sources
        .par_iter()
        .with_min_len(PIECE)
        .map(|sources| {
            let mut near = [&NONE; 27];
            for (near, &source) in near.iter_mut().zip(sources).filter(|(_, source)| **source != 0) {
                *near = planes(bits, source);
            }
            match most {
                1 => grow::<1>(&near, 0),
                2 => grow::<2>(&near, 0),
                _ => grow::<3>(&near, 0),
            }
        })
        .collect();
    let store = |node: &u32, new: &Planes| {
        // SAFETY: the words of a live node's bits; the grid is held exclusively, and each node comes once.
        unsafe { shared.word(part, *node, 0).cast::<Planes>().write(*new) };
    };
    nodes.par_iter().zip(&new).with_min_len(PIECE).for_each(|(node, new)| store(node, new));
    made.iter().zip(&grown).for_each(|(node, new)| store(node, new));
    Ok(())
}

/// As [`grow::erode`](super::grow::erode).
pub(super) fn erode(raw: &mut RawMut<'_>, g: &Geometry, most: usize) -> Result<(), Exhausted> {
    let bits = Bits::new(raw.shared(), g);
    let nodes = bits.nodes();
    let (new, _) = each(bits, &nodes, most, u64::MAX);
    let tiles: Vec<Tile> =
        nodes.iter().map(|&node| Tile { cell: [0; MAX_AXES], node, first: 0, len: g.slots }).collect();
    write(raw, g, &tiles, new.as_flattened())
}

/// The nodes that are reached, and for each those around it that reach into it, or 0.
type Made = (Vec<u32>, Vec<[u32; 27]>);

fn make(raw: Raw<'_>, g: &Geometry, reached: &[Reached]) -> Result<Made, Exhausted> {
    let (mut made, mut sources): (Vec<u32>, Vec<[u32; 27]>) = (Vec::new(), Vec::new());
    // The number of each new node by handle, from 1 on.
    let mut numbers = vec![0u32; raw.pools[g.kind].end() as usize];
    let mut finder = Finder::new(raw, g);
    for one in reached {
        let handle = finder.make(&one.cell)?;
        if numbers.len() <= handle as usize {
            numbers.resize(handle as usize + 1024, 0);
        }
        let number = &mut numbers[handle as usize];
        if *number == 0 {
            made.push(handle);
            sources.push([0; 27]);
            *number = made.len() as u32;
        }
        sources[*number as usize - 1][one.way] = one.from;
    }
    Ok((made, sources))
}
