//! The kernels whose executed instructions are compared, with their data and what is right.

use super::case::{Argument, Bytes, Case, Expected, owned, per_thread, pointer, sized, slice, value, words};
use crate::codegen::SAMPLES;

/// Bytes that a group's collective operations use, before the partitions.
const COLLECTIVE_BYTES: u32 = 1024;

/// Threads of a group along one axis.
const BLOCK: usize = 256;

/// All cases, small: an emulator runs them.
pub(super) fn all() -> Vec<Case> {
    vec![
        vector_add(),
        with_factor("saxpy", SAMPLES, |product| product),
        with_factor("fma_sqrt", "test-amd_emulator", f32::sqrt),
        transposition("copy_matrix", Tiles::OfInput(false), 0),
        transposition("transpose_naive", Tiles::OfInput(true), 0),
        transposition("transpose_tiled", Tiles::OfOutput, 32 * 32),
        transposition("transpose_padded", Tiles::OfOutput, 32 * 33),
        sobel(),
        convolution("convolve_rows", 8 * 48, |[row, col], tap| [Some(row), (col + tap).checked_sub(8)]),
        convolution("convolve_cols", 24 * 32, |[row, col], tap| [(row + tap).checked_sub(8), Some(col)]),
        fdtd3d(),
        product("matrix_mul", [40, 36, 50], [16, 16], [16, 16], 2 * 16 * 16),
        product("matrix_mul_patches", [70, 20, 70], [64, 64], [4, 16], 64 * 17 + 16 * 64),
        sums("sequential", 1000, 4, BLOCK as u32),
        sums("collective", 20_007, 3, 0),
        sum_groups(),
        scan_groups(),
        histogram(),
        nbody(),
    ]
}

/// Groups of so many threads or elements.
fn groups(len: usize, of: usize) -> u32 {
    len.div_ceil(of) as u32
}

/// A case with groups in a line, each of [`BLOCK`] threads.
fn in_line(name: &'static str, target: &'static str, groups: u32) -> Case {
    let (groups, threads) = ([groups, 1, 1], [BLOCK as u32, 1, 1]);
    Case { name, ours: (target, name), groups, threads, ..Case::default() }
}

/// A case whose groups lie over an image.
fn over_image(name: &'static str, target: &'static str, [rows, cols]: [usize; 2]) -> Case {
    let (groups, threads) = ([groups(cols, 32), groups(rows, 8), 1], [32, 8, 1]);
    Case { name, ours: (target, name), groups, threads, ..Case::default() }
}

fn small_floats(len: usize) -> [Vec<f32>; 2] {
    [7, 31].map(|step| (0..len).map(|i| (i * step % 97) as f32).collect())
}

fn vector_add() -> Case {
    let len = 1000;
    let [a, b] = small_floats(len);
    let sums: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let last = value(&(len as u32 - 1));
    Case {
        buffers: vec![a.bytes(), b.bytes(), vec![0; 4 * len]],
        our_arguments: [last, slice(0, len), slice(1, len), per_thread(2, len)].concat(),
        their_arguments: [pointer(0), pointer(1), pointer(2), value(&(len as u32))].concat(),
        results: vec![(2, Expected::Bytes(sums.bytes()))],
        ..in_line("vector_add", SAMPLES, groups(len, BLOCK))
    }
}

/// `y = of(a·x + y)`.
fn with_factor(name: &'static str, target: &'static str, of: fn(f32) -> f32) -> Case {
    let (len, factor) = (1000, 2.5_f32);
    let [x, y] = small_floats(len);
    let results = x.iter().zip(&y).map(|(x, y)| of(factor.mul_add(*x, *y))).collect();
    let (last, factor) = (value(&(len as u32 - 1)), value(&factor));
    Case {
        buffers: vec![x.bytes(), y.bytes()],
        our_arguments: [last, factor.clone(), slice(0, len), per_thread(1, len)].concat(),
        their_arguments: [factor, pointer(0), pointer(1), value(&(len as u32))].concat(),
        results: vec![(1, Expected::Floats(results, 1e-6))],
        ..in_line(name, target, groups(len, BLOCK))
    }
}

/// What the groups of a transposition lie over: the input, where its kernel is one of threads and may transpose, or the
/// transposed output.
#[derive(Clone, Copy)]
enum Tiles {
    OfInput(bool),
    OfOutput,
}

fn transposition(name: &'static str, tiles: Tiles, tile: u32) -> Case {
    const T: usize = 32;
    let (rows, cols) = (70, 100);
    let is_transposed = !matches!(tiles, Tiles::OfInput(false));
    let input: Vec<f32> = (0..rows * cols).map(|i| i as f32).collect();
    let transposed = || (0..cols * rows).map(|i| input[i % rows * cols + i / rows]).collect();
    let output = if is_transposed { transposed() } else { input.clone() };
    let sizes @ [down, along] = [rows as u32, cols as u32];
    let over = if is_transposed { [along, down] } else { sizes };
    // Of a kernel of threads that transposes a column of threads owns a row.
    let owners = if let Tiles::OfInput(_) = tiles { &sizes } else { &over };
    let (last, [down, along]) = match tiles {
        Tiles::OfInput(_) => ([value(&(sizes[1] - 1)), value(&(sizes[0] - 1))].concat(), [rows, cols]),
        Tiles::OfOutput => (Vec::new(), [cols, rows]),
    };
    Case {
        name,
        ours: (SAMPLES, name),
        groups: [groups(along, T), groups(down, T), 1],
        threads: [T as u32, T as u32, 1],
        workgroup_bytes: if tile == 0 { 0 } else { COLLECTIVE_BYTES + 4 * tile },
        buffers: vec![input.bytes(), vec![0; 4 * rows * cols]],
        our_arguments: [last, sized(0, &sizes), owned(1, &over, owners)].concat(),
        their_arguments: [sized(0, &sizes), pointer(1)].concat(),
        results: vec![(1, Expected::Bytes(output.bytes()))],
    }
}

fn sobel() -> Case {
    let (rows, cols) = (20, 70);
    let image: Vec<u8> = (0..rows * cols).map(|i| (i * i % 251) as u8).collect();
    let edges: Vec<u8> = (0..rows * cols).map(|i| edge(&image, [rows, cols], [i / cols, i % cols])).collect();
    let sizes = [rows as u32, cols as u32];
    let last = [value(&(sizes[1] - 1)), value(&(sizes[0] - 1))].concat();
    Case {
        buffers: vec![image, vec![0; rows * cols]],
        our_arguments: [last, sized(0, &sizes), owned(1, &sizes, &sizes)].concat(),
        their_arguments: [pointer(0), sized(1, &sizes)].concat(),
        results: vec![(1, Expected::Bytes(edges))],
        ..over_image("sobel", SAMPLES, [rows, cols])
    }
}

/// How steep an image is: beyond its border it goes on as it is at that place.
fn edge(image: &[u8], [rows, cols]: [usize; 2], [row, col]: [usize; 2]) -> u8 {
    let at = |down: usize, right: usize| {
        let place = ((row + down).wrapping_sub(1), (col + right).wrapping_sub(1));
        let (row, col) = if place.0 < rows && place.1 < cols { place } else { (row, col) };
        i32::from(image[row * cols + col])
    };
    let x = at(0, 2) + 2 * at(1, 2) + at(2, 2) - (at(0, 0) + 2 * at(1, 0) + at(2, 0));
    let y = at(2, 0) + 2 * at(2, 1) + at(2, 2) - (at(0, 0) + 2 * at(0, 1) + at(0, 2));
    (x.abs() + y.abs()).min(255) as u8
}

/// `from` is the place whose element a tap weighs for another place.
fn convolution(name: &'static str, tile: u32, from: fn([usize; 2], usize) -> [Option<usize>; 2]) -> Case {
    let (rows, cols) = (20, 70);
    let image: Vec<f32> = (0..rows * cols).map(|i| (i * i % 251) as f32).collect();
    let taps: Vec<f32> = (0..17_i8).map(|tap| f32::from(8 - (tap - 8).abs()) / 64.0).collect();
    let at = |place: [usize; 2], tap: usize| match from(place, tap) {
        [Some(row), Some(col)] if row < rows && col < cols => image[row * cols + col],
        _ => 0.0,
    };
    let sum = |place: [usize; 2]| -> f32 { taps.iter().enumerate().map(|(i, tap)| tap * at(place, i)).sum() };
    let sums = (0..rows * cols).map(|i| sum([i / cols, i % cols])).collect();
    let sizes = [rows as u32, cols as u32];
    Case {
        workgroup_bytes: COLLECTIVE_BYTES + 4 * tile,
        buffers: vec![image.bytes(), vec![0; 4 * rows * cols]],
        our_arguments: [words(&taps.bytes()), sized(0, &sizes), owned(1, &sizes, &sizes)].concat(),
        their_arguments: [value(&taps[..]), sized(0, &sizes), pointer(1)].concat(),
        results: vec![(1, Expected::Floats(sums, 1e-6))],
        ..over_image(name, "bin-convolution_separable", [rows, cols])
    }
}

fn fdtd3d() -> Case {
    let sizes @ [planes, rows, cols] = [6, 20, 40];
    let old: Vec<f32> = (0..planes * rows * cols).map(|i| (i * 7919 % 1009) as f32).collect();
    let weights = [0.1_f32, 0.05, 0.03, 0.02, 0.01];
    let at = |place: [usize; 3]| {
        let is_inside = place.iter().zip(sizes).all(|(at, size)| *at < size);
        if is_inside { old[(place[0] * rows + place[1]) * cols + place[2]] } else { 0.0 }
    };
    let new = |i: usize| -> f32 {
        let place = [i / cols / rows, i / cols % rows, i % cols];
        let mut sum = weights[0] * at(place);
        for (distance, weight) in weights.iter().enumerate().skip(1) {
            for axis in 0..3 {
                let [mut before, mut behind] = [place; 2];
                before[axis] = before[axis].wrapping_sub(distance);
                behind[axis] += distance;
                sum += weight * (at(before) + at(behind));
            }
        }
        sum
    };
    let new = (0..old.len()).map(new).collect();
    let sizes = sizes.map(|size| size as u32);
    let last: Vec<Argument> = sizes.iter().rev().flat_map(|size| value(&(size - 1))).collect();
    Case {
        ours: ("bin-fdtd3d", "step"),
        groups: [groups(cols, 32), groups(rows, 8), planes as u32],
        buffers: vec![old.bytes(), vec![0; 4 * old.len()]],
        our_arguments: [last, words(&weights.bytes()), sized(0, &sizes), owned(1, &sizes, &sizes)].concat(),
        their_arguments: [value(&weights[..]), sized(0, &sizes), pointer(1)].concat(),
        results: vec![(1, Expected::Floats(new, 1e-6))],
        ..over_image("fdtd3d", "", [rows, cols])
    }
}

/// A product of matrices of small integers, by tiles of so many rows and columns, and so many floats in workgroup memory.
fn product(
    name: &'static str,
    [rows, inner, cols]: [usize; 3],
    tile: [usize; 2],
    [x, y]: [u32; 2],
    memory: u32,
) -> Case {
    let a: Vec<f32> = (0..rows * inner).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..inner * cols).map(|i| (i % 5) as f32 - 2.0).collect();
    let element =
        |i: usize| -> f32 { (0..inner).map(|k| a[i / cols * inner + k] * b[k * cols + i % cols]).sum() };
    let c: Vec<f32> = (0..rows * cols).map(element).collect();
    let [of_a, of_b, of_c] =
        [[rows, inner], [inner, cols], [rows, cols]].map(|sizes| sizes.map(|size| size as u32));
    let both = [sized(0, &of_a), sized(1, &of_b)].concat();
    // Of a patch a thread owns several elements, and asks for each.
    let has_patches = tile != [y as usize, x as usize];
    let of_c_by_threads = if has_patches { sized(2, &of_c) } else { owned(2, &of_c, &of_c) };
    Case {
        name,
        ours: (SAMPLES, name),
        groups: [groups(cols, tile[1]), groups(rows, tile[0]), 1],
        threads: [x, y, 1],
        workgroup_bytes: COLLECTIVE_BYTES + 4 * memory,
        buffers: vec![a.bytes(), b.bytes(), vec![0; 4 * rows * cols]],
        our_arguments: [both.clone(), of_c_by_threads].concat(),
        their_arguments: [both, pointer(2)].concat(),
        results: vec![(2, Expected::Bytes(c.bytes()))],
    }
}

/// Sums of a share of small integers for each of some groups.
fn sums(name: &'static str, len: usize, groups: usize, memory: u32) -> Case {
    let x: Vec<f32> = (0..len).map(|i| (i * 7919 % 64) as f32).collect();
    // Of `collective`, a group takes whole turns of two elements a thread.
    let share = len.div_ceil(groups).next_multiple_of(if memory == 0 { 2 * BLOCK } else { BLOCK });
    let mut sums: Vec<f32> = x.chunks(share).map(|share| share.iter().sum()).collect();
    sums.resize(groups, 0.0);
    let arguments = [slice(0, len), slice(1, groups)].concat();
    Case {
        workgroup_bytes: COLLECTIVE_BYTES + 4 * memory,
        buffers: vec![x.bytes(), vec![0; 4 * groups]],
        our_arguments: arguments.clone(),
        their_arguments: arguments,
        results: vec![(1, Expected::Bytes(sums.bytes()))],
        ..in_line(name, SAMPLES, groups as u32)
    }
}

/// Elements of a group that sums or scans, four a thread.
const SCANNED: usize = 4 * BLOCK;

/// Numbers to scan, and what each group's sum up to.
fn scanned() -> (Vec<u32>, Vec<u32>) {
    let x: Vec<u32> = (0..3000).map(|i| i * 7919 % 10).collect();
    let sums = x.chunks(SCANNED).map(|x| x.iter().sum()).collect();
    (x, sums)
}

fn sum_groups() -> Case {
    let (x, sums) = scanned();
    let arguments = [slice(0, x.len()), slice(1, sums.len())].concat();
    Case {
        workgroup_bytes: COLLECTIVE_BYTES,
        buffers: vec![x.bytes(), vec![0; 4 * sums.len()]],
        our_arguments: arguments.clone(),
        their_arguments: arguments,
        results: vec![(1, Expected::Bytes(sums.bytes()))],
        ..in_line("sum_groups", SAMPLES, sums.len() as u32)
    }
}

/// The sum of the numbers before each.
fn scan(numbers: &[u32]) -> Vec<u32> {
    let mut sum = 0;
    let before = numbers.iter().map(|number| {
        sum += number;
        sum - number
    });
    before.collect()
}

fn scan_groups() -> Case {
    let (x, sums) = scanned();
    let (before, y, fours) = (scan(&sums), scan(&x), x.len() / 4);
    Case {
        workgroup_bytes: COLLECTIVE_BYTES,
        buffers: vec![x.bytes(), before.bytes(), vec![0; 4 * x.len()]],
        our_arguments: [slice(0, fours), slice(1, sums.len()), per_thread(2, fours)].concat(),
        their_arguments: [slice(0, fours), slice(1, sums.len()), pointer(2)].concat(),
        results: vec![(2, Expected::Bytes(y.bytes()))],
        ..in_line("scan_groups", SAMPLES, sums.len() as u32)
    }
}

fn histogram() -> Case {
    const BINS: usize = 256;
    let (len, groups) = (5000, 2_u32);
    let data: Vec<u8> = (0..8 * len).map(|i| (i * 7919 % 1009 * (i * 104_729 % 1013) / 4000) as u8).collect();
    let mut counts = [0_u32; BINS];
    for byte in &data {
        counts[usize::from(*byte)] += 1;
    }
    let both = [value(&u64::from(groups)), slice(0, len)].concat();
    Case {
        workgroup_bytes: COLLECTIVE_BYTES + (BLOCK / 32 * BINS * 4) as u32,
        buffers: vec![data, vec![0; 4 * BINS]],
        our_arguments: [both.clone(), slice(1, BINS)].concat(),
        their_arguments: [both, pointer(1)].concat(),
        results: vec![(1, Expected::Bytes(counts.bytes()))],
        ..in_line("histogram_256", SAMPLES, groups)
    }
}

fn nbody() -> Case {
    let (len, time) = (300_usize, 0.01_f32);
    let turned = |i: usize, factor: f32| (i as f32 * factor).sin();
    let places: Vec<[f32; 4]> =
        (0..len).map(|i| [turned(i, 2.4), turned(i, 1.7), turned(i, 1.1), 1.0 / len as f32]).collect();
    let velocities: Vec<[f32; 3]> =
        (0..len).map(|i| [0.3, 0.7, 1.3].map(|factor| turned(i, factor))).collect();
    let after = places.iter().zip(&velocities).map(|(own, velocity)| {
        let pull = pull(&places, *own);
        std::array::from_fn(|axis| velocity[axis] + time * pull[axis])
    });
    let after: Vec<[f32; 3]> = after.collect();
    let next = places.iter().zip(&after).flat_map(|(own, velocity)| {
        [own[0] + time * velocity[0], own[1] + time * velocity[1], own[2] + time * velocity[2], own[3]]
    });
    let next: Vec<f32> = next.collect();
    let moving = [slice(0, len), per_thread(1, len), per_thread(2, len)].concat();
    Case {
        ours: (SAMPLES, "step"),
        workgroup_bytes: COLLECTIVE_BYTES,
        buffers: vec![places.as_flattened().bytes(), vec![0; 16 * len], velocities.as_flattened().bytes()],
        our_arguments: [value(&time), moving].concat(),
        their_arguments: [value(&time), pointer(0), value(&(len as u32)), pointer(1), pointer(2)].concat(),
        results: vec![(1, Expected::Floats(next, 1e-5)), (2, Expected::Floats(after.into_flattened(), 1e-5))],
        ..in_line("nbody", SAMPLES, groups(len, BLOCK))
    }
}

/// How all bodies pull on a place.
fn pull(bodies: &[[f32; 4]], own: [f32; 4]) -> [f32; 3] {
    bodies.iter().fold([0.0; 3], |sum, body| {
        let away: [f32; 3] = std::array::from_fn(|axis| body[axis] - own[axis]);
        let square = away.iter().map(|along| along * along).sum::<f32>() + 1e-4;
        let force = body[3] / (square * square.sqrt());
        std::array::from_fn(|axis| sum[axis] + away[axis] * force)
    })
}
