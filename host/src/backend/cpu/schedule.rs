//! Who runs which chunk. A launch whose kernel was seen to take long is shared with the pool from the start. Of
//! others the caller runs the first chunk; if what is left then is worth more than waking others, the pool helps.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;
use gridwright_device::arch::{Cpu, Isa, Lines};

use super::chunks::Chunks;
use super::{panic, pool};
use crate::Error;
use crate::backend::Launch;
use crate::printed::Printed;

/// What handing work to a sleeping thread costs, within a factor of two.
const WORTH_SHARING: Duration = Duration::from_micros(5);

/// Stacks of an unsafe kernel's threads, which each worker has for a group. Linux lets a process have 65 530 pieces of
/// memory, and a stack is two, with the page that guards it: no more than half of them.
const MOST_STACKS: usize = 16 * 1024;

/// Runs a launch to its end, or until a thread or a group of it panics: chunks that others have begun by then are
/// run to their end, and no more are begun. What threads print goes to `printed`.
///
/// # Safety
/// As for [`Backend::launch`](crate::backend::Backend::launch); this machine has `isa`.
pub(super) unsafe fn run(
    launch: &Launch<'_>,
    isa: Isa,
    threads: usize,
    printed: &Printed,
) -> Result<(), Error> {
    let threads = threads.min(most_workers(launch));
    let work = Work { launch, printed, chunks: Chunks::new(launch, isa, threads) };
    let chunks = work.chunks.len();
    if chunks == 1 || threads == 1 {
        return work.run(0..chunks);
    }
    if work.expected() >= 2 * WORTH_SHARING
        && let Some(claim) = pool::get(threads).claim()
    {
        return work.share(&claim, 0..chunks, threads);
    }
    let start = Instant::now();
    work.run(0..1)?;
    let took = start.elapsed();
    work.remember(took, 1);
    if took.saturating_mul((chunks - 1).min(u32::MAX as usize) as u32) >= WORTH_SHARING
        && let Some(claim) = pool::get(threads).claim()
    {
        return work.share(&claim, 1..chunks, threads);
    }
    // Cheap, or another launch has the pool: this thread does its own work rather than wait.
    work.run(1..chunks)
}

/// How many workers a launch may have.
fn most_workers(launch: &Launch<'_>) -> usize {
    match launch.code.cpu {
        Cpu::Fibers(_) => (MOST_STACKS / launch.sizes.geometry.block.iter().product::<usize>()).max(1),
        _ => usize::MAX,
    }
}

struct Work<'l> {
    launch: &'l Launch<'l>,
    printed: &'l Printed,
    chunks: Chunks<'l>,
}

// SAFETY: of the launch, chunks aside, only its name, its sizes and its pace are used.
unsafe impl Sync for Work<'_> {}

impl Work<'_> {
    fn run(&self, mut numbers: impl Iterator<Item = usize>) -> Result<(), Error> {
        // A kernel may launch another one: what it printed before is put aside.
        let outer = Lines::with_room(self.printed.room()).exchange();
        let result = panic::catch(self.launch.code.name, || {
            // SAFETY: `run`'s contract; each number is run once.
            numbers.by_ref().for_each(|number| unsafe { self.chunks.run(number) });
        });
        let Lines { lines, dropped, .. } = outer.exchange();
        if dropped > 0 || !lines.is_empty() {
            self.printed.add(lines.into_iter().map(|line| (Lines::bytes(&line), line)), dropped);
        }
        result
    }

    /// What the launch will take on one thread, by the kernel's last one.
    fn expected(&self) -> Duration {
        let pace = self.launch.pace.load(Ordering::Relaxed);
        let threads = self
            .launch
            .sizes
            .geometry
            .threads
            .iter()
            .fold(1, |product: u64, &n| product.saturating_mul(n as u64));
        Duration::from_nanos(threads.saturating_mul(pace) / 1000)
    }

    /// Notes what a thread cost, of so many chunks that took so long together.
    fn remember(&self, took: Duration, chunks: usize) {
        let threads = self.chunks.threads_in_one().saturating_mul(chunks).max(1);
        let picoseconds = took.as_nanos().saturating_mul(1000) / threads as u128;
        self.launch.pace.store(u64::try_from(picoseconds).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Runs chunks with the pool's help. Each worker has a range of its own, so that one that runs the kernel
    /// again finds its part of the data in its cache; who is done takes from others.
    fn share(&self, claim: &pool::Claim<'_>, chunks: Range<usize>, threads: usize) -> Result<(), Error> {
        let stop = AtomicBool::new(false);
        let first_error = Mutex::new(None);
        let ranges = claim.ranges();
        // The pool's size is the first launch's; a device opened since may have asked for more.
        let threads = threads.min(ranges.len());
        let bound = |worker: usize| chunks.start + worker * chunks.len() / threads;
        for (worker, next) in ranges.iter().enumerate().take(threads) {
            next.store(bound(worker), Ordering::Relaxed);
        }
        claim.run(threads - 1, &|worker| {
            let (start, done) = (Instant::now(), Cell::new(0));
            let order = (worker..threads).chain(0..worker);
            let numbers = order.flat_map(|owner| take(&ranges[owner], bound(owner + 1)));
            let counted = numbers.inspect(|_| done.set(done.get() + 1));
            let result = self.run(counted.take_while(|_| !stop.load(Ordering::Relaxed)));
            if worker == 0 {
                self.remember(start.elapsed(), done.get());
            }
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
