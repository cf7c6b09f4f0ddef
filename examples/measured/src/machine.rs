//! What the numbers depend on.

use std::env;
use std::fs;
use std::num::NonZero;
use std::thread;

/// The processor's own name for itself.
pub fn cpu_model() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or(env::consts::ARCH, |(_, name)| name.trim()).to_owned()
}

/// As many threads as the device under test has, so that the peer gets no fewer.
pub fn threads() -> usize {
    let asked = env::var("GRIDWRIGHT_CPU_THREADS").ok().and_then(|threads| threads.parse().ok());
    asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}
