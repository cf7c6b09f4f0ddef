//! Workgroup memory: parts that aren't there, maps that don't fit, and bytes that nobody wrote.

use gridwright::prelude::*;

use crate::{Result, cpu, panicked};

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Pair {
    low: u16,
    high: u16,
}

#[gpu_kernel(block = 64)]
fn finds_unwritten(
    g: &Group,
    stop: u32,
    mut written: PerGroup<[u32]>,
    mut fixed: Workgroup<[[f32; 8]; 8]>,
    mut sized: Workgroup<[Pair]>,
) {
    let mut seen = 0;
    for _ in 0..2 {
        // Bytes are values of each element type: reading them before they are written is no error.
        let bad = g.map((fixed.flat().elements(), sized.elements()), |_, (f, pair)| {
            f.to_bits() != u32::MAX || (pair.low, pair.high) != (u16::MAX, u16::MAX)
        });
        seen = seen * 1000 + g.count(&bad) as u32;
        g.each((fixed.flat().elements_mut(), sized.elements_mut()), |_, (f, pair)| {
            *f = 0.0;
            *pair = Pair { low: 1, high: 2 };
        });
    }
    written.set(g, seen);
    assert!(g.index() as u32 != stop, "stopped");
}

#[test]
fn a_group_sees_nothing_of_the_groups_before_it_also_after_a_panic() -> Result {
    let (device, stream) = cpu()?;
    let kernel = finds_unwritten::load(&device)?;
    let mut written = stream.alloc_zeroed::<u32>(50)?;
    for stop in [u32::MAX, 3, 30, u32::MAX] {
        let config = LaunchConfig::grid(50, 64).workgroup::<Pair>(64);
        kernel.launch(&stream, config, (stop, &mut written))?;
        if stop != u32::MAX {
            assert_eq!(panicked(&stream), "stopped");
        }
    }
    // Nothing written at first, all of it by the second look.
    assert_eq!(stream.download(&written)?, [64; 50]);
    Ok(())
}

/// One kernel for each misuse would say the same with more words.
#[gpu_kernel]
fn misuses(g: &Group, which: u32, n: usize, x: &[u32], mut out: PerGroup<[u32]>, mut w: Workgroup<[u32]>) {
    g.load(&mut w, x, 0);
    let mut ran = g.private(0_u32);
    match which {
        0 => g.each((w.elements_mut(), &mut ran), |_, (_, ran)| *ran = 1),
        1 => g.each((w.elements().take(n), &mut ran), |_, (_, ran)| *ran = 1),
        2 => g.each((w.elements_mut().reversed().take(n), &mut ran), |_, (_, ran)| *ran = 1),
        3 => g.each((w.elements_mut().strided::<{ usize::MAX }>().take(n), &mut ran), |_, (_, ran)| *ran = 1),
        4 => g.each((w.elements_mut().strided::<3>().take(n), &mut ran), |_, (slot, ran)| {
            (*slot, *ran) = (0, 1);
        }),
        5 => {
            let (low, high) = w.split_at_mut(n);
            g.each((low.elements_mut().take(0), high.elements().take(0), &mut ran), |_, (_, _, ran)| {
                *ran = 1;
            });
        }
        6 => g.each((w.array::<100>().elements_mut().take(n), &mut ran), |_, (_, ran)| *ran = 1),
        7 => g.each((w.chunks::<7>().elements_mut().take(n), &mut ran), |_, (chunk, ran)| {
            (chunk[6], *ran) = (0, 1);
        }),
        8 => {
            let read = g.read(&w, n);
            g.each(&mut ran, |_, ran| *ran = read);
        }
        9 => g.each((w.atomic(), &mut ran), |t, (w, ran)| *ran = w.fetch_add(t, n, 1)),
        10 => {
            g.load(&mut w, x, n);
            g.each((w.elements().take(64), &mut ran), |_, (slot, ran)| *ran = *slot);
        }
        _ => g.each((w.shared(), &mut ran), |_, (w, ran)| *ran = w[n]),
    }
    out.set(g, g.reduce(&ran, |a, b| a + b));
}

/// What a misuse gives in a group of 64 threads with 99 elements that are one: a sum, or a panic.
fn misuse(which: u32, n: usize) -> Result<std::result::Result<u32, String>> {
    let (device, stream) = cpu()?;
    let x = stream.upload(&[1; 99])?;
    let mut out = stream.alloc_zeroed::<u32>(1)?;
    let config = LaunchConfig::grid(1, 64).workgroup::<u32>(99);
    misuses::load(&device)?.launch(&stream, config, (which, n, &x, &mut out))?;
    match stream.download(&out) {
        Ok(out) => Ok(Ok(out[0])),
        Err(gridwright::Error::KernelPanic { message, .. }) => Ok(Err(message)),
        Err(other) => Err(other),
    }
}

#[test]
fn take_lets_no_thread_and_all_threads_take_part() -> Result {
    for (n, ran) in [(0, 0), (1, 1), (63, 63), (64, 64), (65, 64), (usize::MAX, 64)] {
        assert_eq!(misuse(1, n)?, Ok(ran));
        assert_eq!(misuse(2, n)?, Ok(ran));
    }
    assert_eq!(misuse(0, 0)?, Ok(64));
    Ok(())
}

#[test]
fn maps_that_do_not_fit_are_panics_that_say_both_numbers() -> Result {
    let few = |slots: usize, threads: usize| {
        let hint = "`.take(n)` lets only the first n take part";
        Err(format!("a view of {slots} slots was handed to {threads} threads; {hint}"))
    };
    // A stride so large that a thread's slot wouldn't fit a `usize`.
    assert_eq!(misuse(3, 1)?, Ok(1));
    assert_eq!(misuse(3, 2)?, few(1, 2));
    assert_eq!(misuse(3, usize::MAX)?, few(1, 64));
    assert_eq!(misuse(4, 33)?, Ok(33));
    assert_eq!(misuse(4, 34)?, few(33, 34));
    // 14 arrays of 7, and one element left over.
    assert_eq!(misuse(7, 14)?, Ok(14));
    assert_eq!(misuse(7, 15)?, few(14, 15));
    Ok(())
}

#[test]
fn parts_that_are_not_there_are_panics() -> Result {
    assert_eq!(misuse(5, 0)?, Ok(0));
    assert_eq!(misuse(5, 99)?, Ok(0));
    assert_eq!(misuse(5, 100)?, Err("workgroup memory of 99 elements was split at 100".into()));
    assert!(misuse(5, usize::MAX)?.is_err());
    assert_eq!(misuse(6, 1)?, Err("an array of 100 of workgroup memory of 99 elements".into()));
    Ok(())
}

#[test]
fn indices_beyond_the_memory_are_panics() -> Result {
    for which in [8, 9, 11] {
        for n in [99, 100, 1 << 62, usize::MAX] {
            assert!(misuse(which, n)?.is_err_and(|message| message.contains("index")), "{which}, {n}");
        }
    }
    assert_eq!(misuse(8, 98)?, Ok(64));
    assert_eq!(misuse(9, 98)?, Ok((1..=64).sum()));
    Ok(())
}

#[test]
fn what_is_loaded_from_beyond_the_end_is_zero() -> Result {
    assert_eq!(misuse(10, 0)?, Ok(64));
    assert_eq!(misuse(10, 98)?, Ok(1));
    for start in [99, 1 << 63, 64_usize.wrapping_neg()] {
        assert_eq!(misuse(10, start)?, Ok(0));
    }
    // One before the first.
    assert_eq!(misuse(10, usize::MAX)?, Ok(63));
    Ok(())
}

#[test]
fn tiles_beyond_the_matrix_are_zero() -> Result {
    #[gpu_kernel(block = (4, 4))]
    fn tiles(
        g: &Group,
        m: &Matrix<u32>,
        row: usize,
        col: usize,
        mut out: PerThread<Matrix<u32>>,
        mut w: Workgroup<[[u32; 4]; 4]>,
    ) {
        g.load_tile(&mut w, m, row, col);
        g.each((w.elements(), out.elements_mut()), |_, (slot, out)| {
            if let Some(out) = out {
                *out = *slot;
            }
        });
    }
    let (device, stream) = cpu()?;
    let kernel = tiles::load(&device)?;
    let m = stream.upload_matrix(6, 6, &[1; 36])?;
    for (row, col, sum) in [
        (0, 0, 16),
        (2, 2, 16),
        (3, 5, 3),
        (5, 5, 1),
        (6, 0, 0),
        // One before the first column, four, and three before the first row.
        (0, usize::MAX, 12),
        (usize::MAX, usize::MAX - 3, 0),
        (usize::MAX - 2, 0, 4),
    ] {
        let mut out = stream.upload_matrix(4, 4, &[99; 16])?;
        kernel.launch(&stream, LaunchConfig::grid(1, (4, 4)), (&m, row, col, &mut out))?;
        assert_eq!(stream.download(&out)?.iter().sum::<u32>(), sum, "from ({row}, {col})");
    }
    Ok(())
}

#[test]
fn memory_too_small_for_the_group_on_one_axis_is_a_panic() -> Result {
    #[gpu_kernel]
    fn tall(g: &Group, _m: &Matrix<u32>, mut out: PerThread<Matrix<u32>>, mut w: Workgroup<[[u32; 8]; 4]>) {
        g.each(w.elements_mut(), |_, slot| *slot = 1);
        g.each((w.elements(), out.elements_mut()), |_, (slot, out)| {
            if let Some(out) = out {
                *out = *slot;
            }
        });
    }
    let (device, stream) = cpu()?;
    let kernel = tall::load(&device)?;
    let m = stream.upload_matrix(1, 1, &[1])?;
    let mut out = stream.alloc_matrix_zeroed(8, 8)?;
    for block in [(8, 4), (1, 1), (2, 4)] {
        kernel.launch(&stream, LaunchConfig::for_matrix(8, 8).block(block), (&m, &mut out))?;
        assert_eq!(stream.download(&out)?, [1; 64]);
    }
    for (cols, rows) in [(4, 8), (9, 1), (32, 1), (1, 5)] {
        kernel.launch(&stream, LaunchConfig::for_matrix(8, 8).block((cols, rows)), (&m, &mut out))?;
        let said =
            format!("a view of 8 by 4 by 1 slots was handed to a group of {cols} by {rows} by 1 threads");
        assert_eq!(panicked(&stream), said);
    }
    Ok(())
}

#[test]
fn swapped_parts_take_their_sizes_along() -> Result {
    #[gpu_kernel]
    fn swaps(g: &Group, mut w: Workgroup<[u32]>) {
        let (mut low, mut high) = w.split_at_mut(1);
        std::mem::swap(&mut low, &mut high);
        g.each(low.elements_mut().take(7), |_, slot| *slot = 1);
        g.each(high.elements_mut().take(2), |_, slot| *slot = 1);
    }
    let (device, stream) = cpu()?;
    swaps::load(&device)?.launch(&stream, LaunchConfig::grid(1, 64).workgroup::<u32>(8), ())?;
    assert!(panicked(&stream).starts_with("a view of 1 slots was handed to 2 threads"));
    Ok(())
}
