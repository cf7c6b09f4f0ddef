//! `cargo xtask support`: what works where, as the tests of features found it on each device that can be had here.

mod table;

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::book::output::Page;
use crate::checked;
use crate::test::devices::{Place, places};
use crate::workspace::Workspace;

/// The documents with the table.
const DOCUMENTS: &[&str] = &["book/src/support.md"];

/// The variable with the file that gets the results.
const RESULTS: &str = "GRIDWRIGHT_FEATURES";

/// What a test found out of a feature.
#[derive(Deserialize)]
struct Found {
    order: usize,
    feature: String,
    outcome: String,
}

/// Runs the tests on each device, and writes the table into the documents.
///
/// # Errors
/// Where a test fails, or a document has no place for the table.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    hold(workspace, Page::Written)
}

/// Runs the tests on each device, and checks that the documents have the table already.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    hold(workspace, Page::Checked)
}

fn hold(workspace: &Workspace, page: Page) -> anyhow::Result<()> {
    let columns = measure(workspace)?;
    DOCUMENTS.iter().try_for_each(|document| {
        page.hold(&workspace.root, document, table::COMMAND, |text| table::put(text, &columns))
    })
}

/// A column for each device: its title, and its results if it could be had.
type Columns = Vec<(&'static str, Option<Vec<Found>>)>;

fn measure(workspace: &Workspace) -> anyhow::Result<Columns> {
    let places = places(workspace)?;
    let scratch = tempfile::tempdir()?;
    places
        .into_iter()
        .map(|(title, place)| {
            let found =
                place.map(|place| on(workspace, &place, &scratch.path().join("results"))).transpose()?;
            println!(
                "{title}: {}",
                found.as_ref().map_or("isn't here".into(), |found| format!("{} features", found.len()))
            );
            Ok((title, found))
        })
        .collect()
}

fn on(workspace: &Workspace, place: &Place, results: &Path) -> anyhow::Result<Vec<Found>> {
    let library = if place.has_library { &["--test", "library", "--test", "math"][..] } else { &[] };
    let call = checked::cargo_test(workspace).arguments(["--test", "everywhere"]);
    let call = call.arguments(library).variable(RESULTS, results.display().to_string());
    call.variables(&place.variables).run_quietly()?;
    let lines = std::fs::read_to_string(results).context("the tests left no results")?;
    std::fs::remove_file(results)?;
    let found: Result<Vec<Found>, _> = lines.lines().map(serde_json::from_str).collect();
    let mut found = found.context("the tests' results aren't what they should be")?;
    found.sort_by_key(|found| found.order);
    Ok(found)
}
