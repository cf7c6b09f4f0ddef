//! Names of the version before work as those of today.

#![allow(deprecated, clippy::unwrap_used)]

use gridwright::prelude::*;
use gridwright::{Each, EachMut, Tile, TileLanes, TileSize};

/// The sums of each four, by names that all are called otherwise today.
#[gpu_kernel(block = 64)]
fn sums(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut w: Workgroup<[u32; 64]>) {
    {
        let slots: EachMut<'_, [u32; 64]> = w.each_mut();
        g.each((slots, x.each_from(g.origin().x)), |_, (slot, x)| *slot = x.copied().unwrap_or(0));
    }
    let slots: Each<'_, [u32; 64]> = w.each();
    let mine = g.map(slots, |_, slot| *slot);
    let sums = of_each::<_, 4>(g, &mine);
    g.each_warp((&sums, w.each_warp_mut(1), &mut y), |w, (sums, mut slot, mut y)| {
        w.set(&mut slot, 0, 1);
        w.each((y.each_mut(), sums), |_, (y, sum)| *y.unwrap() = *sum);
    });
}

fn of_each<'k, S: GroupShape, const N: usize>(g: &Group<'k, S>, values: &Private<u32>) -> Private<'k, u32>
where
    TileLanes<N>: TileSize,
{
    g.tiled::<N>().reduce(values, |a, b| a + b)
}

/// A type that was called `Tile`.
#[allow(dead_code, reason = "compiled only")]
fn len<S: GroupShape>(tile: &Tile<'_, S, 4>) -> usize {
    tile.len()
}

#[test]
fn a_kernel_with_names_of_the_version_before_computes_the_same() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x: Vec<u32> = (0..128).collect();
    let mut y = stream.alloc_zeroed::<u32>(128)?;
    sums::load(&device)?.launch(&stream, LaunchConfig::threads(128), (&stream.upload(&x)?, &mut y))?;
    let expected = x.chunks(4).flat_map(|four| vec![four.iter().sum::<u32>(); 4]);
    assert!(stream.download(&y)?.into_iter().eq(expected));
    Ok(())
}
