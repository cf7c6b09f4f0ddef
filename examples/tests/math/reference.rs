//! The exact functions: for 32-bit floats with 64 bits, for these with 128.

use crate::quad::Quad;

/// What std lacks of the C library, for 64-bit floats.
pub(crate) mod narrow {
    use std::f64::consts::{FRAC_2_SQRT_PI, PI, SQRT_2};

    macro_rules! library {
        ($($name:ident = $function:ident;)*) => {
            $(pub(crate) fn $name(x: f64) -> f64 {
                #[link(name = "m")]
                unsafe extern "C" {
                    fn $function(x: f64) -> f64;
                }
                // SAFETY: the function takes and returns such a float.
                unsafe { $function(x) }
            })*
        };
    }

    library! {
        erf = erf;
        erfc = erfc;
        exp10 = exp10;
        gamma = tgamma;
        ln_gamma = lgamma;
    }

    /// Exact for 32-bit floats, as the next one.
    pub(crate) fn rem(x: f64, y: f64) -> f64 {
        x % y
    }

    pub(crate) fn remainder(x: f64, y: f64) -> f64 {
        super::wide::remainder(x.into(), y.into()).to_f64()
    }

    pub(crate) fn rsqrt(x: f64) -> f64 {
        1.0 / x.sqrt()
    }

    pub(crate) fn rcbrt(x: f64) -> f64 {
        1.0 / x.cbrt()
    }

    /// With the signs of zeros that IEEE 754 asks for: those of `x`.
    pub(crate) fn sin_pi(x: f64) -> f64 {
        if x.is_infinite() {
            return f64::NAN;
        }
        if x.trunc() == x { 0.0_f64.copysign(x) } else { (PI * (x % 2.0)).sin() }
    }

    /// All zeros are positive.
    pub(crate) fn cos_pi(x: f64) -> f64 {
        if (x - 0.5).trunc() == x - 0.5 && x.abs() < 2_f64.powi(52) { 0.0 } else { (PI * (x % 2.0)).cos() }
    }

    pub(crate) fn norm_cdf(x: f64) -> f64 {
        0.5 * erfc(-x * 0.5_f64.sqrt())
    }

    /// By Newton's method.
    pub(crate) fn erf_inv(x: f64) -> f64 {
        if x.is_nan() || x == 0.0 {
            return x;
        }
        if x.abs() > 0.5 {
            // The difference is exact, as x has 24 bits.
            return erfc_inv(1.0 - x.abs()).copysign(x);
        }
        let step = |at: f64| (x - erf(at)) * (at * at).exp() / FRAC_2_SQRT_PI;
        steps(x / FRAC_2_SQRT_PI, step)
    }

    /// By Newton's method on the logarithm of the smaller one of the function and its complement.
    pub(crate) fn erfc_inv(x: f64) -> f64 {
        match x {
            0.0 => f64::INFINITY,
            2.0 => f64::NEG_INFINITY,
            // Differences to 1 and 2 are exact, as x has 24 bits.
            _ if x > 1.0 && x < 2.0 => -erfc_inv(2.0 - x),
            _ if x > 0.5 && x <= 1.0 => erf_inv(1.0 - x),
            _ if x > 0.0 && x <= 0.5 => {
                let step = |at: f64| {
                    let complement = erfc(at);
                    (complement / x).ln() * complement / (FRAC_2_SQRT_PI * (-at * at).exp())
                };
                steps((-x.ln()).sqrt(), step)
            }
            _ => f64::NAN,
        }
    }

    /// -√2·erfc⁻¹(2x); zero has no sign.
    pub(crate) fn norm_cdf_inv(x: f64) -> f64 {
        let result = -SQRT_2 * erfc_inv(2.0 * x);
        if result == 0.0 { 0.0 } else { result }
    }

    /// Goes on until a step makes no difference, or as far as it comes.
    fn steps(start: f64, step: impl Fn(f64) -> f64) -> f64 {
        let mut at = start;
        for _ in 0..60 {
            let step = step(at);
            at += step;
            // The next one would be about the square of this.
            if step.abs() <= at.abs() * 1e-9 {
                break;
            }
        }
        at
    }
}

/// For 128-bit floats.
pub(crate) mod wide {
    use super::Quad;

    macro_rules! methods {
        ($($name:ident)*) => {
            $(pub(crate) fn $name(x: Quad) -> Quad {
                x.$name()
            })*
        };
    }

    methods! {
        acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 exp_m1 gamma ln ln_1p ln_gamma log10 log2
        sin sinh sqrt tan tanh
    }

    pub(crate) fn powf(x: Quad, y: Quad) -> Quad {
        x.powf(y)
    }

    pub(crate) fn atan2(y: Quad, x: Quad) -> Quad {
        y.atan2(x)
    }

    pub(crate) fn hypot(x: Quad, y: Quad) -> Quad {
        x.hypot(y)
    }

    pub(crate) fn rem(x: Quad, y: Quad) -> Quad {
        x.rem(y)
    }

    pub(crate) fn remainder(x: Quad, y: Quad) -> Quad {
        x.remainder(y)
    }

    pub(crate) fn rsqrt(x: Quad) -> Quad {
        Quad::from(1.0) / x.sqrt()
    }

    pub(crate) fn rcbrt(x: Quad) -> Quad {
        Quad::from(1.0) / x.cbrt()
    }

    /// With the signs of zeros that IEEE 754 asks for: those of `x`.
    pub(crate) fn sin_pi(x: Quad) -> Quad {
        if x.rem(Quad::from(1.0)).is_zero() {
            return if x.is_sign_negative() { Quad::from(-0.0) } else { Quad::from(0.0) };
        }
        (x.rem(Quad::from(2.0)) * Quad::pi()).sin()
    }

    /// All zeros are positive.
    pub(crate) fn cos_pi(x: Quad) -> Quad {
        let half = x.rem(Quad::from(1.0)).abs().to_f64();
        if half == 0.5 { Quad::from(0.0) } else { (x.rem(Quad::from(2.0)) * Quad::pi()).cos() }
    }

    /// ½·erfc(-x/√2)
    pub(crate) fn norm_cdf(x: Quad) -> Quad {
        (-x / Quad::from(2.0).sqrt()).erfc() / Quad::from(2.0)
    }

    /// By Newton's method on the logarithm of the smaller one of the function and its complement.
    pub(crate) fn erfc_inv(x: Quad) -> Quad {
        let (one, two) = (Quad::from(1.0), Quad::from(2.0));
        let value = x.to_f64();
        if value == 1.0 && (x - one).is_zero() {
            return Quad::from(0.0);
        }
        if value > 1.0 && value < 2.0 || !(x - one).is_zero() && (x - one).to_f64() > 0.0 && value < 2.0 {
            return -erfc_inv(two - x);
        }
        match value {
            0.0 => return Quad::from(f64::INFINITY),
            2.0 => return Quad::from(f64::NEG_INFINITY),
            value if !(value > 0.0 && value < 2.0) => return Quad::from(f64::NAN),
            _ => {}
        }
        // Near 1 the complement is what has the digits.
        if value > 0.5 {
            return erf_inv(one - x);
        }
        let logarithm = x.ln();
        let mut result = (-logarithm).sqrt();
        for _ in 0..60 {
            let complement = result.erfc();
            let slope = two / Quad::pi().sqrt() * (-(result * result)).exp() / complement;
            let step = (complement.ln() - logarithm) / slope;
            result = result + step;
            if step.abs().to_f64() <= result.abs().to_f64() * 1e-32 {
                break;
            }
        }
        result
    }

    pub(crate) fn erf_inv(x: Quad) -> Quad {
        let (one, two) = (Quad::from(1.0), Quad::from(2.0));
        let value = x.to_f64();
        if x.is_zero() || x.is_nan() {
            return x;
        }
        if value.abs() > 0.5 {
            return if value < 0.0 { -erf_inv(-x) } else { erfc_inv(one - x) };
        }
        let slope = |at: Quad| two / Quad::pi().sqrt() * (-(at * at)).exp();
        let mut result = x / slope(Quad::from(0.0));
        for _ in 0..60 {
            let step = (x - result.erf()) / slope(result);
            result = result + step;
            if step.abs().to_f64() <= result.abs().to_f64() * 1e-32 {
                break;
            }
        }
        result
    }

    /// -√2·erfc⁻¹(2x); zero has no sign.
    pub(crate) fn norm_cdf_inv(x: Quad) -> Quad {
        let result = -(Quad::from(2.0).sqrt() * erfc_inv(x + x));
        if result.is_zero() { result.abs() } else { result }
    }
}

#[test]
fn inverses_by_64_bits_are_those_by_128() {
    type Both = (fn(f64) -> f64, fn(Quad) -> Quad);
    let inverses: [(&str, Both); 3] = [
        ("erf_inv", (narrow::erf_inv, wide::erf_inv)),
        ("erfc_inv", (narrow::erfc_inv, wide::erfc_inv)),
        ("norm_cdf_inv", (narrow::norm_cdf_inv, wide::norm_cdf_inv)),
    ];
    // All of these and their complements have 24 bits.
    let near_zero = (1..=149).map(|power| 0.5_f32.powi(power));
    let between = (1..512).map(|part| part as f32 / 512.0);
    let near_one = (1..=24).map(|power| 1.0 - 0.5_f32.powi(power));
    for x in near_zero.chain(between).chain(near_one).flat_map(|x| [x, -x, 1.0 + x]).map(f64::from) {
        for (name, (by_64, by_128)) in &inverses {
            let (found, expected) = (by_64(x), by_128(x.into()).to_f64());
            let both_are_nan = found.is_nan() && expected.is_nan();
            let distance = if found == expected { 0.0 } else { ((found - expected) / expected).abs() };
            assert!(both_are_nan || distance <= 1e-14, "{name}({x}) is {expected}, by 64 bits {found}");
        }
    }
}
