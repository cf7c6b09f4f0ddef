//! `cargo xtask codegen`: our kernels beside the same ones as the vendors' own compilers make them: what NVIDIA's execute, by an
//! executor of machine code, and how many registers and instructions AMD's have, and what they execute in an emulator.

pub(crate) mod amd;
mod clang;
mod cub;
mod emulator;
mod executed;
mod math;
pub(crate) mod nvidia;
pub(crate) mod toolkit;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use comfy_table::Table;
use itertools::Itertools;

use crate::book::output::{self, Page};
use crate::table::{self, row};
use crate::workspace::Workspace;
pub(crate) use clang::Clang;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Prints only this table; without it, all.
    vendor: Option<Vendor>,
    /// Executes only this case of NVIDIA's, and writes nothing into the book; can be given several times.
    #[arg(long)]
    case: Vec<String>,
    /// Prints the counts beside each instruction of this case of NVIDIA's, ours and nvcc's.
    #[arg(long, conflicts_with = "case")]
    hot: Option<String>,
    /// Prints only what our kernels for AMD execute in an emulator, beside clang's; needs GRIDWRIGHT_AMD_EMULATOR.
    #[arg(long)]
    executed: bool,
    /// Takes the examples' images, or those of the primitives, from this folder's files TARGET.ARCHITECTURE.EXTENSION instead of building
    /// them, and writes nothing into the book.
    #[arg(long)]
    images: Option<PathBuf>,
}

/// What to compare.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vendor {
    /// Our kernels with nvcc's, of CUDA C.
    Nvidia,
    /// Our kernels with clang's, of HIP.
    Amd,
    /// Functions of 32-bit floats with CUDA's.
    Math,
    /// Only where it is asked for: what the primitives and CUB's algorithms execute, which `bench-results/` keeps.
    Cub,
}

/// What a kernel costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Registers of a thread.
    pub(crate) registers: u32,
    pub(crate) instructions: u32,
    /// Instructions of the functions behind the kernel, of which each kernel has a copy.
    pub(crate) behind: u32,
}

impl Cost {
    /// All instructions.
    fn whole(self) -> u32 {
        self.instructions + self.behind
    }
}

/// A kernel of ours and the one of that name in the other language.
struct Pair {
    /// The target that holds our kernel.
    target: &'static str,
    kernel: &'static str,
}

/// The examples' library, which holds the samples that are compared.
const SAMPLES: &str = "lib-gridwright_examples";

const fn pair(target: &'static str, kernel: &'static str) -> Pair {
    Pair { target, kernel }
}

/// Prints each table, or one, and writes those of kernels into the book.
///
/// # Errors
/// Where a tool is missing or fails, or a kernel of ours costs too much.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let Options { vendor, executed, case, hot, images } = options;
    if *executed {
        ensure!(vendor.is_none_or(|vendor| vendor == Vendor::Amd), "--executed is of `codegen amd`");
        return amd::run_executed(workspace, images.as_deref());
    }
    let is_asked = |of: Vendor| vendor.is_none_or(|vendor| vendor == of);
    if let Some(case) = hot {
        return nvidia::print_hot(workspace, images.as_deref(), case);
    }
    if *vendor == Some(Vendor::Cub) {
        return cub::run(workspace, images.as_deref());
    }
    if images.is_some() || !case.is_empty() {
        return nvidia::print_cases(workspace, images.as_deref(), case);
    }
    if is_asked(Vendor::Nvidia) {
        nvidia::run(workspace, Page::Written)?;
    }
    if is_asked(Vendor::Amd) {
        amd::run(workspace, Page::Written)?;
    }
    if is_asked(Vendor::Math) { math::run(workspace) } else { Ok(()) }
}

/// The page with the tables, from the workspace's root.
const PAGE: &str = "book/src/measured.md";

/// Writes the tables that `command` prints into the book, or checks that the page has them.
///
/// # Errors
/// Where the page can't be read or written, has no place for them, or should have had them.
fn hold(workspace: &Workspace, page: Page, command: &str, tables: &[Table]) -> anyhow::Result<()> {
    let text = tables.iter().map(|table| format!("{table}\n")).join("\n");
    page.hold(&workspace.root, PAGE, command, |document| {
        output::replace(document, command, |_| Ok(format!("\n{text}\n")))
    })
}

/// Rows of kernels and their costs.
struct Comparison {
    /// What heads the columns of ours, and those of the other compiler.
    registers: &'static str,
    instructions: String,
    theirs: &'static str,
    rows: Vec<(&'static str, Cost, Cost)>,
}

impl Comparison {
    /// With ratios, to be printed.
    fn printed(&self) -> Table {
        let Self { registers, instructions, theirs, rows } = self;
        let header =
            format!("kernel | {registers}: | {theirs}: | ratio: | {instructions}: | {theirs}: | ratio:");
        let mut table = table::printed(&header);
        for (kernel, ours, theirs) in rows {
            let [registers, instructions] =
                [(ours.registers, theirs.registers), (ours.instructions, theirs.instructions)]
                    .map(|(ours, theirs)| row![ours, theirs, format!("{:.2}", ratio(ours, theirs))]);
            table.add_row(row![kernel].into_iter().chain(registers).chain(instructions));
        }
        table
    }

    /// In Markdown, for a page.
    fn markdown(&self) -> Table {
        let Self { registers, instructions, theirs, rows } = self;
        let mut table =
            table::markdown(&format!("kernel | {registers}: | {theirs}: | {instructions}: | {theirs}:"));
        for (kernel, ours, theirs) in rows {
            let [Cost { registers, instructions, .. }, theirs] = [ours, theirs];
            table.add_row(row![
                format!("`{kernel}`"),
                registers,
                theirs.registers,
                instructions,
                theirs.instructions
            ]);
        }
        table
    }
}

fn ratio(ours: u32, theirs: u32) -> f64 {
    f64::from(ours) / f64::from(theirs)
}

fn cost(costs: &BTreeMap<String, Cost>, kernel: &str) -> anyhow::Result<Cost> {
    costs.get(kernel).copied().with_context(|| format!("there is no kernel {kernel}"))
}
