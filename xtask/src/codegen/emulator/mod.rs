//! What our kernels execute on AMD's GPUs beside clang's of HIP, counted in an emulator.

mod case;
mod cases;
mod counter;
mod limits;
mod parameters;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use self::case::{Argument, Case};
use self::counter::{Counter, Executed};
use self::table::Table;
use super::clang::Clang;
use super::page;
use crate::book::output::Page;
use crate::test::{AMD_EMULATOR, amd_python};
use crate::workspace::Workspace;

/// Source of the kernels in HIP, from the workspace's root.
const SOURCE: &str = "xtask/src/codegen/twins.hip";

/// The command whose output the book has.
const COMMAND: &str = "cargo xtask codegen amd --executed";

/// What runs code objects, and the Python for it.
pub(super) struct Emulator {
    python: PathBuf,
    /// The emulator's server.
    script: PathBuf,
}

impl Emulator {
    /// The emulator that the variable names, if it names one.
    ///
    /// # Errors
    /// Where what it needs can't be had.
    pub(super) fn find(workspace: &Workspace) -> anyhow::Result<Option<Self>> {
        let Some(emulator) = std::env::var_os(AMD_EMULATOR) else { return Ok(None) };
        let Some(python) = amd_python(workspace)? else { return Ok(None) };
        let emulator = PathBuf::from(emulator);
        let script = if emulator.is_dir() { emulator.join("amdgpu_serve.py") } else { emulator };
        Ok(Some(Self { python: python.into(), script }))
    }
}

/// Prints a table for each architecture, for the book too where there is a page. `images` is the folder of our code objects.
///
/// # Errors
/// Where a tool fails, a kernel's results are wrong, one of ours executes too much, or the page isn't as it should be.
pub(super) fn compare(
    workspace: &Workspace,
    clang: &Clang,
    emulator: &Emulator,
    images: &Path,
    architectures: &[&str],
    page: Option<Page>,
) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir()?;
    let mut counter = Counter::start(workspace, &emulator.python, &emulator.script)?;
    let mut problems = Vec::new();
    let mut tables = Vec::new();
    for architecture in architectures {
        let theirs = scratch.path().join(format!("twins.{architecture}.hsaco"));
        clang.compile(&workspace.root.join(SOURCE), architecture, &theirs)?;
        let mut table = Table::new(architecture);
        for case in &cases::all() {
            let (target, kernel) = case.ours;
            let ours = images.join(format!("{target}.{architecture}.hsaco"));
            ensure!(ours.is_file(), "there is no {}: was the device toolchain found?", ours.display());
            let mut count = |code_object: &Path, kernel: &str, bytes: u32, arguments: &[Argument]| {
                executed(clang, &mut counter, code_object, architecture, kernel, bytes, arguments, case)
            };
            let ours = count(&ours, kernel, case.workgroup_bytes, &case.our_arguments)
                .with_context(|| format!("our {} on {architecture}", case.name));
            let theirs = count(&theirs, case.name, 0, &case.their_arguments)
                .with_context(|| format!("clang's {} on {architecture}", case.name));
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => {
                    problems.extend(limits::problems(architecture, case.name, &ours, &theirs));
                    table.add(case.name, &ours, &theirs);
                }
                (ours, theirs) => {
                    problems
                        .extend([ours, theirs].into_iter().filter_map(Result::err).map(|e| format!("{e:#}")));
                }
            }
        }
        table.print();
        tables.push(table.markdown());
    }
    limits::notes().for_each(|note| println!("{note}"));
    ensure!(problems.is_empty(), "executed code:\n{}", problems.join("\n"));
    page.map_or(Ok(()), |page| page::hold_text(workspace, page, COMMAND, &tables.join("\n")))
}

/// What a launch executes, if its results are right.
#[expect(clippy::too_many_arguments, reason = "a launch, and what it is made with")]
fn executed(
    clang: &Clang,
    counter: &mut Counter,
    code_object: &Path,
    architecture: &str,
    kernel: &str,
    workgroup_bytes: u32,
    arguments: &[Argument],
    case: &Case,
) -> anyhow::Result<Executed> {
    let parameters = parameters::parameters(&clang.notes(code_object)?);
    let parameters = parameters.get(kernel).with_context(|| format!("there is no kernel {kernel}"))?;
    let packed = parameters::pack(parameters, arguments, case)?;
    let outcome = counter.launch(code_object, architecture, kernel, workgroup_bytes, &packed, case)?;
    case.check(&outcome.buffers).context("a wrong result")?;
    Ok(outcome.executed)
}
