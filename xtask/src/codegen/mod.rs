//! `cargo xtask codegen`: our kernels beside the same ones as the vendors' own compilers make them: what NVIDIA's execute, by an
//! executor of machine code, and how many registers and instructions AMD's have, and what they execute in an emulator.

pub(crate) mod amd;
mod clang;
mod cub;
mod emulator;
mod executed;
mod math;
pub(crate) mod nvidia;
mod page;
pub(crate) mod toolkit;

use std::collections::BTreeMap;
use std::iter;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, TableStyle};

use crate::book::output::Page;
use crate::workspace::Workspace;

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
    if is_asked(Vendor::Math) {
        math::run(workspace)?;
    }
    Ok(())
}

/// Rows of kernels and their costs.
struct Comparison {
    header: [String; 5],
    rows: Vec<(String, Cost, Cost)>,
}

impl Comparison {
    /// `registers` and `instructions` head the columns of ours, `theirs` those of the other compiler.
    fn new(registers: &str, instructions: &str, theirs: &str) -> Self {
        Self {
            header: ["kernel", registers, theirs, instructions, theirs].map(String::from),
            rows: Vec::new(),
        }
    }

    fn add(&mut self, kernel: &str, ours: Cost, theirs: Cost) {
        self.rows.push((kernel.to_owned(), ours, theirs));
    }

    /// With ratios, to be printed.
    fn print(&self) {
        let [kernel, registers, theirs, instructions, their_instructions] = self.header.each_ref();
        let header: [&str; 7] =
            [kernel, registers, theirs, "ratio", instructions, their_instructions, "ratio"];
        let mut table = table(comfy_table::presets::UTF8_FULL_CONDENSED, &header);
        for (kernel, ours, theirs) in &self.rows {
            table.add_row([
                kernel.clone(),
                ours.registers.to_string(),
                theirs.registers.to_string(),
                format!("{:.2}", ratio(ours.registers, theirs.registers)),
                ours.instructions.to_string(),
                theirs.instructions.to_string(),
                format!("{:.2}", ratio(ours.instructions, theirs.instructions)),
            ]);
        }
        println!("{table}");
    }

    /// In Markdown, for a page.
    fn markdown(&self) -> String {
        let mut table =
            table(comfy_table::presets::ASCII_MARKDOWN, &self.header.each_ref().map(String::as_str));
        for (kernel, ours, theirs) in &self.rows {
            let numbers = [ours.registers, theirs.registers, ours.instructions, theirs.instructions];
            table.add_row(iter::once(format!("`{kernel}`")).chain(numbers.map(|number| number.to_string())));
        }
        format!("{table}\n")
    }
}

/// A table whose first column is of names, and the others of numbers.
fn table(style: TableStyle, header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    table.set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn ratio(ours: u32, theirs: u32) -> f64 {
    f64::from(ours) / f64::from(theirs)
}

fn cost(costs: &BTreeMap<String, Cost>, kernel: &str) -> anyhow::Result<Cost> {
    costs.get(kernel).copied().with_context(|| format!("there is no kernel {kernel}"))
}
