//! How far a result is from the exact value, in units of its last place.
//!
//! The unit at an exact value is the distance of the two floats around it: 2ᵉ⁻ᵖ⁺¹ for a value of at least 2ᵉ and less than 2ᵉ⁺¹,
//! where p is the precision, and the distance of subnormal numbers below them. A result that is rounded to nearest is within half a
//! unit. The conventions for what isn't a finite number:
//!
//! - **NaN**: if one of the two is NaN, both have to be.
//! - **Infinities**: an exact one has to be the result. A result that is infinite where the exact value is finite counts as the
//!   power of two after the largest float, and is right where rounding to nearest gives it.
//! - **Zeros**: an exact zero has to be the result, with its sign. A result that is zero where the exact value is not is an
//!   error of that value in units of the smallest subnormal number, if it has the value's sign.
//!
//! Whatever isn't right and isn't finite is an infinite error.

use crate::quad::Quad;

/// A float whose error can be measured.
pub(crate) trait Measured: Copy {
    /// A type with more than twice the precision and a wider range.
    type Exact: Copy;

    /// This number in the exact type, unchanged.
    fn exactly(self) -> Self::Exact;

    /// Whether the exact value is nearer to zero than normal numbers are, and not zero.
    fn is_subnormal(exact: Self::Exact) -> bool;

    /// Whether its square or its reciprocal is as near to zero.
    fn has_subnormal_powers(self) -> bool;

    /// The distance of this result from the exact value, in units of the exact value's last place.
    fn error(self, exact: Self::Exact) -> f64;
}

/// What the conventions say of a result, of which the value as a wider float is given, where they say something.
fn convention(result: f64, exact: &Kind) -> Option<f64> {
    let right = |is_right| Some(if is_right { 0.0 } else { f64::INFINITY });
    match *exact {
        Kind::Nan => right(result.is_nan()),
        _ if result.is_nan() => right(false),
        Kind::Infinite { is_negative } => right(result.is_infinite() && (result < 0.0) == is_negative),
        Kind::Zero { is_negative } => right(result == 0.0 && result.is_sign_negative() == is_negative),
        Kind::Finite { is_negative } if result.is_sign_negative() != is_negative => {
            // Only near zero two numbers of different signs are near each other.
            if result == 0.0 || result.is_infinite() { right(false) } else { None }
        }
        Kind::Finite { .. } => None,
    }
}

enum Kind {
    Nan,
    Infinite { is_negative: bool },
    Zero { is_negative: bool },
    Finite { is_negative: bool },
}

impl Measured for f32 {
    type Exact = f64;

    fn exactly(self) -> f64 {
        self.into()
    }

    fn is_subnormal(exact: f64) -> bool {
        exact != 0.0 && exact.abs() < f32::MIN_POSITIVE.into()
    }

    fn has_subnormal_powers(self) -> bool {
        let powers = [self * self, self.recip()];
        self != 0.0 && self.is_finite() && powers.iter().any(|power| power.abs() < Self::MIN_POSITIVE)
    }

    fn error(self, exact: f64) -> f64 {
        let is_negative = exact.is_sign_negative();
        let kind = match exact {
            exact if exact.is_nan() => Kind::Nan,
            exact if exact.is_infinite() => Kind::Infinite { is_negative },
            0.0 => Kind::Zero { is_negative },
            _ => Kind::Finite { is_negative },
        };
        if let Some(error) = convention(self.into(), &kind) {
            return error;
        }
        let result = if self.is_infinite() {
            if (exact as f32).is_infinite() {
                return 0.0;
            }
            2_f64.powi(128).copysign(exact)
        } else {
            self.into()
        };
        let exponent = (exact.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        (result - exact).abs() * power_of_two(23 - exponent.clamp(-126, 127))
    }
}

/// For exponents of normal numbers. `powi` would take most of the time that all numbers of 32 bits take.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

impl Measured for f64 {
    type Exact = Quad;

    fn exactly(self) -> Quad {
        self.into()
    }

    fn is_subnormal(exact: Quad) -> bool {
        !exact.is_zero() && exact.exponent() < -1022
    }

    fn has_subnormal_powers(self) -> bool {
        let powers = [self * self, self.recip()];
        self != 0.0 && self.is_finite() && powers.iter().any(|power| power.abs() < Self::MIN_POSITIVE)
    }

    fn error(self, exact: Quad) -> f64 {
        let is_negative = exact.is_sign_negative();
        let kind = match exact {
            exact if exact.is_nan() => Kind::Nan,
            exact if exact.is_infinite() => Kind::Infinite { is_negative },
            exact if exact.is_zero() => Kind::Zero { is_negative },
            _ => Kind::Finite { is_negative },
        };
        if let Some(error) = convention(self, &kind) {
            return error;
        }
        let result = if self.is_infinite() {
            if exact.to_f64().is_infinite() {
                return 0.0;
            }
            let power = Quad::power_of_two(1024);
            if is_negative { -power } else { power }
        } else {
            self.into()
        };
        let unit = Quad::power_of_two(exact.exponent().clamp(-1022, 1023) - 52);
        ((result - exact).abs() / unit).to_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::Measured;
    use crate::quad::Quad;

    const INFINITE: f64 = f64::INFINITY;

    #[test]
    fn the_unit_is_the_distance_of_the_floats_around_the_exact_value() {
        let step = f64::from(f32::EPSILON);
        assert_eq!(1.0_f32.error(1.0 + step / 2.0), 0.5);
        assert_eq!(1.0_f32.error(1.0 - step / 4.0), 0.5);
        assert_eq!((-2.0_f32).error(-2.0 - 6.0 * step), 3.0);
        assert_eq!(1.0_f32.error(-1.0), 2.0 / step);
        let step = Quad::from(f64::EPSILON);
        assert_eq!(1.0_f64.error(Quad::from(1.0) + step / Quad::from(4.0)), 0.25);
        assert_eq!(1.0_f64.error(Quad::from(1.0) - step / Quad::from(4.0)), 0.5);
    }

    #[test]
    fn below_normal_numbers_the_unit_stays() {
        let least = f64::from(f32::from_bits(1));
        assert_eq!(f32::from_bits(3).error(2.25 * least), 0.75);
        assert_eq!(0.0_f32.error(0.25 * least), 0.25);
        let quarter = Quad::from(f64::from_bits(1)) / Quad::from(4.0);
        assert_eq!(0.0_f64.error(quarter), 0.25);
        assert_eq!(f64::from_bits(1).error(quarter), 0.75);
    }

    #[test]
    fn numbers_below_normal_ones_are_known() {
        assert!(<f32 as Measured>::is_subnormal(1e-40) && <f32 as Measured>::is_subnormal(-1e-60));
        assert!(!<f32 as Measured>::is_subnormal(0.0));
        assert!(!<f32 as Measured>::is_subnormal(f32::MIN_POSITIVE.into()));
        assert!(<f64 as Measured>::is_subnormal(Quad::from(5e-324)));
        assert!(!<f64 as Measured>::is_subnormal(Quad::from(f64::MIN_POSITIVE)));
        assert!(!<f64 as Measured>::is_subnormal(Quad::from(0.0)));
        assert!(!<f64 as Measured>::is_subnormal(Quad::from(f64::INFINITY)));
        assert!([1e-30_f32, -1e38, f32::MAX].iter().all(|x| x.has_subnormal_powers()));
        assert!([0.0_f32, 1e-18, -1.0, 1e37, f32::INFINITY].iter().all(|x| !x.has_subnormal_powers()));
        assert!(1e-160_f64.has_subnormal_powers() && !1e-150_f64.has_subnormal_powers());
    }

    #[test]
    fn an_infinite_result_counts_as_the_next_power_of_two_unless_it_is_right() {
        let (most, step) = (f64::from(f32::MAX), 2_f64.powi(104));
        assert_eq!(f32::INFINITY.error(most), 1.0);
        assert_eq!(f32::INFINITY.error(most + 0.25 * step), 0.75);
        assert_eq!(f32::INFINITY.error(most + 0.75 * step), 0.0);
        assert_eq!(f32::MAX.error(most + 0.75 * step), 0.75);
        assert_eq!(f32::NEG_INFINITY.error(most), INFINITE);
        assert_eq!(f32::MAX.error(INFINITE), INFINITE);
        assert_eq!(f32::INFINITY.error(1e300), 0.0);
        assert_eq!(f64::INFINITY.error(Quad::from(f64::MAX)), 1.0);
        assert_eq!(f64::INFINITY.error(Quad::from(f64::MAX) * Quad::from(2.0)), 0.0);
    }

    #[test]
    fn what_is_no_number_has_to_be_met() {
        assert_eq!(f32::NAN.error(f64::NAN), 0.0);
        assert_eq!(f32::NAN.error(1.0), INFINITE);
        assert_eq!(1.0_f32.error(f64::NAN), INFINITE);
        assert_eq!(f64::NAN.error(Quad::from(f64::NAN)), 0.0);
        assert_eq!(1.0_f64.error(Quad::from(f64::NAN)), INFINITE);
        assert_eq!(f64::NEG_INFINITY.error(Quad::from(f64::NEG_INFINITY)), 0.0);
        assert_eq!(f64::INFINITY.error(Quad::from(f64::NEG_INFINITY)), INFINITE);
    }

    #[test]
    fn zeros_have_signs() {
        assert_eq!((-0.0_f32).error(-0.0), 0.0);
        assert_eq!(0.0_f32.error(-0.0), INFINITE);
        assert_eq!(f32::from_bits(1).error(0.0), INFINITE);
        assert_eq!((-0.0_f32).error(1e-50), INFINITE);
        assert_eq!(0.0_f64.error(Quad::from(-0.0)), INFINITE);
        assert_eq!((-0.0_f64).error(Quad::from(-0.0)), 0.0);
    }
}
