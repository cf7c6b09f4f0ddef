use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gridwright_core::{Chunk, CpuEntry, Geometry, Isa, LaunchSizes, WorkgroupMemory};

use crate::launch_cost::LaunchCost;
use crate::partition::{GroupPartition, Partition};
use crate::{KernelPanic, Launch, Printer, Processors, pool, schedule};

#[test]
fn chunks_cover_each_thread_once_and_are_rows_or_parts_of_one() {
    let sizes = [
        [1, 1, 1],
        [255, 1, 1],
        [100_000, 1, 1],
        [3, 1000, 1],
        [5000, 7, 1],
        [1, 1, 9],
        [33, 65, 3],
        [20_000, 3, 2],
    ];
    for threads in sizes {
        for workers in [1, 2, 7, 64] {
            let geometry = Geometry { threads, block: [1; 3], groups: threads };
            let launch = LaunchSizes { geometry, memory: WorkgroupMemory::default(), cluster: 1 };
            let partition = Partition::new(threads, workers);
            let mut visits = vec![0_u8; threads.iter().product()];
            let visit = |visits: &mut Vec<u8>, numbers: Range<usize>| {
                let (chunk, chunks) = partition.together(&launch, numbers.clone());
                let (rows, cols) = (chunk.owned.rows.clone(), chunk.owned.cols.clone());
                assert!(rows.len() == 1 || cols == (0..threads[0]), "{threads:?}");
                assert!(!chunk.owned.is_empty() && (1..=numbers.len()).contains(&chunks));
                for row in rows {
                    for col in cols.clone() {
                        visits[launch.index(chunk.plane, row, col)] += 1;
                    }
                }
                chunks
            };
            for number in 0..partition.len() {
                visit(&mut visits, number..number + 1);
            }
            assert!(visits.iter().all(|&visits| visits == 1), "{threads:?} for {workers}");
            // The same threads, whichever of them lie together.
            for end in [partition.len(), partition.len().div_ceil(3)] {
                for start in [0, 1, end / 2] {
                    let (mut together, mut one_by_one) = (vec![0; visits.len()], vec![0; visits.len()]);
                    let mut next = start;
                    while next < end {
                        next += visit(&mut together, next..end);
                    }
                    for number in start..end {
                        visit(&mut one_by_one, number..number + 1);
                    }
                    assert!(together == one_by_one, "{threads:?} for {workers}, {start}..{end}");
                }
            }
        }
    }
}

#[test]
fn chunks_that_lie_together_are_run_as_one() {
    for (threads, pieces) in [([100_000, 1, 1], 1), ([50, 3000, 1], 1), ([40_000, 5, 1], 1), ([64, 64, 3], 3)]
    {
        let geometry = Geometry { threads, block: [1; 3], groups: threads };
        let launch = LaunchSizes { geometry, memory: WorkgroupMemory::default(), cluster: 1 };
        let partition = Partition::new(threads, 2);
        let (mut next, mut found) = (0, 0);
        while next < partition.len() {
            next += partition.together(&launch, next..partition.len()).1;
            found += 1;
        }
        assert!(partition.len() > pieces, "{threads:?} are too few");
        assert_eq!(found, pieces, "{threads:?}");
    }
}

/// A geometry of whole groups.
fn of_groups(groups: [usize; 3], block: [usize; 3]) -> Geometry {
    Geometry { threads: std::array::from_fn(|axis| groups[axis] * block[axis]), block, groups }
}

#[test]
fn chunks_of_groups_cover_each_group_once() {
    for groups in [[1, 1, 1], [7, 1, 1], [100_000, 1, 1], [5, 3, 2], [1, 1, 65_535]] {
        for block in [[1, 1, 1], [16, 16, 1], [1024, 1, 1]] {
            for workers in [1, 2, 7, 64] {
                let partition = GroupPartition::new(&of_groups(groups, block), workers);
                let mut next = 0;
                for number in 0..partition.len() {
                    let chunk = partition.together(number..number + 1);
                    assert!(chunk.start == next && !chunk.is_empty(), "{groups:?}");
                    next = chunk.end;
                }
                assert_eq!(next, groups.iter().product::<usize>(), "{groups:?} of {block:?} for {workers}");
                assert_eq!(partition.together(0..partition.len()), 0..next);
            }
        }
    }
}

#[test]
fn large_groups_are_shared_one_by_one() {
    let partition = GroupPartition::new(&of_groups([4, 1, 1], [256, 1, 1]), 8);
    assert_eq!((partition.len(), partition.threads_in_a_chunk()), (4, 256));
}

/// How often each group ran. It stands in for a kernel's arguments.
type Runs = Vec<AtomicUsize>;

unsafe fn count(_: Isa, launch: &LaunchSizes, groups: Range<usize>, runs: *const ()) {
    // SAFETY: `launch` gave it.
    let runs = unsafe { &*runs.cast::<Runs>() };
    assert_eq!(launch.memory.bytes, 64);
    for group in groups {
        runs[group].fetch_add(1, Ordering::Relaxed);
    }
}

unsafe fn count_up_to_100(isa: Isa, launch: &LaunchSizes, groups: Range<usize>, runs: *const ()) {
    for group in groups {
        assert!(group < 100, "group {group}");
        // SAFETY: `launch` gave `runs`, which `count` takes.
        unsafe { count(isa, launch, group..group + 1, runs) };
    }
}

/// Launches as many groups of 64 threads as there are counters, at so many picoseconds a thread.
fn launch(entry: CpuEntry, runs: &Runs, picoseconds: u64, threads: usize) -> Result<(), KernelPanic> {
    let known = LaunchCost::default();
    known.ran_alone(picoseconds);
    launch_again(entry, runs, &known, threads)
}

/// Launches as many groups of 64 threads as there are counters, with what launches cost before.
fn launch_again(entry: CpuEntry, runs: &Runs, cost: &LaunchCost, threads: usize) -> Result<(), KernelPanic> {
    let sizes = &LaunchSizes {
        geometry: of_groups([runs.len(), 1, 1], [64, 1, 1]),
        memory: WorkgroupMemory { bytes: 64, ..WorkgroupMemory::default() },
        cluster: 1,
    };
    let launch = Launch { entry, sizes, arguments: (&raw const *runs).cast() };
    // SAFETY: the functions above take these arguments; every machine has the baseline.
    unsafe { schedule::run(launch, cost, Processors { isa: Isa::Baseline, threads }, &NoLines) }
}

/// Takes no lines.
struct NoLines;

impl Printer for NoLines {
    fn room(&self) -> usize {
        0
    }

    fn add(&self, _: Vec<(usize, String)>, _: u64) {}
}

fn zeros(n: usize) -> Runs {
    (0..n).map(|_| AtomicUsize::new(0)).collect()
}

#[test]
fn each_group_runs_once_alone_and_shared() {
    const CODE: CpuEntry = CpuEntry::Groups(count);
    for groups in [1, 3, 1000, 5000] {
        for pace in [0, 300, 1_000_000] {
            for threads in [1, 2, 4] {
                let runs = zeros(groups);
                launch(CODE, &runs, pace, threads).unwrap();
                assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1), "{groups} groups");
            }
        }
    }
}

thread_local! {
    /// Numbers that this thread ran, in order.
    static RAN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Numbers in a chunk of the launches below: groups, or as many threads as a group has.
const IN_A_CHUNK: usize = 64;

unsafe fn note_threads(_: Isa, chunk: &mut Chunk<'_>, _: *const ()) {
    let cols = chunk.owned.cols.clone();
    RAN.with_borrow_mut(|ran| ran.extend(cols.filter(|col| col % 64 == 0).map(|col| col / 64)));
}

unsafe fn note_groups(_: Isa, _: &LaunchSizes, groups: Range<usize>, _: *const ()) {
    RAN.with_borrow_mut(|ran| ran.extend(groups));
}

/// Whether this thread ran the chunks of its range from the end in a long launch that two threads share; none if it ran fewer than two, as
/// another that is done takes what nobody has begun.
fn went_back(code: CpuEntry) -> Option<bool> {
    RAN.take();
    launch(code, &zeros(1024), 1_000_000, 2).unwrap();
    // The caller's range is the first half.
    let own: Vec<_> = RAN.take().into_iter().filter(|&number| number < 512).collect();
    let (first, last) = (own.first()? / IN_A_CHUNK, own.last()? / IN_A_CHUNK);
    (first != last).then_some(first > last)
}

#[test]
fn long_launches_of_threads_run_from_either_end_and_those_of_groups_from_the_beginning() {
    const THREADS: CpuEntry = CpuEntry::Threads(note_threads);
    const GROUPS: CpuEntry = CpuEntry::Groups(note_groups);
    // Other tests have the pool now and then, and other programs the cores.
    let seen = |end| (0..100_000).any(|_| went_back(THREADS) == Some(end));
    assert!(seen(false) && seen(true));
    assert!((0..100).all(|_| went_back(GROUPS) != Some(true)));
}

unsafe fn count_and_take_long_at_last(isa: Isa, launch: &LaunchSizes, groups: Range<usize>, runs: *const ()) {
    let start = Instant::now();
    while groups.end > 900 && start.elapsed() < Duration::from_micros(50) {}
    // SAFETY: `launch` gave `runs`, which `count` takes.
    unsafe { count(isa, launch, groups, runs) };
}

#[test]
fn a_launch_whose_first_groups_are_cheap_is_known_to_take_long() {
    const CODE: CpuEntry = CpuEntry::Groups(count_and_take_long_at_last);
    let (cost, runs) = (LaunchCost::default(), zeros(1000));
    for _ in 0..30 {
        launch_again(CODE, &runs, &cost, 2).unwrap();
    }
    let picoseconds = cost.alone() * 64 * 1000;
    assert!(picoseconds >= 10_000_000, "{picoseconds} ps");
    assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 30));
}

#[test]
fn a_group_that_panics_ends_the_launch_and_keeps_what_ran() {
    const CODE: CpuEntry = CpuEntry::Groups(count_up_to_100);
    crate::install_hook();
    for threads in [1, 4] {
        let runs = zeros(100_000);
        let KernelPanic { message, .. } = launch(CODE, &runs, 1_000_000, threads).unwrap_err();
        assert!(message.starts_with("group "), "{message}");
        assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) <= 1));
        assert!(runs[100..].iter().all(|runs| runs.load(Ordering::Relaxed) == 0));
    }
    let runs = zeros(200);
    launch(CODE, &runs, 0, 1).unwrap_err();
    assert!(runs[..100].iter().all(|runs| runs.load(Ordering::Relaxed) == 1), "those before it ran");
}

#[test]
fn workers_awake_from_a_larger_job_take_no_part_in_a_smaller_one() {
    let pool = pool::get(4);
    let mut jobs = 0;
    while jobs < 2000 {
        let Some(claim) = pool.claim() else { continue };
        claim.run(3, &|_| {});
        let greatest = AtomicUsize::new(0);
        claim.run(1, &|worker| {
            greatest.fetch_max(worker, Ordering::Relaxed);
            let start = Instant::now();
            while start.elapsed() < Duration::from_micros(5) {}
        });
        assert!(greatest.into_inner() <= 1, "a worker beyond the job's");
        jobs += 1;
    }
}

#[test]
fn the_pool_runs_a_job_on_others_and_waits_for_them() {
    let pool = pool::get(4);
    for _ in 0..1000 {
        let Some(claim) = pool.claim() else { continue };
        assert!(pool.claim().is_none(), "claimed twice");
        assert!(pool.claim().is_none(), "a claim that failed gave the pool back");
        let (started, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        claim.run(3, &|_| {
            started.fetch_add(1, Ordering::SeqCst);
            std::hint::black_box((0..100).sum::<u64>());
            ended.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(started.load(Ordering::SeqCst), ended.load(Ordering::SeqCst));
        assert!(started.load(Ordering::SeqCst) >= 1);
    }
}
