//! `cargo xtask suites`: suites of others, run on the emulated CUDA driver and compared with tables of what passes.
//!
//! Each suite is installed below `target/` at the version that its table is of. Its modules run two at a time, each with a limit,
//! once for each of [`CHECKS`]. A test that does worse than its row is a failure; one that does better is said.

mod cudarc;
mod instructions;
mod libraries;
mod numba;
mod outcome;
mod run_module;
mod table;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use itertools::Itertools;

use crate::workspace::Workspace;
use crate::{emulated_cuda, threads};

use crate::call::{Call, library_path};
use outcome::Outcomes;
use run_module::{Files, to_the_end};
use table::Table;

/// How findings of the emulator are taken, the columns of all tables.
const CHECKS: [&str; 2] = ["warn", "error"];

/// The tables, the programs that run parts of suites, and what we bring ourselves.
const FOLDER: &str = "emulator/suites";

#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Writes the tables anew, with the reasons that they have.
    #[arg(long)]
    write: bool,
    /// Runs only this suite.
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Runs only modules whose names contain this, and writes nothing.
    #[arg(long, value_name = "WORD", conflicts_with = "write")]
    module: Option<String>,
    /// Takes what modules did that an earlier run came to the end of.
    #[arg(long)]
    resume: bool,
    /// Uses the driver that lies in this folder, and builds none.
    #[arg(long, value_name = "DIR")]
    driver: Option<PathBuf>,
}

/// A suite of others.
struct Suite {
    /// The name of its table, too.
    name: &'static str,
    /// The table's heading, with the version.
    title: &'static str,
    /// What the table says of it before the rows.
    about: &'static str,
    /// Installs it and says which parts it has.
    prepare: fn(&Setup<'_>) -> anyhow::Result<Prepared>,
}

/// A suite that is installed.
struct Prepared {
    modules: Vec<String>,
    run: Box<Run>,
}

/// Runs a module, which is the second argument, with findings taken as the first says.
type Run = dyn Fn(&str, &str) -> anyhow::Result<Outcomes> + Sync;

/// What suites are given.
struct Setup<'a> {
    workspace: &'a Workspace,
    /// Folder of the emulated driver.
    driver: PathBuf,
    /// Whether outcomes of an earlier run are taken.
    resume: bool,
}

impl Setup<'_> {
    /// Where a suite is installed, and what its runs leave.
    fn folder(&self, suite: &Suite) -> PathBuf {
        self.workspace.target("suites").join(suite.name)
    }

    /// A program that finds the emulated driver, and other libraries before it.
    fn call(&self, program: impl Into<OsString>, libraries: &[&Path]) -> anyhow::Result<Call> {
        let path = library_path(&[libraries, &[&self.driver]].concat())?;
        Ok(Call::new(self.workspace, program).variable("LD_LIBRARY_PATH", path))
    }

    /// A suite whose modules a program of ours runs, which is told where the outcomes go. `python` is what runs it for a module, and
    /// what else it is told.
    fn prepared(
        &self,
        suite: &Suite,
        program: &str,
        modules: Vec<String>,
        python: impl Fn(&str) -> anyhow::Result<(Call, Vec<OsString>)> + Sync + 'static,
    ) -> Prepared {
        let (folder, program) = (self.folder(suite), self.workspace.root.join(FOLDER).join(program));
        let resume = self.resume;
        let run = move |checks: &str, module: &str| {
            let files = Files::new(&folder, checks, module, resume)?;
            let (call, told) = python(module)?;
            let call = call.variable("GRIDWRIGHT_EMULATOR_CHECKS", checks);
            to_the_end(&files, &call.arguments([&program, &files.outcomes]).arguments(told))
        };
        Prepared { modules, run: Box::new(run) }
    }
}

const SUITES: &[Suite] = &[numba::SUITE, cudarc::SUITE, libraries::SUITE, instructions::SUITE];

/// The step: all suites, compared with their tables.
///
/// # Errors
/// Where a test does worse than its row, or a suite can't be had.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    run(workspace, &Options::default())
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the emulated driver is built for Linux");
        return Ok(());
    }
    let driver = match &options.driver {
        Some(folder) => std::path::absolute(folder)?,
        None => emulated_cuda::lay_out(workspace, None)?,
    };
    let setup = Setup { workspace, driver, resume: options.resume };
    let is_wanted = |suite: &&Suite| options.suite.as_deref().is_none_or(|name| name == suite.name);
    let wanted: Vec<_> = SUITES.iter().filter(is_wanted).collect();
    ensure!(!wanted.is_empty(), "the suites are {}", SUITES.iter().map(|suite| suite.name).join(", "));
    let mut worse = 0;
    for suite in wanted {
        worse += suite.run(&setup, options).with_context(|| format!("the suite {}", suite.name))?;
    }
    ensure!(worse == 0, "{worse} rows of suites got worse");
    Ok(())
}

impl Suite {
    /// Runs it; answers how many rows got worse.
    fn run(&self, setup: &Setup<'_>, options: &Options) -> anyhow::Result<usize> {
        let mut prepared = (self.prepare)(setup)?;
        if let Some(word) = &options.module {
            prepared.modules.retain(|module| module.contains(word.as_str()));
        }
        let modules = prepared.modules.iter().map(String::as_str);
        let runs: Vec<(&str, &str)> = CHECKS.into_iter().cartesian_product(modules).collect();
        let outcomes = threads::each(2, &runs, |(checks, module)| (prepared.run)(checks, module))?;
        let mut found = Table::default();
        for ((checks, module), outcomes) in runs.iter().zip(outcomes) {
            found.add(checks, module, outcomes);
        }
        for checks in CHECKS {
            println!("{} with findings as {checks}: {}", self.name, found.total(checks));
        }
        let path = setup.workspace.root.join(FOLDER).join(format!("{}.md", self.name));
        if options.write {
            found.reasons = table_or_none(&path)?.map(|table| table.reasons).unwrap_or_default();
            found.write(&path, self.title, self.about)?;
            return Ok(0);
        }
        let known = table_or_none(&path)?.with_context(|| format!("there is no {}", path.display()))?;
        let differences = table::compare(&known, &found);
        differences.better.iter().for_each(|line| println!("better: {line}"));
        if !differences.better.is_empty() {
            println!("`cargo xtask suites --suite {} --write` puts it into the table", self.name);
        }
        differences.worse.iter().for_each(|line| println!("WORSE: {line}"));
        Ok(differences.worse.len())
    }
}

fn table_or_none(path: &Path) -> anyhow::Result<Option<Table>> {
    if !path.exists() {
        return Ok(None);
    }
    Table::read(&fs_err::read_to_string(path)?).with_context(|| format!("in {}", path.display())).map(Some)
}
