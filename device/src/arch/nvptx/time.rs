//! Clocks, sleep, fences, and what stops a thread.

use core::arch::asm;

use crate::Scope;

#[inline(always)]
pub(crate) fn clock() -> u64 {
    let cycles;
    // SAFETY: it reads a register. Not `pure`: each read is another.
    unsafe { asm!("mov.u64 {}, %clock64;", out(reg64) cycles, options(nostack)) };
    cycles
}

#[inline(always)]
pub(crate) fn nanoseconds() -> u64 {
    let nanoseconds;
    // SAFETY: it reads a register. Not `pure`: each read is another.
    unsafe { asm!("mov.u64 {}, %globaltimer;", out(reg64) nanoseconds, options(nostack)) };
    nanoseconds
}

#[inline(always)]
pub(crate) fn sleep(nanoseconds: u32) {
    // SAFETY: the thread waits.
    unsafe { asm!("nanosleep.u32 {};", in(reg32) nanoseconds, options(nostack)) };
}

#[inline(always)]
pub(crate) fn trap() -> ! {
    // SAFETY: it doesn't return; LLVM knows nothing of what assembly does, so the thread ends in words that it knows too.
    unsafe { asm!("trap;", "exit;", options(noreturn)) }
}

#[inline(always)]
pub(crate) fn breakpoint() {
    // SAFETY: a debugger takes it, or the launch ends.
    unsafe { asm!("brkpt;", options(nostack)) };
}

#[inline(always)]
pub(crate) fn fence_of(scope: Scope) {
    // SAFETY: it orders memory, and the compiler moves none over it.
    unsafe {
        match scope {
            Scope::Workgroup => asm!("fence.sc.cta;", options(nostack)),
            Scope::Device => asm!("fence.sc.gpu;", options(nostack)),
            Scope::System => asm!("fence.sc.sys;", options(nostack)),
        }
    }
}
