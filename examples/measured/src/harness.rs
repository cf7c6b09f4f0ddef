//! How a race is run: in one process, in alternating rounds, so that whatever else the machine does meets
//! all contestants alike.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::machine;
use crate::options::Options;
use crate::record::{Row, Time};

const ROUNDS: usize = 21;

/// Short calls are repeated until a round lasts about this long.
const ROUND: Duration = Duration::from_millis(8);

const MOST_CALLS: u32 = 20_000;

const CALIBRATION_ROUNDS: usize = 5;

/// Something to time: makes so many calls, and returns when the last is done.
pub type Contestant<'r> = Box<dyn FnMut(u32) -> anyhow::Result<()> + Send + 'r>;

type Timed<'t> = &'t mut (dyn FnMut(u32) -> anyhow::Result<()> + Send);

/// A contestant that makes this call, which can't fail.
pub fn calling<'r>(mut call: impl FnMut() + Send + 'r) -> Contestant<'r> {
    Box::new(move |calls| repeat(calls, &mut call))
}

fn repeat(calls: u32, mut call: impl FnMut()) -> anyhow::Result<()> {
    for _ in 0..calls {
        call();
    }
    Ok(())
}

/// The contestants of one row.
#[allow(missing_debug_implementations)] // closures
pub struct Race<'r> {
    /// The subject, and its size.
    pub name: String,
    /// What ours is raced against.
    pub peer_name: String,
    /// Gridwright.
    pub ours: Contestant<'r>,
    /// Called from one of rayon's threads.
    pub peer: Contestant<'r>,
    /// A hand-written loop on one thread.
    pub serial: Option<Contestant<'r>>,
}

enum Turn {
    Ours,
    Peer,
    Serial,
}

/// Runs races and keeps the results.
#[derive(Debug)]
pub struct Harness {
    options: Options,
    pool: ThreadPool,
    progress: ProgressBar,
    rows: Vec<Row>,
}

impl Harness {
    /// No results yet.
    ///
    /// # Errors
    /// Where threads can't be started.
    pub fn new(options: &Options) -> anyhow::Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(machine::threads()).build()?;
        // Hidden where standard error isn't a terminal.
        let progress = ProgressBar::new(0);
        progress.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} rounds, {msg}")?);
        Ok(Self { options: options.clone(), pool, progress, rows: Vec::new() })
    }

    /// Whether the row is wanted: ask before preparing its data.
    pub fn wants(&self, name: &str) -> bool {
        self.options.wants(name)
    }

    /// The candidate with which the peer is fastest, so that it races at its best. There is at least one.
    ///
    /// # Errors
    /// None: a peer's call can't fail.
    pub fn fastest(&self, candidates: &[usize], mut call: impl FnMut(usize) + Send) -> anyhow::Result<usize> {
        let mut candidate = candidates[0];
        let calls = self.calls(&mut |calls| repeat(calls, || call(candidate)))?;
        let mut best = (candidate, f64::MAX);
        for _ in 0..if self.options.quick { 1 } else { CALIBRATION_ROUNDS } {
            for &next in candidates {
                candidate = next;
                let time = self.inside(&mut |calls| repeat(calls, || call(candidate)), calls)?;
                if time < best.1 {
                    best = (candidate, time);
                }
            }
        }
        Ok(best.0)
    }

    /// Runs a race whose contestants are known to agree.
    ///
    /// # Errors
    /// A contestant's.
    pub fn race(&mut self, mut race: Race<'_>) -> anyhow::Result<()> {
        let rounds = if self.options.quick { 1 } else { ROUNDS };
        self.progress.set_message(race.name.clone());
        self.progress.inc_length(rounds as u64);

        let calls = self.calls(&mut race.ours)?;
        let [mut ours, mut peer, mut serial] = [const { Vec::new() }; 3];
        for round in 0..rounds {
            let mut turns = [Turn::Ours, Turn::Peer, Turn::Serial];
            if round % 2 == 1 {
                // Nobody always follows the same one.
                turns.reverse();
            }
            for turn in turns {
                match turn {
                    Turn::Ours => ours.push(timed(&mut race.ours, calls)?),
                    Turn::Peer => peer.push(self.inside(&mut race.peer, calls)?),
                    Turn::Serial => {
                        if let Some(contestant) = &mut race.serial {
                            serial.push(timed(contestant, calls)?);
                        }
                    }
                }
            }
            self.progress.inc(1);
        }

        self.rows.push(Row {
            name: race.name,
            peer_name: race.peer_name,
            rounds,
            calls,
            ours: Time::of(ours),
            peer: Time::of(peer),
            serial: race.serial.map(|_| Time::of(serial)),
        });
        Ok(())
    }

    /// Times a peer from one of rayon's threads: getting in costs more than a short call.
    fn inside(&self, peer: Timed<'_>, calls: u32) -> anyhow::Result<f64> {
        self.pool.install(|| timed(peer, calls))
    }

    /// The results.
    pub fn finish(self) -> Vec<Row> {
        self.progress.finish_and_clear();
        self.rows
    }

    /// How many calls a round takes.
    fn calls(&self, contestant: Timed<'_>) -> anyhow::Result<u32> {
        if self.options.quick {
            return Ok(1);
        }
        let mut calls = 1;
        loop {
            let seconds = timed(contestant, calls)? * 1e-9 * f64::from(calls);
            if seconds >= ROUND.as_secs_f64() || calls >= MOST_CALLS {
                return Ok(calls.min(MOST_CALLS));
            }
            calls *= 2;
        }
    }
}

/// Nanoseconds a call.
fn timed(contestant: Timed<'_>, calls: u32) -> anyhow::Result<f64> {
    // Wakes the threads, and brings this contestant's data into the caches.
    contestant(1)?;
    let start = Instant::now();
    contestant(calls)?;
    Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls))
}
