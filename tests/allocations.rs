//! Launching a small kernel doesn't allocate, nor does a kernel that runs on.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use gridwright::prelude::*;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the system's allocator, counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the layout's size isn't zero, as this function asks.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory is from `alloc`, and so the system's, with this layout, as this function asks.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

#[gpu_kernel(requires = x.len() == y.len())]
fn add(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()];
    }
}

fn of_threads() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = add::load(&device)?;
    for n in [10, 200_000] {
        let x = stream.upload(&vec![1.0; n])?;
        let mut y = stream.alloc_zeroed(n)?;
        let allocations = fewest_allocations(|| {
            kernel.launch(&stream, LaunchConfig::threads(n), (&x, &mut y))?;
            stream.synchronize()
        })?;
        let most = if n == 10 { 0 } else { HANDED_OVER };
        assert!(allocations <= most, "{allocations} of {n} threads");
    }
    Ok(())
}

/// The most allocations of launches that may be long, so that they are handed over to another thread: each has its arguments.
const HANDED_OVER: usize = 20;

/// Private values, collectives and all kinds of memory, again and again.
#[gpu_kernel(requires = w.len() == g.len())]
fn rounds(
    g: &Group,
    rounds: u32,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut sums: PerGroup<[f32]>,
    mut w: Workgroup<[f32]>,
    mut fixed: Workgroup<[f32; 64]>,
) {
    let mut mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
    for round in 0..rounds {
        g.load(&mut fixed, x, round as usize);
        let before = g.scan_exclusive(&mine, 0.0, f32::max);
        let crossed = g.shuffle_xor(&before, 1);
        let (sum, first) = (g.reduce(&crossed, f32::max), g.read(&fixed, 0));
        let mut turns = g.private(round % 3);
        g.each_while((&mut turns, w.elements_mut()), |_, (turns, w)| {
            *w = sum + first;
            *turns = turns.wrapping_sub(1);
            *turns < 3
        });
        g.each((&mut mine, w.shared()), |t, (mine, w)| *mine = mine.max(w[t.local().x]));
    }
    sums.set(g, g.reduce(&mine, f32::max));
    g.each((&mine, y.elements_mut()), |_, (mine, y)| {
        if let Some(y) = y {
            *y = *mine;
        }
    });
}

/// The fewest allocations of any of some batches: threads of the pool allocate as they start, whenever that is.
fn fewest_allocations(
    mut launch: impl FnMut() -> Result<(), gridwright::Error>,
) -> Result<usize, gridwright::Error> {
    let mut fewest = usize::MAX;
    for _ in 0..20 {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        (0..20).try_for_each(|_| launch())?;
        fewest = fewest.min(ALLOCATIONS.load(Ordering::Relaxed) - before);
    }
    Ok(fewest)
}

fn of_groups() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = rounds::load(&device)?;
    // The last one with more memory than most groups need.
    for (groups, block, times) in [(1, 32, 1), (100, 256, 2), (4, 1024, 5), (1, 256, 200)] {
        let n = groups * block;
        let x = stream.upload(&vec![1.0; n])?;
        let (mut y, mut sums) = (stream.alloc_zeroed(n)?, stream.alloc_zeroed(groups)?);
        let allocations = fewest_allocations(|| {
            let config = LaunchConfig::grid(groups, block).workgroup::<f32>(block);
            kernel.launch(&stream, config, (times, &x, &mut y, &mut sums))?;
            stream.synchronize()
        })?;
        let most = if times == 1 { 0 } else { HANDED_OVER };
        assert!(allocations <= most, "{allocations} of {groups} groups of {block}, {times} rounds");
    }
    Ok(())
}

/// Private values that ended make room for new ones: a loop at group level needs no more with every turn.
fn of_long_loops() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = rounds::load(&device)?;
    let x = stream.upload(&[1.0; 256])?;
    let (mut y, mut sums) = (stream.alloc_zeroed(256)?, stream.alloc_zeroed(1)?);
    let before = BYTES.load(Ordering::Relaxed);
    // Each round makes four values of a kilobyte.
    kernel.launch(
        &stream,
        LaunchConfig::grid(1, 256).workgroup::<f32>(256),
        (5000, &x, &mut y, &mut sums),
    )?;
    stream.synchronize()?;
    let bytes = BYTES.load(Ordering::Relaxed) - before;
    assert!(bytes < 1 << 20, "{bytes} bytes");
    Ok(())
}

#[gpu_kernel]
unsafe fn neighbours(t: Thread, y: *mut f32, mut tile: Workgroup<[f32]>) {
    let (i, tile) = (t.local().x, tile.as_mut_ptr());
    // SAFETY: both memories have an element for each thread, as the launch says.
    unsafe { *tile.add(i) = *y.add(t.index()) };
    // SAFETY: all threads get here.
    unsafe { sync_threads(t) };
    // SAFETY: both memories have an element for each of the threads, which come in pairs; a barrier is behind the writes.
    unsafe { *y.add(t.index()) += *tile.add(i ^ 1) };
}

fn with_barriers() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = neighbours::load(&device)?;
    let mut y = stream.alloc_zeroed(100 * 256)?;
    let config = LaunchConfig::grid(100, 256).workgroup::<f32>(256);
    let allocations = fewest_allocations(|| {
        // SAFETY: there is an element of both memories for each thread.
        unsafe { kernel.launch(&stream, config, (&mut y,)) }?;
        stream.synchronize()
    })?;
    assert!(allocations <= HANDED_OVER, "{allocations} of a kernel with barriers");
    Ok(())
}

fn of_graphs() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = add::load(&device)?;
    let x = stream.upload(&[1.0; 1000])?;
    let mut y = stream.alloc_zeroed(1000)?;
    let graph = stream.capture(|stream| {
        kernel.launch(stream, LaunchConfig::threads(1000), (&x, &mut y))?;
        stream.fill(&mut y, 2.0)?;
        stream.copy_from_slice(&mut y, &[3.0; 1000])
    })?;
    assert_eq!(
        fewest_allocations(|| graph.launch(&stream).and_then(|()| stream.synchronize()))?,
        0,
        "of a replay"
    );
    Ok(())
}

/// One test, because all that the process allocates is counted.
#[test]
fn launches_and_loops_in_kernels_allocate_nothing() -> Result<(), gridwright::Error> {
    of_threads()?;
    of_groups()?;
    with_barriers()?;
    of_graphs()?;
    of_long_loops()
}
