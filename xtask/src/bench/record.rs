//! What a run found, as `examples/measured/src/record.rs` writes it, and when.

use std::fmt;
use std::process::Command;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::ratio::Ratio;

/// What is kept of a run that found an `F`.
#[derive(Serialize)]
pub(super) struct Record<F = Found> {
    /// Year, month and day, UTC.
    pub(super) date: String,
    /// The compiler, as it calls itself.
    pub(super) compiler: String,
    #[serde(flatten)]
    pub(super) found: F,
}

/// What the races wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
    pub(super) device: String,
    pub(super) cpu: String,
    pub(super) threads: usize,
    pub(super) quick: bool,
    pub(super) rows: Vec<Row>,
    /// The GPU, of races on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gpu: Option<Gpu>,
    /// The file with nvcc's kernels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
}

/// A GPU, as `examples/races/benches/gpu/races/facts.rs` writes it.
#[derive(Deserialize, Serialize)]
pub(super) struct Gpu {
    pub(super) name: String,
    pub(super) is_emulated: bool,
    pub(super) architecture: String,
    /// The release of CUDA that the driver is of.
    pub(super) cuda: String,
    pub(super) multiprocessors: u32,
    pub(super) clock_mhz: u32,
    pub(super) memory_clock_mhz: u32,
    pub(super) memory_bus_bits: u32,
    pub(super) l2_bytes: u64,
    pub(super) memory_bytes: u64,
}

/// What a bundle's `run.sh` writes, as far as a record has it.
#[derive(Deserialize)]
pub(super) struct Results {
    facts: Facts,
    bundle: Bundle,
    /// The races on a GPU; none where the bench failed, or didn't run.
    gpu: Option<Found>,
}

#[derive(Deserialize)]
struct Facts {
    date: String,
}

#[derive(Deserialize)]
struct Bundle {
    compiler: String,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) peer_name: String,
    pub(super) rounds: usize,
    pub(super) calls: u32,
    pub(super) ours: Time,
    pub(super) peer: Time,
    pub(super) serial: Option<Time>,
}

/// Times of one call.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub(super) struct Time {
    pub(super) min_ns: f64,
    pub(super) median_ns: f64,
}

/// The median, and the minimum in brackets.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, nanoseconds) = unit(self.median_ns);
        write!(f, "{:.2} ({:.2}) {unit}", self.median_ns / nanoseconds, self.min_ns / nanoseconds)
    }
}

/// The unit that a time is read in, and its nanoseconds.
pub(super) fn unit(time_ns: f64) -> (&'static str, f64) {
    match time_ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        _ => ("ms", 1e6),
    }
}

impl<F> Record<F> {
    pub(super) fn today(found: F) -> anyhow::Result<Self> {
        Ok(Self { date: today(), compiler: compiler()?, found })
    }
}

impl Record {
    /// The record of what was measured elsewhere.
    pub(super) fn of(results: Results) -> anyhow::Result<Self> {
        let found = results.gpu.context("the results have no races on a GPU")?;
        Ok(Self { date: results.facts.date, compiler: results.bundle.compiler, found })
    }

    /// The name of the record's files.
    pub(super) fn name(&self) -> String {
        match &self.found.gpu {
            None => format!("cpu-{}", slug(&self.found.cpu)),
            Some(gpu) => format!("gpu-{}", slug(&gpu.name)),
        }
    }

    /// What was measured on, in a line.
    pub(super) fn machine(&self) -> String {
        let Found { cpu, threads, gpu, .. } = &self.found;
        match gpu {
            None => format!("{cpu}, {threads} threads"),
            Some(gpu) => format!("{}, CUDA {}", gpu.name, gpu.cuda),
        }
    }
}

/// Year, month and day, UTC.
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// The compiler, as it calls itself.
fn compiler() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("can't start rustc")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The name of a processor and its instructions, which a device's name ends with. Different processors may have one name: "AMD EPYC" is what
/// virtual machines say of all of that family.
pub(super) fn processor(cpu: &str, device: &str) -> String {
    format!("{}-{}", slug(cpu), slug(device.rsplit(", ").next().unwrap_or_default()))
}

/// The name in small letters, digits, and single dashes between.
pub(super) fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

impl Row {
    pub(super) fn ratio(&self) -> Ratio {
        Ratio::of(self.peer, self.ours)
    }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_have_single_dashes() {
        assert_eq!(slug("Intel(R) Xeon(R) CPU @ 2.80GHz"), "intel-r-xeon-r-cpu-2-80ghz");
    }
}
