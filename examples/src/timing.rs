use std::fmt;
use std::time::{Duration, Instant};

use gridwright::{Error, Stream};

/// How often a launch is timed. The best is taken: the rest is other programs' time.
const ROUNDS: usize = 20;

/// After which it isn't timed again, as on an emulator.
const ENOUGH: Duration = Duration::from_secs(1);

/// The time of a launch.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_examples::{Timing, elementary::nothing};
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::from_env()?;
/// let stream = device.stream()?;
/// let kernel = nothing::load(&device)?;
/// let timing = Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::threads(1), ()))?;
/// println!("{timing}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    best: Duration,
}

impl Timing {
    /// The best time of several launches, each waited for: up to twenty, in about a second.
    ///
    /// # Errors
    /// Those of the launch, and of the kernel.
    pub fn of(stream: &Stream, launch: impl FnMut() -> Result<(), Error>) -> Result<Self, Error> {
        Self::of_calls(stream, launch)
    }

    /// As [`of`](Self::of), of calls whose errors are another crate's.
    ///
    /// # Errors
    /// Those of the calls, and of the kernels.
    pub fn of_calls<E: From<Error>>(
        stream: &Stream,
        mut calls: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let (mut best, begin) = (Duration::MAX, Instant::now());
        for _ in 0..ROUNDS {
            let start = Instant::now();
            calls()?;
            stream.synchronize()?;
            best = best.min(start.elapsed());
            if begin.elapsed() > ENOUGH {
                break;
            }
        }
        Ok(Self { best })
    }

    /// The rate a second in words, for `count` of `unit` in a launch.
    pub fn rate(&self, unit: &str, count: usize) -> String {
        let per_second = count as f64 / self.best.as_secs_f64().max(1e-9);
        let (scaled, prefix) = match per_second {
            n if n >= 1e9 => (n / 1e9, "G"),
            n if n >= 1e6 => (n / 1e6, "M"),
            n => (n, ""),
        };
        format!("{scaled:.2} {prefix}{unit}/s")
    }

    /// The rate a second in words, for so many bytes in a launch.
    pub fn bytes_per_second(&self, bytes: usize) -> String {
        self.rate("B", bytes)
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} µs", self.best.as_secs_f64() * 1e6)
    }
}
