//! Kernels that are `unsafe fn`, as ports of CUDA code have them, on the CPU: barriers, memory of both kinds, panics.

use std::sync::atomic::{AtomicUsize, Ordering};

use gridwright::Error;
use gridwright::prelude::*;

type Result<T = ()> = std::result::Result<T, Error>;

#[gpu_kernel(block = 256)]
unsafe fn reverse(t: Thread, x: *mut u32, n: usize, mut tile: Workgroup<[u32; 256]>) {
    let tile = tile.as_mut_ptr();
    let i = t.index();
    if i < n {
        // SAFETY: `x` has `n` elements, and the tile one for each thread, as the launch says.
        unsafe { *tile.add(t.local().x) = *x.add(i) };
    }
    // SAFETY: all threads that are left get here.
    unsafe { sync_threads(t) };
    if i < n {
        // SAFETY: `x` has `n` elements, in whole groups, as the launch says; a barrier is behind what others wrote.
        unsafe { *x.add(i) = *tile.add(255 - t.local().x) };
    }
}

/// Turns the groups' parts around, and says how.
fn turn_around(device: &Device, groups: usize) -> Result {
    let stream = device.stream()?;
    let n = groups * 256;
    let x: Vec<u32> = (0..n as u32).collect();
    let mut reversed = stream.upload(&x)?;
    // SAFETY: there are as many elements, in whole groups.
    unsafe { reverse::load(device)?.launch(&stream, LaunchConfig::threads(n), (&mut reversed, n))? };
    let expected: Vec<u32> = x.chunks(256).flat_map(|part| part.iter().rev().copied()).collect();
    assert_eq!(stream.download(&reversed)?, expected);
    Ok(())
}

#[test]
fn each_group_in_reverse() -> Result {
    let device = Device::cpu()?;
    [1, 2, 300].into_iter().try_for_each(|groups| turn_around(&device, groups))
}

#[test]
fn launches_from_two_os_threads() -> Result {
    let device = Device::cpu()?;
    std::thread::scope(|scope| {
        let launches: Vec<_> =
            (0..2).map(|_| scope.spawn(|| (0..20).try_for_each(|_| turn_around(&device, 50)))).collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}

const TILE: usize = 32;
const ROWS: usize = 8;

/// Line by line from "An Efficient Matrix Transpose in CUDA C/C++".
#[gpu_kernel(block = (TILE, ROWS))]
unsafe fn transpose(
    t: Thread,
    odata: *mut f32,
    idata: *const f32,
    width: usize,
    height: usize,
    mut tile: Workgroup<[[f32; TILE + 1]; TILE]>,
) {
    let tile = tile.as_mut_ptr();
    let thread = t.local();
    let (block_x, block_y) = (t.col() / TILE, t.row() / ROWS);
    let (x, y) = (block_x * TILE + thread.x, block_y * TILE + thread.y);
    for j in (0..TILE).step_by(ROWS) {
        if x < width && y + j < height {
            // SAFETY: `idata` has `width * height` elements, as the launch says, and the tile those that a group moves.
            unsafe { *tile.add((thread.y + j) * (TILE + 1) + thread.x) = *idata.add((y + j) * width + x) };
        }
    }
    // SAFETY: all threads that are left get here.
    unsafe { sync_threads(t) };
    let (x, y) = (block_y * TILE + thread.x, block_x * TILE + thread.y);
    for j in (0..TILE).step_by(ROWS) {
        if x < height && y + j < width {
            // SAFETY: `odata` has `width * height` elements, as the launch says; a barrier is behind what others wrote.
            unsafe { *odata.add((y + j) * height + x) = *tile.add(thread.x * (TILE + 1) + thread.y + j) };
        }
    }
}

#[test]
fn transposed_by_tiles() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = transpose::load(&device)?;
    for (height, width) in [(1, 1), (32, 32), (33, 70), (100, 64)] {
        let x: Vec<f32> = (0..height * width).map(|i| i as f32).collect();
        let (input, mut output) =
            (stream.upload_matrix(height, width, &x)?, stream.alloc_zeroed(height * width)?);
        let groups = (width.div_ceil(TILE), height.div_ceil(TILE));
        let config = LaunchConfig::grid(groups, (TILE, ROWS));
        // SAFETY: both have as many elements, and the grid covers them.
        unsafe { kernel.launch(&stream, config, (&mut output, &input, width, height))? };
        let output = stream.download(&output)?;
        for row in 0..height {
            for col in 0..width {
                assert_eq!(output[col * height + row], x[row * width + col], "({row}, {col})");
            }
        }
    }
    Ok(())
}

/// A barrier a step, with half as many threads at work each time.
#[gpu_kernel]
unsafe fn sum(t: Thread, x: &[f32], sums: *mut f32, threads: usize, mut scratch: Workgroup<[f32]>) {
    let scratch = scratch.as_mut_ptr();
    let thread = t.local().x;
    // SAFETY: there is scratch for each thread, as the launch says.
    unsafe { *scratch.add(thread) = x.get(t.index()).copied().unwrap_or(0.0) };
    let mut half = threads / 2;
    while half > 0 {
        // SAFETY: all threads that are left get here.
        unsafe { sync_threads(t) };
        if thread < half {
            // SAFETY: there is scratch for each thread, as the launch says; a barrier is behind what others wrote.
            unsafe { *scratch.add(thread) += *scratch.add(thread + half) };
        }
        half /= 2;
    }
    if thread == 0 {
        // SAFETY: there is a sum for each group, as the launch says; this thread wrote the first of the scratch last.
        unsafe { *sums.add(t.group_index()) = *scratch };
    }
}

#[test]
fn sums_in_memory_that_launches_size() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = sum::load(&device)?;
    for (n, threads) in [(1_usize, 1_usize), (1000, 64), (10_000, 1024)] {
        let x: Vec<f32> = (0..n).map(|i| (i % 11) as f32).collect();
        let groups = n.div_ceil(threads);
        let (dx, mut sums) = (stream.upload(&x)?, stream.alloc_zeroed(groups)?);
        let config = LaunchConfig::grid(groups, threads).workgroup::<f32>(threads);
        // SAFETY: a sum for each group, and scratch for each thread.
        unsafe { kernel.launch(&stream, config, (&dx, &mut sums, threads))? };
        let expected: Vec<f32> = x.chunks(threads).map(|part| part.iter().sum()).collect();
        assert_eq!(stream.download(&sums)?, expected, "{n} by {threads}");
    }
    Ok(())
}

#[test]
fn instances_of_generic_kernels() -> Result {
    #[gpu_kernel(block = 64, instances((f32, 2), (f64, 3)))]
    unsafe fn smoothed<T: KernelArg + std::ops::Add<Output = T>, const N: usize>(
        t: Thread,
        x: *mut T,
        mut tile: Workgroup<[T]>,
    ) {
        let (i, tile) = (t.local().x, tile.as_mut_ptr());
        // SAFETY: there are whole groups, and an element for each of their threads; all of them get to the barrier.
        unsafe {
            *tile.add(i) = *x.add(t.index());
            sync_threads(t);
            *x.add(t.index()) = *tile.add(i) + *tile.add((i + N) % 64);
        }
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let config = LaunchConfig::threads(128);
    let mut x = stream.upload(&(0..128).map(|i| i as f32).collect::<Vec<_>>())?;
    let mut y = stream.upload(&(0..128).map(f64::from).collect::<Vec<_>>())?;
    // SAFETY: whole groups, and memory for each thread of one.
    unsafe {
        smoothed::<f32, 2>::load(&device)?.launch(&stream, config.workgroup::<f32>(64), (&mut x,))?;
        smoothed::<f64, 3>::load(&device)?.launch(&stream, config.workgroup::<f64>(64), (&mut y,))?;
    }
    let (x, y) = (stream.download(&x)?, stream.download(&y)?);
    assert_eq!((x[0], x[63], x[64]), (2.0, 64.0, 130.0));
    assert_eq!((y[0], y[63], y[127]), (3.0, 65.0, 193.0));
    Ok(())
}

#[test]
fn all_of_it_with_every_instruction_set_and_by_one_worker() {
    // Each in a process of its own: variables are the process's.
    for (variable, value) in [
        ("GRIDWRIGHT_CPU_ISA", "baseline"),
        ("GRIDWRIGHT_CPU_ISA", "avx2"),
        ("GRIDWRIGHT_CPU_ISA", "avx512"),
        ("GRIDWRIGHT_CPU_THREADS", "1"),
    ] {
        let test = std::env::current_exe().expect("the test's own path");
        let output = std::process::Command::new(test)
            .args(["--skip", "all_of_it_with_every"])
            .env(variable, value)
            .output()
            .expect("the test runs again");
        let said = String::from_utf8_lossy(&output.stdout);
        // This machine may lack an instruction set.
        let lacks = variable.ends_with("ISA") && said.contains("one of those that this machine has");
        assert!(output.status.success() || lacks, "{variable}={value}: {said}");
    }
}

/// Counts values that are dropped.
struct Dropped<'a>(&'a AtomicUsize);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

#[gpu_kernel(block = (8, 4))]
unsafe fn stopping(t: Thread, who: usize, step: usize, out: *mut u32) {
    let _dropped = Dropped(&DROPPED);
    for i in 0..3 {
        assert!(!(t.index() == who && i == step), "stop before barrier {i}"); // the line that panics
        // SAFETY: all threads that are left get here.
        unsafe { sync_threads(t) };
    }
    // SAFETY: there is an element for each thread, as the launches say.
    unsafe { *out.add(t.index()) += 1 };
}

const LINE: u32 = line!() - 8;

#[test]
fn a_panic_in_one_thread_ends_the_launch() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = stopping::load(&device)?;
    let mut out = stream.alloc_zeroed::<u32>(64)?;
    let config = LaunchConfig::grid((2, 1), (8, 4));
    for step in 0..3 {
        for (who, group, thread) in
            [(0, [0; 3], [0; 3]), (42, [1, 0, 0], [2, 2, 0]), (63, [1, 0, 0], [7, 3, 0])]
        {
            let before = DROPPED.load(Ordering::Relaxed);
            // SAFETY: an element for each thread.
            unsafe { kernel.launch(&stream, config, (who, step, &mut out))? };
            let Err(Error::KernelPanic { kernel, message, file, line, group: g, thread: th, .. }) =
                stream.synchronize()
            else {
                panic!("no panic")
            };
            assert_eq!((kernel, file.as_str(), line), ("stopping", file!(), LINE));
            assert_eq!(message, format!("stop before barrier {step}"));
            assert_eq!((g, th), (group, thread));
            // What the threads at the barrier had is dropped: of whole groups, but for those that hadn't begun.
            let begun = if step == 0 { who % 8 + who / 16 * 8 + 1 } else { 32 };
            let groups_before = if group == [0; 3] { 0 } else { 32 };
            assert_eq!(DROPPED.load(Ordering::Relaxed) - before, groups_before + begun, "{who} at {step}");
        }
    }
    // The worker is as it was.
    // SAFETY: an element for each thread.
    unsafe { kernel.launch(&stream, config, (64, 0, &mut out))? };
    assert!(stream.download(&out)?.iter().all(|&count| count >= 1));
    Ok(())
}

#[test]
fn a_panic_in_a_destructor_and_barriers_in_one() -> Result {
    struct Waits<'t>(Thread<'t>);

    impl Drop for Waits<'_> {
        fn drop(&mut self) {
            // SAFETY: all threads drop one.
            unsafe { sync_threads(self.0) };
        }
    }

    #[gpu_kernel(block = 32)]
    unsafe fn unwinding(t: Thread, who: usize, out: *mut u32) {
        let _waits = Waits(t);
        assert!(t.index() != who, "stop");
        // SAFETY: there is an element for each thread, as the launch says.
        unsafe { *out.add(t.index()) = 1 };
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = unwinding::load(&device)?;
    for who in [0, 7, 31, 32] {
        let mut out = stream.alloc_zeroed::<u32>(32)?;
        // SAFETY: an element for each thread.
        unsafe { kernel.launch(&stream, LaunchConfig::threads(32), (who, &mut out))? };
        match stream.synchronize() {
            Ok(()) => assert_eq!((who, stream.download(&out)?), (32, vec![1; 32])),
            Err(Error::KernelPanic { thread, message, .. }) => {
                assert_eq!((thread, message.as_str()), ([who as u32, 0, 0], "stop"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

#[test]
fn threads_that_return_early_are_not_waited_for() -> Result {
    #[gpu_kernel(block = 128)]
    unsafe fn early(t: Thread, n: usize, x: *mut u32, mut tile: Workgroup<[u32; 128]>) {
        let (i, tile) = (t.local().x, tile.as_mut_ptr());
        if t.index() >= n {
            return;
        }
        // SAFETY: each thread that is left has an element and, as the launch says, a neighbour; all of them get to the barriers.
        unsafe {
            *tile.add(i) = i as u32;
            sync_threads(t);
            *x.add(t.index()) = *tile.add(i ^ 1);
            sync_threads(t);
        }
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<u32>(200)?;
    // SAFETY: the last group has an even number of threads that don't return.
    unsafe { early::load(&device)?.launch(&stream, LaunchConfig::threads(200), (200, &mut x))? };
    let x = stream.download(&x)?;
    assert!(x.iter().enumerate().all(|(i, &x)| x == (i as u32 % 128) ^ 1));
    Ok(())
}

#[test]
fn without_barriers_and_with_what_threads_own() -> Result {
    #[gpu_kernel]
    unsafe fn mixed(
        t: Thread,
        by: f32,
        x: &[f32],
        mut y: PerThread<[f32]>,
        count: Atomic<[u32]>,
        z: *mut f32,
    ) {
        count.fetch_add(t, 0, 1);
        if let Some(y) = y.get_mut(t) {
            *y = by * x[t.index()];
            // SAFETY: `z` has as many elements as `y`, as the launch says.
            unsafe { *z.add(t.index()) = *y + 1.0 };
        }
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let (dx, mut y, mut z) = (stream.upload(&x)?, stream.alloc_zeroed(1000)?, stream.alloc_zeroed(1200)?);
    let mut count = stream.alloc_zeroed(1)?;
    let arguments = (2.0, &dx, &mut y, &mut count, z.slice_mut(100..1100)?);
    // SAFETY: only threads with an element of `y` write to `z`, which has as many.
    unsafe { mixed::load(&device)?.launch(&stream, LaunchConfig::threads(1000), arguments)? };
    assert_eq!(stream.download(&count)?, [1024]);
    let z = stream.download(&z)?;
    assert_eq!((z[99], z[100], z[1099], z[1100]), (0.0, 1.0, 1999.0, 0.0));
    assert!(stream.download(&y)?.iter().zip(x).all(|(y, x)| *y == 2.0 * x));
    Ok(())
}

#[test]
fn grids_of_more_axes_than_their_blocks() -> Result {
    #[gpu_kernel(block = 32)]
    unsafe fn positions(t: Thread, out: *mut [u32; 4]) {
        let place = [t.col(), t.row(), t.plane(), t.group_index()].map(|at| at as u32);
        // SAFETY: there is an element for each thread, as the launch says.
        unsafe { *out.add(t.index()) = place };
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut out = stream.alloc_zeroed::<[u32; 4]>(64 * 3 * 2)?;
    let kernel = positions::load(&device)?;
    // SAFETY: an element for each thread.
    unsafe { kernel.launch(&stream, LaunchConfig::grid((2, 3, 2), 32), (&mut out,))? };
    for (i, place) in stream.download(&out)?.into_iter().enumerate() {
        let (col, row, plane) = (i % 64, i / 64 % 3, i / 192);
        assert_eq!(place, [col, row, plane, (plane * 3 + row) * 2 + col / 32].map(|at| at as u32));
    }
    Ok(())
}

#[test]
fn launches_are_checked() -> Result {
    #[gpu_kernel(requires = n <= 100)]
    unsafe fn checked(_t: Thread, _x: *const f32, n: usize, mut _scratch: Workgroup<[u8]>) {
        let _ = n;
    }
    let (device, other) = (Device::cpu()?, Device::cpu()?);
    let stream = device.stream()?;
    let kernel = checked::load(&device)?;
    let x = stream.upload(&[1.0_f32; 10])?;
    let launch = |config: LaunchConfig, stream: &Stream, n, bytes| {
        // SAFETY: the kernel does nothing.
        unsafe { kernel.launch(stream, config.workgroup::<u8>(bytes), (&x, n)) }
    };
    let one = LaunchConfig::threads(1);
    launch(one, &stream, 100, 48 * 1024)?;
    assert!(matches!(launch(one, &other.stream()?, 1, 1), Err(Error::ForeignStream { .. })));
    assert!(matches!(launch(LaunchConfig::threads(0), &stream, 1, 1), Err(Error::InvalidConfig { .. })));
    assert!(matches!(launch(one, &stream, 1, 48 * 1024 + 1), Err(Error::WorkgroupMemory { .. })));
    let error = launch(one, &stream, 101, 7).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `checked` requires `n <= 100`, but was given _x: 10 elements, n: 101, _scratch: 7 elements, groups of \
         256 threads"
    );
    Ok(())
}

#[test]
fn a_barrier_in_a_safe_kernel_is_a_panic() -> Result {
    #[gpu_kernel]
    fn safe(t: Thread) {
        // SAFETY: not at all.
        unsafe { sync_threads(t) };
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    safe::load(&device)?.launch(&stream, LaunchConfig::threads(1), ())?;
    let error = stream.synchronize().unwrap_err();
    assert!(error.to_string().contains("isn't an `unsafe fn`"), "{error}");
    assert!(error.to_string().contains(file!()), "{error}");
    Ok(())
}

#[test]
fn a_kernel_that_launches_kernels() -> Result {
    #[gpu_kernel(block = 4)]
    unsafe fn outer(t: Thread, out: *mut u32) {
        let device = Device::cpu().expect("a device");
        turn_around(&device, 1).expect("a launch");
        // SAFETY: all threads that are left get here.
        unsafe { sync_threads(t) };
        // SAFETY: there is an element for each thread, as the launch says.
        unsafe { *out.add(t.index()) = 1 };
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut out = stream.alloc_zeroed::<u32>(8)?;
    // SAFETY: an element for each thread.
    unsafe { outer::load(&device)?.launch(&stream, LaunchConfig::threads(8), (&mut out,))? };
    assert_eq!(stream.download(&out)?, [1; 8]);
    Ok(())
}
