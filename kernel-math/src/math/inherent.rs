//! The methods that floats have in std and not in `core`, as methods of the types themselves: `x.sqrt()` and `f32::sqrt` need no trait in
//! scope, and another crate's trait with such a method is beside the point.

use crate::math;

macro_rules! methods {
    ($float:ident: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        impl $float {
            $(
                #[rustc_allow_incoherent_impl]
                #[inline(always)]
                pub fn $name(self $(, $argument: $type)*) -> $result {
                    math::$name(self $(, $argument)*)
                }
            )*

            /// The sine and the cosine, by two calls.
            #[rustc_allow_incoherent_impl]
            #[inline(always)]
            pub fn sin_cos(self) -> (Self, Self) {
                math::sin_cos(self)
            }

            /// How far the number is above the other, or zero.
            #[rustc_allow_incoherent_impl]
            #[inline(always)]
            #[deprecated(note = "std has deprecated it: take `(self - other).abs()` or `(self - other).max(0.0)`")]
            pub fn abs_sub(self, other: Self) -> Self {
                if self <= other { 0.0 } else { self - other }
            }
        }
    };
}

macro_rules! all {
    ($($float:ident)*) => {$(
        methods! { $float:
            floor() -> Self;
            ceil() -> Self;
            round() -> Self;
            round_ties_even() -> Self;
            trunc() -> Self;
            fract() -> Self;
            mul_add(a: Self, b: Self) -> Self;
            div_euclid(divisor: Self) -> Self;
            rem_euclid(divisor: Self) -> Self;
            powi(n: i32) -> Self;
            powf(n: Self) -> Self;
            sqrt() -> Self;
            exp() -> Self;
            exp2() -> Self;
            exp_m1() -> Self;
            ln() -> Self;
            ln_1p() -> Self;
            log(base: Self) -> Self;
            log2() -> Self;
            log10() -> Self;
            cbrt() -> Self;
            hypot(other: Self) -> Self;
            sin() -> Self;
            cos() -> Self;
            tan() -> Self;
            asin() -> Self;
            acos() -> Self;
            atan() -> Self;
            atan2(other: Self) -> Self;
            sinh() -> Self;
            cosh() -> Self;
            tanh() -> Self;
            asinh() -> Self;
            acosh() -> Self;
            atanh() -> Self;
        }
    )*};
}

all!(f32 f64);
