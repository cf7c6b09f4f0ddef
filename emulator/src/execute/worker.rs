//! A launch: its sizes are checked, and host threads run its groups.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::cluster::Cluster;
use super::core::{Core, Shape, Shared};
use crate::checks::{GlobalShadow, Synchronisation};
use crate::device::{Device, Launch, Loaded};
use crate::module::{Entry, Image};
use crate::report::{Collected, Counts, LaunchError, Report};

const MOST_THREADS: u64 = 1024;
/// Groups of a cluster at most, where a kernel is given leave; 8 without, which a driver knows.
const MOST_GROUPS_OF_CLUSTER: u32 = 16;

pub(crate) fn launch(
    device: &Device,
    loaded: &Loaded,
    name: &str,
    launch: &Launch<'_>,
) -> Result<Report, LaunchError> {
    let image = &loaded.module().image;
    let number = image.entries.iter().position(|entry| entry.name() == name);
    let number = number.ok_or_else(|| LaunchError::NoEntry { name: name.to_owned() })?;
    let entry = &image.entries[number];
    let launch = &clustered(entry, launch);
    let shape = check(device, loaded, entry, launch)?;
    let groups: u64 = launch.grid.iter().map(|&size| u64::from(size)).product();
    let clusters = groups / shape.groups_of_cluster();
    let workers = (device.options.host_threads as u64).clamp(1, clusters);
    let mut parameters = vec![0_u128; launch.parameters.len().div_ceil(16)];
    for (word, bytes) in parameters.iter_mut().zip(launch.parameters.chunks(16)) {
        let mut whole = [0; 16];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u128::from_ne_bytes(whole);
    }
    let shared = Arc::new(Shared {
        memory: Arc::clone(&device.memory),
        objects: Arc::clone(&device.objects),
        image: Arc::clone(image),
        entry: number,
        parameters,
        parameter_bytes: entry.parameter_bytes() as u64,
        workspace: launch.workspace,
        instruction_limit: launch.instruction_limit,
        stack_limit: launch.stack_limit,
        stop: AtomicBool::new(false),
        collected: Mutex::new(Collected::new(launch.most_findings)),
        fault: Mutex::new(None),
        print: launch.print.clone(),
        count_lines: launch.count_lines,
        approximations: device.options.approximations,
        shadow: launch.checks.device_races.then(|| GlobalShadow::new(entry.finest_global.into())),
        synchronisation: Synchronisation::default(),
        started: Instant::now(),
        next_cluster: AtomicU64::new(0),
    });
    let constants = loaded.constants(number, entry);
    let core = |worker| {
        Core::new(Arc::clone(&shared), shape, launch.checks, Arc::clone(&constants), worker, workers)
    };
    let work = |worker: u64| {
        let mut core = core(worker);
        if launch.cooperative {
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
        lines: by_line(image, counts.iter().map(|count| count.3.as_slice())),
        output: std::mem::take(&mut collected.output),
    };
    drop(collected);
    match shared.fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(finding) => Err(LaunchError::Fault { finding: Box::new(finding), report: Box::new(report) }),
        None => Ok(report),
    }
}

/// The launch with the clusters that the kernel asks for, where it says nothing of them itself.
fn clustered<'p>(entry: &Entry, launch: &Launch<'p>) -> Launch<'p> {
    let own = entry.required_cluster().filter(|_| launch.cluster == [1; 3]);
    Launch { cluster: own.unwrap_or(launch.cluster), ..launch.clone() }
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

fn check(device: &Device, loaded: &Loaded, entry: &Entry, launch: &Launch<'_>) -> Result<Shape, LaunchError> {
    let refuse = |what: &'static str, given: String, allowed: String| LaunchError::Configuration {
        kernel: entry.name().to_owned(),
        what,
        given,
        allowed,
    };
    if !loaded.belongs_to(device) {
        return Err(refuse(
            "the device",
            "another one".into(),
            "the one that the module was loaded on".into(),
        ));
    }
    let text = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
    let most_grid = [i32::MAX as u32, 65535, 65535];
    let in_range = |sizes: [u32; 3], most: [u32; 3]| {
        sizes.iter().zip(most).all(|(&size, most)| (1..=most).contains(&size))
    };
    if !in_range(launch.grid, most_grid) {
        return Err(refuse("the grid", text(launch.grid), format!("(1, 1, 1) to {}", text(most_grid))));
    }
    let groups: u64 = launch.grid.iter().map(|&size| u64::from(size)).product();
    if groups > u64::from(u32::MAX) {
        return Err(refuse("the number of groups", groups.to_string(), format!("at most {}", u32::MAX)));
    }
    let groups_of_cluster: u64 = launch.cluster.iter().map(|&size| u64::from(size)).product();
    if !in_range(launch.cluster, [MOST_GROUPS_OF_CLUSTER; 3])
        || groups_of_cluster > u64::from(MOST_GROUPS_OF_CLUSTER)
        || launch.grid.iter().zip(launch.cluster).any(|(groups, of_cluster)| groups % of_cluster != 0)
    {
        let grid = text(launch.grid);
        let allowed = format!("1 to {MOST_GROUPS_OF_CLUSTER} groups that divide the grid {grid}");
        return Err(refuse("the cluster", text(launch.cluster), allowed));
    }
    if let Some(required) = entry.required_cluster()
        && launch.cluster != required
    {
        return Err(refuse("the cluster", text(launch.cluster), format!("{} only", text(required))));
    }
    if let Some(most) = entry.most_groups_of_cluster().filter(|most| groups_of_cluster > u64::from(*most)) {
        return Err(refuse("the cluster", text(launch.cluster), format!("at most {most} groups")));
    }
    let most_block = [1024, 1024, 64];
    if !in_range(launch.block, most_block) {
        return Err(refuse("the block", text(launch.block), format!("(1, 1, 1) to {}", text(most_block))));
    }
    if let Some(required) = entry.required_block()
        && launch.block != required
    {
        return Err(refuse("the block", text(launch.block), format!("{} only", text(required))));
    }
    let product = |[x, y, z]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(z);
    let threads = product(launch.block);
    let most = entry.max_block().map_or(MOST_THREADS, |most| product(most).min(MOST_THREADS));
    if threads > most {
        return Err(refuse(
            "the number of threads of a group",
            threads.to_string(),
            format!("at most {most}"),
        ));
    }
    let shared = entry.dynamic_shared.max(entry.shared_bytes()).saturating_add(launch.dynamic_shared);
    if shared > device.options.workgroup_memory {
        let most = format!("at most {} bytes", device.options.workgroup_memory);
        return Err(refuse("workgroup memory", format!("{shared} bytes"), most));
    }
    if launch.parameters.len() < entry.parameter_bytes() {
        let given = format!("{} bytes", launch.parameters.len());
        return Err(refuse(
            "the size of the parameters",
            given,
            format!("{} bytes", entry.parameter_bytes()),
        ));
    }
    let local = loaded.module().image.functions[entry.function as usize].frame_bytes;
    if local > launch.stack_limit {
        let most = format!("at most {} bytes", launch.stack_limit);
        return Err(refuse("local memory", format!("{local} bytes"), most));
    }
    let threads = threads as u32;
    Ok(Shape {
        grid: launch.grid,
        block: launch.block,
        cluster: launch.cluster,
        threads,
        shared,
        dynamic_shared: launch.dynamic_shared,
    })
}
