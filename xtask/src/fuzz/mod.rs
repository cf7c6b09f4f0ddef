//! `cargo xtask fuzz kernels`: random safe kernels, whose results on each device are compared with the host's own evaluation of the
//! same functions.
//!
//! Many kernels are one program, so that one takes a fraction of a second. One that differs is made smaller, as long as it differs,
//! and written into `target/fuzz/found` as a program of its own.

mod batch;
mod devices;
mod generate;
mod program;
mod random;
mod reduce;
mod report;
mod run;
#[cfg(test)]
mod tests;
mod tree;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};

use crate::workspace::Workspace;
use batch::Fuzzer;
use report::Report;

#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Random kernels on each device.
    Kernels(Kernels),
}

/// What kernels, and where.
#[derive(Args, Default)]
pub(crate) struct Kernels {
    /// Begins no more programs after so many seconds.
    #[arg(long, default_value_t = 120)]
    pub(crate) seconds: u64,
    /// Begins no more programs after so many kernels.
    #[arg(long)]
    pub(crate) kernels: Option<usize>,
    /// The seed that all random choices follow from.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Runs only on this device: cpu, emulator, gfx1100 or gfx942; give it again for more.
    #[arg(long = "device", value_name = "NAME")]
    pub(crate) devices: Vec<String>,
    /// Runs only the kernel of this seed, which a finding is named by; give it again for more.
    #[arg(long = "kernel", value_name = "SEED")]
    pub(crate) chosen: Vec<u64>,
    /// Kernels in a program.
    #[arg(long, default_value_t = 120)]
    pub(crate) batch: usize,
    /// How many of a hundred kernels also run on the CPU, if that isn't the only device: compiling them
    /// takes longest.
    #[arg(long, default_value_t = 20)]
    pub(crate) cpu_share: usize,
    /// How many of a hundred kernels also run on emulated AMD GPUs, if these aren't the only devices.
    #[arg(long, default_value_t = 30)]
    pub(crate) amd_share: usize,
    /// Writes findings as they are, without making them smaller.
    #[arg(long)]
    pub(crate) as_found: bool,
}

impl Kernels {
    /// A short run of the default tests.
    pub(crate) fn short(seed: u64, seconds: u64) -> Self {
        Self { seconds, seed, batch: 60, cpu_share: 20, amd_share: 20, ..Self::default() }
    }
}

/// Runs the fuzzer to its end.
///
/// # Errors
/// Where a program doesn't compile, or a device can't be had.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<ExitCode> {
    let What::Kernels(kernels) = &options.what;
    let report = fuzz(workspace, kernels)?;
    println!("{report}");
    Ok(if report.differences() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes and runs program after program, until time or number is reached.
pub(crate) fn fuzz(workspace: &Workspace, options: &Kernels) -> anyhow::Result<Report> {
    let fuzzer = Fuzzer::new(workspace, options)?;
    let mut report = Report::new(options.seed);
    let (start, limit) = (Instant::now(), Duration::from_secs(options.seconds));
    for number in 0.. {
        let seeds = if options.chosen.is_empty() {
            let most = options.kernels.map_or(usize::MAX, |kernels| kernels.saturating_sub(report.kernels));
            batch::seeds(options.seed, number, options.batch.min(most))
        } else {
            batch::together(&options.chosen, number)
        };
        if seeds.is_empty() {
            break;
        }
        fuzzer.batch(&seeds, &mut report)?;
        report.progress(start.elapsed());
        if start.elapsed() >= limit && options.chosen.is_empty() {
            break;
        }
    }
    report.time = start.elapsed();
    Ok(report)
}
