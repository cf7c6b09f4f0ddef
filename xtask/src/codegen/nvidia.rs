//! Our kernels beside the same ones in CUDA C.

use anyhow::ensure;

use super::toolkit::{ARCHITECTURE, Toolkit};
use super::{Comparison, Cost, Pair, cost, pair, ratio};
use crate::images;
use crate::workspace::Workspace;

/// The same kernels in CUDA C, from the workspace's root.
pub(crate) const SOURCE: &str = "xtask/src/codegen/kernels.cu";

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
    pair("bin-vector_add", "vector_add"),
    pair("test-cpu", "saxpy"),
    pair("test-cpu", "grid_stride_sum"),
    pair("bin-sobel", "sobel"),
    pair("bin-matrix_mul", "matrix_mul"),
    pair("bin-transpose", "transpose_padded"),
    pair("bin-reduction", "collective"),
    pair("bin-histogram", "histogram_256"),
];

/// Prints the table.
///
/// # Errors
/// Where a tool is missing or fails, or a kernel of ours costs too much.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
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
    table.print();
    ensure!(
        dear.is_empty(),
        "more than {MOST} times nvcc's instructions, or registers that cost occupancy: {}",
        dear.join(", ")
    );
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
