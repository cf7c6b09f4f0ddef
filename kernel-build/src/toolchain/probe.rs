//! Whether a compiler that nobody tested takes the flags of a build, before anything is compiled.

use std::path::Path;
use std::process::Command;

/// Has the compiler list a target's processors under the flags. For that it makes the target's code generator, so that LLVM reads its own
/// arguments too; nothing is compiled, and it takes some hundredths of a second.
///
/// # Errors
/// What the compiler says, in one line.
pub(super) fn takes(rustc: &Path, target: &str, flags: &[String]) -> Result<(), String> {
    let output =
        Command::new(rustc).args(["--target", target, "--print", "target-cpus"]).args(flags).output();
    let output = output.map_err(|e| format!("it doesn't start: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().map(str::trim).find(|line| !line.is_empty());
    Err(first.map_or_else(|| output.status.to_string(), str::to_owned))
}
