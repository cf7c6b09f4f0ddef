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

use anyhow::ensure;
use gridwright::prelude::*;
use gridwright_measured::{compiled, harness, loops, machine, open_cl, options, record, table};

use harness::Harness;
use options::Options;
use record::Record;

/// Runs what the options say.
pub(crate) fn run() -> anyhow::Result<()> {
    let options = Options::of_bench("Races Gridwright's CPU backend against hand-written loops");
    let device = Device::cpu()?;
    let mut harness = Harness::new(&options)?;

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
    options.keep(&record)
}
