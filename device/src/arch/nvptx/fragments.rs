//! Tensor cores: `mma.sync`, and `ldmatrix` to load what it multiplies.
//!
//! Which lane has which elements: PTX ISA, "Matrix Fragments for mma.m16n8k16" and its neighbours. A fragment of 16 by 16
//! sums is two of them side by side, and one of B two of 8 columns.

use core::mem::transmute;

use gridwright_core::KernelArg;

use crate::arch::Multiply;
use crate::fragment::{FragmentSource, Order, Side, Tf32};
use crate::{Bf16, F16};

/// Words that a thread keeps of a factor.
pub(in crate::arch) const WORDS: usize = 4;

/// Elements that a thread keeps of sums.
pub(in crate::arch) const SUMS: usize = 8;

/// The row and the column of the sum that a lane keeps as its `i`-th.
#[inline(always)]
pub(in crate::arch) fn sum_place<S>(lane: u32, i: usize) -> [usize; 2] {
    let (group, in_group) = (lane as usize / 4, lane as usize % 4);
    [group + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * in_group + i % 2]
}

/// The line of the `i`-th element of a factor, each of `size` bytes, that a lane keeps, and the element's
/// number in the line.
#[inline(always)]
pub(in crate::arch) fn factor_place(lane: u32, side: Side, size: usize, i: usize) -> [usize; 2] {
    let (group, in_group) = (lane as usize / 4, lane as usize % 4);
    if size == 8 {
        return [group + 8 * i, in_group];
    }
    let in_a_word = 4 / size;
    let word = i / in_a_word;
    let (half_of_lines, half_of_k) = match side {
        Side::A => (word % 2, word / 2),
        Side::B => (word / 2, word % 2),
    };
    [group + 8 * half_of_lines, (4 * half_of_k + in_group) * in_a_word + i % in_a_word]
}

/// Whether [`load_words`] loads elements of so many bytes: `ldmatrix` moves pairs of bytes, as words hold them, and transposes
/// elements of 2 bytes only.
#[inline(always)]
pub(in crate::arch) fn loads_words(order: Order, size: usize) -> bool {
    match order {
        Order::Along => size <= 4,
        Order::Across => size == 2,
    }
}

/// The words that a lane keeps of a factor, of a block of workgroup memory at a row and a column.
///
/// # Safety
/// All lanes of a full warp call it together, with the same block, which was checked and whose rows begin at multiples of 16
/// bytes.
#[inline(always)]
pub(in crate::arch) unsafe fn load_words<T: KernelArg, F: FragmentSource<T>>(
    lane: u32,
    side: Side,
    order: Order,
    memory: &F,
    row: usize,
    col: usize,
) -> [u32; WORDS] {
    let lane = lane as usize;
    // Each lane gives the address of one of the rows of 8 matrices: which one decides which word is of it.
    let [line, chunk] = match (side, order) {
        (Side::A, Order::Along) | (Side::B, Order::Across) => [lane % 16, lane / 16],
        (Side::A, Order::Across) | (Side::B, Order::Along) => [lane % 8 + lane / 16 * 8, lane / 8 % 2],
    };
    // The lane's part by itself: the rest is often constant, and then a part of the instruction.
    let address =
        memory.address(line, chunk * (16 / size_of::<T>())).wrapping_add(row * memory.pitch() + col).cast();
    // SAFETY: all lanes of a full warp call it, with a block that was checked and whose rows begin at multiples of 16 bytes, as
    // this function asks; any bits are words.
    unsafe {
        match order {
            Order::Along => transmute(ldmatrix(address)),
            Order::Across => transmute(ldmatrix_transposed(address)),
        }
    }
}

/// The bits of a float as tensor cores take them: rounded to the nearest, halves away from zero.
#[inline(always)]
pub(in crate::arch) fn round_to_tf32(value: f32) -> u32 {
    // SAFETY: it computes, and no more. An image for an architecture without it, before sm_80, doesn't compile.
    unsafe { f2tf32(value) as u32 }
}

#[repr(simd)]
#[derive(Clone, Copy)]
struct Halves([f16; 2]);

#[repr(C)]
#[derive(Clone, Copy)]
struct Four<T>(T, T, T, T);

#[repr(C)]
#[derive(Clone, Copy)]
struct Two<T>(T, T);

// LLVM knows these, and that lanes may not take different ways to them. Source: LLVM's IntrinsicsNVVM.td.
#[allow(improper_ctypes)]
unsafe extern "unadjusted" {
    #[link_name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p0"]
    fn ldmatrix(row: *const u8) -> Four<u32>;
    #[link_name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p0"]
    fn ldmatrix_transposed(row: *const u8) -> Four<u32>;
    #[link_name = "llvm.nvvm.f2tf32.rna"]
    fn f2tf32(value: f32) -> i32;
    #[link_name = "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"]
    fn mma_f16_f32(
        a0: Halves,
        a1: Halves,
        a2: Halves,
        a3: Halves,
        b0: Halves,
        b1: Halves,
        c0: f32,
        c1: f32,
        c2: f32,
        c3: f32,
    ) -> Four<f32>;
    #[link_name = "llvm.nvvm.mma.m16n8k16.row.col.f16.f16"]
    fn mma_f16_f16(
        a0: Halves,
        a1: Halves,
        a2: Halves,
        a3: Halves,
        b0: Halves,
        b1: Halves,
        c0: Halves,
        c1: Halves,
    ) -> Two<Halves>;
    #[link_name = "llvm.nvvm.mma.m16n8k16.row.col.bf16"]
    fn mma_bf16(
        a0: u32,
        a1: u32,
        a2: u32,
        a3: u32,
        b0: u32,
        b1: u32,
        c0: f32,
        c1: f32,
        c2: f32,
        c3: f32,
    ) -> Four<f32>;
    #[link_name = "llvm.nvvm.mma.m16n8k8.row.col.tf32"]
    fn mma_tf32(
        a0: u32,
        a1: u32,
        a2: u32,
        a3: u32,
        b0: u32,
        b1: u32,
        c0: f32,
        c1: f32,
        c2: f32,
        c3: f32,
    ) -> Four<f32>;
    #[link_name = "llvm.nvvm.mma.m16n8k32.row.col.s8"]
    fn mma_s8(
        a0: u32,
        a1: u32,
        a2: u32,
        a3: u32,
        b0: u32,
        b1: u32,
        c0: i32,
        c1: i32,
        c2: i32,
        c3: i32,
    ) -> Four<i32>;
    #[link_name = "llvm.nvvm.mma.m16n8k32.row.col.u8"]
    fn mma_u8(
        a0: u32,
        a1: u32,
        a2: u32,
        a3: u32,
        b0: u32,
        b1: u32,
        c0: i32,
        c1: i32,
        c2: i32,
        c3: i32,
    ) -> Four<i32>;
    #[link_name = "llvm.nvvm.mma.m8n8k4.row.col.f64"]
    fn mma_f64(a: f64, b: f64, c0: f64, c1: f64) -> Two<f64>;
}

macro_rules! multiply {
    ($($(#[$attribute:meta])* $factor:ty => $sum:ty, $mma:ident, $word:ty;)*) => {$(
        $(#[$attribute])*
        impl Multiply<$sum> for $factor {
            #[inline(always)]
            unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [$sum; SUMS]) {
                // SAFETY: words of the same size, of which any bits are good.
                let (a, b) = unsafe { (transmute::<[u32; WORDS], [$word; 4]>(*a), transmute::<[u32; WORDS], [$word; 4]>(*b)) };
                for half in 0..2 {
                    let (b, c) = (&b[2 * half..], &mut sums[4 * half..]);
                    // SAFETY: all lanes of a full warp call it, as the trait asks.
                    let d = unsafe { $mma(a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], c[2], c[3]) };
                    (c[0], c[1], c[2], c[3]) = (d.0, d.1, d.2, d.3);
                }
            }
        }
    )*};
}

multiply! {
    F16 => f32, mma_f16_f32, Halves;
    Bf16 => f32, mma_bf16, u32;
    #[cfg(feature = "half")] half::f16 => f32, mma_f16_f32, Halves;
    #[cfg(feature = "half")] half::bf16 => f32, mma_bf16, u32;
    Tf32 => f32, mma_tf32, u32;
    i8 => i32, mma_s8, u32;
    u8 => i32, mma_u8, u32;
}

impl Multiply<F16> for F16 {
    #[inline(always)]
    unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [Self; SUMS]) {
        // SAFETY: words and halves of the same size, of which any bits are good; all lanes of a full warp call it, as the trait
        // asks.
        unsafe {
            let [a, b] = [*a, *b].map(|words| transmute::<[u32; WORDS], [Halves; 4]>(words));
            let c = transmute::<[Self; SUMS], [Halves; 4]>(*sums);
            let left = mma_f16_f16(a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1]);
            let right = mma_f16_f16(a[0], a[1], a[2], a[3], b[2], b[3], c[2], c[3]);
            *sums = transmute::<[Halves; 4], [Self; SUMS]>([left.0, left.1, right.0, right.1]);
        }
    }
}

/// Products of `half::f16` are those of `F16`, which has the same numbers.
#[cfg(feature = "half")]
impl Multiply<half::f16> for half::f16 {
    #[inline(always)]
    unsafe fn multiply_add(lane: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [Self; SUMS]) {
        // SAFETY: both are the bits of an `f16`; all lanes of a full warp call it, as the trait asks.
        unsafe {
            let mut halves = transmute::<[Self; SUMS], [F16; SUMS]>(*sums);
            <F16 as Multiply<F16>>::multiply_add(lane, a, b, &mut halves);
            *sums = transmute::<[F16; SUMS], [Self; SUMS]>(halves);
        }
    }
}

impl Multiply<f64> for f64 {
    #[inline(always)]
    unsafe fn multiply_add(_: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [f64; SUMS]) {
        // SAFETY: words of the same size, of which any bits are good.
        let [a, b] = [a, b].map(|words| unsafe { transmute::<[u32; WORDS], [f64; 2]>(*words) });
        // Four products of 8 by 8: the sums' pairs are of the upper and the lower rows in turn.
        for right in 0..2 {
            for lower in 0..2 {
                let c = &mut sums[4 * right + 2 * lower..];
                // SAFETY: all lanes of a full warp call it, as the trait asks.
                let d = unsafe { mma_f64(a[lower], b[right], c[0], c[1]) };
                (c[0], c[1]) = (d.0, d.1);
            }
        }
    }
}
