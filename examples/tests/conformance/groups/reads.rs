//! Elements of slices and matrices that phases hand out.

use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, numbers, open, sizes, warp_size};

/// Each thread's element of a slice from `start` on, plus one; zero where there is none.
#[gpu_kernel]
fn slice(g: &Group, start: usize, x: &[u32], mut out: PerThread<[u32]>) {
    g.each((out.elements_mut(), x.elements_from(start)), |_, (out, x)| {
        if let Some(out) = out {
            *out = x.map_or(0, |x| x + 1);
        }
    });
}

#[test]
fn threads_read_elements_from_a_start_on() -> Result {
    let (device, stream) = open()?;
    let kernel = slice::load(&device)?;
    for &block in blocks(&device) {
        let lengths = [block - 1, 3 * block, 0, 1, block, block + 1];
        for &len in sizes(&device, &lengths, &lengths[..2]) {
            let host = numbers(len);
            let x = stream.upload(&host)?;
            let starts = [block / 2, usize::MAX, 0, 1, len.saturating_sub(block), len, len + 1];
            for &start in sizes(&device, &starts, &starts[..2]) {
                let mut out = stream.alloc_zeroed(block)?;
                kernel.launch(&stream, LaunchConfig::threads(block).block(block), (start, &x, &mut out))?;
                let element = |i: usize| host.get(start.saturating_add(i)).map_or(0, |x| x + 1);
                let expected: Vec<u32> = (0..block).map(element).collect();
                assert_eq!(stream.download(&out)?, expected, "{len} from {start} by {block}");
            }
        }
    }
    Ok(())
}

/// Each thread's element of a matrix from `at` on, plus one; zero where there is none.
#[gpu_kernel]
fn matrix(g: &Group, row: usize, col: usize, m: &Matrix<u32>, mut out: PerThread<Matrix<u32>>) {
    let read = g.map(m.elements_from(row, col), |_, m| m.map_or(0, |m| m + 1));
    g.each((out.elements_mut(), &read), |_, (out, read)| {
        if let Some(out) = out {
            *out = *read;
        }
    });
}

#[test]
fn threads_read_tiles_of_a_matrix() -> Result {
    let (device, stream) = open()?;
    let kernel = matrix::load(&device)?;
    for &(cols, rows) in sizes(&device, &[(1, 1), (4, 3), (16, 16), (33, 7), (32, 32)], &[(4, 3), (33, 7)]) {
        let tiles = [(rows, cols), (rows + 2, cols + 1), (0, 0), (1, 5), (2 * rows, cols)];
        for &(tile_rows, tile_cols) in sizes(&device, &tiles, &tiles[..2]) {
            let host = numbers(tile_rows * tile_cols);
            let m = stream.upload_matrix(tile_rows, tile_cols, &host)?;
            let places = [(2, 1), (usize::MAX, usize::MAX), (0, 0), (1, 0), (0, 1), (tile_rows, 0)];
            for &(row, col) in sizes(&device, &places, &places[..2]) {
                let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
                let config = LaunchConfig::for_matrix(rows, cols).block((cols, rows));
                kernel.launch(&stream, config, (row, col, &m, &mut out))?;
                let element = |i: usize| {
                    let (row, col) = (row.saturating_add(i / cols), col.saturating_add(i % cols));
                    if row < tile_rows && col < tile_cols { host[row * tile_cols + col] + 1 } else { 0 }
                };
                let expected: Vec<u32> = (0..rows * cols).map(element).collect();
                assert_eq!(
                    stream.download(&out)?,
                    expected,
                    "{tile_rows} by {tile_cols} at {row}, {col}, group of {rows} by {cols}"
                );
            }
        }
    }
    Ok(())
}

/// Each thread's element of one row of a matrix from `col` on, plus one; zero where there is none.
#[gpu_kernel]
fn row(g: &Group, row: usize, col: usize, m: &Matrix<u32>, mut out: PerThread<Matrix<u32>>) {
    g.each((out.elements_mut(), m.elements_of_row(row, col)), |_, (out, m)| {
        if let Some(out) = out {
            *out = m.map_or(0, |m| m + 1);
        }
    });
}

#[test]
fn all_rows_of_threads_read_one_row_of_a_matrix() -> Result {
    let (device, stream) = open()?;
    let kernel = row::load(&device)?;
    for &(cols, rows) in sizes(&device, &[(1, 1), (4, 3), (16, 16), (33, 7)], &[(4, 3), (33, 7)]) {
        let shapes = [(rows, cols), (3, cols / 2 + 1), (0, 0), (1, 5), (2, cols + 1)];
        for &(of_rows, of_cols) in sizes(&device, &shapes, &shapes[..2]) {
            let host = numbers(of_rows * of_cols);
            let m = stream.upload_matrix(of_rows, of_cols, &host)?;
            let places =
                [(2, 1), (usize::MAX, usize::MAX), (0, 0), (1, 0), (0, 1), (of_rows, 0), (0, of_cols)];
            for &(row, col) in sizes(&device, &places, &places[..2]) {
                let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
                let config = LaunchConfig::for_matrix(rows, cols).block((cols, rows));
                kernel.launch(&stream, config, (row, col, &m, &mut out))?;
                let element = |i: usize| {
                    let col = col.saturating_add(i % cols);
                    if row < of_rows && col < of_cols { host[row * of_cols + col] + 1 } else { 0 }
                };
                let expected: Vec<u32> = (0..rows * cols).map(element).collect();
                assert_eq!(
                    stream.download(&out)?,
                    expected,
                    "row {row} of {of_rows} by {of_cols} from {col} on, group of {rows} by {cols}"
                );
            }
        }
    }
    Ok(())
}

/// Beside views that are for some threads only, and in a loop.
#[gpu_kernel]
fn repeated(g: &Group, limit: u32, x: &[u32], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |_, w| *w = 0);
    let few = w.len() / 2;
    g.each((w.elements_mut().take(few), x.elements_from(g.origin().x)), |_, (w, x)| *w = x.map_or(7, |x| *x));
    g.each_while((w.elements_mut(), x.elements_from(g.origin().x)), |_, (w, x)| {
        let goes_on = *w < limit;
        if goes_on {
            *w += x.map_or(limit, |x| *x);
        }
        goes_on
    });
    g.each((w.elements(), out.elements_mut()), |_, (w, out)| {
        if let Some(out) = out {
            *out = *w;
        }
    });
}

#[test]
fn reads_go_with_other_views() -> Result {
    let (device, stream) = open()?;
    let kernel = repeated::load(&device)?;
    for &block in blocks(&device) {
        let lengths = [block + block / 2 + 1, 1, block, 2 * block];
        for &len in sizes(&device, &lengths, &lengths[..1]) {
            let host = numbers(len);
            let (x, mut out) = (stream.upload(&host)?, stream.alloc_zeroed(2 * block)?);
            let config = LaunchConfig::threads(2 * block).block(block).workgroup::<u32>(block);
            kernel.launch(&stream, config, (3000, &x, &mut out))?;
            let naive = |i: usize| {
                let x = host.get(i).copied();
                let mut value = if i % block < block / 2 { x.unwrap_or(7) } else { 0 };
                while value < 3000 {
                    value += x.unwrap_or(3000);
                }
                value
            };
            let expected: Vec<u32> = (0..2 * block).map(naive).collect();
            assert_eq!(stream.download(&out)?, expected, "{len} by {block}");
        }
    }
    Ok(())
}

/// The elements that the lanes of each warp get, of a slice and of a matrix's row.
#[gpu_kernel]
fn by_warps(
    g: &Group,
    x: &[u32],
    m: &Matrix<u32>,
    mut lanes: PerThread<Matrix<u32>>,
    mut row: PerThread<Matrix<u32>>,
) {
    let [mut of_lane, mut of_row] = [g.private(0), g.private(0)];
    g.each_warp((&mut of_lane, &mut of_row), |w, (mut of_lane, mut of_row)| {
        w.each((&mut of_lane, x.elements_from(5)), |_, (out, x)| *out = x.map_or(0, |x| x + 1));
        w.each((&mut of_row, m.row(0).elements_from(2)), |_, (out, m)| *out = m.map_or(0, |m| m + 1));
    });
    g.each(
        (&of_lane, &of_row, lanes.elements_mut(), row.elements_mut()),
        |_, (lane, element, lanes, row)| {
            if let (Some(lanes), Some(row)) = (lanes, row) {
                [*lanes, *row] = [*lane, *element];
            }
        },
    );
}

#[test]
fn warps_read_by_lanes() -> Result {
    let (device, stream) = open()?;
    let kernel = by_warps::load(&device)?;
    let lanes = warp_size(&device)?;
    let shapes = [(1, 1), (8, 4), (7, 9), (3, 32), (4, 64), (33, 5)];
    for &(rows, cols) in sizes(&device, &shapes, &shapes[4..]) {
        let warp = lanes.min(rows * cols);
        for (len, size) in [
            (4, [1, 2]),
            (5 + warp - 1, [rows, cols + 2]),
            (5 + warp, [rows + 1, cols + 1]),
            (80, [rows + 1, cols + 2]),
        ] {
            let (x, m) = (numbers(len), numbers(size[0] * size[1]));
            let buffers = (stream.upload(&x)?, stream.upload_matrix(size[0], size[1], &m)?);
            let (mut by_lane, mut row) =
                (stream.alloc_matrix_zeroed(rows, cols)?, stream.alloc_matrix_zeroed(rows, cols)?);
            let config = LaunchConfig::for_matrix(rows, cols).block((cols, rows));
            kernel.launch(&stream, config, (&buffers.0, &buffers.1, &mut by_lane, &mut row))?;
            let of_lane = |i: usize| x.get(5 + i % lanes).map_or(0, |x| x + 1);
            let of_row = |i: usize| {
                let col = 2 + i % lanes;
                if col < size[1] { m[col] + 1 } else { 0 }
            };
            let expected: [Vec<u32>; 2] =
                [(0..rows * cols).map(of_lane).collect(), (0..rows * cols).map(of_row).collect()];
            let got = [stream.download(&by_lane)?, stream.download(&row)?];
            assert_eq!(got, expected, "{len} elements, {size:?}, groups of {rows} by {cols}");
        }
    }
    Ok(())
}
