//! `cargo xtask test`: every check, in steps, up to the first that fails.

mod areas;
mod bundle;
mod changes;
mod comm;
mod conformance;
pub(crate) mod cuda;
mod device;
pub(crate) mod devices;
pub(crate) mod examples;
mod families;
mod hip;
mod hip_runtime;
mod library;
mod machines;
mod nccl;
mod numbers;
mod packages;
mod processor;
mod selection;
mod steps;
mod summary;
pub(crate) mod times;

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use itertools::Itertools;

use crate::workspace::Workspace;
pub(crate) use device::{AMD_EMULATOR, amd_python};
pub(crate) use examples::{SMALL, available_isas};
pub(crate) use hip::{
    ARCHITECTURES as AMD_ARCHITECTURES, LIBRARY as HIP_LIBRARY, variables as hip_variables,
};
use selection::Selection;
use steps::{Job, STEPS, Step};
use summary::{Outcome, Start, Summary};
use times::Times;

#[derive(Args)]
pub(crate) struct Options {
    /// Runs the steps that take long, too.
    #[arg(long)]
    full: bool,
    /// Runs only this step; give it again for more.
    #[arg(long = "step", value_name = "NAME")]
    steps: Vec<String>,
    /// Runs only what a change since this commit can break, with what isn't committed yet.
    #[arg(long, value_name = "REF", num_args = 0..=1, default_missing_value = "HEAD", conflicts_with_all = ["full", "steps"])]
    changed: Option<String>,
    /// Runs only what a change in this part of the repository can break.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["full", "steps", "changed"])]
    area: Option<String>,
    /// Only tests of the area with one of these words in their names; of `samples`, `tests` and `ui` which.
    #[arg(value_name = "FILTER", requires = "area")]
    filters: Vec<String>,
    /// Runs nothing, and keeps how long the steps of the last whole run took: in bench-results/ and in the book.
    #[arg(long, conflicts_with_all = ["full", "steps", "changed", "area", "list"])]
    keep_times: bool,
    /// Says which steps and areas there are.
    #[arg(long)]
    list: bool,
}

impl Options {
    /// Whether the command runs all that always runs.
    fn is_whole(&self) -> bool {
        self.steps.is_empty() && self.changed.is_none() && self.area.is_none()
    }
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<ExitCode> {
    if options.list {
        println!("{}", summary::list(STEPS));
        println!("{}", summary::areas(areas::AREAS));
        return Ok(ExitCode::SUCCESS);
    }
    if options.keep_times {
        times::keep(workspace)?;
        return Ok(ExitCode::SUCCESS);
    }
    let steps = chosen(workspace, options)?;
    let mut summary = Summary::default();
    let mut failure = None;
    for (number, step) in steps.iter().enumerate() {
        if failure.is_some() {
            summary.add(step, Outcome::NotRun);
            continue;
        }
        let head = format!("[{}/{}] {}", number + 1, steps.len(), step.name);
        println!("\n{head}: {}", step.what);
        let start = Start::now();
        let result = (step.run)(workspace);
        let time = start.time();
        match result {
            Ok(()) => {
                println!("{head} passed in {:.1} s", time.wall.as_secs_f64());
                summary.add(step, Outcome::Passed(time));
            }
            Err(error) => {
                summary.add(step, Outcome::Failed(time));
                failure = Some((step, error));
            }
        }
    }
    println!("\n{}", summary.table());
    if options.is_whole() {
        Times::of(workspace, &summary).leave(workspace)?;
    }
    if let Some((step, error)) = &failure {
        println!("{} failed: {error:#}", step.name);
        println!("the step alone: cargo xtask test --step {}", step.name);
    }
    // CI reads the last line.
    println!("{}", summary.line());
    Ok(if failure.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn chosen(workspace: &Workspace, options: &Options) -> anyhow::Result<Vec<Job>> {
    if let Some(reference) = &options.changed {
        return Ok(Selection::changed(workspace, reference)?.jobs());
    }
    if let Some(area) = &options.area {
        return Ok(Selection::area(workspace, area, &options.filters)?.jobs());
    }
    if options.steps.is_empty() {
        return Ok(STEPS.iter().filter(|step| options.full || !step.long).map(Step::job).collect());
    }
    if options.full {
        bail!("--full and --step don't go together: --step runs long steps too");
    }
    let named = |name: &String| {
        let step = STEPS.iter().find(|step| step.name == name).map(Step::job);
        step.with_context(|| {
            format!("no step `{name}`; there are {}", STEPS.iter().map(|step| step.name).format(", "))
        })
    };
    options.steps.iter().map(named).collect()
}
