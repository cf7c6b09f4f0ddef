use std::sync::LazyLock;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gridwright_core::LaunchSizes;

/// Launches after which it is tried again who should run them, where it isn't plain. They are twice as many
/// whenever that found that one worker was faster, up to the most.
const PERIOD: u32 = 1024;
const MOST: u32 = 64 * PERIOD;
/// Launches of a trial, of which the last count most: the first wake threads, and bring data into their caches.
const TRIAL: u32 = 16;
/// Launches of a trial of several workers that none came to help with: it takes a woken one as long as many short launches. After so
/// many the cores are taken.
const UNHELPED: u32 = 64 * TRIAL;

/// Times that several workers take of what one takes, at which their trial ends: other programs have the
/// cores. To wake them takes 16 times what the shortest launches do that are tried.
const HOPELESS: u64 = 32;

/// The caller's share of a launch is counted in `PARTS`ths. Each adjustment moves it by `STEP` of them.
const PARTS: u32 = 1024;
const STEP: u32 = 32;
/// Excess of launches that the caller ends first over those that it ends last, or the reverse, before its share changes: what goes to
/// another worker lies in the cache of the one that had it, and would be fetched from there in each launch if it went back and forth.
const PATIENCE: i32 = 16;

/// Time between launches below which more are likely to come.
const LATELY: Duration = Duration::from_micros(20);

/// What a kernel's launches cost on the CPU, by which the next one is shared with other threads or not. Launches that run at the
/// same time may each write it: it is a guess.
#[derive(Debug, Default)]
pub(crate) struct LaunchCost {
    /// Picoseconds of a thread where one worker ran them; zero if none did.
    alone: AtomicU64,
    /// Picoseconds of a launch for each of its threads, where workers shared it.
    shared: AtomicU64,
    /// How often it was asked who should run a launch, since the last trial began.
    asked: AtomicU32,
    /// When the next trial begins, by the count of `asked`; zero before the first.
    period: AtomicU32,
    /// Launches of this trial that were to be shared, but that nobody came to help with.
    unhelped: AtomicU32,
    /// The parts of a short launch that are its caller's, where workers shared the last one; zero if none did.
    callers: AtomicU32,
    /// How much more often a short launch's caller was done before the others than after them, since its
    /// parts changed.
    tendency: AtomicI32,
    /// When a launch ended, in nanoseconds; zero if none did.
    ended: AtomicU64,
}

/// Nanoseconds since the first call, more than zero.
fn now() -> u64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(FIRST.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1)
}

/// The threads of a launch. A geometry has at most 2⁶³, so the product doesn't overflow.
#[inline]
pub(crate) fn threads(sizes: &LaunchSizes) -> u64 {
    sizes.geometry.threads.iter().product::<usize>() as u64
}

impl LaunchCost {
    /// Picoseconds of a thread on one worker; zero if it isn't known.
    pub(crate) fn alone(&self) -> u64 {
        self.alone.load(Ordering::Relaxed)
    }

    /// Picoseconds of a launch on one thread; zero if nothing is known.
    #[inline]
    pub(crate) fn of_launch(&self, sizes: &LaunchSizes) -> u64 {
        threads(sizes).saturating_mul(self.alone())
    }

    /// Notes that a worker ran threads, which took so long each. It is taken for twice what was known at
    /// most: a worker that was interrupted says nothing of the next launch.
    pub(crate) fn ran_alone(&self, picoseconds: u64) {
        let most = match self.alone() {
            0 => u64::MAX,
            known => known.saturating_mul(2),
        };
        self.alone.store(picoseconds.clamp(1, most), Ordering::Relaxed);
    }

    /// Notes that `workers` were to share threads, which took so long each, by the whole's time. It counts a quarter, and for twice what
    /// was known at most. A trial waits for those who help: without one, it says how long they take to wake, which the next launch
    /// needn't pay.
    pub(crate) fn was_shared(&self, picoseconds: u64, workers: usize, helped: bool) {
        let asked = self.asked.load(Ordering::Relaxed);
        let is_hopeless = self.alone() > 0 && picoseconds / HOPELESS >= self.alone();
        if !helped
            && !is_hopeless
            && (1..=TRIAL).contains(&asked)
            && self.unhelped.fetch_add(1, Ordering::Relaxed) < UNHELPED
        {
            self.asked.store(asked - 1, Ordering::Relaxed);
            return;
        }
        let shared = match self.shared.load(Ordering::Relaxed) {
            0 => picoseconds,
            // Quick and slow ones count the same: where they alternate, it is the mean that has to be less than one worker takes.
            known => known - known / 4 + picoseconds.min(known.saturating_mul(2)) / 4,
        };
        self.shared.store(shared, Ordering::Relaxed);
        // It is at most what all of them did.
        self.alone.store(self.alone().min(picoseconds.saturating_mul(workers as u64)), Ordering::Relaxed);
        if is_hopeless && asked < TRIAL {
            // Enough was lost for what there is to win.
            self.asked.store(TRIAL, Ordering::Relaxed);
        }
    }

    /// Chunks that the caller of a short launch does, of so many, so that all are done at the same time: as
    /// many as in the last launches, or as are thought right for the first.
    pub(crate) fn callers_chunks(&self, chunks: usize, at_first: usize) -> usize {
        match self.callers.load(Ordering::Relaxed) {
            0 => at_first,
            parts => (chunks as u128 * u128::from(parts) / u128::from(PARTS)) as usize,
        }
    }

    /// Notes that the caller did so many of so many chunks, and was done before the others, or after.
    pub(crate) fn was_done(&self, callers: usize, chunks: usize, before_others: bool) {
        let parts = match self.callers.load(Ordering::Relaxed) {
            0 => u32::try_from(callers as u128 * u128::from(PARTS) / chunks.max(1) as u128).unwrap_or(PARTS),
            parts => parts,
        };
        let tendency = self.tendency.load(Ordering::Relaxed) + if before_others { 1 } else { -1 };
        // One step at most.
        let steps = tendency / PATIENCE;
        let parts = parts.saturating_add_signed(steps * STEP as i32);
        self.tendency.store(tendency % PATIENCE, Ordering::Relaxed);
        self.callers.store(parts.clamp(STEP, PARTS - STEP), Ordering::Relaxed);
    }

    /// Notes that a launch ended now.
    pub(crate) fn ended(&self) {
        self.ended.store(now(), Ordering::Relaxed);
    }

    /// Whether a launch ended a moment ago.
    pub(crate) fn ended_lately(&self) -> bool {
        let ended = self.ended.load(Ordering::Relaxed);
        ended > 0 && u128::from(now().saturating_sub(ended)) < LATELY.as_nanos()
    }

    /// Whether the next launch is to be shared. Now and then both are tried again: other programs and other arguments change what
    /// is faster.
    pub(crate) fn choice(&self) -> Choice {
        let period = self.period.load(Ordering::Relaxed);
        let asked = self.asked.load(Ordering::Relaxed);
        let turn = if asked < period {
            asked
        } else {
            self.unhelped.store(0, Ordering::Relaxed);
            0
        };
        self.asked.store(turn + 1, Ordering::Relaxed);
        if turn < 2 * TRIAL {
            self.period.store(period.max(PERIOD), Ordering::Relaxed);
            return Choice::Trial { shared: turn < TRIAL };
        }
        let shared_is_faster = self.shared.load(Ordering::Relaxed) < self.alone();
        if turn == 2 * TRIAL {
            let next = if shared_is_faster { PERIOD } else { period.saturating_mul(2).min(MOST) };
            self.period.store(next, Ordering::Relaxed);
        }
        Choice::Known { shared_is_faster }
    }
}

/// The choice of who runs a launch, where it isn't plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The launch is a trial of what it takes.
    Trial {
        /// Whether several workers run it.
        shared: bool,
    },
    /// A trial was made lately, whose result is known.
    Known {
        /// Whether several workers were faster than one.
        shared_is_faster: bool,
    },
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{Choice, HOPELESS, LATELY, LaunchCost, PARTS, PATIENCE, PERIOD, STEP, TRIAL, UNHELPED};

    #[test]
    fn what_was_faster_is_done_and_the_other_tried_now_and_then() {
        let cost = LaunchCost::default();
        // Where one worker was faster, the next trial comes later; at the first failure the period was the shortest.
        for (is_faster, period) in [(true, 1), (false, 2), (false, 4), (false, 8), (true, 1), (false, 2)] {
            for turn in 0..period * PERIOD {
                let choice = cost.choice();
                let right = if turn < 2 * TRIAL {
                    Choice::Trial { shared: turn < TRIAL }
                } else {
                    Choice::Known { shared_is_faster: is_faster }
                };
                assert_eq!(choice, right, "launch {turn}");
                if let Choice::Trial { shared: true } | Choice::Known { shared_is_faster: true } = choice {
                    cost.was_shared(if is_faster { 60 } else { 130 }, 2, true);
                } else {
                    cost.ran_alone(100);
                }
            }
        }
    }

    #[test]
    fn a_trial_that_takes_far_too_long_ends() {
        let cost = LaunchCost::default();
        cost.ran_alone(100);
        assert_eq!(cost.choice(), Choice::Trial { shared: true });
        cost.was_shared(100 * HOPELESS - 1, 2, true);
        assert_eq!(cost.choice(), Choice::Trial { shared: true });
        cost.was_shared(100 * HOPELESS, 2, false);
        assert_eq!(cost.choice(), Choice::Trial { shared: false });
    }

    #[test]
    fn a_trial_waits_for_help_but_not_for_ever() {
        let cost = LaunchCost::default();
        cost.ran_alone(100);
        let trial_without_help = |most: u32| {
            let is_trial = |_: &u32| cost.choice() == Choice::Trial { shared: true };
            let launches = (0..most).take_while(is_trial).inspect(|_| cost.was_shared(200, 2, false)).count();
            assert_eq!(launches as u32, (UNHELPED + TRIAL).min(most));
        };
        trial_without_help(10);
        // Help comes: nothing is known of those before.
        for _ in 0..TRIAL {
            assert_eq!(cost.choice(), Choice::Trial { shared: true });
            cost.was_shared(60, 2, true);
        }
        for turn in TRIAL..PERIOD {
            let is_trial = turn < 2 * TRIAL;
            let choice = if is_trial {
                Choice::Trial { shared: false }
            } else {
                Choice::Known { shared_is_faster: true }
            };
            assert_eq!(cost.choice(), choice);
        }
        trial_without_help(u32::MAX);
    }

    #[test]
    fn the_caller_does_more_of_a_launch_until_it_is_done_with_the_others() {
        let cost = LaunchCost::default();
        assert_eq!(cost.callers_chunks(100, 52), 52);
        // It is three times as fast as the other.
        let launch = |chunks: usize| {
            let callers = cost.callers_chunks(chunks, chunks / 2);
            cost.was_done(callers, chunks, callers < chunks * 3 / 4);
            callers
        };
        (0..10 * PATIENCE).for_each(|_| _ = launch(1000));
        let settled: Vec<usize> = (0..100).map(|_| launch(1000)).collect();
        assert!(settled.iter().all(|callers| (718..=782).contains(callers)), "{settled:?}");
        let moves = settled.windows(2).filter(|two| two[0] != two[1]).count();
        assert!(moves <= 100 / PATIENCE as usize, "{settled:?}");
        assert!((0..100).all(|_| (71..=78).contains(&launch(100))));
        // As often first as last: it stays.
        let parts = launch(1000);
        (0..PARTS).for_each(|turn| cost.was_done(parts, 1000, turn % 2 == 0));
        assert_eq!(launch(1000), parts);
        // However long the others take, they have something to do, and so has it.
        let launches = PARTS / STEP * PATIENCE as u32;
        (0..launches).for_each(|_| cost.was_done(1, 1, true));
        assert_eq!(cost.callers_chunks(128, 0), 124);
        (0..2 * launches).for_each(|_| cost.was_done(1, 1, false));
        assert_eq!(cost.callers_chunks(128, 0), 4);
        assert_eq!(cost.callers_chunks(usize::MAX, 0), usize::MAX / 32);
    }

    #[test]
    fn a_launch_ended_lately_for_a_moment() {
        let cost = LaunchCost::default();
        assert!(!cost.ended_lately());
        // Once in so many tries nobody interrupts.
        assert!((0..1000).any(|_| {
            cost.ended();
            cost.ended_lately()
        }));
        thread::sleep(LATELY);
        assert!(!cost.ended_lately());
    }

    #[test]
    fn an_interrupted_worker_is_soon_forgotten() {
        let cost = LaunchCost::default();
        for (took, known) in [(4, 4), (100_000, 8), (4, 4), (50, 8), (50, 16), (50, 32), (50, 50)] {
            cost.ran_alone(took);
            assert_eq!(cost.alone(), known);
        }
    }

    #[test]
    fn a_launch_that_became_cheap_is_known_to_be_also_where_it_was_shared() {
        let cost = LaunchCost::default();
        cost.ran_alone(1000);
        cost.was_shared(600, 2, true);
        assert_eq!(cost.alone(), 1000);
        cost.was_shared(3, 2, true);
        assert_eq!(cost.alone(), 6);
    }
}
