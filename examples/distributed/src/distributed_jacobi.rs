//! The temperature of a plate whose left edge is hot, by Jacobi's method. The plate is divided among all ranks.

#[host_only]
use anyhow::ensure;
use gridwright::prelude::*;
#[host_only]
use gridwright_comm::{Communicator, Distributed, Error, Partition, World};

#[host_only]
use crate::numbers;

// ANCHOR: kernel
/// The mean of each element's four neighbours: of the inner part, which needs no halo, or of the rest.
#[gpu_kernel(requires = x.rows() == y.rows() && x.cols() == y.cols())]
pub fn means(t: Thread, is_inner: u32, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    let within =
        |margin: usize| margin <= row && row + margin < x.rows() && margin <= col && col + margin < x.cols();
    if let Some(y) = y.get_mut(t)
        && within(1)
        && within(2) == (is_inner == 1)
    {
        *y = (x.row(row - 1)[col] + x.row(row + 1)[col] + x.row(row)[col - 1] + x.row(row)[col + 1]) / 4.0;
    }
}
// ANCHOR_END: kernel

/// The temperature at first, and at the edges always.
#[host_only]
fn at_first([_, col]: [isize; 2]) -> f32 {
    if col < 0 { 100.0 } else { 0.0 }
}

// ANCHOR: solve
/// The plate after some steps.
#[host_only]
fn solve(
    communicator: &Communicator,
    extents: [usize; 2],
    steps: usize,
) -> Result<Distributed<f32, 2>, Error> {
    let device = communicator.device();
    let (stream, transfers) = (device.stream()?, device.stream()?);
    let means = means::load(device)?;
    let plate = Partition::new(extents).halo([1, 1]).without_corners();
    let mut x = Distributed::from_fn(communicator, &stream, plate, at_first)?;
    let mut y = Distributed::from_fn(communicator, &stream, plate, at_first)?;
    let threads = LaunchConfig::for_matrix(x.local().rows(), x.local().cols());
    for _ in 0..steps {
        // Halos travel while the inner part is computed.
        x.exchange_during(&stream, &transfers, |x| {
            Ok(means.launch(&stream, threads, (1, x.local(), y.local_mut()))?)
        })?;
        means.launch(&stream, threads, (0, x.local(), y.local_mut()))?;
        std::mem::swap(&mut x, &mut y);
    }
    stream.synchronize()?;
    Ok(x)
}
// ANCHOR_END: solve

/// The plate after some steps, as one thread computes it.
#[host_only]
fn expected([rows, cols]: [usize; 2], steps: usize) -> Vec<f32> {
    let width = cols + 2;
    let mut x: Vec<f32> = (0..(rows + 2) * width)
        .map(|at| at_first([(at / width) as isize - 1, (at % width) as isize - 1]))
        .collect();
    let mut y = x.clone();
    for _ in 0..steps {
        for row in 1..=rows {
            for at in row * width + 1..row * width + 1 + cols {
                y[at] = (x[at - width] + x[at + width] + x[at - 1] + x[at + 1]) / 4.0;
            }
        }
        std::mem::swap(&mut x, &mut y);
    }
    (1..=rows).flat_map(|row| x[row * width + 1..][..cols].to_vec()).collect()
}

/// Solves it, and compares each element with what one thread computes.
///
/// # Errors
/// Those of the ranks; an element that differs.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let [rows, cols, steps] = numbers([512, 512, 200], "rows, columns, steps")?;
    let world = World::from_env()?;
    let communicator = world.communicator(&world.device()?)?;
    let stream = communicator.device().stream()?;
    communicator.barrier(&stream)?;
    let started = std::time::Instant::now();
    let x = solve(&communicator, [rows, cols], steps)?;
    communicator.barrier(&stream)?;
    let seconds = started.elapsed().as_secs_f64();
    if let Some(all) = x.gather(&stream, 0)? {
        let [above, beside] = x.parts().grid();
        let means = (rows * cols * steps) as f64 / seconds / 1e6;
        println!(
            "{rows} rows of {cols}, {steps} steps, {above} by {beside} ranks: {means:.0} million means a second"
        );
        let expected = expected([rows, cols], steps);
        let differs = all.iter().zip(&expected).position(|(found, expected)| found != expected);
        ensure!(differs.is_none(), "element {differs:?} differs from what one thread computes");
    }
    communicator.check()?;
    Ok(())
}
