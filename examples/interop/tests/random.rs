//! Distributions of `rand_distr`, which draw from our generator on the host and in kernels, and buffers filled by anybody's.

use gridwright::prelude::*;
use gridwright::random::Philox;
use rand_distr::{Distribution, StandardNormal, Uniform};

// ANCHOR: normals
/// A normally distributed number for each element, from a stream of its own.
#[gpu_kernel]
fn normals(t: Thread, seed: u64, mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = StandardNormal.sample(&mut Philox::new(seed, t.index() as u64));
    }
}
// ANCHOR_END: normals

#[host_only]
const N: usize = 2000;

#[test]
#[host_only]
fn kernels_draw_what_the_host_draws() -> Result<(), gridwright::Error> {
    let drawn = |stream: usize| -> f32 { StandardNormal.sample(&mut Philox::new(5, stream as u64)) };
    let expected: Vec<f32> = (0..N).map(drawn).collect();
    for device in [Device::cpu()?, Device::emulator()?] {
        let mut y = vec![0.0; N];
        normals::load(&device)?.run(&device, LaunchConfig::threads(N), (5, Out(&mut y)))?;
        let furthest = y.iter().zip(&expected).map(|(y, expected)| (y - expected).abs()).fold(0.0, f32::max);
        assert!(furthest < 1e-5, "{furthest} on {}", device.name());
        let mean = y.iter().sum::<f32>() / N as f32;
        assert!(mean.abs() < 4.5 / (N as f32).sqrt(), "{mean}");
    }
    Ok(())
}

// ANCHOR: fill
#[test]
#[host_only]
fn a_buffer_is_filled_from_any_generator() -> Result<(), Box<dyn std::error::Error>> {
    use rand::{RngExt, SeedableRng};

    let stream = Device::cpu()?.stream()?;
    let mut rng = Philox::seed_from_u64(1);
    let dice = stream.upload(&(0..N).map(|_| rng.random_range(1..=6)).collect::<Vec<u32>>())?;
    assert!(stream.download(&dice)?.iter().all(|side| (1..=6).contains(side)));
    let between = Uniform::new(-1.0, 1.0)?;
    let y = stream.upload(&between.sample_iter(&mut rng).take(N).collect::<Vec<f64>>())?;
    let mean = stream.download(&y)?.iter().sum::<f64>() / N as f64;
    assert!(mean.abs() < 4.5 / (3.0 * N as f64).sqrt(), "{mean}");
    Ok(())
}
// ANCHOR_END: fill
