//! Launching doesn't allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use gridwright::prelude::*;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the system's allocator, counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract.
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

#[test]
fn a_launch_and_its_wait_allocate_nothing() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = add::load(&device)?;
    for n in [10, 200_000] {
        let x = stream.upload(&vec![1.0; n])?;
        let mut y = stream.alloc_zeroed(n)?;
        let mut launch = || -> Result<(), gridwright::Error> {
            kernel.launch(&stream, LaunchConfig::threads(n), (&x, &mut y))?;
            stream.synchronize()
        };
        // Threads of the pool allocate as they start, whenever that is: some batch of launches has none.
        let mut allocations = usize::MAX;
        for _ in 0..20 {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            (0..20).try_for_each(|_| launch())?;
            allocations = allocations.min(ALLOCATIONS.load(Ordering::Relaxed) - before);
        }
        assert_eq!(allocations, 0, "{n} threads");
    }
    Ok(())
}
