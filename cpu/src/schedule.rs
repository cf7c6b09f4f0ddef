//! Who runs which chunk. A launch whose kernel was seen to take long is shared with the pool from the start. Of
//! others the caller runs the first chunk; if what is left then is worth sharing, the pool helps, and if not, the caller runs
//! it as one piece.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;
use gridwright_core::CpuEntry;

use crate::chunks::Chunks;
use crate::launch_cost::{Choice, LaunchCost};
use crate::{KernelPanic, Launch, Printer, Processors, launch_cost, pool, run_part};

/// A launch's time on one thread if it may pay to share it with workers that are awake. Handing it over costs
/// half a microsecond then: 2¹⁵ threads of a `saxpy` take 3.1 µs alone, and 2.3 shared by two.
const WORTH_TRYING: Duration = Duration::from_micros(2);

/// A launch's time on one thread if it may pay to wake workers for it, which takes 10 to 50 µs.
const WORTH_WAKING: Duration = Duration::from_micros(10);

/// Picoseconds of a launch of one chunk below which it isn't measured again: to look at the time takes as long as a small launch.
const LITTLE: u64 = 10_000_000;

/// A launch's time on one thread if it surely pays to wake workers. In between it depends: of 26 µs of square roots two threads make
/// 15, of 20 µs of a `saxpy`, whose data is in one core's cache, 15 to 30, and of either more than one takes where others have the cores.
const WORTH_SHARING: Duration = Duration::from_micros(200);

/// Delay before an awake worker starts: it must fetch the launch and its arguments from the caller's cache. Of a
/// `saxpy` of 2¹⁵ the two are done at the same time then, after 2.02 µs for 2.12.
const HAND_OVER: Duration = Duration::from_nanos(400);

/// The least work that a worker is called for, by its time on one thread.
const LEAST_PART: Duration = Duration::from_micros(1);

/// Work that a worker takes at a time. Who is done takes what another hasn't begun; of less than this that
/// costs more than it saves, as what the other wrote in an earlier launch lies in its cache.
const PIECE: Duration = Duration::from_micros(10);

/// Stacks of an unsafe kernel's threads, which each worker has for a group. Linux lets a process have 65 530 pieces of
/// memory, and a stack is two, with the page that guards it: no more than half of them.
const MOST_STACKS: usize = 16 * 1024;

/// Runs a launch to its end, or until a thread or a group of it panics: chunks that others have begun by then are
/// run to their end, and no more are begun. What threads print goes to `printer`.
///
/// # Safety
/// As for [`Kernel::launch`](crate::Kernel::launch).
pub(crate) unsafe fn run(
    launch: Launch<'_>,
    cost: &LaunchCost,
    processors: Processors,
    printer: &dyn Printer,
) -> Result<(), KernelPanic> {
    let Processors { isa, threads } = processors;
    let threads = threads.min(most_workers(&launch));
    let work = Work { launch, cost, printer, chunks: Chunks::new(launch, isa, threads) };
    let chunks = work.chunks.len();
    if chunks == 1 || threads == 1 {
        return work.run_alone();
    }
    let expected = work.expected();
    let result = match work.claim(expected, threads) {
        Some(claim) => work.share(&claim, 0..chunks, threads),
        None => work.begin_alone(expected, threads),
    };
    if (WORTH_TRYING..WORTH_WAKING).contains(&expected) {
        cost.ended();
    }
    result
}

/// How many workers a launch may have.
fn most_workers(launch: &Launch<'_>) -> usize {
    match launch.entry {
        CpuEntry::Fibers(_) => (MOST_STACKS / launch.sizes.geometry.block.iter().product::<usize>()).max(1),
        _ => usize::MAX,
    }
}

struct Work<'l> {
    launch: Launch<'l>,
    cost: &'l LaunchCost,
    printer: &'l dyn Printer,
    chunks: Chunks<'l>,
}

// SAFETY: of the launch, chunks aside, only its sizes are used.
unsafe impl Sync for Work<'_> {}

/// What a worker may run of a launch, while panics are caught and lines are kept.
struct Part<'w>(&'w Chunks<'w>);

impl Part<'_> {
    fn run(&self, numbers: Range<usize>) {
        // SAFETY: the caller of `run` says that the arguments are the kernel's, and that this machine has the instruction set;
        // `run`, `begin_alone` and `share` have each number run once.
        unsafe { self.0.run(numbers) };
    }
}

impl Work<'_> {
    /// Runs a worker's part, until a thread panics.
    fn run(&self, part: impl FnOnce(&Part<'_>)) -> Result<(), KernelPanic> {
        run_part(self.printer, || part(&Part(&self.chunks)))
    }

    /// Runs all chunks.
    fn run_alone(&self) -> Result<(), KernelPanic> {
        let chunks = self.chunks.len();
        let is_short = (1..LITTLE).contains(&self.cost.of_launch(self.launch.sizes));
        let start = (!is_short).then(Instant::now);
        let result = self.run(|part| part.run(0..chunks));
        if let Some(start) = start {
            self.ran_alone(start.elapsed(), chunks);
        }
        result
    }

    /// The pool, if it is to help with what one thread would do in so long.
    fn claim(&self, expected: Duration, threads: usize) -> Option<pool::Claim<'static>> {
        if expected < WORTH_TRYING {
            return None;
        }
        let pool = pool::get(threads);
        let is_to_be_shared = expected >= WORTH_SHARING
            || match self.cost.choice() {
                Choice::Trial { shared } => shared,
                Choice::Known { shared_is_faster } => {
                    let helpers = workers(expected, threads) - 1;
                    // Of a series of launches the second wakes who the others need.
                    shared_is_faster
                        && (expected >= WORTH_WAKING || pool.is_awake(helpers) || self.cost.ended_lately())
                }
            };
        if is_to_be_shared { pool.claim() } else { None }
    }

    /// Runs the first chunk, and the others too unless they turn out to be worth sharing.
    fn begin_alone(&self, expected: Duration, threads: usize) -> Result<(), KernelPanic> {
        let chunks = self.chunks.len();
        let mut claim = None;
        self.run(|part| {
            let start = Instant::now();
            part.run(0..1);
            let took = start.elapsed();
            let found = took.saturating_mul(u32::try_from(chunks).unwrap_or(u32::MAX));
            // What was known before this launch was decided then.
            if found >= WORTH_WAKING && (expected < WORTH_WAKING || found >= WORTH_SHARING) {
                claim = self.claim(found, threads);
            }
            if claim.is_some() {
                self.ran_alone(took, 1);
            } else {
                // Cheap, or another launch has the pool: this thread does its own work rather than wait.
                part.run(1..chunks);
                // The first chunk may be another than the rest.
                self.ran_alone(start.elapsed(), chunks);
            }
        })?;
        claim.map_or(Ok(()), |claim| self.share(&claim, 1..chunks, threads))
    }

    /// The time that the launch will take on one thread, by the kernel's last launch.
    fn expected(&self) -> Duration {
        Duration::from_nanos(self.cost.of_launch(self.launch.sizes) / 1000)
    }

    /// Picoseconds for each thread of so many chunks, which took so long together.
    fn pace(&self, took: Duration, chunks: usize) -> u64 {
        let threads = self.chunks.threads_in_one().saturating_mul(chunks) as u64;
        let threads = threads.min(launch_cost::threads(self.launch.sizes)).max(1);
        u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000) / threads
    }

    fn ran_alone(&self, took: Duration, chunks: usize) {
        self.cost.ran_alone(self.pace(took, chunks));
    }

    /// Whether a long launch begins at the end of each worker's range: every other one does, of all in the process, since they share
    /// the caches. It so begins with what the one before it touched last. Of memory that is larger than a cache nothing would be left
    /// there otherwise when its turn comes.
    fn goes_back(&self) -> bool {
        static BACK: AtomicBool = AtomicBool::new(false);
        self.chunks.may_run_in_any_order() && BACK.fetch_xor(true, Ordering::Relaxed)
    }

    /// Runs chunks with the pool's help. Each worker has a range of its own, so that one that runs the kernel
    /// again finds its part of the data in its cache; who is done takes from others. Of a short launch each part is one piece, and
    /// the caller's such that all were done at the same time in the last launches: cores differ, and a worker begins later.
    fn share(
        &self,
        claim: &pool::Claim<'_>,
        chunks: Range<usize>,
        threads: usize,
    ) -> Result<(), KernelPanic> {
        let (stop, callers_own) = (AtomicBool::new(false), AtomicUsize::new(0));
        let first_panic = Mutex::new(None);
        let expected = self.expected();
        let ranges = claim.ranges();
        // The pool's size is the first launch's; a device opened since may have asked for more.
        let threads = workers(expected, threads).min(ranges.len());
        let pieces = times(expected, PIECE * u32::try_from(threads).unwrap_or(u32::MAX)).max(1);
        let callers = {
            let ahead = ahead(chunks.len(), expected);
            let equal = ahead + (chunks.len() - ahead) / threads;
            // Where each part is one piece, nobody can help who takes longer.
            if pieces == 1 && threads > 1 { self.cost.callers_chunks(chunks.len(), equal) } else { equal }
        };
        let others = (threads - 1).max(1);
        let bound = |worker: usize| match worker {
            0 => chunks.start,
            _ => chunks.start + callers + (worker - 1) * (chunks.len() - callers) / others,
        };
        for (worker, next) in ranges.iter().enumerate().take(threads) {
            next.store(bound(worker), Ordering::Relaxed);
        }
        // A caller begins with its part at once: if that is one piece, nobody has to look, which would be in its cache.
        let first_with_more = usize::from(pieces == 1);
        let largest = callers.max((chunks.len() - callers).div_ceil(others));
        let piece = largest.div_ceil(pieces);
        let is_long = expected >= WORTH_SHARING;
        let goes_back = is_long && self.goes_back();
        let start = Instant::now();
        let waited = claim.run(threads - 1, &|worker| {
            let done = Cell::new(0);
            let order = (worker..threads).chain(first_with_more..worker);
            let numbers = order.flat_map(|owner| {
                let range = bound(owner)..bound(owner + 1);
                let taken = take(&ranges[owner], piece, range.end);
                taken.map(move |numbers| if goes_back { mirrored(&numbers, &range) } else { numbers })
            });
            let counted = numbers.inspect(|numbers| done.set(done.get() + numbers.len()));
            let mut until_stopped = counted.take_while(|_| !stop.load(Ordering::Relaxed));
            let result = self.run(|part| until_stopped.by_ref().for_each(|numbers| part.run(numbers)));
            if worker == 0 {
                callers_own.store(done.get(), Ordering::Relaxed);
                if is_long && done.get() > 0 {
                    self.ran_alone(start.elapsed(), done.get());
                }
            }
            if let Err(panic) = result {
                stop.store(true, Ordering::Relaxed);
                first_panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(panic);
            }
        });
        let (pace, helped) =
            (self.pace(start.elapsed(), chunks.len()), callers_own.into_inner() < chunks.len());
        self.cost.was_shared(pace, threads, helped);
        if pieces == 1 && helped {
            self.cost.was_done(callers, chunks.len(), waited);
        }
        first_panic.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).map_or(Ok(()), Err)
    }
}

/// How many workers are called for what one thread would do in so long: two or more, but no more than there are threads.
fn workers(expected: Duration, threads: usize) -> usize {
    times(expected, LEAST_PART).max(2).min(threads)
}

/// Chunks that the caller does before workers begin, of so many, which take so long on one thread. They are a
/// quarter at most, since what a launch takes is a guess.
fn ahead(chunks: usize, expected: Duration) -> usize {
    let done = chunks as u128 * HAND_OVER.as_nanos() / expected.as_nanos().max(1);
    usize::try_from(done).unwrap_or(usize::MAX).min(chunks / 4)
}

/// How often a duration that isn't zero is in another.
fn times(whole: Duration, part: Duration) -> usize {
    usize::try_from(whole.as_nanos() / part.as_nanos()).unwrap_or(usize::MAX)
}

/// The mirror image of a piece: as far from the end of a range as the piece is from the beginning.
fn mirrored(piece: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    let from_end = |number: usize| range.end - (number - range.start);
    from_end(piece.end)..from_end(piece.start)
}

/// Numbers up to `end` that nobody has taken, so many at a time.
fn take(next: &CachePadded<AtomicUsize>, piece: usize, end: usize) -> impl Iterator<Item = Range<usize>> {
    std::iter::from_fn(move || {
        // Look first: a finished range is then only read.
        (next.load(Ordering::Relaxed) < end)
            .then(|| next.fetch_add(piece, Ordering::Relaxed))
            .filter(|&number| number < end)
            .map(|number| number..end.min(number + piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_is_ahead_by_what_it_does_before_others_begin() {
        assert_eq!(ahead(100, 10 * HAND_OVER), 10);
        assert_eq!(ahead(100, 1000 * HAND_OVER), 0);
        for expected in [Duration::ZERO, Duration::from_nanos(1), HAND_OVER] {
            assert_eq!(ahead(100, expected), 25, "{expected:?}");
        }
        assert_eq!(ahead(3, HAND_OVER), 0);
        assert_eq!(ahead(usize::MAX, HAND_OVER), usize::MAX / 4);
    }

    #[test]
    fn mirrored_pieces_are_the_range_from_its_end() {
        for (range, piece) in [(0..1, 1), (3..17, 5), (100..228, 64), (7..40, 33)] {
            let next = CachePadded::new(AtomicUsize::new(range.start));
            let mut end = range.end;
            for numbers in take(&next, piece, range.end) {
                let back = mirrored(&numbers, &range);
                assert_eq!((back.end, back.len()), (end, numbers.len()), "{range:?}");
                end = back.start;
            }
            assert_eq!(end, range.start);
        }
    }
}
