//! Clocks, sleep, and what stops a thread.

use core::sync::atomic::{Ordering, fence};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::Scope;

/// The time when somebody first asked for it.
static START: OnceLock<Instant> = OnceLock::new();

pub(crate) fn nanoseconds() -> u64 {
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn clock() -> u64 {
    nanoseconds()
}

pub(crate) fn sleep(nanoseconds: u32) {
    thread::sleep(Duration::from_nanos(nanoseconds.into()));
}

#[track_caller]
pub(crate) fn trap() -> ! {
    panic!("trap");
}

pub(crate) fn breakpoint() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a debugger takes it, or the program ends.
    unsafe {
        core::arch::asm!("int3", options(nomem, nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a debugger takes it, or the program ends.
    unsafe {
        core::arch::asm!("brk #0xf000", options(nomem, nostack, preserves_flags));
    }
}

pub(crate) fn fence_of(_: Scope) {
    fence(Ordering::SeqCst);
}
