//! The threads of a CPU device, for a function of the program.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use gridwright_core::Isa;

use crate::{Processors, available, pool};

/// The threads that a CPU device has, for a function of the program that shares its work among them.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use gridwright_core::Isa;
/// use gridwright_cpu::{Processors, Workers};
///
/// let workers = Workers::new(Processors { isa: Isa::Baseline, threads: 2 });
/// let sum = AtomicUsize::new(0);
/// workers.run(10, |task| {
///     sum.fetch_add(task, Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 45);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Workers(Processors);

impl Workers {
    /// The threads of some processors. Of an instruction set that this machine hasn't, the widest that it has is taken.
    ///
    /// ```
    /// use gridwright_core::Isa;
    /// use gridwright_cpu::{Processors, Workers};
    ///
    /// assert_eq!(Workers::new(Processors { isa: Isa::Baseline, threads: 2 }).threads(), 2);
    /// ```
    pub fn new(processors: Processors) -> Self {
        let available = available();
        let isa = if available.contains(&processors.isa) { Some(&processors.isa) } else { available.last() };
        Self(Processors { isa: isa.copied().unwrap_or(Isa::Baseline), ..processors })
    }

    /// The most threads that run tasks, the caller's among them.
    ///
    /// ```
    /// # use gridwright_core::Isa;
    /// # use gridwright_cpu::{Processors, Workers};
    /// assert_eq!(Workers::new(Processors { isa: Isa::Baseline, threads: 3 }).threads(), 3);
    /// ```
    pub fn threads(&self) -> usize {
        self.0.threads.max(1)
    }

    /// The instruction set to use: this machine has it, which `unsafe` code may rely on, and the user may have chosen a lesser one.
    ///
    /// ```
    /// # use gridwright_core::Isa;
    /// # use gridwright_cpu::{Processors, Workers};
    /// assert_eq!(Workers::new(Processors { isa: Isa::Baseline, threads: 2 }).isa(), Isa::Baseline);
    /// ```
    pub fn isa(&self) -> Isa {
        self.0.isa
    }

    /// Calls `task` once with each number below `tasks`, on this thread and others, and waits for all. A thread that is done with one takes
    /// the next that nobody has begun, in order. Where the threads are busy with another launch, this one does all.
    ///
    /// Waking others takes some 10 µs: what is done in less is better done without.
    ///
    /// # Panics
    /// If a task does, with its panic, the first of several. No more tasks are begun then.
    ///
    /// ```
    /// # use gridwright_core::Isa;
    /// # use gridwright_cpu::{Processors, Workers};
    /// # let workers = Workers::new(Processors { isa: Isa::Baseline, threads: 2 });
    /// let (first, second) = ([1, 2, 3], [4, 5, 6]);
    /// workers.run(2, |task| assert_eq!([first, second][task][0], 1 + 3 * task));
    /// ```
    pub fn run(&self, tasks: usize, task: impl Fn(usize) + Sync) {
        let helpers = self.threads().min(tasks).saturating_sub(1);
        let claim = if helpers == 0 { None } else { pool::get(self.threads()).claim() };
        let Some(claim) = claim else { return (0..tasks).for_each(task) };
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let panic: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
        claim.run(helpers, &|_| {
            let ran = catch_unwind(AssertUnwindSafe(|| {
                while !stop.load(Ordering::Relaxed) {
                    match next.fetch_add(1, Ordering::Relaxed) {
                        number if number < tasks => task(number),
                        _ => break,
                    }
                }
            }));
            if let Err(payload) = ran {
                stop.store(true, Ordering::Relaxed);
                let mut first = panic.lock().unwrap_or_else(PoisonError::into_inner);
                match *first {
                    None => *first = Some(payload),
                    // Nobody would catch one that panics when it is dropped.
                    Some(_) => std::mem::forget(payload),
                }
            }
        });
        drop(claim);
        if let Some(payload) = panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use gridwright_core::Isa;

    use super::Workers;
    use crate::{Processors, available};

    fn workers(threads: usize) -> Workers {
        Workers::new(Processors { isa: Isa::Baseline, threads })
    }

    #[test]
    fn the_instruction_set_is_one_of_this_machines() {
        for isa in [Isa::Baseline, Isa::Avx2, Isa::Avx512] {
            let found = Workers::new(Processors { isa, threads: 1 }).isa();
            assert!(available().contains(&found));
            assert!(found == isa || !available().contains(&isa));
        }
    }

    #[test]
    fn each_task_is_run_once() {
        for threads in [0, 1, 2, 5] {
            for tasks in [0, 1, 2, 3, 1000] {
                let counts: Vec<_> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                workers(threads).run(tasks, |task| {
                    counts[task].fetch_add(1, Ordering::Relaxed);
                });
                assert!(counts.into_iter().all(|count| count.into_inner() == 1), "{tasks} by {threads}");
            }
        }
    }

    #[test]
    fn tasks_of_a_task_are_run_too() {
        let count = AtomicUsize::new(0);
        let workers = workers(2);
        workers.run(4, |_| {
            workers.run(8, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        });
        assert_eq!(count.into_inner(), 32);
    }

    #[test]
    fn a_panic_comes_to_the_caller_and_the_threads_stay_usable() {
        for threads in [1, 2] {
            let ran = catch_unwind(|| workers(threads).run(100, |task| assert!(task != 7, "task seven")));
            let payload = ran.unwrap_err();
            assert_eq!(payload.downcast_ref(), Some(&"task seven"));
            let count = AtomicUsize::new(0);
            workers(threads).run(10, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(count.into_inner(), 10);
        }
    }
}
