//! The union of whole grids: fields of every storage, at every level, and lists.

use sparse_layout::Neighbourhood;
use sparse_layout::prelude::*;

/// Fields at a coarse level, packed ones, records, and a list per block.
#[sparse_layout(axes(x, y), hash() > tile: pointer(4) { height, pointer(2) > leaf: bitmasked(8) { alive, way, age, wide } block: bitmasked(2) { mass, dynamic(i, max = 20, chunk = 3) { particle } } })]
struct World {
    /// Of a tile.
    #[field(background = -1)]
    pub height: i32,
    #[field(bits)]
    pub alive: bool,
    #[field(split, background = [1.0, 2.0])]
    pub way: [f32; 2],
    #[field(background = 9)]
    pub age: u16,
    pub wide: [u8; 24],
    pub mass: f64,
    pub particle: [f32; 2],
}

#[sparse_layout(axes(x, y), bitmasked(3, 5) > leaf: dense(2, aos), allow(non_power_of_two))]
struct Records {
    pub a: u8,
    #[field(background = 3)]
    pub b: u64,
}

#[test]
fn values_of_both_grids() {
    let (mut own, mut other) = (World::new(), World::new());
    for (grid, n) in [(&mut own, 1u8), (&mut other, 2)] {
        // One cell in both, one of each alone in the same block, one in another tile.
        for p in [[0, 0], [i32::from(n), 3], [-1000 * i32::from(n), 5]] {
            grid.alive_mut().set(p, n == 2);
            grid.way_mut().set(p, [n.into(), 0.5]);
            grid.age_mut().set(p, n.into());
            grid.wide_mut().set(p, [n; 24]);
        }
        grid.height_mut().set([0, 0], n.into());
        grid.mass_mut().set([1, 1], n.into());
        grid.mass_mut().set([7, i32::from(n)], n.into());
        let cells = [[1, 1], [7, i32::from(n)]];
        for i in 0..7 * n {
            for c in cells {
                assert!(grid.particle_mut().push(c, [n.into(), i.into()]).is_ok());
            }
        }
    }
    own.internal_validate();
    own.union(&other);
    own.internal_validate();
    for (p, n) in [([0, 0], 1u8), ([1, 3], 1), ([2, 3], 2), ([-1000, 5], 1), ([-2000, 5], 2)] {
        assert_eq!(own.alive().get(p), Some(n == 2), "{p:?}");
        assert_eq!(own.way().get(p), Some([n.into(), 0.5]), "{p:?}");
        assert_eq!(own.age().get(p), Some(n.into()), "{p:?}");
        assert_eq!(own.wide().get(p), Some([n; 24]), "{p:?}");
    }
    assert_eq!(own.leaf().len(), 5);
    assert_eq!(own.way().value([3, 3]), [1.0, 2.0]);
    // The tile at the origin was active here, so it keeps its height; that of the far cell came along.
    assert_eq!((own.height().get([0, 0]), own.height().get([-2000 / 16, 0])), (Some(1), Some(-1)));
    for (cell, n) in [([1, 1], 1u8), ([7, 1], 1), ([7, 2], 2)] {
        assert_eq!(own.mass().get(cell), Some(n.into()), "{cell:?}");
        let list: Vec<[f32; 2]> = own.particle().list(cell).iter().collect();
        let expected: Vec<[f32; 2]> = (0..7 * n).map(|i| [n.into(), i.into()]).collect();
        assert_eq!(list, expected, "{cell:?}");
    }
    // Once more changes nothing, and an empty grid takes all.
    let copy = own.clone();
    own.union(&other);
    assert!(own == copy);
    let mut fresh = World::new();
    fresh.union(&own);
    fresh.internal_validate();
    assert!(fresh == own);
}

#[test]
fn records_below_a_mask() {
    let (mut own, mut other) = (Records::new(), Records::new());
    own.a_mut().set([0, 0], 1);
    other.a_mut().set([1, 1], 2);
    other.b_mut().set([4, 9], 4);
    own.union(&other);
    own.internal_validate();
    // The first block was active, so all of it keeps its values.
    assert_eq!((own.a().get([1, 1]), own.b().get([1, 1])), (Some(0), Some(3)));
    assert_eq!((own.b().get([4, 9]), own.a().get([5, 8])), (Some(4), Some(0)));
}

/// Over bounds that are given at run time.
#[sparse_layout(axes(x = .., y), pointer(_, 4) > leaf: bitmasked(8))]
struct Window {
    pub v: u8,
}

#[test]
#[should_panic(expected = "Window: a union of grids of other bounds")]
fn other_bounds() {
    let mut own = Window::builder().bounds([0..40]).build().unwrap();
    own.union(&Window::builder().bounds([0..48]).build().unwrap());
}

#[test]
fn a_new_grid_has_the_topology_of_another() {
    let mut window = Window::builder().bounds([-9..40]).build().unwrap();
    window.v_mut().set([-9, 31], 1);
    window.v_mut().set([39, 0], 1);
    let copy = Window::with_topology_of(&window);
    copy.internal_validate();
    assert!(copy.same_topology(&window));
    assert_eq!((copy.v().get([-9, 31]), copy.v().get([39, 0]), copy.count()), (Some(0), Some(0), 2));
    let records = Records::with_topology_of(&{
        let mut small = Window::builder().bounds([0..6]).build().unwrap();
        small.v_mut().set([5, 9], 1);
        small
    });
    // Blocks of 2 x 2 are active only together.
    assert_eq!(records.count(), 4);
}

#[test]
#[should_panic(expected = "Window: `leaf`: [48, 0] is out of bounds [-9..40, 0..32]")]
fn union_out_of_bounds() {
    let mut wide = Window::builder().bounds([-9..80]).build().unwrap();
    wide.v_mut().set([48, 0], 1);
    wide.v_mut().set([49, 0], 1);
    let mut own = Window::builder().bounds([-9..40]).build().unwrap();
    own.leaf_mut().union(wide.leaf());
}

#[test]
#[should_panic(expected = "Window: `leaf`: [40, 2] is out of bounds [-9..40, 0..32]")]
fn a_box_out_of_bounds() {
    let mut own = Window::builder().bounds([-9..40]).build().unwrap();
    own.leaf_mut().activate_box(Region::new([0, 1], [41, 3]));
}

#[test]
fn levels_side_by_side() {
    let mut world = World::new();
    world.age_mut().set([0, 0], 1);
    world.mass_mut().set([5, 5], 1.0);
    world.dilate(Neighbourhood::Faces, 1);
    world.internal_validate();
    assert_eq!((world.leaf().len(), world.block().len()), (5, 5));
    assert_eq!(world.bounding_box(), Some(Region::new([-1, -1], [7, 7])));
    world.clip(Region::new([0, 0], [6, 6]));
    assert_eq!((world.leaf().len(), world.block().len()), (3, 3));
    let other = world.clone();
    world.erode(Neighbourhood::Faces, 1);
    assert_eq!(world.count(), 0);
    assert_eq!(world.mass().value([5, 5]), 0.0);
    world.union_topology(&other);
    assert!(world.same_topology(&other) && world != other);
    assert_eq!(world.mass().get([5, 5]), Some(0.0));
    world.difference(&other);
    assert_eq!(world.count(), 0);
    world.internal_validate();
}

/// A masked level with values of its own, below which nodes are made.
#[sparse_layout(axes(x), hash() > tile: bitmasked(4) { mean, pointer(4) > leaf: bitmasked(4) { v } })]
struct Means {
    #[field(background = 9)]
    pub mean: u8,
    pub v: u8,
}

#[test]
fn values_above_nodes_that_are_made() {
    // Tiles are 16 cells wide; four of them share a node.
    let (mut own, mut other) = (Means::new(), Means::new());
    own.mean_mut().set([1], 1);
    other.v_mut().set([3], 3);
    other.mean_mut().set([0], 5);
    other.mean_mut().set([1], 6);
    other.v_mut().set([64 + 20], 4);
    other.mean_mut().set([5], 7);
    own.union(&other);
    own.internal_validate();
    assert_eq!(own.v().iter().collect::<Vec<_>>(), [([3], 3), ([84], 4)]);
    // The second tile was active; the first came with a node below it, the sixth in a node of its own.
    assert_eq!(own.mean().iter().collect::<Vec<_>>(), [([0], 5), ([1], 1), ([5], 7)]);
}
