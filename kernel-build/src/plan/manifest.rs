//! The generated manifest: the user's package again, with one target, the dependencies that kernels
//! use, and nothing inherited from a workspace.

use std::fmt::Write as _;
use std::path::Path;

use super::{Context, Roots, flags};
use crate::discover::{Candidate, Dependency, Package, Target, TargetKind};

/// The package that every kernel uses.
const FACADE: &str = "gridwright";

/// Its feature by which kernels allocate.
const ALLOC: &str = "alloc";

/// What is part of it on a device, beside itself.
const FACADE_PACKAGES: [&str; 3] = ["gridwright-core", "gridwright-device", "gridwright-math"];

/// The text of the manifest. With a `library` the image's crate is an example that links it.
///
/// It has one crate type only: with an `rlib` beside the `cdylib` the compiler skips link-time
/// optimisation.
pub(super) fn text(
    context: &Context<'_>,
    candidate: &Candidate,
    library: Option<&Target>,
    roots: &Roots,
) -> String {
    let package = context.package;
    let mut text = String::new();
    if library.is_some() {
        text.push_str("cargo-features = [\"profile-rustflags\"]\n\n");
    }
    let _ = write!(
        text,
        "[package]\nname = {}\nversion = {}\nedition = {}\nbuild = false\nautolib = false\nautobins = false\n\
         autoexamples = false\nautotests = false\nautobenches = false\n\n[workspace]\n\n",
        quoted(&package.name),
        quoted(&package.version),
        quoted(&candidate.edition),
    );
    let (image, root) = (&candidate.crate_name, &roots.image.path);
    match library.zip(roots.library.as_ref()) {
        None => crate_table(&mut text, "[lib]", image, root, "cdylib"),
        Some((library, of_library)) => {
            let name = library.name.replace('-', "_");
            crate_table(&mut text, "[lib]", &name, &of_library.path, "rlib");
            crate_table(&mut text, "[[example]]", image, root, "cdylib");
        }
    }
    for dependency in dependencies(context, candidate) {
        dependency_table(&mut text, dependency, &features(context, candidate, dependency));
    }
    text.push_str("[profile.release]\nopt-level = 3\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\ndebug = false\n");
    if library.is_some() {
        // Flags after `--` reach the image's crate only; the library is the user's code as well.
        let flags: Vec<_> = flags::device(context).iter().map(|f| quoted(f)).collect();
        let _ = write!(
            text,
            "\n[profile.release.package.{}]\nrustflags = [{}]\n",
            quoted(&package.name),
            flags.join(", ")
        );
    }
    text
}

/// The package's own library, if this target's device code is to link it: the target names it, and
/// it is known to compile for the device, as it holds kernels or is listed by the user.
pub(super) fn linked_library<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Option<&'a Target> {
    let package = context.package;
    let is_listed = context.settings.device_dependencies.contains(&package.name);
    let is_wanted = candidate.kind != TargetKind::Lib
        && candidate.names_library
        && (package.library_has_kernels || is_listed);
    package.library().filter(|_| is_wanted)
}

fn crate_table(text: &mut String, table: &str, name: &str, root: &Path, crate_type: &str) {
    let _ = write!(
        text,
        "{table}\nname = {}\npath = {}\ncrate-type = [{}]\n\n",
        quoted(name),
        quoted(&root.to_string_lossy()),
        quoted(crate_type)
    );
}

/// `gridwright` and the listed ones, each once: a dependency may stand in several tables.
fn dependencies<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Vec<&'a Dependency> {
    let package = context.package;
    let mut chosen: Vec<&Dependency> = Vec::new();
    for dependency in &package.dependencies {
        let is_seen = is_seen(candidate, dependency);
        let is_wanted = dependency.name == FACADE
            || context.settings.device_dependencies.iter().any(|d| d == dependency.key());
        let is_active = !dependency.optional || activates(package, dependency);
        let is_new = !chosen.iter().any(|d| d.key() == dependency.key());
        if is_seen && is_wanted && is_active && is_new {
            chosen.push(dependency);
        }
    }
    chosen
}

/// Whether the target may use a dependency of its package.
fn is_seen(candidate: &Candidate, dependency: &Dependency) -> bool {
    match dependency.kind.as_deref() {
        None => true,
        Some("dev") => candidate.sees_dev_dependencies(),
        _ => false,
    }
}

/// The packages among the image's dependencies that lie in folders of the user's.
pub(super) fn local_packages<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Vec<&'a str> {
    let local = dependencies(context, candidate).into_iter().filter(|d| d.path.is_some());
    local
        .flat_map(|d| {
            if d.name == FACADE { &FACADE_PACKAGES[..] } else { &[] }.iter().copied().chain([&*d.name])
        })
        .collect()
}

/// Whether kernels allocate: then the compiler's library has to have that part too.
pub(super) fn allocates(context: &Context<'_>, candidate: &Candidate) -> bool {
    dependencies(context, candidate)
        .into_iter()
        .any(|d| d.name == FACADE && features(context, candidate, d).iter().any(|f| f == ALLOC))
}

/// Whether an active feature switches an optional dependency on.
fn activates(package: &Package, dependency: &Dependency) -> bool {
    let key = dependency.key();
    active_values(package).any(|value| {
        value.strip_prefix("dep:") == Some(key) || value.split_once('/').is_some_and(|(name, _)| name == key)
    })
}

/// What the active features say, such as `dep:glam` or `glam?/libm`.
fn active_values(package: &Package) -> impl Iterator<Item = &str> {
    flags::active_features(package)
        .filter_map(|name| package.features.get(name))
        .flatten()
        .map(String::as_str)
}

/// The features that the package asks a dependency for, in all tables that the target sees.
fn features(context: &Context<'_>, candidate: &Candidate, dependency: &Dependency) -> Vec<String> {
    let package = context.package;
    let same = |other: &&Dependency| other.key() == dependency.key() && is_seen(candidate, other);
    let mut features: Vec<String> = Vec::new();
    for feature in package.dependencies.iter().filter(same).flat_map(|other| &other.features) {
        if !features.contains(feature) {
            features.push(feature.clone());
        }
    }
    for value in active_values(package) {
        if let Some((name, feature)) = value.split_once('/')
            && name.trim_end_matches('?') == dependency.key()
            && !features.iter().any(|f| f == feature)
        {
            features.push(feature.to_owned());
        }
    }
    features
}

fn dependency_table(text: &mut String, dependency: &Dependency, features: &[String]) {
    let features: Vec<_> = features.iter().map(|f| quoted(f)).collect();
    let _ = write!(
        text,
        "[dependencies.{}]\npackage = {}\nversion = {}\ndefault-features = {}\nfeatures = [{}]\n",
        quoted(dependency.key()),
        quoted(&dependency.name),
        quoted(&dependency.req),
        dependency.uses_default_features,
        features.join(", ")
    );
    for (key, value) in source(dependency) {
        let _ = writeln!(text, "{key} = {}", quoted(&value));
    }
    text.push('\n');
}

/// Where a dependency comes from, as keys of its table.
fn source(dependency: &Dependency) -> Vec<(&'static str, String)> {
    if let Some(path) = &dependency.path {
        return vec![("path", path.to_string_lossy().into_owned())];
    }
    if let Some(git) = dependency.source.as_deref().and_then(|s| s.strip_prefix("git+")) {
        let (url, query) = git.split_once('?').unwrap_or((git, ""));
        let mut keys = vec![("git", url.to_owned())];
        for (key, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            if let Some(key) = ["branch", "tag", "rev"].into_iter().find(|k| *k == key) {
                keys.push((key, percent_decoded(value)));
            }
        }
        return keys;
    }
    dependency.registry.iter().map(|index| ("registry-index", index.clone())).collect()
}

/// Cargo writes a branch `feature/x` as `feature%2Fx`.
fn percent_decoded(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex =
            bytes.get(at + 1..at + 3).and_then(|h| u8::from_str_radix(std::str::from_utf8(h).ok()?, 16).ok());
        match (byte, hex) {
            (b'%', Some(value)) => {
                decoded.push(value);
                at += 2;
            }
            (b'+', _) => decoded.push(b' '),
            _ => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// A TOML string.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
