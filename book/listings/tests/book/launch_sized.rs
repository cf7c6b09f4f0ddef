//! Chapter "Memory whose size the launch gives".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: block_sum
/// One sum a workgroup.
#[gpu_kernel(requires = scratch.len() == g.len() && g.len().is_power_of_two())]
fn block_sum(
    g: &Group,
    x: &[f32],
    mut out: PerGroup<[f32]>,
    mut scratch: Workgroup<[f32]>,
) {
    g.each(scratch.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    let mut half = g.len() / 2;
    while half > 0 {
        let (lo, hi) = scratch.split_at_mut(half);
        g.each((lo.elements_mut().take(half), hi.elements().take(half)), |_, (lo, hi)| {
            *lo += *hi;
        });
        half /= 2;
    }
    let total = g.read(&scratch, 0);
    out.set(g, total);
}
// ANCHOR_END: block_sum

// ANCHOR: extremes
/// The smallest and the largest element of each group, by two memories of the launch's size.
#[gpu_kernel(requires = low.len() == g.len() && high.len() == g.len() && g.len().is_power_of_two())]
fn extremes(
    g: &Group,
    x: &[i32],
    mut least: PerGroup<[i32]>,
    mut greatest: PerGroup<[i32]>,
    mut low: Workgroup<[i32]>,
    mut high: Workgroup<[i32]>,
) {
    g.each((low.elements_mut(), high.elements_mut()), |t, (low, high)| {
        let x = x.get(t.index()).copied();
        (*low, *high) = (x.unwrap_or(i32::MAX), x.unwrap_or(i32::MIN));
    });
    let mut half = g.len() / 2;
    while half > 0 {
        let (a, b) = low.split_at_mut(half);
        let (c, d) = high.split_at_mut(half);
        let items = (
            a.elements_mut().take(half),
            b.elements().take(half),
            c.elements_mut().take(half),
            d.elements().take(half),
        );
        g.each(items, |_, (a, b, c, d)| (*a, *c) = ((*a).min(*b), (*c).max(*d)));
        half /= 2;
    }
    let (low, high) = (g.read(&low, 0), g.read(&high, 0));
    least.set(g, low);
    greatest.set(g, high);
}
// ANCHOR_END: extremes

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    // ANCHOR: launch
    let x = stream.upload(&[1.0_f32; 1000])?;
    let mut sums = stream.alloc_zeroed::<f32>(4)?;
    let config = LaunchConfig::grid(4, 256).workgroup::<f32>(256);
    block_sum::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [256.0, 256.0, 256.0, 232.0]);
    // ANCHOR_END: launch

    // ANCHOR: other_ways
    let kernel = block_sum::load(&device)?;
    // So many elements for each thread, whatever the block.
    let config = LaunchConfig::threads(1000).block(128).workgroup_per_thread::<f32>(1);
    let mut sums = stream.alloc_zeroed(8)?;
    kernel.launch(&stream, config, (&x, &mut sums))?;
    // In bytes, as in CUDA; for kernels with one such memory.
    let config = LaunchConfig::grid(8, 128).dyn_workgroup_bytes(512);
    kernel.launch(&stream, config, (&x, &mut sums))?;
    // ANCHOR_END: other_ways
    assert_eq!(stream.download(&sums)?.iter().sum::<f32>(), 1000.0);

    let x: Vec<i32> = (0..100).map(|i| i * 37 % 101).collect();
    let (mut least, mut greatest) = (stream.alloc_zeroed(2)?, stream.alloc_zeroed(2)?);
    // ANCHOR: launch_two
    let config = LaunchConfig::grid(2, 64).workgroup::<i32>(64).workgroup::<i32>(64);
    // ANCHOR_END: launch_two
    let arguments = (&stream.upload(&x)?, &mut least, &mut greatest);
    extremes::load(&device)?.launch(&stream, config, arguments)?;
    let expected: Vec<_> =
        x.chunks(64).map(|part| part.iter().min().copied().unwrap()).collect();
    assert_eq!(stream.download(&least)?, expected);
    let expected: Vec<_> =
        x.chunks(64).map(|part| part.iter().max().copied().unwrap()).collect();
    assert_eq!(stream.download(&greatest)?, expected);
    Ok(())
}

#[test]
fn a_size_that_does_not_fit_the_kernel_is_refused() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let (x, mut sums) = (stream.upload(&[1.0; 1000])?, stream.alloc_zeroed(4)?);
    let config = LaunchConfig::grid(4, 256).workgroup::<f32>(128);
    let refused = block_sum::load(&device)?.launch(&stream, config, (&x, &mut sums));
    crate::says(&refused.unwrap_err(), include_str!("../../messages/scratch.txt"));
    Ok(())
}

// ANCHOR: rotate
/// Each group's elements, moved by `by` places to the left and around its end.
#[gpu_kernel(requires = tile.len() == g.len() && x.len() == y.len())]
fn rotate(
    g: &Group,
    by: usize,
    x: &[u32],
    mut y: PerThread<[u32]>,
    mut tile: Workgroup<[u32]>,
) {
    g.load(&mut tile, x, g.origin().x);
    g.each((tile.shared(), y.elements_mut()), |t, (tile, y)| {
        if let Some(y) = y {
            *y = tile[(t.local().x + by) % tile.len()];
        }
    });
}
// ANCHOR_END: rotate

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let x: Vec<u32> = (0..100).collect();
    let mut y = vec![0; 100];
    // ANCHOR: launch_rotate
    let config = LaunchConfig::grid(5, 20).workgroup_per_thread::<u32>(1);
    rotate::load(&device)?.run(&device, config, (3, &x, Out(&mut y)))?;
    // ANCHOR_END: launch_rotate
    let turned = |part: &[u32]| {
        let mut part = part.to_vec();
        part.rotate_left(3);
        part
    };
    assert_eq!(y, x.chunks(20).flat_map(turned).collect::<Vec<_>>());
    Ok(())
}
