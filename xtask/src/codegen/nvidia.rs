//! Our kernels beside the same ones in CUDA C.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use comfy_table::Table;

use super::toolkit::Toolkit;
use super::{Pair, cost, executed, hold, pair};
use crate::book::output::Page;
use crate::workspace::Workspace;
use crate::{files, images, table, threads};

/// The source of the same kernels in CUDA C, from the workspace's root.
pub(crate) const SOURCE: &str = "xtask/src/codegen/kernels.cu";

/// The source of more of them.
pub(crate) const TWINS_SOURCE: &str = "xtask/src/codegen/twins.cu";

/// nvcc's kernels for matrix units.
pub(super) const MATRIX_SOURCE: &str = "xtask/src/codegen/matrix_kernels.cu";

/// Kernels for matrix units.
const MATRIX_KERNELS: &[Pair] = &[pair("bin-tensor_core_gemm", "tensor_core_gemm")];

/// Kernels for matrix units without a counterpart, in the same image. A turn of their loop, which is unrolled, is two steps; each multiplies
/// 4 by 2 blocks of 16 by 16, two times along K, by two instructions, for which it loads 4 fragments of A, and two of B: these by columns,
/// for which `ldmatrix` has to transpose, and can't in TF32. So many HMMA and LDSM they have.
const COPYING_KERNELS: [(&str, u32, u32); 2] =
    [("tensor_core_gemm_copies", 64, 24), ("tensor_core_gemm_tf32", 64, 16)];

/// Instructions that access a thread's own memory: what registers couldn't hold.
const LOCAL: [&str; 2] = ["LDL", "STL"];

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
    hold(workspace, page, "cargo xtask codegen nvidia", &[table])
}

/// Prints what is executed of some cases, or of all, with the images of a folder if one is given.
pub(super) fn print_cases(
    workspace: &Workspace,
    images: Option<&Path>,
    cases: &[String],
) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    print_executed(workspace, &toolkit, &folder(workspace, images)?, cases).map(drop)
}

/// Prints what each instruction of a case counted.
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
    println!("{}", executed::rows(&measured, table::printed));
    executed::notes().iter().for_each(|note| println!("{note}"));
    let findings = executed::findings(&measured);
    ensure!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    Ok(executed::rows(&measured, table::markdown))
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
    let costs = toolkit.assemble(&folder.join("bin-tensor_core_gemm.sm_80.ptx"), &by_us)?;
    for (kernel, products, loads) in COPYING_KERNELS {
        let ours = cost(&costs, kernel)?;
        let opcodes = toolkit.opcodes(&by_us, kernel)?;
        let count = |opcode: &str| opcodes.get(opcode).copied().unwrap_or(0);
        for (opcode, expected) in [("HMMA", products), ("LDSM", loads)] {
            let found = count(opcode);
            ensure!(found == expected, "{kernel} has {found} {opcode}, and not {expected}");
        }
        ensure!(count("LDGSTS") > 0, "{kernel} has no LDGSTS");
        ensure_no_local(kernel, &opcodes)?;
        let counts =
            ["HMMA", "LDSM", "LDGSTS"].map(|opcode| format!("{} {opcode}", count(opcode))).join(", ");
        println!("{kernel}: {} registers, {} instructions, {counts}", ours.registers, ours.instructions);
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
pub(crate) fn assemble(workspace: &Workspace, long: bool) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let scratch = tempfile::tempdir()?;
    let mut files = files::with_extension(&images::build(workspace)?, "ptx")?;
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.retain(|file| LONG.iter().any(|target| name(file).starts_with(target)) == long);
    ensure!(!files.is_empty(), "the examples have no PTX: was the device toolchain found?");
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    threads::each(workers, &files, |ptx| {
        let costs = toolkit.assemble(ptx, &scratch.path().join(name(ptx)).with_extension("cubin"))?;
        println!("{}: {} kernels", name(ptx), costs.len());
        Ok(())
    })?;
    Ok(())
}
