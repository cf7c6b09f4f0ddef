//! Cargo, run with a word about how far it is.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use cargo_metadata::{Message, MetadataCommand, Package};
use indicatif::{ProgressBar, ProgressStyle};

/// The cargo that called this program, else the one on `PATH`.
pub(crate) fn program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Builds something by cargo, and gives the messages that came of it. Compilers' diagnostics go to standard error, with a
/// spinner below them where that is a terminal.
///
/// # Errors
/// Where cargo can't be started, or the build fails.
pub(crate) fn build(words: &[&OsStr], trailing: &[&OsStr], what: &str) -> anyhow::Result<Vec<Message>> {
    let mut command = Command::new(program());
    // What cargo does at the moment the spinner says.
    command.args(words).args(["--quiet", "--message-format", "json-render-diagnostics"]);
    // Cargo writes to a pipe, and would take that for a reason to leave colours out.
    if std::io::stderr().is_terminal() {
        command.args(["--color", "always"]);
    }
    if !trailing.is_empty() {
        command.arg("--").args(trailing);
    }
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("can't start cargo")?;
    let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else {
        bail!("cargo has no output");
    };
    let bar = spinner(what);
    let relayed = bar.clone();
    let relay = thread::spawn(move || relay(errors, &relayed));
    let mut messages = Vec::new();
    let mut compiled = 0_u32;
    for message in Message::parse_stream(BufReader::new(output)) {
        let message = message.context("can't read cargo's messages")?;
        if let Message::CompilerArtifact(artifact) = &message {
            compiled += 1;
            bar.set_message(format!("{what}: {compiled} crates, {}", artifact.target.name));
        }
        messages.push(message);
    }
    let status = child.wait().context("cargo was lost")?;
    // It ends with the pipe; what it could not print nobody misses.
    let _ = relay.join();
    bar.finish_and_clear();
    if !status.success() {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        bail!("{status}: cargo {}", words.join(" "));
    }
    Ok(messages)
}

fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what.to_owned());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Shows what a compiler says, above the spinner.
fn relay(errors: impl Read, bar: &ProgressBar) {
    for line in BufReader::new(errors).lines().map_while(Result::ok) {
        bar.suspend(|| anstream::eprintln!("{line}"));
    }
}

/// A package of the current workspace.
pub(crate) struct Found {
    pub(crate) package: Package,
    /// The workspace's target folder.
    pub(crate) target_folder: PathBuf,
}

/// The package of a name, or that of the current folder.
///
/// # Errors
/// Where there is no such package, or several could be meant.
pub(crate) fn package(name: Option<&str>) -> anyhow::Result<Found> {
    let metadata = MetadataCommand::new().cargo_path(program()).no_deps().exec();
    let metadata = metadata.map_err(|error| match error {
        // Its own words, which say where it looked.
        cargo_metadata::Error::CargoMetadata { stderr } => {
            anyhow::anyhow!("{}", stderr.trim().trim_start_matches("error: "))
        }
        error => error.into(),
    })?;
    let packages = &metadata.packages;
    let here = std::env::current_dir().context("there is no current folder")?;
    let contains_here = |package: &&Package| {
        let folder = package.manifest_path.parent().map(|folder| folder.as_std_path());
        folder.is_some_and(|folder| real(&here).starts_with(real(folder)))
    };
    let found = match name {
        Some(name) => packages.iter().find(|package| package.name == name),
        None if packages.len() == 1 => packages.first(),
        // A package may lie within another one.
        None => {
            packages.iter().filter(contains_here).max_by_key(|package| package.manifest_path.as_str().len())
        }
    };
    let names: Vec<_> = packages.iter().map(|package| package.name.as_str()).collect();
    let package = found.with_context(|| match name {
        Some(name) => format!("the workspace has no package `{name}`; it has {}", names.join(", ")),
        None => format!("which package? Say --package and one of {}", names.join(", ")),
    })?;
    Ok(Found { package: package.clone(), target_folder: metadata.target_directory.clone().into() })
}

/// The target folder of the package in the current folder, if there is one.
pub(crate) fn target_folder() -> Option<PathBuf> {
    let metadata = MetadataCommand::new().cargo_path(program()).no_deps().exec().ok()?;
    Some(metadata.target_directory.into_std_path_buf())
}

/// The path without links.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
