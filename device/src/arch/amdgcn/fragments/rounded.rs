//! Sums in `f16`, where no instruction has them: the products of a block are added up in `f32`, and the sums then rounded.

use super::{SUMS, WORDS};
use crate::F16;
use crate::arch::Multiply;

macro_rules! rounded {
    ($($(#[$attribute:meta])* $half:ty;)*) => {$(
        $(#[$attribute])*
        impl Multiply<$half> for $half {
            #[inline(always)]
            unsafe fn multiply_add(lane: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [$half; SUMS]) {
                let mut wide = sums.map(|sum| F16::from_bits(sum.to_bits()).to_f32());
                // SAFETY: all lanes of a full wave call it, as the trait asks.
                unsafe { <F16 as Multiply<f32>>::multiply_add(lane, a, b, &mut wide) };
                *sums = wide.map(|sum| <$half>::from_bits(F16::from_f32(sum).to_bits()));
            }
        }
    )*};
}

rounded! {
    F16;
    #[cfg(feature = "half")] half::f16;
}
