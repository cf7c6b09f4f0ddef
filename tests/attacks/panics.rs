//! Panics in phases, at group level and in what collectives call: each is an error of the launch, and of nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gridwright::Error;
use gridwright::prelude::*;

use crate::{Result, cpu, panicked};

#[gpu_kernel(block = (8, 4))]
fn beyond(g: &Group, x: &[u32], mut out: PerThread<Matrix<u32>>) {
    g.each(out.elements_mut(), |t, out| {
        if let Some(out) = out {
            *out = x[t.row() * 100 + t.col()]; // the line that panics
        }
    });
}

const LINE: u32 = 14;

#[test]
fn an_index_out_of_bounds_in_a_phase_names_line_group_and_thread() -> Result {
    let (device, stream) = cpu()?;
    let x = stream.upload(&vec![1; 1913])?;
    let mut out = stream.alloc_matrix_zeroed(20, 16)?;
    beyond::load(&device)?.launch(&stream, LaunchConfig::for_matrix(20, 16), (&x, &mut out))?;
    let error = stream.synchronize().unwrap_err();
    let Error::KernelPanic { kernel, message, file, line, group, thread, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((*kernel, file.as_str(), *line), ("beyond", file!(), LINE));
    assert_eq!(message, "index out of bounds: the len is 1913 but the index is 1913");
    // Row 19, column 13.
    assert_eq!((*group, *thread), ([1, 4, 0], [5, 3, 0]));
    Ok(())
}

#[gpu_kernel]
fn stops(g: &Group, at: u32, mut out: PerGroup<[u32]>) {
    let number = g.index() as u32;
    out.set(g, number + 1);
    assert!(number != at, "group {number} stops");
}

#[test]
fn a_panic_at_group_level_ends_the_launch_and_keeps_what_groups_wrote() -> Result {
    let (device, stream) = cpu()?;
    let kernel = stops::load(&device)?;
    for groups in [8, 3000] {
        let mut out = stream.alloc_zeroed::<u32>(groups)?;
        kernel.launch(&stream, LaunchConfig::grid(groups, 64), (5, &mut out))?;
        match stream.synchronize() {
            Err(Error::KernelPanic { message, group: [5, 0, 0], thread: [0, 0, 0], .. }) => {
                assert_eq!(message, "group 5 stops");
            }
            other => panic!("{other:?}"),
        }
        let written = stream.download(&out)?;
        assert_eq!(written[5], 6);
        assert!(written.iter().zip(1..).all(|(&out, right)| out == right || out == 0), "{written:?}");
        // The next launch runs them all.
        kernel.launch(&stream, LaunchConfig::grid(groups, 64), (u32::MAX, &mut out))?;
        assert!(stream.download(&out)?.iter().zip(1..).all(|(&out, right)| out == right));
    }
    Ok(())
}

#[test]
fn a_panic_in_a_phase_that_the_kernel_catches_is_nobodys_error() -> Result {
    #[gpu_kernel(block = 64)]
    fn catches(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32; 64]>) {
        g.each(w.elements_mut(), |_, w| *w = 0);
        let phase = || g.each(w.elements_mut(), |t, w| if t.local().x == 20 { panic!() } else { *w = 1 });
        assert!(catch_unwind(AssertUnwindSafe(phase)).is_err());
        g.each((out.elements_mut(), w.elements()), |_, (out, w)| {
            if let Some(out) = out {
                *out = *w;
            }
        });
    }
    let (device, stream) = cpu()?;
    let mut out = stream.upload(&[9_u32; 128])?;
    catches::load(&device)?.launch(&stream, LaunchConfig::threads(128), (&mut out,))?;
    // Which threads came before the one that panicked is up to the device; it wrote nothing itself.
    let out = stream.download(&out)?;
    assert!(out.iter().all(|&out| out <= 1) && out[20] == 0 && out[84] == 0, "{out:?}");
    Ok(())
}

#[gpu_kernel(block = 40)]
fn combines(g: &Group, which: u32, mut out: PerGroup<[u32]>) {
    let values = g.map((), |t, ()| t.local().x as u32);
    let combine = |a: u32, b: u32| {
        assert!(b != 39, "combined {b}");
        a + b
    };
    let last = match which {
        0 => g.reduce(&values, combine),
        1 => g.broadcast(&g.scan_inclusive(&values, combine), 39),
        2 => g.broadcast(&g.scan_exclusive(&values, 0, combine), 39),
        _ => g.broadcast(&g.warp_reduce(&values, combine), 39),
    };
    out.set(g, last);
}

#[test]
fn a_panic_in_what_a_collective_calls_is_one_of_the_kernel() -> Result {
    let (device, stream) = cpu()?;
    let kernel = combines::load(&device)?;
    let mut out = stream.alloc_zeroed::<u32>(4)?;
    for which in 0..4 {
        kernel.launch(&stream, LaunchConfig::grid(4, 40), (which, &mut out))?;
        assert_eq!(panicked(&stream), "combined 39", "collective {which}");
    }
    Ok(())
}

#[test]
fn a_panic_in_each_while_names_its_thread() -> Result {
    #[gpu_kernel(block = 100)]
    fn counts(g: &Group) {
        let mut n = g.private(0);
        g.each_while(&mut n, |t, n| {
            assert!(!(t.index() == 177 && *n == 3), "thread {} at {n}", t.index());
            *n += 1;
            *n < 5
        });
    }
    let (device, stream) = cpu()?;
    counts::load(&device)?.launch(&stream, LaunchConfig::threads(300), ())?;
    match stream.synchronize() {
        Err(Error::KernelPanic { message, group: [1, 0, 0], thread: [77, 0, 0], .. }) => {
            assert_eq!(message, "thread 177 at 3");
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

#[test]
fn panics_in_many_launches_leave_nothing_behind() -> Result {
    let (device, stream) = cpu()?;
    let kernel = stops::load(&device)?;
    let mut out = stream.alloc_zeroed::<u32>(100)?;
    for at in 0..100 {
        kernel.launch(&stream, LaunchConfig::grid(100, 32), (at, &mut out))?;
        assert_eq!(panicked(&stream), format!("group {at} stops"));
    }
    kernel.launch(&stream, LaunchConfig::grid(100, 32), (u32::MAX, &mut out))?;
    assert!(stream.download(&out)?.iter().zip(1..).all(|(&out, right)| out == right));
    Ok(())
}
