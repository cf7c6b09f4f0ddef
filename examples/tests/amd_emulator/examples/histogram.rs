use gridwright::__private::{Signature, load};
use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::histogram::histogram;

type Parameters = (usize, &'static [u64], Atomic<'static, [u32]>);

fn compare<K: Signature<Params = Parameters, Sizes = ()>>(bins: usize) {
    let Some(mut emulator) = Emulator::<K>::start() else { return };
    // Fewer words than threads, and a window and a part of one.
    for (len, groups) in [(13_u64, 1), (2100, 2)] {
        let data: Vec<u64> = (0..len).map(|i| (i * i).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        // Those of before count on.
        let counts: Vec<u32> = (0..bins as u32).collect();
        let config = LaunchConfig::grid(groups, 256);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (data, mut counts) = (stream.upload(&data)?, stream.upload(&counts)?);
            load::<K>(&device)?.launch(&stream, config, (groups, &data, &mut counts))?;
            Ok([stream.download(&counts)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let counts = memory.slice(&counts);
            ((groups, memory.slice(&data), counts), [counts.pointer])
        });
    }
}

#[test]
fn histogram_of_64_bins_gives_the_counts_that_it_gives_on_the_cpu() {
    compare::<histogram<64>>(64);
}

#[test]
fn histogram_of_256_bins_gives_the_counts_that_it_gives_on_the_cpu() {
    compare::<histogram<256>>(256);
}
