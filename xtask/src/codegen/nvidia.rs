//! Our kernels beside the same ones in CUDA C.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::ensure;
use comfy_table::Table;
use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};

use super::toolkit::Toolkit;
use super::{Pair, cost, executed, page, pair};
use crate::book::output::Page;
use crate::images;
use crate::workspace::Workspace;

/// The source of the same kernels in CUDA C, from the workspace's root.
pub(crate) const SOURCE: &str = "xtask/src/codegen/kernels.cu";

/// The source of more of them.
pub(crate) const TWINS_SOURCE: &str = "xtask/src/codegen/twins.cu";

/// nvcc's kernels for matrix units.
pub(super) const MATRIX_SOURCE: &str = "xtask/src/codegen/matrix_kernels.cu";

/// Kernels for matrix units.
const MATRIX_KERNELS: &[Pair] = &[pair("bin-tensor_core_gemm", "tensor_core_gemm")];

/// What an instruction of a kernel of ours is counted for.
enum Count {
    /// Just this number: all of a turn of the loop, which is unrolled.
    Just(u32),
    /// Any number but none.
    Some,
}

/// Kernels for matrix units without a counterpart. A turn of their loop is two steps; each multiplies 4 by 2 blocks of 16 by 16,
/// two times along K, by two instructions, for which it loads 4 fragments of A, and two of B: these by columns, for which
/// `ldmatrix` has to transpose, and can't in TF32.
const COPYING_KERNELS: &[(Pair, &[(&str, Count)])] = &[
    (
        pair("bin-tensor_core_gemm", "tensor_core_gemm_copies"),
        &[("HMMA", Count::Just(64)), ("LDSM", Count::Just(24)), ("LDGSTS", Count::Some)],
    ),
    (
        pair("bin-tensor_core_gemm", "tensor_core_gemm_tf32"),
        &[("HMMA", Count::Just(64)), ("LDSM", Count::Just(16)), ("LDGSTS", Count::Some)],
    ),
];

/// Instructions that access a thread's own memory: what registers couldn't hold.
const LOCAL: [&str; 2] = ["LDL", "STL"];

/// The command, as the page names it.
const COMMAND: &str = "cargo xtask codegen nvidia";

/// Prints the table of what is executed, for the book too, and looks at the instructions of kernels for matrix units.
///
/// # Errors
/// Where a tool is missing or fails, a kernel of ours costs too much, or the page isn't as it should be.
pub(crate) fn run(workspace: &Workspace, page: Page) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let folder = images::build(workspace)?;
    executed::test_executor(workspace)?;
    let table = print_executed(workspace, &toolkit, &folder, &[])?;
    compare_matrix_kernels(workspace, &toolkit, &folder)?;
    page::hold_text(workspace, page, COMMAND, &format!("{table}\n"))
}

/// Prints what is executed of some cases, or of all, with the images of a folder if one is given.
///
/// # Errors
/// Where a tool is missing or fails, or a kernel of ours costs too much.
pub(super) fn print_cases(
    workspace: &Workspace,
    images: Option<&Path>,
    cases: &[String],
) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    print_executed(workspace, &toolkit, &folder(workspace, images)?, cases).map(drop)
}

/// Prints what each instruction of a case counted.
///
/// # Errors
/// Where a tool is missing or fails, or there is no such case.
pub(super) fn print_hot(workspace: &Workspace, images: Option<&Path>, case: &str) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    executed::print_hot(workspace, &toolkit, &folder(workspace, images)?, case)
}

/// The folder that is given, or that of images built now.
fn folder(workspace: &Workspace, images: Option<&Path>) -> anyhow::Result<PathBuf> {
    images.map_or_else(|| images::build(workspace), |images| Ok(std::path::absolute(images)?))
}

/// The table in Markdown. All that is wrong is one error, after the table.
fn print_executed(
    workspace: &Workspace,
    toolkit: &Toolkit,
    folder: &Path,
    cases: &[String],
) -> anyhow::Result<Table> {
    let measured = executed::measure(workspace, toolkit, folder, cases)?;
    println!("{}", executed::rows(&measured, UTF8_FULL_CONDENSED));
    executed::notes().iter().for_each(|note| println!("{note}"));
    let findings = executed::findings(&measured);
    ensure!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    Ok(executed::rows(&measured, ASCII_MARKDOWN))
}

/// That kernels for matrix units have the same instructions of theirs as nvcc's, and keep nothing in local memory.
fn compare_matrix_kernels(workspace: &Workspace, toolkit: &Toolkit, folder: &Path) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir()?;
    let (by_us, by_nvcc) = (scratch.path().join("ours.cubin"), scratch.path().join("theirs.cubin"));
    toolkit.compile(&workspace.root.join(MATRIX_SOURCE), &by_nvcc)?;
    for Pair { target, kernel } in MATRIX_KERNELS {
        toolkit.assemble(&folder.join(format!("{target}.sm_80.ptx")), &by_us)?;
        let (ours, theirs) = (toolkit.opcodes(&by_us, kernel)?, toolkit.opcodes(&by_nvcc, kernel)?);
        let of = |opcodes: &BTreeMap<String, u32>, opcode: &str| opcodes.get(opcode).copied().unwrap_or(0);
        for opcode in ["HMMA", "LDSM"] {
            let (ours, theirs) = (of(&ours, opcode), of(&theirs, opcode));
            ensure!(ours > 0 && ours == theirs, "{kernel} has {ours} {opcode}, and nvcc's {theirs}");
        }
        ensure_no_local(kernel, &ours)?;
    }
    for (Pair { target, kernel }, counts) in COPYING_KERNELS {
        let ours = cost(&toolkit.assemble(&folder.join(format!("{target}.sm_80.ptx")), &by_us)?, kernel)?;
        let opcodes = toolkit.opcodes(&by_us, kernel)?;
        let count = |opcode: &str| opcodes.get(opcode).copied().unwrap_or(0);
        for (opcode, expected) in *counts {
            let found = count(opcode);
            match expected {
                Count::Just(expected) => {
                    ensure!(found == *expected, "{kernel} has {found} {opcode}, and not {expected}");
                }
                Count::Some => ensure!(found > 0, "{kernel} has no {opcode}"),
            }
        }
        ensure_no_local(kernel, &opcodes)?;
        println!(
            "{kernel}: {} registers, {} instructions, {} HMMA, {} LDSM, {} LDGSTS",
            ours.registers,
            ours.instructions,
            count("HMMA"),
            count("LDSM"),
            count("LDGSTS")
        );
    }
    Ok(())
}

fn ensure_no_local(kernel: &str, opcodes: &BTreeMap<String, u32>) -> anyhow::Result<()> {
    for opcode in LOCAL {
        let count = opcodes.get(opcode).copied().unwrap_or(0);
        ensure!(count == 0, "{kernel} has {count} {opcode}: it keeps something in local memory");
    }
    Ok(())
}

/// Targets for whose PTX the assembler takes minutes.
const LONG: [&str; 2] = ["test-conformance", "test-library"];

/// Assembles the PTX of the examples, and says so: all that takes seconds, or else what takes minutes.
///
/// # Errors
/// Where the tools can't be installed, or refuse a file.
pub(crate) fn assemble(workspace: &Workspace, long: bool) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let scratch = tempfile::tempdir()?;
    let mut files = images::with_extension(&images::build(workspace)?, "ptx")?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        LONG.iter().any(|target| name.starts_with(target)) == long
    });
    ensure!(!files.is_empty(), "the examples have no PTX: was the device toolchain found?");
    let next = AtomicUsize::new(0);
    let assemble = |worker: usize| -> anyhow::Result<()> {
        while let Some(ptx) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let costs = toolkit.assemble(ptx, &scratch.path().join(format!("{worker}.cubin")))?;
            let name = ptx.file_name().unwrap_or_default().to_string_lossy().into_owned();
            println!("{name}: {} kernels", costs.len());
        }
        Ok(())
    };
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        let assemble = &assemble;
        let workers: Vec<_> = (0..workers).map(|worker| scope.spawn(move || assemble(worker))).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}
