//! A program of random kernels: made, run on each device, and what differs in it made smaller.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, bail};
use itertools::Itertools;

use super::Kernels;
use super::devices::{self, Device, Kind};
use super::generate;
use super::program::{self, Entry};
use super::random::Random;
use super::reduce::{self, Oracle};
use super::report::{Finding, Report};
use super::run::{self, Outcome, Package};
use super::tree::Kernel;
use crate::threads;
use crate::workspace::Workspace;

/// How many findings of a program are made smaller: the smallest ones, for many are of one fault.
const REDUCED: usize = 6;

/// The seeds of a program's kernels. Their lowest bit says whether products and sums are contracted, which is the same in a program.
pub(super) fn seeds(seed: u64, batch: u64, len: usize) -> Vec<u64> {
    let mut random = Random::new(seed.rotate_left(32) ^ batch);
    let contracted = u64::from(batch % 3 == 2);
    (0..len).map(|_| random.next() >> 16 << 1 | contracted).collect()
}

/// The chosen seeds that one program can have: the first or the second program's.
pub(super) fn together(chosen: &[u64], batch: u64) -> Vec<u64> {
    let of = |contracted: u64| chosen.iter().copied().filter(|seed| seed & 1 == contracted).collect();
    let mut parts = [0, 1].map(of).into_iter().filter(|part: &Vec<_>| !part.is_empty());
    parts.nth(batch as usize).unwrap_or_default()
}

/// The kernel of a seed.
pub(super) fn kernel(seed: u64) -> Kernel {
    generate::kernel(seed, seed & 1 == 0)
}

/// Devices, and where programs are built.
pub(super) struct Fuzzer<'o> {
    options: &'o Kernels,
    devices: Vec<Device>,
    package: Package,
    found: PathBuf,
    /// Lock of the folder: two runs would write one program.
    _lock: File,
}

impl<'o> Fuzzer<'o> {
    pub(super) fn new(workspace: &Workspace, options: &'o Kernels) -> anyhow::Result<Self> {
        let fuzz = workspace.target("fuzz");
        fs_err::create_dir_all(&fuzz)?;
        let lock = File::create(fuzz.join("lock")).context("can't make a lock")?;
        lock.try_lock().context("another run works in target/fuzz")?;
        let devices = devices::of(workspace, &fuzz, &options.devices)?;
        let package = Package::prepare(&workspace.root, &fuzz)?;
        let found = fuzz.join("found").join(options.seed.to_string());
        Ok(Self { options, devices, package, found, _lock: lock })
    }

    fn has(&self, is: impl Fn(Kind) -> bool) -> bool {
        self.devices.iter().any(|device| is(device.kind))
    }

    /// A part of a program's kernels.
    fn is_in_share(&self, at: usize, share: usize, kind: fn(Kind) -> bool) -> bool {
        self.has(kind) && (!self.has(|other| !kind(other)) || at * share / 100 != (at + 1) * share / 100)
    }

    /// Makes a program, runs it on all devices, and reduces what differs.
    pub(super) fn batch(&self, seeds: &[u64], report: &mut Report) -> anyhow::Result<()> {
        let kernels: Vec<Kernel> = seeds.iter().map(|seed| kernel(*seed)).collect();
        let is_contracted = seeds.first().is_some_and(|seed| seed & 1 == 1);
        let is_chosen = !self.options.chosen.is_empty();
        let is_on = |at: usize, share: usize, kind: fn(Kind) -> bool| {
            is_chosen && self.has(kind) || self.is_in_share(at, share, kind)
        };
        let entry = |(number, kernel)| Entry {
            number,
            kernel,
            input: seeds[number],
            on_cpu: is_on(number, self.options.cpu_share, |kind| kind == Kind::Cpu),
            on_amd: is_on(number, self.options.amd_share, |kind| matches!(kind, Kind::Amd(_))),
        };
        let entries: Vec<Entry<'_>> = kernels.iter().enumerate().map(entry).collect();
        let program = match self.build(&entries, is_contracted, &self.devices)? {
            Ok(program) => program,
            Err(_) if seeds.len() > 1 => {
                let (first, second) = seeds.split_at(seeds.len() / 2);
                self.batch(first, report)?;
                return self.batch(second, report);
            }
            Err(error) => return self.uncompiled(seeds[0], error, report),
        };
        report.kernels += kernels.len();
        // Side by side: an emulated AMD GPU is one thread.
        let outcomes = threads::each(self.devices.len(), &self.devices, |device| {
            let is_on = |entry: &&Entry<'_>| match device.kind {
                Kind::Cpu => entry.on_cpu,
                Kind::Nvidia => true,
                Kind::Amd(_) => entry.on_amd,
            };
            let numbers: Vec<_> = entries.iter().filter(is_on).map(|entry| vec![entry.number]).collect();
            run::run(&program, device, &numbers)
        })?;
        let mut findings: Vec<Finding> = Vec::new();
        for (device, outcomes) in self.devices.iter().zip(outcomes) {
            for (number, outcome) in outcomes {
                report.count(&device.name, &outcome);
                let (seed, kernel) = (seeds[number], &kernels[number]);
                // What is wrong on devices of one kind is one finding.
                let is_alike = |known: &&mut Finding| known.seed == seed && known.kind().is_like(device.kind);
                match findings.iter_mut().find(is_alike) {
                    _ if !outcome.is_difference() => {}
                    Some(known) => known.also.push(device.name.clone()),
                    None => findings.push(Finding::new(seed, kernel.clone(), device.clone(), outcome)),
                }
            }
        }
        self.reduce(findings, is_contracted, report)
    }

    /// A kernel that the compiler of some device doesn't take.
    fn uncompiled(&self, seed: u64, error: String, report: &mut Report) -> anyhow::Result<()> {
        report.kernels += 1;
        let compiled = self.devices.iter().find(|device| device.kind != Kind::Cpu);
        let Some(device) = compiled else { bail!("a kernel isn't compiled, and there is no device") };
        let outcome = Outcome::Uncompiled(error);
        report.count(&device.name, &outcome);
        let finding = Finding::new(seed, kernel(seed), device.clone(), outcome);
        self.reduce(vec![finding], seed & 1 == 1, report)
    }

    fn build(
        &self,
        entries: &[Entry<'_>],
        is_contracted: bool,
        devices: &[Device],
    ) -> anyhow::Result<Result<PathBuf, String>> {
        let architectures = devices.iter().filter_map(|device| device.kind.architecture());
        let architectures: Vec<&str> = architectures.sorted().dedup().collect();
        let text = program::text(entries, is_contracted, "", 256);
        self.package.build(&text, &architectures)
    }

    fn reduce(
        &self,
        mut findings: Vec<Finding>,
        is_contracted: bool,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        findings.sort_by_key(|finding| finding.kernel.size());
        let most = if self.options.as_found { findings.len() } else { REDUCED };
        let rest = findings.split_off(findings.len().min(most));
        report.unreduced += rest.len();
        if !findings.is_empty() && !self.options.as_found {
            println!("{} differ; making {} of them smaller", findings.len() + rest.len(), findings.len());
            let mut kernels: Vec<Kernel> = findings.iter().map(|finding| finding.kernel.clone()).collect();
            let mut questions = Builds { fuzzer: self, findings: &mut findings, is_contracted };
            reduce::all(&mut kernels, &mut questions)?;
            for (finding, kernel) in findings.iter_mut().zip(kernels) {
                finding.kernel = kernel;
            }
            // What the smallest ones do.
            let questions: Vec<(usize, Kernel)> =
                findings.iter().map(|finding| finding.kernel.clone()).enumerate().collect();
            Builds { fuzzer: self, findings: &mut findings, is_contracted }.ask(&questions, true)?;
        }
        for finding in findings {
            report.add(finding, is_contracted, &self.found)?;
        }
        Ok(())
    }
}

/// Oracle that asks by building a program and running it.
struct Builds<'f, 'o> {
    fuzzer: &'f Fuzzer<'o>,
    findings: &'f mut Vec<Finding>,
    is_contracted: bool,
}

impl Builds<'_, '_> {
    fn ask(&mut self, questions: &[(usize, Kernel)], keeps: bool) -> anyhow::Result<Vec<bool>> {
        let devices = questions.iter().map(|(finding, _)| self.findings[*finding].device.clone());
        let devices: Vec<Device> = devices.unique_by(|device| device.name.clone()).collect();
        let entries = questions.iter().enumerate().map(|(number, (finding, kernel))| {
            let finding = &self.findings[*finding];
            let (on_cpu, on_amd) = (finding.kind() == Kind::Cpu, matches!(finding.kind(), Kind::Amd(_)));
            Entry { number, kernel, input: finding.seed, on_cpu, on_amd }
        });
        let entries: Vec<Entry<'_>> = entries.collect();
        // Any device's compiler may be the one.
        let is_uncompiled =
            self.findings.iter().any(|finding| matches!(finding.outcome, Outcome::Uncompiled(_)));
        let built = if is_uncompiled { &self.fuzzer.devices } else { &devices };
        let program = match self.fuzzer.build(&entries, self.is_contracted, built)? {
            Ok(program) => program,
            Err(_) if questions.len() > 1 => {
                let (first, second) = questions.split_at(questions.len() / 2);
                return Ok([self.ask(first, keeps)?, self.ask(second, keeps)?].concat());
            }
            Err(_) => return Ok(vec![is_uncompiled]),
        };
        if is_uncompiled {
            return Ok(vec![false; questions.len()]);
        }
        let outcomes = threads::each(devices.len(), &devices, |device| {
            let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (number, (finding, _)) in questions.iter().enumerate() {
                if self.findings[*finding].device.name == device.name {
                    groups.entry(*finding).or_default().push(number);
                }
            }
            run::run(&program, device, &groups.into_values().collect::<Vec<_>>())
        })?;
        let mut answers = vec![false; questions.len()];
        outcomes.into_iter().flatten().for_each(|(number, outcome)| {
            let finding = &mut self.findings[questions[number].0];
            // A kernel that is refused doesn't stand for one that is wrong.
            let is_alike = std::mem::discriminant(&finding.outcome) == std::mem::discriminant(&outcome);
            answers[number] = outcome.is_difference() && is_alike;
            if keeps && answers[number] {
                finding.outcome = outcome;
            }
        });
        Ok(answers)
    }
}

impl Oracle for Builds<'_, '_> {
    fn tries(&self, finding: usize) -> usize {
        match self.findings[finding].kind() {
            _ if matches!(self.findings[finding].outcome, Outcome::Uncompiled(_)) => 8,
            Kind::Amd(_) => 24,
            _ => 100,
        }
    }

    fn differ(&mut self, questions: &[(usize, Kernel)]) -> anyhow::Result<Vec<bool>> {
        println!("  {} smaller kernels", questions.len());
        self.ask(questions, false)
    }
}
