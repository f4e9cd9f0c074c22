//! The order of iteration: live nodes by the numbers of the cells they were made for, level by level.
//!
//! Below a pointer level that order is the occupancy bits of the parents, read one parent after the other. Where a
//! table is nearly empty, and below a hash level, the nodes are gathered and sorted instead, so that the cost follows
//! what is alive and not the size of tables.

use super::nodes::Raw;
use crate::plan::Plan;
use crate::tree::{Kind, MAX_AXES, ROOT};

/// The live nodes of a kind; `parents` are those that hold their slots, in order.
pub(crate) fn build(raw: &Raw<'_>, kind: usize, parents: &[u32]) -> Box<[u32]> {
    let maker = raw.meta.tree.maker(kind);
    if maker == ROOT {
        return Box::new([0]);
    }
    let live = raw.pools[kind].live() as usize;
    if live == 0 {
        return Box::new([]);
    }
    let words = raw.meta.shape.slots[maker].div_ceil(64);
    match raw.meta.tree.levels[maker].kind {
        Kind::Pointer if words.saturating_mul(parents.len() as u64) <= 64 + 8 * live as u64 => {
            by_occupancy(raw, maker, parents, words, live)
        }
        _ => by_sorting(raw, kind, parents, live),
    }
}

fn by_occupancy(raw: &Raw<'_>, maker: usize, parents: &[u32], words: u64, live: usize) -> Box<[u32]> {
    let aux = raw.meta.tree.aux_part(maker);
    let mut order = Vec::with_capacity(live);
    #[cfg(test)]
    super::counters::table_words_read(words * parents.len() as u64);
    for &parent in parents {
        for w in 0..words {
            // SAFETY: an occupancy word of a live node; nobody writes it while the grid is borrowed for reading.
            let mut on = unsafe { *raw.word(aux, parent, w) };
            while on != 0 {
                let slot = w * 64 + u64::from(on.trailing_zeros());
                on &= on - 1;
                // SAFETY: the entry of an occupied slot, as above.
                order.push(unsafe { *raw.entry(maker, parent, slot) });
            }
        }
    }
    order.into()
}

/// The place of the parent in its order, the slot there, and the key of a hash level's cell.
type Rank = (u32, u64, [i64; MAX_AXES]);

fn by_sorting(raw: &Raw<'_>, kind: usize, parents: &[u32], live: usize) -> Box<[u32]> {
    let maker = raw.meta.tree.maker(kind);
    let above = raw.meta.tree.levels[maker].parent;
    let keyed = raw.meta.tree.levels[maker].kind == Kind::Hash;
    let plan = Plan::new(&raw.meta.tree, &raw.meta.shape, maker);
    let mut rank = vec![0u32; parents.iter().max().map_or(0, |h| *h as usize + 1)];
    for (i, &h) in parents.iter().enumerate() {
        rank[h as usize] = i as u32;
    }
    let order_of = &raw.meta.tree.levels[maker].order;
    let mut keys: Vec<(Rank, u32)> = Vec::with_capacity(live);
    for h in raw.live(kind) {
        let origin = raw.origin(kind, h);
        let mut key = [0; MAX_AXES];
        let slot = if keyed {
            for (k, &a) in key.iter_mut().zip(order_of.iter()) {
                let o = origin[a];
                let unbounded = (0..plan.d).any(|j| plan.axis[j] == a && plan.free[j]);
                *k = if unbounded { o.into() } else { i64::from(o as u32) };
            }
            if above == ROOT || raw.meta.tree.levels[above].kind.is_indirect() {
                0
            } else {
                plan.slot_above(&origin, above)
            }
        } else {
            plan.slot_above(&origin, maker)
        };
        let parent = raw.parent(kind, h) as usize;
        keys.push(((rank[parent], slot, key), h));
    }
    keys.sort_unstable();
    keys.into_iter().map(|(_, h)| h).collect()
}
