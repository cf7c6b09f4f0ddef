//! Who runs which chunk. The caller starts alone; if what is left then is worth more than waking others,
//! the pool helps.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;
use gridwright_device::arch::{self, Isa};

use super::partition::Partition;
use super::{panic, pool};
use crate::Error;
use crate::backend::Launch;

/// What handing work to a sleeping thread costs, within a factor of two.
const WORTH_SHARING: Duration = Duration::from_micros(5);

/// Runs a launch to its end.
///
/// # Safety
/// As for [`Backend::launch`](crate::backend::Backend::launch); this machine has `isa`.
pub(super) unsafe fn run(launch: &Launch, isa: Isa, threads: usize) -> Result<(), Error> {
    let work = Work {
        launch,
        isa,
        device_launch: arch::Launch { geometry: launch.geometry },
        partition: Partition::new(launch.geometry.threads, threads),
    };
    let chunks = work.partition.len();
    if chunks == 1 || threads == 1 {
        return work.chunks(0..chunks);
    }
    let start = Instant::now();
    work.chunks(0..1)?;
    let left = start.elapsed().saturating_mul((chunks - 1).min(u32::MAX as usize) as u32);
    if left < WORTH_SHARING {
        return work.chunks(1..chunks);
    }
    match pool::get(threads).claim() {
        Some(claim) => work.share(&claim, chunks, threads),
        // Another launch has the pool: this thread does its own work rather than wait.
        None => work.chunks(1..chunks),
    }
}

struct Work<'l> {
    launch: &'l Launch,
    isa: Isa,
    device_launch: arch::Launch,
    partition: Partition,
}

// SAFETY: the raw arguments are read only, and threads of different chunks own different memory.
unsafe impl Sync for Work<'_> {}

impl Work<'_> {
    fn chunks(&self, mut numbers: impl Iterator<Item = usize>) -> Result<(), Error> {
        panic::catch(self.launch.code.name, || {
            numbers.by_ref().for_each(|number| {
                let mut chunk = self.partition.chunk(&self.device_launch, number);
                // SAFETY: `run`'s contract; each number is run once.
                unsafe { (self.launch.code.cpu)(self.isa, &mut chunk, self.launch.arguments) };
            });
        })
    }

    /// Runs the chunks from 1 on with the pool's help. Each worker has a range of its own, so that one
    /// that runs the kernel again finds its part of the data in its cache; who is done takes from others.
    fn share(&self, claim: &pool::Claim<'_>, chunks: usize, threads: usize) -> Result<(), Error> {
        let stop = AtomicBool::new(false);
        let first_error = Mutex::new(None);
        let ranges = claim.ranges();
        // The pool's size is the first launch's; a device opened since may have asked for more.
        let threads = threads.min(ranges.len());
        let bound = |worker: usize| 1 + worker * (chunks - 1) / threads;
        for (worker, next) in ranges.iter().enumerate().take(threads) {
            next.store(bound(worker), Ordering::Relaxed);
        }
        claim.run(threads - 1, &|worker| {
            let order = (worker..threads).chain(0..worker);
            let numbers = order.flat_map(|owner| take(&ranges[owner], bound(owner + 1)));
            let result = self.chunks(numbers.take_while(|_| !stop.load(Ordering::Relaxed)));
            if let Err(error) = result {
                stop.store(true, Ordering::Relaxed);
                first_error.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
            }
        });
        first_error.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).map_or(Ok(()), Err)
    }
}

/// The numbers up to `end` that nobody has taken.
fn take(next: &CachePadded<AtomicUsize>, end: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        // Look first: a finished range is then only read.
        (next.load(Ordering::Relaxed) < end)
            .then(|| next.fetch_add(1, Ordering::Relaxed))
            .filter(|&number| number < end)
    })
}
