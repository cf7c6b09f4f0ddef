//! The sources of the compiler's library, from which `core` is built for each GPU target.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use super::{Missing, Version};
use crate::environment::Environment;

/// The folder where rustup puts `rust-src`.
pub(super) fn own(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib/src/rust/library")
}

/// The first of: the toolchain's own, `GRIDWRIGHT_RUST_SRC`, Debian's `rust-src` package.
pub(super) fn find(
    environment: &Environment,
    toolchain: &str,
    sysroot: &Path,
    version: &Version,
    cache: &Path,
) -> Result<PathBuf, Missing> {
    let own = own(sysroot);
    if is_library(&own) {
        return Ok(own);
    }
    if let Some(given) = environment.path("GRIDWRIGHT_RUST_SRC") {
        return given_sources(&given, cache).map_err(|message| Missing {
            message,
            watch: Some(given).filter(|p| p.exists()).into_iter().collect(),
        });
    }
    if let Some(debian) = debian(version) {
        return Ok(debian);
    }
    let components = sysroot.join("lib/rustlib/components");
    Err(Missing {
        message: format!(
            "the library sources of the toolchain `{toolchain}` are missing: run `rustup component add rust-src \
             --toolchain {toolchain}`, or set GRIDWRIGHT_RUST_SRC to a folder or a .tar.xz with the `library` folder of \
             Rust {}",
            version.number()
        ),
        watch: Some(components).filter(|p| p.exists()).into_iter().collect(),
    })
}

fn is_library(folder: &Path) -> bool {
    folder.join("core/src/lib.rs").is_file()
}

/// `/usr/src/rustc-1.97.1/library` for a compiler 1.97.
fn debian(version: &Version) -> Option<PathBuf> {
    let number = version.number();
    let minor = number.rsplit_once('.').map_or(number, |(minor, _)| minor);
    let prefix = format!("rustc-{minor}.");
    let mut folders: Vec<PathBuf> = fs::read_dir("/usr/src")
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
        .map(|entry| entry.path().join("library"))
        .filter(|library| is_library(library))
        .collect();
    folders.sort();
    folders.pop()
}

fn given_sources(given: &Path, cache: &Path) -> Result<PathBuf, String> {
    if given.is_dir() {
        return library_in(given).ok_or_else(|| {
            format!("GRIDWRIGHT_RUST_SRC is {}, which has no `library/core/src/lib.rs`", given.display())
        });
    }
    if given.is_file() {
        return unpacked(given, cache);
    }
    Err(format!("GRIDWRIGHT_RUST_SRC is {}, which does not exist", given.display()))
}

/// The `library` folder under one of the layouts that archives and packages have.
fn library_in(folder: &Path) -> Option<PathBuf> {
    let mut roots = vec![folder.to_owned()];
    let mut inside: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    inside.sort();
    roots.extend(inside);
    let places = ["", "library", "lib/rustlib/src/rust/library", "rust-src/lib/rustlib/src/rust/library"];
    roots.iter().flat_map(|root| places.map(|place| root.join(place))).find(|p| is_library(p))
}

/// Unpacks an archive once into `cache`; the folder's name changes with the archive.
fn unpacked(archive: &Path, cache: &Path) -> Result<PathBuf, String> {
    let metadata =
        fs::metadata(archive).map_err(|e| format!("{} could not be read: {e}", archive.display()))?;
    let changed =
        metadata.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| d.as_secs());
    let folder = cache.join(format!("rust-src-{:x}-{changed:x}", metadata.len()));
    if let Some(library) = library_in(&folder) {
        return Ok(library);
    }
    // Another process may unpack the same archive: each fills a folder of its own, and the first to
    // rename it wins. A half-filled one is never seen under the final name.
    let own = cache.join(format!("rust-src-unpacking-{}", std::process::id()));
    let _ = fs::remove_dir_all(&own);
    fs::create_dir_all(&own).map_err(|e| format!("{} could not be made: {e}", own.display()))?;
    let result = extract(archive, &own);
    if result.is_ok() {
        // A failure here means that the folder is there by now; whether it is good is looked at below.
        let _ = fs::rename(&own, &folder);
    }
    let _ = fs::remove_dir_all(&own);
    result?;
    library_in(&folder).ok_or_else(|| {
        format!("GRIDWRIGHT_RUST_SRC is {}, an archive without `library/core/src/lib.rs`", archive.display())
    })
}

/// The system's `tar` does it: a decoder among the build dependencies would cost every user more
/// than this costs the few with an archive.
fn extract(archive: &Path, folder: &Path) -> Result<(), String> {
    let output = Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(folder).output().map_err(|e| {
        format!("{} could not be unpacked, as `tar` did not run ({e}): unpack it, and set GRIDWRIGHT_RUST_SRC to the folder", archive.display())
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`tar -xf {}` failed: {}", archive.display(), String::from_utf8_lossy(&output.stderr).trim()))
}
