//! Programs that may be installed, and what becomes of running them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt};

/// Why a tool gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolError {
    /// The tool isn't installed.
    Missing {
        /// The tool's name, or the names of those of which one would do.
        tool: &'static str,
        /// What to do to get the tool.
        remedy: &'static str,
    },
    /// The tool ran, and failed or said nothing that can be used.
    Failed {
        /// The program.
        tool: String,
        /// The program's words.
        message: String,
    },
}

impl ToolError {
    pub(super) fn failed(tool: &Path, message: impl Into<String>) -> Self {
        Self::Failed { tool: tool.display().to_string(), message: message.into() }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { tool, remedy } => write!(f, "there is no {tool}: {remedy}"),
            Self::Failed { tool, message } => write!(f, "{tool}: {message}"),
        }
    }
}

impl std::error::Error for ToolError {}

/// The first file of a name among folders: those on `PATH`, and then others.
pub(super) fn find(name: &str, others: &[PathBuf]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(others.iter().cloned());
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// A folder that a variable names, if it is set.
pub(super) fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// What a program wrote to each of its streams.
pub(super) struct Said {
    pub(super) output: String,
    pub(super) errors: String,
}

/// Runs a program to its end.
pub(super) fn run(program: &Path, arguments: &[&OsStr]) -> Result<Said, ToolError> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| ToolError::failed(program, format!("it could not be run: {error}")))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = Said { output: text(&output.stdout), errors: text(&output.stderr) };
    if output.status.success() {
        return Ok(said);
    }
    let words = if said.errors.trim().is_empty() { said.output } else { said.errors };
    Err(ToolError::failed(program, format!("{}: {}", output.status, words.trim())))
}
