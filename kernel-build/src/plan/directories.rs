//! Where the device builds of a workspace meet, so that `core` is built once.

use std::path::{Path, PathBuf};

use crate::architecture::{Architecture, Family};

/// The folder `gridwright` in cargo's build directory: the nearest ancestor of `OUT_DIR` that cargo
/// has tagged. Below `target/<triple>` it is the folder above, where that is tagged too.
pub(crate) fn shared(out_dir: &Path, triple: Option<&Path>) -> PathBuf {
    let is_tagged = |p: &&Path| p.join("CACHEDIR.TAG").is_file();
    let is_triple = |p: &Path| triple.is_some() && p.file_name() == triple.map(Path::as_os_str);
    let root = match out_dir.ancestors().find(is_tagged) {
        Some(near) if is_triple(near) => near.parent().filter(is_tagged).or(Some(near)),
        Some(near) => Some(near),
        // Cargo doesn't tag a folder that was there before it: count up from `<profile>/build`.
        None => out_dir
            .ancestors()
            .find(|p| p.file_name().is_some_and(|n| n == "build"))
            .and_then(|build| build.parent()?.parent())
            .and_then(|root| if is_triple(root) { root.parent() } else { Some(root) }),
    };
    root.unwrap_or(out_dir).join("gridwright")
}

/// The target directory of one `core`. NVIDIA's architectures share theirs, as only the image's crate is
/// compiled for one of them; AMD's have one each. Cargo locks such a directory as a whole, so those
/// with different ones build side by side.
pub(crate) fn of_core(shared: &Path, architecture: &Architecture) -> PathBuf {
    match architecture.family() {
        Family::Nvidia => shared.join(architecture.family().triple()),
        Family::Amd => shared.join(architecture.name()),
    }
}
