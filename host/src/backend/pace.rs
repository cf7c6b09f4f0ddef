use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// After so many launches for which it isn't plain, it is tried again who should run them.
const PERIOD: u32 = 256;
/// Launches of a trial, of which the last counts: the first wake threads, and bring data into their caches.
const TRIAL: u32 = 4;

/// What a kernel's launches cost on the CPU, by which the next one is shared with other threads or not. Launches that run at the
/// same time may each write it: it is a guess.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Picoseconds of a thread where one worker ran them; zero if none did.
    alone: AtomicU64,
    /// Picoseconds of a launch for each of its threads, where workers shared it.
    shared: AtomicU64,
    /// How often it was asked whether sharing pays.
    asked: AtomicU32,
}

impl Pace {
    /// Picoseconds of a thread on one worker; zero if it isn't known.
    pub(crate) fn alone(&self) -> u64 {
        self.alone.load(Ordering::Relaxed)
    }

    /// A worker ran threads, which took so long each. It is taken for twice what was known at most: a worker that was
    /// interrupted says nothing of the next launch.
    pub(crate) fn ran_alone(&self, picoseconds: u64) {
        let most = match self.alone() {
            0 => u64::MAX,
            known => known.saturating_mul(2),
        };
        self.alone.store(picoseconds.clamp(1, most), Ordering::Relaxed);
    }

    /// So many workers shared threads, which took so long each, by the whole's time.
    pub(crate) fn was_shared(&self, picoseconds: u64, workers: usize) {
        self.shared.store(picoseconds, Ordering::Relaxed);
        // It is at most what all of them did.
        self.alone.store(self.alone().min(picoseconds.saturating_mul(workers as u64)), Ordering::Relaxed);
    }

    /// Whether sharing was faster, when both were last tried. Now and then they are tried again: other programs and other
    /// arguments change it.
    pub(crate) fn pays_to_share(&self) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        self.asked.store(asked.wrapping_add(1), Ordering::Relaxed);
        match asked % PERIOD {
            ..TRIAL => true,
            turn if turn < 2 * TRIAL => false,
            _ => self.shared.load(Ordering::Relaxed) < self.alone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PERIOD, Pace, TRIAL};

    #[test]
    fn what_was_faster_is_done_and_the_other_tried_now_and_then() {
        let pace = Pace::default();
        for is_faster in [true, false, true] {
            for turn in 0..PERIOD {
                let pays = pace.pays_to_share();
                let right = if turn < 2 * TRIAL { turn < TRIAL } else { is_faster };
                assert_eq!(pays, right, "launch {turn}, where it is {is_faster} that sharing is faster");
                if pays {
                    pace.was_shared(if is_faster { 60 } else { 130 }, 2);
                } else {
                    pace.ran_alone(100);
                }
            }
        }
    }

    #[test]
    fn an_interrupted_worker_is_soon_forgotten() {
        let pace = Pace::default();
        for (took, known) in [(4, 4), (100_000, 8), (4, 4), (50, 8), (50, 16), (50, 32), (50, 50)] {
            pace.ran_alone(took);
            assert_eq!(pace.alone(), known);
        }
    }

    #[test]
    fn a_launch_that_became_cheap_is_known_to_be_also_where_it_was_shared() {
        let pace = Pace::default();
        pace.ran_alone(1000);
        pace.was_shared(600, 2);
        assert_eq!(pace.alone(), 1000);
        pace.was_shared(3, 2);
        assert_eq!(pace.alone(), 6);
    }
}
