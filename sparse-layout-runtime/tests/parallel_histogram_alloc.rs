//! A histogram call with fitting buffers allocates nothing.
//!
//! Every allocation of the process is counted, rayon's included. The calls run inside a pool, as handing work to one
//! from outside allocates a queue now and then. The threads of a pool allocate too, once, as each comes alive and looks
//! for work; as that may happen during a call, each call is repeated: one that allocates would do so every time. This
//! file has one test only, so nothing else allocates meanwhile.

use sparse_layout_runtime::parallel::{HistogramBuffers, HistogramOptions, PastEnd, histogram};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.realloc(ptr, layout, new_size) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The fewest allocations of some equal calls.
fn least_allocations(mut f: impl FnMut()) -> usize {
    (0..20).map(|_| allocations(&mut f)).min().unwrap_or(0)
}

fn allocations(f: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    f();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

#[test]
fn fitting_buffers_allocate_nothing() {
    let keys: Vec<u32> = (0..200_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect();
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
        pool.install(|| {
            for depth in [None, Some(0), Some(1), Some(4), Some(8), Some(13)] {
                let options = depth.map_or(HistogramOptions::new(), |b| HistogramOptions::new().fork_depth(b));
                let mut buffers = HistogramBuffers::new();
                let mut call = |keys: &[u32], buckets, rule| {
                    let options = options.past_end(rule);
                    histogram(keys, buckets, &options, &mut buffers).expect("a histogram");
                };
                let small = &keys[..10_000];
                let first = allocations(|| call(small, 3000, PastEnd::Clamp));
                assert!(first > 0, "the first call allocates its buffers: the counter works");
                // Grow, shrink, grow.
                call(&keys, 5000, PastEnd::Clamp);
                call(small, 16, PastEnd::Clamp);
                let n = least_allocations(|| {
                    call(&keys, 5000, PastEnd::Clamp);
                    call(&keys, 5000, PastEnd::Ignore);
                    call(small, 300, PastEnd::Clamp);
                });
                assert_eq!(n, 0, "{threads} threads, depth {depth:?}");

                let mut sized = HistogramBuffers::sized(keys.len(), 300, &options).expect("buffers");
                let n = least_allocations(|| {
                    histogram(&keys, 300, &options, &mut sized).expect("a histogram");
                });
                assert_eq!(n, 0, "sized buffers: {threads} threads, depth {depth:?}");
            }
        });
    }
}
