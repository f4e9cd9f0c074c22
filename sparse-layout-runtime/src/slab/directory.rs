//! The nodes of a hash level by key.
//!
//! Open addressing with linear probing over one `AtomicU64` an entry: the upper half of the key's hash and the handle.
//! The key itself is the node's origin, so the table needs no copy of it. Readers never wait. Inserters take the lock,
//! look again, and only then make the node: no two threads make one for the same key. A grown table is published whole;
//! the old one is kept until the grid is next held exclusively, since a reader may still be in it.

use super::table::{self, Table};
use crate::sync::{AtomicPtr, AtomicU64, Mutex, MutexGuard};
use crate::tree::MAX_AXES;
use std::sync::PoisonError;
use std::sync::atomic::{Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

/// A set of handles, found by hash and a test on the handle.
pub struct Directory {
    table: AtomicPtr<AtomicU64>,
    /// Guards insertion; holds the number of entries and the tables that readers may still be in.
    lock: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    len: usize,
    old: Vec<*mut AtomicU64>,
}

// SAFETY: the tables behind the pointers hold atomics only and are freed under `&mut` (see `drain`, `drop`).
unsafe impl Send for Directory {}
// SAFETY: as above; the list of old tables is reached only under the lock.
unsafe impl Sync for Directory {}

impl std::fmt::Debug for Directory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Directory").field("len", &self.kept().len).finish_non_exhaustive()
    }
}

impl Default for Directory {
    fn default() -> Self {
        Directory { table: AtomicPtr::new(table::empty()), lock: Mutex::new(Kept::default()) }
    }
}

impl Clone for Directory {
    fn clone(&self) -> Self {
        let kept = self.kept();
        Directory {
            table: AtomicPtr::new(self.table().copy()),
            lock: Mutex::new(Kept { len: kept.len, old: Vec::new() }),
        }
    }
}

impl Directory {
    #[inline(always)]
    fn table(&self) -> Table<'_> {
        // SAFETY: a table is freed only under `&mut self`; those that are replaced are kept.
        unsafe { Table::at(self.table.load(Acquire)) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // The guarded section never runs foreign code between changes, so a poisoned lock guards a whole state.
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The handle for which `is` holds among those with this hash, or 0.
    #[inline(always)]
    pub fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> u32 {
        let table = self.table();
        let mask = table.mask();
        let tag = (hash >> 32) as u32;
        let mut i = tag as usize & mask;
        // A table always has a free slot (`find_or_insert`), so this ends.
        loop {
            let entry = table.slot(i).load(Acquire);
            if entry == 0 {
                return 0;
            }
            if (entry >> 32) as u32 == tag && is(entry as u32) {
                return entry as u32;
            }
            i = (i + 1) & mask;
        }
    }

    /// As [`find`](Self::find), or the handle that `make` gives, which is then entered.
    /// `make` runs under the lock; it must be the library's own code.
    pub fn find_or_insert<E>(
        &self,
        hash: u64,
        mut is: impl FnMut(u32) -> bool,
        make: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let mut kept = self.kept();
        let found = self.find(hash, &mut is);
        if found != 0 {
            return Ok(found);
        }
        let handle = make()?;
        debug_assert!(handle != 0);
        if (kept.len + 1) * 4 > (self.table().mask() + 1) * 3 {
            let grown = self.table().resized(2 * (self.table().mask() + 1));
            kept.old.push(self.table.swap(grown, Release));
        }
        self.table().put(hash >> 32 << 32 | u64::from(handle));
        kept.len += 1;
        Ok(handle)
    }

    /// Takes an entry out. The entries behind it that would no longer be found move up.
    pub(crate) fn remove(&mut self, hash: u64, handle: u32) {
        self.drain();
        let table = self.table();
        let (slots, mask) = (table.slots(), table.mask());
        let mut i = (hash >> 32) as usize & mask;
        while slots[i].load(Relaxed) as u32 != handle {
            debug_assert!(slots[i].load(Relaxed) != 0, "handle {handle} is not in the directory");
            i = (i + 1) & mask;
        }
        let mut hole = i;
        loop {
            i = (i + 1) & mask;
            let entry = slots[i].load(Relaxed);
            if entry == 0 {
                break;
            }
            let home = (entry >> 32) as usize & mask;
            if (i.wrapping_sub(home) & mask) >= (i.wrapping_sub(hole) & mask) {
                slots[hole].store(entry, Relaxed);
                hole = i;
            }
        }
        slots[hole].store(0, Relaxed);
        self.lock.get_mut().unwrap_or_else(PoisonError::into_inner).len -= 1;
    }

    /// Takes every entry out; keeps a table of up to a few thousand slots.
    pub(crate) fn clear(&mut self) {
        self.drain();
        self.lock.get_mut().unwrap_or_else(PoisonError::into_inner).len = 0;
        let table = self.table();
        if table.is_empty() {
            return;
        }
        if table.mask() < 1 << 12 {
            table.slots().iter().for_each(|s| s.store(0, Relaxed));
        } else {
            *self = Directory::default();
        }
    }

    /// Replaces every handle, each by another.
    pub(crate) fn renumber(&mut self, place: impl Fn(u32) -> u32) {
        self.drain();
        for slot in self.table().slots() {
            let entry = slot.load(Relaxed);
            if entry != 0 {
                slot.store(entry >> 32 << 32 | u64::from(place(entry as u32)), Relaxed);
            }
        }
    }

    /// Moves the entries to the smallest table that holds them.
    pub(crate) fn shrink(&mut self) {
        self.drain();
        let len = self.kept().len;
        let slots = if len == 0 { 0 } else { (len * 4).div_ceil(3).next_power_of_two() };
        if self.table().is_empty() || slots >= self.table().slots().len() {
            return;
        }
        let smaller = if slots == 0 { table::empty() } else { self.table().resized(slots) };
        let old = self.table.swap(smaller, Relaxed);
        // SAFETY: the table that was in use; nobody is in it under `&mut self`.
        unsafe { table::free(old) };
    }

    /// Every handle in it, in no order.
    pub(crate) fn handles(&self) -> impl Iterator<Item = u32> {
        self.table().slots().iter().map(|s| s.load(Relaxed) as u32).filter(|h| *h != 0)
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.kept().len
    }

    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> u64 {
        if self.table().is_empty() { 0 } else { self.table().slots().len() as u64 * 8 }
    }

    /// Frees the tables that were replaced: under `&mut` no reader is in one.
    fn drain(&mut self) {
        for old in self.lock.get_mut().unwrap_or_else(PoisonError::into_inner).old.drain(..) {
            // SAFETY: the table was taken out of `table` once.
            unsafe { table::free(old) };
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        self.drain();
        // SAFETY: the table in use, which nobody uses any more.
        unsafe { table::free(self.table.load(Relaxed)) };
    }
}

/// Hashes the key of a hash level's cell.
///
/// Name a type with `hasher = TYPE` to use another hash than the default. Any function of the key is right; a poor one
/// is slow.
pub trait CoordHash {
    /// The hash of a cell's coordinates. The upper half counts.
    fn hash(key: &[i32]) -> u64;
}

/// One odd factor per coordinate: the first outputs of splitmix64 (Steele, Lea, Flood 2014) from 0, made odd.
const FACTORS: [u64; MAX_AXES] = {
    let mut factors = [0; MAX_AXES];
    let mut state = 0u64;
    let mut j = 0;
    while j < MAX_AXES {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        factors[j] = (z ^ (z >> 31)) | 1;
        j += 1;
    }
    factors
};

/// The default: the coordinates times one factor each, independent of each other and so at once; the sum is folded by a
/// full-width multiplication.
#[inline(always)]
pub fn default_hash(key: &[i32]) -> u64 {
    let mut sum = 0x9E37_79B9_7F4A_7C15_u64;
    for (&c, factor) in key.iter().zip(FACTORS) {
        sum = sum.wrapping_add(u64::from(c as u32).wrapping_mul(factor));
    }
    let wide = u128::from(sum) * 0xD6E8_FEB8_6659_FD93;
    wide as u64 ^ (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Random insertions and removals against a map, under a hash that collides a lot.
    #[test]
    fn agrees_with_a_map() {
        for spread in [1u64, 7, u64::MAX] {
            let hash = |h: u32| (u64::from(h).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1 & spread) << 32;
            let mut directory = Directory::default();
            let mut model: HashMap<u32, ()> = HashMap::new();
            let mut x = 1u32;
            for _ in 0..4000 {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let h = (x >> 8) % 200 + 1;
                if x & 64 == 0 {
                    let got = directory.find_or_insert(hash(h), |g| g == h, || Ok::<_, ()>(h));
                    assert_eq!(got, Ok(h));
                    model.insert(h, ());
                } else if model.remove(&h).is_some() {
                    directory.remove(hash(h), h);
                }
                assert_eq!(directory.entries(), model.len());
                for g in 1..=200 {
                    assert_eq!(directory.find(hash(g), |e| e == g) != 0, model.contains_key(&g), "{g}");
                }
            }
        }
    }
}
