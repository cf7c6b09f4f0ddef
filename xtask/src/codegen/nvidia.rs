//! Our kernels beside the same ones in CUDA C.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::ensure;

use super::toolkit::{ARCHITECTURE, Toolkit};
use super::{Comparison, Cost, Pair, SAMPLES, cost, page, pair, ratio};
use crate::book::output::Page;
use crate::images;
use crate::workspace::Workspace;

/// The source of the same kernels in CUDA C, from the workspace's root.
pub(crate) const SOURCE: &str = "xtask/src/codegen/kernels.cu";

/// nvcc's kernels for matrix units.
const MATRIX_SOURCE: &str = "xtask/src/codegen/matrix_kernels.cu";

/// The most that ours may cost, as a multiple of nvcc's, by what the project promises itself.
const MOST: f64 = 1.05;

/// A thread gets registers in units of so many. Source: NVIDIA's CUDA occupancy calculator, "Register allocation unit
/// size" of 256 for a warp.
const REGISTER_UNIT: u32 = 8;

/// The registers of a multiprocessor and the most threads that it holds, on sm_80 and sm_90: up to 32 registers for each
/// thread make no difference. Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
const REGISTERS: u32 = 65_536;
const MOST_THREADS: u32 = 2048;

const KERNELS: &[Pair] = &[
    pair(SAMPLES, "vector_add"),
    pair(SAMPLES, "saxpy"),
    pair("test-cpu", "grid_stride_sum"),
    pair(SAMPLES, "sobel"),
    pair(SAMPLES, "matrix_mul"),
    pair(SAMPLES, "transpose_padded"),
    pair(SAMPLES, "collective"),
    pair(SAMPLES, "histogram_256"),
];

/// Kernels for matrix units. Registers aren't compared: ptxas has more of the next step's loads on their way in ours, and so
/// fewer groups at a time, which only a GPU can tell the worth of.
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

/// Prints the table, for the book too.
///
/// # Errors
/// Where a tool is missing or fails, a kernel of ours costs too much, or the page isn't as it should be.
pub(crate) fn run(workspace: &Workspace, page: Page) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let folder = images::build(workspace)?;
    let scratch = tempfile::tempdir()?;
    let cubin = scratch.path().join("kernels.cubin");
    let source = workspace.root.join(SOURCE);
    let theirs = toolkit.compile(&source, &cubin)?;

    let instructions = format!("{ARCHITECTURE} instructions");
    let mut table = Comparison::new("registers", &instructions, "nvcc's");
    let mut dear = Vec::new();
    for Pair { target, kernel } in KERNELS {
        let ptx = folder.join(format!("{target}.sm_80.ptx"));
        ensure!(ptx.is_file(), "there is no {}: was the device toolchain found?", ptx.display());
        let (ours, theirs) = (cost(&toolkit.assemble(&ptx, &cubin)?, kernel)?, cost(&theirs, kernel)?);
        let threads = |cost: Cost| {
            let registers = cost.registers.next_multiple_of(REGISTER_UNIT).max(REGISTER_UNIT);
            MOST_THREADS.min(REGISTERS / registers)
        };
        if ratio(threads(theirs), threads(ours)) > MOST
            || ratio(ours.instructions, theirs.instructions) > MOST
        {
            dear.push(*kernel);
        }
        table.add(kernel, ours, theirs);
    }
    let by_nvcc = scratch.path().join("theirs.cubin");
    let theirs = toolkit.compile(&workspace.root.join(MATRIX_SOURCE), &by_nvcc)?;
    for Pair { target, kernel } in MATRIX_KERNELS {
        let ptx = folder.join(format!("{target}.sm_80.ptx"));
        let (ours, theirs) = (cost(&toolkit.assemble(&ptx, &cubin)?, kernel)?, cost(&theirs, kernel)?);
        let counted = |cubin: &Path| toolkit.opcodes(cubin, kernel);
        let (our_opcodes, their_opcodes) = (counted(&cubin)?, counted(&by_nvcc)?);
        let of = |opcodes: &BTreeMap<String, u32>, opcode: &str| opcodes.get(opcode).copied().unwrap_or(0);
        for opcode in ["HMMA", "LDSM"] {
            let (ours, theirs) = (of(&our_opcodes, opcode), of(&their_opcodes, opcode));
            ensure!(ours > 0 && ours == theirs, "{kernel} has {ours} {opcode}, and nvcc's {theirs}");
        }
        ensure_no_local(kernel, &our_opcodes)?;
        if ratio(ours.instructions, theirs.instructions) > MOST {
            dear.push(*kernel);
        }
        table.add(kernel, ours, theirs);
    }
    table.print();
    for (Pair { target, kernel }, counts) in COPYING_KERNELS {
        let ours = cost(&toolkit.assemble(&folder.join(format!("{target}.sm_80.ptx")), &cubin)?, kernel)?;
        let opcodes = toolkit.opcodes(&cubin, kernel)?;
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
    ensure!(
        dear.is_empty(),
        "more than {MOST} times nvcc's instructions, or registers that cost occupancy: {}",
        dear.join(", ")
    );
    page::hold(workspace, page, "cargo xtask codegen nvidia", &[table])
}

fn ensure_no_local(kernel: &str, opcodes: &BTreeMap<String, u32>) -> anyhow::Result<()> {
    for opcode in LOCAL {
        let count = opcodes.get(opcode).copied().unwrap_or(0);
        ensure!(count == 0, "{kernel} has {count} {opcode}: it keeps something in local memory");
    }
    Ok(())
}

/// Assembles all PTX of the examples, and says so.
///
/// # Errors
/// Where the tools can't be installed, or refuse a file.
pub(crate) fn assemble_all(workspace: &Workspace) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let scratch = tempfile::tempdir()?;
    let files = images::with_extension(&images::build(workspace)?, "ptx")?;
    ensure!(!files.is_empty(), "the examples have no PTX: was the device toolchain found?");
    for ptx in files {
        let costs = toolkit.assemble(&ptx, &scratch.path().join("image.cubin"))?;
        let name = ptx.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{name}: {} kernels", costs.len());
    }
    Ok(())
}
