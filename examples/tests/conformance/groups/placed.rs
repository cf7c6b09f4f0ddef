//! Tiles of a matrix that lie where the launch says.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open};

/// Which tile a group has, in all of its elements; the number of elements that the kernel may read of no group's is added.
fn mark<P: gridwright::ownership::Placement>(
    g: &Group<'_, impl GroupShape>,
    m: &mut PerGroup<'_, Matrix<u32>, PlacedTiles<4, 8, P>>,
    also: u32,
) {
    let [row, col] = m.origin();
    let value = 10_000 + 100 * (row / 4).min(90) as u32 + (col / 8).min(90) as u32 + also;
    g.each(m.patches_mut::<1, 1>(), |_, patch| patch.for_each(|_, _, m| *m = value));
}

#[gpu_kernel(block = (8, 4))]
fn on_diagonal(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<4, 8, Diagonal>>) {
    let [row, col] = m.origin();
    // The tile's own elements aren't read, nor what lies on the diagonal; what is above is, unless the matrix ends there.
    let own = m.unowned(row, col);
    let next = m.unowned(row + 4, col.wrapping_sub(8));
    assert!(own.is_none() && next.is_none());
    let above = m.unowned(row.wrapping_sub(1), col).unwrap_or(0) % 7;
    mark(g, &mut m, 1_000_000 * above);
}

#[gpu_kernel(block = (8, 4))]
fn from_an_offset(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<4, 8, Offset>>) {
    let [row, col] = m.origin();
    let own = m.unowned(row, col);
    let next = m.unowned(row + 4, col);
    assert!(own.is_none() && next.is_none());
    let corner = m.unowned(0, 0).unwrap_or(0) % 7;
    mark(g, &mut m, 1_000_000 * corner);
}

#[gpu_kernel(block = (8, 4))]
fn in_an_order(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<4, 8, Permuted>>) {
    mark(g, &mut m, 0);
}

/// The matrix with what a function makes of each tile's row and column; other tiles keep what they had.
#[host_only]
fn expected(rows: usize, cols: usize, tile: impl Fn(usize, usize) -> Option<u32>) -> Vec<u32> {
    (0..rows * cols)
        .map(|i| {
            let (row, col) = (i / cols / 4, i % cols / 8);
            tile(row, col).map_or(3, |also| 10_000 + 100 * row as u32 + col as u32 + also)
        })
        .collect()
}

const SIZES: [(usize, usize); 4] = [(12, 24), (9, 40), (17, 10), (3, 3)];

#[test]
fn tiles_lie_on_diagonals() -> Result {
    let (device, stream) = open()?;
    let kernel = on_diagonal::load(&device)?;
    for (rows, cols) in SIZES {
        for diagonal in 0..9 {
            for groups in [1, 2, 6] {
                let mut m = stream.upload_matrix(rows, cols, &vec![3; rows * cols])?;
                kernel.launch(
                    &stream,
                    LaunchConfig::grid(groups, (8, 4)),
                    (m.tiles_on_diagonal(diagonal),),
                )?;
                let first = (diagonal + 1_usize).saturating_sub(cols.div_ceil(8));
                let expected = expected(rows, cols, |row, col| {
                    let is_owned = row + col == diagonal && row >= first && row < first + groups;
                    is_owned.then_some(if row > 0 { 3_000_000 } else { 0 })
                });
                assert_eq!(stream.download(&m)?, expected, "{rows} by {cols}, {diagonal}, {groups}");
            }
        }
    }
    Ok(())
}

#[test]
fn tiles_lie_from_an_offset_on() -> Result {
    let (device, stream) = open()?;
    let kernel = from_an_offset::load(&device)?;
    for (rows, cols) in SIZES {
        for (down, right) in [(0, 0), (1, 0), (0, 2), (2, 1), (usize::MAX, usize::MAX)] {
            let mut m = stream.upload_matrix(rows, cols, &vec![3; rows * cols])?;
            let config = LaunchConfig::grid((2, 3), (8, 4));
            kernel.launch(&stream, config, (m.tiles_from(down, right),))?;
            let expected = expected(rows, cols, |row, col| {
                let (row, col) = (row.checked_sub(down)?, col.checked_sub(right)?);
                (row < 3 && col < 2).then_some(if down + right > 0 { 3_000_000 } else { 0 })
            });
            assert_eq!(stream.download(&m)?, expected, "{rows} by {cols}, {down}, {right}");
        }
    }
    Ok(())
}

#[test]
fn tiles_lie_in_the_order_of_a_list() -> Result {
    let (device, stream) = open()?;
    let kernel = in_an_order::load(&device)?;
    let order = stream.upload_distinct(&[7, 0, 4, 8])?;
    // Fewer groups than numbers, and more.
    for groups in [1, 3, 6] {
        let mut m = stream.upload_matrix(12, 20, &[3; 240])?;
        kernel.launch(&stream, LaunchConfig::grid(groups, (8, 4)), (m.tiles_by(&order),))?;
        let expected = expected(12, 20, |row, col| {
            [7, 0, 4, 8].iter().take(groups).any(|&tile| tile == row * 3 + col).then_some(0)
        });
        assert_eq!(stream.download(&m)?, expected, "{groups}");
    }
    let mut small = stream.alloc_matrix_zeroed(8, 20)?;
    let error = kernel.launch(&stream, LaunchConfig::grid(1, (8, 4)), (small.tiles_by(&order),)).unwrap_err();
    let text = "kernel `in_an_order`, parameter `m`: the list is of 9 tiles at least, and the memory has 6";
    assert_eq!(error.to_string(), text);
    Ok(())
}
