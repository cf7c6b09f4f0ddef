//! `cargo metadata`, as far as this crate needs it. It resolves what workspaces hand down.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::environment::Environment;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
    /// None if cargo was asked for the packages of the workspace alone.
    resolve: Option<Resolve>,
}

/// Which packages a build takes.
#[derive(Deserialize)]
pub(super) struct Resolve {
    pub(super) nodes: Vec<Node>,
    pub(super) root: Option<String>,
}

/// A package of a build.
#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) deps: Vec<Edge>,
    pub(super) features: BTreeSet<String>,
}

/// A dependency as it was resolved.
#[derive(Deserialize)]
pub(super) struct Edge {
    /// The name that the code has for the crate.
    pub(super) name: String,
    pub(super) pkg: String,
    pub(super) dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
pub(super) struct EdgeKind {
    pub(super) kind: Option<String>,
}

/// One package of the workspace, or of what it depends on.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Package {
    #[serde(default)]
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) targets: Vec<Target>,
    pub(crate) dependencies: Vec<Dependency>,
    #[serde(default)]
    pub(crate) features: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(crate) metadata: serde_json::Value,
    /// The folder of the workspace; this and what follows is filled in after cargo's answer.
    #[serde(skip)]
    pub(crate) workspace_root: PathBuf,
    /// The features that this build has switched on.
    #[serde(skip)]
    pub(crate) active_features: BTreeSet<String>,
    /// Whether kernels were found in the library, so that it is known to compile for the device.
    #[serde(skip)]
    pub(crate) library_has_kernels: bool,
    /// Whether some of them may want an image in which products and sums stay apart.
    #[serde(skip)]
    pub(crate) library_says_contraction: bool,
    /// The files of the library's modules, by their paths in the crate.
    #[serde(skip)]
    pub(crate) library_modules: BTreeMap<String, PathBuf>,
    /// The crates of dependencies that the library's device code names.
    #[serde(skip)]
    pub(crate) library_names: super::Names,
    /// The variables of cargo's that sources of its targets name.
    #[serde(skip)]
    pub(crate) named_variables: BTreeSet<String>,
}

impl Package {
    /// The folder of its manifest.
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// Its library, if it has one that other targets can link.
    pub(crate) fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|t| t.kind.iter().any(|k| k == "lib" || k == "rlib"))
    }
}

/// A library, binary, example, test, bench or build script.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: PathBuf,
    pub(crate) edition: String,
    /// Cargo builds the target only if these are on.
    #[serde(default, rename = "required-features")]
    pub(crate) required_features: Vec<String>,
}

/// A dependency as the manifest asks for it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) source: Option<String>,
    pub(crate) req: String,
    pub(crate) kind: Option<String>,
    pub(crate) rename: Option<String>,
    pub(crate) optional: bool,
    pub(crate) uses_default_features: bool,
    pub(crate) features: Vec<String>,
    pub(crate) registry: Option<String>,
    pub(crate) path: Option<PathBuf>,
    /// The platforms that it is for, if not all.
    #[serde(default)]
    pub(crate) target: Option<String>,
}

impl Dependency {
    /// The name by which the manifest and the code know it.
    pub(crate) fn key(&self) -> &str {
        self.rename.as_deref().unwrap_or(&self.name)
    }

    /// The name that code has for it, if the package doesn't give its library another.
    pub(crate) fn crate_name(&self) -> String {
        self.key().replace('-', "_")
    }
}

/// Asks the cargo that runs this build script about the package.
pub(crate) fn load(environment: &Environment) -> Result<Package, Diagnostic> {
    let folder = environment.path("CARGO_MANIFEST_DIR").ok_or_else(|| {
        Diagnostic::error("CARGO_MANIFEST_DIR is not set: compile_kernels() works in a build script only")
    })?;
    let cargo = environment.path("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = folder.join("Cargo.toml");
    let output = Command::new(&cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(&manifest)
        .output()
        .map_err(|e| Diagnostic::error(format!("`{}` could not be run: {e}", cargo.display())))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(Diagnostic::error(format!(
            "`cargo metadata` failed for {}: {}",
            manifest.display(),
            text.trim()
        )));
    }
    let mut package = package(&output.stdout, &manifest)?;
    package.active_features = active_features(&package, environment);
    Ok(package)
}

/// Cargo tells a build script the features in capitals, with underscores.
pub(super) fn active_features(package: &Package, environment: &Environment) -> BTreeSet<String> {
    let variable = |name: &str| format!("CARGO_FEATURE_{}", name.to_uppercase().replace('-', "_"));
    package.features.keys().filter(|name| environment.holds(&variable(name))).cloned().collect()
}

/// The packages of a build in cargo's answer, and how they depend on each other.
pub(super) fn resolved(answer: &[u8]) -> Option<(Vec<Package>, Resolve)> {
    let metadata: Metadata = serde_json::from_slice(answer).ok()?;
    Some((metadata.packages, metadata.resolve?))
}

/// The package with this manifest in cargo's answer.
pub(super) fn package(answer: &[u8], manifest: &Path) -> Result<Package, Diagnostic> {
    let metadata: Metadata = serde_json::from_slice(answer)
        .map_err(|e| Diagnostic::error(format!("the answer of `cargo metadata` could not be read: {e}")))?;
    // Cargo resolves links in some of its paths and not in others.
    let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.to_owned());
    let wanted = real(manifest);
    let mut package = metadata
        .packages
        .into_iter()
        .find(|p| p.manifest_path == manifest || real(&p.manifest_path) == wanted)
        .ok_or_else(|| Diagnostic::error(format!("`cargo metadata` does not know {}", manifest.display())))?;
    package.workspace_root = metadata.workspace_root;
    Ok(package)
}
