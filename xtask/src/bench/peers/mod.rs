//! `cargo xtask bench --peers`: the CPU backend against all that others would take there, in one run.

mod markdown;
mod plot;
mod record;
#[cfg(test)]
mod tests;

use super::open_cl;
use super::record::{Race, Record, race};
use crate::call::Call;
use crate::python::Python;
use crate::workspace::Workspace;
use record::Found;

/// What the peers in Python are, each in an environment of its own, as they want different versions of what they share; and the variables
/// by which the bench finds them.
const PYTHON: [(&str, &str, &[&str]); 3] = [
    ("numba", "GRIDWRIGHT_PEERS_NUMBA", &["numba==0.68.1", "numpy==2.4.6"]),
    ("warp", "GRIDWRIGHT_PEERS_WARP", &["warp-lang==1.19.0", "numpy==2.4.6"]),
    ("taichi", "GRIDWRIGHT_PEERS_TAICHI", &["taichi==1.7.4", "numpy==2.4.6"]),
];

/// Races some rows, or all, and keeps the record of all.
pub(super) fn run(workspace: &Workspace, rows: Vec<String>) -> anyhow::Result<()> {
    let mut call = Call::cargo(workspace, "bench --quiet --package gridwright-races --bench peers --");
    // What can't be had here is no reason to do without the others: the bench says who is missing.
    match open_cl::variables(workspace) {
        Ok(variables) => call = call.variables(&variables),
        Err(reason) => eprintln!("OpenCL can't be had: {reason:#}"),
    }
    for (name, variable, packages) in PYTHON {
        match Python::with(workspace, name, packages) {
            Ok(python) => call = call.variable(variable, python.interpreter()),
            Err(reason) => eprintln!("{name} can't be had: {reason:#}"),
        }
    }
    race::<Found>(workspace, call, rows)
}

impl Race for Found {
    const NAME: &'static str = "peers";

    fn is_quick(&self) -> bool {
        self.quick
    }

    fn markdown(record: &Record<Self>, name: &str) -> String {
        markdown::of(record, name)
    }

    fn plot(record: &Record<Self>) -> anyhow::Result<Option<String>> {
        plot::of(record).map(Some)
    }
}
