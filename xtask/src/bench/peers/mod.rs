//! `cargo xtask bench --peers`: the CPU backend against all that others would take there, in one run.

mod markdown;
mod plot;
mod record;
#[cfg(test)]
mod tests;

use std::fs;

use anyhow::{Context, ensure};

use super::record::processor;
use super::{keep_files, open_cl};
use crate::call::Call;
use crate::python::Python;
use crate::workspace::Workspace;
use record::Record;

/// What the peers in Python are, each in an environment of its own, as they want different versions of what they share; and the variables
/// by which the bench finds them.
const PYTHON: [(&str, &str, &[&str]); 3] = [
    ("numba", "GRIDWRIGHT_PEERS_NUMBA", &["numba==0.68.1", "numpy==2.4.6"]),
    ("warp", "GRIDWRIGHT_PEERS_WARP", &["warp-lang==1.19.0", "numpy==2.4.6"]),
    ("taichi", "GRIDWRIGHT_PEERS_TAICHI", &["taichi==1.7.4", "numpy==2.4.6"]),
];

/// Races some rows, or all, and keeps the record of all.
pub(super) fn run(workspace: &Workspace, rows: Vec<String>) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("peers.json");
    let kept = rows.is_empty();
    let mut call = Call::cargo(workspace, "bench --quiet --package gridwright-races --bench peers --");
    // What can't be had here is no reason to do without the others: the bench says who is missing.
    match open_cl::variables(workspace) {
        Ok(variables) => {
            for (name, value) in variables {
                call = call.variable(name, value);
            }
        }
        Err(reason) => eprintln!("OpenCL can't be had: {reason:#}"),
    }
    for (name, variable, packages) in PYTHON {
        match Python::with(workspace, name, packages) {
            Ok(python) => {
                let interpreter = python.interpreter().into_os_string().into_string().ok();
                let interpreter = interpreter.context("the workspace's path isn't UTF-8")?;
                call = call.variable(variable, interpreter);
            }
            Err(reason) => eprintln!("{name} can't be had: {reason:#}"),
        }
    }
    call.arguments(rows).arguments(["--json".as_ref(), json.as_os_str()]).run()?;
    if !kept {
        return Ok(());
    }
    keep_files(workspace, files(&Record::today(serde_json::from_slice(&fs::read(json)?)?)?)?)
}

/// What is kept of a record, by the files' names.
fn files(record: &Record) -> anyhow::Result<[(String, String); 3]> {
    ensure!(!record.found.quick, "a quick run measures nothing");
    let name = format!("peers-{}", processor(&record.found.cpu, &record.found.device));
    Ok([
        (format!("{name}.json"), serde_json::to_string_pretty(record)? + "\n"),
        (format!("{name}.md"), markdown::of(record, &name)),
        (format!("{name}.svg"), plot::of(record).context("can't draw the plot")?),
    ])
}
