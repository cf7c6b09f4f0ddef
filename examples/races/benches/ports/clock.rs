//! The time that this process has had a processor for, all of its threads together.

/// Nanoseconds of CPU time.
///
/// # Errors
/// Where the system has no such clock.
pub(crate) fn cpu_nanoseconds() -> anyhow::Result<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is there to be written.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    anyhow::ensure!(result == 0, "the system has no clock of CPU time: {}", std::io::Error::last_os_error());
    Ok(time.tv_sec as f64 * 1e9 + time.tv_nsec as f64)
}
