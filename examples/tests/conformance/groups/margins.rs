//! Blocks that are larger than the tile they own, and workgroup memory that is larger than the block.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, is_cpu, open, sizes};

/// Two steps of a sum of neighbours, with the values between in workgroup memory: a margin of two threads.
#[gpu_kernel(block = (12, 8))]
fn twice(
    g: &Group,
    x: &Matrix<u32>,
    mut y: PerGroup<Matrix<u32>, Tiles<4, 8>>,
    mut before: Workgroup<[[u32; 14]; 10]>,
    mut between: Workgroup<[[u32; 12]; 8]>,
) {
    let [row, col] = y.origin();
    let (top, left) = (row.wrapping_sub(3), col.wrapping_sub(3));
    // A row and a column more on each side than the block has.
    g.fill_with(&mut before, |row, col| x.get_or(top.wrapping_add(row), left.wrapping_add(col), 0));
    g.each((between.elements_mut(), before.shared()), |t, (sum, before)| {
        let (row, col) = (t.local().y + 1, t.local().x + 1);
        let is_inside = top.wrapping_add(row) < x.rows() && left.wrapping_add(col) < x.cols();
        *sum = if is_inside {
            before[row - 1][col] + before[row + 1][col] + before[row][col - 1] + before[row][col + 1]
        } else {
            0
        };
    });
    g.each((y.inner_elements_mut(2), between.shared()), |t, (y, between)| {
        let (row, col) = (t.local().y, t.local().x);
        if let Some(y) = y {
            *y =
                between[row - 1][col] + between[row + 1][col] + between[row][col - 1] + between[row][col + 1];
        }
    });
}

#[host_only]
fn step(x: &[u32], rows: usize, cols: usize) -> Vec<u32> {
    let at = |row: usize, col: usize| if row < rows && col < cols { x[row * cols + col] } else { 0 };
    let sum = |row: usize, col: usize| {
        at(row.wrapping_sub(1), col) + at(row + 1, col) + at(row, col.wrapping_sub(1)) + at(row, col + 1)
    };
    (0..rows * cols).map(|i| sum(i / cols, i % cols)).collect()
}

#[test]
fn inner_threads_own_the_tile_of_a_larger_block() -> Result {
    let (device, stream) = open()?;
    let kernel = twice::load(&device)?;
    for &(rows, cols) in sizes(&device, &[(1, 1), (4, 8), (5, 9), (37, 50), (100, 3)], &[(5, 9), (13, 20)]) {
        let x: Vec<u32> = (0..(rows * cols) as u32).map(|i| i * 7919 % 1009).collect();
        let mut y = stream.upload_matrix(rows, cols, &vec![9_u32; rows * cols])?;
        let config = LaunchConfig::for_matrix(rows, cols);
        kernel.launch(&stream, config, (&stream.upload_matrix(rows, cols, &x)?, &mut y))?;
        assert_eq!(stream.download(&y)?, step(&step(&x, rows, cols), rows, cols), "{rows} by {cols}");
    }
    Ok(())
}

/// Elements stay a thread's own while it repeats itself.
#[gpu_kernel(block = (6, 5))]
fn halved_inside(g: &Group, mut y: PerGroup<Matrix<u32>, Tiles<3, 4>>) {
    g.each_while(y.inner_elements_mut(1), |_, y| {
        let Some(y) = y else { return false };
        if *y > 9 {
            *y /= 2;
        }
        *y > 9
    });
}

#[test]
fn inner_elements_are_given_to_loops_of_threads() -> Result {
    let (device, stream) = open()?;
    let x: Vec<u32> = (0..7 * 9).map(|i| i * 37 % 1009).collect();
    let mut y = stream.upload_matrix(7, 9, &x)?;
    halved_inside::load(&device)?.launch(&stream, LaunchConfig::for_matrix(7, 9), (&mut y,))?;
    let half = |mut x: u32| {
        while x > 9 {
            x /= 2;
        }
        x
    };
    assert_eq!(stream.download(&y)?, x.into_iter().map(half).collect::<Vec<_>>());
    Ok(())
}

#[gpu_kernel(block = (8, 8))]
fn of_another_margin(g: &Group, margin: u32, mut y: PerGroup<Matrix<u32>, Tiles<4, 4>>) {
    g.each(y.inner_elements_mut(margin as usize), |_, y| {
        if let Some(y) = y {
            *y += 1;
        }
    });
}

#[test]
fn a_margin_that_does_not_fit_is_a_panic() -> Result {
    let (device, stream) = open()?;
    if !is_cpu(&device) {
        return Ok(()); // a panic ends the device of a driver: those of GPUs are among the panics
    }
    let kernel = of_another_margin::load(&device)?;
    let mut y = stream.alloc_matrix_zeroed::<u32>(4, 4)?;
    let mut with = |margin: u32| -> Result {
        kernel.launch(&stream, LaunchConfig::for_matrix(4, 4), (margin, &mut y))?;
        stream.synchronize()?;
        Ok(())
    };
    with(2)?;
    for margin in [0, 1, 3, u32::MAX] {
        let message = with(margin).unwrap_err().to_string();
        let expected =
            format!("a tile of 4 rows and 4 columns with a margin of {margin} was handed to 8 by 8 threads");
        assert!(message.contains(&expected), "{message}");
    }
    assert_eq!(stream.download(&y)?, [1; 16]);
    Ok(())
}
