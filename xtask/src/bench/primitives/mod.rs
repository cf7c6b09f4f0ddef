//! `cargo xtask bench --primitives`: the primitives on the CPU against their peers, which it compiles where they are in C++.

mod cpp;
mod markdown;
mod plot;
mod record;
#[cfg(test)]
mod tests;

use std::fs;

use anyhow::{Context, ensure};

use super::keep_files;
use super::record::processor;
use crate::call::Call;
use crate::workspace::Workspace;
use record::Record;

/// Races some algorithms or types, or all, with arrays of up to so many elements, and keeps the record of all.
pub(super) fn run(workspace: &Workspace, only: Vec<String>, largest: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("primitives.json");
    let kept = only.is_empty();
    let words = "bench --quiet --package gridwright-primitives-races --bench primitives --";
    // The kernels for GPUs aren't asked for.
    let mut call = Call::cargo(workspace, words).variable("GRIDWRIGHT_SKIP_DEVICE", "1");
    for (variable, library) in cpp::libraries(workspace)? {
        call = call.variable(variable, library);
    }
    let largest = ["--largest".to_owned(), largest.to_string()];
    call.arguments(only).arguments(largest).arguments(["--json".as_ref(), json.as_os_str()]).run()?;
    let record = Record::today(serde_json::from_slice(&fs::read(json)?)?)?;
    if kept {
        return keep_files(workspace, files(&record)?);
    }
    println!("{}", markdown::tables(&record.found));
    Ok(())
}

/// What is kept of a record, by the files' names.
fn files(record: &Record) -> anyhow::Result<[(String, String); 3]> {
    ensure!(!record.found.quick, "a quick run measures nothing");
    let name = format!("primitives-{}", processor(&record.found.cpu, &record.found.device));
    Ok([
        (format!("{name}.json"), serde_json::to_string_pretty(record)? + "\n"),
        (format!("{name}.md"), markdown::of(record, &name)),
        (format!("{name}.svg"), plot::of(record).context("can't draw the plot")?),
    ])
}
