//! The inputs of the common workloads: the same numbers for this library and for every peer.
//!
//! A generator, a spherical shell of voxels in two orders, places to read, particles, bits and keys. Each function starts
//! the generator afresh, so what one draws does not depend on what was drawn before.

/// A cell of the grid.
pub(crate) type Coord = [i32; 3];

/// The shell's centre on each axis, and the smallest cube of whole 8^3 blocks round it that the reads are drawn from.
const CENTRE: i32 = 512;
const RADIUS: f64 = 200.0;
const HALF_WIDTH: f64 = 3.0;
/// First coordinate of the box round the shell, on each axis.
pub(crate) const BOX_START: i32 = 304;
/// Extent of the box round the shell, on each axis.
pub(crate) const BOX_SIDE: i32 = 416;

/// Cells of a ray of [`rays`], along +x.
pub(crate) const RAY_LENGTH: i32 = 1000;

/// How far the second set of the union is moved.
pub(crate) const UNION_SHIFT: Coord = [3, 5, 7];

/// Generator G: xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016).
pub(crate) struct Generator(u64);

impl Generator {
    pub(crate) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A fraction in `0.0..1.0` of 24 bits.
    fn fraction(&mut self) -> f32 {
        (self.draw() >> 40) as f32 / 16_777_216.0
    }
}

/// The value that a voxel of the set holds: a multiple of 2^-16 below 1, so that sums in any order are exact in `f64`.
pub(crate) fn value([x, y, z]: Coord) -> f32 {
    let term = |c: i32, prime: u32| (c as u32).wrapping_mul(prime);
    let hash = term(x, 73_856_093) ^ term(y, 19_349_663) ^ term(z, 83_492_791);
    (hash & 0xFFFF) as f32 / 65_536.0
}

/// Set S, x slowest and z fastest.
pub(crate) fn scan_order() -> Vec<Coord> {
    let reach = (RADIUS + HALF_WIDTH) as i32;
    let mut set = Vec::with_capacity(3_100_000);
    for x in -reach..=reach {
        for y in -reach..=reach {
            for z in -reach..=reach {
                let square = |c: i32| f64::from(c) * f64::from(c);
                let distance = (square(x) + square(y) + square(z)).sqrt() - RADIUS;
                if distance.abs() < HALF_WIDTH {
                    set.push([x + CENTRE, y + CENTRE, z + CENTRE]);
                }
            }
        }
    }
    set
}

/// Set S shuffled (Fisher-Yates from the end).
pub(crate) fn random_order(scan: &[Coord]) -> Vec<Coord> {
    let mut generator = Generator::new();
    let mut set = scan.to_vec();
    for i in (1..set.len()).rev() {
        let j = generator.draw() % (i as u64 + 1);
        set.swap(i, j as usize);
    }
    set
}

/// The places that `get_random` reads: 10 million draws in the box, 21 bits an axis.
pub(crate) fn random_reads() -> impl Iterator<Item = Coord> {
    let mut generator = Generator::new();
    (0..10_000_000).map(move |_| {
        let bits = generator.draw();
        let axis = |shift: u32| {
            let fraction = (bits >> shift) & 0x1F_FFFF;
            BOX_START + ((fraction * BOX_SIDE as u64) >> 21) as i32
        };
        [axis(0), axis(21), axis(42)]
    })
}

/// The first cells of the 20,000 rays of `get_walk`; each goes [`RAY_LENGTH`] cells along +x.
pub(crate) fn rays() -> impl Iterator<Item = Coord> {
    let (rows, columns) = (200, 100);
    (0..rows).flat_map(move |j| {
        (0..columns).map(move |k| [12, BOX_START + j * BOX_SIDE / rows, BOX_START + k * BOX_SIDE / columns])
    })
}

/// The million particles of `p2g`: a voxel of the set plus jitter.
pub(crate) fn particles(scan: &[Coord]) -> Vec<[f32; 3]> {
    let mut generator = Generator::new();
    let particle = |_| {
        let voxel = scan[(generator.draw() % scan.len() as u64) as usize];
        let jitter = [generator.fraction(), generator.fraction(), generator.fraction()];
        [0, 1, 2].map(|axis| voxel[axis] as f32 + jitter[axis])
    };
    (0..1_000_000).map(particle).collect()
}

/// The first of the three nodes that a particle reaches on one axis, and the quadratic B-spline weight of each.
#[inline(always)]
pub(crate) fn spline(position: f32) -> (i32, [f32; 3]) {
    // Particles have positive coordinates, so truncation is the floor.
    let base = (position - 0.5) as i32;
    let d = position - base as f32;
    (base, [0.5 * (1.5 - d) * (1.5 - d), 0.75 - (d - 1.0) * (d - 1.0), 0.5 * (d - 0.5) * (d - 0.5)])
}

/// Words of the two bit fields of 2^26 bits.
pub(crate) fn bit_words() -> [Vec<u64>; 2] {
    let mut generator = Generator::new();
    [0, 1].map(|_| (0..1 << 20).map(|_| generator.draw()).collect())
}

/// The 2^24 keys of the histograms (before `& (K - 1)`), the scan and the sort.
pub(crate) fn keys() -> Vec<u32> {
    let mut generator = Generator::new();
    (0..1 << 24).map(|_| (generator.draw() >> 32) as u32).collect()
}
