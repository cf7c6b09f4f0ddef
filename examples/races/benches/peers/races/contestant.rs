//! Who races: ours, rayon's threads, and what all others have in common with them.

use std::time::Instant;

use gridwright::Error;
use gridwright::prelude::*;

/// Someone who can do what a row asks.
pub(crate) trait Contestant {
    /// The ways in which it could be done. A peer races in the fastest that passes the check.
    fn ways(&self) -> Vec<String> {
        vec![String::new()]
    }

    /// Chooses a way.
    fn take(&mut self, _way: usize) {}

    /// What one call makes of the results' start.
    fn result(&mut self) -> anyhow::Result<Vec<f64>>;

    /// Makes so many calls, one or more, waits for each, and says how many nanoseconds a call took.
    fn time(&mut self, calls: u32) -> anyhow::Result<f64>;
}

/// Nanoseconds a call.
pub(crate) fn clocked(calls: u32, mut call: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..calls {
        call()?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls))
}

/// Ours: a stream, the results' memory, and what makes it, launches, and gets the results back.
struct Ours<S, Make, Launch, Get> {
    stream: Stream,
    launches: u32,
    state: S,
    make: Make,
    launch: Launch,
    get: Get,
}

/// A contestant that launches kernels, so many before it waits.
pub(crate) fn ours<'r, S: 'r>(
    device: &Device,
    launches: u32,
    make: impl Fn(&Stream) -> Result<S, Error> + 'r,
    launch: impl FnMut(&Stream, &mut S) -> Result<(), Error> + 'r,
    get: impl Fn(&Stream, &S) -> Result<Vec<f64>, Error> + 'r,
) -> anyhow::Result<Box<dyn Contestant + 'r>> {
    let stream = device.stream()?;
    let state = make(&stream)?;
    Ok(Box::new(Ours { stream, launches, state, make, launch, get }))
}

impl<S, Make, Launch, Get> Ours<S, Make, Launch, Get>
where
    Launch: FnMut(&Stream, &mut S) -> Result<(), Error>,
{
    #[inline(always)]
    fn call(&mut self) -> Result<(), Error> {
        for _ in 0..self.launches {
            (self.launch)(&self.stream, &mut self.state)?;
        }
        self.stream.synchronize()
    }
}

impl<S, Make, Launch, Get> Contestant for Ours<S, Make, Launch, Get>
where
    Make: Fn(&Stream) -> Result<S, Error>,
    Launch: FnMut(&Stream, &mut S) -> Result<(), Error>,
    Get: Fn(&Stream, &S) -> Result<Vec<f64>, Error>,
{
    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        self.state = (self.make)(&self.stream)?;
        (self.launch)(&self.stream, &mut self.state)?;
        Ok((self.get)(&self.stream, &self.state)?)
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        clocked(calls, || Ok(self.call()?))
    }
}

/// Loops by hand on rayon's threads: the results' memory, and what makes it, computes with pieces of some size, and gives the results.
struct Rayon<S, Make, Call, Get> {
    launches: u32,
    pieces: &'static [usize],
    piece: usize,
    state: S,
    make: Make,
    call: Call,
    get: Get,
}

/// A contestant that computes by rayon, in pieces of the best of these sizes.
pub(crate) fn rayon<'r, S: Send + 'r>(
    launches: u32,
    pieces: &'static [usize],
    make: impl Fn() -> S + 'r,
    call: impl Fn(&mut S, usize) + Sync + 'r,
    get: impl Fn(&S) -> Vec<f64> + 'r,
) -> Box<dyn Contestant + 'r> {
    Box::new(Rayon { launches, pieces, piece: pieces[0], state: make(), make, call, get })
}

impl<S, Make, Call, Get> Contestant for Rayon<S, Make, Call, Get>
where
    S: Send,
    Make: Fn() -> S,
    Call: Fn(&mut S, usize) + Sync,
    Get: Fn(&S) -> Vec<f64>,
{
    fn ways(&self) -> Vec<String> {
        if let [_] = self.pieces {
            return vec![String::new()];
        }
        self.pieces.iter().map(|piece| format!("pieces of {piece}")).collect()
    }

    fn take(&mut self, way: usize) {
        self.piece = self.pieces[way];
    }

    fn result(&mut self) -> anyhow::Result<Vec<f64>> {
        self.state = (self.make)();
        (self.call)(&mut self.state, self.piece);
        Ok((self.get)(&self.state))
    }

    fn time(&mut self, calls: u32) -> anyhow::Result<f64> {
        let Self { launches, piece, state, call, .. } = self;
        // From one of rayon's threads: getting in costs more than a short call.
        rayon::scope(|_| {
            clocked(calls, || {
                for _ in 0..*launches {
                    call(state, *piece);
                }
                Ok(())
            })
        })
    }
}
