//! Elements and their neighbours.

use gridwright::prelude::*;
use rayon::prelude::*;

use super::naive::{Naive, equal, near, numbers};
use crate::kernels::grids as kernels;

pub(crate) fn race(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    plane(naive)?;
    let n = naive.size(128, 20);
    if naive.wants("heat in 3D") {
        let x = numbers(n * n * n);
        let on_device = naive.stream.upload_volume(n, n, n, &x)?;
        let kernel = kernels::heat_3d::load(naive.device)?;
        let config = LaunchConfig::for_volume(n, n, n);
        let results = naive.stream.upload_volume(n, n, n, &x)?;
        naive.race(
            "heat in 3D",
            results,
            near,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| {
                y.par_chunks_mut(n).enumerate().for_each(|(line, y)| {
                    let (plane, row) = (line / n, line % n);
                    for (col, y) in y.iter_mut().enumerate() {
                        let at = line * n + col;
                        let here = x[at];
                        let before = if plane > 0 { x[at - n * n] } else { here };
                        let behind = if plane + 1 < n { x[at + n * n] } else { here };
                        let above = if row > 0 { x[at - n] } else { here };
                        let below = if row + 1 < n { x[at + n] } else { here };
                        let left = if col > 0 { x[at - 1] } else { here };
                        let right = if col + 1 < n { x[at + 1] } else { here };
                        let around = before + behind + above + below + left + right;
                        *y = here + 0.1 * (around - 6.0 * here);
                    }
                });
            },
        )?;
    }
    let size = naive.size(256, 20);
    if naive.wants("mandelbrot") {
        let kernel = kernels::mandelbrot::load(naive.device)?;
        let config = LaunchConfig::for_matrix(size, size);
        naive.race(
            "mandelbrot",
            naive.stream.alloc_matrix_zeroed(size, size)?,
            // A point at the border may stay a step longer where a compiler fuses a product and a sum.
            |one: &u32, other| one.abs_diff(*other) <= 1,
            |stream, steps| kernel.launch(stream, config, (200, steps)),
            |steps| {
                steps.par_chunks_mut(size).enumerate().for_each(|(row, steps)| {
                    for (col, steps) in steps.iter_mut().enumerate() {
                        let c = [col as f32 / size as f32 * 3.0 - 2.25, row as f32 / size as f32 * 3.0 - 1.5];
                        let [mut re, mut im] = [0.0, 0.0];
                        let mut count = 0;
                        while count < 200 && re * re + im * im <= 4.0 {
                            [re, im] = [re * re - im * im + c[0], 2.0 * re * im + c[1]];
                            count += 1;
                        }
                        *steps = count;
                    }
                });
            },
        )?;
    }
    Ok(())
}

fn plane(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    let n = naive.size(1024, 50);
    let x = numbers(n * n);
    let on_device = naive.stream.upload_matrix(n, n, &x)?;
    let config = LaunchConfig::for_matrix(n, n);
    if naive.wants("blur by 5 x 5") {
        let kernel = kernels::blur::load(naive.device)?;
        naive.race(
            "blur by 5 x 5",
            naive.stream.alloc_matrix_zeroed(n, n)?,
            near,
            |stream, out| kernel.launch(stream, config, (&on_device, out)),
            |out| {
                out.par_chunks_mut(n).enumerate().for_each(|(row, out)| {
                    for (col, out) in out.iter_mut().enumerate() {
                        let mut sum = 0.0;
                        for row in row.saturating_sub(2)..(row + 3).min(n) {
                            for col in col.saturating_sub(2)..(col + 3).min(n) {
                                sum += x[row * n + col];
                            }
                        }
                        *out = sum / 25.0;
                    }
                });
            },
        )?;
    }
    if naive.wants("heat in 2D") {
        let kernel = kernels::heat_2d::load(naive.device)?;
        naive.race(
            "heat in 2D",
            naive.stream.alloc_matrix_zeroed(n, n)?,
            near,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| {
                y.par_chunks_mut(n).enumerate().for_each(|(row, y)| {
                    for (col, y) in y.iter_mut().enumerate() {
                        let at = row * n + col;
                        let here = x[at];
                        let above = if row > 0 { x[at - n] } else { here };
                        let below = if row + 1 < n { x[at + n] } else { here };
                        let left = if col > 0 { x[at - 1] } else { here };
                        let right = if col + 1 < n { x[at + 1] } else { here };
                        *y = here + 0.1 * (above + below + left + right - 4.0 * here);
                    }
                });
            },
        )?;
    }
    if naive.wants("transpose") {
        let kernel = kernels::transpose::load(naive.device)?;
        naive.race(
            "transpose",
            naive.stream.alloc_matrix_zeroed(n, n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| {
                y.par_chunks_mut(n).enumerate().for_each(|(row, y)| {
                    for (col, y) in y.iter_mut().enumerate() {
                        *y = x[col * n + row];
                    }
                });
            },
        )?;
    }
    Ok(())
}
