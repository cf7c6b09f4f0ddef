//! Each element on its own.

use crate::cpu::isa::{Loop, run_in};
use crate::cpu::output::Output;
use crate::cpu::turn::{block_len, for_each_block};
use crate::cpu::{Read, Workers};

/// Writes `of(i)` to each place `i`.
pub(crate) fn generate<T: Copy + Send>(workers: Workers, out: &mut [T], of: impl Fn(usize) -> T + Sync) {
    // SAFETY: it may be called with any number.
    unsafe { generate_below(workers, Output::new(out), of) };
}

/// Writes the input's elements, which are computed as they are read.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn collect<I: Read>(workers: Workers, input: I, out: &mut [I::Item]) {
    // SAFETY: below the input's length.
    unsafe { generate_below(workers, Output::new(out), |i| input.get(i)) };
}

/// Writes a value to each place.
pub(crate) fn fill<T: Copy + Send + Sync>(workers: Workers, out: &mut [T], value: T) {
    generate(workers, out, |_| value);
}

/// Writes the first element, and behind it `op` of each element and the one before.
///
/// # Safety
/// The input has as many elements as `out`.
pub(crate) unsafe fn adjacent_difference<I: Read>(
    workers: Workers,
    input: I,
    out: &mut [I::Item],
    op: impl Fn(I::Item, I::Item) -> I::Item + Sync,
) {
    let Some((first, others)) = out.split_first_mut() else { return };
    // SAFETY: there are as many as `out` has.
    *first = unsafe { input.get(0) };
    // SAFETY: element i + 1 is below the length, as `others` has one element less.
    unsafe { generate_below(workers, Output::new(others), |i| op(input.get(i + 1), input.get(i))) };
}

/// # Safety
/// `of` may be called with numbers below the output's length.
unsafe fn generate_below<T: Copy + Send, F: Fn(usize) -> T + Sync>(
    workers: Workers,
    output: Output<'_, T>,
    of: F,
) {
    let len = output.len();
    let block = block_len(size_of::<T>());
    for_each_block(workers, len, block, |number| {
        let first = number * block;
        let count = block.min(len - first);
        // SAFETY: within the output, of which only this block's task uses these elements, and by an instruction set of this machine.
        unsafe { run_in(workers.isa(), Write { of: &of, first, count, to: output.at(first) }) };
    });
}

/// Writes some elements.
struct Write<'f, T, F> {
    of: &'f F,
    first: usize,
    count: usize,
    to: *mut T,
}

impl<T, F: Fn(usize) -> T> Loop for Write<'_, T, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) {
        for i in 0..self.count {
            // SAFETY: there is room, as the loop's maker promises.
            unsafe { self.to.add(i).write((self.of)(self.first + i)) };
        }
    }
}
