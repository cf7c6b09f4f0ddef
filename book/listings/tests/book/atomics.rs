//! Chapter "Atomics".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: count
/// Counts the zeros. The update takes the thread that makes it.
#[gpu_kernel]
fn count_zeros(t: Thread, x: &[f32], zeros: Atomic<[u32]>) {
    if x.get(t.index()) == Some(&0.0) {
        zeros.fetch_add(t, 0, 1);
    }
}
// ANCHOR_END: count

// ANCHOR: histogram
const BLOCK: usize = 256;

/// Each group counts into bins of its own, then adds them to those of all.
#[gpu_kernel(block = BLOCK, requires = bins.len() == 256)]
fn histogram_of_bytes(
    g: &Group,
    data: &[u8],
    bins: Atomic<[u32]>,
    mut mine: Workgroup<[u32; 256]>,
) {
    g.fill(&mut mine, 0);
    g.each(mine.atomic(), |t, mine| {
        if let Some(&byte) = data.get(t.index()) {
            mine.fetch_add(t, usize::from(byte), 1);
        }
    });
    g.each(mine.elements(), |t, count| {
        bins.fetch_add(t, t.local().x, *count);
    });
}
// ANCHOR_END: histogram

// ANCHOR: exchange
/// The largest float, by compare and exchange: what `fetch_max` of `Atomic<[f32]>` would be, if there were none.
#[gpu_kernel(requires = largest.len() == 1)]
fn maximum(t: Thread, x: &[f32], largest: Atomic<[u32]>) {
    let Some(&x) = x.get(t.index()) else { return };
    let mut seen = largest.read(t, 0);
    while f32::from_bits(seen) < x {
        let found = largest.compare_exchange(t, 0, seen, x.to_bits());
        if found == seen {
            break; // it was exchanged
        }
        seen = found;
    }
}
// ANCHOR_END: exchange

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    // ANCHOR: launch_count
    let x = stream.upload(&[0.0, 1.0, 0.0])?;
    let mut zeros = stream.upload(&[0_u32])?;
    let kernel = count_zeros::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(3), (&x, &mut zeros))?;
    assert_eq!(stream.download(&zeros)?, [2]);
    // ANCHOR_END: launch_count

    let data: Vec<u8> = (0..5000_u32).map(|i| (i * i % 251) as u8).collect();
    let mut bins = [0; 256];
    let config = LaunchConfig::threads(data.len());
    histogram_of_bytes::load(&device)?.run(&device, config, (&data, InOut(&mut bins)))?;
    let mut expected = [0; 256];
    data.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    assert_eq!(bins, expected);

    let x: Vec<f32> = (0..1000).map(|i| (i * 7919 % 1009) as f32 - 500.0).collect();
    let mut largest = [f32::MIN.to_bits()];
    let config = LaunchConfig::threads(x.len());
    maximum::load(&device)?.run(&device, config, (&x, InOut(&mut largest)))?;
    assert_eq!(f32::from_bits(largest[0]), x.iter().copied().fold(f32::MIN, f32::max));
    Ok(())
}

// ANCHOR: compact
/// Copies the elements that are positive to the front of `kept`, in no order, and counts them.
#[gpu_kernel(requires = kept.len() == x.len() && count.len() == 1)]
fn keep_positive(t: Thread, x: &[i32], kept: Atomic<[i32]>, count: Atomic<[u32]>) {
    if let Some(&x) = x.get(t.index())
        && x > 0
    {
        let place = count.fetch_add(t, 0, 1) as usize;
        kept.set(t, place, x);
    }
}
// ANCHOR_END: compact

// ANCHOR: compact_group
/// Copies the positive elements with one update a group: a scan gives their places.
#[gpu_kernel(block = BLOCK, requires = kept.len() == x.len() && count.len() == 1)]
fn keep_positive_by_groups(
    g: &Group,
    x: &[i32],
    kept: Atomic<[i32]>,
    count: Atomic<[u32]>,
    mut first: Workgroup<[u32; 1]>,
) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let takes = g.map(&mine, |_, x| u32::from(*x > 0));
    let places = g.scan_exclusive(&takes, 0, |a, b| a + b);
    let total = g.reduce(&takes, |a, b| a + b);
    g.each(first.elements_mut().take(1), |t, first| *first = count.fetch_add(t, 0, total));
    let first = g.read(&first, 0);
    g.each((&mine, &places), |t, (x, place)| {
        if *x > 0 {
            kept.set(t, (first + place) as usize, *x);
        }
    });
}
// ANCHOR_END: compact_group

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let x: Vec<i32> = (0..1000).map(|i| i * 37 % 101 - 50).collect();
    let mut expected: Vec<i32> = x.iter().copied().filter(|&x| x > 0).collect();
    expected.sort_unstable();
    let config = LaunchConfig::threads(x.len());

    let (mut kept, mut count) = (vec![0; x.len()], [0]);
    let arguments = (&x, InOut(&mut kept), InOut(&mut count));
    keep_positive::load(&device)?.run(&device, config, arguments)?;
    kept.truncate(count[0] as usize);
    kept.sort_unstable();
    assert_eq!(kept, expected);

    let (mut kept, mut count) = (vec![0; x.len()], [0]);
    let arguments = (&x, InOut(&mut kept), InOut(&mut count));
    keep_positive_by_groups::load(&device)?.run(&device, config, arguments)?;
    kept.truncate(count[0] as usize);
    kept.sort_unstable();
    assert_eq!(kept, expected);
    Ok(())
}
