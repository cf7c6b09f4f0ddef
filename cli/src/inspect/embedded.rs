//! What a program embeds: the bytes of each image, and those that are loaded for each of its kernels.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Context;
use comfy_table::{CellAlignment, Table};
use gridwright_build::inspect::{BuiltTarget, Embedded};

use super::Options;
use super::built::{NO_SCRIPT, build, targets};
use crate::cargo::Found;
use crate::style::{self, TITLE};

/// Prints a table for each target of the package, or for the one that was chosen.
///
/// # Errors
/// Where the package doesn't build, or what was built can't be read.
pub(super) fn run(found: &Found, options: &Options) -> anyhow::Result<ExitCode> {
    let built = build(found, options, &targets(found, options)?)?;
    let mut text = String::new();
    for target in &built {
        text.push_str(&format!("{TITLE}{}{TITLE:#}\n{}\n", target.name(), shown(target)?));
    }
    if built.is_empty() {
        text = format!("nothing is embedded: {NO_SCRIPT}\n");
    }
    style::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A column for each image, a row for each kernel; or why there is no image.
fn shown(target: &BuiltTarget) -> anyhow::Result<String> {
    if let Some(missing) = &target.missing {
        return Ok(missing.clone());
    }
    let mut images: Vec<(&str, Embedded)> = Vec::new();
    for image in target.images.iter().chain(&target.assembled) {
        let embedded = image.embedded().with_context(|| format!("can't read {}", image.path.display()))?;
        images.push((image.architecture.name(), embedded));
    }
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    let names = images.iter().map(|(architecture, image)| format!("{architecture}, {}", image.format));
    table.set_header(["bytes".to_owned()].into_iter().chain(names));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let all = images.iter().map(|(_, image)| image.bytes.to_string());
    table.add_row(["embedded".to_owned()].into_iter().chain(all));
    let kernels: BTreeSet<_> = images.iter().flat_map(|(_, image)| image.loaded.keys()).collect();
    for kernel in kernels {
        // Of two images for an architecture, each has kernels that the other hasn't.
        let loaded = images
            .iter()
            .map(|(_, image)| image.loaded.get(kernel).map_or_else(String::new, usize::to_string));
        table.add_row([format!("loaded for {kernel}")].into_iter().chain(loaded));
    }
    Ok(table.to_string())
}
