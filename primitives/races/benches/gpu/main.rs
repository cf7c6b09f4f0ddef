//! The primitives on the device of `GRIDWRIGHT_DEVICE`, each on 2¹⁶ to 2²⁶ elements, timed by the stream's events; beside CUB, where a
//! library with its algorithms is given, in alternating rounds.
//!
//! `cargo xtask bundle` ships this with that library. A time is a call's with its temporary memory there, and the bytes are those of its
//! inputs and outputs.

mod cub;
mod ours;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Parser;
use gridwright::prelude::*;

use cub::Cub;
use ours::Algorithm;

/// Calls of each contestant that are timed.
const ROUNDS: usize = 21;

/// Races Gridwright's primitives on a device.
#[derive(Parser)]
struct Options {
    /// Only the algorithms whose names contain one of these.
    only: Vec<String>,
    /// The power of two of the smallest arrays' elements.
    #[arg(long, value_name = "POWER", default_value_t = 16)]
    smallest: u32,
    /// The power of two of the largest arrays' elements.
    #[arg(long, value_name = "POWER", default_value_t = 26, value_parser = clap::value_parser!(u32).range(..32))]
    largest: u32,
    /// One call on few elements, to see that everything runs. The times mean nothing.
    #[arg(long)]
    quick: bool,
    /// The library of CUB's algorithms.
    #[arg(long, value_name = "PATH")]
    cub: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

fn main() -> anyhow::Result<()> {
    let Options { only, smallest, largest, quick, cub, .. } = Options::parse();
    let (powers, rounds) = if quick { (12..=12, 1) } else { (smallest..=largest, ROUNDS) };
    let device = Device::from_env()?;
    let stream = device.stream()?;
    // The device's context is there before CUB's runtime takes it.
    let cub = cub.map(|path| Cub::load(&path)).transpose()?;
    println!("device: {}", device.name());
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|word| name.contains(word.as_str()));
    let wanted: Vec<Algorithm> = Algorithm::ALL.into_iter().filter(|one| is_wanted(one.name())).collect();
    ensure!(!wanted.is_empty(), "no algorithm has such a name");
    println!(
        "{:16} {:>8} {:>12} {:>9} {:>12} {:>9}  of CUB's speed",
        "algorithm", "elements", "ns/element", "GB/s", "CUB's", "GB/s"
    );
    for algorithm in wanted {
        for power in powers.clone() {
            race(&stream, cub.as_ref(), algorithm, power, rounds)?;
        }
    }
    if quick {
        println!("one call each; nothing was measured");
    }
    Ok(())
}

/// Times both in alternating rounds, and prints the medians.
fn race(
    stream: &Stream,
    cub: Option<&Cub>,
    algorithm: Algorithm,
    power: u32,
    rounds: usize,
) -> anyhow::Result<()> {
    let len = 1 << power;
    let mut ours = algorithm.prepare(stream, len)?;
    let peer = cub.map(|cub| cub.prepare(algorithm.name(), len)).transpose()?;
    let (mut times, mut peer_times) = (Vec::new(), Vec::new());
    // The first round loads kernels, and fills caches.
    for round in 0..=rounds {
        (ours.before)(stream)?;
        let start = stream.record()?;
        (ours.call)(stream)?;
        let end = stream.record()?;
        let time = end.duration_since(&start)?.as_nanos() as f64;
        let peer_time = peer.as_ref().map(|peer| peer.time()).transpose()?;
        if round > 0 {
            times.push(time);
            peer_times.extend(peer_time);
        }
    }
    stream.synchronize()?;
    let (per_element, rate) = figures(&mut times, len, ours.bytes);
    print!("{:16} {:>8} {per_element:>12.4} {rate:>9.1}", algorithm.name(), format!("2^{power}"));
    if peer.is_some() {
        let (of_peer, peer_rate) = figures(&mut peer_times, len, ours.bytes);
        print!(" {of_peer:>12.4} {peer_rate:>9.1}  {:.3}", of_peer / per_element);
    }
    println!();
    Ok(())
}

/// Nanoseconds an element, and gigabytes a second, of the median.
fn figures(times: &mut [f64], len: usize, bytes: f64) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let per_element = times[times.len() / 2] / len as f64;
    (per_element, bytes / per_element)
}
