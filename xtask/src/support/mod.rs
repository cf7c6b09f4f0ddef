//! `cargo xtask support`: what works where, as the tests of features found it on each device that can be had here.

mod table;

use serde::Deserialize;

use crate::book::output::Page;
use crate::call::Call;
use crate::checked;
use crate::test::devices::{Place, places};
use crate::workspace::Workspace;

/// The document with the table.
const DOCUMENT: &str = "book/src/support.md";

/// The variable with the file that gets the results.
const RESULTS: &str = "GRIDWRIGHT_FEATURES";

/// What a test found out of a feature.
#[derive(Deserialize)]
struct Found {
    order: usize,
    feature: String,
    outcome: String,
}

/// Runs the tests on each device, and writes the table into the document, or checks that it has it already.
///
/// # Errors
/// Where a test fails, or the document has no place for the table.
pub(crate) fn run(workspace: &Workspace, page: Page) -> anyhow::Result<()> {
    let columns = measure(workspace)?;
    page.hold(&workspace.root, DOCUMENT, table::COMMAND, |text| table::put(text, &columns))
}

/// A column for each device: its title, and its results if it could be had.
type Columns = Vec<(&'static str, Option<Vec<Found>>)>;

fn measure(workspace: &Workspace) -> anyhow::Result<Columns> {
    let measured = places(workspace)?.into_iter().map(|(title, place)| {
        let found = place.map(|place| on(workspace, &place)).transpose()?;
        let features = found.as_ref().map(|found| format!("{} features", found.len()));
        println!("{title}: {}", features.unwrap_or_else(|| "isn't here".into()));
        Ok((title, found))
    });
    measured.collect()
}

fn on(workspace: &Workspace, place: &Place) -> anyhow::Result<Vec<Found>> {
    let all = ["everywhere", "library", "math"];
    let tests = checked::test(workspace, if place.has_library { &all } else { &all[..1] });
    let (mut found, outcome) = place.measure(tests, RESULTS, Call::run_quietly)?;
    outcome?;
    found.sort_by_key(|found: &Found| found.order);
    Ok(found)
}
