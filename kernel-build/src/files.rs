//! Writing files so that readers never see a half of one, and unchanged ones keep their times; and folders that one process has at
//! a time.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Writes `bytes` unless the file holds them already: an unchanged image must not make cargo
/// compile the host crate again. Says whether it wrote.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // The name of the process keeps two builds in one folder apart; the rename makes it one step.
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let fresh = path.with_file_name(name);
    fs::write(&fresh, bytes)?;
    fs::rename(&fresh, path)?;
    Ok(true)
}

/// A folder for this process alone, until the file is dropped. Where the system has no locks, builds at the same time write the same.
pub(crate) fn locked(folder: &Path) -> Option<File> {
    fs::create_dir_all(folder).ok()?;
    let file = File::create(folder.join("lock")).ok()?;
    file.lock().ok()?;
    Some(file)
}
