//! The table at the end.

use std::time::{Duration, Instant};

use comfy_table::Table;
use itertools::Itertools;

use crate::table::{self, row};
use crate::test::areas::{Area, Checks};
use crate::test::processor;
use crate::test::steps::{Job, Step};

/// How long a step took.
#[derive(Clone, Copy, Default)]
pub(super) struct Time {
    pub(super) wall: Duration,
    /// Time of all processors, where the system says it.
    pub(super) cpu: Option<Duration>,
}

/// A beginning to measure from.
pub(super) struct Start {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Start {
    pub(super) fn now() -> Self {
        Self { wall: Instant::now(), cpu: processor::time() }
    }

    pub(super) fn time(&self) -> Time {
        let cpu = self.cpu.zip(processor::time()).map(|(start, end)| end.saturating_sub(start));
        Time { wall: self.wall.elapsed(), cpu }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Passed(Time),
    Failed(Time),
    NotRun,
}

impl Outcome {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Passed(_) => "passed",
            Self::Failed(_) => "FAILED",
            Self::NotRun => "not run",
        }
    }

    pub(super) fn time(self) -> Option<Time> {
        match self {
            Self::Passed(time) | Self::Failed(time) => Some(time),
            Self::NotRun => None,
        }
    }
}

/// A step, and what became of it.
pub(super) struct Done {
    pub(super) name: &'static str,
    pub(super) what: String,
    pub(super) outcome: Outcome,
}

#[derive(Default)]
pub(super) struct Summary(Vec<Done>);

impl Summary {
    pub(super) fn add(&mut self, job: &Job, outcome: Outcome) {
        self.0.push(Done { name: job.name, what: job.what.clone(), outcome });
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &Done> {
        self.0.iter()
    }

    /// The steps, and all of them together.
    pub(super) fn table(&self) -> Table {
        let mut table = table::printed("step | result | seconds: | processor's seconds:");
        for Done { name, outcome, .. } in &self.0 {
            let [wall, cpu] = outcome.time().map_or_else(Default::default, cells);
            table.add_row(row![name, outcome.word(), wall, cpu]);
        }
        let times = self.0.iter().filter_map(|step| step.outcome.time());
        let all = times.reduce(|sum, time| Time {
            wall: sum.wall + time.wall,
            cpu: sum.cpu.zip(time.cpu).map(|(sum, cpu)| sum + cpu),
        });
        let [wall, cpu] = cells(all.unwrap_or_default());
        let failed = self.0.iter().any(|step| matches!(step.outcome, Outcome::Failed(_)));
        table.add_row(row!["all", if failed { "FAILED" } else { "passed" }, wall, cpu]);
        table
    }

    /// The steps, counted. Those that did not run count as nothing.
    pub(super) fn line(&self) -> String {
        let count = |word| self.0.iter().filter(|step| step.outcome.word() == word).count();
        format!("{} passed, {} failed", count("passed"), count("FAILED"))
    }
}

pub(super) fn list(steps: &[Step]) -> Table {
    let mut table = table::printed("step | what it checks | when");
    for step in steps {
        table.add_row([step.name, step.what, if step.long { "--full" } else { "always" }]);
    }
    table
}

/// What each area runs, as its checks say.
pub(super) fn areas(areas: &[Area]) -> Table {
    let mut table = table::printed("area | files | what runs after a change");
    for area in areas {
        let what = match area.checks {
            Checks::All => "everything".to_owned(),
            Checks::OwnTest => "the test itself".to_owned(),
            Checks::OwnSample => "the sample itself".to_owned(),
            Checks::OwnFamily => "its family of UI tests".to_owned(),
            Checks::Some { units, tests, steps } => {
                let units = units.split_whitespace().map(|package| format!("unit tests of {package}"));
                let others = tests.split_whitespace().chain(steps.split_whitespace()).map(str::to_owned);
                units.chain(others).join(", ")
            }
        };
        table.add_row([area.name, &area.paths.replace(' ', "\n"), &what]);
    }
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table
}

/// A time as tables have it.
pub(super) fn seconds(seconds: f64) -> String {
    format!("{seconds:.1}")
}

fn cells(time: Time) -> [String; 2] {
    let cpu = time.cpu.map(|cpu| seconds(cpu.as_secs_f64()));
    [seconds(time.wall.as_secs_f64()), cpu.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::{Duration, Outcome, Start, Summary, Time};
    use crate::test::steps::Job;

    fn summary(outcomes: &[(&'static str, Outcome)]) -> Summary {
        let mut summary = Summary::default();
        for (name, outcome) in outcomes {
            summary.add(&Job::new(name, String::new(), |_| Ok(())), *outcome);
        }
        summary
    }

    fn rows(summary: &Summary) -> Vec<Vec<String>> {
        let cells = |row: &comfy_table::Row| row.cell_iter().map(|cell| cell.content()).collect();
        summary.table().row_iter().map(cells).collect()
    }

    fn time(wall: u64, cpu: Option<u64>) -> Time {
        Time { wall: Duration::from_secs(wall), cpu: cpu.map(Duration::from_secs) }
    }

    #[test]
    fn each_step_has_its_times_and_the_last_row_their_sum() {
        let outcomes =
            [("fmt", Outcome::Passed(time(1, Some(2)))), ("tidy", Outcome::Passed(time(3, Some(7))))];
        let rows = rows(&summary(&outcomes));
        assert_eq!(rows[0], ["fmt", "passed", "1.0", "2.0"]);
        assert_eq!(rows[2], ["all", "passed", "4.0", "9.0"]);
    }

    #[test]
    fn what_did_not_run_or_was_not_measured_has_no_time() {
        let outcomes = [
            ("fmt", Outcome::Passed(time(1, None))),
            ("tidy", Outcome::Failed(time(2, Some(1)))),
            ("doc", Outcome::NotRun),
        ];
        let summary = summary(&outcomes);
        let rows = rows(&summary);
        assert_eq!(rows[0], ["fmt", "passed", "1.0", ""]);
        assert_eq!(rows[2], ["doc", "not run", "", ""]);
        assert_eq!(rows[3], ["all", "FAILED", "3.0", ""]);
        assert_eq!(summary.line(), "1 passed, 1 failed");
    }

    #[test]
    fn a_time_goes_from_its_start() {
        let start = Start::now();
        std::thread::sleep(Duration::from_millis(5));
        let time = start.time();
        assert!(time.wall >= Duration::from_millis(5) && time.cpu.is_some() == cfg!(unix));
    }
}
