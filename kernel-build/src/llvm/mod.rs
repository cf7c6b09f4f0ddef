//! The device toolchain's own LLVM, by its C functions. rustc takes no IR; its LLVM is a library of its own on Linux and macOS, which
//! does.

mod functions;
mod worker;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::architecture::Family;
use worker::Work;

/// What code is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) family: Family,
    /// Such as `sm_80`.
    pub(crate) processor: String,
    /// Such as `+ptx80`; most often empty.
    pub(crate) features: String,
    /// The arguments of `-Cllvm-args`.
    pub(crate) arguments: Vec<&'static str>,
}

/// As it stands in the first line of files that are made.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.processor, self.features, self.arguments.join(" "))
    }
}

/// Passes that run over functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passes {
    /// As LLVM's `opt -passes` takes it, of passes over a function.
    pub(crate) pipeline: &'static str,
    /// Whether the passes ask the target what its instructions cost.
    pub(crate) knows_target: bool,
    /// The names of the functions; `None` for all.
    pub(crate) functions: Option<Vec<String>>,
}

/// LLVM's library in a toolchain: the largest, as beside it lies a file of a line that names it.
pub(crate) fn library(sysroot: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(sysroot.join("lib")).ok()?.filter_map(Result::ok);
    let libraries = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("libLLVM"));
    let sized = libraries.filter_map(|entry| Some((fs::metadata(entry.path()).ok()?.len(), entry.path())));
    sized.max().map(|(_, path)| path)
}

/// PTX, or the bytes of an object file.
///
/// # Errors
/// What LLVM says of the IR.
pub(crate) fn emit(library: &Path, target: &Target, ir: &str) -> Result<Vec<u8>, String> {
    worker::ask(library, target, Work::Image, ir)
}

/// The IR behind some passes.
///
/// # Errors
/// What LLVM says of the IR or the passes.
pub(crate) fn run(library: &Path, target: &Target, passes: Vec<Passes>, ir: &str) -> Result<String, String> {
    let text = worker::ask(library, target, Work::Passes(passes), ir)?;
    String::from_utf8(text).map_err(|e| e.to_string())
}
