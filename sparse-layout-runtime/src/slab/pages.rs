//! Pages: how large they are, and which of them are in memory.

use std::ops::Range;

/// Bytes of a page: what memory is given back in.
pub(crate) fn page_size() -> usize {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: no memory is passed.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(1 << 16)
    }
    #[cfg(not(target_os = "linux"))]
    {
        // As large as pages are anywhere.
        1 << 16
    }
}

/// The part of `len` bytes at `from` that is made of whole pages, as offsets.
pub(crate) fn whole_pages(from: *const u8, len: usize) -> Range<usize> {
    let page = page_size();
    let first = (from as usize).next_multiple_of(page) - from as usize;
    let end = ((from as usize + len) / page * page).saturating_sub(from as usize);
    if first < end { first..end } else { 0..0 }
}

/// Pages asked for at once.
#[cfg(target_os = "linux")]
const AT_ONCE: usize = 1 << 18;

/// Calls `f` with runs of the pages that are in memory, among those that `len` bytes at `from` touch, as offsets from `from`
/// cut to the bytes asked for. Where the system does not say: all of them.
#[cfg(target_os = "linux")]
pub(crate) fn for_each_resident(from: *const u8, len: usize, mut f: impl FnMut(Range<usize>)) {
    let page = page_size();
    let before = from as usize % page;
    let pages = (before + len).div_ceil(page);
    let mut in_memory = vec![0u8; pages.min(AT_ONCE)];
    for first in (0..pages).step_by(AT_ONCE) {
        let n = (pages - first).min(AT_ONCE);
        let at = from.wrapping_sub(before).wrapping_add(first * page);
        // SAFETY: the call reads no memory of the range, whatever it is, and writes a byte for each of the `n` pages.
        let failed = unsafe { libc::mincore(at.cast_mut().cast(), n * page, in_memory.as_mut_ptr()) } != 0;
        if failed {
            in_memory[..n].fill(1);
        }
        let mut run = 0;
        while run < n {
            // Long stretches that were never touched are passed by words; only the lowest bit of a byte means anything.
            let untouched = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes) & 0x0101_0101_0101_0101 == 0;
            let words = in_memory[run..n].as_chunks().0.iter();
            let start = run + words.take_while(|bytes| untouched(bytes)).count() * 8;
            let Some(start) = (start..n).find(|&i| in_memory[i] & 1 != 0) else { break };
            let end = (start..n).find(|&i| in_memory[i] & 1 == 0).unwrap_or(n);
            let offset = |i: usize| ((first + i) * page).saturating_sub(before).min(len);
            f(offset(start)..offset(end));
            run = end;
        }
    }
}

/// As above.
#[cfg(not(target_os = "linux"))]
pub(crate) fn for_each_resident(_from: *const u8, len: usize, mut f: impl FnMut(Range<usize>)) {
    f(0..len);
}

/// How many of `len` bytes at `from` are in memory.
pub(crate) fn resident(from: *const u8, len: usize) -> u64 {
    let mut bytes = 0;
    if len > 0 {
        for_each_resident(from, len, |run| bytes += run.len() as u64);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_pages_lie_inside() {
        let page = page_size();
        let base = std::ptr::without_provenance::<u8>(page * 8);
        assert_eq!(whole_pages(base, 2 * page), 0..2 * page);
        assert_eq!(whole_pages(base.wrapping_add(1), 2 * page), page - 1..2 * page - 1);
        assert_eq!(whole_pages(base.wrapping_add(1), 2 * page - 2), 0..0);
        assert_eq!(whole_pages(base.wrapping_sub(8), 3 * page), 8..2 * page + 8);
        assert_eq!(whole_pages(base, page - 1), 0..0);
        assert_eq!(whole_pages(base, 0), 0..0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn touched_pages_are_resident() {
        let page = page_size();
        let map = memmap2::MmapOptions::new().len(64 * page).map_anon().expect("a few pages");
        let raw = memmap2::MmapRaw::from(map);
        let at = raw.as_mut_ptr();
        // Small pages, wherever the system would use huge ones.
        let _ = raw.advise(memmap2::Advice::NoHugePage);
        assert_eq!(resident(at, 64 * page), 0);
        for i in [3, 4, 63] {
            // SAFETY: a byte of the mapping.
            unsafe { at.add(i * page).write(1) };
        }
        let mut runs = Vec::new();
        for_each_resident(at, 64 * page, |run| runs.push(run));
        assert_eq!(runs, [3 * page..5 * page, 63 * page..64 * page]);
        // Cut to what was asked for.
        assert_eq!(resident(at.wrapping_add(3 * page + 5), 7), 7);
        assert_eq!(resident(at.wrapping_add(4 * page + 5), page), page as u64 - 5);
    }
}
