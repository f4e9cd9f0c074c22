//! Where nodes run out, and where closures panic.

use super::threads::together;
use rayon::prelude::*;
use sparse_layout::prelude::*;
use sparse_layout::{PushError, WriteError};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Two kinds of node, and lists.
#[sparse_layout(axes(x), outer: pointer(64) > pointer(4) > bitmasked(4) { a, dynamic(i, max = 8, chunk = 2) { item } })]
pub struct Small {
    /// A value.
    #[field(background = 6)]
    pub a: u8,
    /// A list.
    pub item: u64,
}

#[test]
fn the_last_node_is_enough_for_all_who_need_it() {
    for _ in 0..200 {
        let mut small = Small::builder().capacity(1).build().unwrap();
        let c = small.concurrent();
        together(4, |i| {
            c.a().fetch_add([i as i32], 1).expect("the one node there is");
        });
        assert!(small.a().iter().eq((0..4).map(|x| ([x], 7))));
        small.internal_validate();
    }
}

#[test]
fn when_nodes_run_out_nothing_else_breaks() {
    for round in 0..20 {
        let mut small = Small::builder().capacity(10).build().unwrap();
        let c = small.concurrent();
        let written: Vec<i32> = (0..1024)
            .into_par_iter()
            .with_max_len(8)
            .filter(|x| match c.a().store([*x], 1) {
                Ok(()) => true,
                Err(WriteError::Exhausted(_)) => false,
                Err(error) => panic!("{error}"),
            })
            .collect();
        small.internal_validate();
        assert!(small.a().iter().map(|([x], _)| x).eq(written.iter().copied()), "round {round}");
        assert!(!written.is_empty() && written.len() <= 40);
        // What was written can be written again, and so after some was given back.
        let c = small.concurrent();
        written.par_iter().for_each(|x| c.a().store([*x], 2).unwrap());
        let mut pushed = 0;
        while let Ok(place) = c.item().push([written[0]], 1) {
            pushed = place + 1;
        }
        assert_eq!(pushed, 8, "a list of four chunks");
        for x in &written {
            let mut n = 0;
            while c.item().push([*x], 1).is_ok() {
                n += 1;
            }
            assert!(n <= 8);
        }
        assert!(written.iter().any(|x| matches!(c.item().push([*x], 1), Err(PushError::Exhausted(_)))));
        small.internal_validate();
        small.outer_mut().clear();
        small.internal_validate();
        assert_eq!(small.memory().nodes, 0);
        small.concurrent().a().store([1000], 3).unwrap();
        assert_eq!(small.a().iter().collect::<Vec<_>>(), [([1000], 3)]);
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_grid_is_whole() {
    let mut small = Small::new();
    let c = small.concurrent();
    let result = catch_unwind(AssertUnwindSafe(|| {
        (0..1024).into_par_iter().for_each(|x| {
            c.a().update([x], |old| if x == 600 { panic!("enough") } else { old + 1 }).unwrap();
            c.item().extend([x], (0..3).map(|i| if x == 700 { panic!("enough") } else { i })).unwrap();
        });
    }));
    assert_eq!(result.unwrap_err().downcast_ref::<&str>(), Some(&"enough"));
    assert_eq!(c.a().load([600]), Ok(6), "nothing was written there");
    small.internal_validate();
    small.clear();
    small.internal_validate();
    assert_eq!(small.memory().nodes, 0);
}
