//! Loops over the values of warps in memory: exchanges between lanes, votes, and what is computed of each warp's values.

use core::mem::MaybeUninit;

use gridwright_core::KernelArg;

use super::group_shape::GroupShape;
use super::identity::WARP;
use super::isa::by_instruction_set;
use super::permute::permute;

by_instruction_set! {
    /// Each result becomes the value of a lane of its warp; of a lane that isn't there, its own. There are as many of both. The
    /// closure gets a thread's number in the group and in its warp.
    inline Shuffle [S: GroupShape, T: KernelArg] [S, T] where F: [Fn(usize, usize) -> usize],
    fn(lane, results: &mut [MaybeUninit<T>], values: &[T], shape: S) {
        let warps = results.chunks_mut(S::LANES).zip(values.chunks(S::LANES));
        for (warp, (results, values)) in warps.enumerate() {
            let from = |own| {
                let from = lane(warp * S::LANES + own, own);
                if from < values.len() { from } else { own }
            };
            match (results.as_mut_array(), values.as_array()) {
                (Some(results), Some(values)) => {
                    let mut lanes = [0; WARP];
                    for (own, lane) in lanes.iter_mut().enumerate() {
                        *lane = from(own) as u32;
                    }
                    permute(shape, values, &lanes, results);
                }
                _ => {
                    for (own, to) in results.iter_mut().enumerate() {
                        to.write(values[from(own)]);
                    }
                }
            }
        }
    }
}

by_instruction_set! {
    /// Each result becomes what the closure makes of the values of its warp. There are as many of both.
    inline OfWarps [S: GroupShape, T: Copy, R: Copy] [S, T, R] where F: [Fn(&[T]) -> R],
    fn(value, results: &mut [MaybeUninit<R>], values: &[T], _shape: S) {
        for (results, values) in results.chunks_mut(S::LANES).zip(values.chunks(S::LANES)) {
            let value = value(values);
            for to in results {
                to.write(value);
            }
        }
    }
}

by_instruction_set! {
    /// Each mask gets a bit for each lane of its warp whose value the closure finds to be the thread's. There are as many of both.
    inline Matches [S: GroupShape, T: Copy] [S, T] where F: [Fn(T, T) -> bool],
    fn(is_same, masks: &mut [MaybeUninit<u64>], values: &[T], _shape: S) {
        for (masks, values) in masks.chunks_mut(S::LANES).zip(values.chunks(S::LANES)) {
            match values.as_array::<WARP>() {
                Some(values) => {
                    for (mask, &value) in masks.iter_mut().zip(values) {
                        // By `map` of the array the closure wouldn't be inlined: see `copied`.
                        let mut same = [false; WARP];
                        for (same, &other) in same.iter_mut().zip(values) {
                            *same = is_same(other, value);
                        }
                        mask.write(bits(&same));
                    }
                }
                None => {
                    for (mask, &value) in masks.iter_mut().zip(values) {
                        let others = values.iter().enumerate();
                        mask.write(others.fold(0, |found, (lane, &other)| {
                            found | u64::from(is_same(other, value)) << lane
                        }));
                    }
                }
            }
        }
    }
}

/// A bit for each of at most 64 values that is true.
#[inline(always)]
pub(super) fn bits(values: &[bool]) -> u64 {
    let (sixteens, rest) = values.as_chunks::<16>();
    let mut mask = 0;
    for (at, sixteen) in sixteens.iter().enumerate() {
        mask |= bits_of_sixteen(sixteen) << (16 * at);
    }
    for (at, &value) in rest.iter().enumerate() {
        mask |= u64::from(value) << (16 * sixteens.len() + at);
    }
    mask
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bits_of_sixteen(values: &[bool; 16]) -> u64 {
    use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8, _mm_slli_epi16};
    // SAFETY: every x86-64 has SSE2; sixteen bytes are read where there are sixteen.
    let mask = unsafe {
        // A byte's lowest bit becomes its highest, of which the mask is made.
        _mm_movemask_epi8(_mm_slli_epi16::<7>(_mm_loadu_si128(values.as_ptr().cast())))
    };
    u64::from(mask as u16)
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn bits_of_sixteen(values: &[bool; 16]) -> u64 {
    // The product puts the lowest bit of each byte into the highest byte.
    let bits = |bytes: u64| bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let bytes = u128::from_le_bytes(values.map(u8::from));
    bits(bytes as u64) | bits((bytes >> 64) as u64) << 8
}
