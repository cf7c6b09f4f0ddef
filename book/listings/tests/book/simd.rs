//! Chapter "How a kernel becomes SIMD code".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: damped
#[gpu_kernel(requires = x.len() == y.len())]
fn damped(t: Thread, factor: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = factor.mul_add(*y, x[t.index()]);
    }
}
// ANCHOR_END: damped

// ANCHOR: through_table
/// Where a thread reads depends on what it read before: no vector is loaded at once.
#[gpu_kernel(requires = x.len() == y.len())]
fn through_table(t: Thread, table: &[f32], x: &[u32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = table.get(x[t.index()] as usize).copied().unwrap_or(0.0);
    }
}
// ANCHOR_END: through_table

// ANCHOR: selected
/// A table of four by value: the threads choose among numbers that all of them have.
#[gpu_kernel(requires = x.len() == y.len())]
fn selected(t: Thread, table: [f32; 4], x: &[u32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        let [low, high] =
            if x & 2 == 0 { [table[0], table[1]] } else { [table[2], table[3]] };
        *y = if x & 1 == 0 { low } else { high };
    }
}
// ANCHOR_END: selected

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let config = LaunchConfig::threads(1000);
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let x = stream.upload(&numbers)?;
    let mut y = stream.upload(&[2.0_f32; 1000])?;
    damped::load(&device)?.launch(&stream, config, (0.5, &x, &mut y))?;
    assert!(stream.download(&y)?.iter().zip(&numbers).all(|(y, x)| *y == x + 1.0));

    let table = [1.0, 3.0, 5.0, 7.0];
    let words: Vec<u32> = (0..1000).map(|i| i * i % 7 % 4).collect();
    let expected: Vec<f32> = words.iter().map(|&word| table[word as usize]).collect();
    let (x, d_table) = (stream.upload(&words)?, stream.upload(&table)?);
    through_table::load(&device)?.launch(&stream, config, (&d_table, &x, &mut y))?;
    assert_eq!(stream.download(&y)?, expected);
    stream.fill(&mut y, 0.0)?;
    selected::load(&device)?.launch(&stream, config, (table, &x, &mut y))?;
    assert_eq!(stream.download(&y)?, expected);
    Ok(())
}
