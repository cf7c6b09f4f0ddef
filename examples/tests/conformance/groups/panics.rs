//! A panic in a group kernel names the kernel's line, and the thread where one panicked. The device stays usable.

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, device, is_cpu, open, says, sizes, threads_may_end};

/// What goes wrong is the case of that number.
#[gpu_kernel(block = (8, 4))]
fn wrong(
    g: &Group,
    case: u32,
    group: usize,
    mut out: PerThread<Matrix<u32>>,
    mut arrays: PerGroup<[[u32; 32]]>,
    counts: Atomic<[u32]>,
    mut w: Workgroup<[u32]>,
    mut tile: Workgroup<[[u32; 8]; 4]>,
    mut small: Workgroup<[[u32; 4]; 8]>,
) {
    let n = g.len();
    let mut mine = g.map((), |t, ()| t.local().x as u32);
    let bad = if g.index() == group { case } else { 0 };
    g.each((&mut mine, out.elements_mut()), |t, (mine, out)| {
        assert!(!(bad == 1 && t.local().x == 5 && t.local().y == 2), "in a phase");
        if let Some(out) = out {
            *out = *mine;
        }
    });
    let made = g.map((), |t, ()| {
        assert!(!(bad == 2 && t.local().x == 7 && t.local().y == 3), "in a map");
        1_u32
    });
    let mut turns = g.private(0);
    g.each_while(&mut turns, |t, turns| {
        assert!(!(bad == 3 && *turns == 3 && t.local().y == 1), "in a repetition");
        *turns += 1;
        *turns < 5
    });
    g.each_while_branching((), |t, ()| {
        assert!(!(bad == 4 && t.local().x == 1), "in a branching repetition");
        false
    });
    assert!(bad != 5, "at group level");
    g.reduce(&made, |a, b| {
        assert!(bad != 6, "in a reduction");
        a + b
    });
    let _ = g.scan_inclusive(&made, |a, b| {
        assert!(bad != 7, "in a scan");
        a + b
    });
    let _ = g.warp_reduce(&made, |a, b| {
        assert!(bad != 8, "in a warp");
        a + b
    });
    match bad {
        9 => _ = g.read(&w, 40),
        10 => _ = g.broadcast(&made, n),
        11 => _ = w.split_at_mut(41),
        12 => _ = w.array::<41>(),
        13 => _ = arrays.elements_mut(),
        14 => g.each((), |t, ()| _ = counts.fetch_add(t, 3, 1)),
        15 => g.each(tile.atomic(), |t, tile| _ = tile.fetch_add(t, 32, 1)),
        16 => g.each(w.shared(), |t, w| _ = w[40 + t.local().x]),
        17 => g.each(w.elements_mut().strided::<2>(), |_, _| ()),
        18 => g.each(small.elements_mut(), |_, _| ()),
        19 => g.each(tile.elements_mut().transposed(), |_, _| ()),
        20 => g.each(w.chunks::<2>().elements_mut().reversed(), |_, _| ()),
        21 => _ = g.map(small.elements(), |_, slot| *slot),
        22 => g.each_while(small.elements_mut(), |_, _| false),
        23 => g.each_while_branching(small.elements_mut(), |_, _| false),
        24 => _ = g.read(&tile, 32),
        25 => _ = w.reborrow().split_at_mut(41),
        _ => {}
    }
}

/// The case, the thread that panics on the CPU, and the message.
#[host_only]
const CASES: [(u32, [u32; 3], &str); 25] = [
    (1, [5, 2, 0], "in a phase"),
    (2, [7, 3, 0], "in a map"),
    (3, [0, 1, 0], "in a repetition"),
    (4, [1, 0, 0], "in a branching repetition"),
    (5, [0; 3], "at group level"),
    (6, [0; 3], "in a reduction"),
    (7, [0; 3], "in a scan"),
    (8, [0; 3], "in a warp"),
    (9, [0; 3], "index 40 of 40 elements in workgroup memory"),
    (10, [0; 3], "thread 32 of a group of 32"),
    (11, [0; 3], "workgroup memory of 40 elements was split at 41"),
    (12, [0; 3], "an array of 41 of workgroup memory of 40 elements"),
    (13, [0; 3], "group 4 has no element in memory of 4"),
    (14, [0; 3], "index 3 of 3 elements that are updated atomically"),
    (15, [0; 3], "index 32 of 32 elements in workgroup memory"),
    (16, [0; 3], "index out of bounds: the len is 40 but the index is 40"),
    (17, [0; 3], "a view of 20 slots was handed to 32 threads; `.take(n)` lets only the first n take part"),
    (18, [0; 3], "a view of 4 by 8 by 1 slots was handed to a group of 8 by 4 by 1 threads"),
    (19, [0; 3], "a view of 4 by 8 by 1 slots was handed to a group of 8 by 4 by 1 threads"),
    (20, [0; 3], "a view of 20 slots was handed to 32 threads; `.take(n)` lets only the first n take part"),
    (21, [0; 3], "a view of 4 by 8 by 1 slots was handed to a group of 8 by 4 by 1 threads"),
    (22, [0; 3], "a view of 4 by 8 by 1 slots was handed to a group of 8 by 4 by 1 threads"),
    (23, [0; 3], "a view of 4 by 8 by 1 slots was handed to a group of 8 by 4 by 1 threads"),
    (24, [0; 3], "index 32 of 32 elements in workgroup memory"),
    (25, [0; 3], "workgroup memory of 40 elements was split at 41"),
];

/// The line of the kernel that panics in a case.
#[host_only]
fn line_of(case: u32) -> u32 {
    let marks =
        [format!("assert!(!(bad == {case} "), format!("assert!(bad != {case},"), format!("{case} => ")];
    let is_it = |line: &str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
    include_str!("panics.rs").lines().zip(1..).find(|(line, _)| is_it(line)).expect("a line for each case").1
}

/// Whether a thread may be the one that a GPU tells: of those that panic one is. At group level all do.
#[host_only]
fn is_told(case: u32, on_cpu: [u32; 3], thread: [u32; 3]) -> bool {
    let [x, y, z] = thread;
    let is_there = x < 8 && y < 4 && z == 0;
    match case {
        1 | 2 => thread == on_cpu,
        3 => is_there && y == 1,
        4 => is_there && x == 1,
        _ => is_there,
    }
}

#[test]
fn a_panic_names_the_kernels_line_the_group_and_the_thread() -> Result {
    let (device, stream) = open()?;
    if !threads_may_end(&device) {
        return Ok(());
    }
    let kernel = wrong::load(&device)?;
    let (rows, cols) = (12, 24); // 3 by 3 groups
    let mut out = stream.alloc_matrix_zeroed::<u32>(rows, cols)?;
    let mut counts = stream.alloc_zeroed::<u32>(3)?;
    let config = LaunchConfig::for_matrix(rows, cols).workgroup::<u32>(40);
    let mut failures = Vec::new();
    for (case, at, expected_message) in CASES {
        let mut launch = |group: usize, case: u32, out: &mut MatrixBuffer<u32>| -> Result {
            // Only the four first groups have an array.
            let mut arrays = stream.alloc_zeroed::<u32>(4 * 32)?;
            kernel.launch(&stream, config, (case, group, out, &mut arrays, &mut counts))?;
            stream.synchronize()
        };
        match launch(4, case, &mut out) {
            Err(Error::KernelPanic { kernel: "wrong", message, file, line, group, thread, .. }) => {
                let place = (file.as_str(), line, group);
                let expected = (file!(), line_of(case), [1, 1, 0]);
                let is_thread = if is_cpu(&device) { thread == at } else { is_told(case, at, thread) };
                if place != expected || !is_thread || !says(&device, &message, expected_message) {
                    failures.push(format!("case {case}: {place:?}, not {expected:?}; {thread:?}: {message}"));
                }
            }
            other => failures.push(format!("case {case}: {other:?}")),
        }
        // The same kernel, device and buffers go on.
        stream.fill(&mut out, 99)?;
        launch(4, 0, &mut out)?;
        let expected: Vec<_> = (0..rows * cols).map(|i| i as u32 % 8).collect();
        assert_eq!(stream.download(&out)?, expected, "after case {case}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

#[gpu_kernel]
fn wrong_now_and_then(g: &Group, wrong: u32, mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let mine = g.map(w.elements_mut(), |t, w| {
        *w = t.index() as u32;
        *w
    });
    let last = g.reduce(&mine, u32::max);
    assert!(last % 100 != 99 || wrong == 0, "group {}", g.index());
    g.each((&mine, w.elements(), out.elements_mut()), |_, (mine, w, out)| {
        if let Some(out) = out {
            *out = *mine + *w;
        }
    });
}

#[test]
fn panics_of_groups_under_load_end_their_own_launch_only() -> Result {
    let device = device()?;
    if !threads_may_end(&device) {
        return Ok(());
    }
    let (rounds, n) = sizes(&device, &[(20, 20_000)], &[(3, 500)])[0];
    std::thread::scope(|scope| {
        let launches: Vec<_> = (0..6)
            .map(|i| {
                let device = &device;
                scope.spawn(move || -> Result {
                    let stream = device.stream()?;
                    let kernel = wrong_now_and_then::load(device)?;
                    for round in 0..rounds {
                        let wrong = u32::from((i + round) % 3 == 0);
                        let mut out = stream.alloc_zeroed::<u32>(n)?;
                        let config = LaunchConfig::threads(n).block(100).workgroup_per_thread::<u32>(1);
                        kernel.launch(&stream, config, (wrong, &mut out))?;
                        // Whose panic it is that one hears of is up to timing; nobody who heard of it lost anything.
                        let heard = match stream.synchronize() {
                            Ok(()) => stream.synchronize(),
                            Err(Error::KernelPanic { kernel: "wrong_now_and_then", thread, .. }) => {
                                // At group level: on a GPU it is every thread's.
                                assert!(thread == [0; 3] || !is_cpu(device));
                                Ok(())
                            }
                            Err(other) => return Err(other),
                        };
                        if let (0, Ok(()), Ok(out)) = (wrong, heard, stream.download(&out)) {
                            assert!(out.iter().enumerate().all(|(i, &out)| out == 2 * i as u32));
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}
