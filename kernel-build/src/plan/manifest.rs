//! The generated manifest: the user's package again, with one target, the dependencies that kernels
//! use, and nothing inherited from a workspace.

use std::fmt::Write as _;
use std::path::Path;

use super::library::{self, DeviceLibrary};
use super::{Context, Roots, flags};
use crate::discover::{Candidate, Dependency, FACADE, Library, Package, Target};

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
    libraries: &[DeviceLibrary],
) -> String {
    let package = context.package;
    let mut text = String::new();
    if library.is_some() || !libraries.is_empty() || context.libraries.plain().next().is_some() {
        text.push_str("cargo-features = [\"profile-rustflags\"]\n\n");
    }
    package_table(&mut text, package, &candidate.edition);
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
        match context.libraries.of(dependency) {
            Some(library) => linked_table(&mut text, dependency, &library::folder(context, library)),
            None => dependency_table(&mut text, dependency, &features_for(context, candidate, dependency)),
        }
    }
    text.push_str("[profile.release]\nopt-level = 3\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\ndebug = false\n");
    if library.is_some() {
        // Flags after `--` reach the image's crate only; the library is the user's code as well.
        profile_table(&mut text, &package.name, &flags::device(context));
    }
    for library in libraries {
        profile_table(&mut text, &format!("{}@{}", library.name, library.version), &library.flags);
    }
    for package in context.libraries.plain() {
        profile_table(&mut text, package, &flags::plain());
    }
    text
}

/// The manifest by which cargo is asked what a build takes: all that the host has, and of the dependencies of tests what device code
/// names. `None` if device code names nothing but gridwright.
pub(super) fn asked(context: &Context<'_>, candidates: &[&Candidate], root: &Path) -> Option<String> {
    let package = context.package;
    let seen = |dependency: &Dependency| candidates.iter().any(|c| is_seen(c, dependency));
    let is_active = |d: &&Dependency| seen(d) && (!d.optional || activates(package, d));
    let active = || package.dependencies.iter().filter(is_active);
    let is_named = |d: &Dependency| d.name != FACADE && may_use(context, candidates, d);
    if !active().any(is_named) {
        return None;
    }
    let mut text = String::new();
    package_table(&mut text, package, candidates.first().map_or("2024", |candidate| &candidate.edition));
    crate_table(&mut text, "[lib]", "asked", root, "rlib");
    let mut keys: Vec<&str> = Vec::new();
    for dependency in active().filter(|d| d.kind.is_none() || d.name == FACADE || is_named(d)) {
        if !keys.contains(&dependency.key()) {
            keys.push(dependency.key());
            let target = dependency.target.as_ref();
            let table = target.map(|target| format!("target.{}.dependencies", quoted(target)));
            let table = table.as_deref().unwrap_or("dependencies");
            table_of(&mut text, table, dependency, &features(package, dependency, seen));
        }
    }
    Some(text)
}

/// The manifest of a library.
pub(super) fn of_library(context: &Context<'_>, library: &Library, root: &Path) -> String {
    let package = &library.package;
    let mut text = String::new();
    package_table(&mut text, package, &library.target.edition);
    crate_table(&mut text, "[lib]", &library.target.name.replace('-', "_"), root, "rlib");
    for (dependency, id) in &library.dependencies {
        match id.as_deref().and_then(|id| context.libraries.get(id)) {
            Some(linked) => linked_table(&mut text, dependency, &library::folder(context, linked)),
            None => {
                dependency_table(&mut text, dependency, &features(package, dependency, |d| d.kind.is_none()));
            }
        }
    }
    text
}

fn package_table(text: &mut String, package: &Package, edition: &str) {
    let _ = write!(
        text,
        "[package]\nname = {}\nversion = {}\nedition = {}\nbuild = false\nautolib = false\nautobins = false\n\
         autoexamples = false\nautotests = false\nautobenches = false\n\n[workspace]\n\n",
        quoted(&package.name),
        quoted(&package.version),
        quoted(edition),
    );
}

fn profile_table(text: &mut String, package: &str, flags: &[String]) {
    let flags: Vec<_> = flags.iter().map(|flag| quoted(flag)).collect();
    let _ =
        write!(text, "\n[profile.release.package.{}]\nrustflags = [{}]\n", quoted(package), flags.join(", "));
}

/// The package's own library, if this target's device code is to link it: the target names it, and
/// it is known to compile for the device, as it holds kernels or is listed by the user.
pub(super) fn linked_library<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Option<&'a Target> {
    let package = context.package;
    let is_listed = context.settings.device_dependencies.contains(&package.name);
    let is_wanted = candidate.names_library && (package.library_has_kernels || is_listed);
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

/// Whether device code of these targets may use a dependency: it is listed, or named.
pub(super) fn may_use(context: &Context<'_>, candidates: &[&Candidate], dependency: &Dependency) -> bool {
    let (modules, name) = (&context.settings.modules, dependency.crate_name());
    let is_named = |candidate: &&Candidate| {
        let by_library = || {
            linked_library(context, candidate).is_some() && context.package.library_names.hold(&name, modules)
        };
        is_seen(candidate, dependency) && (candidate.names.hold(&name, modules) || by_library())
    };
    let is_listed = context.settings.device_dependencies.iter().any(|d| d == dependency.key());
    is_listed || candidates.iter().any(is_named)
}

/// The libraries that a target's device code is linked with.
pub(super) fn libraries<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Vec<&'a Library> {
    let direct = dependencies(context, candidate).into_iter().filter_map(|d| context.libraries.of(d));
    context.libraries.with_linked(direct)
}

/// `gridwright`, the listed ones and the libraries that device code names, each once: a dependency may stand in several tables.
fn dependencies<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Vec<&'a Dependency> {
    let package = context.package;
    let mut chosen: Vec<&Dependency> = Vec::new();
    for dependency in &package.dependencies {
        let is_seen = is_seen(candidate, dependency);
        let is_wanted = dependency.name == FACADE
            || context.settings.device_dependencies.iter().any(|d| d == dependency.key())
            || (context.libraries.of(dependency).is_some() && may_use(context, &[candidate], dependency));
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

/// The packages among the image's dependencies that lie in folders of the user's, without libraries: their flags are in the manifest.
pub(super) fn local_packages<'a>(context: &'a Context<'_>, candidate: &Candidate) -> Vec<&'a str> {
    let is_plain = |d: &&Dependency| d.path.is_some() && context.libraries.of(d).is_none();
    let local = dependencies(context, candidate).into_iter().filter(is_plain);
    local
        .flat_map(|d| {
            if d.name == FACADE { &FACADE_PACKAGES[..] } else { &[] }.iter().copied().chain([&*d.name])
        })
        .collect()
}

/// Whether kernels allocate: then the compiler's library has to have that part too.
pub(super) fn allocates(context: &Context<'_>, candidate: &Candidate) -> bool {
    let has_alloc = |features: Vec<String>| features.iter().any(|feature| feature == ALLOC);
    let of_library = |library: &&Library| {
        let mut facade = library.dependencies.iter().filter(|(d, _)| d.name == FACADE);
        facade.any(|(d, _)| has_alloc(features(&library.package, d, |other| other.kind.is_none())))
    };
    let mut own = dependencies(context, candidate).into_iter().filter(|d| d.name == FACADE);
    own.any(|d| has_alloc(features_for(context, candidate, d)))
        || libraries(context, candidate).iter().any(of_library)
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
fn features_for(context: &Context<'_>, candidate: &Candidate, dependency: &Dependency) -> Vec<String> {
    features(context.package, dependency, |other| is_seen(candidate, other))
}

/// The features that a package asks a dependency for, in all tables that are seen.
fn features(
    package: &Package,
    dependency: &Dependency,
    is_seen: impl Fn(&Dependency) -> bool,
) -> Vec<String> {
    let same = |other: &&Dependency| other.key() == dependency.key() && is_seen(other);
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

/// A dependency on a library, whose features are among its flags.
fn linked_table(text: &mut String, dependency: &Dependency, folder: &Path) {
    let linked =
        Dependency { path: Some(folder.to_owned()), uses_default_features: true, ..dependency.clone() };
    dependency_table(text, &linked, &[]);
}

fn dependency_table(text: &mut String, dependency: &Dependency, features: &[String]) {
    table_of(text, "dependencies", dependency, features);
}

fn table_of(text: &mut String, table: &str, dependency: &Dependency, features: &[String]) {
    let features: Vec<_> = features.iter().map(|f| quoted(f)).collect();
    let _ = write!(
        text,
        "[{table}.{}]\npackage = {}\nversion = {}\ndefault-features = {}\nfeatures = [{}]\n",
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
