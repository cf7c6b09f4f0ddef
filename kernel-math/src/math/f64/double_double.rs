//! Numbers as the sum of two floats, the second below half a unit of the first one's last place: 106 bits.
//!
//! Sources: Dekker, "A Floating-Point Technique for Extending the Available Precision", 1971; Knuth's sum without a condition; Joldes,
//! Muller and Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of Double-Word Arithmetic", 2017.

use crate::arch::Instructions;

#[derive(Clone, Copy)]
pub(super) struct DoubleDouble {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl DoubleDouble {
    #[inline(always)]
    pub(super) const fn new(hi: f64, lo: f64) -> Self {
        Self { hi, lo }
    }

    /// Exactly `a + b`.
    #[inline(always)]
    pub(super) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let of_b = hi - a;
        Self { hi, lo: (a - (hi - of_b)) + (b - of_b) }
    }

    /// Exactly `a + b`, where `a` is zero or not smaller than `b`, signs aside.
    #[inline(always)]
    pub(super) fn ordered_sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self { hi, lo: b - (hi - a) }
    }

    /// Exactly `a * b`, unless it is subnormal.
    #[inline(always)]
    pub(super) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        Self { hi, lo: Instructions::mul_add(a, b, -hi) }
    }

    #[inline(always)]
    pub(super) fn add(self, other: Self) -> Self {
        let sum = Self::sum(self.hi, other.hi);
        Self::ordered_sum(sum.hi, sum.lo + (self.lo + other.lo))
    }

    #[inline(always)]
    pub(super) fn add_float(self, other: f64) -> Self {
        let sum = Self::sum(self.hi, other);
        Self::ordered_sum(sum.hi, sum.lo + self.lo)
    }

    #[inline(always)]
    pub(super) fn mul(self, other: Self) -> Self {
        let product = Self::product(self.hi, other.hi);
        let cross = Instructions::mul_add(self.hi, other.lo, self.lo * other.hi);
        Self::ordered_sum(product.hi, product.lo + cross)
    }

    #[inline(always)]
    pub(super) fn mul_float(self, other: f64) -> Self {
        let product = Self::product(self.hi, other);
        Self::ordered_sum(product.hi, Instructions::mul_add(self.lo, other, product.lo))
    }

    #[inline(always)]
    pub(super) fn div(self, other: Self) -> Self {
        let quotient = self.hi / other.hi;
        let rest = Instructions::mul_add(-quotient, other.hi, self.hi) + self.lo;
        Self::ordered_sum(quotient, Instructions::mul_add(-quotient, other.lo, rest) / other.hi)
    }

    #[inline(always)]
    pub(super) fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }

    /// The nearest float.
    #[inline(always)]
    pub(super) fn value(self) -> f64 {
        self.hi + self.lo
    }
}
