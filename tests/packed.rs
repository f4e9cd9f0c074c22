//! Fields declared `bits`, `split` and `double`.

use sparse_layout::prelude::*;

/// Cells of a game of life, with a direction.
#[sparse_layout(axes(x = -50..50, y), pointer(_, 8) > bitmasked(5, 16), allow(non_power_of_two))]
pub struct Life {
    /// Whether the cell lives.
    #[field(bits, double)]
    pub alive: bool,
    /// Which way.
    #[field(split, background = [1.0, 2.0, 3.0])]
    pub way: [f32; 3],
    /// Fenced in.
    #[field(bits, background = true)]
    pub fenced: bool,
    /// Plain.
    #[field(double)]
    pub age: u16,
}

#[test]
fn bits_and_split_agree_with_plain_arithmetic() {
    let mut life = Life::new();
    assert!(life.fenced().value([0, 0]) && life.fenced().get([0, 0]).is_none());
    assert_eq!(life.way().value([3, 3]), [1.0, 2.0, 3.0]);
    for x in -50..50 {
        for y in 0..128 {
            if (x * 7 + y * 13) % 5 == 0 {
                life.alive_mut().set([x, y], (x + y) % 2 == 0);
                life.way_mut().set([x, y], [x as f32, y as f32, 0.5]);
            }
        }
    }
    life.internal_validate();
    let expected: Vec<bool> = life.alive().iter().map(|([x, y], _)| (x + y) % 2 == 0).collect();
    assert_eq!(life.alive().iter().map(|(_, a)| a).collect::<Vec<_>>(), expected);
    assert_eq!(life.alive().par_iter().map(|(_, a)| a).collect::<Vec<_>>(), expected);
    assert!(life.way().iter().all(|([x, y], w)| w == [x as f32, y as f32, 0.5]));
    assert!(life.fenced().iter().all(|(_, f)| f));
    let copy = life.clone();
    assert!(copy == life);

    let mut f = life.fields_mut();
    f.way.par_for_each(|_, w| w[2] += w[0]);
    (&mut f.fenced, &f.alive).par_for_each(|_, (mut fenced, alive)| *fenced = !alive);
    assert!((&f.fenced, &f.alive).iter().all(|(_, (fenced, alive))| fenced != alive));
    assert_eq!(f.fenced.modify([0, 0], |v| std::mem::replace(v, true)), Some(false));
    assert_eq!(f.way.get([-50, 5]), Some([-50.0, 5.0, -49.5]));
    assert!(copy != life);

    // Deactivated and activated again, a cell holds the background.
    assert!(life.leaf_mut().deactivate([0, 0]));
    life.internal_validate();
    life.leaf_mut().activate([0, 0]);
    assert_eq!((life.way().get([0, 0]), life.fenced().get([0, 0])), (Some([1.0, 2.0, 3.0]), Some(true)));
    assert_eq!(life.alive().get([0, 0]), Some(false));
    life.clear();
    life.internal_validate();
}

#[test]
fn out_of_bounds_is_an_error_and_changes_nothing() {
    let mut life = Life::new();
    let error = life.alive_mut().try_set([50, 0], true).unwrap_err();
    assert_eq!(error.to_string(), "`alive`: [50, 0] is out of bounds [-50..50, 0..128]");
    assert_eq!(life.count(), 0);
}

#[test]
fn double_buffers_are_exchanged() {
    let mut life = Life::new();
    life.age_mut().set([1, 1], 5);
    life.alive_mut().set([1, 1], true);
    let mut f = life.fields_mut();
    (&mut f.age_next, &f.age).par_for_each(|_, (next, age)| *next = age + 1);
    life.swap_age();
    assert_eq!((life.age().get([1, 1]), life.age_next().get([1, 1])), (Some(6), Some(5)));
    life.swap_alive();
    assert_eq!((life.alive().get([1, 1]), life.alive_next().get([1, 1])), (Some(false), Some(true)));
    let copy = life.clone();
    assert!(copy == life && copy.age().get([1, 1]) == Some(6));
    life.age_mut().set([40, 100], 3);
    life.internal_validate();
    assert_eq!(life.cell([40, 100]).map(|c| (c.age, c.alive, c.fenced)), Some((3, false, true)));
}

#[test]
fn records_with_packed_fields_are_built_in_bulk() {
    let record = |i: i32| LifeCell { alive: i % 2 == 0, way: [i as f32, 0.0, 1.0], fenced: i % 3 == 0, age: i as u16 };
    let cells = || (0..50).map(|i| ([i - 25, 2 * i], record(i)));
    let bulk: Life = cells().collect();
    let mut single = Life::new();
    cells().for_each(|(p, cell)| single.set_cell(p, cell));
    bulk.internal_validate();
    assert!(bulk == single);
    let back = bulk.cell([0, 50]).map(|c| (c.alive, c.way, c.fenced, c.age));
    assert_eq!(back, Some((false, [25.0, 0.0, 1.0], false, 25)));
}

#[test]
fn a_box_is_filled_with_one_value() {
    let mut life = Life::new();
    life.alive_mut().set([30, 99], false);
    let region = Region::new([-50, 3], [-31, 70]);
    life.alive_mut().fill_in(region, true);
    life.way_mut().fill_in(Region::new([-40, 60], [-20, 80]), [0.0, 4.0, 0.0]);
    life.internal_validate();
    assert_eq!(life.alive().iter().filter(|(_, a)| *a).count(), 19 * 67);
    assert!(life.alive().iter().filter(|(_, a)| *a).all(|(p, _)| region.contains(p)));
    assert_eq!(life.way().iter().filter(|(_, w)| *w == [0.0, 4.0, 0.0]).count(), 20 * 20);
    // The cells that both boxes hold were active already.
    assert_eq!(life.count(), 1 + 19 * 67 + 20 * 20 - 9 * 10);
    life.age_mut().fill_in(Region::new([5, 5], [5, 9]), 3);
    assert_eq!(life.count(), 1 + 19 * 67 + 20 * 20 - 9 * 10, "an empty box");
}
