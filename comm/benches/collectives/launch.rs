//! Starts ranks, and gathers what they found.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, ensure};

use crate::Options;
use crate::record::{Launch, Record, Row};

/// The program that starts ranks: `mpirun` of the PATH, or another.
const MPIRUN: &str = "GRIDWRIGHT_MPIRUN";

const RANKS: [usize; 2] = [2, 4];

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Some(peer) = &options.peer else {
        println!("SKIPPED: --peer names no library, which `cargo xtask bench --comm` compiles");
        return Ok(());
    };
    let load_before = load();
    let mut launches = Vec::new();
    for ranks in RANKS {
        let launch = launch(ranks, peer, options.is_quick)?;
        launch.rows.iter().for_each(print);
        launches.push(launch);
    }
    let first = launches.first().context("nothing was raced")?;
    let record = Record {
        device: first.device.clone(),
        cpu: cpu(),
        cores: thread::available_parallelism().map_or(1, NonZero::get),
        library: first.library.clone(),
        quick: options.is_quick,
        load_before,
        load_after: load(),
        rows: launches.into_iter().flat_map(|launch| launch.rows).collect(),
    };
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&record)? + "\n";
        fs::write(path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

fn launch(ranks: usize, peer: &Path, is_quick: bool) -> anyhow::Result<Launch> {
    let mpirun = std::env::var(MPIRUN).unwrap_or_else(|_| "mpirun".into());
    let path = std::env::temp_dir().join(format!("gridwright-comm-{}-{ranks}.json", std::process::id()));
    let mut command = Command::new(&mpirun);
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]);
    for variable in ["GRIDWRIGHT_COMM_CHECKS=0", "GRIDWRIGHT_CPU_THREADS=1", "GRIDWRIGHT_DEVICE=cpu"] {
        command.args(["-x", variable]);
    }
    command.arg(std::env::current_exe()?).arg("--rank").arg("--peer").arg(peer).arg("--json").arg(&path);
    command.args(is_quick.then_some("--quick"));
    let status = command.status().with_context(|| format!("can't start {mpirun}"))?;
    ensure!(status.success(), "{status}: {command:?}");
    let text = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
    fs::remove_file(&path)?;
    Ok(serde_json::from_slice(&text)?)
}

fn print(row: &Row) {
    let Row { call, ranks, bytes, calls, ours, peer, .. } = row;
    println!(
        "{call:<12} {ranks} ranks {bytes:>9} B: ours {:>12.1} ns, C {:>12.1} ns, C/ours {:.3} (minima {:.3}), {calls} calls",
        ours.median_ns,
        peer.median_ns,
        peer.median_ns / ours.median_ns,
        peer.min_ns / ours.min_ns,
    );
}

/// The processor's own name for itself.
fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).to_owned()
}

/// The machine's load of the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
