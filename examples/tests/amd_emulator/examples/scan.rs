use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use crate::scan::{add_sums, scan_groups};

const LENS: [usize; 3] = [1, 256, 300];

fn elements(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

#[test]
fn scan_groups_gives_the_sums_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<scan_groups>::start() else { return };
    for len in LENS {
        let (x, y, sums) = (elements(len), vec![77; len], vec![77; len.div_ceil(256)]);
        let config = LaunchConfig::threads(len);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (x, mut y, mut sums) = (stream.upload(&x)?, stream.upload(&y)?, stream.upload(&sums)?);
            scan_groups::load(&device)?.launch(&stream, config, (&x, &mut y, &mut sums))?;
            Ok([stream.download(&y)?, stream.download(&sums)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let (y, sums) = (memory.slice(&y), memory.slice(&sums));
            ((memory.slice(&x), y, sums), [y.pointer, sums.pointer])
        });
    }
}

#[test]
fn add_sums_gives_the_sums_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<add_sums>::start() else { return };
    for len in LENS {
        let (sums, y) = (elements(len.div_ceil(256)), elements(len));
        let config = LaunchConfig::threads(len);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (sums, mut y) = (stream.upload(&sums)?, stream.upload(&y)?);
            add_sums::load(&device)?.launch(&stream, config, (&sums, &mut y))?;
            Ok([stream.download(&y)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let y = memory.slice(&y);
            ((memory.slice(&sums), y), [y.pointer])
        });
    }
}
