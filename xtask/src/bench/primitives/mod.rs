//! `cargo xtask bench --primitives`: the primitives on the CPU against their peers, which it compiles where they are in C++.

mod cpp;
mod markdown;
mod plot;
mod record;
#[cfg(test)]
mod tests;

use super::record::{Race, Record};
use crate::call::Call;
use crate::workspace::Workspace;
use record::Found;

/// Races some algorithms or types, or all, with arrays of up to so many elements, and keeps the record of all.
pub(super) fn run(workspace: &Workspace, only: Vec<String>, largest: usize) -> anyhow::Result<()> {
    let is_whole = only.is_empty();
    let words = "bench --quiet --package gridwright-primitives-races --bench primitives --";
    let call = Call::cargo(workspace, words).arguments(only).arguments(["--largest", &largest.to_string()]);
    // The kernels for GPUs aren't asked for.
    let call = call.variable("GRIDWRIGHT_SKIP_DEVICE", "1").variables(&cpp::libraries(workspace)?);
    let record = Record::<Found>::of_bench(workspace, call)?;
    if is_whole {
        return record.keep(workspace);
    }
    println!("{}", markdown::tables(&record.found));
    Ok(())
}

impl Race for Found {
    const NAME: &'static str = "primitives";

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
