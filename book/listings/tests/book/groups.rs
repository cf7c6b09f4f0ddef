//! Chapter "Workgroups and phases".

#[host_only]
use gridwright::Error;
use gridwright::Level;
use gridwright::prelude::*;

// ANCHOR: differences
/// Each element minus its left neighbour, within groups of 64.
#[gpu_kernel(block = 64, requires = x.len() == y.len())]
fn differences(
    g: &Group,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut tile: Workgroup<[f32; 64]>,
) {
    g.each(tile.elements_mut(), |t, slot| *slot = x.get(t.index()).copied().unwrap_or(0.0));
    // A barrier is here: the first phase wrote workgroup memory.
    g.each((y.elements_mut(), tile.shared()), |t, (y, tile)| {
        let i = t.local().x;
        if let Some(y) = y {
            *y = if i > 0 { tile[i] - tile[i - 1] } else { tile[i] };
        }
    });
}
// ANCHOR_END: differences

// ANCHOR: matmul
const T: usize = 16;

/// C = A·B with 16×16 tiles in workgroup memory.
#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows())]
fn matmul(
    g: &Group,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    mut c: PerThread<Matrix<f32>>,
    mut ta: Workgroup<[[f32; T]; T]>,
    mut tb: Workgroup<[[f32; T]; T]>,
) {
    let mut acc = g.private(0.0_f32); // one value a thread: a register on a GPU
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
// ANCHOR_END: matmul

// ANCHOR: rows
/// Each row divided by its sum, a group a row.
#[gpu_kernel(block = 64, requires = x.rows() == y.rows() && x.cols() == y.cols())]
fn normalize(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Rows>) {
    let row = x.row(y.row());
    let mut sums = g.private(0.0_f32);
    for start in g.blocks(row.len(), 64) {
        g.each((&mut sums, row.elements_from(start)), |_, (sum, x)| {
            *sum += x.copied().unwrap_or(0.0);
        });
    }
    let sum = g.reduce(&sums, |a, b| a + b);
    for start in g.blocks(row.len(), 64) {
        g.each((y.elements_from_mut(start), row.elements_from(start)), |_, (y, x)| {
            if let (Some(y), Some(x)) = (y, x) {
                *y = x / sum;
            }
        });
    }
}
// ANCHOR_END: rows

// ANCHOR: warp_rows
/// The sum of each row: 4 rows a group, of which its warps take one after another.
#[gpu_kernel(block = 128, requires = m.rows() == sums.rows())]
fn sums_of_rows(g: &Group, m: &Matrix<f32>, mut sums: PerGroup<Matrix<f32>, Rows<4>>) {
    g.each_warp(sums.warp_rows_mut(), |w, mut rows| {
        while let Some(mut sum) = rows.next_row() {
            let row = m.row(sum.row());
            let mut mine = w.private(0.0_f32);
            for start in w.blocks(row.len(), w.len()) {
                w.each((&mut mine, row.elements_from(start)), |_, (mine, x)| {
                    *mine += x.copied().unwrap_or(0.0);
                });
            }
            sum.set(w, 0, w.reduce(&mine, |a, b| a + b));
        }
    });
}
// ANCHOR_END: warp_rows

// ANCHOR: segments
/// Divides each segment by its sum.
#[gpu_kernel]
fn normalize_segments(t: Thread, mut x: PerThread<Segments<f32>>) {
    let Some(x) = x.segment_mut(t) else { return };
    let sum: f32 = x.iter().sum();
    for x in x {
        *x /= sum;
    }
}
// ANCHOR_END: segments

// ANCHOR: margin
/// The mean of each element's neighbours: 16 by 16 threads load, and the 14 by 14 in
/// the middle write.
#[gpu_kernel(block = (16, 16), requires = x.rows() == y.rows() && x.cols() == y.cols())]
fn relax(
    g: &Group,
    x: &Matrix<f32>,
    mut y: PerGroup<Matrix<f32>, Tiles<14, 14>>,
    mut tile: Workgroup<[[f32; 16]; 16]>,
) {
    let [row, col] = y.origin();
    g.load_tile(&mut tile, x, row.wrapping_sub(1), col.wrapping_sub(1));
    g.each((y.inner_elements_mut(1), tile.shared()), |t, (y, tile)| {
        let (row, col) = (t.local().y, t.local().x);
        if let Some(y) = y {
            let beside = tile[row][col - 1] + tile[row][col + 1];
            *y = (tile[row - 1][col] + tile[row + 1][col] + beside) / 4.0;
        }
    });
}
// ANCHOR_END: margin

// ANCHOR: helper
/// A function of a group is generic over the group's shape.
fn load_or_zero<S: GroupShape>(
    g: &Group<'_, S>,
    x: &[f32],
    tile: &mut Workgroup<'_, [f32; 64]>,
) {
    g.load(tile, x, g.origin().x);
}
// ANCHOR_END: helper

// ANCHOR: any_level
/// A function of any level: of a group, a warp, a cluster or a grid.
fn mean(level: &impl Level, values: &Private<f32>) -> f32 {
    level.reduce(values, |a, b| a + b) / level.len() as f32
}

/// How far the mean of each warp is from its group's.
#[gpu_kernel(block = 128)]
fn spread(g: &Group, x: &[f32], mut y: PerThread<[f32]>) {
    let mine = g.map((), |t, ()| x.get_or(t.index(), 0.0));
    let of_group = mean(g, &mine);
    g.each_warp((&mine, &mut y), |w, (mine, mut y)| {
        let of_warp = mean(w, mine);
        w.each(y.elements_mut(), |_, y| {
            if let Some(y) = y {
                *y = of_warp - of_group;
            }
        });
    });
}
// ANCHOR_END: any_level

#[test]
fn a_helper_takes_any_level() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let x: Vec<f32> = (0..128).map(|i| (i / 64) as f32).collect();
    let mut y = stream.alloc_zeroed(128)?;
    let config = LaunchConfig::threads(128);
    spread::load(&device)?.launch(&stream, config, (&stream.upload(&x)?, &mut y))?;
    assert_eq!(stream.download(&y)?, [[-0.5; 64], [0.5; 64]].concat());
    Ok(())
}

#[gpu_kernel(block = 64)]
fn copy_by_tiles(
    g: &Group,
    x: &[f32],
    mut y: PerThread<[f32]>,
    mut tile: Workgroup<[f32; 64]>,
) {
    load_or_zero(g, x, &mut tile);
    g.each((tile.elements(), y.elements_mut()), |_, (slot, y)| {
        if let Some(y) = y {
            *y = *slot;
        }
    });
}

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let squares: Vec<f32> = (0..200).map(|i| (i * i) as f32).collect();
    let x = stream.upload(&squares)?;
    let mut y = stream.alloc_zeroed(200)?;
    let kernel = differences::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(200), (&x, &mut y))?;
    for (i, y) in stream.download(&y)?.into_iter().enumerate() {
        let left = if i % 64 > 0 { squares[i - 1] } else { 0.0 };
        assert_eq!(y, squares[i] - left);
    }

    // ANCHOR: launch_matmul
    let a = stream.upload_matrix(20, 30, &[1.0; 600])?;
    let b = stream.upload_matrix(30, 40, &[2.0; 1200])?;
    let mut c = stream.alloc_matrix_zeroed(20, 40)?;
    let kernel = matmul::load(&device)?;
    kernel.launch(&stream, LaunchConfig::for_matrix(20, 40), (&a, &b, &mut c))?;
    assert!(stream.download(&c)?.iter().all(|&c| c == 60.0));
    // ANCHOR_END: launch_matmul

    // ANCHOR: launch_rows
    let m = stream.upload_matrix(3, 100, &[2.0; 300])?;
    let mut n = stream.alloc_matrix_zeroed(3, 100)?;
    let config = LaunchConfig::grid(3, 64);
    normalize::load(&device)?.launch(&stream, config, (&m, &mut n))?;
    assert!(stream.download(&n)?.iter().all(|&n| n == 0.01));
    // ANCHOR_END: launch_rows

    // ANCHOR: launch_warp_rows
    let mut sums = stream.alloc_matrix_zeroed(3, 1)?;
    let config = LaunchConfig::grid(3_usize.div_ceil(4), 128);
    sums_of_rows::load(&device)?.launch(&stream, config, (&m, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [200.0; 3]);
    // ANCHOR_END: launch_warp_rows

    // ANCHOR: launch_segments
    let offsets = stream.upload_offsets(&[0, 3, 3, 4])?; // the second is empty
    let mut weights = stream.upload(&[1.0, 2.0, 1.0, 7.0])?;
    let kernel = normalize_segments::load(&device)?;
    let segments = weights.segments_mut(&offsets);
    kernel.launch(&stream, LaunchConfig::threads(3), (segments,))?;
    assert_eq!(stream.download(&weights)?, [0.25, 0.5, 0.25, 1.0]);
    // ANCHOR_END: launch_segments

    // ANCHOR: launch_margin
    let config = LaunchConfig::for_matrix(3, 100);
    relax::load(&device)?.launch(&stream, config, (&m, &mut n))?;
    // ANCHOR_END: launch_margin
    let relaxed = stream.download(&n)?;
    assert_eq!((relaxed[0], relaxed[1], relaxed[101]), (1.0, 1.5, 2.0));

    let mut y = stream.alloc_zeroed(200)?;
    copy_by_tiles::load(&device)?.launch(
        &stream,
        LaunchConfig::threads(200),
        (&x, &mut y),
    )?;
    assert_eq!(stream.download(&y)?, squares);
    Ok(())
}

// ANCHOR: turn
/// Turns each group's 64 elements around.
#[gpu_kernel(block = 64, requires = x.len() == y.len() && x.len() % 64 == 0)]
fn turn(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut tile: Workgroup<[u32; 64]>) {
    g.load(&mut tile, x, g.origin().x);
    g.each((tile.elements().reversed(), y.elements_mut()), |_, (slot, y)| {
        if let Some(y) = y {
            *y = *slot;
        }
    });
}
// ANCHOR_END: turn

// ANCHOR: stencil
const BLOCK: usize = 128;
const RADIUS: usize = 3;

/// The sum of an element and its three neighbours on either side; beyond the ends there are zeros.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn stencil(
    g: &Group,
    x: &[i32],
    mut y: PerThread<[i32]>,
    mut tile: Workgroup<[i32; BLOCK + 2 * RADIUS]>,
) {
    // Begins three elements before the group's own; what isn't there is zero.
    g.load(&mut tile, x, g.origin().x.wrapping_sub(RADIUS));
    g.each((y.elements_mut(), tile.shared()), |t, (y, tile)| {
        if let Some(y) = y {
            let i = t.local().x;
            *y = tile[i..=i + 2 * RADIUS].iter().sum();
        }
    });
}
// ANCHOR_END: stencil

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let x: Vec<u32> = (0..128).collect();
    let mut y = stream.alloc_zeroed(128)?;
    let config = LaunchConfig::threads(128);
    turn::load(&device)?.launch(&stream, config, (&stream.upload(&x)?, &mut y))?;
    let expected: Vec<u32> =
        x.chunks(64).flat_map(|part| part.iter().rev().copied()).collect();
    assert_eq!(stream.download(&y)?, expected);

    let x: Vec<i32> = (0..1000).map(|i| i * i % 37).collect();
    let mut y = stream.alloc_zeroed(1000)?;
    let config = LaunchConfig::threads(1000);
    stencil::load(&device)?.launch(&stream, config, (&stream.upload(&x)?, &mut y))?;
    for (i, y) in stream.download(&y)?.into_iter().enumerate() {
        let window = &x[i.saturating_sub(RADIUS)..(i + RADIUS + 1).min(1000)];
        assert_eq!(y, window.iter().sum());
    }
    Ok(())
}
