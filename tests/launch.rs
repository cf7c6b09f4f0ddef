//! Kernels against naive loops: sizes, shapes, argument kinds, generics.

use gridwright::prelude::*;
use gridwright::{Dim, Error};

type Result = std::result::Result<(), Error>;

fn cpu() -> std::result::Result<(Device, Stream), Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}

#[test]
fn every_element_is_visited_once_whatever_the_size() -> Result {
    let (device, stream) = cpu()?;
    let kernel = saxpy::load(&device)?;
    for n in [1, 2, 31, 255, 256, 257, 4095, 65_537, 1_000_003] {
        let host: Vec<f32> = (0..n).map(|i| (i % 251) as f32).collect();
        let x = stream.upload(&host)?;
        let mut y = stream.upload(&vec![1.0; n])?;
        kernel.launch(&stream, LaunchConfig::threads(n), (2.0, &x, &mut y))?;
        let y = stream.download(&y)?;
        let wrong = (0..n).find(|&i| y[i] != 2.0 * host[i] + 1.0);
        assert_eq!(wrong, None, "of {n}");
    }
    Ok(())
}

#[test]
fn threads_beyond_the_memory_own_nothing() -> Result {
    let (device, stream) = cpu()?;
    #[gpu_kernel]
    fn ones(t: Thread, mut y: PerThread<[u32]>) {
        if let Some(y) = y.get_mut(t) {
            *y += 1;
        }
    }
    let kernel = ones::load(&device)?;
    let mut y = stream.alloc_zeroed::<u32>(1000)?;
    kernel.launch(&stream, LaunchConfig::threads(5000), (&mut y,))?;
    assert_eq!(stream.download(&y)?, [1; 1000]);
    // And a launch that is smaller than the memory leaves the rest.
    kernel.launch(&stream, LaunchConfig::threads(10), (&mut y,))?;
    let y = stream.download(&y)?;
    assert!(y[..10].iter().all(|&y| y == 2) && y[10..].iter().all(|&y| y == 1));
    Ok(())
}

#[test]
fn an_empty_buffer_is_a_buffer() -> Result {
    let (device, stream) = cpu()?;
    let x = stream.upload::<f32>(&[])?;
    let mut y = stream.alloc_zeroed(0)?;
    saxpy::load(&device)?.launch(&stream, LaunchConfig::threads(10), (1.0, &x, &mut y))?;
    assert!(stream.download(&y)?.is_empty());
    stream.fill(&mut y, 1.0)?;
    stream.copy_from_slice(&mut y, &[])?;
    let mut of_nothing = stream.upload(&[[0_u8; 0]; 3])?;
    stream.fill(&mut of_nothing, [])?;
    assert_eq!(stream.download(&of_nothing)?, [[]; 3]);
    let mut empty = stream.alloc_matrix_zeroed::<u32>(0, 7)?;
    positions::load(&device)?.launch(&stream, LaunchConfig::for_matrix(3, 7), (&mut empty,))?;
    assert!(stream.download(&empty)?.is_empty());
    Ok(())
}

#[gpu_kernel]
fn positions(t: Thread, mut out: PerThread<Matrix<u32>>) {
    let position = (t.row() * 1000 + t.col()) as u32;
    if let Some(out) = out.get_mut(t) {
        *out += position;
    }
}

#[test]
fn matrices_larger_and_smaller_than_the_launch() -> Result {
    let (device, stream) = cpu()?;
    let kernel = positions::load(&device)?;
    let sizes = [(1, 1), (1, 700), (700, 1), (5, 999), (33, 65), (200, 300)];
    for (rows, cols) in sizes {
        for (launch_rows, launch_cols) in sizes {
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
    let (device, stream) = cpu()?;
    let kernel = blur::load(&device)?;
    for (rows, cols) in [(1, 1), (2, 3), (4, 4), (5, 5), (1, 4000), (4000, 1), (67, 130)] {
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

#[test]
fn threads_know_their_workgroup() -> Result {
    #[gpu_kernel]
    fn who(t: Thread, mut out: PerThread<Matrix<[u32; 4]>>) {
        let Local { x, y, z } = t.local();
        let who = [x as u32, y as u32, z as u32, t.group_index() as u32];
        if let Some(out) = out.get_mut(t) {
            *out = who;
        }
    }
    let (device, stream) = cpu()?;
    let mut out = stream.alloc_matrix_zeroed(20, 50)?;
    let config = LaunchConfig::for_matrix(20, 50).block((16, 8));
    who::load(&device)?.launch(&stream, config, (&mut out,))?;
    for (i, who) in stream.download(&out)?.into_iter().enumerate() {
        let (row, col) = (i as u32 / 50, i as u32 % 50);
        assert_eq!(who, [col % 16, row % 8, 0, row / 8 * 4 + col / 16], "{row} {col}");
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Body {
    position: [f32; 3],
    mass: f32,
    id: u64,
}

#[test]
fn structs_go_by_value_and_in_buffers() -> Result {
    #[gpu_kernel(requires = bodies.len() == moved.len())]
    fn shift(t: Thread, by: Body, bodies: &[Body], mut moved: PerThread<[Body]>) {
        let Some(moved) = moved.get_mut(t) else { return };
        *moved = bodies[t.index()];
        moved.position.iter_mut().zip(by.position).for_each(|(position, by)| *position += by);
        moved.id += by.id;
    }
    let (device, stream) = cpu()?;
    let host: Vec<Body> =
        (0..100).map(|id| Body { position: [id as f32, 0.0, -1.0], mass: 2.0, id }).collect();
    let by = Body { position: [0.5, 1.0, 2.0], mass: 0.0, id: 1000 };
    let bodies = stream.upload(&host)?;
    let mut moved = stream.alloc_zeroed::<Body>(100)?;
    shift::load(&device)?.launch(&stream, LaunchConfig::threads(100), (by, &bodies, &mut moved))?;
    for (old, new) in host.iter().zip(stream.download(&moved)?) {
        let position = [old.position[0] + 0.5, 1.0, 1.0];
        assert_eq!(new, Body { position, mass: 2.0, id: old.id + 1000 });
    }
    Ok(())
}

#[test]
fn a_thread_can_own_neighbours() -> Result {
    #[gpu_kernel(requires = x.len() == sums.len())]
    fn prefix(t: Thread, x: &[[u32; 4]], mut sums: PerThread<[[u32; 4]]>) {
        let Some(sums) = sums.get_mut(t) else { return };
        let mut sum = 0;
        for (to, from) in sums.iter_mut().zip(x[t.index()]) {
            sum += from;
            *to = sum;
        }
    }
    let (device, stream) = cpu()?;
    let kernel = prefix::load(&device)?;
    let x = stream.upload(&[1_u32; 40])?;
    let mut sums = stream.alloc_zeroed::<u32>(40)?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&x, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [1, 2, 3, 4].repeat(10));
    let mut arrays = stream.alloc_zeroed::<[u32; 4]>(10)?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&x, &mut arrays))?;
    assert_eq!(stream.download(&arrays)?, [[1, 2, 3, 4]; 10]);
    Ok(())
}

#[test]
fn generic_kernels_run_as_their_instances() -> Result {
    trait Scale: KernelArg {
        fn twice(self) -> Self;
    }
    impl Scale for f64 {
        fn twice(self) -> Self {
            2.0 * self
        }
    }
    impl Scale for u8 {
        fn twice(self) -> Self {
            self.wrapping_mul(2)
        }
    }

    #[gpu_kernel(instances((f64, 1), (u8, 3)))]
    fn scale<T: Scale, const TIMES: usize>(t: Thread, mut x: PerThread<[T]>) {
        if let Some(x) = x.get_mut(t) {
            (0..TIMES).for_each(|_| *x = x.twice());
        }
    }
    let (device, stream) = cpu()?;
    let mut x = stream.upload(&[1.5, 2.0])?;
    scale::<f64, 1>::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [3.0, 4.0]);
    let mut x = stream.upload(&[1_u8, 33])?;
    scale::<u8, 3>::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [8, 8]);
    Ok(())
}

#[test]
fn closures_and_iterators_work_in_kernels() -> Result {
    #[gpu_kernel]
    fn collatz(t: Thread, mut steps: PerThread<[u32]>) {
        let next = |n: usize| if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
        if let Some(steps) = steps.get_mut(t) {
            let path = std::iter::successors(Some(t.index() + 1), |&n| (n != 1).then(|| next(n)));
            *steps = path.count() as u32 - 1;
        }
    }
    let (device, stream) = cpu()?;
    let mut steps = stream.alloc_zeroed::<u32>(30)?;
    collatz::load(&device)?.launch(&stream, LaunchConfig::threads(30), (&mut steps,))?;
    assert_eq!(stream.download(&steps)?[26], 111); // 27 takes 111 steps: OEIS A006577
    Ok(())
}

#[test]
fn glam_vectors_are_arguments() -> Result {
    use glam::Vec3;

    #[gpu_kernel(requires = x.len() == lengths.len())]
    fn lengths(t: Thread, origin: Vec3, x: &[Vec3], mut lengths: PerThread<[f32]>) {
        if let Some(length) = lengths.get_mut(t) {
            *length = x[t.index()].distance(origin);
        }
    }
    let (device, stream) = cpu()?;
    let x = stream.upload(&[Vec3::new(3.0, 4.0, 1.0), Vec3::Z])?;
    let mut out = stream.alloc_zeroed::<f32>(2)?;
    lengths::load(&device)?.launch(&stream, LaunchConfig::threads(2), (Vec3::Z, &x, &mut out))?;
    assert_eq!(stream.download(&out)?, [5.0, 0.0]);
    Ok(())
}

#[test]
fn parts_of_a_buffer_are_arguments() -> Result {
    let (device, stream) = cpu()?;
    let kernel = saxpy::load(&device)?;
    let mut buffer = stream.upload(&[1.0, 2.0, 3.0, 4.0])?;
    let x = stream.upload(&[0.0, 10.0, 20.0, 30.0])?;
    let (mut low, high) = buffer.split_at_mut(2)?;
    kernel.launch(&stream, LaunchConfig::threads(2), (1.0, x.slice(2..)?, &mut low))?;
    kernel.launch(&stream, LaunchConfig::threads(2), (1.0, &x.slice(..=1)?, high))?;
    assert_eq!(stream.download(&buffer)?, [21.0, 32.0, 3.0, 14.0]);
    Ok(())
}

#[test]
fn a_kernel_without_parameters_runs() -> Result {
    #[gpu_kernel]
    fn nothing(_t: Thread) {}

    let (device, stream) = cpu()?;
    nothing::load(&device)?.launch(&stream, LaunchConfig::grid((2, 3, 4), Dim::from((8, 2, 2))), ())?;
    stream.synchronize()
}

#[test]
fn many_host_threads_launch_on_one_device() -> Result {
    let (device, _) = cpu()?;
    let kernel = saxpy::load(&device)?;
    std::thread::scope(|scope| {
        let launches: Vec<_> = (0..64)
            .map(|i| {
                let (device, kernel) = (&device, &kernel);
                scope.spawn(move || -> Result {
                    let stream = device.stream()?;
                    let n = 1000 + i * 3001;
                    let x = stream.upload(&vec![1.0; n])?;
                    let mut y = stream.upload(&vec![0.0; n])?;
                    for _ in 0..20 {
                        kernel.launch(&stream, LaunchConfig::threads(n), (1.0, &x, &mut y))?;
                    }
                    assert!(stream.download(&y)?.iter().all(|&y| y == 20.0));
                    Ok(())
                })
            })
            .collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}

#[test]
fn a_kernel_may_launch_another_on_the_cpu() -> Result {
    // Plain Rust: nobody would, but it must neither deadlock nor confuse whose thread is whose.
    #[gpu_kernel]
    fn inner(t: Thread, mut x: PerThread<[u32]>) {
        if let Some(x) = x.get_mut(t) {
            *x = t.index() as u32;
        }
    }
    #[gpu_kernel]
    fn outer(t: Thread, mut sums: PerThread<[u32]>) {
        let sum = || -> std::result::Result<u32, Error> {
            let (device, stream) = cpu()?;
            let mut x = stream.alloc_zeroed::<u32>(3000)?;
            inner::load(&device)?.launch(&stream, LaunchConfig::threads(3000), (&mut x,))?;
            Ok(stream.download(&x)?.iter().sum())
        };
        if let (Some(to), Ok(sum)) = (sums.get_mut(t), sum()) {
            *to = sum;
        }
    }
    let (device, stream) = cpu()?;
    let mut sums = stream.alloc_zeroed::<u32>(2000)?;
    outer::load(&device)?.launch(&stream, LaunchConfig::threads(2000), (&mut sums,))?;
    assert_eq!(stream.download(&sums)?, [2999 * 3000 / 2; 2000]);
    Ok(())
}

#[test]
fn reversed_slices_are_owned_from_the_end() -> Result {
    #[gpu_kernel]
    fn from_the_end(
        t: Thread,
        mut out: PerThread<[u64], Reversed>,
        mut pairs: PerThread<[[u32; 2]], Reversed>,
    ) {
        let len = out.len();
        if let Some(out) = out.get_mut(t) {
            *out += (t.index() * 10 + len) as u64;
        }
        if let Some([a, b]) = pairs.get_mut(t) {
            (*a, *b) = (t.index() as u32, *b + 1);
        }
    }
    let (device, stream) = cpu()?;
    let kernel = from_the_end::load(&device)?;
    for len in [0, 1, 31, 256, 1000, 70_001] {
        for threads in [1, 30, 31, 32, 1000, 1001, 100_000] {
            let (mut out, mut pairs) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed::<u32>(2 * len)?);
            kernel.launch(&stream, LaunchConfig::threads(threads), (&mut out, &mut pairs))?;
            let owner = |i: usize| Some(len - 1 - i).filter(|&owner| owner < threads);
            let expected = |i| owner(i).map_or(0, |owner| (owner * 10 + len) as u64);
            let wrong = stream.download(&out)?.iter().zip(0..).position(|(&out, i)| out != expected(i));
            assert_eq!(wrong, None, "{len} elements, {threads} threads");
            let expected = |i| owner(i).map_or([0, 0], |owner| [owner as u32, 1]);
            let pairs = stream.download(&pairs)?;
            assert_eq!(pairs.as_chunks().0.iter().zip(0..).position(|(&pair, i)| pair != expected(i)), None);
        }
    }
    Ok(())
}

#[test]
fn transposed_matrices_are_owned_by_column_and_row() -> Result {
    #[gpu_kernel]
    fn transpose(t: Thread, from: &Matrix<u32>, mut to: PerThread<Matrix<u32>, Transposed>) {
        let sizes = 1000 * to.rows() + to.cols();
        if let Some(to) = to.get_mut(t) {
            *to += from.get_or(t.row(), t.col(), 7) + sizes as u32;
        }
    }
    let (device, stream) = cpu()?;
    let kernel = transpose::load(&device)?;
    let sizes = [(1, 1), (1, 300), (300, 1), (33, 65), (70, 40)];
    for (rows, cols) in sizes {
        for (height, width) in sizes {
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

#[test]
fn columns_are_owned_by_the_threads_of_the_first_row() -> Result {
    #[gpu_kernel]
    fn number(t: Thread, mut m: PerThread<Matrix<u32>, Columns>) {
        let index = t.index() as u32;
        if let Some(first) = m.get_mut(t) {
            *first += 5;
        }
        let Some(mut column) = m.column_mut(t) else { return };
        for row in 0..column.len() {
            column[row] += 1000 * index + row as u32 + 1;
        }
    }
    let (device, stream) = cpu()?;
    let kernel = number::load(&device)?;
    for (rows, cols) in [(1, 1), (1, 300), (300, 1), (33, 65), (70, 4000)] {
        for config in [1, 64, 65, 66, 5000]
            .map(LaunchConfig::threads)
            .into_iter()
            .chain([LaunchConfig::for_matrix(3, 65), LaunchConfig::grid((2, 7), (33, 2))])
        {
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

#[test]
fn a_row_that_a_column_lacks_is_an_error() -> Result {
    #[gpu_kernel]
    fn beyond(t: Thread, mut m: PerThread<Matrix<u32>, Columns>) {
        if let Some(mut column) = m.column_mut(t) {
            column[3] = 1;
        }
    }
    let (device, stream) = cpu()?;
    let mut m = stream.alloc_matrix_zeroed::<u32>(3, 5)?;
    beyond::load(&device)?.launch(&stream, LaunchConfig::threads(5), (&mut m,))?;
    let error = stream.synchronize().expect_err("there is no row 3");
    assert!(error.to_string().contains("row 3 of a matrix of 3 rows"), "{error}");
    Ok(())
}

#[test]
fn volumes_larger_and_smaller_than_the_launch() -> Result {
    #[gpu_kernel(requires = scan.planes() == out.planes() && scan.rows() == out.rows() && scan.cols() == out.cols())]
    fn sums(t: Thread, scan: &Volume<i32>, mut out: PerThread<Volume<i32>>) {
        let mut sum = (out.planes() * out.rows() * out.cols()) as i32;
        for (plane, row, col) in [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)] {
            let near = |at: usize, step: usize| (at + step).wrapping_sub(1);
            let (plane, row, col) = (near(t.plane(), plane), near(t.row(), row), near(t.col(), col));
            sum += scan.get_or(plane, row, col, -1);
            assert_eq!(scan.get(plane, row, col).copied().unwrap_or(-1), scan.get_or(plane, row, col, -1));
        }
        let index = t.index() as i32;
        if let Some(out) = out.get_mut(t) {
            *out += sum + 1000 * index;
        }
    }
    let (device, stream) = cpu()?;
    let kernel = sums::load(&device)?;
    let sizes = [(1, 1, 1), (2, 3, 5), (1, 40, 70), (9, 1, 33), (17, 8, 4)];
    for (planes, rows, cols) in sizes {
        let host: Vec<i32> = (0..planes * rows * cols).map(|i| (i * 7919 % 1009) as i32).collect();
        let scan = stream.upload_volume(planes, rows, cols, &host)?;
        let at = |plane: usize, row: usize, col: usize| {
            let inside = plane < planes && row < rows && col < cols;
            if inside { host[(plane * rows + row) * cols + col] } else { -1 }
        };
        for (deep, high, wide) in sizes {
            for block in [None, Some((8, 4, 2))] {
                let mut out = stream.alloc_volume_zeroed(planes, rows, cols)?;
                let config = LaunchConfig::for_volume(deep, high, wide);
                let config = block.map_or(config, |block| config.block(block));
                kernel.launch(&stream, config, (&scan, &mut out))?;
                for (i, out) in stream.download(&out)?.into_iter().enumerate() {
                    let (p, r, c) = (i / cols / rows, i / cols % rows, i % cols);
                    let around = [at(p.wrapping_sub(1), r, c), at(p + 1, r, c), at(p, r.wrapping_sub(1), c)];
                    let beside = [at(p, r + 1, c), at(p, r, c.wrapping_sub(1)), at(p, r, c + 1)];
                    let index = ((p * high + r) * wide + c) as i32;
                    let sum: i32 = around.into_iter().chain(beside).sum();
                    let ran = p < deep && r < high && c < wide;
                    let expected = if ran { host.len() as i32 + sum + 1000 * index } else { 0 };
                    assert_eq!(out, expected, "({p}, {r}, {c}) of {planes} by {rows} by {cols}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn all_threads_of_a_launch_update_atomics() -> Result {
    #[gpu_kernel]
    fn tally(t: Thread, x: &[u32], bins: Atomic<[u32]>, extremes: Atomic<[i64]>, sum: Atomic<[f64]>) {
        let Some(&x) = x.get(t.index()) else { return };
        bins.fetch_add(t, x as usize % bins.len(), 1);
        extremes.fetch_min(t, 0, -i64::from(x));
        extremes.fetch_max_with(t, 1, i64::from(x) << 20, Scope::Device, Ordering::AcqRel);
        sum.fetch_add(t, 0, f64::from(x) * 0.5);
        // An element that nobody else touches keeps what it is given.
        extremes.store(t, 2 + t.index(), i64::from(x), Scope::Device, Ordering::Release);
        let loaded = extremes.load(t, 2 + t.index(), Scope::Device, Ordering::Acquire);
        let before = extremes.compare_exchange(t, 2 + t.index(), loaded, loaded + 1);
        assert!(before == loaded && extremes.compare_exchange(t, 2 + t.index(), before, 0) == loaded + 1);
    }
    let (device, stream) = cpu()?;
    let kernel = tally::load(&device)?;
    for n in [1, 31, 256, 5000, 100_003] {
        let host: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009).collect();
        let mut bins = stream.alloc_zeroed::<u32>(8)?;
        let mut extremes = stream.alloc_zeroed::<i64>(2 + n)?;
        // Only a part of the buffer is updated.
        let mut sum = stream.upload(&[0.5; 3])?;
        let arguments = (&stream.upload(&host)?, &mut bins, &mut extremes, sum.slice_mut(1..2)?);
        kernel.launch(&stream, LaunchConfig::threads(n), arguments)?;
        let mut expected = [0; 8];
        host.iter().for_each(|&x| expected[x as usize % 8] += 1);
        assert_eq!(stream.download(&bins)?, expected);
        let most = i64::from(*host.iter().max().expect("a number"));
        let own = host.iter().map(|&x| i64::from(x) + 1);
        assert_eq!(
            stream.download(&extremes)?,
            [-most, most << 20].into_iter().chain(own).collect::<Vec<_>>()
        );
        let total: f64 = host.iter().map(|&x| f64::from(x) * 0.5).sum();
        assert_eq!(stream.download(&sum)?, [0.5, 0.5 + total, 0.5]);
    }
    Ok(())
}
