//! Kernels that use a bit of everything.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

const T: usize = 16;

#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows())]
fn matmul(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[f32; T]; T]>,
    mut tb: Workgroup<[[f32; T]; T]>,
) {
    let mut acc = g.private(0.0_f32);
    for k in (0..a.cols()).step_by(T) {
        g.each((ta.elements_mut(), tb.elements_mut()), |t, (a_slot, b_slot)| {
            *a_slot = a.get_or(t.row(), k + t.local().x, 0.0);
            *b_slot = b.get_or(k + t.local().y, t.col(), 0.0);
        });
        g.each((&mut acc, ta.shared(), tb.shared()), |t, (acc, ta, tb)| {
            let l = t.local();
            for i in 0..T {
                *acc = ta[l.y][i].mul_add(tb[i][l.x], *acc);
            }
        });
    }
    g.each((&acc, c.elements_mut()), |_, (acc, c)| {
        if let Some(c) = c {
            *c = *acc;
        }
    });
}

#[test]
fn a_product_of_matrices_in_tiles_is_the_plain_one() -> Result {
    let (device, stream) = open()?;
    let kernel = matmul::load(&device)?;
    for &(n, k, m) in
        sizes(&device, &[(1, 1, 1), (16, 16, 16), (17, 33, 5), (64, 48, 80)], &[(1, 1, 1), (17, 33, 5)])
    {
        let a: Vec<f32> = (0..n * k).map(|i| (i % 7) as f32).collect();
        let b: Vec<f32> = (0..k * m).map(|i| (i % 5) as f32).collect();
        let (da, db) = (stream.upload_matrix(n, k, &a)?, stream.upload_matrix(k, m, &b)?);
        let mut c = stream.upload_matrix(n, m, &vec![-1.0; n * m])?;
        kernel.launch(&stream, LaunchConfig::for_matrix(n, m), (&da, &db, &mut c))?;
        let c = stream.download(&c)?;
        for row in 0..n {
            for col in 0..m {
                let expected: f32 = (0..k).map(|i| a[row * k + i] * b[i * m + col]).sum();
                assert_eq!(c[row * m + col], expected, "({row}, {col}) of {n} by {m}");
            }
        }
    }
    Ok(())
}

#[gpu_kernel(requires = scratch.len() == g.len() && g.len().is_power_of_two())]
fn block_sum(g: &Group, x: &[f32], mut out: PerGroup<[f32]>, mut scratch: Workgroup<[f32]>) {
    g.each(scratch.elements_mut(), |t, s| *s = x.get(t.index()).copied().unwrap_or(0.0));
    let mut half = g.len() / 2;
    while half > 0 {
        let (lo, hi) = scratch.split_at_mut(half);
        g.each((lo.elements_mut().take(half), hi.elements().take(half)), |_, (lo, hi)| *lo += *hi);
        half /= 2;
    }
    let total = g.read(&scratch, 0);
    out.set(g, total);
}

#[test]
fn sums_in_workgroup_memory_are_those_of_chunks() -> Result {
    let (device, stream) = open()?;
    let kernel = block_sum::load(&device)?;
    let all = [(1_usize, 1_usize), (1000, 256), (1024, 32), (100_000, 1024)];
    for &(n, block) in sizes(&device, &all, &all[..2]) {
        let x: Vec<f32> = (0..n).map(|i| (i % 11) as f32).collect();
        let groups = n.div_ceil(block);
        let dx = stream.upload(&x)?;
        let mut out = stream.alloc_zeroed::<f32>(groups)?;
        let config = LaunchConfig::grid(groups, block).workgroup::<f32>(block);
        kernel.launch(&stream, config, (&dx, &mut out))?;
        let expected: Vec<f32> = x.chunks(block).map(|chunk| chunk.iter().sum()).collect();
        assert_eq!(stream.download(&out)?, expected);
    }
    Ok(())
}
