//! Clocks, sleep, fences, and what stops a thread.

use core::arch::amdgpu::s_sleep;
use core::sync::atomic::{Ordering, fence};

use crate::Scope;

/// Nanoseconds of a step of the constant clock, which runs at 100 MHz. Source: LLVM's user guide for AMDGPU, on
/// `llvm.readsteadycounter`.
const STEP: u64 = 10;

unsafe extern "C" {
    #[link_name = "llvm.readcyclecounter"]
    fn read_cycle_counter() -> u64;
    #[link_name = "llvm.readsteadycounter"]
    fn read_steady_counter() -> u64;
    #[link_name = "llvm.debugtrap"]
    fn debug_trap();
}

#[inline(always)]
pub(crate) fn clock() -> u64 {
    // SAFETY: it reads a counter.
    unsafe { read_cycle_counter() }
}

#[inline(always)]
pub(crate) fn nanoseconds() -> u64 {
    // SAFETY: it reads a counter.
    unsafe { read_steady_counter() }.wrapping_mul(STEP)
}

#[inline(always)]
pub(crate) fn sleep(duration: u32) {
    let start = nanoseconds();
    while nanoseconds().wrapping_sub(start) < u64::from(duration) {
        // 64 cycles or less.
        s_sleep::<1>();
    }
}

#[inline(always)]
#[track_caller]
pub(crate) fn trap() -> ! {
    panic!("trap");
}

#[inline(always)]
pub(crate) fn breakpoint() {
    // SAFETY: a debugger takes it, or the trap handler goes on.
    unsafe { debug_trap() };
}

#[inline(always)]
pub(crate) fn fence_of(_: Scope) {
    fence(Ordering::SeqCst);
}
