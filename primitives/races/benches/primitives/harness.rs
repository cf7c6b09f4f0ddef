//! How a row is raced: results first, then everyone's best way, then rounds in which all take turns.

use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::algorithm::Algorithm;
use crate::arena::Arena;
use crate::contestant::Contestant;
use crate::ours;
use crate::peers::copy;
use crate::record::{Row, Skipped, Time, Timed};
use crate::value::Value;

/// The most and the fewest rounds, and how long all of them may last, as far as that leaves enough of them.
const ROUNDS: (usize, usize) = (21, 5);
const ROW_NS: f64 = 10e9;

/// Short calls are repeated until a turn lasts about this long.
const TURN_NS: f64 = 5e6;
const MOST_CALLS: u32 = 20_000;

/// Before a turn: as long as the threads of who went before may still spin, waiting for more.
const PAUSE: Duration = Duration::from_millis(15);

/// Turns of each way of a contestant, of which the fastest counts.
const TRIALS: usize = 3;

/// Runs races and keeps what they found.
pub(crate) struct Harness {
    is_quick: bool,
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
}

/// A contestant in its best way.
struct Ready<'r, T> {
    contestant: Contestant<'r, T>,
    way: usize,
    calls: u32,
    turn_ns: f64,
    turns: Vec<f64>,
}

impl Harness {
    pub(crate) fn new(is_quick: bool) -> Self {
        Self { is_quick, rows: Vec::new(), skipped: Vec::new() }
    }

    /// Who isn't there, in a row or in all.
    pub(crate) fn skip(&mut self, peer: &str, row: Option<&str>, reason: &anyhow::Error) {
        let reason = format!("{reason:#}");
        let place = row.map(|row| format!(", {row}")).unwrap_or_default();
        eprintln!("{peer}{place} SKIPPED: {reason}");
        self.skipped.push(Skipped { peer: peer.into(), row: row.map(Into::into), reason });
    }

    /// Races all.
    ///
    /// # Errors
    /// Where ours is wrong or fails. A peer that is wrong or fails is [skipped](Self::skip), and so says aloud.
    pub(crate) fn race<T: Value>(
        &mut self,
        algorithm: Algorithm,
        arena: &mut Arena<T>,
        counts: &[u32],
        contestants: Vec<Contestant<'_, T>>,
    ) -> anyhow::Result<()> {
        let len = arena.x.len();
        let name = format!("{} of {len} {}", algorithm.name(), T::NAME);
        let expected = Expected { algorithm, elements: algorithm.expected(arena), counts, len };
        let mut ready = Vec::new();
        for contestant in contestants {
            let peer = contestant.peer;
            match self.prepare(&expected, arena, contestant) {
                Ok(contestant) => ready.push(contestant),
                Err(reason) if peer == ours::NAME => return Err(reason.context(name)),
                Err(reason) => self.skip(peer, Some(&name), &reason),
            }
        }
        let bytes = algorithm.moved(len, expected.elements.len()) * size_of::<T>();
        drop(expected);
        let rounds = self.rounds(ready.iter().map(|one| one.turn_ns).sum());
        for round in 0..rounds {
            let who = ready.len();
            for turn in 0..who {
                // Who begins changes, and so does the direction: nobody always follows the same one.
                let turn = (turn + round / 2) % who;
                let turn = if round % 2 == 0 { turn } else { who - 1 - turn };
                let one = &mut ready[turn];
                let time = self.turn(&mut one.contestant, one.way, arena, one.calls)?;
                one.turns.push(time);
            }
        }
        let timed = ready.into_iter().map(|Ready { mut contestant, way, calls, turns, .. }| Timed {
            peer: contestant.peer,
            way: contestant.ways.swap_remove(way).0,
            calls,
            time: Time::of(turns),
        });
        let (mut copies, timed): (Vec<_>, Vec<_>) = timed.partition(|one| one.peer == copy::NAME);
        let (mut ours, peers): (Vec<_>, Vec<_>) = timed.into_iter().partition(|one| one.peer == ours::NAME);
        let row = Row {
            algorithm: algorithm.name(),
            element: T::NAME,
            elements: len,
            rounds,
            bytes,
            copied: 2 * len * size_of::<T>(),
            copy: copies.pop(),
            ours: ours.pop(),
            peers,
        };
        println!("{}", line(&name, &row));
        self.rows.push(row);
        Ok(())
    }

    /// How many rounds there is time for.
    fn rounds(&self, round_ns: f64) -> usize {
        let (most, fewest) = ROUNDS;
        if self.is_quick { 1 } else { ((ROW_NS / round_ns) as usize).clamp(fewest, most) }
    }

    /// Compares results, and finds the fastest way of those that are right.
    fn prepare<'r, T: Value>(
        &self,
        expected: &Expected<'_, T>,
        arena: &mut Arena<T>,
        mut contestant: Contestant<'r, T>,
    ) -> anyhow::Result<Ready<'r, T>> {
        let mut best: Option<(usize, u32, f64)> = None;
        let mut wrong = None;
        for way in 0..contestant.ways.len() {
            arena.kept = None;
            if contestant.peer != copy::NAME {
                let len = contestant.result(way, arena)?;
                if let Err(reason) = expected.check(arena, len, contestant.is_stable) {
                    wrong = Some(reason.context(contestant.ways[way].0.clone()));
                    continue;
                }
            }
            let (calls, time) = self.trial(&mut contestant, way, arena)?;
            if best.is_none_or(|(_, _, fastest)| time < fastest) {
                best = Some((way, calls, time));
            }
        }
        arena.kept = None;
        let Some((way, calls, time)) = best else {
            return Err(wrong.context("there is no way to do it")?);
        };
        let turn_ns = time * f64::from(calls);
        Ok(Ready { contestant, way, calls, turn_ns, turns: Vec::new() })
    }

    /// Calls for a turn, and the best of a few.
    fn trial<T: Value>(
        &self,
        contestant: &mut Contestant<'_, T>,
        way: usize,
        arena: &mut Arena<T>,
    ) -> anyhow::Result<(u32, f64)> {
        let mut calls = 1;
        loop {
            let time = contestant.time(way, arena, calls)?;
            if self.is_quick || time > ROW_NS / 20.0 {
                return Ok((calls, time));
            }
            if time * f64::from(calls) >= TURN_NS || calls >= MOST_CALLS {
                break;
            }
            calls = (2 * calls).min(MOST_CALLS);
        }
        let mut turns = (0..TRIALS).map(|_| self.turn(contestant, way, arena, calls));
        Ok((calls, turns.try_fold(f64::MAX, |best, turn| anyhow::Ok(turn?.min(best)))?))
    }

    /// Nanoseconds a call.
    fn turn<T: Value>(
        &self,
        contestant: &mut Contestant<'_, T>,
        way: usize,
        arena: &mut Arena<T>,
        calls: u32,
    ) -> anyhow::Result<f64> {
        if !self.is_quick {
            thread::sleep(PAUSE);
            // Wakes the threads, and brings this contestant's data into the caches, of calls that are short.
            if calls > 1 {
                contestant.time(way, arena, 1)?;
            }
        }
        contestant.time(way, arena, calls)
    }
}

/// What is right.
struct Expected<'c, T> {
    algorithm: Algorithm,
    elements: Vec<T>,
    counts: &'c [u32],
    len: usize,
}

impl<T: Value> Expected<'_, T> {
    fn check(&self, arena: &mut Arena<T>, len: usize, is_stable: bool) -> anyhow::Result<()> {
        if self.algorithm == Algorithm::Histogram {
            ensure!(arena.bins == self.counts, "the bins are wrong");
            return Ok(());
        }
        ensure!(len == self.elements.len(), "{len} elements instead of {}", self.elements.len());
        let found = arena.kept.as_deref_mut().unwrap_or(&mut arena.y[..len]);
        let is_right = |found: &T, expected: &T| {
            found == expected || self.algorithm.adds() && found.is_close(*expected, self.len)
        };
        let wrong = if is_stable || !T::HAS_TIES {
            found.iter().zip(&self.elements).position(|(found, expected)| !is_right(found, expected))
        } else {
            let at = found.iter().zip(&self.elements).position(|(a, b)| a.order(b).is_ne());
            let mut expected = self.elements.clone();
            expected.sort_unstable_by_key(T::bits);
            found.sort_unstable_by_key(T::bits);
            at.or_else(|| found.iter().zip(expected).position(|(a, b)| *a != b))
        };
        ensure!(wrong.is_none(), "element {} is wrong", wrong.unwrap_or_default());
        Ok(())
    }
}

/// A row for people: the medians, and how often ours goes into the peers'.
fn line(name: &str, row: &Row) -> String {
    let mut line = format!("{name:<28}");
    for one in row.ours.iter().chain(&row.peers).chain(&row.copy) {
        let ratio = row.ours.as_ref().map(|ours| one.time.median_ns / ours.time.median_ns);
        let ratio = ratio.map(|ratio| format!(" ×{ratio:.2}")).unwrap_or_default();
        line += &format!(" | {} {:.3} ns{ratio}", one.peer, one.time.median_ns / row.elements as f64);
    }
    line
}
