//! Models of the protocols by which many threads make nodes: every interleaving, and every value that the memory orders
//! allow.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p sparse-layout-runtime --release --test concurrent_loom`
#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed};
use loom::thread;
use sparse_layout_runtime::protocols::{
    Directory, Handles, Published, Source, finish, is_finished, is_set, publish, reserve, set_bits,
};

/// What a fresh node's memory holds in a model, before it is filled.
const GARBAGE: u32 = 13;
/// What every cell of a node that is seen must hold.
const BACKGROUND: u32 = 7;

/// All interleavings of two threads; of three threads those with at most that many switches where none is needed.
fn model(switches: Option<usize>, f: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = switches;
    builder.check(f);
}

/// Nodes of one kind: a value each, and an entry that may lead to another node.
struct Nodes {
    handles: Handles,
    value: Vec<UnsafeCell<u32>>,
    entry: Vec<AtomicU32>,
    /// The handle that comes after a spare.
    next: Vec<UnsafeCell<u32>>,
}

// SAFETY: who may access a cell is what the models check.
unsafe impl Sync for Nodes {}

impl Nodes {
    fn new(last: u32) -> Self {
        let all = 0..=last;
        Nodes {
            handles: Handles::new(last),
            value: all.clone().map(|_| UnsafeCell::new(GARBAGE)).collect(),
            entry: all.clone().map(|_| AtomicU32::new(0)).collect(),
            next: all.map(|_| UnsafeCell::new(0)).collect(),
        }
    }

    /// As `Raw::allocate`: a handle, its node filled with background. Whoever has it has it alone: loom checks the cell.
    fn allocate(&self) -> Result<u32, ()> {
        let (handle, source) = self.handles.take().ok_or(())?;
        // SAFETY: the handle is this thread's alone; loom checks.
        self.value[handle as usize].with_mut(|value| unsafe {
            if source == Source::Spare {
                assert_eq!(*value, BACKGROUND, "a spare is whole");
            }
            *value = BACKGROUND;
        });
        Ok(handle)
    }

    fn publish(&self, entry: &AtomicU32) -> Result<Published, ()> {
        publish(entry, &self.handles, || self.allocate(), |spare| self.lose(spare))
    }

    fn lose(&self, spare: u32) {
        // SAFETY: as above.
        self.handles.keep(spare, |next| self.next[spare as usize].with_mut(|link| unsafe { *link = next }));
    }

    /// That the node behind a handle holds the background for this thread.
    fn check(&self, handle: u32) {
        // SAFETY: a published node is not written any more; loom checks.
        self.value[handle as usize].with(|value| assert_eq!(unsafe { *value }, BACKGROUND));
    }

    /// At the end: as many nodes are used as are published, and each handle is one or free.
    fn settle(&mut self, published: &[u32]) {
        assert_eq!(self.handles.used() as usize, published.len(), "a node is lost");
        let next = &self.next;
        // SAFETY: all threads were joined.
        self.handles.settle(|handle| next[handle as usize].with(|link| unsafe { *link }));
        assert_eq!(self.handles.used() as usize, published.len());
        let mut all = published.to_vec();
        while let Some((handle, Source::Free)) = self.handles.take() {
            all.push(handle);
        }
        all.sort_unstable();
        all.dedup();
        let end = self.handles.end().min(all.len() as u32 + 1);
        assert!(all.iter().copied().eq(1..end), "a handle is missing or out twice: {all:?}");
    }
}

/// Runs `f` on `threads` threads, this one among them, and then `end`.
fn on_threads<S: Send + Sync + 'static, R: Send + 'static>(
    state: S,
    threads: usize,
    f: fn(&S, usize) -> R,
    end: impl Fn(S, Vec<R>),
) {
    let state = Arc::new(state);
    let others: Vec<_> = (1..threads)
        .map(|i| {
            let state = state.clone();
            thread::spawn(move || f(&state, i))
        })
        .collect();
    let mut results = vec![f(&state, 0)];
    results.extend(others.into_iter().map(|other| other.join().unwrap()));
    let Ok(state) = Arc::try_unwrap(state) else { unreachable!("all threads were joined") };
    end(state, results);
}

/// Threads activate the same cell: one node is published, everyone sees it whole, the others' are spares.
fn race(threads: usize, last: u32, switches: Option<usize>) {
    model(switches, move || {
        let activate = |nodes: &Nodes, _| {
            let handle = nodes.publish(&nodes.entry[0]).expect("there is room for one").handle();
            nodes.check(handle);
            handle
        };
        on_threads(Nodes::new(last), threads, activate, |mut nodes, seen| {
            assert!(seen.iter().all(|handle| *handle == seen[0]));
            nodes.settle(&seen[..1]);
        });
    });
}

#[test]
fn two_threads_activate_one_cell() {
    race(2, 4, None);
}

#[test]
fn three_threads_activate_one_cell() {
    // The list of spares is reached: there is one slot in models.
    race(3, 4, Some(2));
}

#[test]
fn the_last_node_serves_all_who_need_it() {
    race(2, 1, None);
}

/// Threads activate different cells, having lost before: what was lost is used, and by one of them.
#[test]
fn what_was_lost_is_used_once() {
    model(Some(3), || {
        let activate = |nodes: &Nodes, i| {
            let shared = nodes.publish(&nodes.entry[0]).expect("room").handle();
            let own = nodes.publish(&nodes.entry[1 + i]).expect("room").handle();
            (shared, own)
        };
        on_threads(Nodes::new(3), 2, activate, |mut nodes, seen| {
            let [(shared, first), (same, second)] = seen[..] else { unreachable!("two threads") };
            assert_eq!(shared, same);
            assert!(shared != first && shared != second && first != second, "a node is out twice");
            nodes.settle(&[shared, first, second]);
        });
    });
}

/// Handles that were given back before the phase are taken once each.
#[test]
fn the_free_list_gives_each_handle_once() {
    model(None, || {
        let mut nodes = Nodes::new(3);
        for _ in 0..2 {
            nodes.handles.take().expect("room");
            nodes.handles.landed();
        }
        nodes.handles.give(1);
        nodes.handles.give(2);
        let take = |nodes: &Nodes, _| {
            let handle = nodes.allocate().expect("room");
            nodes.handles.landed();
            handle
        };
        on_threads(nodes, 2, take, |nodes, taken| {
            assert_ne!(taken[0], taken[1]);
            assert_eq!((nodes.handles.used(), nodes.handles.end()), (2, 3));
        });
    });
}

/// A pointer level inside a node that another thread is publishing: a node of each kind in the end, seen whole.
fn nested(threads: usize, switches: Option<usize>) {
    model(switches, move || {
        let activate = |kinds: &[Nodes; 2], _| {
            let [outer, inner] = kinds;
            let block = outer.publish(&outer.entry[0]).expect("room").handle();
            outer.check(block);
            let leaf = inner.publish(&outer.entry[block as usize]).expect("room").handle();
            inner.check(leaf);
            (block, leaf)
        };
        on_threads([Nodes::new(4), Nodes::new(4)], threads, activate, |[mut outer, mut inner], seen| {
            let (block, leaf) = seen[0];
            assert!(seen.iter().all(|s| *s == (block, leaf)));
            outer.settle(&[block]);
            inner.settle(&[leaf]);
        });
    });
}

#[test]
fn two_threads_activate_a_path() {
    nested(2, Some(3));
}

#[test]
fn three_threads_activate_a_path() {
    nested(3, Some(1));
}

/// A reader that sees the handle sees the background.
#[test]
fn a_reader_sees_a_whole_node_or_none() {
    model(None, || {
        let act = |nodes: &Nodes, i| {
            if i == 0 {
                nodes.publish(&nodes.entry[0]).expect("room");
            } else {
                match nodes.entry[0].load(Acquire) {
                    0 => {}
                    handle => nodes.check(handle),
                }
            }
        };
        on_threads(Nodes::new(2), 2, act, |_, _| {});
    });
}

/// Nodes by key: the key of a node stands in the node.
struct Keyed {
    directory: Directory,
    nodes: Nodes,
    key: Vec<UnsafeCell<u64>>,
}

// SAFETY: as for `Nodes`.
unsafe impl Sync for Keyed {}

impl Keyed {
    fn new(last: u32) -> Self {
        let key = (0..=last).map(|_| UnsafeCell::new(0)).collect();
        Keyed { directory: Directory::default(), nodes: Nodes::new(last), key }
    }

    fn is(&self, handle: u32, key: u64) -> bool {
        // SAFETY: the key of a handle in the directory is not written any more; loom checks.
        self.key[handle as usize].with(|k| unsafe { *k } == key)
    }

    fn activate(&self, key: u64) -> u32 {
        let make = || {
            let handle = self.nodes.allocate()?;
            // SAFETY: the handle is this thread's alone.
            self.key[handle as usize].with_mut(|k| unsafe { *k = key });
            Ok::<_, ()>(handle)
        };
        self.directory.find_or_insert(key << 32, |handle| self.is(handle, key), make).expect("room")
    }

    fn find(&self, key: u64) -> u32 {
        self.directory.find(key << 32, |handle| self.is(handle, key))
    }
}

#[test]
fn the_directory_makes_one_node_for_a_key() {
    // The keys 1 and 17 meet in a table of 16 slots.
    model(Some(3), || {
        let activate = |keyed: &Keyed, i| {
            let shared = keyed.activate(1);
            keyed.nodes.check(shared);
            let own = if i == 0 { keyed.activate(17) } else { keyed.find(17) };
            assert_eq!(keyed.find(1), shared, "what was found stays");
            (shared, own)
        };
        on_threads(Keyed::new(4), 2, activate, |keyed, seen| {
            assert_eq!(seen[0].0, seen[1].0);
            assert!(seen[1].1 == 0 || seen[1].1 == seen[0].1);
            assert_eq!((keyed.directory.entries(), keyed.nodes.handles.used()), (2, 2));
        });
    });
}

#[test]
fn a_reader_of_the_directory_sees_a_whole_node_or_none() {
    model(None, || {
        let keyed = Keyed::new(4);
        // So that the table is there, and the other key goes beside this one.
        keyed.activate(1);
        let act = |keyed: &Keyed, i| {
            if i == 0 {
                keyed.activate(17);
            } else {
                match keyed.find(17) {
                    0 => {}
                    handle => keyed.nodes.check(handle),
                }
            }
        };
        on_threads(keyed, 2, act, |keyed, _| assert_ne!(keyed.find(17), 0));
    });
}

#[test]
fn readers_of_the_directory_do_not_wait_while_it_grows() {
    model(Some(2), || {
        let keyed = Keyed::new(14);
        for key in 1..=12 {
            keyed.activate(key);
        }
        // The thirteenth entry passes three quarters of 16 slots.
        let act = |keyed: &Keyed, i| {
            if i == 0 {
                keyed.activate(13);
            } else {
                let handle = keyed.find(5);
                keyed.nodes.check(handle);
                match keyed.find(13) {
                    0 => {}
                    handle => keyed.nodes.check(handle),
                }
            }
        };
        on_threads(keyed, 2, act, |keyed, _| assert_eq!(keyed.directory.entries(), 13));
    });
}

/// A list of up to three items, two to a chunk.
struct List {
    len: AtomicU32,
    chunks: Nodes,
    table: [AtomicU32; 2],
    items: Vec<UnsafeCell<u32>>,
    finished: Vec<AtomicU8>,
}

// SAFETY: as for `Nodes`.
unsafe impl Sync for List {}

impl List {
    const MAX: u32 = 3;

    fn new() -> Self {
        List {
            len: AtomicU32::new(0),
            chunks: Nodes::new(4),
            table: [AtomicU32::new(0), AtomicU32::new(0)],
            items: (0..Self::MAX).map(|_| UnsafeCell::new(0)).collect(),
            finished: (0..Self::MAX).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    fn push(&self, value: u32) -> Option<u32> {
        let room = |first: u32, _n: u32| self.chunks.publish(&self.table[first as usize / 2]).map(|_| 1);
        let (place, _) = reserve(&self.len, Self::MAX, 1, room).expect("room for chunks")?;
        assert!(self.len.load(Relaxed) <= Self::MAX);
        // SAFETY: the place is this thread's alone; loom checks.
        self.items[place as usize].with_mut(|item| unsafe { *item = value });
        finish(&self.finished[place as usize]);
        Some(place)
    }

    /// The items that are finished.
    fn read(&self) -> Vec<u32> {
        let finished = |i: &u32| is_finished(&self.finished[*i as usize]);
        // SAFETY: a finished item is not written any more; loom checks.
        (0..Self::MAX).filter(finished).map(|i| self.items[i as usize].with(|item| unsafe { *item })).collect()
    }
}

#[test]
fn items_of_a_list_are_read_when_they_are_finished() {
    model(Some(3), || {
        let act = |list: &List, i| {
            if i == 0 {
                let place = list.push(40).expect("room for two");
                assert!(list.read().contains(&40), "what a thread pushed it can read: {place}");
            } else {
                assert!(list.read().iter().all(|item| *item == 40));
                list.push(41).expect("room for two");
            }
        };
        on_threads(List::new(), 2, act, |list, _| {
            let mut items = list.read();
            items.sort_unstable();
            assert_eq!((items, list.len.load(Relaxed)), (vec![40, 41], 2));
            assert_eq!(list.chunks.handles.used(), 1, "two items share a chunk");
        });
    });
}

#[test]
fn a_list_takes_no_more_than_its_most() {
    model(Some(2), || {
        let push = |list: &List, i| {
            let first = list.push(2 * i as u32 + 1);
            [first, list.push(2 * i as u32 + 2)]
        };
        on_threads(List::new(), 2, push, |list, places| {
            let mut taken: Vec<u32> = places.concat().into_iter().flatten().collect();
            taken.sort_unstable();
            assert_eq!(taken, [0, 1, 2], "of four items three have a place each");
            assert_eq!((list.read().len(), list.len.load(Relaxed)), (3, 3));
        });
    });
}

/// Two threads activate cells of one word: no bit is lost, the summary is right, and inner bits imply outer ones.
#[test]
fn masks_lose_no_bit() {
    model(None, || {
        let set = |[outer, inner, summary]: &[AtomicU64; 3], i: usize| {
            set_bits(outer, 1);
            set_bits(inner, 1 << i);
            set_bits(summary, 1 << 5);
            if is_set(inner, 1 << (1 - i)) {
                assert!(is_set(outer, 1), "an active cell has active ancestors");
            }
        };
        on_threads([0, 0, 0].map(AtomicU64::new), 2, set, |words, _| {
            assert_eq!(words.map(|word| word.load(Relaxed)), [1, 0b11, 1 << 5]);
        });
    });
}
