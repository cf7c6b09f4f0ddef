use super::functions::functions;
use crate::arch::Instructions;

functions! {
    /// Arithmetic beyond the operators: each exact, or rounded once.
    ///
    /// ```
    /// use gridwright::math::Arithmetic;
    ///
    /// fn side<F: Arithmetic>(area: F) -> F {
    ///     area.sqrt()
    /// }
    /// assert_eq!(side(9.0_f32), 3.0);
    /// ```
    trait Arithmetic;

    /// `x * a + b`, rounded once.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::mul_add(2.0_f32, 3.0, 4.0), 10.0);
    /// ```
    ///
    /// # From CUDA
    /// `fmaf`, `fma`; `__fmaf_rn`, `__fma_rn`.
    fn mul_add(x, a: Self, b: Self) -> Self;

    /// The square root, rounded to nearest. NaN below zero.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::sqrt(9.0_f32), 3.0);
    /// ```
    ///
    /// # From CUDA
    /// `sqrtf`, `sqrt`; `__fsqrt_rn`, `__dsqrt_rn`.
    fn sqrt(x) -> Self;

    /// `1 / x`, rounded to nearest.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::recip(4.0_f32), 0.25);
    /// ```
    ///
    /// # From CUDA
    /// `__frcp_rn`, `__drcp_rn`.
    fn recip(x) -> Self;

    /// The value of `x` without its sign.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::abs(-2.5_f32), 2.5);
    /// ```
    ///
    /// # From CUDA
    /// `fabsf`, `fabs`.
    fn abs(x) -> Self;

    /// 1 with the sign of `x`, zeros included. NaN of NaN.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::signum(-0.0_f32), -1.0);
    /// ```
    fn signum(x) -> Self;

    /// The value of `x` with the sign of `sign`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::copysign(3.0_f32, -0.0), -3.0);
    /// ```
    ///
    /// # From CUDA
    /// `copysignf`, `copysign`.
    fn copysign(x, sign: Self) -> Self;

    /// The smaller of `x` and `other`; the other one if one is NaN.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::min(1.0_f32, f32::NAN), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `fminf`, `fmin`.
    fn min(x, other: Self) -> Self;

    /// The larger of `x` and `other`; the other one if one is NaN.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::max(1.0_f32, f32::NAN), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `fmaxf`, `fmax`.
    fn max(x, other: Self) -> Self;

    /// `x` times two to the power of `exponent`, rounded once.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::ldexp(0.75_f32, 2), 3.0);
    /// ```
    ///
    /// # From CUDA
    /// `ldexpf`, `ldexp`; `scalbnf`, `scalbn`.
    fn ldexp(x, exponent: i32) -> Self;

    /// The parts of `x`: a fraction from 0.5 up to below 1, with its sign, and the exponent of two. Zeros, infinities and NaN come back with exponent 0.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::frexp(3.0_f32), (0.75, 2));
    /// ```
    ///
    /// # From CUDA
    /// `frexpf`, `frexp`.
    fn frexp(x) -> (Self, i32);

    /// `x` radians in degrees.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::to_degrees(core::f32::consts::PI), 180.0);
    /// ```
    fn to_degrees(x) -> Self;

    /// `x` degrees in radians.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::to_radians(180.0_f32), core::f32::consts::PI);
    /// ```
    fn to_radians(x) -> Self;
}

macro_rules! arithmetic {
    ($float:ident, $bits:ident, $half:literal) => {
        impl Arithmetic for $float {
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                Instructions::mul_add(self, a, b)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Instructions::sqrt(self)
            }

            #[inline(always)]
            fn recip(self) -> Self {
                1.0 / self
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }

            #[inline(always)]
            fn signum(self) -> Self {
                $float::signum(self)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                $float::copysign(self, sign)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                $float::min(self, other)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                $float::max(self, other)
            }

            // At most three factors. If one before the last rounds, as its product is subnormal, the last makes it zero.
            #[inline(always)]
            fn ldexp(self, exponent: i32) -> Self {
                const MOST: i32 = $float::MAX_EXP - 1;
                const LEAST: i32 = $float::MIN_EXP - 1 + $float::MANTISSA_DIGITS as i32;
                let (mut x, mut e) = (self, exponent);
                for _ in 0..2 {
                    let (above, below) = (e > MOST, e < $float::MIN_EXP - 1);
                    let step = if above {
                        MOST
                    } else if below {
                        LEAST
                    } else {
                        0
                    };
                    x *= power_of_two!($float, $bits, step);
                    e -= step;
                }
                x * power_of_two!($float, $bits, e.clamp($float::MIN_EXP - 1, MOST))
            }

            #[inline(always)]
            fn frexp(self) -> (Self, i32) {
                const DIGITS: u32 = $float::MANTISSA_DIGITS - 1;
                const FIELD: $bits = ((1 << ($bits::BITS - 1 - DIGITS)) - 1) << DIGITS;
                let subnormal = self.abs() < $float::MIN_POSITIVE;
                let scaled =
                    if subnormal { self * power_of_two!($float, $bits, DIGITS as i32) } else { self };
                let bits = scaled.to_bits();
                let exponent = ((bits & FIELD) >> DIGITS) as i32
                    - ($float::MAX_EXP - 2)
                    - if subnormal { DIGITS as i32 } else { 0 };
                let fraction = $float::from_bits(bits & !FIELD | $half.to_bits());
                if self == 0.0 || !self.is_finite() { (self, 0) } else { (fraction, exponent) }
            }

            #[inline(always)]
            fn to_degrees(self) -> Self {
                $float::to_degrees(self)
            }

            #[inline(always)]
            fn to_radians(self) -> Self {
                $float::to_radians(self)
            }
        }
    };
}

/// Two to the power of an integer whose power is neither subnormal nor infinite.
macro_rules! power_of_two {
    ($float:ident, $bits:ident, $exponent:expr) => {
        $float::from_bits((($exponent + ($float::MAX_EXP - 1)) as $bits) << ($float::MANTISSA_DIGITS - 1))
    };
}

arithmetic!(f32, u32, 0.5_f32);
arithmetic!(f64, u64, 0.5_f64);
