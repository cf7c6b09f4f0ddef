//! The operator `as`, which a type of ours can't have, as the trait for it.

use num_traits::AsPrimitive;

use super::sticky;
use crate::half_float::{Bf16, F16};

/// Towards zero, and to the nearest that there is, as of an `f32`; to nearest from one.
macro_rules! from_and_to {
    ($number:ident: $($primitive:ident $value:ident => $from:expr;)*) => {$(
        impl AsPrimitive<$primitive> for $number {
            #[inline(always)]
            fn as_(self) -> $primitive {
                self.to_f32() as $primitive
            }
        }

        impl AsPrimitive<$number> for $primitive {
            #[inline(always)]
            fn as_(self) -> $number {
                let $value = self;
                $from
            }
        }
    )*};
}

macro_rules! all {
    ($($number:ident)*) => {$(
        impl AsPrimitive<$number> for $number {
            #[inline(always)]
            fn as_(self) -> $number {
                self
            }
        }

        from_and_to! {
            $number:
            f32 value => $number::from_f32(value);
            f64 value => $number::from_f64(value);
            i8 value => $number::from_f32(value.into());
            i16 value => $number::from_f32(value.into());
            i32 value => $number::from_f64(value.into());
            i64 value => signed!($number, value);
            isize value => signed!($number, value);
            u8 value => $number::from_f32(value.into());
            u16 value => $number::from_f32(value.into());
            u32 value => $number::from_f64(value.into());
            u64 value => $number::from_f64(sticky(value));
            usize value => $number::from_f64(sticky(value as u64));
        }
    )*};
}

macro_rules! signed {
    ($number:ident, $value:ident) => {{
        let magnitude = $number::from_f64(sticky($value.unsigned_abs() as u64));
        if $value < 0 { -magnitude } else { magnitude }
    }};
}

all! { F16 Bf16 }

impl AsPrimitive<Bf16> for F16 {
    #[inline(always)]
    fn as_(self) -> Bf16 {
        Bf16::from_f32(self.to_f32())
    }
}

impl AsPrimitive<F16> for Bf16 {
    #[inline(always)]
    fn as_(self) -> F16 {
        F16::from_f32(self.to_f32())
    }
}
