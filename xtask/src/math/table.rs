//! The table in the book, between two comments.

use std::collections::BTreeMap;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::{Columns, Found};
use crate::book::output;

pub(super) const COMMAND: &str = "cargo xtask math";

/// The cells before those of the devices: the function, CUDA's bound, ours.
const LEADING: usize = 3;

/// The document with the table of these columns. What wasn't measured keeps the document's own cells.
pub(super) fn put(document: &str, columns: &Columns) -> anyhow::Result<String> {
    output::replace(document, COMMAND, |old| Ok(format!("{}\n", table(columns, &rows(old)))))
}

fn table(columns: &Columns, old: &BTreeMap<String, Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let leading = ["function", "CUDA's bound", "promised"];
    table.set_header(leading.into_iter().chain(columns.iter().map(|(title, _)| *title)));
    for column in 1..LEADING + columns.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut functions: BTreeMap<_, Vec<String>> = old.clone();
    for found in columns.iter().filter_map(|(_, found)| found.as_ref()).flat_map(BTreeMap::values) {
        let row = functions.entry(found.function.clone()).or_default();
        row.resize(LEADING + columns.len(), String::new());
        row[0].clone_from(&found.function);
        row[1] = found.cuda.to_string();
        row[2] = found.bound.to_string();
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
    let row = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let of_functions = table.lines().skip(2).map(row).filter(|row| row.len() > LEADING);
    of_functions.map(|row| (row[0].clone(), row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# Title\n<!-- the output of `cargo xtask math` -->\n\
        | function | CUDA's bound | promised | CPU | GPU |\n|---|---|---|---|---|\n| exp | 1 | 1 | 0.90 / 0.20 | 0.80 / 0.30 |\n\
        <!-- the end of that output -->\nrest\n";

    fn found(function: &str, max: f64) -> BTreeMap<String, Found> {
        let found =
            Found { function: function.into(), cuda: 2.0, bound: 1.5, max, mean: 0.25, inputs: 1 << 20 };
        [(function.to_owned(), found)].into()
    }

    #[test]
    fn what_was_measured_is_replaced_and_the_rest_stays() {
        let columns = vec![("CPU", Some(found("exp", 0.701))), ("GPU", None)];
        let text = put(DOCUMENT, &columns).expect("a place for it");
        let expected = ["exp", "2", "1.5", "0.71 / 0.25", "0.80 / 0.30"].map(String::from).to_vec();
        assert_eq!(rows(&text)["exp"], expected);
        assert!(text.starts_with("# Title\n<!--") && text.ends_with("-->\nrest\n"));
        assert_eq!(put(&text, &columns).expect("a place for it"), text);
    }

    #[test]
    fn errors_of_every_number_are_marked() {
        let mut all = found("exp", 0.701);
        if let Some(exp) = all.get_mut("exp") {
            exp.inputs = 1 << 32;
        }
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
