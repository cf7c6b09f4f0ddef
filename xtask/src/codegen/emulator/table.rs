//! Kernels and what they execute, as rows.

use std::iter;

use super::counter::Executed;
use crate::codegen::table;

pub(super) struct Table {
    header: [String; 9],
    rows: Vec<(&'static str, [u64; 6])>,
}

impl Table {
    pub(super) fn new(architecture: &str) -> Self {
        let executed = format!("{architecture} instructions");
        let header = [
            "kernel",
            &executed,
            "clang's",
            "ratio",
            "transactions",
            "clang's",
            "ratio",
            "scratch",
            "clang's",
        ];
        Self { header: header.map(String::from), rows: Vec::new() }
    }

    pub(super) fn add(&mut self, kernel: &'static str, ours: &Executed, theirs: &Executed) {
        let pairs = [
            [ours.instructions(), theirs.instructions()],
            [ours.transactions, theirs.transactions],
            [ours.scratch, theirs.scratch],
        ];
        let [[a, b], [c, d], [e, f]] = pairs;
        self.rows.push((kernel, [a, b, c, d, e, f]));
    }

    pub(super) fn print(&self) {
        println!("{}", self.with(comfy_table::presets::UTF8_FULL_CONDENSED, str::to_owned));
    }

    /// In Markdown, for a page.
    pub(super) fn markdown(&self) -> String {
        format!("{}\n", self.with(comfy_table::presets::ASCII_MARKDOWN, |kernel| format!("`{kernel}`")))
    }

    fn with(&self, style: comfy_table::TableStyle, name: impl Fn(&str) -> String) -> comfy_table::Table {
        let mut table = table(style, &self.header.each_ref().map(String::as_str));
        for (kernel, counts) in &self.rows {
            let [instructions, theirs, transactions, their_transactions, scratch, their_scratch] = *counts;
            let numbers = [
                instructions.to_string(),
                theirs.to_string(),
                format!("{:.2}", ratio(instructions, theirs)),
                transactions.to_string(),
                their_transactions.to_string(),
                format!("{:.2}", ratio(transactions, their_transactions)),
                scratch.to_string(),
                their_scratch.to_string(),
            ];
            table.add_row(iter::once(name(kernel)).chain(numbers));
        }
        table
    }
}

pub(super) fn ratio(ours: u64, theirs: u64) -> f64 {
    ours as f64 / theirs as f64
}

#[cfg(test)]
mod tests {
    use super::super::counter::Executed;
    use super::Table;

    #[test]
    fn a_row_has_both_and_their_ratio() {
        let ours = Executed { names: [("s_endpgm".into(), 3)].into(), transactions: 5, scratch: 7 };
        let theirs = Executed { names: [("s_endpgm".into(), 2)].into(), transactions: 5, scratch: 0 };
        let mut table = Table::new("gfx942");
        table.add("saxpy", &ours, &theirs);
        let text = table.markdown();
        let row: Vec<_> = text.lines().last().unwrap().split('|').map(str::trim).collect();
        assert_eq!(row, ["", "`saxpy`", "3", "2", "1.50", "5", "5", "1.00", "7", "0", ""]);
    }
}
