//! The rounds, and what they found.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use gridwright::prelude::*;
use serde::Serialize;

use super::arrays::{Contents, OnDevice};
use super::benchmark::{Benchmark, Order};
use super::compiled;
use super::machine;
use super::open_mp::{OpenMp, PeerArrays};
use super::validation::Expected;

/// Elements of an array, and rounds, of a quick run.
const QUICK: (usize, usize) = (4099, 3);

/// Races Gridwright's CPU backend against the same loops in C with OpenMP.
#[derive(Parser)]
struct Options {
    /// Elements of an array.
    #[arg(short = 's', long = "arraysize", value_name = "SIZE", default_value_t = 33_554_432)]
    len: usize,
    /// Rounds of all functions, ours and the peer's. The first counts for nothing.
    #[arg(short = 'n', long = "numtimes", value_name = "NUM", default_value_t = 100)]
    times: usize,
    /// Short arrays, to see that everything runs and agrees. The times mean nothing.
    #[arg(long)]
    quick: bool,
    /// Writes the results to this file, too.
    #[arg(long, value_name = "PATH")]
    json: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

/// A run. It has no date: whoever keeps it adds one.
#[derive(Serialize)]
struct Record {
    device: String,
    cpu: String,
    threads: usize,
    /// The peer's compiler, and what it was told.
    peer: String,
    quick: bool,
    elements: usize,
    element_bytes: usize,
    times: usize,
    /// Of the whole machine: how many threads ran or waited to run, as a mean of the last minute. None where nobody counts.
    load_before: Option<f64>,
    load_after: Option<f64>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    function: &'static str,
    /// What a run reads and writes.
    bytes: usize,
    ours: Times,
    peer: Times,
}

/// In seconds.
#[derive(Clone, Copy, Serialize)]
struct Times {
    min: f64,
    median: f64,
    max: f64,
    mean: f64,
}

impl Times {
    /// Of at least two runs, of which the first counts for nothing.
    fn of(runs: &[f64]) -> Self {
        let mut runs = runs[1..].to_vec();
        runs.sort_by(f64::total_cmp);
        let mean = runs.iter().sum::<f64>() / runs.len() as f64;
        Self { min: runs[0], median: runs[runs.len() / 2], max: runs[runs.len() - 1], mean }
    }
}

/// Runs what the options say.
pub(crate) fn run() -> anyhow::Result<()> {
    let options = Options::parse();
    let (len, times) = if options.quick { QUICK } else { (options.len, options.times) };
    ensure!(times >= 2 && len > 0, "each function runs twice or more, on an element or more");
    let threads = machine::threads();
    let open_mp = match OpenMp::compile(threads) {
        Ok(open_mp) => open_mp,
        Err(reason) => {
            eprintln!("SKIPPED: no C compiler with OpenMP: {reason:#}");
            return Ok(());
        }
    };
    let device = Device::cpu()?;
    let (mut ours, mut peer) = (f64::arrays(&device, len)?, PeerArrays::new(open_mp, len)?);

    let load_before = load();
    let mut seconds = [const { (Vec::new(), Vec::new()) }; Benchmark::ALL.len()];
    let mut sums = (None, None);
    for round in 0..times {
        let mut run_ours = |seconds: &mut [(Vec<f64>, Vec<f64>)]| -> anyhow::Result<()> {
            for (benchmark, (seconds, _)) in Benchmark::ALL.into_iter().zip(seconds) {
                let start = Instant::now();
                let sum = f64::run(&mut ours, benchmark)?;
                seconds.push(start.elapsed().as_secs_f64());
                sums.0 = sum.or(sums.0);
            }
            Ok(())
        };
        let mut run_peer = |seconds: &mut [(Vec<f64>, Vec<f64>)]| {
            for (benchmark, (_, seconds)) in Benchmark::ALL.into_iter().zip(seconds) {
                let start = Instant::now();
                let sum = peer.run(benchmark);
                seconds.push(start.elapsed().as_secs_f64());
                sums.1 = sum.or(sums.1);
            }
        };
        // Nobody always follows the other.
        if round % 2 == 0 {
            run_ours(&mut seconds)?;
            run_peer(&mut seconds);
        } else {
            run_peer(&mut seconds);
            run_ours(&mut seconds)?;
        }
    }
    let load_after = load();

    let expected = Expected::after(&Benchmark::ALL, Order::Classic, times, len);
    check("ours", &expected, &ours.download()?, sums.0)?;
    check("the peer", &expected, &peer.contents(), sums.1)?;

    let rows = Benchmark::ALL.into_iter().zip(&seconds).map(|(benchmark, (ours, peer))| Row {
        function: benchmark.name(),
        bytes: benchmark.moved() * size_of::<f64>() * len,
        ours: Times::of(ours),
        peer: Times::of(peer),
    });
    let record = Record {
        device: device.name().to_owned(),
        cpu: machine::cpu_model(),
        threads,
        peer: format!("{}, {}", compiled::compiler()?, compiled::FLAGS.join(" ")),
        quick: options.quick,
        elements: len,
        element_bytes: size_of::<f64>(),
        times,
        load_before,
        load_after,
        rows: rows.collect(),
    };
    if options.quick {
        println!("{} functions agree; so short a run measures nothing", record.rows.len());
    } else {
        println!("{} ({}), {len} elements, {times} times", record.cpu, record.device);
        println!("{}", table(&record.rows));
    }
    if let Some(path) = options.json {
        let text = serde_json::to_string_pretty(&record)? + "\n";
        fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

fn check(
    who: &str,
    expected: &Expected<f64>,
    contents: &Contents<f64>,
    sum: Option<f64>,
) -> anyhow::Result<()> {
    let (told, count) = expected.wrong(contents, sum);
    ensure!(count == 0, "{who}: {count} values are wrong: {}", told.join("; "));
    Ok(())
}

/// The load of the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        "function",
        "ours, MB/s",
        "peer, MB/s",
        "ours, median ms",
        "peer",
        "peer/ours",
        "of minima",
    ]);
    for Row { function, bytes, ours, peer } in rows {
        let rate = |times: &Times| format!("{:.0}", *bytes as f64 * 1e-6 / times.min);
        table.add_row([
            (*function).to_owned(),
            rate(ours),
            rate(peer),
            format!("{:.2}", ours.median * 1e3),
            format!("{:.2}", peer.median * 1e3),
            format!("{:.2}", peer.median / ours.median),
            format!("{:.2}", peer.min / ours.min),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
