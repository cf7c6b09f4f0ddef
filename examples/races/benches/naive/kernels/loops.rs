//! Threads with a loop inside.

#![expect(clippy::needless_range_loop, reason = "loops are written as one writes them the first time")]

use gridwright::math;
use gridwright::prelude::*;

/// A row of sums that are one together: a thread a row.
#[gpu_kernel]
pub(crate) fn softmax(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>, Rows>) {
    let row = t.index();
    if let Some(y) = y.row_mut(t) {
        let x = x.row(row);
        let most = x.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
        let mut sum = 0.0;
        for (col, &x) in x.iter().enumerate() {
            let e = math::exp(x - most);
            y[col] = e;
            sum += e;
        }
        for col in 0..x.len() {
            y[col] /= sum;
        }
    }
}

/// C = A·B.
#[gpu_kernel]
pub(crate) fn matrix_product(t: Thread, a: &Matrix<f32>, b: &Matrix<f32>, mut c: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    if let Some(c) = c.get_mut(t) {
        let mut sum = 0.0;
        for k in 0..a.cols() {
            sum += a[(row, k)] * b[(k, col)];
        }
        *c = sum;
    }
}

/// y = A·x.
#[gpu_kernel]
pub(crate) fn matrix_vector(t: Thread, a: &Matrix<f32>, x: &[f32], mut y: PerThread<[f32]>) {
    let row = t.index();
    if let Some(y) = y.get_mut(t) {
        let mut sum = 0.0;
        for col in 0..a.cols() {
            sum += a[(row, col)] * x[col];
        }
        *y = sum;
    }
}

/// The nearest of some centres.
#[gpu_kernel]
pub(crate) fn nearest(t: Thread, points: &[[f32; 2]], centres: &[[f32; 2]], mut y: PerThread<[u32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        let point = points[i];
        let (mut best, mut least) = (0, f32::INFINITY);
        for k in 0..centres.len() {
            let (dx, dy) = (point[0] - centres[k][0], point[1] - centres[k][1]);
            let distance = dx * dx + dy * dy;
            if distance < least {
                least = distance;
                best = k as u32;
            }
        }
        *y = best;
    }
}

/// The dot product of a piece of two vectors.
#[gpu_kernel]
pub(crate) fn dot(t: Thread, piece: usize, a: &[f32], b: &[f32], mut sums: PerThread<[f32]>) {
    let first = t.index() * piece;
    if let Some(sum) = sums.get_mut(t) {
        let mut total = 0.0;
        for i in first..first + piece {
            total += a[i] * b[i];
        }
        *sum = total;
    }
}

/// The pull of all bodies on each: three numbers for the place, and the mass.
#[gpu_kernel]
pub(crate) fn pulls(t: Thread, bodies: &[[f32; 4]], mut pulls: PerThread<[[f32; 4]]>) {
    let i = t.index();
    if let Some(pull) = pulls.get_mut(t) {
        let own = bodies[i];
        let mut sum = [0.0; 3];
        for other in bodies {
            let d = [other[0] - own[0], other[1] - own[1], other[2] - own[2]];
            let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3;
            let inverse = 1.0 / squared.sqrt();
            let weight = other[3] * inverse * inverse * inverse;
            for axis in 0..3 {
                sum[axis] += d[axis] * weight;
            }
        }
        *pull = [sum[0], sum[1], sum[2], 0.0];
    }
}
