//! The table in a document, between two comments.

use anyhow::{Context, ensure};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::{Columns, Found};
use crate::book::output;

pub(super) const COMMAND: &str = "cargo xtask support";

/// The document with the table of these columns. Of a device that isn't there the document's own cells stay.
pub(super) fn put(document: &str, columns: &Columns) -> anyhow::Result<String> {
    output::replace(document, COMMAND, |old| Ok(format!("{}\n", table(columns, &cells(old))?)))
}

fn table(columns: &Columns, old: &[Vec<String>]) -> anyhow::Result<Table> {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(std::iter::once("").chain(columns.iter().map(|(title, _)| *title)));
    let rows = columns.iter().find_map(|(_, found)| found.as_ref()).context("there is no device")?;
    for (_, found) in columns {
        let names = |found: &[Found]| found.iter().map(|found| found.feature.clone()).collect::<Vec<_>>();
        let same = found.as_ref().is_none_or(|found| names(found) == names(rows));
        ensure!(same, "the devices were asked for different features");
    }
    for (row, Found { feature, .. }) in rows.iter().enumerate() {
        let cells = columns.iter().enumerate().map(|(column, (_, found))| match found {
            Some(found) => cell(&found[row].outcome),
            None => {
                let old = old.iter().find(|cells| cells.first() == Some(feature));
                old.and_then(|cells| cells.get(column + 1)).cloned().unwrap_or_default()
            }
        });
        table.add_row(std::iter::once(feature.clone()).chain(cells));
    }
    Ok(table)
}

/// Why something is refused says the error.
fn cell(outcome: &str) -> String {
    outcome.split(':').next().unwrap_or_default().to_owned()
}

/// The cells of a table in Markdown.
fn cells(table: &str) -> Vec<Vec<String>> {
    let cells =
        |line: &str| line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.lines().map(cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(outcomes: &[(&str, &str)]) -> Option<Vec<Found>> {
        let found = |(order, (feature, outcome)): (usize, &(&str, &str))| Found {
            order,
            feature: (*feature).into(),
            outcome: (*outcome).into(),
        };
        Some(outcomes.iter().enumerate().map(found).collect())
    }

    const DOCUMENT: &str = "# Title\n<!-- the output of `cargo xtask support` -->\n\
        | | CPU | GPU |\n|---|---|---|\n| a | no | once |\n<!-- the end of that output -->\nrest\n";

    #[test]
    fn the_table_is_replaced_and_what_was_not_measured_stays() {
        let columns = vec![("CPU", found(&[("a", "yes"), ("b", "refused: it can't")])), ("GPU", None)];
        let text = put(DOCUMENT, &columns).expect("a place for it");
        let rows = cells(&text);
        assert!(rows.contains(&["a", "yes", "once"].map(String::from).to_vec()), "{text}");
        assert!(rows.contains(&["b", "refused", ""].map(String::from).to_vec()), "{text}");
        assert!(text.starts_with("# Title\n<!--") && text.ends_with("-->\nrest\n"));
        assert_eq!(put(&text, &columns).expect("a place for it"), text);
    }

    #[test]
    fn documents_without_a_place_and_devices_that_disagree_are_errors() {
        let columns = vec![("CPU", found(&[("a", "yes")])), ("GPU", found(&[("b", "yes")]))];
        assert!(put("# Title\n", &columns).is_err());
        assert!(put(DOCUMENT, &columns).is_err());
    }
}
