//! `cargo xtask codegen`: our kernels beside the same ones in CUDA C, by registers and instructions.

mod toolkit;

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use comfy_table::{CellAlignment, Table};

use crate::images;
use crate::workspace::Workspace;
use toolkit::{ARCHITECTURE, Cost, Toolkit};

/// The most that ours may cost, as a multiple of nvcc's, by what the project promises itself.
const MOST: f64 = 1.05;

/// A thread gets registers in units of so many, so that fewer of them make no difference to occupancy. Source:
/// NVIDIA's CUDA occupancy calculator, "Register allocation unit size" of 256 for a warp.
const REGISTER_UNIT: u32 = 8;

/// A kernel of ours and the one of that name in `kernels.cu`.
struct Pair {
    /// The target that holds ours.
    target: &'static str,
    kernel: &'static str,
    /// The most that it may cost now, where that is more than promised: so that it doesn't get worse.
    behind: Option<f64>,
}

const fn pair(target: &'static str, kernel: &'static str) -> Pair {
    Pair { target, kernel, behind: None }
}

const KERNELS: &[Pair] = &[
    pair("bin-vector_add", "vector_add"),
    pair("test-cpu", "saxpy"),
    pair("test-cpu", "grid_stride_sum"),
    pair("bin-sobel", "sobel"),
    // Its loop counts in 64 bits, and multiplies sizes in as many.
    Pair { target: "bin-matrix_mul", kernel: "matrix_mul", behind: Some(1.20) },
    // A barrier at the end of the last phase, and the branch around what comes before it.
    Pair { target: "bin-transpose", kernel: "transpose_padded", behind: Some(1.13) },
    // As many instructions, and 20 registers where nvcc takes 14: ptxas has 256 for each thread of a known block.
    Pair { target: "bin-reduction", kernel: "collective", behind: Some(1.50) },
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
    let source = workspace.root.join("xtask/src/codegen/kernels.cu");
    let theirs = toolkit.compile(&source, &cubin)?;

    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "kernel",
        "registers",
        "nvcc's",
        "ratio",
        &format!("{ARCHITECTURE} instructions"),
        "nvcc's",
        "ratio",
        "at most",
    ]);
    (1..8)
        .filter_map(|column| table.column_mut(column).map(|c| c.set_cell_alignment(CellAlignment::Right)))
        .count();
    let mut dear = Vec::new();
    for Pair { target, kernel, behind } in KERNELS {
        let ptx = folder.join(format!("{target}.sm_80.ptx"));
        ensure!(ptx.is_file(), "there is no {}: was the device toolchain found?", ptx.display());
        let (ours, theirs) = (cost(&toolkit.assemble(&ptx, &cubin)?, kernel)?, cost(&theirs, kernel)?);
        let ratio = |ours: u32, theirs: u32| f64::from(ours) / f64::from(theirs);
        let registers = ratio(ours.registers, theirs.registers);
        let instructions = ratio(ours.instructions, theirs.instructions);
        let occupied = |cost: Cost| cost.registers.next_multiple_of(REGISTER_UNIT);
        let most = behind.unwrap_or(MOST);
        if ratio(occupied(ours), occupied(theirs)) > most || instructions > most {
            dear.push(*kernel);
        }
        table.add_row([
            (*kernel).to_owned(),
            ours.registers.to_string(),
            theirs.registers.to_string(),
            format!("{registers:.2}"),
            ours.instructions.to_string(),
            theirs.instructions.to_string(),
            format!("{instructions:.2}"),
            match behind {
                Some(most) => format!("{most:.2}, promised {MOST:.2}"),
                None => format!("{MOST:.2}"),
            },
        ]);
    }
    println!("{table}");
    ensure!(dear.is_empty(), "more than they may cost, as a multiple of nvcc's: {}", dear.join(", "));
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

fn cost(costs: &BTreeMap<String, Cost>, kernel: &str) -> anyhow::Result<Cost> {
    costs.get(kernel).copied().with_context(|| format!("there is no kernel {kernel}"))
}
