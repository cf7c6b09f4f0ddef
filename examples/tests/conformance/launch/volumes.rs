//! Volumes, larger and smaller than the launch.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

#[gpu_kernel(requires = scan.planes() == out.planes() && scan.rows() == out.rows() && scan.cols() == out.cols())]
fn sums_around(t: Thread, scan: &Volume<i32>, mut out: PerThread<Volume<i32>>) {
    let mut sum = (out.planes() * out.rows() * out.cols()) as i32;
    for (plane, row, col) in [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)] {
        let near = |at: usize, step: usize| (at + step).wrapping_sub(1);
        let (plane, row, col) = (near(t.plane(), plane), near(t.row(), row), near(t.col(), col));
        sum += scan.get_or(plane, row, col, -1);
        assert_eq!(scan.get(plane, row, col).copied().unwrap_or(-1), scan.get_or(plane, row, col, -1));
    }
    let index = t.index() as i32;
    if let Some(out) = out.get_mut(t) {
        *out += sum + 1000 * index;
    }
}

#[test]
fn volumes_larger_and_smaller_than_the_launch() -> Result {
    let (device, stream) = open()?;
    let kernel = sums_around::load(&device)?;
    let all = [(1, 1, 1), (2, 3, 5), (1, 40, 70), (9, 1, 33), (17, 8, 4)];
    let shapes = sizes(&device, &all, &[(2, 3, 5), (3, 1, 33)]);
    for &(planes, rows, cols) in shapes {
        let host: Vec<i32> = (0..planes * rows * cols).map(|i| (i * 7919 % 1009) as i32).collect();
        let scan = stream.upload_volume(planes, rows, cols, &host)?;
        let at = |plane: usize, row: usize, col: usize| {
            let inside = plane < planes && row < rows && col < cols;
            if inside { host[(plane * rows + row) * cols + col] } else { -1 }
        };
        for &(deep, high, wide) in shapes {
            for block in [None, Some((8, 4, 2))] {
                let mut out = stream.alloc_volume_zeroed(planes, rows, cols)?;
                let config = LaunchConfig::for_volume(deep, high, wide);
                let config = block.map_or(config, |block| config.block(block));
                kernel.launch(&stream, config, (&scan, &mut out))?;
                for (i, out) in stream.download(&out)?.into_iter().enumerate() {
                    let (p, r, c) = (i / cols / rows, i / cols % rows, i % cols);
                    let around = [at(p.wrapping_sub(1), r, c), at(p + 1, r, c), at(p, r.wrapping_sub(1), c)];
                    let beside = [at(p, r + 1, c), at(p, r, c.wrapping_sub(1)), at(p, r, c + 1)];
                    let index = ((p * high + r) * wide + c) as i32;
                    let sum: i32 = around.into_iter().chain(beside).sum();
                    let ran = p < deep && r < high && c < wide;
                    let expected = if ran { host.len() as i32 + sum + 1000 * index } else { 0 };
                    assert_eq!(out, expected, "({p}, {r}, {c}) of {planes} by {rows} by {cols}");
                }
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn counted_in_planes(t: Thread, mut out: PerThread<Volume<u32>>) {
    let (plane, row, col) = (t.plane(), t.row(), t.col());
    if let Some(out) = out.get_mut(t) {
        *out += (plane * 1_000_000 + row * 1000 + col + 1) as u32;
    }
}

#[test]
fn a_kernel_that_begins_with_its_element_of_a_volume() -> Result {
    let (device, stream) = open()?;
    let kernel = counted_in_planes::load(&device)?;
    let all = [(1, 1, 1), (2, 3, 5), (1, 40, 70), (9, 1, 33), (17, 8, 4)];
    let shapes = sizes(&device, &all, &[(2, 3, 5), (3, 1, 33)]);
    for &(planes, rows, cols) in shapes {
        for &(deep, high, wide) in shapes {
            let mut out = stream.alloc_volume_zeroed::<u32>(planes, rows, cols)?;
            kernel.launch(&stream, LaunchConfig::for_volume(deep, high, wide), (&mut out,))?;
            for (i, out) in stream.download(&out)?.into_iter().enumerate() {
                let (plane, row, col) = (i / cols / rows, i / cols % rows, i % cols);
                let ran = plane < deep && row < high && col < wide;
                let expected = if ran { plane * 1_000_000 + row * 1000 + col + 1 } else { 0 };
                assert_eq!(out as usize, expected, "({plane}, {row}, {col}) of {planes} by {rows} by {cols}");
            }
        }
    }
    Ok(())
}
