//! A suite's table: a page with how many tests of each module pass, which fail, and why.
//!
//! The command writes it, but for the reasons: those are written by hand, and kept. A reason that nobody wrote is what the test said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, bail};
use itertools::Itertools;

use super::CHECKS;
use super::outcome::{Kind, Outcomes};
use crate::table::or_empty;

/// How a reason begins that is only what the test said.
const SAID: &str = "said: ";

const FAILING: &str = "## Tests that fail";
const MODULES: &str = "## Modules";

/// How many tests of each [`Kind`], in its order.
pub(super) type Counts = [usize; 4];

#[derive(Default)]
pub(super) struct Table {
    /// For each module, the counts by the way in which findings are taken.
    modules: BTreeMap<String, BTreeMap<String, Counts>>,
    /// Why tests of a module are skipped, in the suite's words.
    skipped: BTreeMap<String, String>,
    /// The tests that fail, and with findings taken in which ways.
    failed: BTreeMap<String, BTreeSet<String>>,
    /// Why tests fail.
    pub(super) reasons: BTreeMap<String, String>,
    said: BTreeMap<String, String>,
}

/// What differs between two tables, a line for each row.
pub(super) struct Differences {
    pub(super) worse: Vec<String>,
    pub(super) better: Vec<String>,
}

impl Table {
    /// Adds the outcomes of a module's tests.
    pub(super) fn add(&mut self, checks: &str, module: &str, outcomes: Outcomes) {
        let mut counts = Counts::default();
        let mut skipped = BTreeSet::new();
        for (test, outcome) in outcomes {
            counts[outcome.kind as usize] += 1;
            match outcome.kind {
                Kind::Failed => {
                    let name = format!("{module}::{test}");
                    self.failed.entry(name.clone()).or_default().insert(checks.to_owned());
                    self.said.entry(name).or_insert_with(|| shortened(&outcome.said));
                }
                Kind::Skipped => _ = skipped.insert(shortened(outcome.said.trim_start_matches("Skipped: "))),
                Kind::Passed | Kind::Expected => {}
            }
        }
        self.modules.entry(module.to_owned()).or_default().insert(checks.to_owned(), counts);
        self.skipped.insert(module.to_owned(), skipped.iter().join("; "));
    }

    /// The counts of all modules, as a sentence.
    pub(super) fn total(&self, checks: &str) -> String {
        let counts = self.counts(checks);
        let tests: usize = counts.iter().sum();
        let parts = Kind::ALL.map(|kind| format!("{} {}", counts[kind as usize], kind.name()));
        format!("{tests} tests in {} modules, {}", self.modules.len(), parts.join(", "))
    }

    fn counts(&self, checks: &str) -> Counts {
        let mut sum = Counts::default();
        for counts in self.modules.values().filter_map(|module| module.get(checks)) {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        sum
    }

    /// Writes the page.
    pub(super) fn write(&self, path: &Path, title: &str, about: &str) -> anyhow::Result<()> {
        let name = path.file_stem().unwrap_or_default().display();
        let mut text = format!("# {title}\n\n{about}\n\n");
        writeln!(
            text,
            "`cargo xtask suites --suite {name} --write` writes this page, but for the reasons.\n\n\
             | findings | tests | passed | failed as the suite expects | skipped | failed |\n|---|---|---|---|---|---|"
        )?;
        for checks in CHECKS {
            let counts = self.counts(checks);
            let [passed, expected, skipped, failed] = counts;
            let tests: usize = counts.iter().sum();
            writeln!(text, "| `{checks}` | {tests} | {passed} | {expected} | {skipped} | {failed} |")?;
        }
        writeln!(text, "\n{FAILING}\n\n| test | with findings as | why |\n|---|---|---|")?;
        for (test, ways) in &self.failed {
            let said = self.said.get(test).map_or("", String::as_str);
            let kept = self.reasons.get(test).filter(|reason| !reason.starts_with(SAID));
            let why = kept.cloned().unwrap_or_else(|| format!("{SAID}{said}"));
            writeln!(text, "| `{test}` | {} | {why} |", ways.iter().format(" "))?;
        }
        let [first, second] = CHECKS;
        writeln!(
            text,
            "\n{MODULES}\n\nTests that passed, failed as expected, were skipped, failed.\n\n\
             | module | `{first}` | `{second}` | why tests are skipped |\n|---|---|---|---|",
        )?;
        for (module, ways) in &self.modules {
            let cells =
                CHECKS.map(|checks| or_empty(ways.get(checks).map(|counts| counts.iter().format(" "))));
            let skipped = self.skipped.get(module).map_or("", String::as_str);
            writeln!(text, "| `{module}` | {} | {} | {skipped} |", cells[0], cells[1])?;
        }
        Ok(fs_err::write(path, text)?)
    }

    /// Reads a page.
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        let mut table = Self::default();
        let mut section = "";
        for line in text.lines() {
            if line.starts_with("## ") {
                section = line;
            }
            let Some(row) = line.strip_prefix("| `") else { continue };
            let cells: Vec<_> = row.trim_end_matches('|').split(" | ").map(str::trim).collect();
            let name = cells[0].trim_end_matches('`').to_owned();
            match (section, cells.as_slice()) {
                (FAILING, [_, ways, why]) => {
                    table.failed.insert(name.clone(), ways.split_whitespace().map(str::to_owned).collect());
                    table.reasons.insert(name, (*why).to_owned());
                }
                (MODULES, [_, ways @ .., skipped]) => {
                    let module = table.modules.entry(name.clone()).or_default();
                    for (checks, cell) in CHECKS.iter().zip(ways).filter(|(_, cell)| !cell.is_empty()) {
                        let counts = counts(cell).with_context(|| format!("the row of {name}"))?;
                        module.insert((*checks).to_owned(), counts);
                    }
                    table.skipped.insert(name, (*skipped).to_owned());
                }
                ("", _) => {}
                _ => bail!("a row with other cells: {line}"),
            }
        }
        Ok(table)
    }
}

/// What is worse and better in the second table, of the modules that it has.
pub(super) fn compare(known: &Table, found: &Table) -> Differences {
    let mut worse = Vec::new();
    let mut better = Vec::new();
    for (module, ways) in &found.modules {
        let of_module = |table: &Table, checks: &str| -> BTreeSet<String> {
            let first = format!("{module}::");
            let failed =
                table.failed.iter().filter(|(test, ways)| test.starts_with(&first) && ways.contains(checks));
            failed.map(|(test, _)| test.clone()).collect()
        };
        for (checks, counts) in ways {
            let (before, now) = (of_module(known, checks), of_module(found, checks));
            for test in now.difference(&before) {
                let said = found.said.get(test).map_or("", String::as_str);
                worse.push(format!("{test} with findings as {checks}: {said}"));
            }
            for test in before.difference(&now) {
                better.push(format!("{test} with findings as {checks}"));
            }
            let Some(had) = known.modules.get(module).and_then(|ways| ways.get(checks)) else {
                better.push(format!("{module} with findings as {checks} is new"));
                continue;
            };
            let fail_now = now.difference(&before).count();
            let passed = |counts: &Counts| counts[Kind::Passed as usize] + counts[Kind::Expected as usize];
            if passed(counts) + fail_now < passed(had) {
                let (had, has) = (passed(had), passed(counts));
                worse.push(format!("{module} with findings as {checks}: {has} tests passed, not {had}"));
            }
        }
    }
    Differences { worse, better }
}

fn counts(cell: &str) -> anyhow::Result<Counts> {
    let numbers = cell.split_whitespace().map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    Counts::try_from(numbers).ok().context("four counts")
}

/// A text as a cell can hold it.
fn shortened(text: &str) -> String {
    let line: String =
        text.chars().map(|c| if c == '|' || c.is_control() || c == '`' { ' ' } else { c }).collect();
    line.split_whitespace().join(" ").chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{Kind, Outcome, Outcomes};
    use super::{Table, compare};

    fn table(rows: &[(&str, Kind)]) -> Table {
        let outcome = |(test, kind): &(&str, Kind)| {
            ((*test).to_owned(), Outcome { kind: *kind, said: "no | way".to_owned() })
        };
        let outcomes: Outcomes = rows.iter().map(outcome).collect();
        let mut table = Table::default();
        table.add("warn", "a::b", outcomes.clone());
        table.add("error", "a::b", outcomes);
        table
    }

    /// A table as it is read from its page.
    fn written(table: &Table) -> Table {
        let page = tempfile::NamedTempFile::new().unwrap();
        table.write(page.path(), "A suite", "What it is.").unwrap();
        Table::read(&std::fs::read_to_string(page.path()).unwrap()).unwrap()
    }

    #[test]
    fn a_page_that_was_written_is_read() {
        let found = table(&[("one", Kind::Passed), ("two", Kind::Failed), ("three", Kind::Skipped)]);
        let read = written(&found);
        assert_eq!((&read.modules, &read.failed), (&found.modules, &found.failed));
        assert_eq!(read.reasons["a::b::two"], "said: no way");
        let differences = compare(&read, &found);
        assert!(differences.worse.is_empty() && differences.better.is_empty());
    }

    #[test]
    fn reasons_are_kept() {
        let mut found = table(&[("two", Kind::Failed)]);
        found.reasons.insert("a::b::two".to_owned(), "it can't".to_owned());
        assert_eq!(written(&found).reasons["a::b::two"], "it can't");
    }

    #[test]
    fn what_fails_or_is_lost_is_worse_and_what_passes_is_better() {
        let passes = table(&[("one", Kind::Passed)]);
        let fails = table(&[("one", Kind::Failed)]);
        let skips = table(&[("one", Kind::Skipped)]);
        assert_eq!(compare(&passes, &fails).worse.len(), 2);
        assert_eq!(compare(&passes, &skips).worse.len(), 2);
        assert_eq!(compare(&fails, &passes).better.len(), 2);
        assert!(compare(&fails, &passes).worse.is_empty());
    }
}
