//! The host threads of a launch, which run its groups.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;

use super::cluster::Cluster;
use super::state::{Core, Shared};
use crate::checks::Checks;
use crate::machine::{Constants, Shape};
use crate::module::Image;
use crate::report::{Counts, LaunchError, Report};

/// Runs all groups of a launch, on so many host threads at most.
pub(crate) fn run(
    shared: &Arc<Shared>,
    constants: &Arc<Constants>,
    shape: Shape,
    checks: Checks,
    is_cooperative: bool,
    host_threads: u64,
) -> Result<Report, LaunchError> {
    let groups: u64 = shape.grid.iter().map(|&size| u64::from(size)).product();
    let clusters = groups / shape.groups_of_cluster();
    let workers = host_threads.clamp(1, clusters);
    let core = |worker| Core::new(Arc::clone(shared), shape, checks, Arc::clone(constants), worker, workers);
    let work = |worker: u64| {
        let mut core = core(worker);
        if is_cooperative {
            together(&mut core, clusters);
        } else {
            one_by_one(&mut core, clusters);
        }
        (core.thread_instructions, core.warp_instructions, core.groups, core.counts)
    };
    let counts = thread::scope(|scope| {
        let spawned: Result<Vec<_>, _> = (1..workers)
            .map(|worker| thread::Builder::new().spawn_scoped(scope, move || work_of(&work, worker)))
            .collect();
        let spawned = match spawned {
            Ok(spawned) => spawned,
            Err(error) => {
                shared.stop.store(true, Ordering::Relaxed);
                return Err(LaunchError::Thread(error.to_string()));
            }
        };
        let mut counts = vec![work(0)];
        for handle in spawned {
            match handle.join() {
                Ok(count) => counts.push(count),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(counts)
    })?;
    let mut collected = shared.collected.lock().unwrap_or_else(PoisonError::into_inner);
    let report = Report {
        thread_instructions: counts.iter().map(|count| count.0).sum(),
        warp_instructions: counts.iter().map(|count| count.1).sum(),
        groups: counts.iter().map(|count| count.2).sum(),
        findings: std::mem::take(&mut collected.findings),
        total_findings: collected.total,
        lines: by_line(&shared.image, counts.iter().map(|count| count.3.as_slice())),
        output: std::mem::take(&mut collected.output),
    };
    drop(collected);
    match shared.fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(finding) => Err(LaunchError::Fault { finding: Box::new(finding), report: Box::new(report) }),
        None => Ok(report),
    }
}

/// What each line cost, of what operations cost on each worker.
fn by_line<'c>(image: &Image, workers: impl Iterator<Item = &'c [Counts]>) -> BTreeMap<u32, Counts> {
    let mut operations = Vec::new();
    for counts in workers {
        operations.resize(counts.len(), Counts::default());
        operations.iter_mut().zip(counts).for_each(|(sum, count)| *sum += *count);
    }
    let mut lines = BTreeMap::<u32, Counts>::new();
    for (line, steps) in image.instructions() {
        let steps = operations.get(steps).unwrap_or_default();
        let mut counts = Counts::default();
        for step in steps {
            counts += Counts { warp_instructions: 0, thread_instructions: 0, ..*step };
        }
        counts.warp_instructions = steps.iter().map(|step| step.warp_instructions).max().unwrap_or(0);
        counts.thread_instructions = steps.iter().map(|step| step.thread_instructions).max().unwrap_or(0);
        if counts.warp_instructions > 0 {
            *lines.entry(line).or_default() += counts;
        }
    }
    lines
}

fn work_of<T>(work: &impl Fn(u64) -> T, worker: u64) -> T {
    work(worker)
}

/// Takes the next cluster until none is left.
fn one_by_one(core: &mut Core, clusters: u64) {
    let mut cluster = Cluster::new(core);
    loop {
        let number = core.shared.next_cluster.fetch_add(1, Ordering::Relaxed);
        if number >= clusters || core.is_stopped() {
            return;
        }
        cluster.reset(number, core);
        loop {
            match cluster.step(core) {
                Ok(true) => break,
                Ok(false) => {}
                Err(_) => return,
            }
        }
    }
}

/// Lets all its clusters run in turn.
fn together(core: &mut Core, clusters: u64) {
    let mut open: Vec<Cluster> = Vec::new();
    let mut number = core.worker;
    while number < clusters {
        let mut cluster = Cluster::new(core);
        cluster.reset(number, core);
        open.push(cluster);
        number += core.workers;
    }
    while !open.is_empty() {
        let mut index = 0;
        while index < open.len() {
            match open[index].step(core) {
                Ok(true) => {
                    open.swap_remove(index);
                }
                Ok(false) => index += 1,
                Err(_) => return,
            }
        }
    }
}
