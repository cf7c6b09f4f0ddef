//! Elements and their neighbours.

use gridwright::prelude::*;

/// The mean of a square of 5 by 5.
#[gpu_kernel]
pub(crate) fn blur(t: Thread, image: &Matrix<f32>, mut out: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    if let Some(out) = out.get_mut(t) {
        let mut sum = 0.0;
        for down in 0..5 {
            for right in 0..5 {
                sum += image.get_or((row + down).wrapping_sub(2), (col + right).wrapping_sub(2), 0.0);
            }
        }
        *out = sum / 25.0;
    }
}

/// A step of heat on a plate.
#[gpu_kernel]
pub(crate) fn heat_2d(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    if let Some(y) = y.get_mut(t) {
        let here = x[(row, col)];
        let around = x.get_or(row.wrapping_sub(1), col, here)
            + x.get_or(row + 1, col, here)
            + x.get_or(row, col.wrapping_sub(1), here)
            + x.get_or(row, col + 1, here);
        *y = here + 0.1 * (around - 4.0 * here);
    }
}

/// A step of heat in a block.
#[gpu_kernel]
pub(crate) fn heat_3d(t: Thread, x: &Volume<f32>, mut y: PerThread<Volume<f32>>) {
    let (plane, row, col) = (t.plane(), t.row(), t.col());
    if let Some(y) = y.get_mut(t) {
        let here = x[(plane, row, col)];
        let around = x.get_or(plane.wrapping_sub(1), row, col, here)
            + x.get_or(plane + 1, row, col, here)
            + x.get_or(plane, row.wrapping_sub(1), col, here)
            + x.get_or(plane, row + 1, col, here)
            + x.get_or(plane, row, col.wrapping_sub(1), here)
            + x.get_or(plane, row, col + 1, here);
        *y = here + 0.1 * (around - 6.0 * here);
    }
}

/// Rows become columns.
#[gpu_kernel]
pub(crate) fn transpose(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    if let Some(y) = y.get_mut(t) {
        *y = x[(col, row)];
    }
}

/// How long points of the plane stay near under z² + c.
#[gpu_kernel]
pub(crate) fn mandelbrot(t: Thread, most: u32, mut steps: PerThread<Matrix<u32>>) {
    let (rows, cols) = (steps.rows() as f32, steps.cols() as f32);
    let (row, col) = (t.row() as f32, t.col() as f32);
    if let Some(steps) = steps.get_mut(t) {
        let c = [col / cols * 3.0 - 2.25, row / rows * 3.0 - 1.5];
        let [mut re, mut im] = [0.0, 0.0];
        let mut count = 0;
        while count < most && re * re + im * im <= 4.0 {
            [re, im] = [re * re - im * im + c[0], 2.0 * re * im + c[1]];
            count += 1;
        }
        *steps = count;
    }
}
