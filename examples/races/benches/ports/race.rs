//! How the two take turns, and who was how fast.

use anyhow::ensure;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use gridwright::{Error, Stream};
use serde::Serialize;

use crate::c::{Array, Peers};
use crate::clock::cpu_nanoseconds;

/// Turns of each, in which the other's lie between.
const ROUNDS: usize = 21;

/// What a turn takes at least.
const TURN_NS: f64 = 3e7;

/// A row: the same question for both.
pub(crate) struct Row {
    /// The function in C.
    pub(crate) function: &'static str,
    /// What the function gets. The last array is the result.
    pub(crate) arrays: Vec<Array>,
    pub(crate) scalars: Vec<f32>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) ours: Box<dyn Contestant>,
    pub(crate) expected: Vec<f64>,
    /// Whether the result's elements are in any order.
    pub(crate) is_unordered: bool,
    /// How far off an element may be, as a part of the greatest one.
    pub(crate) tolerance: f64,
}

/// Ours, behind whatever memory its results are in.
pub(crate) trait Contestant {
    /// One call, which is waited for.
    fn call(&mut self) -> anyhow::Result<()>;

    /// What the last call has made.
    fn result(&self) -> anyhow::Result<Vec<f64>>;
}

/// A stream, the results' memory, what launches, and what gets the results back.
struct Ours<S, Launch, Get> {
    stream: Stream,
    results: S,
    launch: Launch,
    get: Get,
}

/// A contestant that launches kernels.
pub(crate) fn ours<S: 'static>(
    stream: Stream,
    results: S,
    launch: impl FnMut(&Stream, &mut S) -> Result<(), Error> + 'static,
    get: impl Fn(&Stream, &S) -> Result<Array, Error> + 'static,
) -> Box<dyn Contestant> {
    Box::new(Ours { stream, results, launch, get })
}

impl<S, Launch, Get> Contestant for Ours<S, Launch, Get>
where
    Launch: FnMut(&Stream, &mut S) -> Result<(), Error>,
    Get: Fn(&Stream, &S) -> Result<Array, Error>,
{
    fn call(&mut self) -> anyhow::Result<()> {
        (self.launch)(&self.stream, &mut self.results)?;
        Ok(self.stream.synchronize()?)
    }

    fn result(&self) -> anyhow::Result<Vec<f64>> {
        Ok((self.get)(&self.stream, &self.results)?.values())
    }
}

/// Nanoseconds of CPU time a call.
#[derive(Serialize)]
pub(crate) struct Timed {
    who: String,
    min_ns: f64,
    median_ns: f64,
}

/// A row's times, ours first.
#[derive(Serialize)]
pub(crate) struct Timings {
    row: String,
    times: Vec<Timed>,
}

/// A call of one who takes part.
type Call<'r> = Box<dyn FnMut() -> anyhow::Result<()> + 'r>;

/// Compares results, and lets all take turns.
///
/// # Errors
/// Where a result is wrong, or a call fails.
pub(crate) fn race(name: &str, row: Row, peers: Option<&Peers>, quick: bool) -> anyhow::Result<Timings> {
    let Row { function, mut arrays, scalars, sizes, mut ours, mut expected, is_unordered, tolerance } = row;
    let in_order = |values: &mut Vec<f64>| {
        if is_unordered {
            values.sort_by(f64::total_cmp);
        }
    };
    in_order(&mut expected);
    ours.call()?;
    let mut made = ours.result()?;
    in_order(&mut made);
    check("ours", &made, &expected, tolerance)?;
    let pointers: Vec<_> = arrays.iter_mut().map(Array::pointer).collect();
    let mut contestants: Vec<(String, Call<'_>)> =
        vec![("Gridwright".to_owned(), Box::new(move || ours.call()))];
    for (who, function) in peers.map(|peers| peers.functions(function)).transpose()?.into_iter().flatten() {
        let (pointers, scalars, sizes) = (&pointers, &scalars, &sizes);
        // SAFETY: the function takes these arrays, scalars and sizes, and writes the last array only; nobody else has them meanwhile.
        let call = move || unsafe { function(pointers.as_ptr(), scalars.as_ptr(), sizes.as_ptr()) };
        call();
        contestants.push((
            who,
            Box::new(move || {
                call();
                Ok(())
            }),
        ));
    }
    let mut ready = Vec::new();
    for (who, mut call) in contestants {
        let mut calls = 1;
        while !quick && time(calls, &mut call)? * f64::from(calls) < TURN_NS {
            calls *= 2;
        }
        ready.push((who, call, calls, Vec::new()));
    }
    for round in 0..if quick { 1 } else { ROUNDS } {
        let who = ready.len();
        for turn in 0..who {
            let (_, call, calls, times) = &mut ready[(turn + round) % who];
            times.push(time(*calls, call)?);
        }
    }
    let times = ready.into_iter().map(|(who, _, _, mut times)| {
        times.sort_by(f64::total_cmp);
        Timed { who, min_ns: times[0], median_ns: times[times.len() / 2] }
    });
    let times = times.collect();
    if peers.is_some() {
        let mut made = arrays.last().map(Array::values).unwrap_or_default();
        in_order(&mut made);
        check("C", &made, &expected, tolerance)?;
    }
    Ok(Timings { row: name.to_owned(), times })
}

fn time(calls: u32, call: &mut Call<'_>) -> anyhow::Result<f64> {
    let start = cpu_nanoseconds()?;
    for _ in 0..calls {
        call()?;
    }
    Ok((cpu_nanoseconds()? - start) / f64::from(calls))
}

fn check(who: &str, found: &[f64], expected: &[f64], tolerance: f64) -> anyhow::Result<()> {
    ensure!(found.len() == expected.len(), "{who}: {} elements instead of {}", found.len(), expected.len());
    let greatest = expected.iter().fold(0.0, |greatest: f64, x| greatest.max(x.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let is_right = (found - expected).abs() <= tolerance * greatest;
        ensure!(is_right, "{who}: element {at} is {found} instead of {expected}");
    }
    Ok(())
}

/// The results for people. The ratio is ours by the faster of the two compilations of C.
pub(crate) fn table(results: &[Timings]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        "row",
        "Gridwright, median (min)",
        "C, the faster",
        "with",
        "ours by C's",
        "of minima",
    ]);
    for Timings { row, times } in results {
        let Some((ours, theirs)) = times.split_first() else { continue };
        let best = theirs.iter().min_by(|a, b| a.median_ns.total_cmp(&b.median_ns));
        let shown = |time: &Timed| format!("{:.2} ({:.2}) ms", time.median_ns * 1e-6, time.min_ns * 1e-6);
        let ratio =
            |of: fn(&Timed) -> f64| best.map_or(String::new(), |best| format!("{:.2}", of(ours) / of(best)));
        table.add_row([
            row.clone(),
            shown(ours),
            best.map(shown).unwrap_or_default(),
            best.map(|best| best.who.clone()).unwrap_or_default(),
            ratio(|time| time.median_ns),
            ratio(|time| time.min_ns),
        ]);
    }
    for column in [1, 2, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
