//! Where the device builds of a workspace meet, so that `core` and each image are built once.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::{Context, flags};
use crate::architecture::Architecture;

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

/// The target directory of one `core`, which architectures share for which it is compiled alike. Cargo locks such a directory as a whole, so those
/// with different ones build side by side.
pub(crate) fn of_core(shared: &Path, architecture: &Architecture) -> PathBuf {
    shared.join(architecture.of_all_crates().unwrap_or(architecture.family().triple()))
}

/// The folder of a package's device packages. Host builds of several profiles, whose `OUT_DIR`s differ, find their images there if
/// they want the same; what else decides what comes out is in the stamps.
pub(crate) fn packages(context: &Context<'_>) -> PathBuf {
    let package = context.package;
    let mut hasher = DefaultHasher::new();
    package.manifest_path.hash(&mut hasher);
    flags::active_features(package).for_each(|feature| feature.hash(&mut hasher));
    flags::is_incremental(context.environment).hash(&mut hasher);
    context.settings.debug_checks.hash(&mut hasher);
    context.shared.join("packages").join(format!("{}-{:016x}", package.name, hasher.finish()))
}
