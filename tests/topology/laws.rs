//! Laws of sets and of mathematical morphology, on nodes of 8^3 bits and on others.

use proptest::collection::vec;
use proptest::prelude::*;
use sparse_layout::Neighbourhood;
use sparse_layout::prelude::*;

type Cell = [i32; 3];

macro_rules! laws {
    ($test:ident, $(#[$attribute:meta])*) => {
        mod $test {
            use super::*;

            $(#[$attribute])*
            struct Set {}

            fn set(cells: &[Cell]) -> Set {
                let mut set = Set::new();
                cells.iter().for_each(|p| set.leaf_mut().activate(p));
                set
            }

            fn made(of: &Set, change: impl FnOnce(&mut Set)) -> Set {
                let mut set = of.clone();
                change(&mut set);
                set.internal_validate();
                set
            }

            fn within(a: &Set, b: &Set) -> bool {
                made(a, |a| a.intersection(b)).same_topology(a)
            }

            proptest! {
                #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

                #[test]
                fn sets(a in cells(), b in cells(), c in cells()) {
                    let (a, b, c) = (set(&a), set(&b), set(&c));
                    let or = |a: &Set, b: &Set| made(a, |a| a.union_topology(b));
                    let and = |a: &Set, b: &Set| made(a, |a| a.intersection(b));
                    let minus = |a: &Set, b: &Set| made(a, |a| a.difference(b));
                    prop_assert!(or(&a, &b).same_topology(&or(&b, &a)) && or(&a, &a).same_topology(&a));
                    prop_assert!(or(&a, &or(&b, &c)).same_topology(&or(&or(&a, &b), &c)));
                    prop_assert!(and(&a, &or(&b, &c)).same_topology(&or(&and(&a, &b), &and(&a, &c))));
                    prop_assert!(minus(&a, &minus(&a, &b)).same_topology(&and(&a, &b)));
                    prop_assert_eq!(or(&a, &b).count() + and(&a, &b).count(), a.count() + b.count());
                    prop_assert!(made(&a, |a| a.union(&b)).same_topology(&or(&a, &b)));
                }

                #[test]
                fn growing(a in cells(), b in cells(), n in neighbourhoods()) {
                    let (a, b) = (set(&a), set(&b));
                    let grown = |a: &Set, rounds| made(a, |a| a.dilate(n, rounds));
                    let or = |a: &Set, b: &Set| made(a, |a| a.union_topology(b));
                    prop_assert!(within(&a, &grown(&a, 1)));
                    prop_assert!(grown(&or(&a, &b), 1).same_topology(&or(&grown(&a, 1), &grown(&b, 1))));
                    prop_assert!(grown(&grown(&a, 1), 2).same_topology(&grown(&a, 3)));
                    prop_assert!(within(&made(&a, |a| a.dilate(Neighbourhood::Faces, 1)), &grown(&a, 1)));
                    prop_assert!(within(&grown(&a, 1), &made(&a, |a| a.dilate(Neighbourhood::All, 1))));
                }

                #[test]
                fn shrinking(a in cells(), n in neighbourhoods()) {
                    let a = set(&a);
                    // Closing holds the set, opening is in it, and both do nothing the second time.
                    let closed = |a: &Set| made(a, |a| { a.dilate(n, 1); a.erode(n, 1) });
                    let opened = |a: &Set| made(a, |a| { a.erode(n, 1); a.dilate(n, 1) });
                    let closing = closed(&a);
                    prop_assert!(within(&a, &closing) && closed(&closing).same_topology(&closing));
                    let large = made(&a, |a| a.dilate(Neighbourhood::All, 2));
                    let opening = opened(&large);
                    prop_assert!(within(&opening, &large) && opened(&opening).same_topology(&opening));
                    // What is eroded is what the complement, in a box with room around, does not grow into.
                    let bounds = Region::new([-20; 3], [24; 3]);
                    let mut complement = set(&[]);
                    complement.leaf_mut().activate_box(bounds);
                    let around = complement.clone();
                    complement.difference(&a);
                    complement.dilate(n, 1);
                    let left = made(&around, |around| around.difference(&complement));
                    prop_assert!(made(&a, |a| a.erode(n, 1)).same_topology(&left));
                }

                #[test]
                fn regions(a in cells(), lo in cell(), side in vec(0..20i32, 3)) {
                    let region = Region::new(lo, [0, 1, 2].map(|j| lo[j] + side[j]));
                    let a = set(&a);
                    let mut filled = set(&[]);
                    filled.leaf_mut().activate_box(region);
                    prop_assert_eq!(filled.count(), region.len());
                    prop_assert!(made(&a, |a| a.clip(region)).same_topology(&made(&a, |a| a.intersection(&filled))));
                    if let Some(hull) = a.bounding_box::<Cell>() {
                        prop_assert!(made(&a, |a| a.clip(hull)).same_topology(&a));
                    }
                }
            }
        }
    };
}

fn cell() -> impl Strategy<Value = Cell> {
    [-12..14i32, -12..14i32, -12..14i32]
}

fn cells() -> impl Strategy<Value = Vec<Cell>> {
    vec(cell(), 0..60)
}

fn neighbourhoods() -> impl Strategy<Value = Neighbourhood> {
    prop_oneof![Just(Neighbourhood::Faces), Just(Neighbourhood::Edges), Just(Neighbourhood::All)]
}

laws! { cubes, #[sparse_layout(axes(x, y, z), hash() > pointer(2) > leaf: bitmasked(8))] }
laws! { boxes, #[sparse_layout(axes(x, y, z), hash() > leaf: bitmasked(3, 4, 16), allow(non_power_of_two))] }
