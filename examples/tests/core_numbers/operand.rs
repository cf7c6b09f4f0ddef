//! Numbers as kernels take them.

use gridwright::KernelArg;

/// A number that rows are of.
pub(crate) trait Operand: Copy {
    /// How it comes to a kernel.
    type Raw: KernelArg + Copy;

    fn of_raw(raw: Self::Raw) -> Self;
}

macro_rules! as_they_are {
    ($($number:ty)*) => {$(
        impl Operand for $number {
            type Raw = Self;

            #[inline(always)]
            fn of_raw(raw: Self) -> Self {
                raw
            }
        }
    )*};
}

as_they_are! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 }

impl Operand for u128 {
    type Raw = [u64; 2];

    #[inline(always)]
    fn of_raw([low, high]: [u64; 2]) -> Self {
        Self::from(high) << 64 | Self::from(low)
    }
}

impl Operand for i128 {
    type Raw = [u64; 2];

    #[inline(always)]
    fn of_raw(raw: [u64; 2]) -> Self {
        u128::of_raw(raw) as Self
    }
}
