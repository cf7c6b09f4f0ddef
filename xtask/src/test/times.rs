//! How long the steps of a whole run took: as a file below `target`, and, of the run that is kept, as a record with a table in the book.

use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, ensure};
use fs_err as fs;
use itertools::Itertools;
use serde::{Deserialize, Serialize};

use super::steps::STEPS;
use super::summary::{Summary, seconds};
use crate::book::output;
use crate::table::{self, row};
use crate::workspace::{Workspace, today};

/// The record that is kept, and the page that shows it.
const KEPT: &str = "bench-results/test-steps.json";
const PAGE: &str = "book/src/contributing.md";

/// The file of the last run, in the folder of what is built.
const LAST: &str = "test-steps.json";

const COMMAND: &str = "cargo xtask test --keep-times";

/// A whole run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Times {
    /// Year, month and day, UTC.
    date: String,
    /// The commit of the sources, where git knows it.
    commit: Option<String>,
    /// Whether files differed from the commit.
    has_changes: bool,
    /// How many threads the machine runs at once.
    cores: usize,
    /// The project's variables that were set: what is skipped depends on them.
    variables: Vec<String>,
    steps: Vec<Timed>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Timed {
    name: String,
    what: String,
    result: String,
    wall_s: Option<f64>,
    cpu_s: Option<f64>,
}

impl Times {
    pub(super) fn of(workspace: &Workspace, summary: &Summary) -> Self {
        let steps = summary.steps().map(|step| {
            let time = step.outcome.time();
            let rounded = |time: Duration| (time.as_secs_f64() * 10.0).round() / 10.0;
            Timed {
                name: step.name.to_owned(),
                what: step.what.clone(),
                result: step.outcome.word().to_owned(),
                wall_s: time.map(|time| rounded(time.wall)),
                cpu_s: time.and_then(|time| time.cpu).map(rounded),
            }
        });
        let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let mut variables: Vec<_> = variables.filter(|name| name.starts_with("GRIDWRIGHT_")).collect();
        variables.sort();
        Self {
            date: today(),
            commit: workspace.git(&["rev-parse", "--short=12", "HEAD"]),
            has_changes: workspace.git(&["status", "--porcelain"]).is_some_and(|files| !files.is_empty()),
            cores: available_parallelism().map_or(1, usize::from),
            variables,
            steps: steps.collect(),
        }
    }

    /// Leaves the times where `--keep-times` finds them.
    pub(super) fn leave(&self, workspace: &Workspace) -> anyhow::Result<()> {
        Ok(fs::write(workspace.target(LAST), self.text()?)?)
    }

    fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// What a record has to be.
    fn check(&self) -> anyhow::Result<()> {
        let result = |name: &str| {
            let step = self.steps.iter().find(|step| step.name == name);
            step.map_or("not run", |step| step.result.as_str())
        };
        let always = STEPS.iter().filter(|step| !step.long).map(|step| step.name);
        let others = always.filter(|name| result(name) != "passed").join(", ");
        ensure!(others.is_empty(), "a record is of a run whose steps all passed, and these didn't: {others}");
        let skips = self.variables.iter().any(|name| name == "GRIDWRIGHT_SKIP_DEVICE");
        ensure!(!skips, "a record is of a run with GPU code, and GRIDWRIGHT_SKIP_DEVICE was set");
        Ok(())
    }

    /// The times as Markdown.
    fn page(&self) -> String {
        let commit = match &self.commit {
            Some(commit) if self.has_changes => format!(" at commit {commit} with changes"),
            Some(commit) => format!(" at commit {commit}"),
            None => String::new(),
        };
        let variables: Vec<_> = self.variables.iter().map(|name| format!("`{name}`")).collect();
        let variables = match &*variables {
            [] => "No variable of the project was set.".to_owned(),
            names => format!("Set were {}.", names.join(", ")),
        };
        let mut table = table::markdown("step | what it checks | seconds: | processor's seconds:");
        for Timed { name, what, wall_s, cpu_s, .. } in &self.steps {
            table.add_row(row![format!("`{name}`"), what, cell(*wall_s), cell(*cpu_s)]);
        }
        let sum = |of: fn(&Timed) -> Option<f64>| {
            let known: Vec<_> = self.steps.iter().filter_map(of).collect();
            cell((!known.is_empty()).then(|| known.iter().sum()))
        };
        table.add_row(row!["all", "", sum(|step| step.wall_s), sum(|step| step.cpu_s)]);
        let cores = self.cores;
        format!("On {}, on {cores} cores{commit}. {variables}\n\n{table}\n", self.date)
    }
}

fn cell(time: Option<f64>) -> String {
    time.map_or_else(String::new, seconds)
}

/// Keeps the times of the last whole run, and shows them in the book.
///
/// # Errors
/// Where there is no such run, or where it isn't one to keep.
pub(super) fn keep(workspace: &Workspace) -> anyhow::Result<()> {
    let path = workspace.target(LAST);
    let text = fs::read_to_string(&path).context("run `cargo xtask test` first")?;
    let times: Times = serde_json::from_str(&text)
        .with_context(|| format!("{} isn't of this version: run `cargo xtask test` again", path.display()))?;
    times.check()?;
    let page = fs::read_to_string(workspace.root.join(PAGE))?;
    let page = put(&page, Some(&times))?;
    for (name, text) in [(KEPT, times.text()?), (PAGE, page)] {
        fs::write(workspace.root.join(name), text)?;
        println!("wrote {name}");
    }
    Ok(())
}

/// What is wrong with the page.
///
/// # Errors
/// Where the record can't be read, or the page has no place for it.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let record = root.join(KEPT);
    let record = record.exists().then(|| fs::read_to_string(record)).transpose()?;
    let times = record.as_deref().map(serde_json::from_str).transpose();
    let times: Option<Times> = times.with_context(|| format!("{KEPT} isn't a record of times"))?;
    let page = fs::read_to_string(root.join(PAGE))?;
    let is_right = page == put(&page, times.as_ref())?;
    let wrong = format!(
        "the times in {PAGE} aren't those of {KEPT}: take the edit back, or keep a new run with `cargo xtask test --keep-times`"
    );
    Ok(if is_right { Vec::new() } else { vec![wrong] })
}

/// The page with these times in their place.
fn put(page: &str, times: Option<&Times>) -> anyhow::Result<String> {
    let shown = times.map_or_else(
        || "No run is kept yet: `cargo xtask test`, then `cargo xtask test --keep-times`.\n".into(),
        Times::page,
    );
    output::replace(page, COMMAND, |_| Ok(format!("\n{shown}\n"))).with_context(|| format!("in {PAGE}"))
}

#[cfg(test)]
mod tests {
    use super::{COMMAND, KEPT, PAGE, STEPS, Timed, Times, check, fs, put};
    use crate::table::rows;

    fn times() -> Times {
        let timed = |name: &str| {
            let [name, what, result] = [name, "what it checks", "passed"].map(String::from);
            Timed { name, what, result, wall_s: Some(10.0), cpu_s: Some(20.5) }
        };
        let always = STEPS.iter().filter(|step| !step.long);
        Times {
            date: "2026-01-02".into(),
            commit: Some("0123456789ab".into()),
            has_changes: false,
            cores: 8,
            variables: vec!["GRIDWRIGHT_REQUIRE_DEVICE".into()],
            steps: always.map(|step| timed(step.name)).collect(),
        }
    }

    #[test]
    fn a_page_shows_each_step_and_their_sum() {
        let mut times = times();
        times.steps.truncate(2);
        let page = times.page();
        let head =
            "On 2026-01-02, on 8 cores at commit 0123456789ab. Set were `GRIDWRIGHT_REQUIRE_DEVICE`.\n\n|";
        assert!(page.starts_with(head), "{page}");
        assert_eq!(rows(&page, "`fmt`"), ["`fmt` | what it checks | 10.0 | 20.5"]);
        assert_eq!(rows(&page, "all"), ["all |  | 20.0 | 41.0"]);
        // Where the system knows no time of processors.
        times.steps.iter_mut().for_each(|step| step.cpu_s = None);
        assert_eq!(rows(&times.page(), "all"), ["all |  | 20.0 | "]);
    }

    #[test]
    fn only_a_run_whose_steps_all_passed_is_kept() {
        times().check().unwrap();
        let mut failed = times();
        failed.steps[1].result = "FAILED".into();
        failed.steps.pop();
        let error = failed.check().unwrap_err().to_string();
        assert!(error.ends_with("these didn't: tidy, fuzz"), "{error}");
        let mut skipped = times();
        skipped.variables.push("GRIDWRIGHT_SKIP_DEVICE".into());
        assert!(skipped.check().unwrap_err().to_string().contains("GRIDWRIGHT_SKIP_DEVICE"));
    }

    #[test]
    fn a_page_that_is_not_of_the_record_is_found() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(PAGE, "# Title\n");
        assert!(check(root.path()).is_err());
        let empty =
            format!("# Title\n<!-- the output of `{COMMAND}` -->\n<!-- the end of that output -->\nrest\n");
        let without = put(&empty, None).unwrap();
        write(PAGE, &without);
        assert!(check(root.path()).unwrap().is_empty());
        write(KEPT, &times().text().unwrap());
        assert_eq!(check(root.path()).unwrap().len(), 1);
        let with = put(&without, Some(&times())).unwrap();
        write(PAGE, &with);
        assert!(check(root.path()).unwrap().is_empty());
        assert!(with.starts_with("# Title\n") && with.ends_with("rest\n"), "{with}");
        assert_eq!(put(&with, None).unwrap(), without);
        write(KEPT, "{}");
        assert!(check(root.path()).is_err());
    }
}
