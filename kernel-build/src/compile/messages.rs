//! Cargo's JSON messages: the compiler's errors as it would show them, and what was built.

use std::path::PathBuf;

use serde::Deserialize;

use super::remedies;
use crate::plan::DeviceLibrary;

/// What is kept of a run.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// What was built, or found built.
    pub(super) artifacts: Vec<Artifact>,
    errors: Vec<Error>,
}

/// A crate that is there.
#[derive(Debug)]
pub(super) struct Artifact {
    pub(super) package: Origin,
    pub(super) files: Vec<PathBuf>,
}

/// Which package a message is about.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) id: String,
    /// The crate's root source file.
    pub(super) root: PathBuf,
    /// The crate's name.
    pub(super) name: String,
}

#[derive(Debug)]
struct Error {
    package: Origin,
    code: Option<String>,
    rendered: String,
}

#[derive(Deserialize)]
struct Line {
    reason: String,
    package_id: Option<String>,
    target: Option<LineTarget>,
    message: Option<LineMessage>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct LineTarget {
    name: String,
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct LineMessage {
    level: String,
    rendered: Option<String>,
    code: Option<LineCode>,
}

#[derive(Deserialize)]
struct LineCode {
    code: String,
}

impl Messages {
    /// Reads what cargo wrote; lines that are no message are skipped, as build scripts may print.
    pub(super) fn read(output: &[u8]) -> Self {
        let mut messages = Self::default();
        for line in output.split(|b| *b == b'\n') {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
            let (Some(id), Some(target)) = (line.package_id, line.target) else { continue };
            let package = Origin { id, root: target.src_path, name: target.name };
            match (line.reason.as_str(), line.message) {
                ("compiler-artifact", _) => {
                    messages.artifacts.push(Artifact { package, files: line.filenames });
                }
                ("compiler-message", Some(m)) if m.level.starts_with("error") => {
                    messages.errors.push(Error {
                        package,
                        code: m.code.map(|c| c.code),
                        rendered: m.rendered.unwrap_or_default(),
                    });
                }
                _ => {}
            }
        }
        messages
    }

    /// Whether anything was compiled, so that the dependencies must have been resolved.
    pub(super) fn reached_compiler(&self) -> bool {
        !self.artifacts.is_empty() || !self.errors.is_empty()
    }

    /// The crates with errors.
    pub(super) fn failed(&self) -> impl Iterator<Item = &Origin> {
        self.errors.iter().map(|e| &e.package)
    }

    /// The compiler's errors, one after another; `None` if there are none. Those of a library name it.
    pub(super) fn errors(&self, libraries: &[DeviceLibrary]) -> Option<String> {
        let first = self.errors.first()?;
        let library = |error: &Error| libraries.iter().find(|l| l.root.path == error.package.root);
        // A dependency that needs std has hundreds of errors; the first one says it all.
        let lacks = |e: &Error, name: &str| e.code.as_deref() == Some("E0463") && e.rendered.contains(name);
        let needs_std = |e: &&Error| lacks(e, "`std`") && library(e).is_none();
        if let Some(error) = self.errors.iter().find(needs_std) {
            let is_linked = |l: &&DeviceLibrary| l.plain.iter().any(|name| error.package.is_of(name));
            return Some(needs_std_text(error, libraries.iter().find(is_linked)));
        }
        if let Some(error) = self.errors.iter().find(|error| lacks(error, "`alloc`")) {
            return Some(needs_alloc_text(error));
        }
        // What comes after the first failed crate follows from it, or would be shown next.
        let same = self.errors.iter().filter(|e| e.package.id == first.package.id);
        Some(text(&same.map(|e| e.rendered.trim_end()).collect::<Vec<_>>(), library(first)))
    }
}

impl Origin {
    /// Whether the crate is of the package of this name, by cargo's name for it: `…#name@version`, or `…/name#version`.
    fn is_of(&self, name: &str) -> bool {
        let (source, package) = self.id.rsplit_once('#').unwrap_or((&self.id, ""));
        match package.split_once('@') {
            Some((package, _)) => package == name,
            None => source.rsplit('/').next() == Some(name),
        }
    }
}

/// Errors one after another. Where some are of what GPUs lack, those alone, each once: the others mostly follow from them.
fn text(errors: &[&str], library: Option<&DeviceLibrary>) -> String {
    let whose = library.map(|library| {
        let (name, version) = (&library.name, &library.version);
        format!(
            "`{name}` {version} is linked with these kernels, and its own code does not compile for GPUs\n\n"
        )
    });
    let whose = whose.unwrap_or_default();
    let mut told: Vec<String> = Vec::new();
    for text in errors.iter().filter_map(|error| remedies::told(error, library)) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    if told.is_empty() {
        return format!("{whose}{}", errors.join("\n\n"));
    }
    let left = errors.len() - told.len();
    let more = match left {
        0 => String::new(),
        1 => " One more error, which may follow from these, is left out.".to_owned(),
        left => format!(" {left} more errors, which may follow from these, are left out."),
    };
    format!("{whose}{}\n\n{}.{more}", told.join("\n\n"), remedies::in_common(library))
}

fn needs_alloc_text(error: &Error) -> String {
    format!(
        "the device dependency `{}` allocates: switch allocation in kernels on, in the Cargo.toml of the package that is \
         compiled for GPUs, by\n\n    gridwright = {{ version = \"…\", features = [\"alloc\"] }}\n\n{}",
        error.package.name,
        error.rendered.trim_end()
    )
}

fn needs_std_text(error: &Error, library: Option<&DeviceLibrary>) -> String {
    let name = &error.package.name;
    let (whose, manifest) = match library {
        Some(library) => {
            (format!(" of `{}` {}", library.name, library.version), library.written.display().to_string())
        }
        None => (String::new(), "Cargo.toml".to_owned()),
    };
    format!(
        "the device dependency `{name}`{whose} needs the standard library, which GPUs don't have: choose its `no_std` features \
         in {manifest}, such as\n\n    {name} = {{ version = \"…\", default-features = false, features = [\"libm\"] }}\n\n\
         or take it off `device-dependencies` in [package.metadata.gridwright], and use it in #[host_only] items only.\n\n{}",
        error.rendered.trim_end()
    )
}
