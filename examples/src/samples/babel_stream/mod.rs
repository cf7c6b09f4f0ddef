//! BabelStream of the University of Bristol: how fast a device reads and writes its memory, by six loops over long arrays.
//!
//! Sizes, options, the rules of validation and the columns are the original's, so that results stand beside published ones:
//! <https://github.com/UoB-HPC/BabelStream>. `cargo xtask bench --stream` races it against the same loops in C with OpenMP.

// Kernels are compiled for GPUs too; all else is the host's.
#[cfg(not(gridwright_device))]
pub mod arrays;
#[cfg(not(gridwright_device))]
pub mod benchmark;
pub mod kernels;
#[cfg(not(gridwright_device))]
mod report;
#[cfg(all(test, not(gridwright_device)))]
mod tests;
#[cfg(not(gridwright_device))]
pub mod validation;

use gridwright::prelude::*;
#[host_only]
use {
    crate::up_to,
    anyhow::{Context, ensure},
    arrays::{Arrays, OnDevice},
    benchmark::{Benchmark, Order, Selection},
    clap::Parser,
    report::{Report, Times, Unit},
    std::time::Instant,
    validation::{Compared, Expected},
};

/// Measures the bandwidth of a device's memory.
#[host_only]
#[derive(Parser)]
#[command(version)]
#[allow(clippy::struct_excessive_bools)] // the original's options
struct Options {
    /// Lists the devices.
    #[arg(long)]
    list: bool,
    /// The device of this number in the list, rather than the one of GRIDWRIGHT_DEVICE.
    #[arg(long, value_name = "INDEX")]
    device: Option<usize>,
    /// Elements of an array.
    #[arg(short = 's', long = "arraysize", value_name = "SIZE", default_value_t = 33_554_432, value_parser = up_to::<{ 1 << 32 }>)]
    len: usize,
    /// How often each function runs, twice or more: the first time counts for nothing.
    #[arg(short = 'n', long = "numtimes", value_name = "NUM", default_value_t = 100)]
    times: usize,
    /// Elements are f32 rather than f64.
    #[arg(long)]
    float: bool,
    /// Runs one function only, or All, or Classic: all but Nstream.
    #[arg(short = 'o', long, value_name = "NAME", default_value_t = Selection::Classic)]
    only: Selection,
    /// Runs Triad only.
    #[arg(long, conflicts_with_all = ["only", "nstream_only"])]
    triad_only: bool,
    /// Runs Nstream only.
    #[arg(long, conflicts_with = "only")]
    nstream_only: bool,
    /// Lists the functions.
    #[arg(long)]
    print_names: bool,
    /// Runs each function once and that over and over, or each over and over.
    #[arg(long, value_enum, default_value_t = Order::Classic)]
    order: Order,
    /// Prints the results as CSV.
    #[arg(long)]
    csv: bool,
    /// Counts in MB of 10⁶ bytes, as it does anyway.
    #[arg(long = "megabytes", group = "unit")]
    _megabytes: bool,
    /// Counts in MiB of 2²⁰ bytes.
    #[arg(long, group = "unit")]
    mibibytes: bool,
    /// Counts in GB of 10⁹ bytes.
    #[arg(long, group = "unit")]
    gigabytes: bool,
    /// Counts in GiB of 2³⁰ bytes.
    #[arg(long, group = "unit")]
    gibibytes: bool,
    /// Counts in TB of 10¹² bytes.
    #[arg(long, group = "unit")]
    terabytes: bool,
    /// Counts in TiB of 2⁴⁰ bytes.
    #[arg(long, group = "unit")]
    tebibytes: bool,
    /// Tells wrong elements without failing.
    #[arg(long)]
    silence_errors: bool,
}

#[host_only]
impl Options {
    fn selection(&self) -> Selection {
        match self {
            Self { triad_only: true, .. } => Selection::One(Benchmark::Triad),
            Self { nstream_only: true, .. } => Selection::One(Benchmark::Nstream),
            _ => self.only,
        }
    }

    fn unit(&self) -> Unit {
        match self {
            Self { mibibytes: true, .. } => Unit::Mebibytes,
            Self { gigabytes: true, .. } => Unit::Gigabytes,
            Self { gibibytes: true, .. } => Unit::Gibibytes,
            Self { terabytes: true, .. } => Unit::Terabytes,
            Self { tebibytes: true, .. } => Unit::Tebibytes,
            _ => Unit::Megabytes,
        }
    }
}

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    if options.print_names {
        println!("Available benchmarks: {}", benchmark::names());
        return Ok(());
    }
    if options.list {
        for (index, device) in Device::all()?.iter().enumerate() {
            println!("{index}: {}", device.name());
        }
        return Ok(());
    }
    ensure!(options.times >= 2, "each function runs twice or more");
    let device = match options.device {
        None => Device::from_env()?,
        Some(index) => Device::all()?
            .into_iter()
            .nth(index)
            .with_context(|| format!("there is no device {index}: see --list"))?,
    };
    if options.float { run::<f32>(&options, &device) } else { run::<f64>(&options, &device) }
}

#[host_only]
fn run<T: OnDevice + Compared>(options: &Options, device: &Device) -> anyhow::Result<()> {
    let Options { len, times, order, csv, .. } = *options;
    let (selection, unit) = (options.selection(), options.unit());
    if !csv {
        let bytes = size_of::<T>() as f64 * len as f64;
        println!("BabelStream in Gridwright {}", env!("CARGO_PKG_VERSION"));
        println!("Device: {}", device.name());
        println!("Running {selection} kernels {times} times in {order} order");
        println!("Number of elements: {len}");
        println!("Precision: {}", if options.float { "float" } else { "double" });
        println!("Array size: {:.1} {}", unit.of(bytes), unit.symbol());
        println!("Total size: {:.1} {}", unit.of(3.0 * bytes), unit.symbol());
    }

    let benchmarks = selection.benchmarks();
    let mut arrays = T::arrays(device, len)?;
    let (seconds, sum) = match order {
        Order::Classic => classic(&mut arrays, &benchmarks, times)?,
        Order::Isolated => isolated(&mut arrays, &benchmarks, times)?,
    };

    let expected = Expected::<T>::after(&benchmarks, order, times, len);
    let (told, wrong) = expected.wrong(&arrays.download()?, sum);
    told.iter().for_each(|told| eprintln!("{told}"));
    ensure!(wrong == 0 || options.silence_errors, "{wrong} values are wrong");

    let report = Report { as_csv: csv, unit, times, len, element: size_of::<T>() };
    println!("{}", report.header());
    for (&benchmark, seconds) in benchmarks.iter().zip(&seconds) {
        println!("{}", report.row(benchmark, Times::of(seconds)));
    }
    Ok(())
}

/// The seconds of each run of each benchmark, and the last sum.
#[host_only]
type Measured<T> = (Vec<Vec<f64>>, Option<T>);

#[host_only]
fn classic<T: OnDevice>(
    arrays: &mut Arrays<T>,
    benchmarks: &[Benchmark],
    times: usize,
) -> anyhow::Result<Measured<T>> {
    let (mut seconds, mut sum) = (vec![Vec::new(); benchmarks.len()], None);
    for _ in 0..times {
        for (&benchmark, seconds) in benchmarks.iter().zip(&mut seconds) {
            let start = Instant::now();
            let result = T::run(arrays, benchmark)?;
            seconds.push(start.elapsed().as_secs_f64());
            sum = result.or(sum);
        }
    }
    Ok((seconds, sum))
}

#[host_only]
fn isolated<T: OnDevice>(
    arrays: &mut Arrays<T>,
    benchmarks: &[Benchmark],
    times: usize,
) -> anyhow::Result<Measured<T>> {
    let (mut seconds, mut sum) = (Vec::new(), None);
    for &benchmark in benchmarks {
        let start = Instant::now();
        for _ in 0..times {
            sum = T::run(arrays, benchmark)?.or(sum);
        }
        seconds.push(vec![start.elapsed().as_secs_f64() / times as f64; times]);
    }
    Ok((seconds, sum))
}
