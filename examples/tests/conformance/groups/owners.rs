//! Global memory of which each thread or each group owns a part.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

/// Launches of these many threads, over memory of these many elements.
#[host_only]
fn lengths(device: &Device) -> &'static [usize] {
    sizes(device, &[1, 31, 32, 33, 100, 256, 1000, 1025], &[33, 100])
}

macro_rules! counting {
    ($($name:ident $([$block:tt])?: $memory:ty $(, $map:ty)? => $($size:ident)*;)*) => {$(
        /// Each thread notes in what it owns its index, and that it came by.
        #[gpu_kernel$((block = $block))?]
        fn $name(g: &Group, mut out: PerThread<$memory $(, $map)?>) {
            let sizes = [$(out.$size()),*].iter().sum::<usize>();
            g.each(out.elements_mut(), |t, out| {
                if let Some(out) = out {
                    out[0] += t.index() as u64;
                    out[1] += sizes as u64;
                }
            });
            g.each(out.elements_mut(), |_, out| {
                if let Some(out) = out {
                    out[2] += 1;
                }
            });
        }
    )*};
}

counting! {
    slices: [[u64; 3]] => len;
    declared_slices[33]: [[u64; 3]] => len;
    backwards: [[u64; 3]], Reversed => len;
    declared_backwards[33]: [[u64; 3]], Reversed => len;
    matrices: Matrix<[u64; 3]> => rows cols;
    declared_matrices[(5, 3)]: Matrix<[u64; 3]> => rows cols;
    turned: Matrix<[u64; 3]>, Transposed => rows cols;
    declared_turned[(5, 3)]: Matrix<[u64; 3]>, Transposed => rows cols;
    volumes: Volume<[u64; 3]> => planes rows cols;
    declared_volumes[(5, 3, 2)]: Volume<[u64; 3]> => planes rows cols;
}

#[test]
fn threads_own_elements_of_shorter_and_longer_slices() -> Result {
    let (device, stream) = open()?;
    let blocks = sizes(&device, &[32, 33, 1000], &[32, 33]);
    for len in [0].into_iter().chain(lengths(&device).iter().copied()) {
        for (threads, block) in
            lengths(&device).iter().flat_map(|&threads| blocks.iter().map(move |&block| (threads, block)))
        {
            let run = threads.next_multiple_of(block);
            let config = LaunchConfig::threads(threads).block(block);
            let own = |owner: usize| if owner < run { [owner as u64, len as u64, 1] } else { [0; 3] };
            let mut out = stream.alloc_zeroed::<[u64; 3]>(len)?;
            slices::load(&device)?.launch(&stream, config, (&mut out,))?;
            assert_eq!(stream.download(&out)?, (0..len).map(own).collect::<Vec<_>>(), "{len} {run}");
            stream.fill(&mut out, [0; 3])?;
            backwards::load(&device)?.launch(&stream, config, (&mut out,))?;
            assert_eq!(stream.download(&out)?, (0..len).rev().map(own).collect::<Vec<_>>(), "{len} {run}");
            if block == 33 {
                stream.fill(&mut out, [0; 3])?;
                declared_slices::load(&device)?.launch(
                    &stream,
                    LaunchConfig::threads(threads),
                    (&mut out,),
                )?;
                declared_backwards::load(&device)?.launch(
                    &stream,
                    LaunchConfig::threads(threads),
                    (&mut out,),
                )?;
                let both = |i: usize| {
                    let (a, b) = (own(i), own(len - 1 - i));
                    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
                };
                assert_eq!(stream.download(&out)?, (0..len).map(both).collect::<Vec<_>>(), "{len} {run}");
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn arrays(g: &Group, mut out: PerThread<[[u32; 5]]>) {
    g.each(out.elements_mut(), |t, out| {
        if let Some(five) = out {
            *five = [0, 1, 2, 3, 4].map(|i| (5 * t.index() + i) as u32);
        }
    });
}

#[test]
fn threads_own_arrays_of_neighbours() -> Result {
    let (device, stream) = open()?;
    for &arrays_of_5 in sizes(&device, &[1, 31, 100], &[31]) {
        for &threads in sizes(&device, &[1, 32, 99, 100, 101], &[20, 32]) {
            let mut out = stream.upload(&vec![u32::MAX; 5 * arrays_of_5])?;
            arrays::load(&device)?.launch(&stream, LaunchConfig::grid(threads, 1), (&mut out,))?;
            let expected = |i: usize| if i < 5 * threads { i as u32 } else { u32::MAX };
            assert_eq!(stream.download(&out)?, (0..5 * arrays_of_5).map(expected).collect::<Vec<_>>());
        }
    }
    Ok(())
}

#[test]
fn threads_own_elements_of_smaller_and_larger_matrices() -> Result {
    let (device, stream) = open()?;
    let shapes = [(3_usize, 5_usize), (7, 40), (1, 1), (4, 6), (40, 7), (33, 33)];
    let shapes = sizes(&device, &shapes, &shapes[..2]);
    for &(rows, cols) in shapes {
        for &(height, width) in shapes {
            for &block in sizes(&device, &[(5, 3), (32, 8), (1, 1), (8, 32)], &[(5, 3), (8, 32)]) {
                let [run_cols, run_rows] =
                    [width.next_multiple_of(block.0), height.next_multiple_of(block.1)];
                let own = |row: usize, col: usize| {
                    let ran = row < run_rows && col < run_cols;
                    if ran { [(row * run_cols + col) as u64, (rows + cols) as u64, 1] } else { [0; 3] }
                };
                let (config, plain) = (
                    LaunchConfig::for_matrix(height, width).block(block),
                    LaunchConfig::for_matrix(height, width),
                );
                let all = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
                let straight: Vec<_> = all().map(|(row, col)| own(row, col)).collect();
                let crossed: Vec<_> = all().map(|(row, col)| own(col, row)).collect();
                let mut out = stream.alloc_matrix_zeroed::<[u64; 3]>(rows, cols)?;
                matrices::load(&device)?.launch(&stream, config, (&mut out,))?;
                assert_eq!(stream.download(&out)?, straight);
                stream.fill(&mut out, [0; 3])?;
                turned::load(&device)?.launch(&stream, config, (&mut out,))?;
                assert_eq!(stream.download(&out)?, crossed);
                if block == (5, 3) {
                    stream.fill(&mut out, [0; 3])?;
                    declared_matrices::load(&device)?.launch(&stream, plain, (&mut out,))?;
                    assert_eq!(stream.download(&out)?, straight);
                    stream.fill(&mut out, [0; 3])?;
                    declared_turned::load(&device)?.launch(&stream, plain, (&mut out,))?;
                    assert_eq!(stream.download(&out)?, crossed);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn threads_own_elements_of_smaller_and_larger_volumes() -> Result {
    let (device, stream) = open()?;
    let shapes = [(1_usize, 1_usize, 1_usize), (2, 3, 5), (3, 4, 6), (9, 2, 13)];
    let shapes = sizes(&device, &shapes, &shapes[1..3]);
    for &(planes, rows, cols) in shapes {
        for &(deep, high, wide) in shapes {
            for &block in sizes(&device, &[(5, 3, 2), (1, 1, 1), (4, 8, 8)], &[(5, 3, 2), (4, 8, 8)]) {
                let run = [
                    wide.next_multiple_of(block.0),
                    high.next_multiple_of(block.1),
                    deep.next_multiple_of(block.2),
                ];
                let expected: Vec<_> = (0..planes * rows * cols)
                    .map(|i| {
                        let (plane, row, col) = (i / cols / rows, i / cols % rows, i % cols);
                        let index = (plane * run[1] + row) * run[0] + col;
                        let ran = col < run[0] && row < run[1] && plane < run[2];
                        if ran { [index as u64, (planes + rows + cols) as u64, 1] } else { [0; 3] }
                    })
                    .collect();
                let config = LaunchConfig::for_volume(deep, high, wide);
                let mut out = stream.alloc_volume_zeroed::<[u64; 3]>(planes, rows, cols)?;
                volumes::load(&device)?.launch(&stream, config.block(block), (&mut out,))?;
                assert_eq!(stream.download(&out)?, expected);
                if block == (5, 3, 2) {
                    stream.fill(&mut out, [0; 3])?;
                    declared_volumes::load(&device)?.launch(&stream, config, (&mut out,))?;
                    assert_eq!(stream.download(&out)?, expected);
                }
            }
        }
    }
    Ok(())
}

#[host_only]
type Launch<'l> = &'l dyn Fn(&mut Buffer<u32>) -> Result;

macro_rules! once_a_group {
    ($($name:ident $([$block:tt])?;)*) => {$(
        #[gpu_kernel$((block = $block))?]
        fn $name(g: &Group, mut seen: PerGroup<[u32]>) {
            seen.set(g, 5);
            let len = seen.len();
            seen.set(g, (1000 * len + g.index()) as u32);
        }
    )*};
}

once_a_group! {
    once_a_row;
    once_a_tile[(4, 4)];
    once_a_cube[(4, 2, 2)];
}

#[test]
fn groups_write_an_element_each_where_there_is_one() -> Result {
    let (device, stream) = open()?;
    let (rows, tiles, cubes) =
        (once_a_row::load(&device)?, once_a_tile::load(&device)?, once_a_cube::load(&device)?);
    for &len in sizes(&device, &[0, 1, 39, 40, 41], &[39, 41]) {
        let launches: [Launch<'_>; 6] = [
            &|seen| rows.launch(&stream, LaunchConfig::grid(40, 32), (seen,)),
            &|seen| rows.launch(&stream, LaunchConfig::threads(10_000), (seen,)),
            &|seen| tiles.launch(&stream, LaunchConfig::grid((5, 8), (4, 4)), (seen,)),
            &|seen| tiles.launch(&stream, LaunchConfig::for_matrix(30, 17), (seen,)),
            &|seen| cubes.launch(&stream, LaunchConfig::grid((5, 4, 2), (4, 2, 2)), (seen,)),
            &|seen| cubes.launch(&stream, LaunchConfig::for_volume(4, 8, 20), (seen,)),
        ];
        for (number, launch) in launches.iter().enumerate() {
            let mut seen = stream.alloc_zeroed::<u32>(len)?;
            launch(&mut seen)?;
            let expected = |i: usize| if i < 40 { (1000 * len + i) as u32 } else { 0 };
            assert_eq!(stream.download(&seen)?, (0..len).map(expected).collect::<Vec<_>>(), "{number}");
        }
    }
    Ok(())
}

#[gpu_kernel]
fn arrays_of_groups(g: &Group, mut out: PerGroup<[[u32; 40]]>) {
    let first = 1000 * g.index();
    g.each(out.elements_mut(), |t, slot| *slot = (first + t.local().x) as u32);
    g.each(out.elements_mut(), |_, slot| *slot += 1);
}

#[test]
fn threads_share_out_the_array_of_their_group() -> Result {
    let (device, stream) = open()?;
    for block in [1, 31, 32, 40] {
        let mut out = stream.upload(&[7_u32; 40 * 5])?;
        arrays_of_groups::load(&device)?.launch(&stream, LaunchConfig::grid(4, block), (&mut out,))?;
        // There is room for a fifth group.
        let expected = |i: usize| if i < 160 && i % 40 < block { i / 40 * 1000 + i % 40 + 1 } else { 7 };
        let expected: Vec<_> = (0..200).map(|i| expected(i) as u32).collect();
        assert_eq!(stream.download(&out)?, expected);
    }
    Ok(())
}

#[gpu_kernel]
fn tiles(g: &Group, mut out: PerGroup<Matrix<u32>>) {
    let (sizes, number) = ((out.rows() + out.cols()) as u32, g.index() as u32 + 1);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out += 1000 * number;
        }
    });
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out += sizes;
        }
    });
}

#[gpu_kernel(block = (5, 3))]
fn declared_tiles(g: &Group, mut out: PerGroup<Matrix<u32>>) {
    let (sizes, number) = ((out.rows() + out.cols()) as u32, g.index() as u32 + 1);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out += 1000 * number + sizes;
        }
    });
}

#[test]
fn groups_own_the_tile_that_their_threads_cover() -> Result {
    let (device, stream) = open()?;
    for &(rows, cols) in sizes(&device, &[(1, 1), (3, 5), (20, 31), (40, 9)], &[(3, 5), (10, 31)]) {
        for &(groups_x, groups_y) in sizes(&device, &[(1, 1), (3, 2), (9, 11)], &[(3, 2), (7, 4)]) {
            let expected: Vec<_> = (0..rows * cols)
                .map(|i| {
                    let (down, across) = (i / cols / 3, i % cols / 5);
                    let ran = across < groups_x && down < groups_y;
                    if ran { (1000 * (down * groups_x + across + 1) + rows + cols) as u32 } else { 0 }
                })
                .collect();
            let config = LaunchConfig::grid((groups_x, groups_y), (5, 3));
            let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
            tiles::load(&device)?.launch(&stream, config, (&mut out,))?;
            assert_eq!(stream.download(&out)?, expected);
            let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
            declared_tiles::load(&device)?.launch(&stream, config, (&mut out,))?;
            assert_eq!(stream.download(&out)?, expected);
        }
    }
    Ok(())
}

#[gpu_kernel]
fn read_only(
    g: &Group,
    slice: &[u16],
    arrays: &[[u8; 3]],
    matrix: &Matrix<i64>,
    volume: &Volume<f64>,
    scale: f32,
    mut out: PerThread<[f64]>,
) {
    g.each(out.elements_mut(), |t, out| {
        let i = t.index();
        let Some(out) = out else { return };
        *out = f64::from(slice[i]) + f64::from(arrays[i][2]) + f64::from(scale);
        *out += matrix.get_or(i / matrix.cols(), i % matrix.cols(), 0) as f64;
        *out += matrix.row(0)[0] as f64;
        let (rows, cols) = (volume.rows(), volume.cols());
        *out += volume.get(i / cols / rows, i / cols % rows, i % cols).copied().unwrap_or(0.25);
        *out += volume.get_or(volume.planes(), 0, 0, 0.5);
    });
}

#[test]
fn all_threads_read_slices_arrays_matrices_volumes_and_values() -> Result {
    let (device, stream) = open()?;
    let slice: Vec<u16> = (0..60).collect();
    let arrays: Vec<u8> = (0..180).collect();
    let matrix: Vec<i64> = (0..40).map(|i| -i * 7 - 1).collect();
    let volume: Vec<f64> = (0..30).map(|i| f64::from(i) * 100.0).collect();
    let mut out = stream.alloc_zeroed::<f64>(60)?;
    let arguments = (
        &stream.upload(&slice)?,
        &stream.upload(&arrays)?,
        &stream.upload_matrix(5, 8, &matrix)?,
        &stream.upload_volume(2, 3, 5, &volume)?,
        1.5_f32,
        &mut out,
    );
    read_only::load(&device)?.launch(&stream, LaunchConfig::threads(60).block(33), arguments)?;
    let expected = |i: usize| {
        let matrix = matrix.get(i).copied().unwrap_or(0) + matrix[0];
        let volume = volume.get(i).copied().unwrap_or(0.25);
        f64::from(slice[i]) + f64::from(arrays[3 * i + 2]) + 1.5 + matrix as f64 + volume + 0.5
    };
    assert_eq!(stream.download(&out)?, (0..60).map(expected).collect::<Vec<_>>());
    Ok(())
}
