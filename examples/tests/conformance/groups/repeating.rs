//! Phases that call each thread until it says that it is done, against kernels with plain loops.

use gridwright::group::Repeatable;
use gridwright::prelude::*;

use super::at;
#[host_only]
use super::{blocks, check};
#[host_only]
use crate::setting::{Result, device, is_cpu, open, sizes, warp_size};

/// One step: whether there is another.
fn collatz_step(n: &mut u32, steps: &mut u32) -> bool {
    if *n <= 1 {
        return false;
    }
    *n = if n.is_multiple_of(2) { *n / 2 } else { *n * 3 + 1 };
    *steps += 1;
    true
}

fn collatz(mut n: u32) -> u32 {
    let mut steps = 0;
    while collatz_step(&mut n, &mut steps) {}
    steps
}

#[gpu_kernel]
fn steps_to_one(g: &Group, x: &[u32], mut out: PerThread<[[u32; 2]]>) {
    let mut state = g.map((), |t, ()| (at(x, t.index()), 0));
    let mut copy = g.map(&state, |_, state| *state);
    g.each_while(&mut state, |_, (n, steps)| collatz_step(n, steps));
    g.each_while_branching(&mut copy, |_, (n, steps)| collatz_step(n, steps));
    g.each((&state, &copy, out.elements_mut()), |_, ((_, steps), (_, branching), out)| {
        if let Some(out) = out {
            *out = [*steps, *branching];
        }
    });
}

#[test]
fn threads_repeat_each_until_it_is_done() -> Result {
    check(
        |stream, device, config, _, (x, y)| steps_to_one::load(device)?.launch(stream, config, (x, y)),
        |group| group.iter().map(|&x| [collatz(x); 2]).collect(),
    )
}

fn escape_step(c: [f32; 2], z: &mut [f32; 2], count: &mut u32) -> bool {
    let [re, im] = *z;
    if *count == 200 || re * re + im * im > 4.0 {
        return false;
    }
    *z = [re * re - im * im + c[0], 2.0 * re * im + c[1]];
    *count += 1;
    true
}

fn point(row: usize, col: usize) -> [f32; 2] {
    [col as f32 / 37.0 - 2.0, row as f32 / 23.0 - 1.2]
}

#[gpu_kernel]
fn mandelbrot(t: Thread, mut out: PerThread<Matrix<u32>>) {
    let (c, mut z, mut count) = (point(t.row(), t.col()), [0.0; 2], 0);
    while escape_step(c, &mut z, &mut count) {}
    if let Some(out) = out.get_mut(t) {
        *out = count;
    }
}

macro_rules! mandelbrots {
    ($($name:ident $([$block:tt])?;)*) => {$(
        #[gpu_kernel$((block = $block))?]
        fn $name(g: &Group, mut out: PerThread<Matrix<u32>>) {
            let c = g.map((), |t, ()| point(t.row(), t.col()));
            let mut z = g.private([0.0; 2]);
            let mut count = g.private(0);
            g.each_while((&c, &mut z, &mut count), |_, (c, z, count)| escape_step(*c, z, count));
            g.each((&count, out.elements_mut()), |_, (count, out)| {
                if let Some(out) = out {
                    *out = *count;
                }
            });
        }
    )*};
}

mandelbrots! {
    in_any_block;
    in_a_block_of_33_by_3[(33, 3)];
    in_a_block_of_64[(64, 1)];
    in_a_block_of_100[(100, 1)];
    in_a_column_of_7[(1, 7)];
    in_a_block_of_8_by_5[(8, 5)];
    in_a_block_of_16_by_16[(16, 16)];
    in_a_block_of_2_by_33[(2, 33)];
}

#[test]
fn a_repeated_phase_equals_the_plain_loop_in_blocks_of_any_width() -> Result {
    let (device, stream) = open()?;
    for &(rows, cols) in sizes(&device, &[(1, 1), (3, 33), (50, 111)], &[(3, 33)]) {
        let config = LaunchConfig::for_matrix(rows, cols);
        let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
        mandelbrot::load(&device)?.launch(&stream, config, (&mut out,))?;
        let expected = stream.download(&out)?;
        let mut compare = |what: &str, run: &dyn Fn(&mut MatrixBuffer<u32>) -> Result| -> Result {
            stream.fill(&mut out, u32::MAX)?;
            run(&mut out)?;
            assert_eq!(stream.download(&out)?, expected, "{what}, {rows} by {cols}");
            Ok(())
        };
        let all = [(1, 1), (31, 1), (32, 8), (33, 3), (64, 2), (65, 1), (100, 10), (128, 8), (7, 5)];
        for &block in sizes(&device, &all, &all[4..6]) {
            let kernel = in_any_block::load(&device)?;
            compare("any", &|out| kernel.launch(&stream, config.block(block), (out,)))?;
        }
        compare("33 by 3", &|out| in_a_block_of_33_by_3::load(&device)?.launch(&stream, config, (out,)))?;
        compare("64", &|out| in_a_block_of_64::load(&device)?.launch(&stream, config, (out,)))?;
        compare("100", &|out| in_a_block_of_100::load(&device)?.launch(&stream, config, (out,)))?;
        compare("1 by 7", &|out| in_a_column_of_7::load(&device)?.launch(&stream, config, (out,)))?;
        compare("8 by 5", &|out| in_a_block_of_8_by_5::load(&device)?.launch(&stream, config, (out,)))?;
        compare("16 by 16", &|out| in_a_block_of_16_by_16::load(&device)?.launch(&stream, config, (out,)))?;
        compare("2 by 33", &|out| in_a_block_of_2_by_33::load(&device)?.launch(&stream, config, (out,)))?;
    }
    Ok(())
}

/// The steps of the group's first threads, and where each was seen to be: `x + 10 y + 100 z` in its block.
#[gpu_kernel(block = (4, 3, 5))]
fn first_threads(
    g: &Group,
    few: usize,
    mut out: PerThread<Volume<[u32; 2]>>,
    mut numbers: Workgroup<[u32; 60]>,
) {
    let mut steps = g.private([0, u32::MAX]);
    g.each(numbers.elements_mut(), |t, number| {
        *number = (t.local().x + t.local().y * 4 + t.local().z * 12) as u32 + 1;
    });
    g.each_while((numbers.elements_mut().take(few), &mut steps), |t, (number, [steps, place])| {
        *place = (t.local().x + t.local().y * 10 + t.local().z * 100) as u32;
        collatz_step(number, steps)
    });
    g.each((&steps, out.elements_mut()), |_, (steps, out)| {
        if let Some(out) = out {
            *out = *steps;
        }
    });
}

#[test]
fn short_rows_repeat_together_as_far_as_they_take_part() -> Result {
    let (device, stream) = open()?;
    let (planes, rows, cols) = sizes(&device, &[(7, 7, 10)], &[(7, 5, 6)])[0];
    for &few in sizes(&device, &[0, 1, 4, 11, 12, 13, 31, 47, 48, 59, 60], &[0, 13, 60]) {
        let mut out = stream.alloc_volume_zeroed(planes, rows, cols)?;
        let config = LaunchConfig::for_volume(planes, rows, cols);
        first_threads::load(&device)?.launch(&stream, config, (few, &mut out))?;
        for (i, found) in stream.download(&out)?.into_iter().enumerate() {
            let (x, y, z) = (i % cols % 4, i / cols % rows % 3, i / (cols * rows) % 5);
            let number = x + 4 * y + 12 * z;
            let place = (x + 10 * y + 100 * z) as u32;
            let expected = if number < few { [collatz(number as u32 + 1), place] } else { [0, u32::MAX] };
            assert_eq!(found, expected, "thread {number} of a group, {few} of which took part");
        }
    }
    Ok(())
}

#[gpu_kernel(max_threads = 1024)]
fn with_owned_state(g: &Group, few: usize, x: &[u32], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |t, w| *w = at(x, t.index()));
    g.each_while((w.elements_mut().take(few), out.elements_mut()), |_, (n, steps)| match steps {
        Some(steps) => collatz_step(n, steps),
        None => false,
    });
    g.each((w.elements(), out.elements_mut()), |t, (n, out)| {
        if let Some(out) = out {
            let done = t.local().x < few && at(x, t.index()) > 0;
            assert_eq!(*n, if done { 1 } else { at(x, t.index()) });
            *out += 1000;
        }
    });
}

#[test]
fn slots_and_owned_elements_are_state_and_take_leaves_the_others_alone() -> Result {
    for &few in sizes(&device()?, &[0, 1, 31, 33, 63, 64, 65, 5000], &[33, 5000]) {
        check(
            |stream, device, config, _, (x, y)| {
                with_owned_state::load(device)?.launch(
                    stream,
                    config.workgroup_per_thread::<u32>(1),
                    (few, x, y),
                )
            },
            |group| {
                let steps = |(i, &x): (usize, &u32)| if i < few { 1000 + collatz(x) } else { 1000 };
                group.iter().enumerate().map(steps).collect()
            },
        )?;
    }
    Ok(())
}

/// One call more, up to `thread % 50`: whether it was.
fn call_again(t: Thread<'_, Repeatable>, calls: &mut u32) -> bool {
    let goes_on = *calls < t.local().x as u32 % 50;
    *calls += u32::from(goes_on);
    goes_on
}

/// The calls of each thread: of small states, of large ones, and of each warp's.
#[gpu_kernel]
fn calls_up_to(g: &Group, most: u32, mut out: PerThread<[[u32; 3]]>) {
    let mut small = g.private(0_u32);
    let mut large = g.private([0_u32; 100]);
    let mut of_warp = g.private(0_u32);
    g.each_while_up_to(most, &mut small, call_again);
    g.each_while_up_to(most, &mut large, |t, calls| call_again(t, &mut calls[99]));
    g.each_warp(&mut of_warp, |w, mut calls| {
        w.each_while_up_to(most, &mut calls, call_again);
    });
    g.each((&small, &large, &of_warp, out.elements_mut()), |_, (small, large, of_warp, out)| {
        if let Some(out) = out {
            *out = [*small, large[99], *of_warp];
        }
    });
}

#[test]
fn no_thread_is_called_more_often_than_the_phase_says() -> Result {
    let (device, stream) = open()?;
    let kernel = calls_up_to::load(&device)?;
    for &block in blocks(&device) {
        let mut out = stream.alloc_zeroed::<[u32; 3]>(2 * block)?;
        for &most in sizes(&device, &[0, 1, 7, 48, 49, 50, u32::MAX], &[7, u32::MAX]) {
            kernel.launch(&stream, LaunchConfig::grid(2, block), (most, &mut out))?;
            for (i, found) in stream.download(&out)?.into_iter().enumerate() {
                let asked = (i % block) as u32 % 50;
                assert_eq!(found, [asked.min(most); 3], "{i} in groups of {block}, at most {most}");
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn changed_by_the_last_call(
    g: &Group,
    mut out: PerThread<[[u32; 2]]>,
    mut w: Workgroup<[u32]>,
    mut of_group: PerGroup<[[u32; 1024]]>,
) {
    let mut left = g.map(w.elements_mut(), |t, w| {
        *w = 0;
        t.local().x as u32 % 50
    });
    let one = g.private(1);
    g.each(of_group.elements_mut(), |_, slot| *slot = 0);
    let state = (&mut left, &one, w.elements_mut(), of_group.elements_mut());
    g.each_while(state, |t, (left, one, calls, slot)| {
        *calls += one;
        *slot += 2;
        if *left == 0 {
            *left = 1000 + t.lane() as u32;
            return false;
        }
        *left -= 1;
        true
    });
    g.each(
        (&left, w.elements(), of_group.elements_mut(), out.elements_mut()),
        |_, (left, calls, slot, out)| {
            if let Some(out) = out {
                *out = [*left, *calls + 1000 * *slot];
            }
        },
    );
}

#[test]
fn what_the_call_that_returns_false_changed_is_kept_once() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)? as u32;
    for &block in blocks(&device) {
        let mut out = stream.alloc_zeroed::<[u32; 2]>(2 * block)?;
        let mut of_group = stream.alloc_zeroed::<u32>(2 * 1024)?;
        let config = LaunchConfig::grid(2, block).workgroup::<u32>(block);
        changed_by_the_last_call::load(&device)?.launch(&stream, config, (&mut out, &mut of_group))?;
        for (i, found) in stream.download(&out)?.into_iter().enumerate() {
            let number = (i % block) as u32;
            assert_eq!(found, [1000 + number % lanes, 2001 * (number % 50 + 1)], "{i} in groups of {block}");
        }
    }
    Ok(())
}

#[gpu_kernel]
fn reading_while_repeating(g: &Group, x: &[u32], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |t, w| *w = at(x, t.index()));
    let mut at = g.private(0_usize);
    let mut sum = g.private(0);
    g.each_while((w.shared(), w.elements().reversed(), &mut at, &mut sum), |t, (all, opposite, at, sum)| {
        if *at > t.local().x {
            *sum += *opposite;
            return false;
        }
        *sum += all[*at];
        *at += 1;
        true
    });
    g.each((&sum, out.elements_mut()), |_, (sum, out)| {
        if let Some(out) = out {
            *out = *sum;
        }
    });
}

#[test]
fn shared_memory_is_read_while_repeating() -> Result {
    check(
        |stream, device, config, block, (x, y)| {
            reading_while_repeating::load(device)?.launch(stream, config.workgroup::<u32>(block), (x, y))
        },
        |group| {
            let n = group.len();
            (0..n).map(|i| group[..=i].iter().sum::<u32>() + group[n - 1 - i]).collect()
        },
    )
}

/// Jobs are taken from a queue; a job below the 100th adds two more.
#[gpu_kernel]
fn queue(g: &Group, taken: Atomic<[u32]>, ends: Atomic<[u32]>, mut by_thread: PerThread<[u32]>) {
    let mut mine = g.private(0_u32);
    g.each_while_branching((&mut mine, by_thread.elements_mut()), |t, (mine, by_thread)| {
        let job = ends.fetch_add(t, 0, 1);
        if job >= ends.load(t, 1, Scope::Device, Ordering::Relaxed) {
            return false;
        }
        if job < 100 {
            ends.fetch_add(t, 1, 2);
        }
        taken.fetch_add(t, job as usize, 1);
        *mine += 1;
        if let Some(by_thread) = by_thread {
            *by_thread = *mine;
        }
        true
    });
}

#[test]
fn branching_repetition_takes_each_job_of_a_queue_once() -> Result {
    let (device, stream) = open()?;
    // Where threads of a group run one at a time, no one leaves before the jobs that others add: on a GPU one thread is alone.
    let all = [(1, 1), (1, 33), (1, 1024)];
    for &(groups, block) in if is_cpu(&device) { &all[..] } else { &all[..1] } {
        let mut taken = stream.alloc_zeroed::<u32>(400)?;
        let mut ends = stream.upload(&[0_u32, 150])?;
        let mut by_thread = stream.alloc_zeroed::<u32>(groups * block)?;
        let config = LaunchConfig::grid(groups, block);
        queue::load(&device)?.launch(&stream, config, (&mut taken, &mut ends, &mut by_thread))?;
        assert_eq!(stream.download(&taken)?, [vec![1; 350], vec![0; 50]].concat());
        assert_eq!(stream.download(&by_thread)?.iter().sum::<u32>(), 350);
    }
    // Many groups, and as many jobs as there are from the start on.
    let (groups, jobs) = sizes(&device, &[(50_usize, 10_100_usize)], &[(3, 500)])[0];
    let mut taken = stream.alloc_zeroed::<u32>(100 + jobs)?;
    let mut ends = stream.upload(&[100, 100 + jobs as u32])?;
    let mut by_thread = stream.alloc_zeroed::<u32>(groups * 64)?;
    let config = LaunchConfig::grid(groups, 64);
    queue::load(&device)?.launch(&stream, config, (&mut taken, &mut ends, &mut by_thread))?;
    assert_eq!(stream.download(&taken)?, [vec![0; 100], vec![1; jobs]].concat());
    assert_eq!(stream.download(&by_thread)?.iter().sum::<u32>() as usize, jobs);
    assert_eq!(stream.download(&ends)?, [100 + jobs + groups * 64, 100 + jobs].map(|n| n as u32));
    Ok(())
}
