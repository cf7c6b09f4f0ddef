//! `cargo xtask lines`: how many lines of code the ports have, beside the CUDA samples that they are ports of, as a page of
//! the book. The originals aren't here: what was counted of them is kept in `originals.json`.

mod code;
mod originals;
mod page;
mod ports;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use fs_err as fs;

use crate::workspace::Workspace;
use originals::Originals;

const PAGE: &str = "book/src/lines.md";

#[derive(Args)]
pub(crate) struct Options {
    /// Counts the originals again: the folder of a checkout of NVIDIA/cuda-samples.
    #[arg(long, value_name = "PATH_TO_CUDA_SAMPLES")]
    count: Option<PathBuf>,
    /// The release of that checkout, if it isn't the one of the kept counts.
    #[arg(long, requires = "count")]
    release: Option<String>,
    /// Writes nothing, and fails where the page isn't what it should be.
    #[arg(long, conflicts_with = "count")]
    check: bool,
}

pub(crate) fn run(workspace: &Workspace, options: Options) -> anyhow::Result<()> {
    if options.check {
        let findings = check(&workspace.root)?;
        ensure!(findings.is_empty(), "{}", findings.join("\n"));
        return Ok(());
    }
    if let Some(samples) = options.count {
        let mut originals = Originals::read(&workspace.root)?;
        originals.count(&samples)?;
        if let Some(release) = options.release {
            originals.release = release;
        }
        originals.write(&workspace.root)?;
        println!("counted {} samples of {}", originals.samples.len(), originals.release);
    }
    fs::write(workspace.root.join(PAGE), page(&workspace.root)?)?;
    println!("wrote {PAGE}");
    Ok(())
}

/// What the page should be.
fn page(root: &Path) -> anyhow::Result<String> {
    page::of(&Originals::read(root)?, &ports::read(root)?)
}

/// What is wrong with the page.
///
/// # Errors
/// Where files can't be read, or an example isn't in the table.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let is = fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    let is_right = is == page(root)?;
    Ok(if is_right { Vec::new() } else { vec![format!("{PAGE} is out of date: run `cargo xtask lines`")] })
}
