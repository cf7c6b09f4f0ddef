//! Threads with a loop inside.

use gridwright::math;
use gridwright::prelude::*;
use rayon::prelude::*;

use super::naive::{Naive, equal, near, numbers};
use crate::kernels::loops as kernels;

pub(crate) fn race(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    softmax(naive)?;
    products(naive)?;
    points(naive)
}

fn softmax(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    if !naive.wants("softmax of rows") {
        return Ok(());
    }
    let (rows, cols) = (naive.size(1024, 20), naive.size(512, 30));
    let x = numbers(rows * cols);
    let on_device = naive.stream.upload_matrix(rows, cols, &x)?;
    let kernel = kernels::softmax::load(naive.device)?;
    naive.race(
        "softmax of rows",
        naive.stream.alloc_matrix_zeroed(rows, cols)?,
        near,
        |stream, y| kernel.launch(stream, LaunchConfig::threads(rows), (&on_device, y)),
        |y| {
            y.par_chunks_mut(cols).zip(x.par_chunks(cols)).for_each(|(y, x)| {
                let most = x.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
                let mut sum = 0.0;
                for (y, x) in y.iter_mut().zip(x) {
                    *y = math::exp(x - most);
                    sum += *y;
                }
                y.iter_mut().for_each(|y| *y /= sum);
            });
        },
    )
}

fn products(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    if naive.wants("matrix product") {
        let n = naive.size(256, 20);
        let (a, b) = (numbers(n * n), numbers(n * n));
        let on_device = naive.stream.upload_matrix(n, n, &a)?;
        let b_on_device = naive.stream.upload_matrix(n, n, &b)?;
        let kernel = kernels::matrix_product::load(naive.device)?;
        naive.race(
            "matrix product",
            naive.stream.alloc_matrix_zeroed(n, n)?,
            near,
            |stream, c| kernel.launch(stream, LaunchConfig::for_matrix(n, n), (&on_device, &b_on_device, c)),
            |c| {
                c.par_chunks_mut(n).enumerate().for_each(|(row, c)| {
                    for (col, c) in c.iter_mut().enumerate() {
                        let mut sum = 0.0;
                        for k in 0..n {
                            sum += a[row * n + k] * b[k * n + col];
                        }
                        *c = sum;
                    }
                });
            },
        )?;
    }
    if naive.wants("matrix by vector") {
        let n = naive.size(1024, 40);
        let (a, x) = (numbers(n * n), numbers(n));
        let (on_device, x_on_device) = (naive.stream.upload_matrix(n, n, &a)?, naive.stream.upload(&x)?);
        let kernel = kernels::matrix_vector::load(naive.device)?;
        naive.race(
            "matrix by vector",
            naive.stream.alloc_zeroed(n)?,
            near,
            |stream, y| kernel.launch(stream, LaunchConfig::threads(n), (&on_device, &x_on_device, y)),
            |y| {
                y.par_iter_mut()
                    .zip(a.par_chunks(n))
                    .for_each(|(y, a)| *y = a.iter().zip(&x).map(|(a, x)| a * x).sum());
            },
        )?;
    }
    if naive.wants("dot product") {
        let (pieces, piece) = (naive.size(1024, 10), naive.size(1024, 50));
        let (a, b) = (numbers(pieces * piece), numbers(pieces * piece));
        let (on_device, b_on_device) = (naive.stream.upload(&a)?, naive.stream.upload(&b)?);
        let kernel = kernels::dot::load(naive.device)?;
        naive.race(
            "dot product",
            naive.stream.alloc_zeroed(pieces)?,
            near,
            |stream, sums| {
                kernel.launch(stream, LaunchConfig::threads(pieces), (piece, &on_device, &b_on_device, sums))
            },
            |sums| {
                sums.par_iter_mut()
                    .zip(a.par_chunks(piece).zip(b.par_chunks(piece)))
                    .for_each(|(sum, (a, b))| *sum = a.iter().zip(b).map(|(a, b)| a * b).sum());
            },
        )?;
    }
    Ok(())
}

fn points(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    if naive.wants("nearest of 32 centres") {
        let n = naive.size(1 << 16, 1000);
        let points: Vec<[f32; 2]> = numbers(2 * n).as_chunks().0.to_vec();
        let centres: Vec<[f32; 2]> = points[..32].to_vec();
        let (on_device, centres_on_device) = (naive.stream.upload(&points)?, naive.stream.upload(&centres)?);
        let kernel = kernels::nearest::load(naive.device)?;
        naive.race(
            "nearest of 32 centres",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, LaunchConfig::threads(n), (&on_device, &centres_on_device, y)),
            |y| {
                y.par_iter_mut().zip(&points).for_each(|(y, point)| {
                    let (mut best, mut least) = (0, f32::INFINITY);
                    for (k, centre) in centres.iter().enumerate() {
                        let (dx, dy) = (point[0] - centre[0], point[1] - centre[1]);
                        let distance = dx * dx + dy * dy;
                        if distance < least {
                            least = distance;
                            best = k as u32;
                        }
                    }
                    *y = best;
                });
            },
        )?;
    }
    if naive.wants("pulls of bodies") {
        let n = naive.size(1024, 100);
        let bodies: Vec<[f32; 4]> = numbers(4 * n).as_chunks().0.to_vec();
        let on_device = naive.stream.upload(&bodies)?;
        let kernel = kernels::pulls::load(naive.device)?;
        naive.race(
            "pulls of bodies",
            naive.stream.alloc_zeroed(n)?,
            |a: &[f32; 4], b| a.iter().zip(b).all(|(a, b)| near(a, b)),
            |stream, pulls| kernel.launch(stream, LaunchConfig::threads(n), (&on_device, pulls)),
            |pulls| {
                pulls.par_iter_mut().zip(&bodies).for_each(|(pull, own)| {
                    let mut sum = [0.0; 3];
                    for other in &bodies {
                        let d = [other[0] - own[0], other[1] - own[1], other[2] - own[2]];
                        let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3;
                        let inverse = 1.0 / squared.sqrt();
                        let weight = other[3] * inverse * inverse * inverse;
                        for axis in 0..3 {
                            sum[axis] += d[axis] * weight;
                        }
                    }
                    *pull = [sum[0], sum[1], sum[2], 0.0];
                });
            },
        )?;
    }
    Ok(())
}
