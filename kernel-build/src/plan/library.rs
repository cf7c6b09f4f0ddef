//! The device package of a library: a dependency that uses gridwright itself. Its manifest lies in the shared folder, so that the packages
//! of a workspace compile it once.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::{Context, Root, flags, manifest, root};
use crate::discover::Library;

/// A library's device package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeviceLibrary {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The manifest that its author wrote.
    pub(crate) written: PathBuf,
    /// The packages without device code that it is linked with.
    pub(crate) plain: Vec<String>,
    /// The folder of the manifest.
    pub(crate) folder: PathBuf,
    pub(crate) manifest: String,
    pub(crate) root: Root,
    /// What the compiler is told about it.
    pub(crate) flags: Vec<String>,
}

/// The device package of a library.
pub(super) fn package(context: &Context<'_>, library: &Library) -> DeviceLibrary {
    let folder = folder(context, library);
    let root = root_of(library, &folder);
    let package = &library.package;
    let plain = library.dependencies.iter().filter(|(_, id)| id.is_none());
    DeviceLibrary {
        name: package.name.clone(),
        version: package.version.clone(),
        written: package.manifest_path.clone(),
        plain: plain.map(|(dependency, _)| dependency.name.clone()).collect(),
        manifest: manifest::of_library(context, library, &root.path),
        root,
        flags: flags::library(context, library),
        folder,
    }
}

/// The folder of a library's device package: another one for another manifest.
pub(super) fn folder(context: &Context<'_>, library: &Library) -> PathBuf {
    let root = root_of(library, Path::new(""));
    let mut hasher = DefaultHasher::new();
    manifest::of_library(context, library, &root.path).hash(&mut hasher);
    (&library.package.manifest_path, &root.text).hash(&mut hasher);
    let name = format!("{}-{}-{:016x}", library.package.name, library.package.version, hasher.finish());
    context.shared.join("libraries").join(name)
}

fn root_of(library: &Library, folder: &Path) -> Root {
    root::root(&library.target.src_path, &library.modules, &library.named_modules, folder.join("root.rs"))
}
