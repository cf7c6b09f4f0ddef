//! Matrices, larger and smaller than the launch, and the ways to own their elements.

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, says, sizes};

#[gpu_kernel]
pub(super) fn positions(t: Thread, mut out: PerThread<Matrix<u32>>) {
    let position = (t.row() * 1000 + t.col()) as u32;
    if let Some(out) = out.get_mut(t) {
        *out += position;
    }
}

#[test]
fn matrices_larger_and_smaller_than_the_launch() -> Result {
    let (device, stream) = open()?;
    let kernel = positions::load(&device)?;
    let all = [(1, 1), (1, 700), (700, 1), (5, 999), (33, 65), (200, 300)];
    let shapes = sizes(&device, &all, &[(1, 70), (70, 1), (33, 65)]);
    for &(rows, cols) in shapes {
        for &(launch_rows, launch_cols) in shapes {
            let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
            kernel.launch(&stream, LaunchConfig::for_matrix(launch_rows, launch_cols), (&mut out,))?;
            let out = stream.download(&out)?;
            for row in 0..rows {
                for col in 0..cols {
                    let inside = row < launch_rows && col < launch_cols;
                    let expected = if inside { row * 1000 + col } else { 0 };
                    assert_eq!(out[row * cols + col] as usize, expected, "{row} {col} of {rows} {cols}");
                }
            }
        }
    }
    Ok(())
}

/// Threads beyond the launch and those without an element are one to kernels that begin with it.
#[gpu_kernel]
fn counted(t: Thread, mut out: PerThread<Matrix<u32>>) {
    let (row, col, index) = (t.row(), t.col(), t.index());
    let Some(out) = out.get_mut(t) else { return };
    *out += (row * 1_000_000 + col * 1000 + index % 1000) as u32;
}

#[gpu_kernel]
fn counted_transposed(t: Thread, mut out: PerThread<Matrix<u32>, Transposed>) {
    if let Some(out) = out.get_mut(t) {
        *out += (t.row() * 1_000_000 + t.col() * 1000 + t.index() % 1000) as u32;
    }
}

#[gpu_kernel(index = u64)]
fn counted_at_length(t: Thread, mut out: PerThread<Matrix<u32>>) {
    if let Some(out) = out.get_mut(t) {
        *out += (t.row() * 1_000_000 + t.col() * 1000 + t.index() % 1000) as u32;
    }
}

#[gpu_kernel]
fn counted_tops(t: Thread, mut out: PerThread<Matrix<u32>, Columns>) {
    if let Some(out) = out.get_mut(t) {
        *out += (t.row() * 1_000_000 + t.col() * 1000 + t.index() % 1000) as u32;
    }
}

#[test]
fn kernels_that_begin_with_an_element_of_a_matrix() -> Result {
    let (device, stream) = open()?;
    let plain = counted::load(&device)?;
    let transposed = counted_transposed::load(&device)?;
    let at_length = counted_at_length::load(&device)?;
    let tops = counted_tops::load(&device)?;
    let all = [(1, 1), (1, 100), (100, 1), (33, 65), (64, 32), (9, 300)];
    let shapes = sizes(&device, &all, &[(1, 70), (70, 1), (33, 40)]);
    for &(rows, cols) in shapes {
        for &(height, width) in shapes {
            let config = LaunchConfig::for_matrix(height, width);
            let alloc = || stream.alloc_matrix_zeroed::<u32>(rows, cols);
            let (mut of_plain, mut of_transposed) = (alloc()?, alloc()?);
            let (mut of_length, mut of_tops) = (alloc()?, alloc()?);
            plain.launch(&stream, config, (&mut of_plain,))?;
            transposed.launch(&stream, config, (&mut of_transposed,))?;
            at_length.launch(&stream, config, (&mut of_length,))?;
            tops.launch(&stream, config, (&mut of_tops,))?;
            let mut nothing = stream.alloc_matrix_zeroed::<u32>(0, cols)?;
            plain.launch(&stream, config, (&mut nothing,))?;
            let number = |row: usize, col: usize| {
                let ran = row < height && col < width;
                if ran { row * 1_000_000 + col * 1000 + (row * width + col) % 1000 } else { 0 }
            };
            let is = |out: Vec<u32>, expected: &dyn Fn(usize, usize) -> usize| {
                for (i, out) in out.into_iter().enumerate() {
                    let (row, col) = (i / cols, i % cols);
                    assert_eq!(
                        out as usize,
                        expected(row, col),
                        "{row} {col} of {rows} by {cols}, {height} by {width}"
                    );
                }
            };
            is(stream.download(&of_plain)?, &number);
            is(stream.download(&of_transposed)?, &|row, col| number(col, row));
            is(stream.download(&of_length)?, &number);
            is(stream.download(&of_tops)?, &|row, col| if row == 0 { number(0, col) } else { 0 });
        }
    }
    Ok(())
}

#[gpu_kernel]
fn blur(t: Thread, image: &Matrix<i32>, mut out: PerThread<Matrix<i32>>) {
    let mut sum = 0;
    for down in 0..5 {
        for right in 0..5 {
            let (row, col) = ((t.row() + down).wrapping_sub(2), (t.col() + right).wrapping_sub(2));
            sum += image.get_or(row, col, -1);
        }
    }
    if let Some(out) = out.get_mut(t) {
        *out = sum;
    }
}

#[test]
fn stencils_at_and_off_the_edges() -> Result {
    let (device, stream) = open()?;
    let kernel = blur::load(&device)?;
    let all = [(1, 1), (2, 3), (4, 4), (5, 5), (1, 4000), (4000, 1), (67, 130)];
    for &(rows, cols) in sizes(&device, &all, &[(1, 1), (4, 4), (1, 400), (37, 23)]) {
        let host: Vec<i32> = (0..rows * cols).map(|i| (i * 7919 % 1009) as i32).collect();
        let image = stream.upload_matrix(rows, cols, &host)?;
        let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
        kernel.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&image, &mut out))?;
        let at = |row: isize, col: isize| {
            let inside = (0..rows as isize).contains(&row) && (0..cols as isize).contains(&col);
            if inside { host[row as usize * cols + col as usize] } else { -1 }
        };
        let out = stream.download(&out)?;
        for row in 0..rows as isize {
            for col in 0..cols as isize {
                let near = (-2..=2).flat_map(|down| (-2..=2).map(move |right| (row + down, col + right)));
                let expected: i32 = near.map(|(row, col)| at(row, col)).sum();
                assert_eq!(out[row as usize * cols + col as usize], expected, "{row} {col} of {rows} {cols}");
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn who_in_a_group(t: Thread, mut out: PerThread<Matrix<[u32; 4]>>) {
    let Local { x, y, z } = t.local();
    let who = [x as u32, y as u32, z as u32, t.group_index() as u32];
    if let Some(out) = out.get_mut(t) {
        *out = who;
    }
}

#[test]
fn threads_know_their_workgroup() -> Result {
    let (device, stream) = open()?;
    let mut out = stream.alloc_matrix_zeroed(20, 50)?;
    let config = LaunchConfig::for_matrix(20, 50).block((16, 8));
    who_in_a_group::load(&device)?.launch(&stream, config, (&mut out,))?;
    for (i, who) in stream.download(&out)?.into_iter().enumerate() {
        let (row, col) = (i as u32 / 50, i as u32 % 50);
        assert_eq!(who, [col % 16, row % 8, 0, row / 8 * 4 + col / 16], "{row} {col}");
    }
    Ok(())
}

#[gpu_kernel]
fn transpose(t: Thread, from: &Matrix<u32>, mut to: PerThread<Matrix<u32>, Transposed>) {
    let sizes = 1000 * to.rows() + to.cols();
    if let Some(to) = to.get_mut(t) {
        *to += from.get_or(t.row(), t.col(), 7) + sizes as u32;
    }
}

#[test]
fn transposed_matrices_are_owned_by_column_and_row() -> Result {
    let (device, stream) = open()?;
    let kernel = transpose::load(&device)?;
    let all = [(1, 1), (1, 300), (300, 1), (33, 65), (70, 40)];
    let shapes = sizes(&device, &all, &[(1, 100), (33, 25)]);
    for &(rows, cols) in shapes {
        for &(height, width) in shapes {
            let host: Vec<u32> = (0..rows * cols).map(|i| i as u32 * 7919 % 10_007).collect();
            let from = stream.upload_matrix(rows, cols, &host)?;
            // Of the sizes of the transposed matrix; the launch is smaller or larger.
            let mut to = stream.alloc_matrix_zeroed::<u32>(cols, rows)?;
            kernel.launch(&stream, LaunchConfig::for_matrix(height, width), (&from, &mut to))?;
            for (i, to) in stream.download(&to)?.into_iter().enumerate() {
                let (row, col) = (i % rows, i / rows);
                let ran = row < height && col < width;
                let expected = if ran { host[row * cols + col] as usize + 1000 * cols + rows } else { 0 };
                assert_eq!(to as usize, expected, "({col}, {row}) of {cols} by {rows}");
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn numbered_columns(t: Thread, mut m: PerThread<Matrix<u32>, Columns>) {
    let index = t.index() as u32;
    if let Some(first) = m.get_mut(t) {
        *first += 5;
    }
    let Some(mut column) = m.column_mut(t) else { return };
    for row in 0..column.len() {
        column[row] += 1000 * index + row as u32 + 1;
    }
}

#[test]
fn columns_are_owned_by_the_threads_of_the_first_row() -> Result {
    let (device, stream) = open()?;
    let kernel = numbered_columns::load(&device)?;
    let configs: Vec<LaunchConfig> = [1, 64, 65, 66, 5000]
        .map(LaunchConfig::threads)
        .into_iter()
        .chain([LaunchConfig::for_matrix(3, 65), LaunchConfig::grid((2, 7), (33, 2))])
        .collect();
    let all = [(1, 1), (1, 300), (300, 1), (33, 65), (70, 4000)];
    for &(rows, cols) in sizes(&device, &all, &[(1, 300), (33, 65)]) {
        for &config in sizes(&device, &configs, &configs[5..]) {
            let mut m = stream.alloc_matrix_zeroed::<u32>(rows, cols)?;
            kernel.launch(&stream, config, (&mut m,))?;
            let m = stream.download(&m)?;
            let width = (0..cols).take_while(|&col| m[col] != 0).count();
            assert!(width > 0);
            for (i, found) in m.into_iter().enumerate() {
                let (row, col) = (i / cols, i % cols);
                let expected = 1000 * col + row + 1 + if row == 0 { 5 } else { 0 };
                assert_eq!(found as usize, if col < width { expected } else { 0 }, "({row}, {col})");
            }
        }
        // As many threads as columns reach all of them.
        let mut m = stream.alloc_matrix_zeroed::<u32>(rows, cols)?;
        kernel.launch(&stream, LaunchConfig::threads(cols), (&mut m,))?;
        assert!(stream.download(&m)?.into_iter().all(|element| element != 0));
    }
    // No column of a matrix without rows.
    let mut empty = stream.alloc_matrix_zeroed::<u32>(0, 5)?;
    kernel.launch(&stream, LaunchConfig::threads(5), (&mut empty,))?;
    stream.synchronize()
}

#[gpu_kernel]
fn row_beyond(t: Thread, mut m: PerThread<Matrix<u32>, Columns>) {
    if let Some(mut column) = m.column_mut(t) {
        column[3] = 1;
    }
}

#[test]
fn a_row_that_a_column_lacks_is_an_error() -> Result {
    let (device, stream) = open()?;
    let mut m = stream.alloc_matrix_zeroed::<u32>(3, 5)?;
    row_beyond::load(&device)?.launch(&stream, LaunchConfig::threads(5), (&mut m,))?;
    let Err(Error::KernelPanic { message, .. }) = stream.synchronize() else { panic!("there is no row 3") };
    assert!(says(&device, &message, "row 3 of a matrix of 3 rows"), "{message}");
    Ok(())
}
