//! Which core a thread runs on, so that a worker doesn't stay on its caller's.
//!
//! Linux may have a thread that it wakes wait behind the thread that woke it, or run in its place, until it next balances its
//! cores: two milliseconds, while another core sleeps. It does where a virtual machine's cores are halted, which it takes for
//! cores whose host has others run.

/// The core that this thread is on, where that can be known.
#[cfg(target_os = "linux")]
pub(crate) fn current() -> Option<usize> {
    // SAFETY: it takes nothing.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn current() -> Option<usize> {
    None
}

/// Has this thread go on on another core, if it may run on others. Later it may be on any again.
#[cfg(target_os = "linux")]
pub(crate) fn leave(core: usize) {
    // SAFETY: of no core, it is zeros.
    let mut allowed: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    let size = size_of_val(&allowed);
    if core >= 8 * size {
        return;
    }
    // SAFETY: the set has that size.
    if unsafe { libc::sched_getaffinity(0, size, &raw mut allowed) } != 0 {
        return;
    }
    let mut others = allowed;
    // SAFETY: the set has that many cores. Without any other, the next call is refused, and changes nothing.
    unsafe { libc::CPU_CLR(core, &mut others) };
    // SAFETY: both sets have that size.
    unsafe {
        if libc::sched_setaffinity(0, size, &raw const others) == 0 {
            libc::sched_setaffinity(0, size, &raw const allowed);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn leave(_: usize) {}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::{current, leave};

    /// The cores that this thread may be on.
    fn allowed() -> Vec<usize> {
        // SAFETY: of no core, it is zeros.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        let size = size_of_val(&set);
        // SAFETY: the set has that size.
        assert_eq!(unsafe { libc::sched_getaffinity(0, size, &raw mut set) }, 0);
        // SAFETY: the set has that many cores.
        (0..8 * size).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) }).collect()
    }

    #[test]
    fn a_thread_leaves_a_core_and_may_be_on_all_again() {
        let before = allowed();
        let core = current().expect("Linux knows");
        assert!(before.contains(&core), "{core} of {before:?}");
        leave(core);
        assert_eq!(allowed(), before);
        // Cores that aren't there.
        leave(usize::MAX);
        leave(8 * size_of::<libc::cpu_set_t>() - 1);
        assert_eq!(allowed(), before);
    }

    #[test]
    fn a_thread_that_has_one_core_stays() {
        let core = allowed()[0];
        let on_one = std::thread::spawn(move || {
            // SAFETY: of no core, it is zeros.
            let mut one: libc::cpu_set_t = unsafe { std::mem::zeroed() };
            // SAFETY: a core's number is below the set's size, which is given.
            unsafe {
                libc::CPU_SET(core, &mut one);
                libc::sched_setaffinity(0, size_of_val(&one), &raw const one);
            }
            leave(core);
            (allowed(), current())
        });
        assert_eq!(on_one.join().expect("it didn't panic"), (vec![core], Some(core)));
    }
}
