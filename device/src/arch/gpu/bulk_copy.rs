//! A copy to workgroup memory that one thread has the hardware make, where it can; else the threads make it.

use core::mem::MaybeUninit;

use bytemuck::Zeroable;
use gridwright_core::KernelArg;

use super::async_copy::{Part, WIDEST};
use super::group_context::{GroupContext, GroupShape};
use super::load::load;
use crate::arch::hardware;

/// # Safety
/// `to` is the first of `len` elements that only this group accesses. At group level, in front of a barrier.
#[inline(always)]
pub(crate) unsafe fn load_bulk<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    // SAFETY: only this group accesses the `len` elements, and it is at group level, in front of a barrier, as this function asks.
    unsafe {
        if !S::ARE_A_BLOCK || !in_bulk(context, to, len, from, start) {
            load(context, to, len, from, start);
        }
    }
}

/// Has the hardware copy, or says to all threads alike that it can't, with nothing written.
///
/// # Safety
/// As above.
#[inline(always)]
unsafe fn in_bulk<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) -> bool {
    let there = Part::of(start, len, from.len());
    let behind = there.before + there.len;
    let source = from.as_ptr().wrapping_add(start.wrapping_add(there.before)).cast::<MaybeUninit<u8>>();
    let target = to.wrapping_add(there.before).cast::<MaybeUninit<u8>>();
    let bytes = there.len * size_of::<T>();
    // In front of the first place that the hardware can copy to and from.
    let head = (source.addr().wrapping_neg() % WIDEST).min(bytes);
    let middle = (bytes - head) / WIDEST * WIDEST;
    if middle == 0 || (source.addr() ^ target.addr()) % WIDEST != 0 {
        return false;
    }
    let edges = || {
        let number = context.number() as usize;
        // SAFETY: the elements are this group's, as this function asks; each thread writes its own bytes and elements, none of
        // which the hardware writes, and reads what is there of `from`.
        unsafe {
            for (first, end) in [(0, head), (head + middle, bytes)] {
                let mut at = first + number;
                while at < end {
                    target.add(at).write(source.add(at).read());
                    at += context.threads();
                }
            }
            for (first, end) in [(0, there.before), (behind, len)] {
                let mut at = first + number;
                while at < end {
                    to.add(at).write(Zeroable::zeroed());
                    at += context.threads();
                }
            }
        }
    };
    // SAFETY: all threads come here, in front of a barrier, as this function asks; so many bytes are there, at multiples of 16.
    // Collectives, which have the memory that the hardware counts in, begin and end with barriers.
    unsafe {
        hardware::copy_in_bulk(
            context.leads(),
            hardware::workgroup_memory(),
            target.wrapping_add(head).cast(),
            source.wrapping_add(head).cast(),
            middle as u32,
            edges,
        )
    }
}
