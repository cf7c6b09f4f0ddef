//! What the primitives execute beside CUB's algorithms, which nvcc compiles and CUB's own host code launches: machine code of both, run by
//! the executor.

use std::path::{Path, PathBuf};

use anyhow::Context;
use comfy_table::Table;
use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::executed;
use super::toolkit::{PACKAGES, Toolkit};
use crate::call::Call;
use crate::images;
use crate::table::{self, row};
use crate::workspace::Workspace;

/// The program that compiles and counts, from the workspace's root.
const PROGRAM: &str = "xtask/src/codegen/cub/count.py";

/// Where the counts are kept, from the workspace's root, without the names' ends.
const KEPT: &str = "bench-results/cub-sm_80";

/// Elements of the arrays: few, and so many that what is done once doesn't count.
const ELEMENTS: [&str; 2] = ["65536", "1048576"];

/// Bytes of a sector.
const SECTOR: f64 = 32.0;

/// The package of the primitives.
const PRIMITIVES: &str = "gridwright-primitives";

/// An algorithm on so many integers of 32 bits.
#[derive(Deserialize, Serialize)]
struct Case {
    algorithm: String,
    elements: u64,
    cub: Vec<Launch>,
    ours: Vec<Launch>,
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
pub(super) fn run(workspace: &Workspace, images: Option<&Path>) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let images: PathBuf = match images {
        Some(images) => std::path::absolute(images)?,
        None => images::build_package(workspace, PRIMITIVES)?,
    };
    let cases = measure(workspace, &toolkit, &images)?;
    let kept = workspace.root.join(KEPT);
    for (end, text) in [("json", serde_json::to_string_pretty(&cases)? + "\n"), ("md", markdown(&cases))] {
        let path = kept.with_extension(end);
        fs::write(&path, text)?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

fn measure(workspace: &Workspace, toolkit: &Toolkit, images: &Path) -> anyhow::Result<Vec<Case>> {
    let python = executed::python(workspace)?;
    let scratch = tempfile::tempdir()?;
    let call = Call::new(workspace, python.interpreter()).variable("PYTHONDONTWRITEBYTECODE", "1");
    let call = call.arguments([&*workspace.root.join(PROGRAM), toolkit.bin(), images, scratch.path()]);
    let answer = call.arguments([toolkit.thrust()?]).arguments(ELEMENTS).printed()?;
    serde_json::from_slice(&answer).context("the program's answer isn't what it should be")
}

fn markdown(cases: &[Case]) -> String {
    let release = PACKAGES.iter().find(|package| package.starts_with("nvidia-cuda-cccl"));
    format!(
        "# What the primitives and CUB execute\n\n\
         Counted by `cargo xtask codegen cub`: CUB of {release}, compiled by nvcc for sm_80, and the primitives, on random integers of 32 bits. \
         CUB's own host code chooses and launches its kernels as on an A100; ours are launched with the numbers that our host code \
         computes. ptxas makes machine code of both for sm_86. The executor runs one group after the other, so that nobody waits in a look-back. All results were right. \
         A selection keeps half, so does `unique`; histograms have 256 even bins of 65536 numbers, and sorts take all bits of a key. \
         Instructions are a warp's: 32 of them are one of each thread. Bytes are whole sectors of 32, for each instruction anew: \
         what stays in a cache is counted too.\n\n\
         Not alike: CUB's sort counts digits by as many groups as fill the GPU, whatever the number of elements, which at 65536 is most \
         of what it does. CUB's kernels that set up memory are launches of its own, where ours fill it by the driver, which isn't counted. \
         A group of ours reduces 8192 elements, one of CUB's 4096; our histograms have a copy of the counts for every eighth lane.\n\n\
         {}\n\n## Kernels\n\n{}\n",
        totals(cases),
        kernels(cases),
        release = release.unwrap_or(&""),
    )
}

/// What an element costs, ours and CUB's.
fn totals(cases: &[Case]) -> Table {
    let mut table = table::markdown(
        "algorithm | elements: | instructions: | CUB's: | ratio: | bytes: | CUB's: | ratio: | passes: | CUB's:",
    );
    for case in cases {
        let both = |of: fn(&Launch) -> u64| {
            [&case.ours, &case.cub]
                .map(|launches| launches.iter().map(of).sum::<u64>() as f64 / case.elements as f64)
        };
        let (instructions, passes) = (both(|launch| launch.instructions), both(|launch| launch.passes));
        let bytes = both(|launch| launch.sectors).map(|sectors| sectors * SECTOR);
        let cells = |[ours, theirs]: [f64; 2], digits: usize| {
            [format!("{ours:.digits$}"), format!("{theirs:.digits$}"), format!("{:.2}", ours / theirs)]
        };
        let numbers = [cells(instructions, 4), cells(bytes, 3), cells(passes, 4)].concat();
        // Passes have no ratio.
        table.add_row(row![case.algorithm, case.elements].into_iter().chain(numbers).take(10));
    }
    table
}

fn kernels(cases: &[Case]) -> Table {
    let mut table = table::markdown(
        "kernel | elements: | groups: | threads: | registers: | shared: | instructions: | sectors: | passes: | local:",
    );
    for case in cases {
        for launch in case.cub.iter().chain(&case.ours) {
            let Launch { kernel, groups, threads, registers, shared, instructions, sectors, passes, local } =
                launch;
            let name = format!("{}, {kernel}", case.algorithm);
            let launched = row![name, case.elements, groups, threads, registers, shared];
            table.add_row(launched.into_iter().chain(row![instructions, sectors, passes, local]));
        }
    }
    table
}
