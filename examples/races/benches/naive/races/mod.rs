//! The races: one file for each kind of kernel, with the loops of rayon's side.

mod bytes;
mod grids;
mod indices;
mod loops;
mod naive;
mod structs;

use anyhow::ensure;
use gridwright::prelude::*;
use gridwright_measured::harness::Harness;
use gridwright_measured::options::Options;
use gridwright_measured::record::Record;
use gridwright_measured::{machine, table};

use naive::Naive;

/// Runs what the options say.
pub(crate) fn run() -> anyhow::Result<()> {
    let options = Options::of_bench("Races naive kernels on the CPU against naive loops with rayon");
    let device = Device::cpu()?;
    let mut naive = Naive::new(&device, Harness::new(&options)?, options.quick)?;

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
    options.keep(&record)
}
