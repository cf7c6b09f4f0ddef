//! What is left of the test command for a change: unit tests of some packages, some targets of tests, some samples, some steps.

use std::collections::BTreeSet;

use anyhow::{Context, bail};

use super::areas::{self, AREAS, Area, Checks};
use super::steps::{self, STEPS};
use super::{changes, examples};
use crate::workspace::Workspace;

/// Parts of the test command.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Selection {
    /// A file of no area: all that always runs.
    pub(super) all_because_of: Option<String>,
    pub(super) units: BTreeSet<&'static str>,
    pub(super) tests: BTreeSet<String>,
    pub(super) samples: BTreeSet<String>,
    pub(super) steps: BTreeSet<&'static str>,
    /// Parts of tests' names.
    pub(super) filters: Vec<String>,
}

impl Selection {
    /// For what differs from a commit.
    ///
    /// # Errors
    /// Where git can't say what that is.
    pub(super) fn changed(workspace: &Workspace, reference: &str) -> anyhow::Result<Self> {
        let files = changes::since(workspace, reference)?;
        let mut selection = Self::default();
        files.iter().for_each(|file| selection.add_file(file));
        Ok(selection)
    }

    /// For an area, by name.
    ///
    /// # Errors
    /// If there is no such area: with the list of them. Of `samples` and `tests`, names have to be given.
    pub(super) fn area(name: &str, filters: &[String]) -> anyhow::Result<Self> {
        let names = || AREAS.iter().map(|area| area.name).collect::<Vec<_>>().join(", ");
        let area = AREAS.iter().find(|area| area.name == name);
        let area = area.with_context(|| format!("no area `{name}`; there are {}", names()))?;
        let mut selection = Self::default();
        match area.checks {
            Checks::OwnTest | Checks::OwnSample if filters.is_empty() => {
                bail!(
                    "`--area {name}` needs the names of some, as in `--area samples scan` or `--area tests conformance`"
                );
            }
            Checks::OwnTest => selection.tests.extend(filters.iter().cloned()),
            Checks::OwnSample => selection.samples.extend(filters.iter().cloned()),
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
                self.units.extend(units);
                self.tests.extend(tests.iter().map(|test| (*test).to_owned()));
                self.steps.extend(steps);
            }
            Checks::OwnTest => self.tests.extend(areas::target(file).map(str::to_owned)),
            Checks::OwnSample => self.samples.extend(areas::target(file).map(str::to_owned)),
        }
    }

    /// The jobs of it, in the order of the steps.
    pub(super) fn jobs(self) -> Vec<steps::Job> {
        let always = ["fmt", "tidy"];
        if let Some(file) = &self.all_because_of {
            println!("everything, because of {file}");
            return STEPS.iter().filter(|step| !step.long).map(steps::Step::job).collect();
        }
        let named = |name: &str| STEPS.iter().find(|step| step.name == name).map(steps::Step::job);
        let mut jobs: Vec<_> = always.iter().filter_map(|name| named(name)).collect();
        let steps = STEPS.iter().filter(|step| self.steps.contains(step.name)).map(steps::Step::job);
        let steps: Vec<_> = steps.collect();
        let samples = self.samples.clone();
        if !self.units.is_empty() || !self.tests.is_empty() {
            jobs.push(steps::Job::new("test", self.describe(), move |workspace| {
                steps::some_tests(workspace, &self)
            }));
        }
        if !samples.is_empty() {
            let what = samples.iter().cloned().collect::<Vec<_>>().join(", ");
            jobs.push(steps::Job::new("examples", what, move |workspace| {
                examples::named(workspace, &samples)
            }));
        }
        jobs.extend(steps);
        jobs
    }

    fn describe(&self) -> String {
        let units = self.units.iter().map(|package| format!("unit tests of {package}"));
        units.chain(self.tests.iter().cloned()).collect::<Vec<_>>().join(", ")
    }

    /// The tests as nextest's expression.
    pub(super) fn expression(&self) -> String {
        let units = self
            .units
            .iter()
            .map(|package| format!("(package(={package}) & (kind(lib) + kind(proc-macro) + kind(bin)))"));
        let tests = self.tests.iter().map(|test| format!("(binary(={test}) & kind(test))"));
        units.chain(tests).collect::<Vec<_>>().join(" + ")
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

#[cfg(test)]
mod tests {
    use super::Selection;

    fn of(files: &[&str]) -> Selection {
        let mut selection = Selection::default();
        files.iter().for_each(|file| selection.add_file(file));
        selection
    }

    fn names(jobs: &[super::steps::Job]) -> Vec<&str> {
        jobs.iter().map(|job| job.name).collect()
    }

    #[test]
    fn a_change_is_checked_by_what_it_can_break() {
        let math = of(&["device/src/math/exp.rs"]);
        assert_eq!(
            math.expression(),
            "(package(=gridwright-device) & (kind(lib) + kind(proc-macro) + kind(bin))) + (binary(=math) & kind(test))"
        );
        assert_eq!(names(&math.jobs()), ["fmt", "tidy", "test"]);
        assert_eq!(
            names(&of(&["host/src/backend/hip/mod.rs"]).jobs()),
            ["fmt", "tidy", "test", "cuda", "hip"]
        );
        assert_eq!(names(&of(&["examples/src/bin/scan.rs"]).jobs()), ["fmt", "tidy", "examples"]);
        assert_eq!(names(&of(&[]).jobs()), ["fmt", "tidy"]);
    }

    #[test]
    fn what_is_of_no_area_can_break_everything() {
        for file in ["Cargo.lock", "kernel-core/src/lib.rs", "examples/build.rs"] {
            let jobs = of(&["cli/src/main.rs", file]).jobs();
            assert!(names(&jobs).contains(&"features") && !names(&jobs).contains(&"hip-examples"), "{file}");
        }
    }

    #[test]
    fn an_area_that_is_not_there_is_told_with_those_that_are() {
        let error = Selection::area("hots", &[]).unwrap_err().to_string();
        assert!(error.starts_with("no area `hots`; there are core, image, derive"), "{error}");
        assert!(Selection::area("tests", &[]).is_err());
        let suite = Selection::area("tests", &["conformance".to_owned()]).unwrap();
        assert_eq!(suite.expression(), "(binary(=conformance) & kind(test))");
        let host = Selection::area("host", &["graph".to_owned()]).unwrap();
        assert_eq!(host.filters, ["graph"]);
    }
}
