use std::cell::Cell;
use std::ptr;
use std::thread::panicking;

use corosensei::Yielder;

use crate::fibers::FiberThread;

/// What a running fiber is known by. It lies on the fiber's own stack.
pub(super) struct Current {
    yielder: *const Yielder<(), ()>,
    thread: FiberThread,
    /// Whether the OS thread was unwinding when the fiber began: a destructor launched the kernel.
    was_unwinding: bool,
}

thread_local! {
    static CURRENT: Cell<*const Current> = const { Cell::new(ptr::null()) };
}

impl Current {
    pub(super) fn new(yielder: &Yielder<(), ()>, thread: FiberThread) -> Self {
        Self { yielder, thread, was_unwinding: panicking() }
    }

    /// Notes, in the fiber, that it is the one that runs now.
    ///
    /// # Safety
    /// It stays where it is until the fiber ends, and whoever resumed the fiber does so through [`aside`].
    pub(super) unsafe fn enter(&self) {
        CURRENT.set(self);
    }
}

/// Runs a fiber until it comes back. Then the one that ran before is current again: a kernel may launch a kernel.
pub(super) fn aside<R>(run: impl FnOnce() -> R) -> R {
    let _back = Back(CURRENT.get());
    run()
}

/// Makes a fiber current again, also where it goes on by unwinding.
struct Back(*const Current);

impl Drop for Back {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Leaves the thread's fiber until all others of its group are at a barrier, or have ended.
///
/// It is never inlined: the caller may be compiled for AVX-512, and where the stack is changed the compiler knows only of
/// the registers of the program's own target. Across a call no vector register is kept.
///
/// # Panics
/// Where the thread isn't the one whose fiber runs.
///
/// # Safety
/// The fibers of all threads of the group come to as many barriers, or end.
#[inline(never)]
#[track_caller]
pub unsafe fn sync_threads(thread: FiberThread) {
    let here = CURRENT.get();
    // SAFETY: a fiber that is current runs, or runs what runs this: its stack is there.
    let current = unsafe { here.as_ref() }.filter(|current| current.thread == thread);
    let Some(current) = current else {
        panic!(
            "`sync_threads` was called in a kernel that isn't an `unsafe fn` of a `Thread`, or with another thread than its own"
        )
    };
    // In a destructor, after a panic: the launch ends, and nobody waits for this thread.
    if panicking() != current.was_unwinding {
        return;
    }
    let _back = Back(here);
    // SAFETY: the yielder lives as long as its fiber.
    unsafe { &*current.yielder }.suspend(());
}
