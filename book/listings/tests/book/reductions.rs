//! Chapter "Reductions, scans and warps".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: sum
const BLOCK: usize = 256;

/// Each group walks through the elements in strides of the whole launch, and leaves one sum.
#[gpu_kernel(block = BLOCK)]
fn partial_sums(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>) {
    let mut mine = g.private(0.0_f32);
    let mut first = g.origin().x;
    while first < x.len() {
        g.each((&mut mine, x.elements_from(first)), |_, (mine, x)| {
            *mine += x.copied().unwrap_or(0.0);
        });
        first += sums.len() * BLOCK;
    }
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}
// ANCHOR_END: sum

// ANCHOR: sum_host
#[host_only]
fn sum(device: &Device, stream: &Stream, x: &Buffer<f32>) -> Result<f32, Error> {
    let kernel = partial_sums::load(device)?;
    let groups = x.len().div_ceil(8 * BLOCK).clamp(1, 1024);
    let (mut sums, mut total) = (stream.alloc_zeroed(groups)?, stream.alloc_zeroed(1)?);
    kernel.launch(stream, LaunchConfig::grid(groups, BLOCK), (x, &mut sums))?;
    kernel.launch(stream, LaunchConfig::grid(1, BLOCK), (&sums, &mut total))?;
    Ok(stream.download(&total)?[0])
}
// ANCHOR_END: sum_host

// ANCHOR: scan
/// Each element becomes the sum of those before it in its group.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn prefix(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let before = g.scan_exclusive(&mine, 0, |a, b| a + b);
    g.each((&before, y.elements_mut()), |_, (before, y)| {
        if let Some(y) = y {
            *y = *before;
        }
    });
}
// ANCHOR_END: scan

// ANCHOR: votes
/// How many elements of each group are negative, or `u32::MAX` where one isn't a number.
#[gpu_kernel(block = BLOCK)]
fn negatives(g: &Group, x: &[f32], mut counts: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
    let is_nan = g.map(&mine, |_, x| x.is_nan());
    let is_negative = g.map(&mine, |_, x| *x < 0.0);
    // All threads see the same answer, so group level may decide by it.
    let count = if g.any(&is_nan) { u32::MAX } else { g.count(&is_negative) as u32 };
    counts.set(g, count);
}
// ANCHOR_END: votes

// ANCHOR: warps
/// The largest element of each row of a matrix: a warp a row, and no warp waits for another.
#[gpu_kernel(block = BLOCK)]
fn row_maxima(
    g: &Group,
    m: &Matrix<f32>,
    maxima: Atomic<[u32]>, // bits of floats that aren't negative are ordered like the floats
) {
    let first = g.index() * g.warps();
    g.each_warp((), |w, ()| {
        let row = first + w.index();
        if row >= m.rows() {
            return; // the whole warp: this is warp level
        }
        let mut mine = w.private(0.0_f32);
        for col in (0..m.cols()).step_by(w.size()) {
            w.each(&mut mine, |t, mine| {
                *mine = mine.max(m.get_or(row, col + t.lane(), 0.0));
            });
        }
        let greatest = w.reduce(&mine, f32::max);
        w.each((), |t, ()| {
            if t.lane() == 0 {
                maxima.fetch_max(t, row, greatest.to_bits());
            }
        });
    });
}
// ANCHOR_END: warps

// ANCHOR: shuffle
/// The sum of each warp, by shuffles: what `g.warp_reduce` does.
#[gpu_kernel(block = BLOCK)]
fn warp_sums(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    let mut sum = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let mut distance = g.warp_size() / 2;
    while distance > 0 {
        let other = g.shuffle_xor(&sum, distance);
        g.each((&mut sum, &other), |_, (sum, other)| *sum += other);
        distance /= 2;
    }
    g.each((&sum, y.elements_mut()), |_, (sum, y)| {
        if let Some(y) = y {
            *y = *sum;
        }
    });
}
// ANCHOR_END: shuffle

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    // Whole numbers: their sum is exact in whatever order it is made.
    let x: Vec<f32> = (0..10_000).map(|i| (i % 7) as f32).collect();
    assert_eq!(sum(&device, &stream, &stream.upload(&x)?)?, x.iter().sum());

    let x: Vec<u32> = (0..600).map(|i| i * 7 % 10).collect();
    let mut y = stream.alloc_zeroed(600)?;
    let config = LaunchConfig::threads(600);
    prefix::load(&device)?.launch(&stream, config, (&stream.upload(&x)?, &mut y))?;
    for (i, y) in stream.download(&y)?.into_iter().enumerate() {
        assert_eq!(y, x[i / BLOCK * BLOCK..i].iter().sum());
    }

    let mut signed: Vec<f32> = (0..512).map(|i| (i % 3) as f32 - 1.0).collect();
    let mut counts = stream.alloc_zeroed(2)?;
    let config = LaunchConfig::grid(2, BLOCK);
    signed[300] = f32::NAN;
    negatives::load(&device)?.launch(
        &stream,
        config,
        (&stream.upload(&signed)?, &mut counts),
    )?;
    assert_eq!(stream.download(&counts)?, [86, u32::MAX]);

    let m: Vec<f32> = (0..20 * 70).map(|i| (i * 7919 % 1009) as f32).collect();
    let mut maxima = stream.alloc_zeroed::<u32>(20)?;
    let matrix = stream.upload_matrix(20, 70, &m)?;
    let config = LaunchConfig::grid(20_usize.div_ceil(4), BLOCK); // 4 warps or more
    row_maxima::load(&device)?.launch(&stream, config, (&matrix, &mut maxima))?;
    let found = stream.download(&maxima)?.into_iter().map(f32::from_bits);
    assert!(found.eq(m.chunks(70).map(|row| row.iter().copied().fold(0.0, f32::max))));

    let config = LaunchConfig::threads(256);
    let (x, mut y) = (stream.upload(&[1_u32; 256])?, stream.alloc_zeroed(256)?);
    warp_sums::load(&device)?.launch(&stream, config, (&x, &mut y))?;
    let sums = stream.download(&y)?;
    assert!(sums.iter().all(|&sum| sum == sums[0] && (sum == 32 || sum == 64)));
    Ok(())
}

// ANCHOR: dot
/// The sum of the products of each group's elements.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn dot(g: &Group, x: &[f32], y: &[f32], mut sums: PerGroup<[f32]>) {
    let products = g.map((), |t, ()| match (x.get(t.index()), y.get(t.index())) {
        (Some(x), Some(y)) => x * y,
        _ => 0.0,
    });
    sums.set(g, g.reduce(&products, |a, b| a + b));
}
// ANCHOR_END: dot

// ANCHOR: largest_at
/// Where each group's largest element is. Of equal ones it is the first.
#[gpu_kernel(block = BLOCK)]
fn largest_at(g: &Group, x: &[u32], mut places: PerGroup<[u32]>) {
    // Value and place in one word: the larger value is the larger word, then the earlier place.
    let keys = g.map((), |t, ()| match x.get(t.index()) {
        Some(&x) => u64::from(x) << 32 | u64::from(u32::MAX - t.index() as u32),
        None => 0,
    });
    let greatest = g.reduce(&keys, u64::max);
    places.set(g, u32::MAX - greatest as u32);
}
// ANCHOR_END: largest_at

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let x: Vec<f32> = (0..700).map(|i| (i % 5) as f32).collect();
    let y: Vec<f32> = (0..700).map(|i| (i % 3) as f32).collect();
    let mut sums = [0.0; 3];
    dot::load(&device)?.run(
        &device,
        LaunchConfig::threads(700),
        (&x, &y, Out(&mut sums)),
    )?;
    let expected: f32 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    assert_eq!(sums.iter().sum::<f32>(), expected);

    let x: Vec<u32> = (0..512).map(|i| i * 31 % 200).collect();
    let mut places = [0; 2];
    largest_at::load(&device)?.run(
        &device,
        LaunchConfig::threads(512),
        (&x, Out(&mut places)),
    )?;
    for (part, place) in x.chunks(BLOCK).zip(places) {
        let first = part.iter().position(|x| Some(x) == part.iter().max()).unwrap();
        assert_eq!(place as usize % BLOCK, first);
    }
    Ok(())
}
