//! Division by numbers that are known when a grid is built.

/// A number to divide by, rounding down: a shift where it is a power of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Divisor {
    n: i64,
    /// Of a power of two; otherwise 64.
    shift: u32,
}

impl Divisor {
    pub(super) fn new(n: u32) -> Self {
        let shift = if n.is_power_of_two() { n.trailing_zeros() } else { 64 };
        Divisor { n: n.into(), shift }
    }

    #[inline(always)]
    pub(super) fn n(self) -> i64 {
        self.n
    }

    #[inline(always)]
    pub(super) fn div(self, x: i64) -> i64 {
        if self.shift < 64 { x >> self.shift } else { x.div_euclid(self.n) }
    }

    #[inline(always)]
    pub(super) fn rem(self, x: i64) -> i64 {
        if self.shift < 64 { x & (self.n - 1) } else { x.rem_euclid(self.n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_down() {
        for n in 1..20 {
            let by = Divisor::new(n);
            for x in -100..100 {
                assert_eq!(by.div(x) * by.n() + by.rem(x), x);
                assert!((0..by.n()).contains(&by.rem(x)), "{x} by {n}");
            }
        }
    }
}
