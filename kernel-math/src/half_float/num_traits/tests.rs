use num_traits::AsPrimitive;

use super::*;

/// All values but NaNs.
fn all() -> impl Iterator<Item = F16> {
    (0..=u16::MAX).map(F16::from_bits).filter(|x| !x.is_nan())
}

#[test]
fn whole_numbers_and_fractions_are_those_of_f32() {
    for x in all() {
        let wide = x.to_f32();
        let same = |x: F16, wide: f32| x.to_f32().to_bits() == wide.to_bits();
        assert!(same(FloatCore::floor(x), wide.floor()) && same(FloatCore::ceil(x), wide.ceil()), "{x}");
        assert!(same(FloatCore::round(x), wide.round()) && same(FloatCore::trunc(x), wide.trunc()), "{x}");
        assert!(!x.is_finite() || FloatCore::fract(x).to_f32() == wide.fract(), "{x}");
        assert_eq!(ToPrimitive::to_i32(&x), ToPrimitive::to_i32(&wide), "{x}");
        let (mantissa, exponent, sign) = x.integer_decode();
        let decoded = mantissa as f32 * 2.0_f32.powi(exponent.into()) * sign as f32;
        assert!(!x.is_finite() || decoded == wide, "{x}");
        let category = FloatCore::classify(x);
        assert_eq!(
            category == FpCategory::Subnormal,
            wide != 0.0 && wide.abs() < F16::MIN_POSITIVE.to_f32(),
            "{x}"
        );
    }
}

#[test]
fn remainders_are_exact() {
    let divisors = [1.0, 3.0, 0.1, 6e-8, 65504.0, -7.5].map(F16::from_f32);
    for x in all().filter(|x| x.is_finite()).step_by(7) {
        for y in divisors {
            assert_eq!((x % y).to_f32(), x.to_f32() % y.to_f32(), "{x} % {y}");
        }
    }
}

#[test]
fn integers_are_rounded_once() {
    // Above the middle between two neighbours by what 53 bits don't hold: below it is the even one.
    let middle = (1_u64 << 62) + (1 << 54);
    let below = <Bf16 as FromPrimitive>::from_u64(middle).map(Bf16::to_f64);
    let above = <Bf16 as FromPrimitive>::from_u64(middle + 1).map(Bf16::to_f64);
    assert_eq!(below, Some((1_u64 << 62) as f64));
    assert_eq!(above, Some(((1_u64 << 62) + (1 << 55)) as f64));
    let down: Bf16 = (-(middle as i64) - 1).as_();
    assert_eq!(down.to_f64(), -(((1_u64 << 62) + (1 << 55)) as f64));
    let (least, most): (Bf16, F16) = (i64::MIN.as_(), u64::MAX.as_());
    assert!(least.to_f64() == i64::MIN as f64 && most == F16::INFINITY);
    assert_eq!(<F16 as NumCast>::from(2049), Some(F16::from_f32(2048.0)));
    let byte: u8 = F16::from_f32(-3.7).as_();
    assert_eq!(byte, 0);
}

#[test]
fn text_is_read() {
    assert_eq!(F16::from_str_radix("1.5", 10).map(F16::to_f32).ok(), Some(1.5));
    assert!(Bf16::from_str_radix("one", 10).is_err());
}
