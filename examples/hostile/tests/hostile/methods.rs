//! Where a trait with methods of the names that the library has is in scope, and takes by value what they take by reference.

use gridwright::prelude::*;
#[allow(unused_imports)] // to be in the way
use gridwright_hostile::Methods as _;

/// Begins with its element, so that its entry rests on what the library says of threads beyond the launch.
#[gpu_kernel(requires = x.len() == y.len())]
fn threads_ask(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()];
    }
}

/// Begins with sizes, and has its element behind them.
#[gpu_kernel]
fn sizes_ask(t: Thread, mut y: PerThread<[u32]>, counts: Atomic<[u32]>) {
    let n = y.len();
    let bins = counts.len();
    let Some(y) = y.get_mut(t) else { return };
    *y = (n + bins) as u32;
    counts.fetch_add(t, 0, 1);
}

#[gpu_kernel(block = 64, requires = scratch.len() == g.len())]
fn groups_ask(
    g: &Group,
    x: &[u32],
    mut sums: PerGroup<[u32]>,
    mut tile: Workgroup<[u32; 64]>,
    mut scratch: Workgroup<[u32]>,
) {
    let first = g.origin().x;
    g.load(&mut tile, x, first);
    g.each((scratch.elements_mut(), tile.elements()), |_, (twice, x)| *twice = 2 * x);
    let values = g.map(scratch.elements(), |_, x| *x);
    sums.set(g, g.reduce(&values, |a, b| a + b));
}

#[gpu_kernel(block = 64)]
fn clusters_ask(cluster: &Cluster, mut x: PerThread<[u32]>, mut m: ClusterMemory<[u32; 64]>) {
    cluster.each_group((&mut x, &mut m), |g, (mut x, mut m)| {
        g.fill(&mut m, 3);
        g.each((x.elements_mut(), m.elements()), |_, (x, m)| {
            if let Some(x) = x {
                *x += *m;
            }
        });
    });
}

#[gpu_kernel(block = 64)]
fn grids_ask(grid: &Grid, by: u32, mut x: GridMemory<[u32]>) {
    grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x += by));
}

#[host_only]
mod on_host {
    use gridwright::prelude::*;

    use crate::devices;

    #[test]
    fn the_library_is_asked() -> Result<(), gridwright::Error> {
        for device in devices()? {
            let stream = device.stream()?;
            let x = stream.upload(&[1_u32, 2, 3])?;
            let mut y = stream.alloc_zeroed::<u32>(3)?;
            let threads_ask = super::threads_ask::load(&device)?;
            threads_ask.launch(&stream, LaunchConfig::threads(70), (&x, &mut y))?;
            assert_eq!(stream.download(&y)?, [1, 2, 3]);
            let refused = threads_ask.launch(&stream, LaunchConfig::threads(3), (&x.slice(..2)?, &mut y));
            assert!(matches!(refused, Err(gridwright::Error::Requirement { .. })), "{refused:?}");

            let mut counts = stream.alloc_zeroed::<u32>(2)?;
            let sizes_ask = super::sizes_ask::load(&device)?;
            sizes_ask.launch(&stream, LaunchConfig::threads(70), (&mut y, &mut counts))?;
            assert_eq!((stream.download(&y)?, stream.download(&counts)?), (vec![5; 3], vec![3, 0]));

            let x = stream.upload(&[1_u32; 100])?;
            let mut sums = stream.alloc_zeroed::<u32>(2)?;
            let config = LaunchConfig::grid(2, 64).workgroup::<u32>(64);
            super::groups_ask::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
            assert_eq!(stream.download(&sums)?, [128, 72]);

            let mut x = stream.upload(&[1_u32, 2, 3])?;
            super::grids_ask::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), (4, &mut x))?;
            assert_eq!(stream.download(&x)?, [5, 6, 7]);
        }
        let device = Device::cpu()?;
        let stream = device.stream()?;
        let mut x = stream.upload(&[1_u32; 128])?;
        let config = LaunchConfig::grid(2, 64).cluster(2);
        super::clusters_ask::load(&device)?.launch(&stream, config, (&mut x,))?;
        assert_eq!(stream.download(&x)?, [4; 128]);
        Ok(())
    }
}
