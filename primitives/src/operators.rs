//! Operators that most need.

use gridwright::prelude::*;

/// The sum. Integers wrap around.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Add;
///
/// assert_eq!(Add.call((250_u8, 10)), 4);
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Add;

/// The product. Integers wrap around.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Multiply;
///
/// assert_eq!(Multiply.call((3.0_f32, 2.0)), 6.0);
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Multiply;

/// The first argument less the second. Integers wrap around.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Subtract;
///
/// assert_eq!(Subtract.call((3_u32, 2)), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Subtract;

/// Whether two values are equal. Of floats, NaN isn't equal to itself.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Equal;
///
/// assert!(Equal.call((0.0_f32, -0.0)) && !Equal.call((f32::NAN, f32::NAN)));
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Equal;

/// The lesser of two. Of floats it is the first in the total order, so that NaN has a place.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Min;
///
/// assert_eq!(Min.call((0.0_f32, -0.0)).to_bits(), (-0.0_f32).to_bits());
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Min;

/// The greater of two. Of floats it is the last in the total order, so that NaN has a place.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Max;
///
/// assert!(Max.call((1.0_f32, f32::NAN)).is_nan());
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Max;

/// The first argument with its sign turned.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Negate;
///
/// assert_eq!(Negate.call((2.5_f32,)), -2.5);
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Negate;

/// Whether the first argument is less than the second. Of floats it is so in the total order, so that NaN has a place.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Less;
///
/// assert!(Less.call((1.0_f32, f32::NAN)));
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Less;

/// Whether the first argument is greater than the second. Of floats it is so in the total order, so that NaN has a place.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::operators::Greater;
///
/// assert!(Greater.call((f32::NAN, 1.0_f32)));
/// ```
#[derive(Clone, Copy, Debug, Default, KernelArg)]
#[repr(C)]
pub struct Greater;

macro_rules! comparisons {
    ($($number:ty)*, $less:expr) => {$(
        impl Operator<($number, $number)> for Less {
            type Output = bool;

            #[inline(always)]
            fn call(&self, (a, b): ($number, $number)) -> bool {
                $less(&a, &b)
            }
        }

        impl Operator<($number, $number)> for Greater {
            type Output = bool;

            #[inline(always)]
            fn call(&self, (a, b): ($number, $number)) -> bool {
                $less(&b, &a)
            }
        }
    )*};
}

comparisons!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize, |a, b| a < b);
comparisons!(f32, |a: &f32, b| a.total_cmp(b).is_lt());
comparisons!(f64, |a: &f64, b| a.total_cmp(b).is_lt());

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Operator<($integer, $integer)> for Add {
            type Output = $integer;

            #[inline(always)]
            fn call(&self, (a, b): ($integer, $integer)) -> $integer {
                a.wrapping_add(b)
            }
        }

        impl Operator<($integer, $integer)> for Subtract {
            type Output = $integer;

            #[inline(always)]
            fn call(&self, (a, b): ($integer, $integer)) -> $integer {
                a.wrapping_sub(b)
            }
        }

        impl Operator<($integer, $integer)> for Equal {
            type Output = bool;

            #[inline(always)]
            fn call(&self, (a, b): ($integer, $integer)) -> bool {
                a == b
            }
        }

        impl Operator<($integer, $integer)> for Multiply {
            type Output = $integer;

            #[inline(always)]
            fn call(&self, (a, b): ($integer, $integer)) -> $integer {
                a.wrapping_mul(b)
            }
        }

        impl Operator<($integer, $integer)> for Min {
            type Output = $integer;

            #[inline(always)]
            fn call(&self, (a, b): ($integer, $integer)) -> $integer {
                a.min(b)
            }
        }

        impl Operator<($integer, $integer)> for Max {
            type Output = $integer;

            #[inline(always)]
            fn call(&self, (a, b): ($integer, $integer)) -> $integer {
                a.max(b)
            }
        }

        impl Operator<($integer,)> for Negate {
            type Output = $integer;

            #[inline(always)]
            fn call(&self, (a,): ($integer,)) -> $integer {
                a.wrapping_neg()
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl Operator<($float, $float)> for Add {
            type Output = $float;

            #[inline(always)]
            fn call(&self, (a, b): ($float, $float)) -> $float {
                a + b
            }
        }

        impl Operator<($float, $float)> for Subtract {
            type Output = $float;

            #[inline(always)]
            fn call(&self, (a, b): ($float, $float)) -> $float {
                a - b
            }
        }

        impl Operator<($float, $float)> for Equal {
            type Output = bool;

            #[inline(always)]
            fn call(&self, (a, b): ($float, $float)) -> bool {
                a == b
            }
        }

        impl Operator<($float, $float)> for Multiply {
            type Output = $float;

            #[inline(always)]
            fn call(&self, (a, b): ($float, $float)) -> $float {
                a * b
            }
        }

        impl Operator<($float, $float)> for Min {
            type Output = $float;

            #[inline(always)]
            fn call(&self, (a, b): ($float, $float)) -> $float {
                if b.total_cmp(&a).is_lt() { b } else { a }
            }
        }

        impl Operator<($float, $float)> for Max {
            type Output = $float;

            #[inline(always)]
            fn call(&self, (a, b): ($float, $float)) -> $float {
                if b.total_cmp(&a).is_gt() { b } else { a }
            }
        }

        impl Operator<($float,)> for Negate {
            type Output = $float;

            #[inline(always)]
            fn call(&self, (a,): ($float,)) -> $float {
                -a
            }
        }
    )*};
}

floats!(f32 f64);
