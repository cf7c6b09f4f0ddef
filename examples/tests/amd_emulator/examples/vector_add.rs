use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::vector_add::vector_add;

#[test]
fn vector_add_gives_the_bits_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<vector_add>::start() else { return };
    let cases = [
        (1, LaunchConfig::threads(1)),
        (63, LaunchConfig::threads(63)),
        (256, LaunchConfig::threads(256)),
        (1000, LaunchConfig::threads(1000)),
        // More threads than elements, then fewer.
        (70, LaunchConfig::threads(300)),
        (300, LaunchConfig::threads(70)),
        // Workgroups that aren't whole waves.
        (257, LaunchConfig::threads(257).block(100)),
    ];
    for (len, config) in cases {
        let a: Vec<f32> = (0..len).map(|i| i as f32 * 0.37 - 11.0).collect();
        let b: Vec<f32> = (0..len).map(|i| (i * 7919 % 1000) as f32 / 3.0).collect();
        let c = vec![-1.0_f32; len];
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (a, b, mut c) = (stream.upload(&a)?, stream.upload(&b)?, stream.upload(&c)?);
            vector_add::load(&device)?.launch(&stream, config, (&a, &b, &mut c))?;
            Ok([stream.download(&c)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let c = memory.slice(&c);
            ((memory.slice(&a), memory.slice(&b), c), [c.pointer])
        });
    }
}
