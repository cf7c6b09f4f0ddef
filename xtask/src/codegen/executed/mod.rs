//! What our kernels and nvcc's execute: machine code of both, run by the executor beside this folder, and the limits of ours.

mod limits;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;

use anyhow::Context;
use comfy_table::Table;
use serde::Deserialize;

use super::toolkit::Toolkit;
use crate::call::Call;
use crate::python::Python;
use crate::table::{self, row};
use crate::workspace::Workspace;

pub(super) use limits::{findings, notes};

/// The executor, from the workspace's root.
const EXECUTOR: &str = "xtask/src/codegen/executor";

/// The kernels in CUDA C: the names of their files of PTX, and the sources, from the workspace's root.
const SOURCES: &[(&str, &str)] = &[
    ("kernels", super::nvidia::SOURCE),
    ("twins", super::nvidia::TWINS_SOURCE),
    ("matrix_kernels", super::nvidia::MATRIX_SOURCE),
];

/// The architecture whose machine code the executor knows, which nvcc makes PTX for.
const ARCHITECTURE: u32 = 86;

const COMPILER: &str = "g++";

/// A kernel of ours, and nvcc's of the same algorithm.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    case: String,
    ours: Run,
    theirs: Run,
}

/// What a run of a kernel came to.
#[derive(Debug, Deserialize)]
struct Run {
    /// What went wrong: an access out of bounds, or a wrong result.
    fault: Option<String>,
    /// Missing where the run didn't end.
    counts: Option<Counts>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Counts {
    /// Warp instructions.
    instructions: u64,
    /// Sectors of 32 bytes of global memory.
    sectors: u64,
    /// Passes over the banks of shared memory.
    passes: u64,
    /// Instructions that access local memory.
    local: u64,
    registers: u32,
    /// Bytes of a group's shared memory.
    shared: u32,
    /// Threads of a group.
    threads: u32,
}

/// Runs these cases, or all, with our images of a folder.
///
/// # Errors
/// Where a tool is missing or fails. What is wrong with a kernel is in its case.
pub(super) fn measure(
    workspace: &Workspace,
    toolkit: &Toolkit,
    images: &Path,
    cases: &[String],
) -> anyhow::Result<Vec<Case>> {
    let answer = run(workspace, toolkit, images, cases.iter().map(OsString::from))?;
    serde_json::from_slice(&answer).context("the executor's answer isn't what it should be")
}

/// Prints what each instruction of a case counted, ours and nvcc's.
pub(super) fn print_hot(
    workspace: &Workspace,
    toolkit: &Toolkit,
    images: &Path,
    case: &str,
) -> anyhow::Result<()> {
    let listing = run(workspace, toolkit, images, ["--hot".into(), case.into()])?;
    print!("{}", String::from_utf8_lossy(&listing));
    Ok(())
}

/// Has the executor find the faults of its tests.
pub(super) fn test_executor(workspace: &Workspace) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir()?;
    let tests = workspace.root.join(EXECUTOR).join("tests.py");
    Call::new(workspace, python(workspace)?.interpreter())
        .arguments([tests.as_path(), scratch.path()])
        .variable("PYTHONDONTWRITEBYTECODE", "1")
        .run_quietly()
}

/// The Python of the executor, if there is a compiler too.
pub(super) fn python(workspace: &Workspace) -> anyhow::Result<Python> {
    let compiler = Call::new(workspace, COMPILER).arguments(["--version"]);
    compiler.output().context("machine code is executed as C++")?;
    Python::with(workspace, "executor", &["numpy==2.4.6"])
}

/// What the executor prints.
fn run(
    workspace: &Workspace,
    toolkit: &Toolkit,
    images: &Path,
    options: impl IntoIterator<Item = OsString>,
) -> anyhow::Result<Vec<u8>> {
    let python = python(workspace)?;
    let scratch = tempfile::tempdir()?;
    for (name, source) in SOURCES {
        let ptx = scratch.path().join(name).with_extension("ptx");
        toolkit.compile_to_ptx(&workspace.root.join(source), ARCHITECTURE, &ptx)?;
    }
    let program = workspace.root.join(EXECUTOR).join("run.py");
    let call = Call::new(workspace, python.interpreter()).variable("PYTHONDONTWRITEBYTECODE", "1");
    let scratch = scratch.path();
    call.arguments([&*program, toolkit.bin(), images, scratch, scratch]).arguments(options).printed()
}

const HEADER: &str = "kernel | warp instructions: | nvcc's: | ratio: | sectors: | passes over banks: | local accesses: | registers:";

/// A row for each case whose runs ended: of sectors and what follows, ours and nvcc's.
pub(super) fn rows(cases: &[Case], table: table::New) -> Table {
    let mut table = table(HEADER);
    for Case { case, ours, theirs } in cases {
        let (Some(ours), Some(theirs)) = (ours.counts, theirs.counts) else { continue };
        let both = |of: fn(Counts) -> u64| match (of(ours), of(theirs)) {
            (0, 0) => String::new(),
            (ours, theirs) => format!("{ours} / {theirs}"),
        };
        let ratio = format!("{:.3}", limits::ratio(ours.instructions, theirs.instructions));
        let of_both = [
            both(|counts| counts.sectors),
            both(|counts| counts.passes),
            both(|counts| counts.local),
            both(|counts| counts.registers.into()),
        ];
        let instructions = row![format!("`{case}`"), ours.instructions, theirs.instructions, ratio];
        table.add_row(instructions.into_iter().chain(of_both));
    }
    table
}
