//! Integers that name a bucket.

/// An integer that names a bucket: `u8`, `u16`, `u32`, `u64` or `usize`.
///
/// Sealed: the sorts rely on a key giving the same bucket each time it is asked.
pub trait BucketKey: Copy + Send + Sync + sealed::Sealed {
    /// The bucket, those past `last` in `last`.
    fn clamped(self, last: u32) -> u32;
    /// The bucket if it is below `buckets`.
    fn within(self, buckets: u32) -> Option<u32>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! small_keys {
    ($($t:ty)*) => {$(
        impl sealed::Sealed for $t {}
        impl BucketKey for $t {
            #[inline]
            fn clamped(self, last: u32) -> u32 {
                u32::from(self).min(last)
            }
            #[inline]
            fn within(self, buckets: u32) -> Option<u32> {
                let key = u32::from(self);
                (key < buckets).then_some(key)
            }
        }
    )*};
}

macro_rules! wide_keys {
    ($($t:ty)*) => {$(
        impl sealed::Sealed for $t {}
        impl BucketKey for $t {
            #[inline]
            fn clamped(self, last: u32) -> u32 {
                (self as u64).min(u64::from(last)) as u32
            }
            #[inline]
            fn within(self, buckets: u32) -> Option<u32> {
                ((self as u64) < u64::from(buckets)).then_some(self as u32)
            }
        }
    )*};
}

small_keys!(u8 u16 u32);
wide_keys!(u64 usize);
