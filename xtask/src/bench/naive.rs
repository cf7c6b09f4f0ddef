//! `cargo xtask bench --naive`: kernels as one writes them the first time, against the loops that one would write with rayon.

use std::fs;

use anyhow::{Context, ensure};

use super::ratio::Ratio;
use super::record::{Record, Row, processor};
use super::{keep_files, markdown, plot};
use crate::call::Call;
use crate::workspace::Workspace;

/// Races all rows, and keeps the record, or some and keeps nothing.
pub(super) fn run(workspace: &Workspace, rows: Vec<String>) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("naive.json");
    let kept = rows.is_empty();
    let words = "bench --quiet --package gridwright-races --bench naive --";
    // The kernels for GPUs aren't asked for.
    let call = Call::cargo(workspace, words).variable("GRIDWRIGHT_SKIP_DEVICE", "1");
    call.arguments(rows).arguments(["--json".as_ref(), json.as_os_str()]).run()?;
    if !kept {
        return Ok(());
    }
    keep_files(workspace, files(&Record::today(serde_json::from_slice(&fs::read(json)?)?)?)?)
}

/// What is kept of a record, by the files' names.
fn files(record: &Record) -> anyhow::Result<[(String, String); 3]> {
    ensure!(!record.found.quick, "a quick run measures nothing");
    let name = format!("naive-{}", processor(&record.found.cpu, &record.found.device));
    Ok([
        (format!("{name}.json"), serde_json::to_string_pretty(record)? + "\n"),
        (format!("{name}.md"), text(record, &name)?),
        (format!("{name}.svg"), plot::of(record).context("can't draw the plot")?),
    ])
}

fn text(record: &Record, name: &str) -> anyhow::Result<String> {
    let Record { date, compiler, found } = record;
    let (mean, count) = Ratio::mean(found.rows.iter().map(Row::ratio)).context("there are no rows")?;
    Ok(format!(
        "# Naive kernels on {cpu}\n\n\
         {date}, {device}, {threads} threads, {compiler}. Measured by `cargo xtask bench --naive`: a kernel as one writes it the first \
         time, and the loop that one would write with rayon, compiled for the target's baseline as programs are. Both in one process, in \
         alternating rounds, results compared first, on arrays that begin at a cache line. Times are of one call, the median of the rounds and in brackets the least. Ratios \
         are rayon's time over ours: above 1, ours is faster. The geometric mean of {count} rows is {mean}, of the medians and in \
         brackets of the minima.\n\n\
         {table}\n\n\
         ![The ratios]({name}.svg)\n",
        cpu = found.cpu,
        device = found.device,
        threads = found.threads,
        table = markdown::table(found),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(quick: bool) -> Record {
        let time = |median: f64| json!({ "min_ns": median / 2.0, "median_ns": median });
        let row = |name: &str, ours: f64| {
            json!({
                "name": name, "peer_name": "rayon", "rounds": 9, "calls": 1, "ours": time(ours), "peer": time(100.0), "serial": null
            })
        };
        let found = json!({
            "device": "CPU, 2 threads, avx2", "cpu": "A (TM) CPU", "threads": 2, "quick": quick,
            "rows": [row("saxpy", 50.0), row("gather", 200.0)]
        });
        Record {
            date: "2026-11-28".into(),
            compiler: "rustc 1.95.0".into(),
            found: serde_json::from_value(found).unwrap(),
        }
    }

    #[test]
    fn files_are_named_for_the_instructions_and_have_the_mean() {
        let [(json, _), (_, markdown), (_, svg)] = files(&record(false)).unwrap();
        assert_eq!(json, "naive-a-tm-cpu-avx2.json");
        assert!(markdown.contains("of 2 rows is 1.00 (1.00)") && markdown.contains("gather"), "{markdown}");
        assert!(svg.contains("saxpy"), "{svg}");
        assert!(files(&record(true)).is_err());
    }
}
