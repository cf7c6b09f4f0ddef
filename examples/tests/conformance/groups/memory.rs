//! Workgroup memory: its pieces, its sizes, and what groups read and fill as a whole.

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

use super::at;
#[host_only]
use super::{blocks, check};
#[host_only]
use crate::setting::{Result, numbers, open, sizes};

/// Of a size that is no power of two.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Odd([u8; 3]);

/// Each piece is filled with a value of its own, the last one first, and all are read at the end.
#[gpu_kernel(block = 64)]
#[allow(clippy::too_many_arguments)] // each is a piece
fn side_by_side(
    g: &Group,
    mut lens: PerGroup<[[u32; 4]]>,
    mut bytes: Workgroup<[u8]>,
    mut first: Workgroup<[u64; 5]>,
    mut doubles: Workgroup<[f64]>,
    mut tile: Workgroup<[[u16; 3]; 3]>,
    mut triples: Workgroup<[[f32; 3]]>,
    mut odds: Workgroup<[Odd]>,
    mut cube: Workgroup<[[[u8; 3]; 2]; 2]>,
    mut last: Workgroup<[Odd; 7]>,
) {
    let group = g.index() as u8;
    let lengths = [bytes.len(), doubles.len(), triples.len(), odds.len()];
    g.each(odds.elements_mut().take(lengths[3]), |t, slot| *slot = Odd([group, t.local().x as u8, 1]));
    g.each(triples.elements_mut().take(lengths[2]), |t, slot| *slot = [2.5, t.local().x as f32, -1.0]);
    g.each(doubles.elements_mut().take(lengths[1]), |t, slot| *slot = 3.25 + t.local().x as f64);
    g.each(bytes.elements_mut().take(lengths[0]), |t, slot| *slot = 4 + t.local().x as u8);
    g.each(last.elements_mut().take(7), |t, slot| *slot = Odd([5, group, t.local().x as u8]));
    g.each(cube.flat().elements_mut().take(12), |t, slot| *slot = 60 + t.local().x as u8);
    g.each(tile.flat().elements_mut().take(9), |t, slot| *slot = 700 + t.local().x as u16);
    g.each(first.elements_mut().take(5), |t, slot| *slot = (8 << 60) + t.local().x as u64);

    g.each((odds.elements().take(lengths[3]), last.shared()), |t, (slot, last)| {
        assert_eq!(*slot, Odd([group, t.local().x as u8, 1]));
        assert!(last.iter().enumerate().all(|(i, &slot)| slot == Odd([5, group, i as u8])));
    });
    g.each((triples.elements().take(lengths[2]), cube.shared()), |t, (slot, cube)| {
        assert_eq!(*slot, [2.5, t.local().x as f32, -1.0]);
        assert_eq!(*cube, [[[60, 61, 62], [63, 64, 65]], [[66, 67, 68], [69, 70, 71]]]);
    });
    g.each((doubles.elements().take(lengths[1]), tile.shared()), |t, (slot, tile)| {
        assert_eq!(*slot, 3.25 + t.local().x as f64);
        assert_eq!(*tile, [[700, 701, 702], [703, 704, 705], [706, 707, 708]]);
    });
    g.each((bytes.elements().take(lengths[0]), first.shared()), |t, (slot, first)| {
        assert_eq!(*slot, 4 + t.local().x as u8);
        assert!(first.iter().enumerate().all(|(i, &slot)| slot == (8 << 60) + i as u64));
    });
    let [_, doubles_len, ..] = lengths;
    assert_eq!((g.read(&doubles, doubles_len - 1), g.read(&bytes, 0)), (2.25 + doubles_len as f64, 4));
    lens.set(g, lengths.map(|len| len as u32));
}

#[test]
fn pieces_of_all_types_lie_side_by_side() -> Result {
    let (device, stream) = open()?;
    let kernel = side_by_side::load(&device)?;
    let all = [[1, 1, 1, 1], [13, 7, 5, 3], [64, 64, 64, 64], [17, 1, 33, 6]];
    for &[a, b, c, d] in sizes(&device, &all, &all[1..2]) {
        let config = LaunchConfig::grid(5, 64).workgroup::<u8>(a).workgroup::<f64>(b);
        let config = config.workgroup::<[f32; 3]>(c).workgroup::<Odd>(d);
        let mut lens = stream.alloc_zeroed::<u32>(20)?;
        kernel.launch(&stream, config, (&mut lens,))?;
        assert_eq!(stream.download(&lens)?, [a, b, c, d].map(|len| len as u32).repeat(5));
    }
    Ok(())
}

#[gpu_kernel(requires = out.len() >= 2)]
fn lengths(g: &Group, mut out: PerThread<[u32]>, a: Workgroup<[u16]>, b: Workgroup<[[f64; 3]]>) {
    let lens = [a.len(), b.len()];
    g.each(out.elements_mut(), |t, out| {
        if let Some(out) = out {
            *out = lens[t.index() % 2] as u32;
        }
    });
}

#[gpu_kernel]
fn length(g: &Group, mut out: PerThread<[u32]>, only: Workgroup<[[f64; 3]]>) {
    let len = only.len() as u32;
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = len;
        }
    });
}

#[test]
fn each_way_to_size_workgroup_memory_gives_that_many_elements() -> Result {
    let (device, stream) = open()?;
    let mut out = stream.alloc_zeroed::<u32>(2)?;
    let kernel = lengths::load(&device)?;
    let threads = LaunchConfig::threads(2);
    kernel.launch(&stream, threads.workgroup::<u16>(7).workgroup::<[f64; 3]>(9), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [7, 9]);
    let config = threads.workgroup_per_thread::<u16>(3).workgroup_per_thread::<[f64; 3]>(1).block(100);
    kernel.launch(&stream, config, (&mut out,))?;
    assert_eq!(stream.download(&out)?, [300, 100]);
    // The default block has 256 threads.
    kernel.launch(&stream, threads.workgroup_per_thread::<u16>(2).workgroup::<[f64; 3]>(1), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [512, 1]);
    let kernel = length::load(&device)?;
    kernel.launch(&stream, threads.dyn_workgroup_bytes(72), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [3, 3]);
    Ok(())
}

#[gpu_kernel]
fn read_back(
    g: &Group,
    x: &[u32],
    mut out: PerThread<[u32]>,
    mut w: Workgroup<[u32]>,
    mut fixed: Workgroup<[u32; 1024]>,
    mut tile: Workgroup<[[u32; 32]; 32]>,
    mut cube: Workgroup<[[[u32; 16]; 8]; 8]>,
) {
    let n = g.len();
    let slots = (w.elements_mut(), fixed.elements_mut());
    g.each(slots, |t, (w, fixed)| (*w, *fixed) = (at(x, t.index()), at(x, t.index()) + 1));
    let (tile_row, cube_row) = (tile.flat(), cube.flat());
    g.each((tile_row.elements_mut(), cube_row.elements_mut()), |t, (tile, cube)| {
        (*tile, *cube) = (at(x, t.index()) + 2, at(x, t.index()) + 3);
    });
    let mut sum = 0_u32;
    for i in [0, n / 2, n - 1] {
        let (_, part) = w.split_at_mut(i);
        let of_part = g.read(&part, 0);
        for of in [of_part, g.read(&w, i), g.read(&fixed, i), g.read(&tile, i), g.read(&cube, i)] {
            sum = sum.wrapping_mul(31).wrapping_add(of);
        }
    }
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = sum;
        }
    });
}

#[test]
fn read_gives_all_threads_an_element_of_memory_of_any_shape() -> Result {
    check(
        |stream, device, config, block, (x, y)| {
            read_back::load(device)?.launch(stream, config.workgroup::<u32>(block), (x, y))
        },
        |group| {
            let n = group.len();
            let read =
                [0, n / 2, n - 1].into_iter().flat_map(|i| [0, 0, 1, 2, 3].map(|more| group[i] + more));
            vec![read.fold(0_u32, |sum, x| sum.wrapping_mul(31).wrapping_add(x)); n]
        },
    )
}

#[gpu_kernel]
fn loaded(
    g: &Group,
    start: usize,
    x: &[u32],
    mut out: PerThread<[[u32; 3]]>,
    mut w: Workgroup<[u32]>,
    mut fixed: Workgroup<[u32; 100]>,
    mut tile: Workgroup<[[u32; 20]; 5]>,
) {
    g.load(&mut w, x, start);
    g.load(&mut fixed, x, start);
    g.load(&mut tile, x, start);
    // A part alone: the other keeps what it has.
    let (mut low, _) = w.split_at_mut(50);
    g.load(&mut low, x, start.wrapping_add(1));
    g.each((w.shared(), fixed.shared(), tile.shared(), out.elements_mut()), |t, (w, fixed, tile, out)| {
        let i = t.index();
        if let Some(out) = out {
            *out = [w[i], fixed[i], tile[i / 20][i % 20]];
        }
    });
}

#[test]
fn load_copies_what_there_is_and_zeros_outside() -> Result {
    let (device, stream) = open()?;
    let kernel = loaded::load(&device)?;
    for &n in sizes(&device, &[0, 1, 49, 50, 99, 100, 101, 1000], &[101]) {
        let host = numbers(n);
        let x = stream.upload(&host)?;
        let beyond = [n, n + 1, usize::MAX / 4, usize::MAX / 4 + 1];
        // Before the first element: by less than there is room for, and by more.
        let before = [1, 2, 49, 50, 99, 100, 101, 1000].map(usize::wrapping_neg);
        let inside = [n / 2, 0, 1, n.saturating_sub(100), n.saturating_sub(1)];
        let starts: Vec<usize> = [&inside[..], &beyond, &before].concat();
        for &start in sizes(&device, &starts, &[n / 2, n + 1, usize::MAX / 4, usize::MAX, usize::MAX - 999]) {
            for &block in sizes(&device, &[1, 32, 100], &[32]) {
                let mut out = stream.alloc_zeroed::<[u32; 3]>(100)?;
                let config = LaunchConfig::threads(100).block(block).workgroup::<u32>(101);
                kernel.launch(&stream, config, (start, &x, &mut out))?;
                let at = |i: usize| host.get(start.wrapping_add(i)).copied().unwrap_or(0);
                let expected = |i: usize| [if i < 50 { at(i + 1) } else { at(i) }, at(i), at(i)];
                assert_eq!(
                    stream.download(&out)?,
                    (0..100).map(expected).collect::<Vec<_>>(),
                    "{start} of {n}"
                );
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn loaded_tile(
    g: &Group,
    corner: [usize; 2],
    x: &Matrix<u32>,
    mut out: PerThread<[u32]>,
    mut tile: Workgroup<[[u32; 7]; 5]>,
) {
    g.load_tile(&mut tile, x, corner[0], corner[1]);
    g.each((tile.shared(), out.elements_mut()), |t, (tile, out)| {
        if let Some(out) = out {
            *out = tile[t.index() / 7][t.index() % 7];
        }
    });
}

#[test]
fn load_tile_copies_what_is_inside_and_zeros_outside() -> Result {
    let (device, stream) = open()?;
    let kernel = loaded_tile::load(&device)?;
    let shapes = [(0, 0), (0, 9), (9, 0), (1, 1), (5, 7), (4, 6), (6, 8), (50, 3), (30, 40)];
    for &(rows, cols) in sizes(&device, &shapes, &shapes[6..7]) {
        let host = numbers(rows * cols);
        let x = stream.upload_matrix(rows, cols, &host)?;
        let starts = |n: usize| {
            let near = [0, 1, n.saturating_sub(7), n.saturating_sub(5), n.saturating_sub(1), n, n + 1];
            let starts =
                near.into_iter().chain([usize::MAX / 2]).chain([1, 3, 5, 8].map(usize::wrapping_neg));
            let starts: Vec<usize> = starts.collect();
            sizes(&device, &starts, &[1, n, usize::MAX - 2]).to_vec()
        };
        let down = starts(rows);
        for (row, col) in down.into_iter().flat_map(|row| starts(cols).into_iter().map(move |col| (row, col)))
        {
            let mut out = stream.alloc_zeroed::<u32>(35)?;
            kernel.launch(&stream, LaunchConfig::grid(5, 7), ([row, col], &x, &mut out))?;
            let at = |i: usize| {
                let (row, col) = (row.wrapping_add(i / 7), col.wrapping_add(i % 7));
                if row < rows && col < cols { Some(host[row * cols + col]) } else { None }
            };
            let expected: Vec<_> = (0..35).map(|i| at(i).unwrap_or(0)).collect();
            assert_eq!(stream.download(&out)?, expected, "({row}, {col}) of {rows} by {cols}");
        }
    }
    Ok(())
}

#[gpu_kernel(requires = scratch.len() == 2 * g.len() && x.len() >= scratch.len())]
fn demanding(g: &Group, x: &[f32], mut scratch: Workgroup<[f32]>) {
    g.load(&mut scratch, x, 0);
}

#[test]
fn requires_speaks_of_the_group_and_its_memory() -> Result {
    let (device, stream) = open()?;
    let kernel = demanding::load(&device)?;
    let x = stream.upload(&[1.0; 200])?;
    let launch = |config: LaunchConfig, len| kernel.launch(&stream, config.workgroup::<f32>(len), (&x,));
    for &block in blocks(&device) {
        let config = LaunchConfig::grid(1, block);
        match launch(config, 2 * block) {
            Ok(()) => assert!(2 * block <= 200),
            Err(error) => assert_eq!(
                error.to_string(),
                format!(
                    "kernel `demanding` requires `x.len() >= scratch.len()`, but was given x: 200 elements, scratch: {} \
                     elements, groups of {block} threads",
                    2 * block
                )
            ),
        }
        let error = launch(config, 2 * block + 1).unwrap_err();
        assert!(
            matches!(error, Error::Requirement { condition: "scratch.len() == 2 * g.len()", .. }),
            "{error}"
        );
    }
    let error = launch(LaunchConfig::for_matrix(1, 7).block((4, 1)), 9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `demanding` requires `scratch.len() == 2 * g.len()`, but was given x: 200 elements, scratch: 9 \
         elements, groups of 4 threads"
    );
    Ok(())
}

/// Memory of fewer, as many and more elements than threads, filled as a whole and in part.
#[gpu_kernel]
fn filled(
    g: &Group,
    mut wrong: PerGroup<[u32]>,
    mut row: Workgroup<[u32]>,
    mut tile: Workgroup<[[u8; 5]; 7]>,
    mut odds: Workgroup<[Odd; 100]>,
) {
    g.fill(&mut row, 7);
    g.fill(&mut tile, 8);
    g.fill(&mut odds, Odd([1, 2, 3]));
    let middle = row.len() / 3;
    let (_, mut high) = row.split_at_mut(middle);
    g.fill(&mut high, 9);
    let bad = g.map((row.shared(), tile.shared(), odds.shared()), |_, (row, tile, odds)| {
        let (low, high) = row.split_at(middle);
        let right = low.iter().all(|&x| x == 7) && high.iter().all(|&x| x == 9);
        !(right && *tile == [[8; 5]; 7] && *odds == [Odd([1, 2, 3]); 100])
    });
    wrong.set(g, g.count(&bad) as u32);
}

#[test]
fn memory_is_filled_whatever_the_number_of_threads() -> Result {
    let (device, stream) = open()?;
    let lengths = sizes(&device, &[1, 2, 64, 1000], &[2, 64]);
    for (block, len) in blocks(&device).iter().flat_map(|&block| lengths.iter().map(move |&len| (block, len)))
    {
        let mut wrong = stream.upload(&[99; 3])?;
        let config = LaunchConfig::grid(3, block).workgroup::<u32>(len);
        filled::load(&device)?.launch(&stream, config, (&mut wrong,))?;
        assert_eq!(stream.download(&wrong)?, [0; 3], "{block} threads, {len} elements");
    }
    Ok(())
}

/// Each thread an array of three in the upper part, of which what is left over stays as it was.
#[gpu_kernel(requires = w.len() >= 3 * g.len() + 4)]
fn chunks_of_a_part(g: &Group, mut wrong: PerGroup<[u32]>, mut w: Workgroup<[u32]>) {
    g.fill(&mut w, 1);
    let (_, high) = w.split_at_mut(2);
    g.each(high.chunks::<3>().elements_mut(), |t, three| *three = [t.local().x as u32; 3]);
    let threads = g.len();
    let bad = g.map(w.shared(), |_, w| {
        w.iter().enumerate().any(|(i, &slot)| {
            let owner = i.checked_sub(2).map(|i| i / 3).filter(|&owner| owner < threads);
            slot != owner.map_or(1, |owner| owner as u32)
        })
    });
    wrong.set(g, g.count(&bad) as u32);
}

#[test]
fn parts_are_cut_into_arrays() -> Result {
    let (device, stream) = open()?;
    for (block, more) in blocks(&device).iter().flat_map(|&block| [4, 5, 6, 7].map(|more| (block, more))) {
        let mut wrong = stream.upload(&[99; 2])?;
        let config = LaunchConfig::grid(2, block).workgroup::<u32>(3 * block + more);
        chunks_of_a_part::load(&device)?.launch(&stream, config, (&mut wrong,))?;
        assert_eq!(stream.download(&wrong)?, [0; 2], "{block} threads, {more} more");
    }
    Ok(())
}

#[gpu_kernel(block = (4, 2, 1))]
fn grids(g: &Group, out: Atomic<[u32]>) {
    let (grid, shape) = (g.grid(), g.shape());
    let numbers = [g.groups(), grid.x, grid.y, grid.z, shape.x * shape.y * shape.z];
    g.each((), |t, ()| {
        if t.local().x + t.local().y == 0 {
            for (i, &number) in numbers.iter().enumerate() {
                out.fetch_add(t, i, number as u32);
            }
        }
    });
}

#[test]
fn a_group_knows_how_many_there_are() -> Result {
    let (device, stream) = open()?;
    for (x, y, z) in [(1, 1, 1), (3, 1, 1), (2, 5, 1), (1, 2, 7), (4, 3, 2)] {
        let mut out = stream.alloc_zeroed::<u32>(5)?;
        grids::load(&device)?.launch(&stream, LaunchConfig::grid((x, y, z), (4, 2)), (&mut out,))?;
        let groups = x * y * z;
        let expected = [groups, x, y, z, 8].map(|number| (number * groups) as u32);
        assert_eq!(stream.download(&out)?, expected);
    }
    Ok(())
}

/// Heat that spreads in workgroup memory: two pieces that are swapped after each step, of one axis, two and three.
#[gpu_kernel(block = 64)]
fn swapped(
    g: &Group,
    steps: u32,
    mut out: PerThread<[u32]>,
    mut line: Workgroup<[u32; 64]>,
    mut next_line: Workgroup<[u32; 64]>,
    mut square: Workgroup<[[u32; 64]; 2]>,
    mut next_square: Workgroup<[[u32; 64]; 2]>,
    mut cube: Workgroup<[[[u32; 64]; 2]; 2]>,
    mut next_cube: Workgroup<[[[u32; 64]; 2]; 2]>,
) {
    g.each(line.elements_mut(), |t, slot| *slot = t.local().x as u32);
    g.fill_with(&mut square, |row, col| (row + col) as u32);
    g.fill(&mut next_square, 0);
    g.fill(&mut cube, 1);
    g.fill(&mut next_cube, 0);
    for _ in 0..steps {
        g.each((line.shared(), next_line.elements_mut()), |t, (line, next)| {
            *next = 2 * line[(t.local().x + 1) % 64];
        });
        core::mem::swap(&mut line, &mut next_line);
        g.each((square.shared(), next_square.elements_mut()), |t, (square, next)| {
            *next = square[1][t.local().x] + square[0][(t.local().x + 1) % 64];
        });
        core::mem::swap(&mut square, &mut next_square);
        g.each((cube.shared(), next_cube.elements_mut()), |t, (cube, next)| {
            *next = 3 * cube[0][0][(t.local().x + 5) % 64] + t.local().x as u32;
        });
        core::mem::swap(&mut cube, &mut next_cube);
    }
    g.each(
        (out.elements_mut(), line.elements(), square.shared(), cube.shared()),
        |t, (out, line, square, cube)| {
            if let Some(out) = out {
                *out = line + 1000 * square[0][t.local().x] + 100_000 * cube[0][0][t.local().x];
            }
        },
    );
}

#[test]
fn pieces_of_workgroup_memory_are_swapped() -> Result {
    let (device, stream) = open()?;
    for steps in [0, 1, 2, 5] {
        let mut line: Vec<u32> = (0..64).collect();
        let (mut square, mut cube) = ([line.clone(), (1..65).collect()], vec![1_u32; 64]);
        // The second row of the piece that the steps began with isn't written, nor is that of the other one, which is zero.
        let mut next_square = [vec![0; 64], vec![0_u32; 64]];
        for _ in 0..steps {
            line = (0..64).map(|i| 2 * line[(i + 1) % 64]).collect();
            next_square[0] = (0..64).map(|i| square[1][i] + square[0][(i + 1) % 64]).collect();
            std::mem::swap(&mut square, &mut next_square);
            cube = (0..64).map(|i| 3 * cube[(i + 5) % 64] + i as u32).collect();
        }
        let expected: Vec<u32> = (0..64).map(|i| line[i] + 1000 * square[0][i] + 100_000 * cube[i]).collect();
        let mut out = stream.alloc_zeroed(64)?;
        swapped::load(&device)?.launch(&stream, LaunchConfig::threads(64), (steps, &mut out))?;
        assert_eq!(stream.download(&out)?, expected, "{steps} steps");
    }
    Ok(())
}

/// The first threads have a slot beside their element, the others the element alone.
#[gpu_kernel]
fn some_have_a_slot(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32; 20]>) {
    g.each((out.elements_mut(), w.elements_mut().first(20)), |t, (out, slot)| {
        if let Some(out) = out {
            *out = 1;
        }
        if let Some(slot) = slot {
            *slot = t.local().x as u32;
        }
    });
    let mine = g.map(w.elements().reversed().first(5), |_, slot| slot.copied().unwrap_or(100));
    g.each((out.elements_mut(), &mine, w.elements().first(20)), |_, (out, mine, slot)| {
        if let Some(out) = out {
            *out += 1000 * mine + 10 * slot.copied().unwrap_or(7);
        }
    });
    g.each_while((out.elements_mut(), w.elements_mut().first(3)), |t, (out, slot)| {
        let Some(slot) = slot else { return false };
        *slot += 1;
        let goes_on = *slot < 9;
        if let (false, Some(out)) = (goes_on, out) {
            *out += 500_000 * (1 + t.local().x as u32);
        }
        goes_on
    });
}

#[test]
fn the_first_threads_alone_have_a_slot() -> Result {
    let (device, stream) = open()?;
    for block in [20, 32, 100] {
        let mut out = stream.alloc_zeroed(2 * block)?;
        let config = LaunchConfig::threads(2 * block).block(block);
        some_have_a_slot::load(&device)?.launch(&stream, config, (&mut out,))?;
        let expected: Vec<u32> = (0..2 * block as u32)
            .map(|i| {
                let i = i % block as u32;
                let (mine, slot) = (if i < 5 { 19 - i } else { 100 }, if i < 20 { i } else { 7 });
                1 + 1000 * mine + 10 * slot + if i < 3 { 500_000 * (1 + i) } else { 0 }
            })
            .collect();
        assert_eq!(stream.download(&out)?, expected, "{block}");
    }
    Ok(())
}
