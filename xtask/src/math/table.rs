//! The table in the book, between two comments.

use std::collections::BTreeMap;

use comfy_table::Table;
use itertools::Itertools;

use super::{Columns, Found};
use crate::book::output;
use crate::table::{self, cells, row};

pub(super) const COMMAND: &str = "cargo xtask math";

/// The cells before those of the devices: the function, CUDA's bound, ours.
const LEADING: usize = 3;

/// The document with the table of these columns. What wasn't measured keeps the document's own cells.
pub(super) fn put(document: &str, columns: &Columns) -> anyhow::Result<String> {
    output::replace(document, COMMAND, |old| Ok(format!("{}\n", table(columns, &rows(old)))))
}

fn table(columns: &Columns, old: &BTreeMap<String, Vec<String>>) -> Table {
    let titles = columns.iter().map(|(title, _)| format!(" | {title}:")).format("");
    let mut table = table::markdown(&format!("function | CUDA's bound: | promised:{titles}"));
    let mut functions: BTreeMap<_, Vec<String>> = old.clone();
    for found in columns.iter().filter_map(|(_, found)| found.as_ref()).flat_map(BTreeMap::values) {
        let row = functions.entry(found.function.clone()).or_default();
        row.resize(LEADING + columns.len(), String::new());
        row[..LEADING].clone_from_slice(&row![found.function, found.cuda, found.bound]);
    }
    for (column, (_, found)) in columns.iter().enumerate() {
        for (function, found) in found.iter().flatten() {
            if let Some(row) = functions.get_mut(function) {
                row[LEADING + column] = cell(found);
            }
        }
    }
    table.add_rows(functions.into_values());
    table
}

/// The largest error, rounded up, the mean, and whether they are of every number of 32 bits, but for those of which nothing is promised.
fn cell(found: &Found) -> String {
    let all = if found.inputs > 1 << 31 { ", all" } else { "" };
    format!("{:.2} / {:.2}{all}", (found.max * 100.0).ceil() / 100.0, found.mean)
}

/// The rows of functions of a table in Markdown.
fn rows(table: &str) -> BTreeMap<String, Vec<String>> {
    let rows = table.lines().skip(2).map(cells).filter(|row| row.len() > LEADING);
    rows.map(|row| (row[0].to_owned(), row.into_iter().map(str::to_owned).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# Title\n<!-- the output of `cargo xtask math` -->\n\
        | function | CUDA's bound | promised | CPU | GPU |\n|---|---|---|---|---|\n| exp | 1 | 1 | 0.90 / 0.20 | 0.80 / 0.30 |\n\
        <!-- the end of that output -->\nrest\n";

    fn found(function: &str, max: f64) -> BTreeMap<String, Found> {
        let function = function.to_owned();
        [(function.clone(), Found { function, cuda: 2.0, bound: 1.5, max, mean: 0.25, inputs: 1 << 20 })]
            .into()
    }

    #[test]
    fn what_was_measured_is_replaced_and_the_rest_stays() {
        let columns = vec![("CPU", Some(found("exp", 0.701))), ("GPU", None)];
        let text = put(DOCUMENT, &columns).expect("a place for it");
        assert_eq!(table::rows(&text, "exp"), ["exp | 2 | 1.5 | 0.71 / 0.25 | 0.80 / 0.30"]);
        assert!(text.starts_with("# Title\n<!--") && text.ends_with("-->\nrest\n"));
        assert_eq!(put(&text, &columns).expect("a place for it"), text);
    }

    #[test]
    fn errors_of_every_number_are_marked() {
        let mut all = found("exp", 0.701);
        all.values_mut().for_each(|found| found.inputs = 1 << 32);
        let text = put(DOCUMENT, &vec![("CPU", Some(all)), ("GPU", None)]).expect("a place for it");
        assert!(text.contains("0.71 / 0.25, all |"), "{text}");
    }

    #[test]
    fn functions_are_added_and_a_document_without_a_place_is_an_error() {
        let columns = vec![("CPU", Some(found("ln", 0.5))), ("GPU", None)];
        let text = put(DOCUMENT, &columns).expect("a place for it");
        assert!(text.contains("| ln ") && text.contains("| exp "), "{text}");
        assert!(put("# Title\n", &columns).is_err());
    }
}
