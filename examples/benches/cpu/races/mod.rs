//! The races: one file a subject. Each compares results first, then hands its contestants to the harness.

mod black_scholes;
mod histogram;
mod launch;
mod mandelbrot;
mod matrix_mul;
mod nbody;
mod open_mp;
mod reduction;
mod saxpy;
mod sobel;
mod transpose;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Parser;
use gridwright::prelude::*;
use gridwright_measured::{compiled, harness, loops, machine, open_cl, record, table};

use harness::Harness;
use record::Record;

/// Races Gridwright's CPU backend against hand-written loops.
#[derive(Parser)]
struct Options {
    /// Only the rows whose names contain one of these.
    rows: Vec<String>,
    /// One round of one call each, to see that everything runs and agrees. The times mean nothing.
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
    let mut harness = Harness::new(options.rows, options.quick)?;

    launch::race(&mut harness, &device)?;
    saxpy::race(&mut harness, &device)?;
    sobel::race(&mut harness, &device)?;
    matrix_mul::race(&mut harness, &device)?;
    nbody::race(&mut harness, &device)?;
    mandelbrot::race(&mut harness, &device)?;
    reduction::race(&mut harness, &device)?;
    transpose::race(&mut harness, &device)?;
    histogram::race(&mut harness, &device)?;
    black_scholes::race(&mut harness, &device)?;

    let rows = harness.finish();
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
