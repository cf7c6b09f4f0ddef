//! What was compared, what differs, and the programs that show it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use fs_err as fs;

use super::devices::{Device, Kind};
use super::program::{self, Entry};
use super::run::{Outcome, Wrong};
use super::tree::Kernel;
use crate::table::{self, row};

/// A kernel that differs on a device.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) seed: u64,
    pub(super) kernel: Kernel,
    pub(super) device: Device,
    /// Devices of the same kind where the kernel, as it was made, differs too.
    pub(super) also: Vec<String>,
    pub(super) outcome: Outcome,
}

impl Finding {
    pub(super) fn new(seed: u64, kernel: Kernel, device: Device, outcome: Outcome) -> Self {
        Self { seed, kernel, device, also: Vec::new(), outcome }
    }

    pub(super) fn kind(&self) -> Kind {
        self.device.kind
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right => f.write_str("right"),
            Self::Skipped => f.write_str("the host panics"),
            Self::Uncompiled(text) => write!(f, "doesn't compile: {text}"),
            Self::Failed(text) => write!(f, "failed: {text}"),
            Self::Wrong(Wrong { thread, threads, got, right, row }) => {
                let [got, right] = [got, right].map(|numbers| numbers.join(", "));
                write!(
                    f,
                    "{threads} threads wrong, first {thread}: input {row}, got [{got}], right [{right}]"
                )
            }
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    right: usize,
    wrong: usize,
    failed: usize,
    skipped: usize,
}

/// The numbers of a whole run.
pub(crate) struct Report {
    seed: u64,
    pub(super) kernels: usize,
    /// Findings that were only counted.
    pub(super) unreduced: usize,
    pub(super) time: Duration,
    devices: BTreeMap<String, Counts>,
}

impl Report {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, kernels: 0, unreduced: 0, time: Duration::ZERO, devices: BTreeMap::new() }
    }

    pub(super) fn count(&mut self, device: &str, outcome: &Outcome) {
        let counts = self.devices.entry(device.to_owned()).or_default();
        match outcome {
            Outcome::Right => counts.right += 1,
            Outcome::Wrong(_) => counts.wrong += 1,
            Outcome::Failed(_) | Outcome::Uncompiled(_) => counts.failed += 1,
            Outcome::Skipped => counts.skipped += 1,
        }
    }

    /// How many comparisons found a difference.
    pub(crate) fn differences(&self) -> usize {
        self.devices.values().map(|counts| counts.wrong + counts.failed).sum()
    }

    pub(super) fn progress(&self, time: Duration) {
        println!("{}, {} differences", self.pace(time), self.differences());
    }

    fn pace(&self, time: Duration) -> String {
        let (kernels, seconds) = (self.kernels, time.as_secs_f64());
        format!("{kernels} kernels in {seconds:.0} s, {:.2} a second", kernels as f64 / seconds)
    }

    /// Says a finding, and writes its program.
    pub(super) fn add(&mut self, finding: Finding, is_contracted: bool, found: &Path) -> anyhow::Result<()> {
        let Finding { seed, kernel, device, also, outcome } = finding;
        let also: String = also.iter().map(|name| format!(", also {name}")).collect();
        let head = format!(
            "Kernel {seed} of `cargo xtask fuzz kernels --seed {}`, as it is left. {}{also}: {outcome}\nAgain: --kernel {seed}",
            self.seed, device.name
        );
        println!("\n{head}\n{}", program::core(&kernel, 0, is_contracted));
        let entry = Entry { number: 0, kernel: &kernel, input: seed, on_cpu: true, on_amd: true };
        let text = program::text(&[entry], is_contracted, &head, device.threads);
        fs::create_dir_all(found)?;
        let name = device.name.replace(", ", "_");
        let path = found.join(format!("{seed}_{name}.rs"));
        Ok(fs::write(&path, text)?)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = table::markdown("device | compared | right | wrong | failed | the host panics");
        for (device, Counts { right, wrong, failed, skipped }) in &self.devices {
            table.add_row(row![device, right + wrong + failed, right, wrong, failed, skipped]);
        }
        writeln!(f, "\n{table}")?;
        let (pace, differences) = (self.pace(self.time), self.differences());
        let Self { seed, unreduced, .. } = self;
        write!(f, "seed {seed}: {pace}; {differences} differences, {unreduced} of them not made smaller")
    }
}
