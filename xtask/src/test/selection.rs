//! What is left of the test command for a change: unit tests of some packages, some targets of tests, some samples, some steps.

use std::collections::BTreeSet;

use anyhow::{Context, bail, ensure};
use cargo_metadata::Target;
use itertools::Itertools;

use super::areas::{self, AREAS, Area, Checks};
use super::steps::{self, Job, STEPS, Step};
use super::{changes, examples, families};
use crate::images::EXAMPLES;
use crate::workspace::Workspace;

/// Parts of the test command.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Selection {
    /// A file of no area, because of which all runs that always runs.
    pub(super) all_because_of: Option<String>,
    pub(super) units: BTreeSet<&'static str>,
    pub(super) tests: BTreeSet<String>,
    /// Families of the UI tests, where not all of them run.
    pub(super) families: BTreeSet<String>,
    pub(super) samples: BTreeSet<String>,
    pub(super) steps: BTreeSet<&'static str>,
    /// Parts of tests' names.
    pub(super) filters: Vec<String>,
}

impl Selection {
    /// The selection for what differs from a commit.
    pub(super) fn changed(workspace: &Workspace, reference: &str) -> anyhow::Result<Self> {
        let files = changes::since(&workspace.root, reference)?;
        let mut selection = Self::default();
        files.iter().for_each(|file| selection.add_file(file));
        selection.complete_families(|family| families::exists(workspace, family));
        Ok(selection)
    }

    /// The selection for an area, by name.
    ///
    /// # Errors
    /// If there is no such area: with the list of them. Of `samples` and `tests`, names have to be given; those of `ui` have to be there.
    pub(super) fn area(workspace: &Workspace, name: &str, filters: &[String]) -> anyhow::Result<Self> {
        let names = AREAS.iter().map(|area| area.name).format(", ");
        let area = AREAS.iter().find(|area| area.name == name);
        let area = area.with_context(|| format!("no area `{name}`; there are {names}"))?;
        let mut selection = Self::default();
        match area.checks {
            Checks::OwnTest | Checks::OwnSample if filters.is_empty() => {
                bail!(
                    "`--area {name}` needs the names of some, as in `--area samples scan` or `--area tests conformance`"
                );
            }
            Checks::OwnTest => {
                let packages = &workspace.metadata.packages;
                let targets = packages.iter().flat_map(|package| &package.targets);
                known("test", targets.filter(|target| target.is_test()), filters)?;
                selection.tests.extend(filters.iter().cloned());
            }
            Checks::OwnSample => {
                let targets = workspace.member(EXAMPLES)?.targets.iter();
                known("sample", targets.filter(|target| target.is_bin()), filters)?;
                selection.samples.extend(filters.iter().cloned());
            }
            Checks::OwnFamily => {
                families::check(workspace, filters)?;
                selection.families.extend(filters.iter().cloned());
                if filters.is_empty() {
                    selection.tests.insert(families::TEST.to_owned());
                }
            }
            Checks::All | Checks::Some { .. } => {
                selection.add(area, area.name);
                selection.filters = filters.to_vec();
            }
        }
        Ok(selection)
    }

    fn add_file(&mut self, file: &str) {
        match areas::of(file) {
            Some(area) => self.add(area, file),
            None => self.all_because_of = Some(file.to_owned()),
        }
    }

    fn add(&mut self, area: &Area, file: &str) {
        match area.checks {
            Checks::All => self.all_because_of = Some(file.to_owned()),
            Checks::Some { units, tests, steps } => {
                self.units.extend(units.split_whitespace());
                self.tests.extend(tests.split_whitespace().map(str::to_owned));
                self.steps.extend(steps.split_whitespace());
            }
            Checks::OwnTest => self.tests.extend(areas::target(file).map(str::to_owned)),
            Checks::OwnSample => self.samples.extend(areas::target(file).map(str::to_owned)),
            Checks::OwnFamily => match families::of(file) {
                Some(family) => _ = self.families.insert(family.to_owned()),
                None => _ = self.tests.insert(families::TEST.to_owned()),
            },
        }
    }

    /// Chooses all UI tests where they run anyway, or where a family is gone.
    fn complete_families(&mut self, exists: impl Fn(&str) -> bool) {
        if self.families.iter().any(|family| !exists(family)) {
            self.tests.insert(families::TEST.to_owned());
        }
        if self.tests.contains(families::TEST) {
            self.families.clear();
        }
    }

    /// The jobs of the selection, in the order of the steps.
    pub(super) fn jobs(self) -> Vec<Job> {
        if let Some(file) = &self.all_because_of {
            println!("everything, because of {file}");
            return STEPS.iter().filter(|step| !step.long).map(Step::job).collect();
        }
        let of = |is_in: &dyn Fn(&str) -> bool| {
            STEPS.iter().filter(|step| is_in(step.name)).map(Step::job).collect()
        };
        let mut jobs: Vec<_> = of(&|name| ["fmt", "tidy"].contains(&name));
        let steps: Vec<_> = of(&|name| self.steps.contains(name));
        let (samples, families) = (self.samples.clone(), self.families.clone());
        if !self.units.is_empty() || !self.tests.is_empty() {
            let units = self.units.iter().map(|package| format!("unit tests of {package}"));
            let what = units.chain(self.tests.iter().cloned()).join(", ");
            jobs.push(Job::new("test", what, move |workspace| steps::some_tests(workspace, &self)));
        }
        if !families.is_empty() {
            let what = format!("UI tests: {}", families.iter().join(", "));
            jobs.push(Job::new("test", what, move |workspace| families::run(workspace, &families)));
        }
        if !samples.is_empty() {
            let what = samples.iter().join(", ");
            jobs.push(Job::new("examples", what, move |workspace| examples::named(workspace, &samples)));
        }
        jobs.extend(steps);
        jobs
    }

    /// The tests as nextest's expression.
    pub(super) fn expression(&self) -> String {
        let kinds = "(kind(lib) + kind(proc-macro) + kind(bin))";
        let units = self.units.iter().map(|package| format!("(package(={package}) & {kinds})"));
        units.chain(self.tests.iter().map(|test| format!("(binary(={test}) & kind(test))"))).join(" + ")
    }

    /// The targets to build, as arguments of cargo.
    pub(super) fn targets(&self, workspace: &Workspace) -> anyhow::Result<Vec<String>> {
        let mut has_lib = false;
        let mut bins = BTreeSet::new();
        for package in &self.units {
            let own = &workspace.member(package)?.targets;
            has_lib |= own.iter().any(|target| target.is_lib() || target.is_proc_macro());
            bins.extend(own.iter().filter(|target| target.is_bin()).map(|target| target.name.clone()));
        }
        let mut targets: Vec<String> = has_lib.then(|| "--lib".to_owned()).into_iter().collect();
        targets.extend(bins.into_iter().flat_map(|name| ["--bin".to_owned(), name]));
        targets.extend(self.tests.iter().flat_map(|test| ["--test".to_owned(), test.clone()]));
        Ok(targets)
    }
}

/// Fails at a name that no target has, with the names that there are.
fn known<'t>(kind: &str, targets: impl Iterator<Item = &'t Target>, names: &[String]) -> anyhow::Result<()> {
    let all: BTreeSet<&str> = targets.map(|target| target.name.as_str()).collect();
    for name in names {
        ensure!(all.contains(name.as_str()), "no {kind} `{name}`; there are {}", all.iter().format(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Job, Selection};
    use crate::workspace::Workspace;

    fn of(files: &[&str]) -> Selection {
        let mut selection = Selection::default();
        files.iter().for_each(|file| selection.add_file(file));
        selection.complete_families(|family| family != "gone");
        selection
    }

    fn area(name: &str, filters: &[&str]) -> anyhow::Result<Selection> {
        let filters: Vec<_> = filters.iter().map(|filter| (*filter).to_owned()).collect();
        Selection::area(&Workspace::find()?, name, &filters)
    }

    fn names(jobs: &[Job]) -> Vec<&str> {
        jobs.iter().map(|job| job.name).collect()
    }

    #[test]
    fn a_change_is_checked_by_what_it_can_break() {
        let math = of(&["kernel-math/src/math/power.rs"]);
        assert_eq!(
            math.expression(),
            "(package(=gridwright-math) & (kind(lib) + kind(proc-macro) + kind(bin))) + (binary(=math) & kind(test))"
        );
        assert_eq!(names(&math.jobs()), ["fmt", "tidy", "test"]);
        assert_eq!(
            names(&of(&["host/src/backend/gpu/driver/hip/mod.rs"]).jobs()),
            ["fmt", "tidy", "test", "cuda", "hip"]
        );
        assert_eq!(names(&of(&["examples/src/bin/scan.rs"]).jobs()), ["fmt", "tidy", "examples"]);
        assert_eq!(names(&of(&[]).jobs()), ["fmt", "tidy"]);
    }

    #[test]
    fn what_is_of_no_area_can_break_everything() {
        for file in ["Cargo.lock", "kernel-core/src/lib.rs", "examples/build.rs"] {
            let jobs = of(&["cli/src/main.rs", file]).jobs();
            assert!(names(&jobs).contains(&"fuzz") && !names(&jobs).contains(&"hip-examples"), "{file}");
        }
    }

    #[test]
    fn an_area_that_is_not_there_is_told_with_those_that_are() {
        let error = area("hots", &[]).unwrap_err().to_string();
        assert!(error.starts_with("no area `hots`; there are core, image, derive"), "{error}");
        assert!(area("tests", &[]).is_err());
        assert_eq!(
            area("tests", &["conformance"]).unwrap().expression(),
            "(binary(=conformance) & kind(test))"
        );
        assert_eq!(area("host", &["graph"]).unwrap().filters, ["graph"]);
    }

    #[test]
    fn a_test_or_a_sample_that_is_not_there_is_told_with_those_that_are() {
        let error = area("tests", &["attacks", "gruops"]).unwrap_err().to_string();
        assert!(error.starts_with("no test `gruops`; there are ") && error.contains("attacks, "), "{error}");
        let error = area("samples", &["scna"]).unwrap_err().to_string();
        assert!(error.starts_with("no sample `scna`; there are ") && error.contains("scan, "), "{error}");
        assert!(area("samples", &["scan"]).unwrap().samples.contains("scan"));
    }

    #[test]
    fn a_family_of_ui_tests_is_checked_alone() {
        let views = area("ui", &["views"]).unwrap();
        assert!(views.tests.is_empty() && views.families.contains("views"));
        assert_eq!(of(&["tests/ui/views/view_leaked.stderr"]), views);
        assert_eq!(names(&views.jobs()), ["fmt", "tidy", "test"]);
        assert!(area("ui", &[]).unwrap().tests.contains("ui"));
        let error = area("ui", &["viws"]).unwrap_err().to_string();
        assert!(error.starts_with("no family `viws` of UI tests; there are attributes, "), "{error}");
    }

    #[test]
    fn where_all_ui_tests_run_no_family_runs_again() {
        let view = "tests/ui/views/view_leaked.rs";
        for other in ["tests/ui.rs", "kernel-derive/src/lib.rs", "tests/ui/gone/last.rs"] {
            let selection = of(&[view, other]);
            assert!(selection.tests.contains("ui") && selection.families.is_empty(), "{other}");
        }
    }
}
