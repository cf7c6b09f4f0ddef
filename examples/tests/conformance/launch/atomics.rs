//! What all threads of a launch update.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

#[gpu_kernel]
fn tallies(t: Thread, x: &[u32], bins: Atomic<[u32]>, extremes: Atomic<[i64]>, sum: Atomic<[f64]>) {
    let Some(&x) = x.get(t.index()) else { return };
    bins.fetch_add(t, x as usize % bins.len(), 1);
    extremes.fetch_min(t, 0, -i64::from(x));
    extremes.fetch_max_with(t, 1, i64::from(x) << 20, Scope::Device, Ordering::AcqRel);
    sum.fetch_add(t, 0, f64::from(x) * 0.5);
    // An element that nobody else touches keeps what it is given.
    extremes.store(t, 2 + t.index(), i64::from(x), Scope::Device, Ordering::Release);
    let loaded = extremes.load(t, 2 + t.index(), Scope::Device, Ordering::Acquire);
    let before = extremes.compare_exchange(t, 2 + t.index(), loaded, loaded + 1);
    assert!(before == loaded && extremes.compare_exchange(t, 2 + t.index(), before, 0) == loaded + 1);
}

#[test]
fn all_threads_of_a_launch_update_atomics() -> Result {
    let (device, stream) = open()?;
    let kernel = tallies::load(&device)?;
    for &n in sizes(&device, &[1, 31, 256, 5000, 100_003], &[31, 1000]) {
        let host: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009).collect();
        let mut bins = stream.alloc_zeroed::<u32>(8)?;
        let mut extremes = stream.alloc_zeroed::<i64>(2 + n)?;
        // Only a part of the buffer is updated.
        let mut sum = stream.upload(&[0.5; 3])?;
        let arguments = (&stream.upload(&host)?, &mut bins, &mut extremes, sum.slice_mut(1..2)?);
        kernel.launch(&stream, LaunchConfig::threads(n), arguments)?;
        let mut expected = [0; 8];
        host.iter().for_each(|&x| expected[x as usize % 8] += 1);
        assert_eq!(stream.download(&bins)?, expected);
        let most = i64::from(*host.iter().max().expect("a number"));
        let own = host.iter().map(|&x| i64::from(x) + 1);
        assert_eq!(
            stream.download(&extremes)?,
            [-most, most << 20].into_iter().chain(own).collect::<Vec<_>>()
        );
        let total: f64 = host.iter().map(|&x| f64::from(x) * 0.5).sum();
        assert_eq!(stream.download(&sum)?, [0.5, 0.5 + total, 0.5]);
    }
    Ok(())
}
