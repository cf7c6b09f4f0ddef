//! What CUB's algorithms execute: compiled by nvcc, launched by CUB's own host code, and executed by the executor of machine code. The
//! primitives are held against these counts.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use comfy_table::presets::ASCII_MARKDOWN;
use serde::{Deserialize, Serialize};

use super::toolkit::{PACKAGES, Toolkit};
use super::{executed, table};
use crate::tools;
use crate::workspace::Workspace;

/// The program that compiles and counts, from the workspace's root.
const PROGRAM: &str = "xtask/src/codegen/cub/count.py";

/// Where the counts are kept, from the workspace's root, without the names' ends.
const KEPT: &str = "bench-results/cub-sm_80";

/// Elements of the arrays: few, and so many that what is done once doesn't count.
const ELEMENTS: [&str; 2] = ["65536", "1048576"];

/// Bytes of a sector.
const SECTOR: f64 = 32.0;

/// An algorithm on so many integers of 32 bits.
#[derive(Deserialize, Serialize)]
struct Case {
    algorithm: String,
    elements: u64,
    launches: Vec<Launch>,
}

/// What a kernel is, and what it did.
#[derive(Deserialize, Serialize)]
struct Launch {
    kernel: String,
    groups: u64,
    /// Threads of a group.
    threads: u32,
    registers: u32,
    /// Bytes of a group's shared memory.
    shared: u32,
    /// Warp instructions.
    instructions: u64,
    /// Sectors of 32 bytes of global memory.
    sectors: u64,
    /// Passes over the banks of shared memory.
    passes: u64,
    /// Instructions that access local memory.
    local: u64,
}

/// Counts, and keeps what was counted.
///
/// # Errors
/// Where a tool is missing, or a result is wrong.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let cases = measure(workspace, &toolkit)?;
    let kept = workspace.root.join(KEPT);
    let text = serde_json::to_string_pretty(&cases)? + "\n";
    write(&kept.with_extension("json"), &text)?;
    write(&kept.with_extension("md"), &markdown(&cases))
}

fn measure(workspace: &Workspace, toolkit: &Toolkit) -> anyhow::Result<Vec<Case>> {
    let python = executed::python(workspace)?;
    let scratch = tempfile::tempdir()?;
    let mut command = Command::new(python.interpreter());
    command.arg(workspace.root.join(PROGRAM)).arg(toolkit.bin()).arg(toolkit.thrust()?).arg(scratch.path());
    command.args(ELEMENTS).env("PYTHONDONTWRITEBYTECODE", "1").stderr(Stdio::inherit());
    let output = command.output().map_err(|error| tools::not_started(command.get_program(), None, error))?;
    ensure!(output.status.success(), "{PROGRAM}: {}", output.status);
    serde_json::from_slice(&output.stdout).context("the program's answer isn't what it should be")
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

fn markdown(cases: &[Case]) -> String {
    let release = PACKAGES.iter().find(|package| package.starts_with("nvidia-cuda-cccl"));
    format!(
        "# What CUB executes\n\n\
         Counted by `cargo xtask codegen cub`: CUB of {release}, compiled by nvcc for sm_80, on random integers of 32 bits. CUB's own host code \
         chooses and launches the kernels as on an A100. The executor of machine code runs one group after the other, so that nobody waits in \
         a look-back. All results were right. A selection keeps half, so does `unique`; histograms have 256 bins, and sorts all bits of a key. \
         Instructions are a warp's: 32 of them are one of each thread. Bytes are whole sectors of 32, for each instruction anew.\n\n\
         {}\n\n## Kernels\n\n{}\n",
        totals(cases),
        kernels(cases),
        release = release.unwrap_or(&""),
    )
}

fn totals(cases: &[Case]) -> comfy_table::Table {
    let header = [
        "algorithm",
        "elements",
        "launches",
        "instructions an element",
        "bytes an element",
        "passes an element",
    ];
    let mut table = table(ASCII_MARKDOWN, &header);
    for case in cases {
        let sum =
            |of: fn(&Launch) -> u64| case.launches.iter().map(of).sum::<u64>() as f64 / case.elements as f64;
        table.add_row([
            case.algorithm.clone(),
            case.elements.to_string(),
            case.launches.len().to_string(),
            format!("{:.4}", sum(|launch| launch.instructions)),
            format!("{:.3}", sum(|launch| launch.sectors) * SECTOR),
            format!("{:.4}", sum(|launch| launch.passes)),
        ]);
    }
    table
}

fn kernels(cases: &[Case]) -> comfy_table::Table {
    let header = [
        "kernel",
        "elements",
        "groups",
        "threads",
        "registers",
        "shared",
        "instructions",
        "sectors",
        "passes",
        "local",
    ];
    let mut table = table(ASCII_MARKDOWN, &header);
    for case in cases {
        for launch in &case.launches {
            let numbers = [
                case.elements,
                launch.groups,
                launch.threads.into(),
                launch.registers.into(),
                launch.shared.into(),
                launch.instructions,
                launch.sectors,
                launch.passes,
                launch.local,
            ];
            let name = format!("{}, {}", case.algorithm, launch.kernel);
            table.add_row(std::iter::once(name).chain(numbers.map(|number| number.to_string())));
        }
    }
    table
}
