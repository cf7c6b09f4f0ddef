//! What our kernels execute on AMD's GPUs beside clang's of HIP, counted in an emulator.

mod case;
mod cases;
mod counter;
mod limits;
mod parameters;

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use self::case::{Argument, Case};
use self::counter::{Counter, Executed, header};
use super::clang::Clang;
use super::{amd, hold};
use crate::book::output::Page;
use crate::table;
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
    pub(super) fn find(workspace: &Workspace) -> anyhow::Result<Option<Self>> {
        let Some(emulator) = std::env::var_os(AMD_EMULATOR) else { return Ok(None) };
        let Some(python) = amd_python(workspace)? else { return Ok(None) };
        let emulator = PathBuf::from(emulator);
        let script = if emulator.is_dir() { emulator.join("amdgpu_serve.py") } else { emulator };
        Ok(Some(Self { python, script }))
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
        let [mut printed, mut markdown] =
            [table::printed, table::markdown].map(|new| new(&header(architecture)));
        for case in &cases::all() {
            let name = case.name;
            let (target, our_name) = case.ours;
            let ours = amd::image(images, target, architecture)?;
            let mut count = |whose: &str, kernel: Kernel<'_>| {
                executed(clang, &mut counter, &kernel, case)
                    .with_context(|| format!("{whose} {name} on {architecture}"))
            };
            let (bytes, arguments) = (case.workgroup_bytes, &*case.our_arguments);
            let ours = Kernel {
                code_object: &ours,
                architecture,
                name: our_name,
                workgroup_bytes: bytes,
                arguments,
            };
            let arguments = &*case.their_arguments;
            let theirs = Kernel { code_object: &theirs, architecture, name, workgroup_bytes: 0, arguments };
            match (count("our", ours), count("clang's", theirs)) {
                (Ok(ours), Ok(theirs)) => {
                    problems.extend(limits::problems(architecture, name, &ours, &theirs));
                    printed.add_row(ours.row(name, &theirs));
                    markdown.add_row(ours.row(&format!("`{name}`"), &theirs));
                }
                (ours, theirs) => {
                    let errors = [ours, theirs].into_iter().filter_map(Result::err);
                    problems.extend(errors.map(|error| format!("{error:#}")));
                }
            }
        }
        println!("{printed}");
        tables.push(markdown);
    }
    limits::notes().for_each(|note| println!("{note}"));
    ensure!(problems.is_empty(), "executed code:\n{}", problems.join("\n"));
    page.map_or(Ok(()), |page| hold(workspace, page, COMMAND, &tables))
}

/// A kernel of a code object, and what it is launched with.
struct Kernel<'k> {
    code_object: &'k Path,
    architecture: &'k str,
    name: &'k str,
    workgroup_bytes: u32,
    arguments: &'k [Argument],
}

/// What a launch executes, if its results are right.
fn executed(
    clang: &Clang,
    counter: &mut Counter,
    kernel: &Kernel<'_>,
    case: &Case,
) -> anyhow::Result<Executed> {
    let parameters = parameters::parameters(&clang.notes(kernel.code_object)?);
    let parameters =
        parameters.get(kernel.name).with_context(|| format!("there is no kernel {}", kernel.name))?;
    let packed = parameters::pack(parameters, kernel.arguments, case)?;
    let outcome = counter.launch(kernel, &packed, case)?;
    case.check(&outcome.buffers).context("a wrong result")?;
    Ok(outcome.executed)
}
