//! Where the runtime's library is.

use std::env;
use std::path::{Path, PathBuf};

use libloading::Library;

/// The library's names, the newest release's first. Programs that were linked with the runtime have one with a number; the plain one
/// comes with ROCm's packages for developers.
#[cfg(not(windows))]
const NAMES: [&str; 4] = ["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"];

/// The library's names in AMD's driver for Windows, the newest release's first.
#[cfg(windows)]
const NAMES: [&str; 3] = ["amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll"];

/// The library's file, for messages.
pub(super) const FILE: &str = if cfg!(windows) { "amdhip64.dll" } else { "libamdhip64.so" };

/// ROCm's folder, where it isn't another one.
const ROCM: &str = "/opt/rocm";

/// The library, loaded, if there is one: as the system finds it, or in ROCm's folder, which `ROCM_PATH` names.
pub(super) fn load() -> Option<Library> {
    places(env::var_os("ROCM_PATH").map(PathBuf::from)).iter().find_map(|place| {
        // SAFETY: loading the runtime's library runs its initialisers, as any program that uses it does.
        unsafe { Library::new(place) }.ok()
    })
}

/// All places where the library may be, in order.
fn places(rocm: Option<PathBuf>) -> Vec<PathBuf> {
    let folders = [rocm, Some(ROCM.into())];
    let folders = folders.iter().flatten().filter(|folder| folder.is_absolute());
    let in_folder = |folder: &Path| NAMES.map(|name| folder.join("lib").join(name));
    NAMES.iter().map(PathBuf::from).chain(folders.flat_map(|folder| in_folder(folder))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{NAMES, places};

    #[test]
    fn the_systems_library_comes_before_that_of_a_folder() {
        let found = places(Some("/opt/rocm-6.3".into()));
        assert_eq!(found.len(), 3 * NAMES.len());
        assert_eq!(found[0], PathBuf::from(NAMES[0]));
        assert!(found[NAMES.len()].starts_with("/opt/rocm-6.3/lib"));
        assert!(found[2 * NAMES.len()].starts_with("/opt/rocm/lib"));
        // Whatever lies in the current folder isn't the runtime.
        assert_eq!(places(Some("rocm".into())), places(None));
    }
}
