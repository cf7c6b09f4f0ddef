//! The table in a document, between two comments.

use anyhow::{Context, ensure};
use comfy_table::Table;
use itertools::Itertools;

use super::{Columns, Found};
use crate::book::output;
use crate::table;

pub(super) const COMMAND: &str = "cargo xtask support";

/// The document with the table of these columns. Of a device that isn't there the document's own cells stay.
pub(super) fn put(document: &str, columns: &Columns) -> anyhow::Result<String> {
    output::replace(document, COMMAND, |old| Ok(format!("{}\n", table(columns, old)?)))
}

fn table(columns: &Columns, old: &str) -> anyhow::Result<Table> {
    let titles = columns.iter().map(|(title, _)| format!(" | {title}")).format("");
    let mut table = table::markdown(&titles.to_string());
    let rows = columns.iter().find_map(|(_, found)| found.as_ref()).context("there is no device")?;
    let names = |found: &[Found]| found.iter().map(|found| found.feature.clone()).collect::<Vec<_>>();
    let mut all = columns.iter().filter_map(|(_, found)| found.as_ref());
    ensure!(all.all(|found| names(found) == names(rows)), "the devices were asked for different features");
    for (row, Found { feature, .. }) in rows.iter().enumerate() {
        let old = old.lines().map(table::cells).find(|cells| cells[0] == feature).unwrap_or_default();
        let cells = columns.iter().enumerate().map(|(column, (_, found))| match found {
            Some(found) => cell(&found[row].outcome),
            None => old.get(column + 1).copied().unwrap_or_default(),
        });
        table.add_row(std::iter::once(&**feature).chain(cells));
    }
    Ok(table)
}

/// Why something is refused says the error.
fn cell(outcome: &str) -> &str {
    outcome.split(':').next().unwrap_or_default()
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
        assert_eq!(table::rows(&text, "a"), ["a | yes | once"]);
        assert_eq!(table::rows(&text, "b"), ["b | refused | "]);
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
