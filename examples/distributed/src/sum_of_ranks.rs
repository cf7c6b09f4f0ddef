//! The smallest program of several ranks: each has a number, and all get the sum.

#[host_only]
use anyhow::ensure;
use gridwright::prelude::*;
#[host_only]
use gridwright_comm::{ReduceOp, World};

// ANCHOR: program
/// Squares each element.
#[gpu_kernel]
pub fn square(t: Thread, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= *x;
    }
}

/// Sums squares of all ranks' numbers.
///
/// # Errors
/// Those of the ranks; a wrong sum.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let world = World::from_env()?;
    let device = world.device()?; // this rank's own
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;

    let mut x = stream.upload(&[world.rank() as f32; 4])?;
    square::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&mut x,))?;
    let mut sums = stream.alloc_zeroed(4)?;
    communicator.all_reduce(&stream, &x, &mut sums, ReduceOp::Sum)?; // behind the kernel

    let expected: f32 = (0..world.size()).map(|rank| (rank * rank) as f32).sum();
    ensure!(stream.download(&sums)? == [expected; 4]);
    println!("rank {} of {} ranks, on {}: {expected}", world.rank(), world.size(), device.name());
    Ok(())
}
// ANCHOR_END: program
