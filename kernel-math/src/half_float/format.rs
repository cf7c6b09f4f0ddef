use crate::arch::Instructions;

/// What is done with the bits of a format, each operation rounded once, to nearest and even.
///
/// A sum, difference, product, quotient or root in 32 bits, rounded again to a format of at most 11 bits, is what one rounding would
/// give: 24 bits are two more than twice as many. Source: S. A. Figueroa, When is double rounding innocuous?, SIGNUM 30 (1995).
pub(crate) trait Format {
    fn to_f32(bits: u16) -> f32;
    fn from_f32(value: f32) -> u16;
    fn from_f32_towards_zero(value: f32) -> u16;

    #[inline(always)]
    fn from_f64(value: f64) -> u16 {
        Self::from_f32(to_odd_f32(value))
    }

    #[inline(always)]
    fn add(a: u16, b: u16) -> u16 {
        Self::from_f32(Self::to_f32(a) + Self::to_f32(b))
    }

    #[inline(always)]
    fn sub(a: u16, b: u16) -> u16 {
        Self::from_f32(Self::to_f32(a) - Self::to_f32(b))
    }

    #[inline(always)]
    fn mul(a: u16, b: u16) -> u16 {
        Self::from_f32(Self::to_f32(a) * Self::to_f32(b))
    }

    #[inline(always)]
    fn div(a: u16, b: u16) -> u16 {
        Self::from_f32(Self::to_f32(a) / Self::to_f32(b))
    }

    #[inline(always)]
    fn sqrt(a: u16) -> u16 {
        Self::from_f32(Instructions::sqrt(Self::to_f32(a)))
    }

    #[inline(always)]
    fn mul_add(a: u16, b: u16, c: u16) -> u16 {
        mul_add_by_f64::<Self>(a, b, c)
    }

    #[inline(always)]
    fn min(a: u16, b: u16) -> u16 {
        let (x, y) = (Self::to_f32(a), Self::to_f32(b));
        if x < y || y.is_nan() { a } else { b }
    }

    #[inline(always)]
    fn max(a: u16, b: u16) -> u16 {
        let (x, y) = (Self::to_f32(a), Self::to_f32(b));
        if x > y || y.is_nan() { a } else { b }
    }

    #[inline(always)]
    fn pair_from_f32(values: [f32; 2]) -> u32 {
        join(values.map(Self::from_f32))
    }

    #[inline(always)]
    fn add_pairs(a: u32, b: u32) -> u32 {
        lanes(a, b, Self::add)
    }

    #[inline(always)]
    fn sub_pairs(a: u32, b: u32) -> u32 {
        lanes(a, b, Self::sub)
    }

    #[inline(always)]
    fn mul_pairs(a: u32, b: u32) -> u32 {
        lanes(a, b, Self::mul)
    }

    #[inline(always)]
    fn min_pairs(a: u32, b: u32) -> u32 {
        lanes(a, b, Self::min)
    }

    #[inline(always)]
    fn max_pairs(a: u32, b: u32) -> u32 {
        lanes(a, b, Self::max)
    }

    #[inline(always)]
    fn mul_add_pairs(a: u32, b: u32, c: u32) -> u32 {
        let (a, b, c) = (split(a), split(b), split(c));
        join([Self::mul_add(a[0], b[0], c[0]), Self::mul_add(a[1], b[1], c[1])])
    }
}

/// Two floats of a word, the one in the lower half first.
#[inline(always)]
pub(crate) fn split(pair: u32) -> [u16; 2] {
    [pair as u16, (pair >> 16) as u16]
}

/// A word of two floats, the first one in the lower half.
#[inline(always)]
pub(crate) fn join([low, high]: [u16; 2]) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

/// An operation on both floats of words.
#[inline(always)]
pub(crate) fn lanes(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    let (a, b) = (split(a), split(b));
    join([f(a[0], b[0]), f(a[1], b[1])])
}

/// `a * b + c` with one rounding: the product is exact in 64 bits, the sum is rounded to odd there and to 32 bits, so that the last
/// rounding sees on which side of a tie it is.
#[inline(always)]
fn mul_add_by_f64<F: Format + ?Sized>(a: u16, b: u16, c: u16) -> u16 {
    let product = f64::from(F::to_f32(a)) * f64::from(F::to_f32(b));
    let c = f64::from(F::to_f32(c));
    let sum = product + c;
    // What the sum lost. Source: D. E. Knuth, The Art of Computer Programming, volume 2, section 4.2.2, theorem B.
    let of_c = sum - product;
    let lost = (product - (sum - of_c)) + (c - of_c);
    let bits = sum.to_bits();
    let is_inexact = lost.abs() > 0.0; // not if it isn't a number
    let odd = if !is_inexact || bits & 1 == 1 {
        bits
    } else if (lost > 0.0) == (sum > 0.0) {
        bits + 1
    } else {
        bits - 1
    };
    F::from_f64(f64::from_bits(odd))
}

/// The number in 32 bits; if that isn't exact, the one of both neighbours whose last bit is 1.
#[inline(always)]
fn to_odd_f32(value: f64) -> f32 {
    let rounded = value as f32;
    let added = f64::from(rounded) - value;
    let bits = rounded.to_bits();
    let is_inexact = added.abs() > 0.0; // not if it isn't a number
    let odd = if !is_inexact || bits & 1 == 1 {
        bits
    } else if (added > 0.0) == (value > 0.0) {
        bits - 1
    } else {
        bits + 1
    };
    f32::from_bits(odd)
}
