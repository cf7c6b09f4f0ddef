//! Who races.

use std::time::Instant;

use crate::arena::Arena;

/// Does it once, and says how many elements the result has.
pub(crate) type Call<'r, T> = Box<dyn FnMut(&mut Arena<T>) -> anyhow::Result<usize> + 'r>;

/// What comes before a call or after it, and isn't timed.
pub(crate) type Around<'r, T> = Box<dyn FnMut(&mut Arena<T>) -> anyhow::Result<()> + 'r>;

/// Someone who can do what a row asks.
pub(crate) struct Contestant<'r, T> {
    pub(crate) peer: &'static str,
    /// The ways to do it. A peer races in the fastest that passes the check.
    pub(crate) ways: Vec<(String, Call<'r, T>)>,
    /// Comes before each call.
    pub(crate) before: Option<Around<'r, T>>,
    /// Writes the result where the check looks.
    pub(crate) after: Option<Around<'r, T>>,
    /// Whether equal keys stay in their order.
    pub(crate) is_stable: bool,
}

impl<'r, T> Contestant<'r, T> {
    pub(crate) fn new(peer: &'static str) -> Self {
        Self { peer, ways: Vec::new(), before: None, after: None, is_stable: true }
    }

    /// Adds a way.
    pub(crate) fn way(
        self,
        name: impl Into<String>,
        mut call: impl FnMut(&mut Arena<T>) -> usize + 'r,
    ) -> Self {
        self.fallible_way(name, move |arena| Ok(call(arena)))
    }

    /// Adds a way that may fail.
    pub(crate) fn fallible_way(
        mut self,
        name: impl Into<String>,
        call: impl FnMut(&mut Arena<T>) -> anyhow::Result<usize> + 'r,
    ) -> Self {
        self.ways.push((name.into(), Box::new(call)));
        self
    }

    pub(crate) fn unstable(mut self) -> Self {
        self.is_stable = false;
        self
    }

    pub(crate) fn before(mut self, before: impl FnMut(&mut Arena<T>) -> anyhow::Result<()> + 'r) -> Self {
        self.before = Some(Box::new(before));
        self
    }

    pub(crate) fn after(mut self, after: impl FnMut(&mut Arena<T>) -> anyhow::Result<()> + 'r) -> Self {
        self.after = Some(Box::new(after));
        self
    }

    /// What one call gives.
    pub(crate) fn result(&mut self, way: usize, arena: &mut Arena<T>) -> anyhow::Result<usize> {
        if let Some(before) = &mut self.before {
            before(arena)?;
        }
        let len = (self.ways[way].1)(arena)?;
        if let Some(after) = &mut self.after {
            after(arena)?;
        }
        Ok(len)
    }

    /// Makes so many calls, and says how many nanoseconds a call took.
    pub(crate) fn time(&mut self, way: usize, arena: &mut Arena<T>, calls: u32) -> anyhow::Result<f64> {
        let Self { ways, before, .. } = self;
        let call = &mut ways[way].1;
        let seconds = match before {
            None => {
                let start = Instant::now();
                for _ in 0..calls {
                    call(arena)?;
                }
                start.elapsed().as_secs_f64()
            }
            Some(before) => {
                let mut seconds = 0.0;
                for _ in 0..calls {
                    before(arena)?;
                    let start = Instant::now();
                    call(arena)?;
                    seconds += start.elapsed().as_secs_f64();
                }
                seconds
            }
        };
        Ok(seconds * 1e9 / f64::from(calls))
    }
}
