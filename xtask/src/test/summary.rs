//! The table at the end.

use std::time::Duration;

use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;

use crate::test::areas::{Area, Checks};
use crate::test::steps::{Job, Step};

#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Passed(Duration),
    Failed(Duration),
    NotRun,
}

#[derive(Default)]
pub(super) struct Summary(Vec<(&'static str, Outcome)>);

impl Summary {
    pub(super) fn add(&mut self, job: &Job, outcome: Outcome) {
        self.0.push((job.name, outcome));
    }

    pub(super) fn table(&self) -> Table {
        let mut table = empty(["step", "result", "time"]);
        for (name, outcome) in &self.0 {
            let (result, time) = match outcome {
                Outcome::Passed(time) => ("passed", Some(time)),
                Outcome::Failed(time) => ("FAILED", Some(time)),
                Outcome::NotRun => ("not run", None),
            };
            let time = time.map_or_else(String::new, |time| format!("{:.1} s", time.as_secs_f64()));
            table.add_row([*name, result, &time]);
        }
        table
    }

    /// The steps, counted. Those that did not run count as nothing.
    pub(super) fn line(&self) -> String {
        let passed = self.0.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Passed(_))).count();
        let failed = self.0.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_))).count();
        format!("{passed} passed, {failed} failed")
    }
}

pub(super) fn list(steps: &[Step]) -> Table {
    let mut table = empty(["step", "what it checks", "when"]);
    for step in steps {
        table.add_row([step.name, step.what, if step.long { "--full" } else { "always" }]);
    }
    table
}

/// What each area runs, as its checks say.
pub(super) fn areas(areas: &[Area]) -> Table {
    let mut table = empty(["area", "files", "what runs after a change"]);
    for area in areas {
        let what = match area.checks {
            Checks::All => "everything".to_owned(),
            Checks::OwnTest => "the test itself".to_owned(),
            Checks::OwnSample => "the sample itself".to_owned(),
            Checks::Some { units, tests, steps } => {
                let units = units.iter().map(|package| format!("unit tests of {package}"));
                let others = tests.iter().chain(steps).map(|name| (*name).to_owned());
                units.chain(others).collect::<Vec<_>>().join(", ")
            }
        };
        table.add_row([area.name, &area.paths.join("\n"), &what]);
    }
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table
}

fn empty(header: [&str; 3]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    table
}
