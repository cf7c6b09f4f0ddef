//! Files of folders.

use std::path::{Path, PathBuf};

use itertools::Itertools;
use walkdir::{DirEntry, WalkDir};

/// The files in a folder and below it, by name.
pub(crate) fn below(folder: &Path) -> walkdir::Result<Vec<PathBuf>> {
    let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
    entries.filter_ok(|entry| entry.file_type().is_file()).map_ok(DirEntry::into_path).collect()
}

/// The files in a folder and below it that have an extension, by name.
pub(crate) fn with_extension(folder: &Path, extension: &str) -> walkdir::Result<Vec<PathBuf>> {
    let mut files = below(folder)?;
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    Ok(files)
}

/// Copies a file into a folder, under each of these names. The folder is made where it isn't there.
pub(crate) fn copy(file: &Path, folder: &Path, names: &[impl AsRef<Path>]) -> std::io::Result<()> {
    fs_err::create_dir_all(folder)?;
    names.iter().try_for_each(|name| fs_err::copy(file, folder.join(name)).map(drop))
}

/// Writes a program, such as a script.
pub(crate) fn write_program(path: &Path, text: &str) -> std::io::Result<()> {
    fs_err::write(path, text)?;
    #[cfg(unix)]
    fs_err::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}
