//! Eight values at once: loaded together, stored in part.

/// Values that are stored together: two vectors of floats, or one.
pub(crate) const EIGHT: usize = 8;

/// Whether the compiler has vectors of such elements, so that eight of them stay together from loads to stores.
pub(crate) const fn is_word<T>() -> bool {
    matches!(size_of::<T>(), 4 | 8) && align_of::<T>() == size_of::<T>()
}

/// Eight values that stand side by side.
///
/// # Safety
/// There are as many values of plain data, aligned as such.
#[inline(always)]
pub(crate) unsafe fn load_eight<T: Copy>(from: *const T) -> [T; EIGHT] {
    // SAFETY: as promised.
    unsafe { from.cast::<[T; EIGHT]>().read() }
}

/// For 8 bits the bytes 0 or -1, which widen to masks of any size.
static ON: [[i8; EIGHT]; 256] = {
    let mut on = [[0; EIGHT]; 256];
    let mut i = 0;
    while i < 256 * EIGHT {
        on[i / EIGHT][i % EIGHT] = if (i / EIGHT) >> (i % EIGHT) & 1 != 0 { -1 } else { 0 };
        i += 1;
    }
    on
};

/// Stores those of 8 values whose bits are on, without a branch where elements are as large as a machine word.
///
/// # Safety
/// Both point to 8 values of a type without padding; those behind `to` are this call's alone.
#[inline(always)]
pub(crate) unsafe fn blend<T: Copy>(from: *const T, to: *mut T, bits: u64) {
    macro_rules! select {
        ($word:ty) => {{
            // SAFETY: elements are plain data without padding, of this size; unaligned, since they may be aligned to less.
            unsafe {
                let new = from.cast::<[$word; EIGHT]>().read_unaligned();
                let old = to.cast::<[$word; EIGHT]>().read_unaligned();
                let on = &ON[bits as u8 as usize];
                let mut mixed = old;
                for i in 0..EIGHT {
                    let on = on[i] as $word;
                    mixed[i] = new[i] & on | old[i] & !on;
                }
                to.cast::<[$word; EIGHT]>().write_unaligned(mixed);
            }
        }};
    }
    match const { size_of::<T>() } {
        1 => select!(i8),
        2 => select!(i16),
        4 => select!(i32),
        8 => select!(i64),
        _ => {
            for i in 0..EIGHT {
                if bits >> i & 1 != 0 {
                    // SAFETY: as promised.
                    unsafe { *to.add(i) = *from.add(i) };
                }
            }
        }
    }
}
