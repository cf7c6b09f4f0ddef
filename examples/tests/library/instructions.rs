//! What takes one instruction on NVIDIA's GPUs, or memory once, takes no more: read in the PTX. And that it is right.

#[cfg(not(gridwright_device))]
use gridwright::Error;
use gridwright::prelude::*;

#[cfg(not(gridwright_device))]
use super::device;
#[cfg(not(gridwright_device))]
use super::ptx::entry;

const BLOCK: usize = 256;

/// The sum of the elements before each one in its group, and of all in the group.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn scan_of_group(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    let mine = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or(0));
    let before = g.scan_exclusive(&mine, 0, u32::wrapping_add);
    g.each((&before, y.elements_mut()), |_, (before, y)| {
        if let Some(y) = y {
            *y = *before;
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn a_scan_shuffles_up_in_a_warp_and_among_the_sums_of_warps() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let x: Vec<u32> = (0..1000).map(|i| i * 7919 % 1009).collect();
    let mut y = stream.alloc_zeroed(x.len())?;
    let config = LaunchConfig::threads(x.len());
    scan_of_group::load(&device)?.launch(&stream, config, (&stream.upload(&x)?, &mut y))?;
    let expected = x.chunks(BLOCK).flat_map(|x| (0..x.len()).map(|at| x[..at].iter().sum::<u32>()));
    assert!(stream.download(&y)?.into_iter().eq(expected));

    if let Some(ptx) = entry("scan_of_group") {
        // Five in a warp of 32 lanes, three among the sums of eight warps, and one to leave out a thread's own element.
        assert_eq!(ptx.matches("shfl.sync.up").count(), 5 + 3 + 1, "{ptx}");
        // The sum before the thread's warp.
        assert_eq!(ptx.matches("shfl.sync.idx").count(), 1, "{ptx}");
        assert_eq!(ptx.matches("ld.shared").count(), 1, "{ptx}");
    }
    Ok(())
}

/// The sum of each group's elements.
#[gpu_kernel(block = BLOCK)]
fn sum_of_group(g: &Group, x: &[u32], mut sums: PerGroup<[u32]>) {
    let mine = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or(0));
    sums.set(g, g.reduce(&mine, u32::wrapping_add));
}

#[cfg(not(gridwright_device))]
#[test]
fn a_reduction_exchanges_values_of_lanes_without_numbers_of_theirs() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let x: Vec<u32> = (0..1000).map(|i| i * 7919 % 1009).collect();
    let mut sums = stream.alloc_zeroed(4)?;
    let config = LaunchConfig::threads(x.len());
    sum_of_group::load(&device)?.launch(&stream, config, (&stream.upload(&x)?, &mut sums))?;
    let expected: Vec<u32> = x.chunks(BLOCK).map(|x| x.iter().sum()).collect();
    assert_eq!(stream.download(&sums)?, expected);

    if let Some(ptx) = entry("sum_of_group") {
        assert_eq!(ptx.matches("shfl.sync.bfly").count(), 5, "{ptx}");
        assert_eq!(ptx.matches("shfl.sync").count(), 5, "{ptx}");
    }
    Ok(())
}

/// Values of the lanes three before, three behind, and with the lowest bit flipped, in tiles of eight.
#[gpu_kernel(block = BLOCK)]
fn neighbours(g: &Group, mut y: PerThread<[[u32; 3]]>) {
    let tiles = g.tiled::<8>();
    let mine = g.map((), |t, ()| t.index() as u32);
    let before = tiles.shuffle_up(&mine, 3);
    let behind = tiles.shuffle_down(&mine, 3);
    let across = tiles.shuffle_xor(&mine, 1);
    g.each((&before, &behind, &across, y.elements_mut()), |_, (before, behind, across, y)| {
        if let Some(y) = y {
            *y = [*before, *behind, *across];
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn a_shuffle_by_a_distance_takes_one_instruction() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let mut y = stream.alloc_zeroed::<[u32; 3]>(BLOCK)?;
    neighbours::load(&device)?.launch(&stream, LaunchConfig::threads(BLOCK), (&mut y,))?;
    for (i, found) in (0..).zip(stream.download(&y)?) {
        let before = if i % 8 < 3 { i } else { i - 3 };
        let behind = if i % 8 < 5 { i + 3 } else { i };
        assert_eq!(found, [before, behind, i ^ 1], "lane {i}");
    }

    if let Some(ptx) = entry("neighbours") {
        for mode in ["up", "down", "bfly"] {
            assert_eq!(ptx.matches(&format!("shfl.sync.{mode}")).count(), 1, "{ptx}");
        }
        assert!(!ptx.contains("shfl.sync.idx") && !ptx.contains("selp"), "{ptx}");
    }
    Ok(())
}

/// What each element is more than the group's mean.
#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn above_mean(g: &Group, x: &[[f32; 4]], mut y: PerThread<[f32]>) {
    let x = x.elements_from(g.origin().x).deinterleaved(g);
    let sums = g.map(&x, |_, x| x.map_or(0.0, |[a, b, c, d]| a + b + c + d));
    let mean = g.reduce(&sums, |a, b| a + b) / BLOCK as f32;
    g.each((&x, y.elements_mut()), |_, (x, y)| {
        if let (Some([a, b, c, d]), Some(y)) = (x, y) {
            *y = a * b * c * d - mean;
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn an_element_of_several_phases_is_loaded_once() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let x = stream.upload(&[[1.0_f32, 2.0, 3.0, 4.0]; BLOCK])?;
    let mut y = stream.alloc_zeroed(BLOCK)?;
    above_mean::load(&device)?.launch(&stream, LaunchConfig::threads(BLOCK), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [24.0 - 10.0; BLOCK]);

    if let Some(ptx) = entry("above_mean") {
        let loaded = ptx.lines().filter(|line| line.contains("ld.global"));
        let words: usize = loaded.clone().map(|line| line.matches('%').count() - 1).sum();
        assert_eq!(words, 4, "{ptx}");
        assert!(loaded.clone().all(|line| line.contains(".nc")), "{ptx}");
    }
    Ok(())
}

/// The rows of a tile, of 16 elements, and the columns of what threads fill with it.
const ROWS: usize = 64;
const COLS: usize = 16;

/// Copies a tile to workgroup memory, and on: thread *i* its column *i* in each row.
#[gpu_kernel(block = 64, requires = out.len() == COLS)]
fn tile(
    g: &Group,
    m: &Matrix<u32>,
    row: u64,
    col: u64,
    mut out: PerThread<[[u32; ROWS]]>,
    mut w: Workgroup<[[u32; COLS]; ROWS]>,
) {
    g.load_tile(&mut w, m, row as usize, col as usize);
    g.each((w.shared(), out.elements_mut()), |t, (w, out)| {
        if let Some(out) = out {
            for row in 0..ROWS {
                out[row] = w[row][t.index()];
            }
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn a_tile_of_many_elements_a_thread_is_loaded_four_at_a_time() -> Result<(), Error> {
    const M: [usize; 2] = [70, 20];
    let device = device()?;
    let stream = device.stream()?;
    let elements: Vec<u32> = (1..=(M[0] * M[1]) as u32).collect();
    let m = stream.upload_matrix(M[0], M[1], &elements)?;
    let kernel = tile::load(&device)?;
    // Inside, over each edge, beyond, and so far away that 32 bits would come round.
    let starts =
        [0, 3, 40, 69, 70, 1 << 32, (1 << 32) - 1, 1 << 63, 5_u64.wrapping_neg(), 64_u64.wrapping_neg()];
    for row in starts {
        for col in starts {
            let mut out = stream.alloc_zeroed::<[u32; ROWS]>(COLS)?;
            kernel.launch(&stream, LaunchConfig::threads(64), (&m, row, col, &mut out))?;
            let expected = |y: usize, x: usize| {
                let [y, x] = [row.wrapping_add(y as u64), col.wrapping_add(x as u64)].map(|at| at as usize);
                if y < M[0] && x < M[1] { elements[y * M[1] + x] } else { 0 }
            };
            for (x, column) in stream.download(&out)?.into_iter().enumerate() {
                let expected: [u32; ROWS] = std::array::from_fn(|y| expected(y, x));
                assert_eq!(column, expected, "column {x} of the tile at {row}, {col}");
            }
        }
    }

    if let Some(ptx) = entry("tile") {
        let accesses = ptx.lines().filter_map(|line| match line.trim_start() {
            line if line.contains("ld.global") => Some('l'),
            line if line.contains("st.shared") => Some('s'),
            _ => None,
        });
        let accesses: String = accesses.collect();
        let turns = accesses.len() / 8;
        assert!(turns > 0 && accesses == "llllssss".repeat(turns), "{accesses} of {ptx}");
    }
    Ok(())
}
