//! The races: one file a subject. Each compares both results with the host's first, then hands its contestants to the harness.

mod black_scholes;
mod driver;
mod facts;
mod harness;
mod histogram;
mod launch;
mod matrix_mul;
mod matrix_mul_patches;
mod nbody;
mod reduction;
mod scan;
mod sobel;
mod transpose;
mod vector_add;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Parser;
use gridwright::prelude::*;
use gridwright_measured::{device, machine, record, table};
use serde::Serialize;

use driver::{Driver, Reference};
use facts::Facts;
use harness::Harness;
use record::Record;

/// Below this share of the peer's speed a row falls short of what the project promises itself.
const LEAST: f64 = 0.95;

/// Races Gridwright's kernels on a GPU against nvcc's.
#[derive(Parser)]
struct Options {
    /// Only the rows whose names contain one of these.
    rows: Vec<String>,
    /// nvcc's kernels: a cubin, a fat binary or PTX. Give it again for others: the first that the driver takes is raced.
    #[arg(long, value_name = "PATH")]
    reference: Vec<PathBuf>,
    /// Small, and one round of one call each, to see that everything runs and agrees. The times mean nothing.
    #[arg(long)]
    quick: bool,
    /// Only says what the device is.
    #[arg(long)]
    facts: bool,
    /// Writes the results to this file, too.
    #[arg(long, value_name = "PATH")]
    json: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

/// What all races need.
struct Setting {
    device: Device,
    stream: Stream,
    driver: Driver,
    reference: Reference,
    quick: bool,
}

impl Setting {
    /// A size to measure at, and one at which an emulator is done soon: neither fits the blocks.
    fn size(&self, measured: usize, quick: usize) -> usize {
        if self.quick { quick } else { measured }
    }
}

/// A run on a GPU, as `--json` has it.
#[derive(Serialize)]
struct OnGpu<'r> {
    #[serde(flatten)]
    record: &'r Record,
    gpu: &'r Facts,
    /// The file with nvcc's kernels.
    reference: &'r str,
}

/// Runs what the options say.
pub(crate) fn run() -> anyhow::Result<()> {
    let Options { rows, reference, quick, facts: only_facts, json, .. } = Options::parse();
    let Some(device) = device::cuda()? else { return Ok(()) };
    let driver = Driver::new()?;
    let facts = Facts::of(&driver)?;
    print!("{facts}");
    if only_facts {
        return Ok(());
    }
    if facts.is_emulated {
        println!("EMULATION: there is no hardware, and the times mean nothing");
    }
    let reference = driver.first_of(&reference)?;
    println!("reference: {}", reference.name);

    let setting = Setting { stream: device.stream()?, device, driver, reference, quick };
    let mut harness = Harness::new(rows, quick, &setting.reference.name);
    vector_add::race(&mut harness, &setting)?;
    matrix_mul::race(&mut harness, &setting)?;
    matrix_mul_patches::race(&mut harness, &setting)?;
    transpose::race(&mut harness, &setting)?;
    reduction::race(&mut harness, &setting)?;
    histogram::race(&mut harness, &setting)?;
    nbody::race(&mut harness, &setting)?;
    scan::race(&mut harness, &setting)?;
    sobel::race(&mut harness, &setting)?;
    black_scholes::race(&mut harness, &setting)?;
    launch::race(&mut harness, &setting)?;
    finish(harness, &setting, &facts, json.as_deref())
}

fn finish(harness: Harness, setting: &Setting, facts: &Facts, json: Option<&Path>) -> anyhow::Result<()> {
    let rows = harness.finish();
    ensure!(!rows.is_empty(), "no row has such a name");
    let record = Record {
        device: setting.device.name().to_owned(),
        cpu: machine::cpu_model(),
        threads: machine::threads(),
        quick: setting.quick,
        rows,
    };
    println!("{}", table::of(&record.rows));
    if record.quick || facts.is_emulated {
        println!("{} races agree; nothing was measured", record.rows.len());
    } else {
        for row in &record.rows {
            let ratio = row.peer.median_ns / row.ours.median_ns;
            if ratio < LEAST {
                println!("SHORT: {} has {ratio:.3} of the peer's speed, less than {LEAST}", row.name);
            }
        }
    }
    if let Some(path) = json {
        record::write(path, &OnGpu { record: &record, gpu: facts, reference: &setting.reference.name })?;
    }
    Ok(())
}
