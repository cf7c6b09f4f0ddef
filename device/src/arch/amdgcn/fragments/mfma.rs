//! CDNA's matrix instructions, `v_mfma`.
//!
//! A lane keeps a quarter of a row of A and of a column of B, 8 bytes: those of the lane's number in its sixteen, and the
//! quarter of the sixteen's. Of the sums it keeps four of the column of its number. Source: CDNA 3 ISA, chapter 7.

use core::mem::transmute;

use crate::arch::Multiply;
use crate::fragment::{Side, Tf32};
use crate::{Bf16, F16};

/// Words that a lane keeps of a factor: a quarter of a line.
pub(in crate::arch) const WORDS: usize = 2;

/// Elements that a lane keeps of sums.
pub(in crate::arch) const SUMS: usize = 4;

/// The row and the column of the sum that a lane keeps as its `i`-th. Sums of 8 bytes are of every fourth row.
#[inline(always)]
pub(in crate::arch) fn sum_place<S>(lane: u32, i: usize) -> [usize; 2] {
    let (sixteen, in_sixteen) = (lane as usize / 16, lane as usize % 16);
    let row = if size_of::<S>() == 8 { 4 * i + sixteen } else { 4 * sixteen + i };
    [row, in_sixteen]
}

/// The line of the `i`-th element of a factor, each of `size` bytes, that a lane keeps, and the element's
/// number in the line.
#[inline(always)]
pub(in crate::arch) fn factor_place(lane: u32, _: Side, size: usize, i: usize) -> [usize; 2] {
    [lane as usize % 16, lane as usize / 16 * (4 * WORDS / size) + i]
}

#[repr(simd)]
#[derive(Clone, Copy)]
struct Halves([f16; 4]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Halfwords([i16; 4]);

#[cfg(gridwright_matrix_units = "xf32")]
#[repr(simd)]
#[derive(Clone, Copy)]
struct TwoFloats([f32; 2]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Floats([f32; 4]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Integers([i32; 4]);

#[repr(simd)]
#[derive(Clone, Copy)]
struct Doubles([f64; 4]);

// LLVM knows these, and that lanes may not take different ways to them. The last three operands would give lanes other
// lanes' elements. Source: LLVM's IntrinsicsAMDGPU.td.
#[allow(improper_ctypes)]
unsafe extern "unadjusted" {
    #[link_name = "llvm.amdgcn.mfma.f32.16x16x16f16"]
    fn mfma_f16(a: Halves, b: Halves, c: Floats, cbsz: i32, abid: i32, blgp: i32) -> Floats;
    #[link_name = "llvm.amdgcn.mfma.f32.16x16x16bf16.1k"]
    fn mfma_bf16(a: Halfwords, b: Halfwords, c: Floats, cbsz: i32, abid: i32, blgp: i32) -> Floats;
    #[cfg(gridwright_matrix_units = "xf32")]
    #[link_name = "llvm.amdgcn.mfma.f32.16x16x8.xf32"]
    fn mfma_xf32(a: TwoFloats, b: TwoFloats, c: Floats, cbsz: i32, abid: i32, blgp: i32) -> Floats;
    #[cfg(not(gridwright_matrix_units = "xf32"))]
    #[link_name = "llvm.amdgcn.mfma.f32.16x16x4f32"]
    fn mfma_f32(a: f32, b: f32, c: Floats, cbsz: i32, abid: i32, blgp: i32) -> Floats;
    #[link_name = "llvm.amdgcn.mfma.i32.16x16x32.i8"]
    fn mfma_i8(a: i64, b: i64, c: Integers, cbsz: i32, abid: i32, blgp: i32) -> Integers;
    #[link_name = "llvm.amdgcn.mfma.f64.16x16x4f64"]
    fn mfma_f64(a: f64, b: f64, c: Doubles, cbsz: i32, abid: i32, negate: i32) -> Doubles;
}

macro_rules! multiply {
    ($($(#[$attribute:meta])* $factor:ty => $sum:ty, $mfma:ident, $operand:ty, $sums:ty;)*) => {$(
        $(#[$attribute])*
        impl Multiply<$sum> for $factor {
            #[inline(always)]
            unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [$sum; SUMS]) {
                // SAFETY: operands of the same size, of which any bits are good; all lanes of a full wave call it, as the trait
                // asks.
                unsafe {
                    let [a, b] = [*a, *b].map(|words| transmute::<[u32; WORDS], $operand>(words));
                    let sum = $mfma(a, b, transmute::<[$sum; SUMS], $sums>(*sums), 0, 0, 0);
                    *sums = transmute::<$sums, [$sum; SUMS]>(sum);
                }
            }
        }
    )*};
}

multiply! {
    F16 => f32, mfma_f16, Halves, Floats;
    Bf16 => f32, mfma_bf16, Halfwords, Floats;
    #[cfg(feature = "half")] half::f16 => f32, mfma_f16, Halves, Floats;
    #[cfg(feature = "half")] half::bf16 => f32, mfma_bf16, Halfwords, Floats;
    #[cfg(gridwright_matrix_units = "xf32")] Tf32 => f32, mfma_xf32, TwoFloats, Floats;
    i8 => i32, mfma_i8, i64, Integers;
    f64 => f64, mfma_f64, f64, Doubles;
}

/// Products of TF32 as products of `f32`: CDNA 4 has no others.
#[cfg(not(gridwright_matrix_units = "xf32"))]
impl Multiply<f32> for Tf32 {
    #[inline(always)]
    unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [f32; SUMS]) {
        // SAFETY: numbers of the same size, of which any bits are good; all lanes of a full wave call it, as the trait asks.
        unsafe {
            let mut sum = transmute::<[f32; SUMS], Floats>(*sums);
            // Each takes an element of every quarter.
            for i in 0..WORDS {
                sum = mfma_f32(f32::from_bits(a[i]), f32::from_bits(b[i]), sum, 0, 0, 0);
            }
            *sums = transmute::<Floats, [f32; SUMS]>(sum);
        }
    }
}

/// The instruction takes bytes with a sign: each is 128 less. With *a* and *b* for what it takes, the sum of the
/// (*a* + 128) · (*b* + 128) is that of *a* · *b*, of (−1 − *a*) · −128 and of −128 · (−1 − *b*), and for each of the 32
/// products 128² − 2 · 128 more.
impl Multiply<i32> for u8 {
    #[inline(always)]
    unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [i32; SUMS]) {
        const LOWEST: i64 = 0x8080_8080_8080_8080_u64 as i64;
        const REST: i32 = 32 * (128 * 128 - 2 * 128);
        // SAFETY: numbers of the same size, of which any bits are good; all lanes of a full wave call it, as the trait asks.
        unsafe {
            let [a, b] = [*a, *b].map(|words| transmute::<[u32; WORDS], i64>(words) ^ LOWEST);
            let mut sum = transmute::<[i32; SUMS], Integers>(sums.map(|sum| sum.wrapping_add(REST)));
            sum = mfma_i8(a, b, sum, 0, 0, 0);
            sum = mfma_i8(!a, LOWEST, sum, 0, 0, 0);
            sum = mfma_i8(LOWEST, !b, sum, 0, 0, 0);
            *sums = transmute::<Integers, [i32; SUMS]>(sum);
        }
    }
}
