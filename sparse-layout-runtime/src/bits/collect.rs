//! Fields from bools, and loops over fields.

use super::{BitField, BitPortal, Iter};

impl BitField {
    /// One bit per bool: eight at a time.
    pub fn from_bools(bools: &[bool]) -> Self {
        let mut field = Self::default();
        field.reserve(bools.len());
        for chunk in bools.chunks(64) {
            let mut word = 0;
            let (eights, rest) = chunk.as_chunks::<8>();
            for (i, eight) in eights.iter().enumerate() {
                let bytes = u64::from_le_bytes(eight.map(u8::from));
                // The product brings bit 0 of byte k to bit 56 + k, without carries.
                word |= (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
            }
            for (i, &bit) in rest.iter().enumerate() {
                word |= u64::from(bit) << (8 * eights.len() + i);
            }
            field.push_word(word, chunk.len() as u32);
        }
        field
    }
}

impl FromIterator<bool> for BitField {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Self {
        let mut field = Self::default();
        field.extend(bits);
        field
    }
}

impl Extend<bool> for BitField {
    fn extend<I: IntoIterator<Item = bool>>(&mut self, bits: I) {
        let mut bits = bits.into_iter();
        self.reserve(bits.size_hint().0);
        loop {
            // Up to the next word of the storage, so that none is touched twice.
            let room = 64 - (self.len() % 64) as u32;
            let (mut word, mut taken) = (0, 0);
            for bit in bits.by_ref().take(room as usize) {
                word |= u64::from(bit) << taken;
                taken += 1;
            }
            self.push_word(word, taken);
            if taken < room {
                return;
            }
        }
    }
}

impl<'a> Extend<&'a bool> for BitField {
    fn extend<I: IntoIterator<Item = &'a bool>>(&mut self, bits: I) {
        self.extend(bits.into_iter().copied());
    }
}

impl<'a> IntoIterator for BitPortal<'a> {
    type Item = bool;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a BitField {
    type Item = bool;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.portal().iter()
    }
}
