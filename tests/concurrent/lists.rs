//! Many threads append to lists.

use super::threads::{draw, together};
use rayon::prelude::*;
use sparse_layout::PushError;
use sparse_layout::prelude::*;

/// Lists in cells of blocks, chunks shorter than a word of bits, and longer.
#[sparse_layout(axes(x), pointer(8) > bitmasked(8) { weight, dynamic(i, max = 200, chunk = 7) { short }, dynamic(j, max = 200, chunk = 100, aos) { long, tag } })]
pub struct Lists {
    /// Of the cell.
    pub weight: f32,
    /// Items.
    pub short: u32,
    /// Records.
    pub long: [u16; 3],
    /// Beside them.
    #[field(background = 8)]
    pub tag: u8,
}

#[test]
fn rounds_of_pushes_and_clear_give_the_right_lengths() {
    let mut lists = Lists::new();
    for round in 0..1000 {
        let lengths: Vec<u32> = draw(round).take(64).map(|r| r % 100 + 1).collect();
        let short = lists.concurrent().short();
        (0..100).into_par_iter().with_max_len(4).for_each(|i| {
            for (x, &len) in (0..).zip(&lengths).filter(|(_, len)| i < **len) {
                let place = short.push([x], i).unwrap();
                assert!(place < len);
            }
        });
        for (x, &len) in (0..).zip(&lengths) {
            let list = lists.short().list([x]);
            assert_eq!(list.len(), len as usize, "round {round}");
            assert_eq!(list.iter().sum::<u32>(), len * (len - 1) / 2, "each item once");
        }
        if round % 100 == 0 {
            lists.internal_validate();
        }
        lists.clear();
        assert!(lists.short().is_empty([0]));
    }
    assert!(lists.memory().nodes == 0);
}

#[test]
fn finished_items_are_whole_and_full_lists_stay_full() {
    for _ in 0..20 {
        let mut lists = Lists::new();
        lists.long_mut().push([9], [9999, 4999, 3333]).unwrap();
        let long = lists.concurrent().long();
        together(4, |i| {
            for n in 0..100u16 {
                let n = 1000 * i as u16 + n;
                if i == 3 {
                    for (_, item) in long.finished([9]) {
                        assert_eq!(item, [item[0], item[0] / 2, item[0] / 3], "half an item");
                    }
                    assert!(long.len([9]) <= 200);
                } else {
                    match long.push([9], [n, n / 2, n / 3]) {
                        Ok(place) => assert_eq!(long.get([9], place as usize), Some([n, n / 2, n / 3])),
                        Err(error) => assert!(matches!(error, PushError::Full(_)), "{error}"),
                    }
                }
            }
        });
        lists.internal_validate();
        let mut items: Vec<u16> = lists.long().list([9]).iter().map(|item| item[0]).collect();
        items.sort_unstable();
        items.dedup();
        assert_eq!(items.len(), 200, "each item once, and no more than there is room for");
        assert!(lists.tag().list([9]).iter().all(|tag| tag == 8));
    }
}

#[test]
fn batches_of_many_threads_are_all_there() {
    let mut lists = Lists::new();
    let short = lists.concurrent().short();
    together(3, |i| {
        for x in 0..20 {
            short.extend([x], (0..66).map(|n| 100 * i as u32 + n)).unwrap();
        }
    });
    for x in 0..20 {
        let mut items: Vec<u32> = lists.short().list([x]).iter().collect();
        items.sort_unstable();
        assert!(items.into_iter().eq((0..3).flat_map(|i| (0..66).map(move |n| 100 * i + n))));
    }
    lists.internal_validate();
}
