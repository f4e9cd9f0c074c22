//! Grids with nothing in them, through every method.

use rayon::prelude::*;
use sparse_layout::prelude::*;
use sparse_layout::{CellBlock, Grid, Level, LevelMut, LevelView};

/// Every kind, storage and packing.
#[sparse_layout(axes(x, y), {
    total,
    root: hash() > tile: pointer(4) { mean, cells: bitmasked(8) { heat, way, alive, next } bin: dynamic(i, max = 10) { item } },
    image: bitmasked(x = 16, y = 8, aos) { red, green },
    keyed: pointer(x = 4) > inner: hash(y = 8) > last: dense(x = 2, y = 2, aosoa) { left, right }
})]
pub struct All {
    /// Of the grid.
    pub total: f64,
    /// Of a tile.
    #[field(background = 2.0)]
    pub mean: f32,
    /// Of a cell.
    #[field(background = -1.0)]
    pub heat: f32,
    /// Split.
    #[field(split)]
    pub way: [f32; 2],
    /// A bit.
    #[field(bits)]
    pub alive: bool,
    /// Two buffers.
    #[field(double)]
    pub next: u8,
    /// In a list.
    pub item: u32,
    /// Of a pixel.
    pub red: u8,
    /// Of a pixel.
    pub green: u16,
    /// Of a cell.
    pub left: i32,
    /// Of a cell.
    pub right: i32,
}

const EVERYWHERE: Region<[i32; 2]> = Region { lo: [i32::MIN; 2], hi: [i32::MAX; 2] };

fn nothing_in_level<L: Level<Point = P>, P: PartialEq + std::fmt::Debug + Send>(level: LevelView<'_, L>) {
    assert_eq!(level.len(), 0);
    assert!(level.is_empty() && !level.name().is_empty());
    assert_eq!((level.iter().count(), level.par_iter().count()), (0, 0));
    assert!(level.bounding_box().is_none());
    assert_eq!((level.blocks().count(), level.par_blocks().count()), (0, 0));
    assert!(level.to_coords().is_empty());
}

fn nothing_to_deactivate<L: Level<Point = [i32; 2]>>(mut level: LevelMut<'_, L>) {
    for p in [[0, 0], [-1, 5], [i32::MIN, i32::MAX]] {
        assert!(!level.deactivate(p) && !level.is_active(p));
    }
    level.retain(|_| unreachable!("no cell is active"));
    level.clear();
    level.activate_all(std::iter::empty::<[i32; 2]>());
    level.try_activate_all(&[]).unwrap();
}

fn every_method(all: &mut All) {
    nothing_in_level(all.root());
    nothing_in_level(all.tile());
    nothing_in_level(all.cells());
    nothing_in_level(all.keyed());
    nothing_in_level(all.inner());
    nothing_in_level(all.last());
    // The image exists, with every cell inactive: it is one block.
    assert!(all.image().is_empty() && all.image().bounding_box().is_none());
    assert_eq!(all.image().blocks().map(|b| (b.cells(), b.count())).collect::<Vec<_>>(), [(128, 0)]);
    assert!(all.tile().bits().next().is_none() && all.cells().bits().next().is_none());
    assert_eq!(all.image().bits().map(|n| n.portal().count_ones()).collect::<Vec<_>>(), [0]);
    assert!(all.cells().block([0, 0]).is_none() && all.last().block([0, 0]).is_none());

    nothing_to_deactivate(all.root_mut());
    nothing_to_deactivate(all.tile_mut());
    nothing_to_deactivate(all.cells_mut());
    nothing_to_deactivate(all.image_mut());
    assert!(!all.keyed_mut().deactivate([0]) && !all.inner_mut().deactivate([0, 0]));

    let f = all.fields();
    assert_eq!((f.heat.iter().count(), f.heat.par_iter().count()), (0, 0));
    assert_eq!((f.way.iter().count(), f.alive.par_iter().count(), f.mean.iter().count()), (0, 0, 0));
    assert_eq!((f.heat.iter_in(EVERYWHERE).count(), f.heat.as_slice()), (0, None));
    assert_eq!((f.heat.get([1, 2]), f.heat.get_ref([1, 2]), f.heat.value([1, 2])), (None, None, -1.0));
    assert_eq!((f.mean.get([0, 0]), f.mean.value([0, 0]), f.way.value([0, 0])), (None, 2.0, [0.0; 2]));
    assert_eq!((f.alive.get([0, 0]), f.alive.value([0, 0]), f.red.get([3, 3])), (None, false, None));
    assert_eq!((f.left.value([7, 15]), f.left.value([8, 0]), f.right.get([0, 0])), (0, 0, None));
    assert_eq!((f.heat.accessor().get([5, 5]), f.heat.accessor().value([5, 5])), (None, -1.0));
    assert_eq!((f.heat.offset([0, 0]), f.red.offset([0, 0]), f.heat.offset([i32::MAX, 0])), (None, Some(0), None));
    assert_eq!(f.heat.to_coords_values(), (vec![], vec![]));
    assert_eq!(f.heat.to_dense(Region::new([0, 0], [2, 2])), [-1.0; 4]);
    assert_eq!((f.item.total(), f.item.iter().count(), f.item.par_iter().count()), (0, 0, 0));
    assert_eq!((f.item.len([0, 0]), f.item.list([9, 9]).chunks().count()), (0, 0));
    assert_eq!((f.item.get([0, 0], 0), f.item.is_empty([0, 0])), (None, true));
    assert_eq!((&f.heat, &f.next).iter().count(), 0);
    assert_eq!((f.heat, f.way, f.alive).par_iter().count(), 0);

    let mut f = all.fields_mut();
    f.heat.par_for_each(|_, _| unreachable!("no cell is active"));
    assert_eq!(f.heat.iter_mut().count(), 0);
    assert_eq!(f.heat.iter_mut_in(EVERYWHERE).count(), 0);
    f.heat.par_iter_mut().for_each(|_| unreachable!("no cell is active"));
    f.heat.par_for_each_block(|_, _| unreachable!("no block exists"));
    f.left.par_for_each_block(|_, _| unreachable!("no block exists"));
    f.heat.fill(5.0);
    f.way.fill([1.0, 2.0]);
    f.alive.fill(true);
    f.red.fill(5);
    assert!(f.heat.get_mut([0, 0]).is_none() && f.way.modify([0, 0], |_| ()).is_none());
    (&mut f.heat, &f.next, &f.alive).par_for_each(|_, _| unreachable!("no cell is active"));
    (&mut f.way, &mut f.alive).par_for_each(|_, _| unreachable!("no cell is active"));
    f.item.par_for_each(|_, _, _| unreachable!("no item"));
    assert!(f.item.list_mut([0, 0]).is_empty());

    assert!(all.cells_cell([0, 0]).is_none() && all.image_cell([0, 0]).is_none() && all.last_cell([0, 0]).is_none());
    all.par_for_each_cells_cell(|_, _| unreachable!("no cell is active"));
    all.par_for_each_image_cell(|_, _| unreachable!("no cell is active"));

    all.heat_mut().extend(std::iter::empty::<([i32; 2], f32)>());
    all.heat_mut().set_many(&[], &[]).unwrap();
    all.heat_mut().set_dense(Region::new([0, 0], [0, 5]), &[]).unwrap();
    all.heat_mut().set_dense(Region::new([0, 0], [2, 1]), &[-1.0; 2]).unwrap();
    all.heat_mut().combine_many(&[], |_| 1.0, |_, _| unreachable!("no cell")).unwrap();
    all.heat_mut().fill_blocks(std::iter::empty::<[i32; 2]>(), |_, _, _| unreachable!("no block"));
    all.extend_cells::<AllCellsCell, [i32; 2]>([]).unwrap();
    assert!(all.to_cells::<AllCellsCell>().is_empty() && all.to_cells::<AllImageCell>().is_empty());
    assert!(all.take_block::<AllCellsCell>([0, 0]).is_none());
    all.item_mut().clear([3, 3]);
    assert!(all.item_mut().swap_remove([0, 0], 0).is_none());
    all.item_mut().retain(|_, _| unreachable!("no item"));
    all.item_mut().rebin(|_| [0, 0]).unwrap();
    let bins = all.cells().bin_by_block(&[] as &[[f32; 2]], |_| [0, 0]).unwrap();
    assert!(bins.is_empty() && bins.iter().count() == 0);
    all.heat_mut().par_for_each_bin(&bins, 0..=2, |_, _| unreachable!("no bin")).unwrap();
    all.swap_next();

    all.internal_validate();
    assert_eq!((all.count(), all.memory().nodes), (0, 0));
    assert!(all.describe().contains("heat") && format!("{all:?}").contains("All"));
    let copy = all.clone();
    assert!(copy == *all && copy.count() == 0);
    all.clear();
    assert!(copy == *all);
}

#[test]
fn a_new_grid() {
    let mut all = All::new();
    every_method(&mut all);
    assert!(all == All::default() && all == All::builder().build().unwrap());
}

#[test]
fn a_grid_that_was_emptied() {
    let fill = |all: &mut All| {
        for i in 0..100 {
            all.heat_mut().set([i * 5 - 250, i * 3], 1.0);
            all.alive_mut().set([i, i], true);
            all.mean_mut().set([i, -i], 1.0);
            all.item_mut().push([i, -i], i as u32).unwrap();
            all.red_mut().set([i % 16, i % 8], 1);
            all.left_mut().set([i % 8, i % 16], 1);
        }
        all.internal_validate();
    };
    let mut all = All::new();
    fill(&mut all);
    all.clear();
    every_method(&mut all);
    fill(&mut all);
    all.root_mut().clear();
    all.image_mut().clear();
    all.keyed_mut().clear();
    every_method(&mut all);
    fill(&mut all);
    all.root_mut().retain(|_| false);
    let pixels = all.image().to_coords();
    pixels.into_iter().for_each(|p| assert!(all.image_mut().deactivate(p)));
    (0..4).for_each(|x| assert!(all.keyed_mut().deactivate([x])));
    every_method(&mut all);
}

#[test]
fn grids_built_from_nothing() {
    #[sparse_layout(axes(x, y), hash() > bitmasked(4))]
    struct Plain {
        a: u8,
    }
    let from_coords = Plain::from_coords([] as [[i32; 2]; 0]).unwrap();
    let from_cells = Plain::from_cells::<PlainCell, [i32; 2]>([]).unwrap();
    let from_dense = Plain::from_dense(Region::new([3, 3], [3, 9]), &[] as &[PlainCell]).unwrap();
    let from_blocks = Plain::from_blocks(Vec::<CellBlock<PlainCell>>::new()).unwrap();
    let collected: Plain = std::iter::empty::<([i32; 2], PlainCell)>().collect();
    for grid in [&from_coords, &from_cells, &from_dense, &from_blocks, &collected] {
        assert!(grid.count() == 0 && *grid == Plain::new());
        grid.internal_validate();
    }
}

#[test]
fn a_layout_without_fields_and_one_without_levels() {
    #[sparse_layout(axes(x, y), root: hash() > cells: bitmasked(8))]
    struct Topology {}
    let mut topology = Topology::new();
    nothing_in_level(topology.cells());
    nothing_to_deactivate(topology.cells_mut());
    assert!(topology.clone() == topology && topology.count() == 0);
    topology.cells_mut().activate([3, -3]);
    assert_eq!(topology.cells().iter().collect::<Vec<_>>(), [[3, -3]]);
    topology.internal_validate();

    #[sparse_layout(axes(x), { total, dense(4) { a } })]
    struct Total {
        total: u64,
        #[field(background = 3)]
        a: u16,
    }
    let mut total = Total::new();
    total.total_mut().set([], 5);
    assert_eq!((total.total().get([]), total.total().iter().count(), total.a().get([3])), (Some(5), 1, Some(3)));
    total.clear();
    assert_eq!((total.total().get([]), total.a().get([3])), (Some(0), Some(3)));
    total.internal_validate();
}
