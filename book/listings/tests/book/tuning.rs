//! Chapter "Tuning".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: bounds
const BLOCK: usize = 128;

/// A declared block is a constant in the code; `min_groups` has NVIDIA's compiler spend fewer registers.
#[gpu_kernel(block = BLOCK, min_groups = 4, requires = x.len() == y.len())]
fn bounded(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()].sqrt();
    }
}
// ANCHOR_END: bounds

// ANCHOR: contraction
/// Which side of a line a point is on: the same answer on every device, since no product is fused with the difference.
#[gpu_kernel(fp_contract = off, requires = points.len() == side.len())]
fn side_of(
    t: Thread,
    a: [f32; 2],
    b: [f32; 2],
    points: &[[f32; 2]],
    mut side: PerThread<[f32]>,
) {
    if let Some(side) = side.get_mut(t) {
        let p = points[t.index()];
        *side = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    }
}
// ANCHOR_END: contraction

// ANCHOR: inner
/// The loop is in the closure: each thread goes through all elements.
#[gpu_kernel(block = BLOCK)]
fn forces_in_closure(g: &Group, x: &[f32], mut force: PerThread<[f32]>) {
    g.each(force.elements_mut(), |t, force| {
        if let Some(force) = force {
            let mine = x[t.index()];
            *force = x.iter().map(|other| pull(mine, *other)).sum();
        }
    });
}
// ANCHOR_END: inner

// ANCHOR: outer
/// The loop is at group level, around a phase. On a GPU it is the same; on the CPU the phase's threads become vectors.
#[gpu_kernel(block = BLOCK)]
fn forces_by_phases(g: &Group, x: &[f32], mut force: PerThread<[f32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
    let mut sum = g.private(0.0_f32);
    for other in x {
        g.each((&mine, &mut sum), |_, (mine, sum)| *sum += pull(*mine, *other));
    }
    g.each((&sum, force.elements_mut()), |_, (sum, force)| {
        if let Some(force) = force {
            *force = *sum;
        }
    });
}

#[inline(always)]
fn pull(mine: f32, other: f32) -> f32 {
    let distance = other - mine;
    distance / (distance * distance + 0.01).sqrt()
}
// ANCHOR_END: outer

// ANCHOR: each_while
/// Threads that loop differently often: the CPU runs many side by side all the same.
#[gpu_kernel]
fn collatz(g: &Group, mut steps: PerThread<[u32]>) {
    let mut n = g.map((), |t, ()| t.index() as u32 + 1);
    let mut count = g.private(0_u32);
    g.each_while((&mut n, &mut count), |_, (n, count)| {
        if *n == 1 {
            return false;
        }
        *n = if *n % 2 == 0 { *n / 2 } else { *n * 3 + 1 };
        *count += 1;
        true
    });
    g.each((&count, steps.elements_mut()), |_, (count, steps)| {
        if let Some(steps) = steps {
            *steps = *count;
        }
    });
}
// ANCHOR_END: each_while

// ANCHOR: table
/// A small table by value: its numbers are in registers, and no index has to be checked.
#[gpu_kernel(requires = x.len() == y.len())]
fn tone(t: Thread, curve: [f32; 3], x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = curve[0] + x * (curve[1] + x * curve[2]);
    }
}
// ANCHOR_END: table

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let squares: Vec<f32> = (0..1000).map(|i| (i * i) as f32).collect();
    let (x, mut y) = (stream.upload(&squares)?, stream.alloc_zeroed(1000)?);
    let kernel = bounded::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(1000), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?[999], 999.0);

    // ANCHOR: occupancy
    let attributes = kernel.attributes()?;
    println!(
        "{:?} registers, {} bytes spilled",
        attributes.registers, attributes.local_bytes
    );
    let occupancy = kernel.occupancy(BLOCK)?;
    println!(
        "{} groups at once, {:.0} %",
        occupancy.groups(),
        100.0 * occupancy.fraction()
    );
    // ANCHOR_END: occupancy
    assert!(occupancy.groups() > 0);

    // A point on the line, whose coordinates aren't exact.
    let (a, b) = ([0.1_f32, 0.3], [0.7_f32, 0.9]);
    let points = stream.upload(&[b, a, [0.5, 0.2]])?;
    let mut side = stream.alloc_zeroed(3)?;
    side_of::load(&device)?.launch(
        &stream,
        LaunchConfig::threads(3),
        (a, b, &points, &mut side),
    )?;
    let side = stream.download(&side)?;
    assert_eq!(side[..2], [0.0, 0.0]);
    assert!(side[2] < 0.0);

    let positions: Vec<f32> = (0..200).map(|i| (i * 37 % 101) as f32).collect();
    let x = stream.upload(&positions)?;
    let (mut a, mut b) = (stream.alloc_zeroed(200)?, stream.alloc_zeroed(200)?);
    let config = LaunchConfig::threads(200);
    forces_in_closure::load(&device)?.launch(&stream, config, (&x, &mut a))?;
    forces_by_phases::load(&device)?.launch(&stream, config, (&x, &mut b))?;
    for (a, b) in stream.download(&a)?.iter().zip(stream.download(&b)?) {
        assert!((a - b).abs() < 1e-3, "{a} {b}"); // sums of 200 numbers up to 1, in another order
    }

    let mut steps = stream.alloc_zeroed(27)?;
    collatz::load(&device)?.launch(&stream, LaunchConfig::threads(27), (&mut steps,))?;
    assert_eq!(stream.download(&steps)?[26], 111);

    let (x, mut y) = (stream.upload(&[0.0, 1.0, 2.0])?, stream.alloc_zeroed(3)?);
    let config = LaunchConfig::threads(3);
    tone::load(&device)?.launch(&stream, config, ([1.0, 2.0, 3.0], &x, &mut y))?;
    assert_eq!(stream.download(&y)?, [1.0, 6.0, 17.0]);
    Ok(())
}

// ANCHOR: escape
/// How soon z² + c leaves the circle of radius two, at most after `limit` steps.
#[gpu_kernel]
fn escape(g: &Group, limit: u32, mut steps: PerThread<Matrix<u32>>) {
    let (rows, cols) = (steps.rows(), steps.cols());
    let c = g.map((), |t, ()| {
        let (x, y) = (t.col() as f32 / cols as f32, t.row() as f32 / rows as f32);
        [3.0 * x - 2.0, 2.0 * y - 1.0]
    });
    let mut z = g.private([0.0_f32; 2]);
    let mut count = g.private(0_u32);
    g.each_while((&c, &mut z, &mut count), |_, (c, z, count)| {
        let [x, y] = *z;
        if x * x + y * y > 4.0 || *count == limit {
            return false;
        }
        *z = [x * x - y * y + c[0], 2.0 * x * y + c[1]];
        *count += 1;
        true
    });
    g.each((&count, steps.elements_mut()), |_, (count, steps)| {
        if let Some(steps) = steps {
            *steps = *count;
        }
    });
}
// ANCHOR_END: escape

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let mut steps = vec![0; 20 * 30];
    let config = LaunchConfig::for_matrix(20, 30);
    let arguments = (50, Out(AsMatrix(20, 30, &mut steps)));
    escape::load(&device)?.run(&device, config, arguments)?;
    // c = -2 - i leaves at once; c = 0 and c = -1 stay.
    assert_eq!((steps[0], steps[10 * 30 + 20], steps[10 * 30 + 10]), (1, 50, 50));
    Ok(())
}
