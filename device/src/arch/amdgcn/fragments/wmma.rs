//! RDNA 3's matrix instructions, `v_wmma`, which multiply lines of 16 halves or bytes. Source: RDNA 3 ISA, section 7.9.

use core::mem::transmute;

use super::lines::{SUMS, WORDS};
use crate::arch::Multiply;
use crate::{Bf16, F16};

#[repr(simd)]
#[derive(Clone, Copy)]
struct Halves([f16; 16]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Halfwords([i16; 16]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct FourWords([i32; 4]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Floats([f32; 8]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Integers([i32; 8]);

// LLVM knows these, and that lanes may not take different ways to them. Source: LLVM's IntrinsicsAMDGPU.td.
#[allow(improper_ctypes)]
unsafe extern "unadjusted" {
    #[link_name = "llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16"]
    fn wmma_f32_f16(a: Halves, b: Halves, c: Floats) -> Floats;
    #[link_name = "llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v16i16"]
    fn wmma_f32_bf16(a: Halfwords, b: Halfwords, c: Floats) -> Floats;
    #[link_name = "llvm.amdgcn.wmma.f16.16x16x16.f16.v16f16.v16f16"]
    fn wmma_f16_f16(a: Halves, b: Halves, c: Halves, upper: bool) -> Halves;
    #[link_name = "llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32"]
    fn wmma_i32_iu8(
        a_is_signed: bool,
        a: FourWords,
        b_is_signed: bool,
        b: FourWords,
        c: Integers,
        saturate: bool,
    ) -> Integers;
}

macro_rules! in_floats {
    ($($(#[$attribute:meta])* $factor:ty, $wmma:ident, $vector:ty;)*) => {$(
        $(#[$attribute])*
        impl Multiply<f32> for $factor {
            #[inline(always)]
            unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [f32; SUMS]) {
                // SAFETY: words of the same size, of which any bits are good; all lanes of a full wave call it, as the trait asks.
                unsafe {
                    let [a, b] = [*a, *b].map(|words| transmute::<[u32; WORDS], $vector>(words));
                    let sum = $wmma(a, b, transmute::<[f32; SUMS], Floats>(*sums));
                    *sums = transmute::<Floats, [f32; SUMS]>(sum);
                }
            }
        }
    )*};
}

in_floats! {
    F16, wmma_f32_f16, Halves;
    Bf16, wmma_f32_bf16, Halfwords;
    #[cfg(feature = "half")] half::f16, wmma_f32_f16, Halves;
    #[cfg(feature = "half")] half::bf16, wmma_f32_bf16, Halfwords;
}

macro_rules! in_halves {
    ($($(#[$attribute:meta])* $half:ty;)*) => {$(
        $(#[$attribute])*
        impl Multiply<$half> for $half {
            #[inline(always)]
            unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [$half; SUMS]) {
                // A sum is the lower half of a word.
                let words = sums.map(|sum| u32::from(sum.to_bits()));
                // SAFETY: words of the same size, of which any bits are good; all lanes of a full wave call it, as the trait asks.
                unsafe {
                    let [a, b, c] = [*a, *b, words].map(|words| transmute::<[u32; WORDS], Halves>(words));
                    let words = transmute::<Halves, [u32; SUMS]>(wmma_f16_f16(a, b, c, false));
                    *sums = words.map(|word| <$half>::from_bits(word as u16));
                }
            }
        }
    )*};
}

in_halves! {
    F16;
    #[cfg(feature = "half")] half::f16;
}

macro_rules! in_integers {
    ($($factor:ty, $is_signed:literal;)*) => {$(
        impl Multiply<i32> for $factor {
            #[inline(always)]
            unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [i32; SUMS]) {
                // SAFETY: words of the same size, of which any bits are good; all lanes of a full wave call it, as the trait asks.
                unsafe {
                    let [a, b] = [*a, *b].map(|words| transmute::<[u32; WORDS], [FourWords; 2]>(words));
                    let mut sum = transmute::<[i32; SUMS], Integers>(*sums);
                    for half in 0..2 {
                        sum = wmma_i32_iu8($is_signed, a[half], $is_signed, b[half], sum, false);
                    }
                    *sums = transmute::<Integers, [i32; SUMS]>(sum);
                }
            }
        }
    )*};
}

in_integers! {
    i8, true;
    u8, false;
}
