//! Parts of a buffer that a list says: segments, and elements in another order.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

/// A sparse matrix times a vector, a thread a row.
#[gpu_kernel(requires = weights.len() == y.len() && columns.len() == y.len())]
fn sparse_by_threads(
    t: Thread,
    weights: &Segments<u32>,
    columns: &Segments<u32>,
    x: &[u32],
    mut y: PerThread<[u32]>,
) {
    if let Some(y) = y.get_mut(t) {
        let mut sum = 0;
        for (weight, &column) in weights[t.index()].iter().zip(&columns[t.index()]) {
            sum += weight * x[column as usize];
        }
        *y = sum;
    }
}

/// A sparse matrix times a vector, a warp a row: 4 rows a group.
#[gpu_kernel(block = 64, requires = weights.len() == y.rows() && columns.len() == y.rows())]
fn sparse_by_warps(
    g: &Group,
    weights: &Segments<u32>,
    columns: &Segments<u32>,
    x: &[u32],
    mut y: PerGroup<Matrix<u32>, Rows<4>>,
) {
    g.each_warp(y.warp_rows_mut(), |w, mut rows| {
        while let Some(mut y) = rows.next_row() {
            let (weights, columns) =
                (weights.get(y.row()).unwrap_or(&[]), columns.get(y.row()).unwrap_or(&[]));
            let mut sums = w.private(0);
            for start in w.blocks(weights.len(), w.len()) {
                w.each(
                    (&mut sums, weights.elements_from(start), columns.elements_from(start)),
                    |_, (sum, weight, column)| {
                        if let (Some(weight), Some(&column)) = (weight, column) {
                            *sum += weight * x[column as usize];
                        }
                    },
                );
            }
            y.set(w, 0, w.reduce(&sums, |a, b| a + b));
        }
    });
}

/// Offsets of rows of which some are empty, and one is long.
#[host_only]
fn offsets(rows: usize) -> Vec<u32> {
    let lens = (0..rows).map(|row| if row % 7 == 5 { 150 } else { row * 5 % 11 });
    let ends = lens.scan(0, |end, len| {
        *end += len as u32;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

#[test]
fn segments_are_read() -> Result {
    let (device, stream) = open()?;
    for &rows in sizes(&device, &[1_usize, 2, 37, 1000], &[2, 37]) {
        let offsets = offsets(rows);
        let len = offsets[rows] as usize;
        let weights: Vec<u32> = (0..len as u32).map(|i| i % 9).collect();
        let columns: Vec<u32> = (0..len as u32).map(|i| i * 31 % 100).collect();
        let x: Vec<u32> = (0..100).map(|i| i * i).collect();
        let row = |row: usize| offsets[row] as usize..offsets[row + 1] as usize;
        let expected: Vec<u32> =
            (0..rows).map(|i| row(i).map(|at| weights[at] * x[columns[at] as usize]).sum()).collect();

        let on_device = stream.upload_offsets(&offsets)?;
        assert_eq!(on_device.len(), rows);
        let (weights, columns, x) = (stream.upload(&weights)?, stream.upload(&columns)?, stream.upload(&x)?);
        let segments = || (weights.segments(&on_device), columns.segments(&on_device));
        let mut y = stream.alloc_zeroed(rows)?;
        let (w, c) = segments();
        sparse_by_threads::load(&device)?.launch(&stream, LaunchConfig::threads(rows), (w, c, &x, &mut y))?;
        assert_eq!(stream.download(&y)?, expected);
        let mut y = stream.alloc_matrix_zeroed(rows, 1)?;
        let (w, c) = segments();
        let groups = LaunchConfig::grid(rows.div_ceil(4), 64);
        sparse_by_warps::load(&device)?.launch(&stream, groups, (w, c, &x, &mut y))?;
        assert_eq!(stream.download(&y)?, expected);
    }
    Ok(())
}

/// Each segment is reversed, and its first element then numbered: the one that `get_mut` gives.
#[gpu_kernel]
fn reversed_segments(t: Thread, mut x: PerThread<Segments<u32>>) {
    assert!(x.len() > 0);
    let Some(segment) = x.segment_mut(t) else { return };
    segment.reverse();
    if let Some(first) = x.get_mut(t) {
        *first += 1000;
    }
}

/// Each element of a group's segment takes the segment's number and its own, then others' are added to.
#[gpu_kernel(block = 32)]
fn numbered_segments(g: &Group, mut x: PerGroup<Segments<u32>>) {
    let (group, len) = (g.index() as u32, x.segment_len());
    assert!(x.len() > 0);
    for start in g.blocks(len, 32) {
        g.each(x.elements_from_mut(start), |t, x| {
            if let Some(x) = x {
                *x = 1000 * group + (start + t.local().x) as u32;
            }
        });
    }
    for start in g.blocks(len, 32) {
        g.each(x.elements_from_mut(start + 1), |_, x| {
            if let Some(x) = x {
                *x += 500_000;
            }
        });
    }
}

#[test]
fn segments_are_owned() -> Result {
    let (device, stream) = open()?;
    for &rows in sizes(&device, &[1_usize, 2, 37, 700], &[2, 37]) {
        let offsets = offsets(rows);
        // Beyond the last segment are elements of nobody.
        let len = offsets[rows] as usize + 3;
        let host: Vec<u32> = (0..len as u32).collect();
        let row = |row: usize| offsets[row] as usize..offsets[row + 1] as usize;
        let on_device = stream.upload_offsets(&offsets)?;

        let mut x = stream.upload(&host)?;
        let config = LaunchConfig::threads(rows + 2);
        reversed_segments::load(&device)?.launch(&stream, config, (x.segments_mut(&on_device),))?;
        let mut expected = host.clone();
        for i in 0..rows {
            expected[row(i)].reverse();
            expected[row(i)].iter_mut().take(1).for_each(|first| *first += 1000);
        }
        assert_eq!(stream.download(&x)?, expected);

        let mut x = stream.upload(&host)?;
        let config = LaunchConfig::grid(rows + 1, 32);
        numbered_segments::load(&device)?.launch(&stream, config, (x.segments_mut(&on_device),))?;
        let mut expected = host;
        for i in 0..rows {
            for (at, x) in expected[row(i)].iter_mut().enumerate() {
                *x = 1000 * i as u32 + at as u32 + if at > 0 { 500_000 } else { 0 };
            }
        }
        assert_eq!(stream.download(&x)?, expected);
    }
    Ok(())
}

#[gpu_kernel(requires = x.len() >= y.len())]
fn scattered(t: Thread, x: &[u32], mut y: PerThread<Scattered<u32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()];
    }
}

/// In phases of groups too.
#[gpu_kernel(block = 32)]
fn counted_where_scattered(g: &Group, mut y: PerThread<Scattered<u32>>) {
    let n = y.len();
    g.each(y.elements_mut(), |t, y| {
        if let Some(y) = y {
            assert!(t.index() < n);
            *y += t.index() as u32;
        }
    });
}

#[test]
fn elements_are_scattered() -> Result {
    let (device, stream) = open()?;
    for &n in sizes(&device, &[1_usize, 33, 1000], &[33]) {
        // Every third element, from the last one on.
        let order: Vec<u32> = (0..n as u32).map(|i| 3 * (n as u32 - 1 - i)).collect();
        let x: Vec<u32> = (0..n as u32).map(|i| i * i).collect();
        let order_on_device = stream.upload_distinct(&order)?;
        let (on_device, mut y) = (stream.upload(&x)?, stream.alloc_zeroed(3 * n)?);
        let threads = LaunchConfig::threads(n + 5);
        scattered::load(&device)?.launch(&stream, threads, (&on_device, y.scattered(&order_on_device)))?;
        let groups = LaunchConfig::grid(n.div_ceil(32), 32);
        counted_where_scattered::load(&device)?.launch(&stream, groups, (y.scattered(&order_on_device),))?;
        let mut expected = vec![0; 3 * n];
        for (i, (&at, x)) in order.iter().zip(&x).enumerate() {
            expected[at as usize] = x + i as u32;
        }
        assert_eq!(stream.download(&y)?, expected);
    }
    Ok(())
}

#[test]
fn lists_that_do_not_fit_are_refused() -> Result {
    let (device, stream) = open()?;
    let (x, mut y) = (stream.upload(&[0_u32; 4])?, stream.alloc_zeroed::<u32>(4)?);
    let order = stream.upload_distinct(&[0, 4])?;
    let kernel = scattered::load(&device)?;
    let error = kernel.launch(&stream, LaunchConfig::threads(2), (&x, y.scattered(&order))).unwrap_err();
    let text = "kernel `scattered`, parameter `y`: the list is of 5 elements at least, and the memory has 4";
    assert_eq!(error.to_string(), text);

    let offsets = stream.upload_offsets(&[0, 5])?;
    let kernel = reversed_segments::load(&device)?;
    let error = kernel.launch(&stream, LaunchConfig::threads(1), (y.segments_mut(&offsets),)).unwrap_err();
    assert!(matches!(error, gridwright::Error::BeyondBuffer { end: 5, len: 4, .. }), "{error}");

    // No segments at all, and none that a thread asks for.
    for nothing in [&[][..], &[0]] {
        let offsets = stream.upload_offsets(nothing)?;
        assert!(offsets.is_empty());
        let mut sums = stream.alloc_zeroed::<u32>(1)?;
        let kernel = first_of_segments::load(&device)?;
        kernel.launch(&stream, LaunchConfig::threads(1), (x.segments(&offsets), &mut sums))?;
        assert_eq!(stream.download(&sums)?, [9]);
    }
    Ok(())
}

#[gpu_kernel]
fn first_of_segments(t: Thread, x: &Segments<u32>, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get(t.index()).map_or(9, |x| x.len() as u32);
        assert!(x.range(t.index()).is_none() == x.is_empty());
    }
}
