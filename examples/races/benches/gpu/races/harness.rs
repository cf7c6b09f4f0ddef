//! How a race is run: in one process, in alternating rounds, so that the device's clock and heat meet both alike.

use gridwright::{Error, Stream};

use super::record::{Row, Time};

/// Odd, so that the median is a round.
const ROUNDS: usize = 41;

/// Nanoseconds of a round, about, and of what runs before the first: a device that had nothing to do runs slowly.
const ROUND: f64 = 5e6;
const WARM_UP: f64 = 2e8;

/// The most calls of a kernel in a round.
pub(crate) const MOST_CALLS: u32 = 1000;

/// Makes so many calls, waits for them, and gives the nanoseconds of one.
pub(crate) type Contestant<'r> = Box<dyn FnMut(u32) -> anyhow::Result<f64> + 'r>;

/// The contestants of one row.
pub(crate) struct Race<'r> {
    pub(crate) name: String,
    /// None: nvcc's kernel.
    pub(crate) peer_name: Option<String>,
    /// Of each in a round.
    pub(crate) most_calls: u32,
    pub(crate) ours: Contestant<'r>,
    pub(crate) peer: Contestant<'r>,
}

/// A contestant that makes this call on a stream of ours, timed by events before the first and behind the last.
pub(crate) fn on_stream<'r>(
    stream: &'r Stream,
    mut call: impl FnMut() -> Result<(), Error> + 'r,
) -> Contestant<'r> {
    Box::new(move |calls| {
        let start = stream.record()?;
        for _ in 0..calls {
            call()?;
        }
        let took = stream.record()?.duration_since(&start)?;
        Ok(took.as_secs_f64() * 1e9 / f64::from(calls))
    })
}

/// Runs races and keeps the results.
pub(crate) struct Harness {
    filter: Vec<String>,
    quick: bool,
    reference: String,
    rows: Vec<Row>,
}

impl Harness {
    pub(crate) fn new(filter: Vec<String>, quick: bool, reference: &str) -> Self {
        Self { filter, quick, reference: format!("nvcc, {reference}"), rows: Vec::new() }
    }

    /// Whether the row is wanted: ask before preparing its data.
    pub(crate) fn wants(&self, name: &str) -> bool {
        let is_wanted = self.filter.is_empty() || self.filter.iter().any(|part| name.contains(part));
        if is_wanted {
            println!("{name}");
        }
        is_wanted
    }

    /// Runs a race whose contestants are known to be right.
    pub(crate) fn race(&mut self, mut race: Race<'_>) -> anyhow::Result<()> {
        let (rounds, calls) = if self.quick { (1, 1) } else { (ROUNDS, self.calls(&mut race)?) };
        let [mut ours, mut peer] = [const { Vec::new() }; 2];
        for round in 0..rounds {
            // Nobody is always first.
            if round % 2 == 0 {
                ours.push((race.ours)(calls)?);
                peer.push((race.peer)(calls)?);
            } else {
                peer.push((race.peer)(calls)?);
                ours.push((race.ours)(calls)?);
            }
        }
        self.rows.push(Row {
            name: race.name,
            peer_name: race.peer_name.unwrap_or_else(|| self.reference.clone()),
            rounds,
            calls,
            ours: Time::of(ours),
            peer: Time::of(peer),
            serial: None,
        });
        Ok(())
    }

    /// How many calls a round takes, after a warm-up of both.
    fn calls(&self, race: &mut Race<'_>) -> anyhow::Result<u32> {
        let (mut calls, mut spent) = (1, 0.0);
        loop {
            let round = (race.ours)(calls)? * f64::from(calls);
            spent += round + (race.peer)(calls)? * f64::from(calls);
            if round < ROUND && calls < race.most_calls {
                calls = (2 * calls).min(race.most_calls);
            } else if spent >= WARM_UP {
                return Ok(calls);
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<Row> {
        self.rows
    }
}
