//! Launches as a table, and their kernel's PTX with the sums of their counts.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table};
use gridwright_image::executed::{Counts, ExecutedImage, ExecutedLaunch, LineCounts, ListedLine, listing};

use crate::style::{TITLE, WARNING};

/// What launches of one image, each with its number, executed.
///
/// # Errors
/// Where the PTX can't be read.
pub(super) fn of_image(
    image: &ExecutedImage,
    kernel: &str,
    launches: &[(usize, &ExecutedLaunch)],
) -> anyhow::Result<String> {
    let mut lines = LineCounts::new();
    for (_, launch) in launches {
        for (&line, &counts) in &launch.lines {
            *lines.entry(line).or_default() += counts;
        }
    }
    let title = format!("launches of `{kernel}`, code for {}", image.architecture);
    let mut text = format!("{TITLE}{title}{TITLE:#}\n{}\n", table(launches));
    for part in listing(&image.ptx, kernel, &lines)? {
        text += &format!("\n{TITLE}  instructions threads sectors passes local line{TITLE:#}\n");
        part.iter().for_each(|line| add(&mut text, line));
    }
    Ok(text)
}

/// A row a launch. Launches in a row of the same sizes and counts share one.
fn table(launches: &[(usize, &ExecutedLaunch)]) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    table.set_header(["launch", "groups", "block", "instructions", "threads", "sectors", "passes", "local"]);
    for column in 3..8 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let is_like = |(_, a): &(usize, &ExecutedLaunch), (_, b): &(usize, &ExecutedLaunch)| {
        (a.groups, a.block, a.total()) == (b.groups, b.block, b.total())
    };
    for alike in launches.chunk_by(is_like) {
        let [(first, launch), ..] = alike else { continue };
        let numbers = match alike {
            [.., (last, _)] if last > first => format!("{first} to {last}"),
            _ => first.to_string(),
        };
        let total = launch.total();
        table.add_row([
            numbers,
            sizes(launch.groups),
            sizes(launch.block),
            total.warp_instructions.to_string(),
            threads(&total),
            total.sectors.to_string(),
            total.bank_passes.to_string(),
            total.local_accesses.to_string(),
        ]);
    }
    table
}

/// Sizes along x, y and z, as far as they aren't one.
fn sizes(sizes: [u32; 3]) -> String {
    match sizes {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} × {y}"),
        [x, y, z] => format!("{x} × {y} × {z}"),
    }
}

/// Threads of a warp's instruction, on average.
fn threads(counts: &Counts) -> String {
    match counts.warp_instructions {
        0 => String::new(),
        warps => format!("{:.1}", counts.thread_instructions as f64 / warps as f64),
    }
}

/// Adds a line of PTX, behind its counts. What is zero is left out.
fn add(text: &mut String, line: &ListedLine<'_>) {
    let unless_zero = |count: u64| if count == 0 { String::new() } else { count.to_string() };
    let counts = line.counts.unwrap_or_default();
    let columns = format!(
        "{:>12} {:>7} {:>7} {:>6} {:>5} {:>4} {}",
        unless_zero(counts.warp_instructions),
        threads(&counts),
        unless_zero(counts.sectors),
        unless_zero(counts.bank_passes),
        unless_zero(counts.local_accesses),
        line.number,
        // LLVM has a tab behind each opcode, too.
        line.text.replace(" \t", " ").replace('\t', "    "),
    );
    // A `String` takes any text.
    let _ = if line.is_hot {
        writeln!(text, "{WARNING}> {}{WARNING:#}", columns.trim_end())
    } else {
        writeln!(text, "  {}", columns.trim_end())
    };
}
