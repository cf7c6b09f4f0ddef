//! A product of matrices blocked in registers: each group a tile of 64 by 64, each thread 4 by 4 of it.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

const TILE: usize = 64;
const DEPTH: usize = 16;
/// Of a patch, along each side.
const R: usize = 4;

#[gpu_kernel(block = (16, 16), requires = a.cols() == b.rows())]
fn blocked(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerGroup<Matrix<f32>, Tiles<TILE, TILE>>,
    mut ta: Workgroup<[[f32; DEPTH]; TILE]>,
    mut tb: Workgroup<[[f32; TILE]; DEPTH]>,
) {
    let [row, col] = c.origin();
    let mut sums = g.private([[0.0_f32; R]; R]);
    for k in (0..a.cols()).step_by(DEPTH) {
        g.load_tile(&mut ta, a, row, k);
        g.load_tile(&mut tb, b, k, col);
        g.each((&mut sums, ta.shared(), tb.shared()), |t, (sums, ta, tb)| {
            let (x, y) = (R * t.local().x, R * t.local().y);
            for k in 0..DEPTH {
                for i in 0..R {
                    for j in 0..R {
                        sums[i][j] += ta[y + i][k] * tb[k][x + j];
                    }
                }
            }
        });
    }
    g.each((c.patches_mut::<R, R>(), &sums), |_, (patch, sums)| {
        patch.for_each(|row, col, c| *c = sums[row][col]);
    });
}

#[test]
fn a_product_of_tiles_is_the_product() -> Result {
    let (device, stream) = open()?;
    let kernel = blocked::load(&device)?;
    let all = [(1, 1, 1), (64, 64, 64), (65, 17, 63), (63, 5, 130), (130, 100, 66)];
    for &(rows, depth, cols) in sizes(&device, &all, &all[2..3]) {
        // Whole numbers, so that the order of the sums doesn't matter.
        let number = |i: usize| (i * 7919 % 13) as f32 - 6.0;
        let (x, y): (Vec<_>, Vec<_>) =
            ((0..rows * depth).map(number).collect(), (0..depth * cols).map(|i| number(i + 5)).collect());
        let (a, b) = (stream.upload_matrix(rows, depth, &x)?, stream.upload_matrix(depth, cols, &y)?);
        let mut c = stream.upload_matrix(rows, cols, &vec![f32::NAN; rows * cols])?;
        kernel.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&a, &b, &mut c))?;
        let expected: Vec<f32> = (0..rows * cols)
            .map(|i| (0..depth).map(|k| x[i / cols * depth + k] * y[k * cols + i % cols]).sum())
            .collect();
        assert_eq!(stream.download(&c)?, expected, "{rows} by {depth} by {cols}");
    }
    Ok(())
}
