//! Rows of a matrix that warps, and tiles of warps, own.

use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, open, sizes};

/// Each element takes its row's number and the lane that wrote it; then one lane writes the row's first element, which others had.
#[gpu_kernel]
fn rows_of_warps(g: &Group, mut out: PerGroup<Matrix<u32>, Rows<5>>) {
    g.each_warp(out.warp_rows_mut(), |w, mut rows| {
        while let Some(mut row) = rows.next_row() {
            let number = row.row() as u32;
            for start in w.blocks(row.cols(), w.len()) {
                w.each(row.elements_from_mut(start), |t, element| {
                    if let Some(element) = element {
                        *element = 100_000 + 1000 * (number % 64) + ((start + t.lane()) % 32) as u32;
                    }
                });
            }
            // Others' elements: one further on.
            for start in w.blocks(row.cols(), w.len()) {
                w.each(row.elements_from_mut(start + 1), |_, element| {
                    if let Some(element) = element {
                        *element += 500_000;
                    }
                });
            }
            row.set(w, 1, 7);
            row.set(w, 1_000_000, 7);
        }
    });
}

#[test]
fn warps_own_rows_of_any_length() -> Result {
    let (device, stream) = open()?;
    let kernel = rows_of_warps::load(&device)?;
    for &block in blocks(&device) {
        for &cols in sizes(&device, &[1_usize, 2, 31, 33, 500], &[33]) {
            for (rows, groups) in [(15, 3), (13, 3), (15, 2)] {
                let mut out = stream.alloc_matrix_zeroed::<u32>(rows, cols)?;
                kernel.launch(&stream, LaunchConfig::grid(groups, block), (&mut out,))?;
                let expected: Vec<u32> = (0..rows * cols)
                    .map(|i| match (i / cols, i % cols) {
                        (row, _) if row >= 5 * groups => 0,
                        (row, 0) => 100_000 + 1000 * row as u32,
                        (_, 1) => 7,
                        (row, col) => (600_000 + 1000 * row + col % 32) as u32,
                    })
                    .collect();
                assert_eq!(stream.download(&out)?, expected, "{rows} by {cols}, {groups} groups of {block}");
            }
        }
    }
    Ok(())
}

/// Sums of rows, of which each 8 lanes have one.
#[gpu_kernel(block = 64, requires = x.rows() == sums.rows())]
fn sums_by_eight_lanes(g: &Group, x: &Matrix<u32>, mut sums: PerGroup<Matrix<u32>, Rows<16>>) {
    g.tiled::<8>().each_tile(sums.warp_rows_mut(), |tile, mut rows| {
        while let Some(mut sums) = rows.next_row() {
            let x = x.row(sums.row());
            let mut mine = tile.private(0);
            for start in tile.blocks(x.len(), tile.len()) {
                tile.each((&mut mine, x.elements_from(start)), |_, (mine, x)| {
                    *mine += x.copied().unwrap_or(0);
                });
            }
            sums.set(tile, 0, tile.reduce(&mine, |a, b| a + b));
        }
    });
}

/// Sums of rows, of which each 32 lanes have one, whatever a warp is.
#[gpu_kernel(block = 64, requires = x.rows() == sums.rows())]
fn sums_by_tiles(g: &Group, x: &Matrix<u32>, mut sums: PerGroup<Matrix<u32>, Rows<3>>) {
    g.tiled::<32>().each_tile(sums.warp_rows_mut(), |tile, mut rows| {
        while let Some(mut sums) = rows.next_row() {
            let x = x.row(sums.row());
            let mut mine = tile.private(0);
            for start in tile.blocks(x.len(), 32) {
                tile.each((&mut mine, x.elements_from(start)), |_, (mine, x)| {
                    *mine += x.copied().unwrap_or(0);
                });
            }
            sums.set(tile, 0, tile.reduce_add(&mine));
        }
    });
}

#[test]
fn tiles_of_warps_own_rows() -> Result {
    let (device, stream) = open()?;
    for (rows, cols) in [(1, 1), (16, 8), (35, 100), (40, 3)] {
        let host: Vec<u32> = (0..(rows * cols) as u32).map(|i| i * 37 % 101).collect();
        let expected: Vec<u32> = host.chunks(cols).map(|row| row.iter().sum()).collect();
        let x = stream.upload_matrix(rows, cols, &host)?;
        let mut sums = stream.alloc_matrix_zeroed(rows, 1)?;
        let groups = LaunchConfig::grid(rows.div_ceil(16), 64);
        sums_by_eight_lanes::load(&device)?.launch(&stream, groups, (&x, &mut sums))?;
        assert_eq!(stream.download(&sums)?, expected);
        let mut sums = stream.alloc_matrix_zeroed(rows, 1)?;
        sums_by_tiles::load(&device)?.launch(
            &stream,
            LaunchConfig::grid(rows.div_ceil(3), 64),
            (&x, &mut sums),
        )?;
        assert_eq!(stream.download(&sums)?, expected);
    }
    Ok(())
}
