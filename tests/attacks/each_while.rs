//! `each_while` runs threads side by side and calls finished ones again: results are those of a loop in each thread, and
//! nothing happens that the loop wouldn't do.

use std::process::Command;

use gridwright::prelude::*;

use crate::{Result, cpu};

/// Each thread walks through `table`, which has as many elements as its group has threads, and stops behind the one of
/// its own number. A step more would leave the table.
#[gpu_kernel]
fn walks(
    g: &Group,
    take: u32,
    mut out: PerThread<[u32]>,
    mut of_slots: PerThread<[u32]>,
    mut table: Workgroup<[u32]>,
    mut slots: Workgroup<[u32]>,
) {
    g.each((table.elements_mut(), slots.elements_mut()), |_, (step, slot)| (*step, *slot) = (1, 0));
    let mut n = g.private(0_u32);
    if take == 0 {
        g.each_while((&mut n, table.shared(), slots.elements_mut()), |t, (n, table, slot)| {
            *n += table[*n as usize];
            *slot = *n * 10;
            *n as usize <= t.local().x
        });
    } else {
        let first = slots.elements_mut().take(take as usize);
        g.each_while((&mut n, table.shared(), first), |t, (n, table, slot)| {
            *n += table[*n as usize];
            *slot = *n * 10;
            *n as usize <= t.local().x
        });
    }
    g.each(
        (&n, slots.elements(), out.elements_mut(), of_slots.elements_mut()),
        |_, (n, slot, out, of_slots)| {
            if let (Some(out), Some(of_slots)) = (out, of_slots) {
                (*out, *of_slots) = (*n, *slot);
            }
        },
    );
}

#[test]
fn threads_that_have_finished_take_no_step_too_many() -> Result {
    let (device, stream) = cpu()?;
    let kernel = walks::load(&device)?;
    for block in [1, 2, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 1000] {
        for take in [0, 1, block / 2, block - 1] {
            let (mut out, mut slots) = (stream.alloc_zeroed(2 * block)?, stream.alloc_zeroed(2 * block)?);
            let config = LaunchConfig::grid(2, block).workgroup::<u32>(block).workgroup::<u32>(block);
            kernel.launch(&stream, config, (take as u32, &mut out, &mut slots))?;
            let (out, slots) = (stream.download(&out)?, stream.download(&slots)?);
            for (i, (&out, &slot)) in out.iter().zip(&slots).enumerate() {
                let took_part = take == 0 || i % block < take;
                let right = if took_part { (i % block) as u32 + 1 } else { 0 };
                assert_eq!(
                    (out, slot),
                    (right, right * 10),
                    "thread {i} of {block}, {take} of which took part"
                );
            }
        }
    }
    Ok(())
}

/// Steps to one of the Collatz sequence, as floats and integers that depend on each other.
#[gpu_kernel(block = (48, 2))]
fn collatz(g: &Group, mut out: PerThread<Matrix<[f32; 2]>>) {
    let mut n = g.map((), |t, ()| (t.row() * 1000 + t.col()) as u64 + 1);
    let mut sum = g.private([0.0_f32; 2]);
    g.each_while((&mut n, &mut sum), |_, (n, sum)| {
        *sum = [sum[0] + 1.0, sum[1] * 0.75 + *n as f32];
        if *n == 1 {
            return false;
        }
        *n = if *n % 2 == 0 { *n / 2 } else { *n * 3 + 1 };
        true
    });
    g.each((&sum, out.elements_mut()), |_, (sum, out)| {
        if let Some(out) = out {
            *out = *sum;
        }
    });
}

fn naive(row: usize, col: usize) -> [f32; 2] {
    let (mut n, mut sum) = ((row * 1000 + col) as u64 + 1, [0.0_f32; 2]);
    loop {
        sum = [sum[0] + 1.0, sum[1] * 0.75 + n as f32];
        if n == 1 {
            return sum;
        }
        n = if n % 2 == 0 { n / 2 } else { n * 3 + 1 };
    }
}

#[test]
fn results_are_those_of_a_plain_loop() -> Result {
    let (device, stream) = cpu()?;
    let (rows, cols) = (5, 200);
    let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
    collatz::load(&device)?.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&mut out,))?;
    let out = stream.download(&out)?;
    for (i, out) in out.iter().enumerate() {
        assert_eq!(*out, naive(i / cols, i % cols), "({}, {})", i / cols, i % cols);
    }
    Ok(())
}

/// Each instruction set has its own number of threads that run side by side.
#[test]
fn each_instruction_set_gives_the_same() {
    for isa in ["baseline", "avx2", "avx512"] {
        let output = Command::new(std::env::current_exe().expect("the test's own path"))
            .args(["--exact", "each_while::threads_that_have_finished_take_no_step_too_many"])
            .args(["each_while::results_are_those_of_a_plain_loop"])
            .env("GRIDWRIGHT_CPU_ISA", isa)
            .output()
            .expect("the test runs again");
        let said = String::from_utf8_lossy(&output.stdout);
        let is_missing = said.contains("GRIDWRIGHT_CPU_ISA");
        assert!(is_missing || said.contains("2 passed"), "{isa}: {said}");
    }
}

#[test]
fn effects_of_each_while_branching_happen_once() -> Result {
    #[gpu_kernel(block = 100)]
    fn draws(g: &Group, queue: Atomic<[u32]>, done: Atomic<[u32]>) {
        g.each_while_branching((), |t, ()| {
            let job = queue.fetch_add(t, 0, 1);
            let is_there = (job as usize) < done.len();
            if is_there {
                done.fetch_add(t, job as usize, 1);
            }
            is_there
        });
    }
    let (device, stream) = cpu()?;
    let (mut queue, mut done) = (stream.alloc_zeroed::<u32>(1)?, stream.alloc_zeroed::<u32>(5000)?);
    draws::load(&device)?.launch(&stream, LaunchConfig::threads(700), (&mut queue, &mut done))?;
    assert_eq!(stream.download(&queue)?, [5700]);
    assert_eq!(stream.download(&done)?, [1; 5000]);
    Ok(())
}

#[test]
fn a_grid_stride_loop_is_not_repeated() -> Result {
    // Only a lock brings what the grid's phases lend into those of its groups, and only on the CPU.
    #[gpu_kernel(block = 32)]
    fn strides_again(grid: &Grid, mut x: GridMemory<[u32]>) {
        let x = std::sync::Mutex::new(x.reborrow());
        grid.each_group((), |g, ()| {
            let mut turns = g.private(0_u32);
            let Ok(mut x) = x.lock() else { return };
            g.each_while((x.grid_stride_mut(), &mut turns), |t, (mine, turns)| {
                mine.for_each(|_, x| *x += 1);
                *turns += 1;
                *turns <= t.index() as u32 % 3
            });
        });
    }
    let (device, stream) = cpu()?;
    let mut x = stream.alloc_zeroed::<u32>(32)?;
    let kernel = strides_again::load(&device)?;
    let launched = kernel.launch(&stream, LaunchConfig::grid(1, 32), (&mut x,));
    let launched = launched.and_then(|()| stream.synchronize());
    assert!(
        matches!(&launched, Err(gridwright::Error::KernelPanic { message, .. }) if message.contains("isn't repeated")),
        "{launched:?}"
    );
    Ok(())
}
