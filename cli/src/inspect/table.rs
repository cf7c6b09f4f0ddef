//! What a kernel takes, a row an architecture.

use comfy_table::{CellAlignment, Table};
use gridwright_build::inspect::Resources;
use gridwright_image::occupancy::Processor;

use super::Options;

pub(super) struct ResourceTable {
    table: Table,
    threads: u32,
    workgroup_bytes: u32,
}

impl ResourceTable {
    pub(super) fn new(options: &Options) -> Self {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
        table.set_header([
            "architecture",
            "registers",
            "scalar",
            "workgroup memory",
            "local memory",
            "spills",
            "threads",
            "occupancy",
            "limited by",
        ]);
        for column in 1..8 {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self { table, threads: options.threads, workgroup_bytes: options.workgroup_memory }
    }

    pub(super) fn add(&mut self, architecture: &str, resources: &Resources) {
        let threads = resources.most_threads.map_or(self.threads, |most| self.threads.min(most));
        let usage = resources.usage(threads, self.workgroup_bytes);
        // Waves of another width than the processor's own would be counted wrongly.
        let processor = Processor::of(architecture)
            .filter(|processor| resources.wave.is_none_or(|wave| wave == processor.warp));
        let (occupancy, limit) = match processor.map(|processor| processor.occupancy(&usage)) {
            Some(found) => (
                format!("{:.0} %: {} of {} warps", 100.0 * found.fraction(), found.warps, found.most_warps),
                found.limit.to_string(),
            ),
            None => ("unknown".to_owned(), String::new()),
        };
        self.table.add_row([
            architecture.to_owned(),
            resources.registers.to_string(),
            resources.scalar_registers.map_or_else(String::new, |registers| registers.to_string()),
            usage.workgroup_bytes.to_string(),
            resources.local_bytes.to_string(),
            resources.spills.to_string(),
            threads.to_string(),
            occupancy,
            limit,
        ]);
    }

    /// A row that says why there are no numbers.
    pub(super) fn add_unknown(&mut self, architecture: &str, why: &str) {
        self.table.add_row([architecture, why]);
    }
}

impl std::fmt::Display for ResourceTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.table.fmt(f)
    }
}
