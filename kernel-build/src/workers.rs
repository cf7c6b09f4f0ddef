//! Work that is done side by side, on as many threads as cargo was given jobs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::environment::Environment;

/// How many threads there may be: one for each of the jobs that cargo runs at once. An inner cargo counts
/// as one, and takes the outer one's free job slots for more.
pub(crate) fn allowed(environment: &Environment) -> usize {
    let jobs = environment.get("NUM_JOBS").and_then(|jobs| jobs.to_str()?.parse().ok());
    jobs.unwrap_or(1)
}

/// What `work` gives for each task, in the order of the tasks; none for a task that panics.
pub(crate) fn side_by_side<T: Sync, R: Send>(
    tasks: &[T],
    workers: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work_off = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else { return done };
            done.push((index, work(task)));
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..workers.min(tasks.len())).map(|_| scope.spawn(work_off)).collect();
        let mut done = work_off();
        done.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_default()));
        done
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        let tasks: Vec<u32> = (0..100).collect();
        for workers in [0, 1, 3, 1000] {
            assert_eq!(
                side_by_side(&tasks, workers, |task| task * 2),
                (0..100).map(|n| n * 2).collect::<Vec<_>>()
            );
        }
        assert!(side_by_side(&[], 4, |(): &()| ()).is_empty());
    }

    #[test]
    fn tasks_run_at_once() {
        let barrier = std::sync::Barrier::new(3);
        side_by_side(&[(); 3], 3, |()| barrier.wait());
    }

    #[test]
    fn there_are_as_many_as_cargo_has_jobs() {
        assert_eq!(allowed(&Environment::from([("NUM_JOBS", "7")])), 7);
        assert_eq!(allowed(&Environment::default()), 1);
    }
}
