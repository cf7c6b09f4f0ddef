//! The races: one file for each kind of kernel, with the loops of rayon's side.

mod bytes;
mod grids;
mod indices;
mod loops;
mod naive;
mod structs;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Parser;
use gridwright::prelude::*;
use gridwright_measured::harness::Harness;
use gridwright_measured::record::Record;
use gridwright_measured::{machine, record, table};

use naive::Naive;

/// Races naive kernels on the CPU against naive loops with rayon.
#[derive(Parser)]
struct Options {
    /// Only the rows whose names contain one of these.
    rows: Vec<String>,
    /// One round of one call each, on little data, to see that everything runs and agrees. The times mean nothing.
    #[arg(long)]
    quick: bool,
    /// Writes the results to this file, too.
    #[arg(long, value_name = "PATH")]
    json: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

/// Runs what the options say.
pub(crate) fn run() -> anyhow::Result<()> {
    let options = Options::parse();
    let device = Device::cpu()?;
    let mut naive = Naive::new(&device, Harness::new(options.rows, options.quick)?, options.quick)?;

    bytes::race(&mut naive)?;
    indices::race(&mut naive)?;
    structs::race(&mut naive)?;
    grids::race(&mut naive)?;
    loops::race(&mut naive)?;

    let rows = naive.finish();
    ensure!(!rows.is_empty(), "no row has such a name");
    let record = Record {
        device: device.name().to_owned(),
        cpu: machine::cpu_model(),
        threads: machine::threads(),
        quick: options.quick,
        rows,
    };
    println!("{} ({}), {} threads", record.cpu, record.device, record.threads);
    if record.quick {
        println!("{} races agree; one round measures nothing", record.rows.len());
    } else {
        println!("{}", table::of(&record.rows));
    }
    if let Some(path) = options.json {
        record::write(&path, &record)?;
    }
    Ok(())
}
