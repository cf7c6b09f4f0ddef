use gridwright::prelude::*;

use super::cpu;
use crate::emulator::Emulator;
use gridwright_examples::samples::sobel::sobel;

#[test]
fn sobel_gives_the_bits_that_it_gives_on_the_cpu() {
    let Some(mut emulator) = Emulator::<sobel>::start() else { return };
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
            let (device, stream) = cpu()?;
            let image = stream.upload_matrix(rows, cols, &image)?;
            let mut edges = stream.upload_matrix(rows, cols, &edges)?;
            sobel::load(&device)?.launch(&stream, config, (&image, &mut edges))?;
            Ok([stream.download(&edges)?])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let edges = memory.matrix(rows, cols, &edges);
            ((memory.matrix(rows, cols, &image), edges), [edges.pointer])
        });
    }
}
