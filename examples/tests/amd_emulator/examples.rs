//! The tests, one an example: its inputs, what the CPU makes of them, and the same in the emulator's memory.

use gridwright::prelude::*;

use crate::emulator::Emulator;
use crate::{sobel, vector_add};

#[test]
fn vector_add_gives_the_bits_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<vector_add::vector_add>::start() else { return };
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
            let device = Device::cpu()?;
            let stream = device.stream()?;
            let (a, b, mut c) = (stream.upload(&a)?, stream.upload(&b)?, stream.upload(&c)?);
            vector_add::vector_add::load(&device)?.launch(&stream, config, (&a, &b, &mut c))?;
            stream.download(&c)
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let c = memory.slice(&c);
            ((memory.slice(&a), memory.slice(&b), c), c.pointer)
        });
    }
}

#[test]
fn sobel_gives_the_bits_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<sobel::sobel>::start() else { return };
    let cases = [
        (1, 1, LaunchConfig::for_matrix(1, 1)),
        (7, 5, LaunchConfig::for_matrix(7, 5)),
        (16, 64, LaunchConfig::for_matrix(16, 64)),
        (19, 37, LaunchConfig::for_matrix(19, 37)),
        (33, 1, LaunchConfig::for_matrix(33, 1)),
        // More threads than elements, then fewer.
        (5, 9, LaunchConfig::for_matrix(11, 40)),
        (11, 40, LaunchConfig::for_matrix(5, 9)),
        // Workgroups that aren't whole waves.
        (13, 17, LaunchConfig::for_matrix(13, 17).block((5, 3))),
    ];
    for (rows, cols, config) in cases {
        let image: Vec<u8> = (0..rows * cols).map(|i| (i * i * 31 % 251) as u8).collect();
        let edges = vec![77_u8; rows * cols];
        let on_the_cpu = || {
            let device = Device::cpu()?;
            let stream = device.stream()?;
            let image = stream.upload_matrix(rows, cols, &image)?;
            let mut edges = stream.upload_matrix(rows, cols, &edges)?;
            sobel::sobel::load(&device)?.launch(&stream, config, (&image, &mut edges))?;
            stream.download(&edges)
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let edges = memory.matrix(rows, cols, &edges);
            ((memory.matrix(rows, cols, &image), edges), edges.pointer)
        });
    }
}
