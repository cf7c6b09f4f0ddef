//! Fragments in memory, and their products as loops that the compiler turns into SIMD code.
//!
//! Factors are kept as the numbers that are multiplied: f16, bf16 and TF32 as `f32`, bytes as `i32`.

use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::{by_instruction_set, by_isa};
use super::warps::OfWarp;
use crate::fragment::{Factor, FragmentSource, Order, Side, Sum, Tf32, tf32_bits};
use crate::{Bf16, F16};

/// Rows of A and of the product, and columns of B and of the product.
const LINES: usize = 16;

/// Elements of a fragment of sums.
const SUMS: usize = LINES * LINES;

/// How a fragment of a factor is kept.
pub trait InRegisters: Factor {
    /// All elements: those of A row after row, and those of B, too.
    type Registers: Copy;
    /// An element as it is multiplied.
    #[doc(hidden)]
    type Value: Copy;
    /// Elements in a line.
    #[doc(hidden)]
    const K: usize;
    #[doc(hidden)]
    fn gather(value: impl FnMut(usize) -> Self::Value) -> Self::Registers;
    #[doc(hidden)]
    fn value(element: Self::Memory) -> Self::Value;
}

/// How a fragment of sums is kept.
pub trait SumInRegisters: Copy {
    /// All elements, row after row.
    type Registers: Copy;
    #[doc(hidden)]
    fn filled(value: Self) -> Self::Registers;
    #[doc(hidden)]
    fn get(registers: &Self::Registers, i: usize) -> Self;
    #[doc(hidden)]
    fn set(registers: &mut Self::Registers, i: usize, value: Self);
}

/// Products of factors, which are added to sums.
pub trait Multiply<S: SumInRegisters>: InRegisters {
    #[doc(hidden)]
    fn multiply_add<G: GroupShape>(a: &Self::Registers, b: &Self::Registers, sums: &mut S::Registers);
}

macro_rules! factors {
    ($($(#[$attribute:meta])* $factor:ty, $k:literal, $kept:ty, $element:ident => $value:expr;)*) => {$(
        $(#[$attribute])*
        impl InRegisters for $factor {
            type Registers = [$kept; $k * LINES];
            type Value = $kept;
            const K: usize = $k;

            #[inline(always)]
            fn gather(value: impl FnMut(usize) -> $kept) -> Self::Registers {
                core::array::from_fn(value)
            }

            #[inline(always)]
            fn value($element: Self::Memory) -> $kept {
                $value
            }
        }
    )*};
}

factors! {
    F16, 16, f32, element => element.to_f32();
    Bf16, 16, f32, element => element.to_f32();
    #[cfg(feature = "half")] half::f16, 16, f32, element => F16::from_bits(element.to_bits()).to_f32();
    #[cfg(feature = "half")] half::bf16, 16, f32, element => Bf16::from_bits(element.to_bits()).to_f32();
    Tf32, 8, f32, element => f32::from_bits(tf32_bits(element));
    i8, 32, i32, element => i32::from(element);
    u8, 32, i32, element => i32::from(element);
    f64, 4, f64, element => element;
}

macro_rules! sums {
    ($($(#[$attribute:meta])* $sum:ty, $kept:ty, $to:expr, $from:expr;)*) => {$(
        $(#[$attribute])*
        impl SumInRegisters for $sum {
            type Registers = [$kept; SUMS];

            #[inline(always)]
            fn filled(value: $sum) -> Self::Registers {
                [$to(value); SUMS]
            }

            #[inline(always)]
            fn get(registers: &Self::Registers, i: usize) -> $sum {
                $from(registers[i])
            }

            #[inline(always)]
            fn set(registers: &mut Self::Registers, i: usize, value: $sum) {
                registers[i] = $to(value);
            }
        }
    )*};
}

sums! {
    f32, f32, |value| value, |kept| kept;
    i32, i32, |value| value, |kept| kept;
    f64, f64, |value| value, |kept| kept;
    // Kept as numbers that an `f16` has.
    F16, f32, F16::to_f32, F16::from_f32;
    #[cfg(feature = "half")] half::f16, f32,
        |value: half::f16| F16::from_bits(value.to_bits()).to_f32(),
        |kept| half::f16::from_bits(F16::from_f32(kept).to_bits());
}

by_instruction_set! {
    /// Adds the products of the rows of `a` and the columns of `b`, both row after row.
    AddProducts [V: Copy] [V] where F: [Fn(V, V, V) -> V],
    fn(multiply_add, a: &[V], b: &[V], sums: &mut [V; SUMS]) {
        /// Rows at a time: as many sums are added to side by side, each of which waits for the one before.
        const ROWS: usize = 4;
        let (b, _) = b.as_chunks::<LINES>();
        let k = b.len();
        for (rows, sums) in a.chunks_exact(ROWS * k).zip(sums.as_chunks_mut::<{ ROWS * LINES }>().0) {
            let mut kept = *sums;
            for (k, b) in b.iter().enumerate() {
                for row in 0..ROWS {
                    let a = rows[row * (rows.len() / ROWS) + k];
                    for col in 0..LINES {
                        let sum = &mut kept[row * LINES + col];
                        *sum = multiply_add(a, b[col], *sum);
                    }
                }
            }
            *sums = kept;
        }
    }
}

/// Adds products by the widest instruction set, and by two operations where there is no fused one.
macro_rules! add_products {
    ($isa:expr, $a:expr, $b:expr, $sums:expr, $fused:expr, $plain:expr) => {
        // SAFETY: the shape exists, so its instruction set does.
        unsafe {
            by_isa!(
                $isa,
                AddProducts::baseline($plain, $a, $b, $sums),
                AddProducts::avx2($fused, $a, $b, $sums),
                AddProducts::avx512($fused, $a, $b, $sums)
            );
        }
    };
}

macro_rules! multiply {
    ($($(#[$attribute:meta])* $factor:ty => $sum:ty, $fused:expr, $plain:expr;)*) => {$(
        $(#[$attribute])*
        impl Multiply<$sum> for $factor {
            #[inline(always)]
            fn multiply_add<G: GroupShape>(
                a: &Self::Registers,
                b: &Self::Registers,
                sums: &mut <$sum as SumInRegisters>::Registers,
            ) {
                add_products!(G::ISA, a, b, sums, $fused, $plain);
            }
        }
    )*};
}

multiply! {
    F16 => f32, f32::mul_add, |a, b, sum| a * b + sum;
    Bf16 => f32, f32::mul_add, |a, b, sum| a * b + sum;
    #[cfg(feature = "half")] half::f16 => f32, f32::mul_add, |a, b, sum| a * b + sum;
    #[cfg(feature = "half")] half::bf16 => f32, f32::mul_add, |a, b, sum| a * b + sum;
    Tf32 => f32, f32::mul_add, |a, b, sum| a * b + sum;
    i8 => i32, wrapping, wrapping;
    u8 => i32, wrapping, wrapping;
    f64 => f64, f64::mul_add, |a, b, sum| a * b + sum;
}

/// Sums of products of bytes wrap around, as the hardware's do.
#[inline(always)]
fn wrapping(a: i32, b: i32, sum: i32) -> i32 {
    sum.wrapping_add(a.wrapping_mul(b))
}

/// The products of a block are added up in `f32`, then rounded.
impl Multiply<F16> for F16 {
    #[inline(always)]
    fn multiply_add<G: GroupShape>(a: &[f32; SUMS], b: &[f32; SUMS], sums: &mut [f32; SUMS]) {
        <Self as Multiply<f32>>::multiply_add::<G>(a, b, sums);
        *sums = sums.map(|sum| Self::from_f32(sum).to_f32());
    }
}

/// Products of `half::f16` are those of `F16`, which has the same numbers.
#[cfg(feature = "half")]
impl Multiply<half::f16> for half::f16 {
    #[inline(always)]
    fn multiply_add<G: GroupShape>(a: &[f32; SUMS], b: &[f32; SUMS], sums: &mut [f32; SUMS]) {
        <F16 as Multiply<F16>>::multiply_add::<G>(a, b, sums);
    }
}

/// A fragment of a block of memory at a row and a column.
///
/// # Safety
/// The block was checked.
#[inline(always)]
pub(crate) unsafe fn load_factor<S, T, F>(
    _: &GroupContext<'_, OfWarp<S>>,
    side: Side,
    order: Order,
    memory: &F,
    row: usize,
    col: usize,
) -> T::Registers
where
    S: GroupShape,
    T: Factor + InRegisters,
    F: FragmentSource<T::Memory>,
{
    // How many elements a row of the fragment has.
    let cols = if side == Side::A { T::K } else { LINES };
    // Its rows are the memory's, but for A by its columns and B by its rows.
    let is_as_in_memory = (side == Side::A) == (order == Order::Along);
    T::gather(|i| {
        let (r, c) = (i / cols, i % cols);
        let (down, across) = if is_as_in_memory { (r, c) } else { (c, r) };
        // SAFETY: the element is in the fragment's block, which was checked, as this function asks.
        T::value(unsafe { memory.element(row.saturating_add(down), col.saturating_add(across)) })
    })
}

/// # Safety
/// None is needed: on a GPU all lanes of a full warp call it.
#[inline(always)]
pub(crate) unsafe fn multiply_add<S, T, A>(
    _: &GroupContext<'_, OfWarp<S>>,
    a: &T::Registers,
    b: &T::Registers,
    sums: &mut A::Registers,
) where
    S: GroupShape,
    T: Multiply<A>,
    A: SumInRegisters,
{
    T::multiply_add::<OfWarp<S>>(a, b, sums);
}

/// Changes each element of the sums.
#[inline(always)]
pub(crate) fn map_sums<A: Sum>(mut sums: A::Registers, change: impl Fn(A) -> A) -> A::Registers {
    for i in 0..SUMS {
        let value = A::get(&sums, i);
        A::set(&mut sums, i, change(value));
    }
    sums
}

/// Changes each element of the sums, of which `change` gets the row and the column, too.
#[inline(always)]
pub(crate) fn map_places<S: GroupShape, A: Sum>(
    _: &GroupContext<'_, OfWarp<S>>,
    mut sums: A::Registers,
    change: impl Fn(usize, usize, A) -> A,
) -> A::Registers {
    for i in 0..SUMS {
        let value = A::get(&sums, i);
        A::set(&mut sums, i, change(i / LINES, i % LINES, value));
    }
    sums
}

/// Calls the closure with the row, the column and the value of each element.
#[inline(always)]
pub(crate) fn each_place<S: GroupShape, A: Sum>(
    _: &GroupContext<'_, OfWarp<S>>,
    sums: A::Registers,
    mut body: impl FnMut(usize, usize, A),
) {
    for i in 0..SUMS {
        body(i / LINES, i % LINES, A::get(&sums, i));
    }
}
