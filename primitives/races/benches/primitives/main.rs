//! The primitives on the CPU against what else there is: the standard library, rayon, crates of radix sorts, Thrust, and C++17's
//! parallel algorithms, in one process and alternating rounds.
//!
//! `cargo xtask bench --primitives` compiles the peers in C++, runs this, and keeps the record.

mod algorithm;
mod arena;
mod contestant;
mod harness;
mod loops;
mod ours;
mod peers;
mod record;
mod value;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Parser;
use gridwright::prelude::*;
use gridwright_measured::machine;
use rayon::ThreadPoolBuilder;

use algorithm::Algorithm;
use contestant::Contestant;
use harness::Harness;
use peers::{by_rayon, by_std, copy, cpp, radix};
use record::Record;
use value::{Pair, Value};

/// Elements of the smallest arrays; each size is ten times the one before.
const SMALLEST: usize = 1000;

/// Races Gridwright's primitives on the CPU.
#[derive(Parser)]
struct Options {
    /// Only these: algorithms, types, or both, as in `sort u32`.
    only: Vec<String>,
    /// Elements of the largest arrays.
    #[arg(long, value_name = "ELEMENTS", default_value_t = 10_000_000)]
    largest: usize,
    /// One round of one call each of the smallest arrays, to see that everything runs and agrees. The times mean nothing.
    #[arg(long)]
    quick: bool,
    /// Writes the results to this file, too.
    #[arg(long, value_name = "PATH")]
    json: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    ThreadPoolBuilder::new().num_threads(machine::threads()).build_global()?;
    // From one of rayon's threads: getting in costs more than a short call.
    rayon::scope(|_| run(options))
}

fn run(options: Options) -> anyhow::Result<()> {
    let load_before = load();
    let mut races = Races::new(options.quick)?;
    let is_asked = |word: &str, of: &[&str]| {
        let mut asked = options.only.iter().filter(|only| of.contains(&only.as_str())).peekable();
        asked.peek().is_none() || asked.any(|asked| asked == word)
    };
    let algorithms = Algorithm::ALL.map(Algorithm::name);
    let known = |only: &String| algorithms.iter().chain(&TYPES).any(|name| name == only);
    let unknown = options.only.iter().find(|only| !known(only));
    ensure!(unknown.is_none(), "there is no {}", unknown.map_or("", String::as_str));
    for algorithm in Algorithm::ALL.into_iter().filter(|one| is_asked(one.name(), &algorithms)) {
        for element in TYPES.into_iter().filter(|element| is_asked(element, &TYPES)) {
            for len in sizes(if options.quick { SMALLEST } else { options.largest }) {
                races.enter(algorithm, element, len)?;
            }
        }
    }
    let Harness { rows, skipped, .. } = races.harness;
    let record = Record {
        device: races.device.name().to_owned(),
        cpu: machine::cpu_model(),
        threads: races.threads,
        quick: options.quick,
        load_before,
        load_after: load(),
        rows,
        skipped,
    };
    println!("{} ({}), {} threads", record.cpu, record.device, record.threads);
    if options.quick {
        println!("{} races agree; one round measures nothing", record.rows.len());
    }
    if let Some(path) = options.json {
        let text = serde_json::to_string_pretty(&record)? + "\n";
        fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

const TYPES: [&str; 5] = ["u32", "u64", "f32", "f64", "pairs"];

fn sizes(largest: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(SMALLEST), |size| size.checked_mul(10))
        .take_while(move |size| *size <= largest)
}

/// Who is there.
struct Races {
    device: Device,
    threads: usize,
    cpp: Vec<cpp::Peer>,
    harness: Harness,
}

impl Races {
    fn new(is_quick: bool) -> anyhow::Result<Self> {
        let (device, threads, mut harness) = (Device::cpu()?, machine::threads(), Harness::new(is_quick));
        let mut cpp = Vec::new();
        for (name, peer) in cpp::find(threads) {
            match peer {
                Ok(peer) => cpp.push(peer),
                Err(reason) => harness.skip(name, None, &reason),
            }
        }
        Ok(Self { device, threads, cpp, harness })
    }

    fn enter(&mut self, algorithm: Algorithm, element: &str, len: usize) -> anyhow::Result<()> {
        match (algorithm, element) {
            (_, "u32") => self.numbers::<u32>(algorithm, len),
            (_, "u64") => self.numbers::<u64>(algorithm, len),
            (_, "f32") => self.numbers::<f32>(algorithm, len),
            (_, "f64") => self.numbers::<f64>(algorithm, len),
            // Nobody counts pairs.
            (Algorithm::Histogram, _) => Ok(()),
            (Algorithm::Sort, _) => self.sort_pairs(len),
            (_, _) => {
                self.race::<Pair>(algorithm, len, |device, arena| ours::enter(device, algorithm, arena))
            }
        }
    }

    fn numbers<T: ours::NumberValue>(&mut self, algorithm: Algorithm, len: usize) -> anyhow::Result<()> {
        match algorithm {
            Algorithm::Histogram => self.histogram::<T>(len),
            Algorithm::Sort => self.race::<T>(algorithm, len, ours::enter_sort),
            _ => self.race::<T>(algorithm, len, |device, arena| ours::enter(device, algorithm, arena)),
        }
    }

    fn race<T: Value>(
        &mut self,
        algorithm: Algorithm,
        len: usize,
        ours: impl FnOnce(&Device, &arena::Arena<T>) -> anyhow::Result<Option<Contestant<'static, T>>>,
    ) -> anyhow::Result<()> {
        let mut arena = algorithm.arena::<T>(len);
        let mut contestants: Vec<_> = ours(&self.device, &arena)?.into_iter().collect();
        contestants.extend(self.peers(algorithm)?);
        contestants
            .extend(self.cpp.iter().map(|peer| peer.enter(algorithm, "")).collect::<Result<Vec<_>, _>>()?);
        let contestants = contestants.into_iter().map(|one| refilled(algorithm, one)).collect();
        self.harness.race(algorithm, &mut arena, &[], contestants)
    }

    fn sort_pairs(&mut self, len: usize) -> anyhow::Result<()> {
        let algorithm = Algorithm::Sort;
        let mut arena = algorithm.arena::<Pair>(len);
        let mut contestants: Vec<_> = ours::enter_pairs(&self.device, &arena)?.into_iter().collect();
        contestants.extend(self.peers(algorithm)?.into_iter().map(|one| refilled(algorithm, one)));
        for peer in &self.cpp {
            let contestant = peer.enter(algorithm, "")?;
            contestants.push(if peer.sorts_columns() {
                let before = |arena: &mut arena::Arena<Pair>| {
                    arena.refill_columns();
                    Ok(())
                };
                contestant.before(before).after(|arena| {
                    arena.rows_of_columns();
                    Ok(())
                })
            } else {
                refilled(algorithm, contestant)
            });
        }
        self.harness.race(algorithm, &mut arena, &[], contestants)
    }

    /// All that do the same with all types, but for those in C++.
    fn peers<T: Value>(&self, algorithm: Algorithm) -> anyhow::Result<Vec<Contestant<'static, T>>> {
        let mut peers = vec![by_std::enter(algorithm), by_rayon::enter(algorithm, self.threads)];
        if algorithm == Algorithm::Sort {
            peers.extend(radix::enter(self.threads));
        }
        peers.push(copy::enter(self.threads));
        Ok(peers)
    }

    fn histogram<T: ours::NumberValue>(&mut self, len: usize) -> anyhow::Result<()> {
        let mut arena = algorithm::counted::<T>(len);
        let mut counts = vec![0; arena.bins.len()];
        T::count(&arena.x, [0, arena::UPPER].map(T::of), &mut counts);
        let mut contestants: Vec<_> = ours::enter_histogram(&self.device, &arena)?.into_iter().collect();
        contestants.extend([
            by_std::histogram(),
            by_rayon::histogram(self.threads),
            copy::enter(self.threads),
        ]);
        contestants.extend(self.cpp.iter().map(|peer| peer.histogram()).collect::<Result<Vec<_>, _>>()?);
        self.harness.race(Algorithm::Histogram, &mut arena, &counts, contestants)
    }
}

/// Who sorts in the shared memory finds there each time what is to be sorted.
fn refilled<T: Value>(algorithm: Algorithm, contestant: Contestant<'_, T>) -> Contestant<'_, T> {
    if algorithm == Algorithm::Sort && contestant.peer != ours::NAME && contestant.peer != copy::NAME {
        contestant.before(|arena| {
            arena.refill();
            Ok(())
        })
    } else {
        contestant
    }
}

/// The machine's load of the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
