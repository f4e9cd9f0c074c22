//! Large buffers that live for one call.

use memmap2::{MmapOptions, MmapRaw};
use std::mem::MaybeUninit;

/// Bytes from which a buffer is a mapping of its own, in huge pages: touching small pages for the first time costs more
/// than sorting what is written to them.
const MAP_FROM: usize = 4 << 20;

/// Room for a number of values, to be written and read by place.
pub(super) struct Scratch<T> {
    memory: Memory<T>,
    len: usize,
}

enum Memory<T> {
    Map(MmapRaw),
    Heap(Vec<MaybeUninit<T>>),
}

impl<T: Copy> Scratch<T> {
    /// Room for `len` values.
    pub(super) fn new(len: usize) -> Self {
        let bytes = len.saturating_mul(size_of::<T>());
        // A mapping starts on a page, which aligns any `T` that is not made to be larger.
        if bytes >= MAP_FROM
            && align_of::<T>() <= 4096
            && let Ok(map) = MmapOptions::new().len(bytes).map_anon()
        {
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Scratch { memory: Memory::Map(MmapRaw::from(map)), len };
        }
        let mut heap = Vec::with_capacity(len);
        heap.resize_with(len, MaybeUninit::uninit);
        Scratch { memory: Memory::Heap(heap), len }
    }

    fn start(&self) -> *mut T {
        match &self.memory {
            Memory::Map(map) => map.as_mut_ptr().cast(),
            Memory::Heap(heap) => heap.as_ptr().cast_mut().cast(),
        }
    }

    /// What many threads write through.
    pub(super) fn places(&mut self) -> Places<'_, T> {
        let start = match &mut self.memory {
            Memory::Map(map) => map.as_mut_ptr().cast(),
            Memory::Heap(heap) => heap.as_mut_ptr().cast(),
        };
        Places { start, len: self.len, borrow: std::marker::PhantomData }
    }

    /// The values.
    ///
    /// # Safety
    /// Every place was written.
    pub(super) unsafe fn as_slice(&self) -> &[T] {
        // SAFETY: `len` values, all written, borrowed for reading.
        unsafe { std::slice::from_raw_parts(self.start(), self.len) }
    }
}

/// A buffer that many threads write, no place twice.
pub(super) struct Places<'a, T> {
    start: *mut T,
    len: usize,
    borrow: std::marker::PhantomData<&'a mut [T]>,
}

// SAFETY: used by `write` only, whose caller promises that no place is written twice; the exclusive borrow keeps everyone
// else away. Values written by one thread are read by others later, hence `T: Send`.
unsafe impl<T: Send> Sync for Places<'_, T> {}

impl<'a, T: Copy> Places<'a, T> {
    pub(super) fn of(slice: &'a mut [T]) -> Self {
        Places { start: slice.as_mut_ptr(), len: slice.len(), borrow: std::marker::PhantomData }
    }

    /// # Safety
    /// No place is written twice while the borrow lasts, and `place` is below the length.
    #[inline(always)]
    pub(super) unsafe fn write(&self, place: usize, value: T) {
        debug_assert!(place < self.len);
        // SAFETY: as promised.
        unsafe { self.start.add(place).write(value) }
    }
}
