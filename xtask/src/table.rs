//! Tables: those of documents and of the terminal, and the cells that a document's has.

use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{CellAlignment, Table, TableStyle};

/// What makes an empty table with a header, such as `name | seconds:`. A name with a colon heads a column of numbers.
pub(crate) type New = fn(&str) -> Table;

/// A table in Markdown.
pub(crate) fn markdown(header: &str) -> Table {
    new(ASCII_MARKDOWN, header)
}

/// A table for a terminal.
pub(crate) fn printed(header: &str) -> Table {
    new(UTF8_FULL_CONDENSED, header)
}

fn new(style: TableStyle, header: &str) -> Table {
    let names = || header.split('|').map(str::trim);
    let mut table = Table::new();
    table.load_style(style).set_header(names().map(|name| name.trim_end_matches(':')));
    for (column, _) in table.column_iter_mut().zip(names()).filter(|(_, name)| name.ends_with(':')) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The cells of a row, of whatever can be written.
macro_rules! row {
    ($($cell:expr),+ $(,)?) => { [$($cell.to_string()),+] };
}
pub(crate) use row;

/// A cell that is empty where there is nothing to write.
pub(crate) fn or_empty(cell: Option<impl ToString>) -> String {
    cell.map(|cell| cell.to_string()).unwrap_or_default()
}

/// The cells of a line of a table in Markdown. Any other line is one cell.
pub(crate) fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// The rows in a text whose first cell is this one, with a bar between cells.
#[cfg(test)]
pub(crate) fn rows(text: &str, first: &str) -> Vec<String> {
    text.lines().map(cells).filter(|cells| cells[0] == first).map(|cells| cells.join(" | ")).collect()
}
