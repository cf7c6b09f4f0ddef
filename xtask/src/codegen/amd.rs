//! Our kernels beside the same ones in HIP.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use itertools::Itertools;

use super::clang::Clang;
use super::emulator::{self, Emulator};
use super::{Comparison, Pair, SAMPLES, cost, hold, pair, ratio};
use crate::book::output::Page;
use crate::images;
use crate::test::AMD_EMULATOR;
use crate::workspace::Workspace;

/// The source of the same kernels in HIP, from the workspace's root.
const SOURCE: &str = "xtask/src/codegen/kernels.hip";

/// Architectures that code objects are compared for: waves of 64 threads, and of 32.
const ARCHITECTURES: &[&str] = &["gfx942", "gfx1100"];

/// The most that ours may cost, as a multiple of clang's, by what the project promises itself.
const MOST_INSTRUCTIONS: f64 = 1.10;
const MOST_REGISTERS: f64 = 1.0;

const KERNELS: &[Pair] = &[
    pair(SAMPLES, "vector_add"),
    pair(SAMPLES, "saxpy"),
    pair("test-amd_emulator", "fma_sqrt"),
    pair(SAMPLES, "sequential"),
    pair(SAMPLES, "collective"),
    pair(SAMPLES, "matrix_mul"),
];

/// The instruction by which matrix units multiply, in kernels of ours that do.
const PRODUCTS: &[(&str, &str, &str)] = &[
    ("gfx942", "f16_to_f32", "v_mfma_f32_16x16x16_f16"),
    ("gfx942", "f16_to_f16", "v_mfma_f32_16x16x16_f16"),
    ("gfx942", "bf16_to_f32", "v_mfma_f32_16x16x16_bf16"),
    ("gfx942", "tf32_to_f32", "v_mfma_f32_16x16x8_xf32"),
    ("gfx942", "i8_to_i32", "v_mfma_i32_16x16x32_i8"),
    ("gfx942", "u8_to_i32", "v_mfma_i32_16x16x32_i8"),
    ("gfx942", "f64_to_f64", "v_mfma_f64_16x16x4_f64"),
    ("gfx1100", "f16_to_f32", "v_wmma_f32_16x16x16_f16"),
    ("gfx1100", "f16_to_f16", "v_wmma_f16_16x16x16_f16"),
    ("gfx1100", "bf16_to_f32", "v_wmma_f32_16x16x16_bf16"),
    ("gfx1100", "i8_to_i32", "v_wmma_i32_16x16x16_iu8"),
    ("gfx1100", "u8_to_i32", "v_wmma_i32_16x16x16_iu8"),
];

/// The target that holds the kernels of [`PRODUCTS`].
const PRODUCTS_TARGET: &str = "test-library";

/// Prints a table of code for each architecture, and one of what is executed where there is an emulator, for the book too.
///
/// # Errors
/// Where a tool is missing or fails, a kernel of ours costs too much, or the page isn't as it should be.
pub(crate) fn run(workspace: &Workspace, page: Page) -> anyhow::Result<()> {
    compare(workspace, &Clang::install(workspace)?, page)
}

/// Prints the tables, with the tools at hand.
pub(crate) fn compare(workspace: &Workspace, clang: &Clang, page: Page) -> anyhow::Result<()> {
    let folder = images::build(workspace)?;
    let length = compare_length(workspace, clang, &folder, page);
    let executed = match Emulator::find(workspace)? {
        Some(emulator) => emulator::compare(workspace, clang, &emulator, &folder, ARCHITECTURES, Some(page)),
        None => {
            println!("what is executed isn't compared: {AMD_EMULATOR} isn't set");
            Ok(())
        }
    };
    let problems = [length, executed].into_iter().filter_map(Result::err);
    let problems = problems.map(|problem| format!("{problem:#}")).join("\n");
    ensure!(problems.is_empty(), "{problems}");
    Ok(())
}

/// Prints only the tables of what is executed, of images in a folder, or of those that are built, which the book has.
pub(super) fn run_executed(workspace: &Workspace, images: Option<&Path>) -> anyhow::Result<()> {
    let emulator = Emulator::find(workspace)?.with_context(|| format!("{AMD_EMULATOR} isn't set"))?;
    let clang = Clang::install(workspace)?;
    let (images, page) = match images {
        Some(images) => (images.to_owned(), None),
        None => (images::build(workspace)?, Some(Page::Written)),
    };
    emulator::compare(workspace, &clang, &emulator, &images, ARCHITECTURES, page)
}

/// Our code object of a target.
pub(super) fn image(folder: &Path, target: &str, architecture: &str) -> anyhow::Result<PathBuf> {
    let image = folder.join(format!("{target}.{architecture}.hsaco"));
    ensure!(image.is_file(), "there is no {}: was the device toolchain found?", image.display());
    Ok(image)
}

/// Compares the length of code and the registers.
fn compare_length(workspace: &Workspace, clang: &Clang, folder: &Path, page: Page) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir()?;
    let mut dear = Vec::new();
    let mut tables = Vec::new();
    for architecture in ARCHITECTURES {
        let theirs = scratch.path().join("kernels.hsaco");
        clang.compile(&workspace.root.join(SOURCE), architecture, &theirs)?;
        let theirs = clang.costs(architecture, &theirs, scratch.path())?;
        let instructions = format!("{architecture} instructions");
        let (registers, theirs_are) = ("vector registers", "clang's");
        let mut table = Comparison { registers, instructions, theirs: theirs_are, rows: Vec::new() };
        for Pair { target, kernel } in KERNELS {
            let image = image(folder, target, architecture)?;
            let ours = cost(&clang.costs(architecture, &image, scratch.path())?, kernel)?;
            let theirs = cost(&theirs, kernel)?;
            if ratio(ours.registers, theirs.registers) > MOST_REGISTERS
                || ratio(ours.instructions, theirs.instructions) > MOST_INSTRUCTIONS
            {
                dear.push(format!("{kernel} on {architecture}"));
            }
            table.rows.push((kernel, ours, theirs));
        }
        println!("{}", table.printed());
        tables.push(table.markdown());
    }
    for (architecture, kernel, instruction) in PRODUCTS {
        let image = folder.join(format!("{PRODUCTS_TARGET}.{architecture}.hsaco"));
        let found = clang.mnemonics(architecture, &image, kernel, scratch.path())?;
        let count = found.get(*instruction).copied().unwrap_or(0);
        ensure!(count > 0, "{kernel} on {architecture} has no {instruction}");
        println!("{kernel} on {architecture}: {count} {instruction}");
    }
    ensure!(
        dear.is_empty(),
        "more than {MOST_INSTRUCTIONS} times clang's instructions, or more vector registers: {}",
        dear.join(", ")
    );
    hold(workspace, page, "cargo xtask codegen amd", &tables)
}
