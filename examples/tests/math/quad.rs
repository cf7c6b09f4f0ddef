//! Floats of 128 bits (IEEE binary128), by the functions of the C library and of the compiler's run-time library. With 113 bits
//! they are exact enough to measure functions of 64-bit floats by.

#![allow(improper_ctypes_definitions)] // `__m128i` is how x86-64 passes such a float: in one vector register

use std::arch::x86_64::__m128i;
use std::mem::transmute;

/// A float of 128 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quad(__m128i);

type One = unsafe extern "C" fn(__m128i) -> __m128i;
type Two = unsafe extern "C" fn(__m128i, __m128i) -> __m128i;

/// Methods that call a function of the C library, which are declared without types: Rust has none for this float.
macro_rules! library {
    ($ty:ident: $($method:ident = $function:ident($($other:ident)?);)*) => {
        impl Quad {
            $(pub(crate) fn $method(self $(, $other: Self)?) -> Self {
                #[link(name = "m")]
                unsafe extern "C" {
                    fn $function();
                }
                // SAFETY: the function takes such floats and returns one, in vector registers, as `__m128i` is passed.
                unsafe { Self(transmute::<*const (), $ty>($function as *const ())(self.0 $(, $other.0)?)) }
            })*
        }
    };
}

library! { One:
    acos = acosf128();
    acosh = acoshf128();
    asin = asinf128();
    asinh = asinhf128();
    atan = atanf128();
    atanh = atanhf128();
    cbrt = cbrtf128();
    cos = cosf128();
    cosh = coshf128();
    erf = erff128();
    erfc = erfcf128();
    exp = expf128();
    exp10 = exp10f128();
    exp2 = exp2f128();
    exp_m1 = expm1f128();
    gamma = tgammaf128();
    ln = logf128();
    ln_1p = log1pf128();
    ln_gamma = lgammaf128();
    log10 = log10f128();
    log2 = log2f128();
    sin = sinf128();
    sinh = sinhf128();
    sqrt = sqrtf128();
    tan = tanf128();
    tanh = tanhf128();
}

library! { Two:
    atan2 = atan2f128(x);
    hypot = hypotf128(y);
    powf = powf128(y);
    rem = fmodf128(y);
    remainder = remainderf128(y);
}

/// The operators.
macro_rules! operators {
    ($($trait:ident $method:ident = $function:ident;)*) => {
        $(impl std::ops::$trait for Quad {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                #[link(name = "gcc_s")]
                unsafe extern "C" {
                    fn $function();
                }
                // SAFETY: the function takes such floats and returns one, in vector registers, as `__m128i` is passed.
                unsafe { Self(transmute::<*const (), Two>($function as *const ())(self.0, other.0)) }
            }
        })*
    };
}

operators! {
    Add add = __addtf3;
    Sub sub = __subtf3;
    Mul mul = __multf3;
    Div div = __divtf3;
}

impl std::ops::Neg for Quad {
    type Output = Self;

    fn neg(self) -> Self {
        Self::from_bits(self.to_bits() ^ 1 << 127)
    }
}

impl From<f64> for Quad {
    /// A number of 64 bits in 128, unchanged.
    fn from(value: f64) -> Self {
        #[link(name = "gcc_s")]
        unsafe extern "C" {
            fn __extenddftf2();
        }
        type Extend = unsafe extern "C" fn(f64) -> __m128i;
        // SAFETY: the function takes such a float and returns the wider one.
        unsafe { Self(transmute::<*const (), Extend>(__extenddftf2 as *const ())(value)) }
    }
}

/// The bits of a float behind its sign and its exponent.
const FRACTION: u32 = 112;

/// What is added to the exponent.
const BIAS: i32 = 16383;

impl Quad {
    pub(crate) fn from_bits(bits: u128) -> Self {
        // SAFETY: both are 128 bits, of which any are a value.
        Self(unsafe { transmute::<u128, __m128i>(bits) })
    }

    pub(crate) fn to_bits(self) -> u128 {
        // SAFETY: both are 128 bits, of which any are a value.
        unsafe { transmute::<__m128i, u128>(self.0) }
    }

    /// The nearest 64-bit float.
    pub(crate) fn to_f64(self) -> f64 {
        #[link(name = "gcc_s")]
        unsafe extern "C" {
            fn __trunctfdf2();
        }
        type Truncate = unsafe extern "C" fn(__m128i) -> f64;
        // SAFETY: the function takes such a float and returns the narrower one.
        unsafe { transmute::<*const (), Truncate>(__trunctfdf2 as *const ())(self.0) }
    }

    /// π, by its first 113 bits.
    pub(crate) fn pi() -> Self {
        Self::from(1.0).atan() * Self::from(4.0)
    }

    /// 2 to the power of `exponent`, from -16382 to 16383.
    pub(crate) fn power_of_two(exponent: i32) -> Self {
        Self::from_bits(((exponent + BIAS) as u128) << FRACTION)
    }

    /// The exponent of the power of two at or below the number; -16383 below all normal ones.
    pub(crate) fn exponent(self) -> i32 {
        (self.to_bits() >> FRACTION & 0x7fff) as i32 - BIAS
    }

    pub(crate) fn abs(self) -> Self {
        Self::from_bits(self.to_bits() & !(1 << 127))
    }

    pub(crate) fn is_nan(self) -> bool {
        self.abs().to_bits() > 0x7fff << FRACTION
    }

    pub(crate) fn is_infinite(self) -> bool {
        self.abs().to_bits() == 0x7fff << FRACTION
    }

    pub(crate) fn is_zero(self) -> bool {
        self.abs().to_bits() == 0
    }

    pub(crate) fn is_sign_negative(self) -> bool {
        self.to_bits() >> 127 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::Quad;

    #[test]
    fn arithmetic_has_more_bits_than_64_bit_floats() {
        let third = Quad::from(1.0) / Quad::from(3.0);
        assert_eq!(third.to_f64(), 1.0 / 3.0);
        // What 64 bits leave of it: 2⁻⁵⁴ / 3.
        assert_eq!((third - Quad::from(1.0 / 3.0)).to_f64() * 2_f64.powi(54), 1.0 / 3.0);
        assert_eq!((-third + third).to_f64(), 0.0);
    }

    #[test]
    fn functions_get_and_give_numbers() {
        assert_eq!(Quad::from(1.0).exp().to_f64(), std::f64::consts::E);
        assert_eq!(Quad::from(2.0).powf(Quad::from(-10.0)).to_f64(), 2_f64.powi(-10));
        assert_eq!(Quad::from(5.5).rem(Quad::from(2.0)).to_f64(), 1.5);
        assert_eq!(Quad::pi().to_f64(), std::f64::consts::PI);
        // π less what 64 bits have of it.
        assert_eq!((Quad::pi() - Quad::from(std::f64::consts::PI)).to_f64(), 1.224_646_799_147_353_2e-16);
    }

    #[test]
    fn parts_are_those_of_the_format() {
        assert_eq!(Quad::from(6.0).exponent(), 2);
        assert_eq!(Quad::from(-5e-324).exponent(), -1074);
        assert_eq!(Quad::power_of_two(-1074).to_f64(), 5e-324);
        assert!(Quad::from(f64::NAN).is_nan() && !Quad::from(f64::INFINITY).is_nan());
        assert!(Quad::from(f64::NEG_INFINITY).is_infinite() && Quad::from(-0.0).is_sign_negative());
        assert!(Quad::from(-0.0).is_zero() && !Quad::power_of_two(-16382).is_zero());
        assert_eq!(Quad::from(-2.0).abs().to_f64(), 2.0);
    }
}
