//! How a row is raced: results first, then everyone's best way, then rounds in which all take turns.

use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::contestant::Contestant;
use super::one_thread;
use super::problem::{Problem, distance};
use super::record::{Row, Skipped, Time, Timed};

const ROUNDS: usize = 31;

/// Short calls are repeated until a turn lasts about this long.
const TURN_NS: f64 = 10e6;
const MOST_CALLS: u32 = 20_000;

/// Before a turn: as long as the threads of who went before may still spin, waiting for more.
const PAUSE: Duration = Duration::from_millis(15);

/// Turns of each way of a contestant, of which the fastest counts.
const TRIALS: usize = 3;

/// Runs races and keeps what they found.
pub(crate) struct Harness {
    rounds: usize,
    progress: ProgressBar,
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
}

/// A contestant in its best way.
struct Ready<'r> {
    peer: String,
    way: String,
    off: f64,
    calls: u32,
    contestant: Box<dyn Contestant + 'r>,
    turns: Vec<f64>,
}

impl Harness {
    pub(crate) fn new(quick: bool) -> anyhow::Result<Self> {
        // Hidden where standard error isn't a terminal.
        let progress = ProgressBar::new(0);
        progress.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} rounds, {msg}")?);
        let rounds = if quick { 1 } else { ROUNDS };
        Ok(Self { rounds, progress, rows: Vec::new(), skipped: Vec::new() })
    }

    /// Who isn't there, in a row or in all.
    pub(crate) fn skip(&mut self, peer: &str, row: Option<&str>, reason: &anyhow::Error) {
        let reason = format!("{reason:#}");
        let place = row.map(|row| format!(", {row}")).unwrap_or_default();
        self.progress.suspend(|| eprintln!("{peer}{place} SKIPPED: {reason}"));
        self.skipped.push(Skipped { peer: peer.into(), row: row.map(Into::into), reason });
    }

    /// Races all, of whom the first is ours, and the limit with them.
    ///
    /// # Errors
    /// Where ours is wrong or fails. A peer that is wrong or fails is [skipped](Self::skip), and so says aloud.
    pub(crate) fn race(
        &mut self,
        name: &str,
        problem: &Problem,
        contestants: Vec<(String, Box<dyn Contestant + '_>)>,
        limit: Option<(String, Box<dyn Contestant + '_>)>,
    ) -> anyhow::Result<()> {
        self.progress.set_message(name.to_owned());
        self.progress.inc_length(self.rounds as u64);
        let mut ready = Vec::new();
        let limit_name = limit.as_ref().map(|(name, _)| name.clone());
        for (peer, contestant) in contestants.into_iter().chain(limit) {
            match self.prepare(problem, contestant, &peer) {
                Ok(contestant) => ready.push(contestant),
                Err(reason) if ready.is_empty() => return Err(reason.context(format!("{name}: {peer}"))),
                Err(reason) => self.skip(&peer, Some(name), &reason),
            }
        }
        for round in 0..self.rounds {
            let who = ready.len();
            for turn in 0..who {
                // Who begins changes, and so does the direction: nobody always follows the same one.
                let turn = (turn + round / 2) % who;
                let turn = if round % 2 == 0 { turn } else { who - 1 - turn };
                let one = &mut ready[turn];
                let time = self.turn(&mut *one.contestant, one.calls)?;
                one.turns.push(time);
            }
            self.progress.inc(1);
        }
        let timed = ready.into_iter().map(|one| Timed {
            peer: one.peer,
            way: one.way,
            off: one.off,
            calls: one.calls,
            time: Time::of(one.turns),
        });
        let (limit, timed) = timed.partition::<Vec<_>, _>(|one| Some(&one.peer) == limit_name.as_ref());
        let (one_thread, contestants) =
            timed.into_iter().partition::<Vec<_>, _>(|one| one.peer == one_thread::NAME);
        let (work, unit) = problem.work;
        self.rows.push(Row {
            name: name.into(),
            rounds: self.rounds,
            work,
            unit: unit.name(),
            contestants,
            one_thread: one_thread.into_iter().next(),
            limit: limit.into_iter().next(),
        });
        Ok(())
    }

    /// Compares results, and finds the fastest way of those that are right.
    fn prepare<'r>(
        &self,
        problem: &Problem,
        mut contestant: Box<dyn Contestant + 'r>,
        peer: &str,
    ) -> anyhow::Result<Ready<'r>> {
        let mut best: Option<(usize, f64, f64)> = None;
        let mut wrong = None;
        let ways = contestant.ways();
        for (way, name) in ways.iter().enumerate() {
            contestant.take(way);
            let checked = contestant.result().and_then(|found| check(&found, problem));
            let off = match checked {
                Ok(off) => off,
                Err(reason) => {
                    wrong = Some(if name.is_empty() { reason } else { reason.context(name.clone()) });
                    continue;
                }
            };
            let time = if ways.len() > 1 { self.trial(&mut *contestant)? } else { 0.0 };
            if best.is_none_or(|(_, _, fastest)| time < fastest) {
                best = Some((way, off, time));
            }
        }
        let Some((way, off, _)) = best else {
            return Err(wrong.context("there is no way to do it")?);
        };
        contestant.take(way);
        let calls = self.calls(&mut *contestant)?;
        let way = ways[way].clone();
        Ok(Ready { peer: peer.into(), way, off, calls, contestant, turns: Vec::new() })
    }

    /// The best of a few turns.
    fn trial(&self, contestant: &mut dyn Contestant) -> anyhow::Result<f64> {
        let calls = self.calls(contestant)?;
        let trials = if self.is_quick() { 1 } else { TRIALS };
        (0..trials).try_fold(f64::MAX, |best, _| Ok(self.turn(contestant, calls)?.min(best)))
    }

    /// Nanoseconds a call.
    fn turn(&self, contestant: &mut dyn Contestant, calls: u32) -> anyhow::Result<f64> {
        if !self.is_quick() {
            thread::sleep(PAUSE);
            // Wakes the threads, and brings this contestant's data into the caches.
            contestant.time(1)?;
        }
        contestant.time(calls)
    }

    /// How many calls a turn takes.
    fn calls(&self, contestant: &mut dyn Contestant) -> anyhow::Result<u32> {
        if self.is_quick() {
            return Ok(1);
        }
        let mut calls = 1;
        loop {
            let time = contestant.time(calls)? * f64::from(calls);
            if time >= TURN_NS || calls >= MOST_CALLS {
                return Ok(calls.min(MOST_CALLS));
            }
            calls *= 2;
        }
    }

    fn is_quick(&self) -> bool {
        self.rounds == 1
    }
}

/// How far off results are.
///
/// # Errors
/// Where that is too far.
fn check(found: &[f64], problem: &Problem) -> anyhow::Result<f64> {
    let off = distance(found, &problem.expected);
    ensure!(off <= problem.tolerance, "off by {off:.1e}, and {:.1e} is allowed", problem.tolerance);
    Ok(off)
}
