use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use crate::warps::rounds;

#[test]
fn warps_of_32_and_of_64_threads_give_what_they_give_on_the_cpu() {
    let Some(mut emulator) = Emulator::<rounds>::start() else { return };
    let x: Vec<u32> = (0..190).map(|i| i * 7919 % 1000).collect();
    let y = vec![[0_u32; 4]; 200];
    let config = LaunchConfig::grid(2, 100);
    let on_the_cpu = || {
        let (device, stream) = cpu()?;
        let (x, mut y) = (stream.upload(&x)?, stream.upload(&y)?);
        rounds::load(&device)?.launch(&stream, config, (&x, &mut y))?;
        let results = stream.download(&y)?;
        // What it is meant to be: the values as they were, and no check that failed.
        for (i, &[mine, by_shuffles, right, sum]) in results.iter().enumerate() {
            let of = |i: usize| x_of(i);
            let sum_of_group: u32 = (i / 100 * 100..i / 100 * 100 + 100).map(of).sum();
            let expected = if i % 100 == 99 { sum_of_group } else { 1 };
            assert_eq!([mine, by_shuffles, right, sum], [of(i), of(i), 1, expected], "thread {i}");
        }
        Ok([results])
    };
    emulator.compare(config, on_the_cpu, |memory| {
        let y = memory.slice(&y);
        ((memory.slice(&x), y), [y.pointer])
    });
}

/// The value that a thread begins with.
fn x_of(i: usize) -> u32 {
    if i < 190 { i as u32 * 7919 % 1000 } else { 0 }
}
