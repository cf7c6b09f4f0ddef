//! What a run found, as `examples/measured/src/record.rs` writes it, when, and what is kept of it.

use std::fmt;

use anyhow::{Context, ensure};
use fs_err as fs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ratio::Ratio;
use crate::call::Call;
use crate::workspace::{Workspace, today};

const FOLDER: &str = "bench-results";

/// What is kept of a run that found an `F`.
#[derive(Deserialize, Serialize)]
pub(super) struct Record<F = Found> {
    /// Year, month and day, UTC. The bench itself doesn't say it, nor the compiler.
    #[serde(default)]
    pub(super) date: String,
    /// The compiler, as it calls itself.
    #[serde(default)]
    pub(super) compiler: String,
    pub(super) device: String,
    pub(super) cpu: String,
    #[serde(flatten)]
    pub(super) found: F,
}

/// What races of a kind find, and how it is shown.
pub(super) trait Race: DeserializeOwned + Serialize {
    /// What the names of records' files begin with.
    const NAME: &'static str;

    /// Whether the races only showed that everything runs.
    fn is_quick(&self) -> bool;

    /// Whether the device has no times that mean something.
    fn is_emulated(&self) -> bool {
        false
    }

    /// The name of a record's files. Different processors may have one name, as "AMD EPYC" is what virtual machines say of all of that
    /// family: then it is also of their instructions, which the device's name ends with.
    fn name(record: &Record<Self>) -> String {
        let instructions = record.device.rsplit(", ").next().unwrap_or_default();
        format!("{}-{}-{}", Self::NAME, slug(&record.cpu), slug(instructions))
    }

    /// A record for people. The plot is beside it, under this name.
    fn markdown(record: &Record<Self>, name: &str) -> String;

    /// A record's plot, if there is one.
    fn plot(_record: &Record<Self>) -> anyhow::Result<Option<String>> {
        Ok(None)
    }
}

/// Runs races, or those of some rows, and keeps the record of all: a record is whole.
pub(super) fn race<F: Race>(workspace: &Workspace, call: Call, rows: Vec<String>) -> anyhow::Result<()> {
    let is_whole = rows.is_empty();
    let record = Record::<F>::of_bench(workspace, call.arguments(rows))?;
    if is_whole { record.keep(workspace) } else { Ok(()) }
}

impl<F: Race> Record<F> {
    /// Runs a bench and takes what it found, today.
    pub(super) fn of_bench(workspace: &Workspace, bench: Call) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let json = folder.path().join("record.json");
        bench.arguments(["--json".as_ref(), json.as_os_str()]).run()?;
        ensure!(json.exists(), "nothing was measured");
        let found = serde_json::from_slice(&fs::read(json)?)?;
        Ok(Self { date: today(), compiler: workspace.compiler()?, ..found })
    }

    /// What is kept, by the files' names.
    pub(super) fn files(&self) -> anyhow::Result<Vec<(String, String)>> {
        ensure!(!self.found.is_quick(), "a quick run measures nothing");
        ensure!(!self.found.is_emulated(), "times on an emulated GPU mean nothing");
        let name = F::name(self);
        let plot = F::plot(self).context("can't draw the plot")?;
        let json = serde_json::to_string_pretty(self)? + "\n";
        let texts = [("json", Some(json)), ("md", Some(F::markdown(self, &name))), ("svg", plot)];
        Ok(texts.into_iter().filter_map(|(end, text)| Some((format!("{name}.{end}"), text?))).collect())
    }

    pub(super) fn keep(&self, workspace: &Workspace) -> anyhow::Result<()> {
        let folder = workspace.root.join(FOLDER);
        fs::create_dir_all(&folder)?;
        for (name, text) in self.files()? {
            fs::write(folder.join(&name), text)?;
            println!("wrote {FOLDER}/{name}");
        }
        Ok(())
    }
}

/// What the races wrote.
#[derive(Deserialize, Serialize)]
pub(super) struct Found {
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

/// The machine's load around the races.
#[derive(Deserialize, Serialize)]
pub(super) struct Load {
    load_before: Option<f64>,
    load_after: Option<f64>,
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} before and {} after", load(self.load_before), load(self.load_after))
    }
}

pub(super) fn load(load: Option<f64>) -> String {
    load.map_or_else(|| "unknown".into(), |load| format!("{load:.2}"))
}

impl Record {
    /// The record of what a bundle's `run.sh` wrote.
    pub(super) fn of_results(mut results: Value) -> anyhow::Result<Self> {
        let gpu: Option<Self> = serde_json::from_value(results["gpu"].take())?;
        let text = |part: &str, key: &str| results[part][key].as_str().map(str::to_owned);
        let date = text("facts", "date").context("no date of the facts")?;
        let compiler = text("bundle", "compiler").context("no compiler of the bundle")?;
        Ok(Self { date, compiler, ..gpu.context("the results have no races on a GPU")? })
    }

    /// What was measured on, in a line.
    pub(super) fn machine(&self) -> String {
        match &self.found.gpu {
            None => format!("{}, {} threads", self.cpu, self.found.threads),
            Some(gpu) => format!("{}, CUDA {}", gpu.name, gpu.cuda),
        }
    }
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
