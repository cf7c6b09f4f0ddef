use gridwright::memory::Vector;
use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::scan::{scan_groups, sum_groups};

/// Vectors of four.
const LENS: [usize; 3] = [1, 256, 300];

fn elements(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

fn vectors(len: usize) -> Vec<Vector<u32, 4>> {
    elements(4 * len).as_chunks().0.iter().map(|&four| Vector::from(four)).collect()
}

#[test]
fn sum_groups_gives_the_sums_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<sum_groups>::start() else { return };
    for len in LENS {
        let (x, sums) = (elements(4 * len), vec![77_u32; len.div_ceil(256)]);
        let config = LaunchConfig::threads(len);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (x, mut sums) = (stream.upload(&x)?, stream.upload(&sums)?);
            sum_groups::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
            Ok([stream.download(&sums)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let sums = memory.slice(&sums);
            ((memory.slice(&x), sums), [sums.pointer])
        });
    }
}

#[test]
fn scan_groups_gives_the_sums_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<scan_groups>::start() else { return };
    for len in LENS {
        let (x, before) = (vectors(len), elements(len.div_ceil(256)));
        let y = vec![Vector::splat(77_u32); len];
        let config = LaunchConfig::threads(len);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (x, before, mut y) = (stream.upload(&x)?, stream.upload(&before)?, stream.upload(&y)?);
            scan_groups::load(&device)?.launch(&stream, config, (&x, &before, &mut y))?;
            Ok([stream.download(&y)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let y = memory.slice(&y);
            ((memory.slice(&x), memory.slice(&before), y), [y.pointer])
        });
    }
}
