use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::block_sum::block_sum;

#[test]
fn block_sum_gives_the_bits_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<block_sum>::start() else { return };
    // Groups of one thread, of a part of a wave, of several waves; the last of two isn't full.
    for (len, block) in [(3_usize, 1), (40, 16), (500, 256)] {
        let x: Vec<f32> = (0..len).map(|i| i as f32 * 0.37 - 11.0).collect();
        let sums = vec![-1.0_f32; len.div_ceil(block)];
        let config = LaunchConfig::threads(len).block(block).workgroup::<f32>(block);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (x, mut sums) = (stream.upload(&x)?, stream.upload(&sums)?);
            block_sum::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
            Ok([stream.download(&sums)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let sums = memory.slice(&sums);
            ((memory.slice(&x), sums), [sums.pointer])
        });
    }
}
