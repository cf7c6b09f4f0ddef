//! Rows of a matrix, of any length, that groups and threads own.

use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, open, sizes};

/// Each element takes the number of its row's group and of the thread that wrote it, and then those of a later phase are added.
#[gpu_kernel]
fn rows(g: &Group, mut out: PerGroup<Matrix<u32>, Rows>) {
    let (group, cols, threads) = (g.index() as u32, out.cols(), g.len());
    assert!(out.row() == g.index());
    for start in g.blocks(cols, threads) {
        g.each(out.elements_from_mut(start), |t, element| {
            if let Some(element) = element {
                *element = 1000 * group + t.local().x as u32;
            }
        });
    }
    // Others' elements: one further on, wherever that lies.
    for start in g.blocks(cols, threads) {
        g.each(out.elements_from_mut(start + 1), |_, element| {
            if let Some(element) = element {
                *element += 500_000;
            }
        });
    }
}

#[test]
fn groups_own_rows_of_any_length() -> Result {
    let (device, stream) = open()?;
    let kernel = rows::load(&device)?;
    for &block in blocks(&device) {
        for &cols in sizes(&device, &[1_usize, 31, 32, 33, 1000], &[33]) {
            for (rows, groups) in [(3, 3), (5, 3), (3, 5)] {
                let mut out = stream.alloc_matrix_zeroed::<u32>(rows, cols)?;
                kernel.launch(&stream, LaunchConfig::grid(groups, block), (&mut out,))?;
                let expected: Vec<u32> = (0..rows * cols)
                    .map(|i| match (i / cols, i % cols) {
                        (row, _) if row >= groups => 0,
                        (row, 0) => 1000 * row as u32,
                        (row, col) => (1000 * row + col % block + 500_000) as u32,
                    })
                    .collect();
                assert_eq!(stream.download(&out)?, expected, "{rows} by {cols}, {groups} groups of {block}");
            }
        }
    }
    Ok(())
}

/// A row is that of the group's number in grids of several axes too.
#[gpu_kernel]
fn numbered_rows(g: &Group, mut out: PerGroup<Matrix<u32>, Rows>) {
    let index = g.index() as u32;
    g.each(out.elements_from_mut(0), |_, element| {
        if let Some(element) = element {
            *element = index + 1;
        }
    });
}

#[test]
fn rows_are_numbered_as_groups_are() -> Result {
    let (device, stream) = open()?;
    for config in [LaunchConfig::grid(6, 16), LaunchConfig::grid((2, 3), (8, 2))] {
        let mut out = stream.alloc_matrix_zeroed::<u32>(7, 16)?;
        numbered_rows::load(&device)?.launch(&stream, config, (&mut out,))?;
        let expected: Vec<u32> = (0..7 * 16).map(|i| if i / 16 < 6 { i / 16 + 1 } else { 0 }).collect();
        assert_eq!(stream.download(&out)?, expected);
    }
    Ok(())
}

/// Threads of a phase that is called again keep their elements.
#[gpu_kernel(block = 32)]
fn halved(g: &Group, mut out: PerGroup<Matrix<u32>, Rows>) {
    for start in g.blocks(out.cols(), 32) {
        g.each_while(out.elements_from_mut(start), |_, element| {
            let Some(element) = element else { return false };
            if *element > 9 {
                *element /= 2;
            }
            *element > 9
        });
    }
}

#[test]
fn rows_are_given_to_loops_of_threads() -> Result {
    let (device, stream) = open()?;
    let x: Vec<u32> = (0..4 * 70).map(|i| i * 37 % 1009).collect();
    let mut out = stream.upload_matrix(4, 70, &x)?;
    halved::load(&device)?.launch(&stream, LaunchConfig::grid(4, 32), (&mut out,))?;
    let half = |mut x: u32| {
        while x > 9 {
            x /= 2;
        }
        x
    };
    assert_eq!(stream.download(&out)?, x.into_iter().map(half).collect::<Vec<_>>());
    Ok(())
}

#[gpu_kernel]
fn running_sums(t: Thread, mut m: PerThread<Matrix<u32>, Rows>) {
    let Some(row) = m.row_mut(t) else { return };
    let mut sum = 0;
    for x in row {
        sum += *x;
        *x = sum;
    }
}

/// In phases a thread has its row's first element.
#[gpu_kernel]
fn firsts(g: &Group, mut m: PerThread<Matrix<u32>, Rows>) {
    g.each(m.elements_mut(), |t, first| {
        if let Some(first) = first {
            *first = t.index() as u32;
        }
    });
}

#[test]
fn threads_own_rows() -> Result {
    let (device, stream) = open()?;
    for &(rows, cols) in sizes(&device, &[(1, 1), (7, 33), (300, 5), (1000, 64)], &[(7, 33), (70, 5)]) {
        let x: Vec<u32> = (0..(rows * cols) as u32).map(|i| i * 37 % 101).collect();
        let mut m = stream.upload_matrix(rows, cols, &x)?;
        // More threads than rows, of which some own nothing.
        running_sums::load(&device)?.launch(&stream, LaunchConfig::threads(rows + 3), (&mut m,))?;
        let mut expected = x;
        for row in expected.chunks_mut(cols) {
            (1..cols).for_each(|col| row[col] += row[col - 1]);
        }
        assert_eq!(stream.download(&m)?, expected);
        firsts::load(&device)?.launch(&stream, LaunchConfig::threads(rows), (&mut m,))?;
        expected.chunks_mut(cols).enumerate().for_each(|(row, elements)| elements[0] = row as u32);
        assert_eq!(stream.download(&m)?, expected);
    }
    Ok(())
}
