//! One reservation of address space per kind of node.
//!
//! The system gives pages on first touch, zeroed, so a grid costs what it uses, nodes never move, and a fresh node
//! needs no clearing. Huge pages are asked for only past the first 2 MiB of a part: below that they would make one
//! voxel cost megabytes.

use super::pages;
use crate::error::BuildError;
use memmap2::{MmapOptions, MmapRaw};

/// Size and alignment of a huge page.
pub(crate) const HUGE: usize = 2 << 20;
/// Alignment of every part.
const ALIGN: usize = 64;
/// Address space asked for per kind of node; less where the system refuses.
const RESERVE: u64 = 64 << 30;
/// Of what the system grants where it refuses that, one part in so many is taken: other kinds of node, other grids and the
/// heap want theirs.
const SHARE: u32 = 8;

/// Where one part of the nodes of a kind stands: node `h` at `base + h * stride`.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    base: *mut u8,
    stride: usize,
}

// SAFETY: a part is an address and a number; who may touch the memory behind it is decided by the borrows of the
// grid that owns it (`Core`): shared for reading, exclusive for plain writing, atomics in the concurrent phase.
unsafe impl Send for Part {}
// SAFETY: as above.
unsafe impl Sync for Part {}

impl Part {
    pub(crate) const UNUSED: Part = Part { base: std::ptr::dangling_mut::<Aligned>().cast(), stride: 0 };

    /// The first byte of handle 0.
    #[inline(always)]
    pub(crate) fn base(&self) -> *mut u8 {
        self.base
    }

    /// Bytes per node.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// The bytes of node `h`.
    #[inline(always)]
    pub(crate) fn node(&self, h: u32) -> *mut u8 {
        // Parts end at the pool's last handle (`Arena::reserve`), so this stays inside the reservation.
        self.base.wrapping_add(h as usize * self.stride)
    }
}

#[repr(align(64))]
struct Aligned;

/// A reservation for the nodes of one kind.
pub(crate) struct Arena {
    map: Option<MmapRaw>,
    /// The last handle there is room for.
    pub(crate) last: u32,
}

impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena").field("last", &self.last).finish_non_exhaustive()
    }
}

impl Arena {
    /// Reserves room for `nodes` nodes (handles 0 to `nodes - 1`); where the system refuses that, for a share of what it would
    /// grant, so that something is left for others, but for `least` nodes.
    /// `strides` lists bytes per node of each part; 0 means that the part is not used.
    pub(crate) fn reserve(strides: &[u64], nodes: u32, least: u32) -> Result<(Arena, Vec<Part>), BuildError> {
        let per_node: u64 = strides.iter().sum();
        let least = nodes.min(least);
        if per_node == 0 {
            return Ok((Arena { map: None, last: nodes - 1 }, vec![Part::UNUSED; strides.len()]));
        }
        let refused = |nodes: u32, cause| BuildError::Reserve { bytes: per_node.saturating_mul(nodes.into()), cause };
        let wanted = (RESERVE / per_node).clamp(u64::from(least), u64::from(nodes)) as u32;
        let mut nodes = wanted;
        loop {
            match Self::map(strides, nodes) {
                Ok(done) if nodes == wanted => return Ok(done),
                Ok(granted) => {
                    let share = (nodes / SHARE).max(least);
                    drop(granted);
                    return Self::map(strides, share).map_err(|cause| refused(share, cause));
                }
                Err(_) if nodes > least => nodes = (nodes / 2).max(least),
                Err(cause) => return Err(refused(nodes, cause)),
            }
        }
    }

    fn map(strides: &[u64], nodes: u32) -> std::io::Result<(Arena, Vec<Part>)> {
        let mut end = 0usize;
        let mut offsets = Vec::with_capacity(strides.len());
        for &stride in strides {
            let bytes = (stride as usize)
                .checked_mul(nodes as usize)
                .filter(|b| *b < 1 << 46)
                .ok_or(std::io::ErrorKind::OutOfMemory)?;
            let align = if bytes >= HUGE { HUGE } else { ALIGN };
            end = end.next_multiple_of(align);
            offsets.push(end);
            end += bytes;
        }
        let slack = if end >= HUGE { HUGE } else { 0 };
        let map = MmapRaw::from(MmapOptions::new().len(end + slack).no_reserve_swap().map_anon()?);
        let start = map.as_mut_ptr();
        let align = if slack > 0 { start.align_offset(HUGE) } else { 0 };
        debug_assert!(align <= slack);
        let part = |(&stride, &offset): (&u64, &usize)| match stride {
            0 => Part::UNUSED,
            _ => Part { base: start.wrapping_add(align + offset), stride: stride as usize },
        };
        let parts = strides.iter().zip(&offsets).map(part).collect();
        Ok((Arena { map: Some(map), last: nodes - 1 }, parts))
    }

    /// Asks for huge pages for `len` bytes from `from`; a system without them says no, which is fine.
    pub(crate) fn advise_huge(&self, from: *const u8, len: usize) {
        #[cfg(target_os = "linux")]
        if let Some(map) = &self.map {
            let offset = (from as usize).wrapping_sub(map.as_ptr() as usize);
            if len > 0 && offset.checked_add(len).is_some_and(|end| end <= map.len()) {
                let _ = map.advise_range(memmap2::Advice::HugePage, offset, len);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (from, len);
    }

    /// Gives the pages of `len` bytes from `from` back to the system; they read as zero afterwards. The range is made of whole
    /// pages. Whether that was done.
    ///
    /// # Safety
    /// Nobody else accesses the range meanwhile, and whoever does later finds zeroes all right.
    pub(crate) unsafe fn discard(&self, from: *const u8, len: usize) -> bool {
        // The system call would take the whole page that an address lies in.
        if len == 0 {
            return true;
        }
        debug_assert!(pages::whole_pages(from, len) == (0..len), "part of a page cannot be given back");
        #[cfg(target_os = "linux")]
        if let Some(map) = &self.map {
            let offset = (from as usize).wrapping_sub(map.as_ptr() as usize);
            if offset.checked_add(len).is_some_and(|end| end <= map.len()) {
                // SAFETY: the range lies in this private anonymous mapping; its pages become zero pages, as promised by the
                // caller.
                return unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, offset, len) }.is_ok();
            }
        }
        let _ = (from, len);
        false
    }

    /// Makes `len` bytes from `from` zero. Whole pages are given back to the system.
    ///
    /// # Safety
    /// The range lies in a part of this arena, and nobody else accesses it meanwhile.
    pub(crate) unsafe fn zero(&self, from: *mut u8, len: usize) {
        let whole = pages::whole_pages(from, len);
        // SAFETY: as promised by the caller.
        let done = unsafe { self.discard(from.wrapping_add(whole.start), whole.len()) };
        let whole = if done { whole } else { 0..0 };
        for rim in [0..whole.start, whole.end..len] {
            // SAFETY: as promised by the caller.
            unsafe { from.wrapping_add(rim.start).write_bytes(0, rim.len()) };
        }
    }

    /// Bytes of address space that it holds.
    pub(crate) fn reserved(&self) -> u64 {
        self.map.as_ref().map_or(0, |map| map.len() as u64)
    }
}
