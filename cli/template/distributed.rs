use gridwright::prelude::*;
#[host_only]
use gridwright_comm::{Error, ReduceOp, World};

/// The area under 4 / (1 + x²) from 0 to 1 is π. Each thread adds up every n-th strip of a part, where n is the number of threads.
#[gpu_kernel]
fn strips(t: Thread, first: u64, strips: u64, width: f64, mut areas: PerThread<[f64]>) {
    let threads = areas.len() as u64;
    if let Some(area) = areas.get_mut(t) {
        let mut i = t.index() as u64;
        while i < strips {
            let x = ((first + i) as f64 + 0.5) * width;
            *area += width * 4.0 / (1.0 + x * x);
            i += threads;
        }
    }
}

#[host_only]
fn main() -> Result<(), Error> {
    const STRIPS: u64 = 1 << 24;
    const THREADS: usize = 4096;

    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;

    // Each rank has a part of the strips.
    let (rank, size) = (world.rank() as u64, world.size() as u64);
    let (first, end) = (STRIPS * rank / size, STRIPS * (rank + 1) / size);
    let mut areas = stream.alloc_zeroed::<f64>(THREADS)?;
    let arguments = (first, end - first, 1.0 / STRIPS as f64, &mut areas);
    strips::load(&device)?.launch(&stream, LaunchConfig::threads(THREADS), arguments)?;

    // In the order of the stream: after the kernel, and before the download.
    communicator.all_reduce_in_place(&stream, &mut areas, ReduceOp::Sum)?;

    let pi: f64 = stream.download(&areas)?.iter().sum();
    assert!((pi - std::f64::consts::PI).abs() < 1e-9);
    println!("rank {rank} of {size}, {}: π is {pi:.12}", device.name());
    Ok(())
}
