//! Fragments: this thread's part of them. The hardware says which elements those are, and multiplies them.

use super::group_context::{GroupContext, GroupShape};
use super::warps::OfWarp;
use crate::arch::hardware::{self, SUMS, WORDS};
use crate::fragment::{Factor, FragmentSource, Order, Side, Sum, Tf32};
use crate::{Bf16, F16};

/// The part of a fragment of a factor that a thread keeps.
pub trait InRegisters: Factor {
    /// The words that a thread keeps.
    type Registers: Copy;
    /// The bits of an element in memory.
    #[doc(hidden)]
    fn bits(element: Self::Memory) -> u64;
    /// The words in registers of as many words of elements in memory.
    #[doc(hidden)]
    fn of_words(words: [u32; WORDS]) -> Self::Registers;
}

/// The part of a fragment of sums that a thread keeps.
pub trait SumInRegisters: Copy {
    /// The elements of the fragment that a thread keeps.
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
    /// # Safety
    /// All lanes of a full warp call it together.
    #[doc(hidden)]
    unsafe fn multiply_add(lane: u32, a: &Self::Registers, b: &Self::Registers, sums: &mut S::Registers);
}

macro_rules! factors {
    ($($(#[$attribute:meta])* $factor:ty, $value:ident => $bits:expr, $words:ident => $registers:expr;)*) => {$(
        $(#[$attribute])*
        impl InRegisters for $factor {
            type Registers = [u32; WORDS];

            #[inline(always)]
            fn bits($value: Self::Memory) -> u64 {
                u64::from($bits)
            }

            #[inline(always)]
            fn of_words($words: [u32; WORDS]) -> [u32; WORDS] {
                $registers
            }
        }
    )*};
}

factors! {
    F16, value => value.to_bits(), words => words;
    Bf16, value => value.to_bits(), words => words;
    #[cfg(feature = "half")] half::f16, value => value.to_bits(), words => words;
    #[cfg(feature = "half")] half::bf16, value => value.to_bits(), words => words;
    Tf32, value => value.to_bits(), words => words.map(|word| hardware::round_to_tf32(f32::from_bits(word)));
    i8, value => value as u8, words => words;
    u8, value => value, words => words;
    f64, value => value.to_bits(), words => words;
}

macro_rules! sums {
    ($($(#[$attribute:meta])* $sum:ty;)*) => {$(
        $(#[$attribute])*
        impl SumInRegisters for $sum {
            type Registers = [$sum; SUMS];

            #[inline(always)]
            fn filled(value: $sum) -> [$sum; SUMS] {
                [value; SUMS]
            }

            #[inline(always)]
            fn get(registers: &[$sum; SUMS], i: usize) -> $sum {
                registers[i]
            }

            #[inline(always)]
            fn set(registers: &mut [$sum; SUMS], i: usize, value: $sum) {
                registers[i] = value;
            }
        }
    )*};
}

sums! {
    f32;
    F16;
    #[cfg(feature = "half")] half::f16;
    i32;
    f64;
}

/// A fragment of a block of memory at a row and a column.
///
/// # Safety
/// Called at warp level by a full warp, with the same block, which was checked.
#[inline(always)]
pub(crate) unsafe fn load_factor<S, T, F>(
    context: &GroupContext<'_, OfWarp<S>>,
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
    let (lane, size) = (context.number(), size_of::<T::Memory>());
    // Instructions that load 16 bytes of a row at once want them to begin at multiples of 16.
    if const { F::HAS_ALIGNED_ROWS } && hardware::loads_words(order, size) && (col * size).is_multiple_of(16)
    {
        // SAFETY: a full warp calls it, with the same block, which was checked, as this function asks; the rows, and `col` in them,
        // are at multiples of 16 bytes.
        return T::of_words(unsafe {
            hardware::load_words::<T::Memory, F>(lane, side, order, memory, row, col)
        });
    }
    let mut words = [0; WORDS];
    for i in 0..4 * WORDS / size {
        let [line, k] = hardware::factor_place(lane, side, size, i);
        let [down, across] = if order == Order::Along { [line, k] } else { [k, line] };
        // SAFETY: the element is in a block that was checked, as this function asks.
        let bits = T::bits(unsafe { memory.element(row.saturating_add(down), col.saturating_add(across)) });
        let byte = i * size;
        words[byte / 4] |= (bits as u32) << (8 * (byte % 4));
        if size == 8 {
            words[byte / 4 + 1] = (bits >> 32) as u32;
        }
    }
    T::of_words(words)
}

/// # Safety
/// Called at warp level by a full warp.
#[inline(always)]
pub(crate) unsafe fn multiply_add<S, T, A>(
    context: &GroupContext<'_, OfWarp<S>>,
    a: &T::Registers,
    b: &T::Registers,
    sums: &mut A::Registers,
) where
    S: GroupShape,
    T: Multiply<A>,
    A: SumInRegisters,
{
    // SAFETY: all lanes of a full warp call it, as this function asks.
    unsafe { T::multiply_add(context.number(), a, b, sums) };
}

/// Changes each element of the sums.
#[inline(always)]
pub(crate) fn map_sums<A: Sum>(sums: A::Registers, change: impl Fn(A) -> A) -> A::Registers {
    let mut changed = sums;
    for i in 0..SUMS {
        A::set(&mut changed, i, change(A::get(&sums, i)));
    }
    changed
}

/// Changes each element of the sums, of which `change` gets the row and the column, too.
#[inline(always)]
pub(crate) fn map_places<S: GroupShape, A: Sum>(
    context: &GroupContext<'_, OfWarp<S>>,
    sums: A::Registers,
    change: impl Fn(usize, usize, A) -> A,
) -> A::Registers {
    let mut changed = sums;
    let lane = context.number();
    for i in 0..SUMS {
        let [row, col] = hardware::sum_place::<A>(lane, i);
        A::set(&mut changed, i, change(row, col, A::get(&sums, i)));
    }
    changed
}

/// Calls the closure with the row, the column and the value of each element.
#[inline(always)]
pub(crate) fn each_place<S: GroupShape, A: Sum>(
    context: &GroupContext<'_, OfWarp<S>>,
    sums: A::Registers,
    mut body: impl FnMut(usize, usize, A),
) {
    let lane = context.number();
    for i in 0..SUMS {
        let [row, col] = hardware::sum_place::<A>(lane, i);
        body(row, col, A::get(&sums, i));
    }
}
