//! `cargo xtask bench`: runs the races, and keeps what they found as JSON, Markdown and a plot.

mod markdown;
mod plot;
mod record;

use std::fs;

use anyhow::{Context, ensure};
use clap::Args;

use crate::call::Call;
use crate::workspace::Workspace;
use record::{Found, Record};

const FOLDER: &str = "bench-results";

#[derive(Args)]
pub(crate) struct Options {
    /// Only the rows whose names contain one of these. Then nothing is kept: a record is whole.
    rows: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: Options) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("cpu.json");
    let kept = options.rows.is_empty();
    Call::cargo(workspace, "bench --quiet --package gridwright-examples --bench cpu --")
        .arguments(options.rows)
        .arguments(["--json".as_ref(), json.as_os_str()])
        .run()?;
    if kept { keep(workspace, serde_json::from_slice(&fs::read(json)?)?) } else { Ok(()) }
}

fn keep(workspace: &Workspace, found: Found) -> anyhow::Result<()> {
    ensure!(!found.quick, "a quick run measures nothing");
    let folder = workspace.root.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let record = Record::today(found)?;
    let name = format!("cpu-{}", slug(&record.found.cpu));
    let files = [
        ("json", serde_json::to_string_pretty(&record)? + "\n"),
        ("md", markdown::of(&record, &name)),
        ("svg", plot::of(&record).context("can't draw the plot")?),
    ];
    for (extension, text) in files {
        fs::write(folder.join(format!("{name}.{extension}")), text)?;
        println!("wrote {FOLDER}/{name}.{extension}");
    }
    Ok(())
}

/// Small letters, digits, and single dashes between.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_have_single_dashes() {
        assert_eq!(slug("Intel(R) Xeon(R) CPU @ 2.80GHz"), "intel-r-xeon-r-cpu-2-80ghz");
    }
}
