//! A word to whoever waits. Cargo holds back what a build script prints until it ends, and repeats
//! a `cargo::warning` on later builds; so the terminal that *cargo* writes to is written to, if it
//! is one. Under an editor or in CI, cargo's output is a pipe, and nothing is said.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::architecture::Architecture;
use crate::plan::directories;

/// Says that the core library is built first, if it is: that takes most of a minute, once.
pub(crate) fn announce_core(shared: &Path, architectures: &[Architecture]) {
    let is_first = architectures.iter().any(|a| !directories::of_core(shared, a).exists());
    if is_first && let Some(terminal) = terminal() {
        let names: Vec<_> = architectures.iter().map(Architecture::name).collect();
        let text = format!("  Gridwright compiles `core` for {}: once, up to a minute\n", names.join(", "));
        write(&terminal, &text);
    }
}

/// The terminal that cargo writes to, where the system says of another process which one that is.
#[cfg(target_os = "linux")]
fn terminal() -> Option<PathBuf> {
    let target = fs::read_link(format!("/proc/{}/fd/2", std::os::unix::process::parent_id())).ok()?;
    let is_terminal =
        target.starts_with("/dev/pts") || target.to_str().is_some_and(|t| t.starts_with("/dev/tty"));
    is_terminal.then_some(target)
}

#[cfg(not(target_os = "linux"))]
fn terminal() -> Option<PathBuf> {
    None
}

fn write(terminal: &Path, text: &str) {
    // The start of the line holds cargo's progress bar. Nobody is harmed if this fails.
    if let Ok(mut terminal) = fs::OpenOptions::new().append(true).open(terminal) {
        let _ = write!(terminal, "\r\x1b[K{text}");
    }
}
