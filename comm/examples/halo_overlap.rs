//! What an exchange of halos costs where other work runs meanwhile: times of the work alone, of the exchange alone, and of both.
//!
//! ```text
//! cargo build --release -p gridwright-comm --example halo_overlap
//! mpirun -n 2 target/release/examples/halo_overlap
//! ```
//!
//! The work is copies on the device, which read the divided array as a kernel of the inner part does. On the emulated driver each
//! operation takes as long as `GRIDWRIGHT_EMULATOR_DELAY_US` says.

use std::time::{Duration, Instant};

use gridwright::Stream;
use gridwright_comm::{Communicator, Distributed, Error, Partition, World};

/// Elements of a rank's part, and of its halo on each side.
const ELEMENTS: usize = 1 << 16;
const HALO: usize = 64;
/// Copies that stand for the kernel.
const COPIES: usize = 12;
const ROUNDS: usize = 15;

fn main() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let (stream, transfers) = (device.stream()?, device.stream()?);
    let ring = Partition::new([ELEMENTS * world.size()]).halo([HALO]).periodic([true]);
    let mut x = Distributed::<f32>::zeroed(&communicator, &stream, ring)?;
    let mut y = stream.alloc_zeroed::<f32>(x.local().len())?;
    let mut work = |x: &Distributed<f32>| -> Result<(), Error> {
        (0..COPIES).try_for_each(|_| Ok(stream.copy(x.local(), &mut y)?))
    };

    let (mut alone, mut exchange, mut both) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(time(&communicator, &stream, || work(&x))?);
        exchange.push(time(&communicator, &stream, || x.exchange(&stream))?);
        both.push(time(&communicator, &stream, || x.exchange_during(&stream, &transfers, &mut work))?);
    }
    let [alone, exchange, both] = [alone, exchange, both].map(median);
    if world.rank() == 0 {
        let shown = both.saturating_sub(alone).as_secs_f64() / exchange.as_secs_f64();
        println!("{}, by {}, {} ranks", device.name(), communicator.engine(), world.size());
        println!(
            "work {alone:?}, exchange {exchange:?}, both {both:?}: {:.0} % of the exchange shows",
            100.0 * shown
        );
    }
    Ok(())
}

/// The time from when all ranks begin until the stream is done.
fn time(
    communicator: &Communicator,
    stream: &Stream,
    work: impl FnOnce() -> Result<(), Error>,
) -> Result<Duration, Error> {
    communicator.barrier(stream)?;
    stream.synchronize()?;
    let start = Instant::now();
    work()?;
    stream.synchronize()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
